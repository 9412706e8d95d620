//! Tree construction (HTML §13.2.6), scripting off: tokens in, the flat document out.
//!
//! ```text
//! Tokenizer ─▶ TreeBuilder: limits ─▶ foreign content or the rules of a mode ─▶ Arena ─▶ flatten ─▶ Doc
//! ```

mod arena;
mod body;
mod body_end;
mod flatten;
mod foreign;
mod foreign_names;
mod formatting;
mod insert;
mod modes_after_body;
mod modes_before_body;
mod open;
mod quirks;
mod selected;
mod sets;
mod stack;
mod table;
mod template;
mod text;

#[cfg(test)]
mod tests;

use crate::buffer_reuse::DocBuffers;
use crate::doc::Doc;
use crate::limits::{LimitHit, TreeLimits};
use crate::name::LocalName;
use crate::store::ParseBuffers;
use crate::tokenizer::{Token, Tokenizer};
use crate::tree::arena::{Arena, NONE};
use crate::tree::open::{FormattingEntry, Namespace, Stack};
use crate::tree::sets::{ENDS_OTHERWISE, FORMATTING, FRAMES, IN_TABLE, OPENS_NOTHING, sets};

/// Reopened formatting elements repeat their attributes, and each new one is compared with all open ones.
const MAX_FORMATTING_ATTRIBUTES: u32 = 12;
const MAX_FORMATTING_DEPTH: usize = 128;
/// Addresses of frames that are kept.
const MAX_FRAMES: usize = 100;
const DOCUMENT: u32 = 0;

/// Insertion modes (HTML §13.2.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InsertionMode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// Whether a token is done with, or goes through the rules of the mode that is on now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenResult {
    Done,
    Again,
}

/// What is done with frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameHandling {
    /// Their tags are left out, so that `noframes` is ordinary content, and their addresses are listed.
    Listed,
    /// As the specification says.
    #[cfg_attr(not(test), allow(dead_code, reason = "the conformance tests have pages of frames"))]
    Kept,
}

/// A token other than text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Start(LocalName),
    End(LocalName),
    Comment,
    Doctype,
    Eof,
}

pub(crate) struct TreeBuilder<'s> {
    tokens: Tokenizer<'s>,
    arena: Arena,
    limits: TreeLimits,
    frames: FrameHandling,
    frame_sources: Vec<String>,
    mode: InsertionMode,
    original_mode: InsertionMode,
    template_modes: Vec<InsertionMode>,
    stack: Stack,
    formatting: Vec<FormattingEntry>,
    head: u32,
    form: u32,
    quirks: bool,
    frameset_ok: bool,
    /// Whether text and elements for parts of tables go before the table.
    foster: bool,
    /// A line feed that comes next is left out.
    ignore_line_feed: bool,
    table_text: String,
    selected_contents: Vec<u32>,
    /// Start tags left out beyond the depth whose end tags are still to come.
    left_out: usize,
    /// Whether an element has the attributes of the tag at hand.
    attributes_taken: bool,
    steps: u64,
}

/// The document of a page in which CR and CRLF are line feeds.
pub(crate) fn build(html: &str, limits: &TreeLimits, frames: FrameHandling) -> Doc {
    let DocBuffers { nodes, attributes, text } = DocBuffers::take();
    let mut builder = TreeBuilder {
        tokens: Tokenizer::new(html, limits.max_attributes),
        arena: Arena::new(ParseBuffers::new(html, text, attributes), nodes),
        limits: limits.clone(),
        frames,
        frame_sources: Vec::new(),
        mode: InsertionMode::Initial,
        original_mode: InsertionMode::Initial,
        template_modes: Vec::new(),
        stack: Stack::new(),
        formatting: Vec::with_capacity(16),
        head: NONE,
        form: NONE,
        quirks: false,
        frameset_ok: true,
        foster: false,
        ignore_line_feed: false,
        table_text: String::new(),
        selected_contents: Vec::new(),
        left_out: 0,
        attributes_taken: true,
        steps: 0,
    };
    builder.run();
    if builder.tokens.attributes_hit() {
        builder.arena.hit(LimitHit::Attributes);
    }
    flatten::flatten(builder.arena, builder.frame_sources)
}

impl TreeBuilder<'_> {
    fn run(&mut self) {
        loop {
            if self.steps + self.tokens.steps() > self.limits.max_steps {
                self.arena.hit(LimitHit::Steps);
                break;
            }
            let cdata = self.stack.last().is_some_and(|open| open.space != Namespace::Html);
            let token = self.tokens.next(&mut self.arena.store, cdata);
            self.steps += 1;
            if self.arena.nodes.len() >= self.limits.max_nodes && !matches!(token, Token::Eof) {
                self.arena.hit(LimitHit::Nodes);
                break;
            }
            match token {
                Token::Text if self.is_in_body(0) && !self.ignore_line_feed => self.text_in_body(self.tokens.text()),
                Token::Text => self.text(self.tokens.text()),
                Token::StartTag => self.start_tag(),
                Token::EndTag => self.end_tag(),
                Token::Comment => self.mark(Mark::Comment),
                Token::Doctype => self.doctype(),
                Token::Eof => break,
            }
        }
        self.mark(Mark::Eof);
        self.arena.settle_text();
        self.fill_selected_contents();
    }

    fn start_tag(&mut self) {
        let name = self.tokens.tag().name;
        let sets = sets(name);
        if sets & FRAMES != 0 && self.frames == FrameHandling::Listed {
            return self.list_frame(name);
        }
        if sets & FORMATTING != 0 && self.tokens.tag().n_attributes > MAX_FORMATTING_ATTRIBUTES {
            self.arena.hit(LimitHit::Attributes);
        }
        if sets & OPENS_NOTHING == 0 && self.is_too_deep(sets) {
            self.left_out += 1;
            return self.arena.hit(LimitHit::Depth);
        }
        self.attributes_taken = false;
        if self.is_in_body(sets) {
            self.ignore_line_feed = false;
            self.steps += 1;
            if self.start_in_body(name) == TokenResult::Again {
                self.mark(Mark::Start(name));
            }
        } else {
            self.mark(Mark::Start(name));
        }
        if !std::mem::replace(&mut self.attributes_taken, true) {
            self.tokens.hold_attributes(&mut self.arena.store);
        }
    }

    /// Whether a start tag goes by the rules of the body at once.
    fn is_in_body(&self, sets: u32) -> bool {
        let by_mode =
            self.mode == InsertionMode::InBody || (self.mode == InsertionMode::InCell && sets & IN_TABLE == 0);
        by_mode && self.stack.last().is_some_and(|open| open.space == Namespace::Html)
    }

    /// Whether there is no room for an element of these sets.
    fn is_too_deep(&self, sets: u32) -> bool {
        if sets & FORMATTING == 0 {
            return self.stack.len() >= self.limits.max_depth;
        }
        // The list of formatting elements is walked for each of them, so it is bounded like the stack.
        self.stack.len().max(self.formatting.len()) >= MAX_FORMATTING_DEPTH.min(self.limits.max_depth)
    }

    fn end_tag(&mut self) {
        let name = self.tokens.tag().name;
        let sets = sets(name);
        if sets & FRAMES != 0 && self.frames == FrameHandling::Listed {
            return;
        }
        if self.left_out > 0 {
            self.left_out -= 1;
            return;
        }
        if !self.end_current(name, sets) {
            self.mark(Mark::End(name));
        }
    }

    /// Ends the current node where the rules come to nothing more, as for nearly all end tags: whatever they look for, they find it
    /// at once.
    fn end_current(&mut self, name: LocalName, sets: u32) -> bool {
        let is_plain = sets & ENDS_OTHERWISE == 0 && matches!(self.mode, InsertionMode::InBody | InsertionMode::InCell);
        let Some(open) = self.stack.last().filter(|open| is_plain && open.is(name)) else { return false };
        if sets & FORMATTING != 0 {
            if self.formatting.last().and_then(FormattingEntry::id) != Some(open.id) {
                return false;
            }
            self.formatting.pop();
        }
        self.ignore_line_feed = false;
        self.steps += 1;
        self.stack.pop();
        true
    }

    /// Notes the address of a frame, whose tags are left out.
    fn list_frame(&mut self, name: LocalName) {
        if name == LocalName::FRAME && self.frame_sources.len() < MAX_FRAMES {
            let source = self.tag_value(LocalName::SRC).map(|source| source.trim().to_owned());
            self.frame_sources.extend(source);
        }
    }

    /// The value of this attribute of the tag at hand.
    fn tag_value(&self, name: LocalName) -> Option<&str> {
        let attr = self.tokens.tag().attributes(&self.arena.store).iter().find(|attr| attr.name == name)?;
        Some(self.arena.store.get(attr.value))
    }

    fn doctype(&mut self) {
        if self.mode == InsertionMode::Initial {
            self.quirks = quirks::is_quirky(self.tokens.doctype());
        }
        self.mark(Mark::Doctype);
    }

    /// Passes a token through the rules until they are done with it (HTML §13.2.6, "tree construction dispatcher").
    fn mark(&mut self, mark: Mark) {
        self.ignore_line_feed = false;
        loop {
            self.steps += 1;
            let step = if self.is_foreign(mark) { self.foreign(mark) } else { self.by_mode(self.mode, mark) };
            if step == TokenResult::Done {
                return;
            }
        }
    }

    /// The rules of a mode, which need not be the one that is on.
    fn by_mode(&mut self, mode: InsertionMode, mark: Mark) -> TokenResult {
        match mode {
            InsertionMode::Initial => self.initial(mark),
            InsertionMode::BeforeHtml => self.before_html(mark),
            InsertionMode::BeforeHead => self.before_head(mark),
            InsertionMode::InHead => self.in_head(mark),
            InsertionMode::InHeadNoscript => self.in_head_noscript(mark),
            InsertionMode::AfterHead => self.after_head(mark),
            InsertionMode::InBody => self.in_body(mark),
            InsertionMode::Text => self.in_text(mark),
            InsertionMode::InTable => self.in_table(mark),
            InsertionMode::InTableText => self.in_table_text(),
            InsertionMode::InCaption => self.in_caption(mark),
            InsertionMode::InColumnGroup => self.in_column_group(mark),
            InsertionMode::InTableBody => self.in_table_body(mark),
            InsertionMode::InRow => self.in_row(mark),
            InsertionMode::InCell => self.in_cell(mark),
            InsertionMode::InTemplate => self.in_template(mark),
            InsertionMode::AfterBody => self.after_body(mark),
            InsertionMode::InFrameset => self.in_frameset(mark),
            InsertionMode::AfterFrameset => self.after_frameset(mark),
            InsertionMode::AfterAfterBody => self.after_after_body(mark),
            InsertionMode::AfterAfterFrameset => self.after_after_frameset(mark),
        }
    }

    /// Turns the mode to this one, and lets it have the token.
    fn again(&mut self, mode: InsertionMode) -> TokenResult {
        self.mode = mode;
        TokenResult::Again
    }

    /// A comment behind the last child of a node.
    fn comment(&mut self, parent: u32) -> TokenResult {
        self.arena.seal(parent);
        TokenResult::Done
    }

    fn comment_here(&mut self) -> TokenResult {
        self.comment(self.stack.last().map_or(DOCUMENT, |open| open.id))
    }
}
