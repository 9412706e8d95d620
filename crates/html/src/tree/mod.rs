//! Tree construction (HTML §13.2.6), scripting off: tokens in, the flat document out.
//!
//! ```text
//! Tokenizer ─▶ TreeBuilder: limits ─▶ foreign content or the rules of a mode ─▶ Arena ─▶ flatten ─▶ Doc
//! ```

mod after;
mod arena;
mod before;
mod body;
mod body_end;
mod flatten;
mod foreign;
mod foreign_names;
mod formatting;
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

use crate::doc::{Attr, Doc, Span};
use crate::limits::{LimitHit, Limits};
use crate::name::Name;
use crate::spare::Arrays;
use crate::store::Store;
use crate::tokenizer::{State, Token, Tokenizer};
use crate::tree::arena::{Arena, NONE, Place};
use crate::tree::open::{Entry, Open, Space, Stack};
use crate::tree::sets::{ENDS_OTHERWISE, FORMATTING, FRAMES, IN_TABLE, OPENS_NOTHING, is, sets};

/// Reopened formatting elements repeat their attributes, and each new one is compared with all open ones.
const MAX_FORMATTING_ATTRIBUTES: u32 = 12;
const MAX_FORMATTING_DEPTH: usize = 128;
/// Addresses of frames that are kept.
const MAX_FRAMES: usize = 100;
const DOCUMENT: u32 = 0;

/// Insertion modes (HTML §13.2.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
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
pub(crate) enum Step {
    Done,
    Again,
}

/// What is done with frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frames {
    /// Their tags are left out, so that `noframes` is ordinary content, and their addresses are listed.
    Listed,
    /// As the specification says.
    #[cfg_attr(not(test), allow(dead_code, reason = "the conformance tests have pages of frames"))]
    Kept,
}

/// A token other than text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Start(Name),
    End(Name),
    Comment,
    Doctype,
    Eof,
}

pub(crate) struct TreeBuilder<'s> {
    tokens: Tokenizer<'s>,
    arena: Arena,
    limits: Limits,
    frames: Frames,
    frame_sources: Vec<String>,
    mode: Mode,
    original_mode: Mode,
    template_modes: Vec<Mode>,
    stack: Stack,
    formatting: Vec<Entry>,
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
pub(crate) fn build(html: &str, limits: &Limits, frames: Frames) -> Doc {
    let Arrays { nodes, attributes, text } = Arrays::take();
    let mut builder = TreeBuilder {
        tokens: Tokenizer::new(html, limits.max_attributes),
        arena: Arena::new(Store::new(html, text, attributes), nodes),
        limits: limits.clone(),
        frames,
        frame_sources: Vec::new(),
        mode: Mode::Initial,
        original_mode: Mode::Initial,
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
            let cdata = self.stack.last().is_some_and(|open| open.space != Space::Html);
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
        if sets & FRAMES != 0 && self.frames == Frames::Listed {
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
            if self.start_in_body(name) == Step::Again {
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
        let by_mode = self.mode == Mode::InBody || (self.mode == Mode::InCell && sets & IN_TABLE == 0);
        by_mode && self.stack.last().is_some_and(|open| open.space == Space::Html)
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
        if sets & FRAMES != 0 && self.frames == Frames::Listed {
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
    fn end_current(&mut self, name: Name, sets: u32) -> bool {
        let is_plain = sets & ENDS_OTHERWISE == 0 && matches!(self.mode, Mode::InBody | Mode::InCell);
        let Some(open) = self.stack.last().filter(|open| is_plain && open.is(name)) else { return false };
        if sets & FORMATTING != 0 {
            if self.formatting.last().and_then(Entry::id) != Some(open.id) {
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
    fn list_frame(&mut self, name: Name) {
        if name == Name::FRAME && self.frame_sources.len() < MAX_FRAMES {
            let source = self.tag_value(Name::SRC).map(|source| source.trim().to_owned());
            self.frame_sources.extend(source);
        }
    }

    /// The value of this attribute of the tag at hand.
    fn tag_value(&self, name: Name) -> Option<&str> {
        let attr = self.tokens.tag().attributes(&self.arena.store).iter().find(|attr| attr.name == name)?;
        Some(self.arena.store.get(attr.value))
    }

    fn doctype(&mut self) {
        if self.mode == Mode::Initial {
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
            if step == Step::Done {
                return;
            }
        }
    }

    /// The rules of a mode, which need not be the one that is on.
    fn by_mode(&mut self, mode: Mode, mark: Mark) -> Step {
        match mode {
            Mode::Initial => self.initial(mark),
            Mode::BeforeHtml => self.before_html(mark),
            Mode::BeforeHead => self.before_head(mark),
            Mode::InHead => self.in_head(mark),
            Mode::InHeadNoscript => self.in_head_noscript(mark),
            Mode::AfterHead => self.after_head(mark),
            Mode::InBody => self.in_body(mark),
            Mode::Text => self.in_text(mark),
            Mode::InTable => self.in_table(mark),
            Mode::InTableText => self.in_table_text(),
            Mode::InCaption => self.in_caption(mark),
            Mode::InColumnGroup => self.in_column_group(mark),
            Mode::InTableBody => self.in_table_body(mark),
            Mode::InRow => self.in_row(mark),
            Mode::InCell => self.in_cell(mark),
            Mode::InTemplate => self.in_template(mark),
            Mode::AfterBody => self.after_body(mark),
            Mode::InFrameset => self.in_frameset(mark),
            Mode::AfterFrameset => self.after_frameset(mark),
            Mode::AfterAfterBody => self.after_after_body(mark),
            Mode::AfterAfterFrameset => self.after_after_frameset(mark),
        }
    }

    /// Turns the mode to this one, and lets it have the token.
    fn again(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Step::Again
    }

    /// Where the next node goes below `target`, or the current node (HTML §13.2.6.1).
    #[inline]
    fn place(&mut self, target: u32) -> Place {
        let in_table = self.foster && self.stack.iter().rev().any(|open| open.id == target && open.is_table_part());
        if in_table { self.foster_place() } else { Place::In(target) }
    }

    /// What is put before a table, or behind what is open in a template, comes before what the table still gets.
    fn foster_place(&mut self) -> Place {
        self.arena.link();
        let last = |name: Name| self.stack.iter().rposition(|open| open.is(name));
        let (template, table) = (last(Name::TEMPLATE), last(Name::TABLE));
        match (template, table) {
            (Some(template), table) if table.is_none_or(|table| template > table) => Place::In(self.stack[template].id),
            (_, None) => Place::In(self.stack[0].id),
            (_, Some(table)) => {
                let id = self.stack[table].id;
                if self.arena.nodes[id as usize].parent != NONE {
                    Place::Before(id)
                } else {
                    Place::In(self.stack[table.saturating_sub(1)].id)
                }
            }
        }
    }

    #[inline]
    fn current_place(&mut self) -> Place {
        self.place(self.stack.last().map_or(DOCUMENT, |open| open.id))
    }

    /// The attributes of the tag at hand, which the element that is made of it keeps.
    fn take_attributes(&mut self, name: Name, space: Space) -> Span {
        let tag = self.tokens.tag();
        let mut span = Span { start: tag.first, len: tag.n_attributes };
        let store = &mut self.arena.store;
        if space != Space::Html {
            for at in span.range() {
                let name = foreign_names::attribute(store.attributes[at].name, space, &mut store.names);
                store.attributes[at].name = name;
            }
        } else if span.len > MAX_FORMATTING_ATTRIBUTES && is(name, FORMATTING) {
            span.len = MAX_FORMATTING_ATTRIBUTES;
        }
        self.attributes_taken = true;
        span
    }

    /// Inserts an HTML element for the tag at hand.
    fn insert(&mut self, name: Name) -> u32 {
        let attributes = self.take_attributes(name, Space::Html);
        self.insert_element(name, attributes)
    }

    /// Inserts an HTML element that the page has no tag of.
    fn insert_implied(&mut self, name: Name) -> u32 {
        self.insert_element(name, Span { start: 0, len: 0 })
    }

    fn insert_element(&mut self, name: Name, attributes: Span) -> u32 {
        let place = self.current_place();
        let id = self.arena.add(place, name, false, attributes);
        self.stack.push(Open::html(id, name));
        id
    }

    /// Inserts an element without content.
    fn insert_void(&mut self, name: Name) {
        let attributes = self.take_attributes(name, Space::Html);
        let place = self.current_place();
        self.arena.add(place, name, false, attributes);
    }

    /// Inserts an element whose content is text (HTML §13.2.6.2).
    fn insert_text_element(&mut self, name: Name, state: State) -> Step {
        self.insert(name);
        self.tokens.set_state(state);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        Step::Done
    }

    /// Adds the attributes of the tag at hand that the element has not.
    fn add_attributes(&mut self, id: u32) {
        let attributes: Vec<Attr> = self.tokens.tag().attributes(&self.arena.store).to_vec();
        for attr in attributes {
            let added = self.arena.added.get(&id).map_or(&[][..], Vec::as_slice);
            let own = self.arena.attributes_of(id);
            self.steps += (own.len() + added.len()) as u64;
            if own.len() + added.len() >= self.limits.max_attributes {
                return self.arena.hit(LimitHit::Attributes);
            }
            if own.iter().chain(added).all(|other| other.name != attr.name) {
                self.arena.added.entry(id).or_default().push(attr);
            }
        }
    }

    /// A comment behind the last child of a node.
    fn comment(&mut self, parent: u32) -> Step {
        self.arena.seal(parent);
        Step::Done
    }

    fn comment_here(&mut self) -> Step {
        self.comment(self.stack.last().map_or(DOCUMENT, |open| open.id))
    }
}
