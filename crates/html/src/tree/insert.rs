//! Inserting elements, and where they go (HTML §13.2.6.1).

use crate::doc::{Attr, ByteRange};
use crate::limits::LimitHit;
use crate::name::LocalName;
use crate::tokenizer::TokenizerState;
use crate::tree::arena::{InsertionLocation, NONE};
use crate::tree::open::{Namespace, OpenElement};
use crate::tree::sets::{FORMATTING, is};
use crate::tree::{DOCUMENT, InsertionMode, MAX_FORMATTING_ATTRIBUTES, TokenResult, TreeBuilder, foreign_names};

impl TreeBuilder<'_> {
    /// Where the next node goes below `target`, or the current node (HTML §13.2.6.1).
    #[inline]
    pub(super) fn place(&mut self, target: u32) -> InsertionLocation {
        let in_table = self.foster && self.stack.iter().rev().any(|open| open.id == target && open.is_table_part());
        if in_table { self.foster_place() } else { InsertionLocation::In(target) }
    }

    /// What is put before a table, or behind what is open in a template, comes before what the table still gets.
    pub(super) fn foster_place(&mut self) -> InsertionLocation {
        self.arena.link();
        let last = |name: LocalName| self.stack.iter().rposition(|open| open.is(name));
        let (template, table) = (last(LocalName::TEMPLATE), last(LocalName::TABLE));
        match (template, table) {
            (Some(template), table) if table.is_none_or(|table| template > table) => {
                InsertionLocation::In(self.stack[template].id)
            }
            (_, None) => InsertionLocation::In(self.stack[0].id),
            (_, Some(table)) => {
                let id = self.stack[table].id;
                if self.arena.nodes[id as usize].parent != NONE {
                    InsertionLocation::Before(id)
                } else {
                    InsertionLocation::In(self.stack[table.saturating_sub(1)].id)
                }
            }
        }
    }

    #[inline]
    pub(super) fn current_place(&mut self) -> InsertionLocation {
        self.place(self.stack.last().map_or(DOCUMENT, |open| open.id))
    }

    /// The attributes of the tag at hand, which the element that is made of it keeps.
    pub(super) fn take_attributes(&mut self, name: LocalName, space: Namespace) -> ByteRange {
        let tag = self.tokens.tag();
        let mut span = ByteRange { start: tag.first, len: tag.n_attributes };
        let store = &mut self.arena.store;
        if space != Namespace::Html {
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
    pub(super) fn insert(&mut self, name: LocalName) -> u32 {
        let attributes = self.take_attributes(name, Namespace::Html);
        self.insert_element(name, attributes)
    }

    /// Inserts an HTML element that the page has no tag of.
    pub(super) fn insert_implied(&mut self, name: LocalName) -> u32 {
        self.insert_element(name, ByteRange { start: 0, len: 0 })
    }

    pub(super) fn insert_element(&mut self, name: LocalName, attributes: ByteRange) -> u32 {
        let place = self.current_place();
        let id = self.arena.add(place, name, false, attributes);
        self.stack.push(OpenElement::html(id, name));
        id
    }

    /// Inserts an element without content.
    pub(super) fn insert_void(&mut self, name: LocalName) {
        let attributes = self.take_attributes(name, Namespace::Html);
        let place = self.current_place();
        self.arena.add(place, name, false, attributes);
    }

    /// Inserts an element whose content is text (HTML §13.2.6.2).
    pub(super) fn insert_text_element(&mut self, name: LocalName, state: TokenizerState) -> TokenResult {
        self.insert(name);
        self.tokens.set_state(state);
        self.original_mode = self.mode;
        self.mode = InsertionMode::Text;
        TokenResult::Done
    }

    /// Adds the attributes of the tag at hand that the element has not.
    pub(super) fn add_attributes(&mut self, id: u32) {
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
}
