//! Stands between the tokenizer and the tree builder, and keeps hostile tokens from it.
//!
//! The tree builder walks its stack of open elements for many tags and compares attributes of formatting
//! elements pair by pair. With 100 000 nested `div` it would take minutes; so tags beyond the bounds of
//! [`Limits`] are left out here while their text goes through.

use std::cell::{Cell, RefCell};

use html5ever::interface::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};

use crate::limits::{LimitHit, Limits};
use crate::sink::{Handle, Sink};

/// Reopened formatting elements repeat their attributes, and each new one is compared with all open ones.
const MAX_FORMATTING_ATTRIBUTES: usize = 12;
const MAX_FORMATTING_DEPTH: usize = 128;

pub(crate) struct Guard {
    pub(crate) builder: TreeBuilder<Handle, Sink>,
    limits: Limits,
    /// Upper bound on the elements that the builder holds open; counted exactly only when it nears a limit.
    open: Cell<usize>,
    /// Start tags left out whose end tags are still to come.
    left_out: Cell<usize>,
    /// Tokens seen so far: standing still while input flows means one very long tag.
    pub(crate) n_tokens: Cell<usize>,
    pub(crate) frames: RefCell<Vec<String>>,
}

struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;
    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl Guard {
    pub(crate) fn new(builder: TreeBuilder<Handle, Sink>, limits: &Limits) -> Guard {
        Guard {
            builder,
            limits: limits.clone(),
            open: Cell::new(0),
            left_out: Cell::new(0),
            n_tokens: Cell::new(0),
            frames: RefCell::new(Vec::new()),
        }
    }

    /// Whether the builder may take one more open element.
    fn has_room(&self, most: usize) -> bool {
        if self.open.get() >= most {
            let count = Count(Cell::new(0));
            self.builder.trace_handles(&count);
            self.open.set(count.0.get());
            self.builder.sink.spend(count.0.get());
        }
        self.open.get() < most
    }

    fn admits(&self, tag: &mut Tag) -> bool {
        // The tokenizer has compared each with all before it.
        self.builder.sink.spend(tag.attrs.len() * tag.attrs.len() / 2);
        match tag.name {
            // A frameset becomes an ordinary page that shows its `noframes` content.
            local_name!("frameset") | local_name!("noframes") => return false,
            local_name!("frame") => {
                self.note_frame(tag);
                return false;
            }
            _ => {}
        }
        match tag.kind {
            TagKind::StartTag => self.admits_start(tag),
            TagKind::EndTag => self.admits_end(),
        }
    }

    fn admits_start(&self, tag: &mut Tag) -> bool {
        let formatting = is_formatting(&tag.name);
        let most_attributes = if formatting { MAX_FORMATTING_ATTRIBUTES } else { self.limits.max_attributes };
        if tag.attrs.len() > most_attributes {
            tag.attrs.truncate(most_attributes);
            self.builder.sink.hit(LimitHit::Attributes);
        }
        if opens_nothing(&tag.name) {
            return true;
        }
        let most = if formatting { MAX_FORMATTING_DEPTH.min(self.limits.max_depth) } else { self.limits.max_depth };
        if self.has_room(most) {
            self.open.set(self.open.get() + 1);
            return true;
        }
        self.left_out.set(self.left_out.get() + 1);
        self.builder.sink.hit(LimitHit::Depth);
        false
    }

    fn admits_end(&self) -> bool {
        let left_out = self.left_out.get();
        if left_out > 0 {
            self.left_out.set(left_out - 1);
        }
        left_out == 0
    }

    fn note_frame(&self, tag: &Tag) {
        const MAX_FRAMES: usize = 100;
        let mut frames = self.frames.borrow_mut();
        if let Some(src) = tag.attrs.iter().find(|attr| &*attr.name.local == "src")
            && frames.len() < MAX_FRAMES
        {
            frames.push(src.value.trim().to_owned());
        }
    }
}

impl TokenSink for Guard {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        self.n_tokens.set(self.n_tokens.get() + 1);
        self.builder.sink.spend(1);
        let end_of_file = matches!(token, Token::EOFToken);
        if self.builder.sink.n_nodes() >= self.limits.max_nodes && !end_of_file {
            self.builder.sink.hit(LimitHit::Nodes);
            return TokenSinkResult::Continue;
        }
        match token {
            Token::TagToken(mut tag) => {
                if !self.admits(&mut tag) {
                    return TokenSinkResult::Continue;
                }
                self.builder.process_token(Token::TagToken(tag), line)
            }
            token => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Elements that the builder may reopen (HTML §13.2.4.3).
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Void elements never stay open; raw-text elements must reach the builder, because it switches the tokenizer.
fn opens_nothing(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
            | local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("textarea")
            | local_name!("xmp")
            | local_name!("iframe")
            | local_name!("noembed")
            | local_name!("plaintext")
    )
}
