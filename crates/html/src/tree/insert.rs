//! Inserting elements, and where they go (HTML §13.2.6.1).

use crate::doc::{Attr, Span};
use crate::limits::LimitHit;
use crate::name::Name;
use crate::tokenizer::State;
use crate::tree::arena::{NONE, Place};
use crate::tree::open::{Open, Space};
use crate::tree::sets::{FORMATTING, is};
use crate::tree::{DOCUMENT, MAX_FORMATTING_ATTRIBUTES, Mode, Step, TreeBuilder, foreign_names};

impl TreeBuilder<'_> {
    /// Where the next node goes below `target`, or the current node (HTML §13.2.6.1).
    #[inline]
    pub(super) fn place(&mut self, target: u32) -> Place {
        let in_table = self.foster && self.stack.iter().rev().any(|open| open.id == target && open.is_table_part());
        if in_table { self.foster_place() } else { Place::In(target) }
    }

    /// What is put before a table, or behind what is open in a template, comes before what the table still gets.
    pub(super) fn foster_place(&mut self) -> Place {
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
    pub(super) fn current_place(&mut self) -> Place {
        self.place(self.stack.last().map_or(DOCUMENT, |open| open.id))
    }

    /// The attributes of the tag at hand, which the element that is made of it keeps.
    pub(super) fn take_attributes(&mut self, name: Name, space: Space) -> Span {
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
    pub(super) fn insert(&mut self, name: Name) -> u32 {
        let attributes = self.take_attributes(name, Space::Html);
        self.insert_element(name, attributes)
    }

    /// Inserts an HTML element that the page has no tag of.
    pub(super) fn insert_implied(&mut self, name: Name) -> u32 {
        self.insert_element(name, Span { start: 0, len: 0 })
    }

    pub(super) fn insert_element(&mut self, name: Name, attributes: Span) -> u32 {
        let place = self.current_place();
        let id = self.arena.add(place, name, false, attributes);
        self.stack.push(Open::html(id, name));
        id
    }

    /// Inserts an element without content.
    pub(super) fn insert_void(&mut self, name: Name) {
        let attributes = self.take_attributes(name, Space::Html);
        let place = self.current_place();
        self.arena.add(place, name, false, attributes);
    }

    /// Inserts an element whose content is text (HTML §13.2.6.2).
    pub(super) fn insert_text_element(&mut self, name: Name, state: State) -> Step {
        self.insert(name);
        self.tokens.set_state(state);
        self.original_mode = self.mode;
        self.mode = Mode::Text;
        Step::Done
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
