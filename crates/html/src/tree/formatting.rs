//! Active formatting elements (HTML §13.2.4.3) and the adoption agency (§13.2.6.4.7).

use crate::name::LocalName;
use crate::tree::arena::InsertionLocation;
use crate::tree::open::{FormattingEntry, OpenElement};
use crate::tree::stack::ElementScope;
use crate::tree::{TokenResult, TreeBuilder};

/// Elements that are alike and open at once: more are forgotten ("Noah's Ark").
const MOST_ALIKE: usize = 3;
/// Rounds of the adoption agency.
const OUTER_ROUNDS: usize = 8;
const INNER_ROUNDS: usize = 3;

impl TreeBuilder<'_> {
    /// Notes a formatting element that was inserted.
    pub(crate) fn push_formatting(&mut self, id: u32, name: LocalName) {
        let (mut alike, mut earliest) = (0, 0);
        for (n, entry) in self.formatting.iter().enumerate().rev() {
            let FormattingEntry::Element { id: other, name: other_name } = *entry else { break };
            self.steps += 1;
            if other_name == name && self.have_same_attributes(other, id) {
                (alike, earliest) = (alike + 1, n);
            }
        }
        if alike >= MOST_ALIKE {
            self.formatting.remove(earliest);
        }
        self.formatting.push(FormattingEntry::Element { id, name });
    }

    fn have_same_attributes(&self, one: u32, other: u32) -> bool {
        let store = &self.arena.store;
        let (one, other) = (self.arena.attributes_of(one), self.arena.attributes_of(other));
        one.len() == other.len()
            && one.iter().all(|attr| {
                other.iter().any(|same| same.name == attr.name && store.get(same.value) == store.get(attr.value))
            })
    }

    /// Inserts again the formatting elements that were closed by something else.
    #[inline]
    pub(crate) fn reconstruct_formatting(&mut self) {
        // Mostly the last one is the current node.
        if let Some(FormattingEntry::Element { id, .. }) = self.formatting.last()
            && self.stack.last().is_none_or(|open| open.id != *id)
        {
            self.reconstruct_closed();
        }
    }

    fn reconstruct_closed(&mut self) {
        let is_open = |builder: &Self, entry: &FormattingEntry| match entry {
            FormattingEntry::Marker => true,
            FormattingEntry::Element { id, .. } => builder.position(*id).is_some(),
        };
        match self.formatting.last() {
            None => return,
            Some(last) if is_open(self, last) => return,
            Some(_) => {}
        }
        let mut first = self.formatting.len() - 1;
        while first > 0 && !is_open(self, &self.formatting[first - 1]) {
            first -= 1;
            self.steps += 1 + self.stack.len() as u64 / 4;
        }
        // The attributes of the tag at hand come behind those of what is opened before it.
        let held = if self.attributes_taken { Vec::new() } else { self.tokens.hold_attributes(&mut self.arena.store) };
        self.reopen_formatting(first);
        self.tokens.give_attributes(&mut self.arena.store, held);
    }

    fn reopen_formatting(&mut self, first: usize) {
        for n in first..self.formatting.len() {
            if self.stack.len() >= self.limits.max_depth {
                return self.arena.hit(crate::limits::LimitHit::Depth);
            }
            let FormattingEntry::Element { id, name } = self.formatting[n] else { continue };
            let place = self.current_place();
            let like = self.arena.add_like(id, place);
            self.stack.push(OpenElement::html(like, name));
            self.formatting[n] = FormattingEntry::Element { id: like, name };
        }
    }

    pub(crate) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if matches!(entry, FormattingEntry::Marker) {
                return;
            }
        }
    }

    /// The last formatting element of this name behind the last marker: its place in the list, and its id.
    pub(crate) fn find_formatting(&self, name: LocalName) -> Option<(usize, u32)> {
        for (n, entry) in self.formatting.iter().enumerate().rev() {
            match entry {
                FormattingEntry::Marker => return None,
                FormattingEntry::Element { id, name: other } if *other == name => return Some((n, *id)),
                FormattingEntry::Element { .. } => {}
            }
        }
        None
    }

    pub(crate) fn forget_formatting(&mut self, id: u32) {
        self.formatting.retain(|entry| entry.id() != Some(id));
    }

    /// Closes a formatting element whose tags do not nest.
    pub(crate) fn adopt(&mut self, name: LocalName) -> TokenResult {
        if let Some(current) = self.stack.last()
            && current.is(name)
            && !self.formatting.iter().any(|entry| entry.id() == Some(current.id))
        {
            self.stack.pop();
            return TokenResult::Done;
        }
        for _ in 0..OUTER_ROUNDS {
            let Some((entry, id)) = self.find_formatting(name) else { return self.any_other_end_tag(name) };
            let Some(at) = self.position(id) else {
                self.formatting.remove(entry);
                return TokenResult::Done;
            };
            if !self.has_in(ElementScope::Default, |open| open.id == id) {
                return TokenResult::Done;
            }
            self.steps += (self.stack.len() - at) as u64;
            let Some(furthest) = (at + 1..self.stack.len()).find(|&n| self.stack[n].is_special()) else {
                self.stack.truncate(at);
                self.formatting.remove(entry);
                return TokenResult::Done;
            };
            self.adopt_block(entry, at, furthest);
        }
        TokenResult::Done
    }

    /// One round: the formatting element at `at` in the stack, `entry` in the list, has the block at `furthest` below it.
    fn adopt_block(&mut self, mut entry: usize, at: usize, furthest: usize) {
        self.arena.link();
        let formatting = self.stack[at];
        let block = self.stack[furthest];
        let ancestor = self.stack[at - 1].id;
        // The bookmark: the place in the list where the new element goes.
        let mut bookmark = entry;
        let mut last = block.id;
        let mut rounds = 0;
        let mut n = furthest;
        loop {
            n -= 1;
            let node = self.stack[n];
            if node.id == formatting.id {
                break;
            }
            rounds += 1;
            self.steps += 1;
            let mut listed = self.formatting.iter().position(|entry| entry.id() == Some(node.id));
            if rounds > INNER_ROUNDS
                && let Some(place) = listed.take()
            {
                self.formatting.remove(place);
                if place < bookmark {
                    bookmark -= 1;
                }
                if place < entry {
                    entry -= 1;
                }
            }
            let Some(place) = listed else {
                self.stack.remove(node.id);
                continue;
            };
            let like = self.arena.like(node.id);
            self.formatting[place] = FormattingEntry::Element { id: like, name: node.name };
            self.stack.replace(n, like);
            if last == block.id {
                bookmark = place + 1;
            }
            self.arena.put(InsertionLocation::In(like), last);
            last = like;
        }
        let place = self.place(ancestor);
        self.arena.put(place, last);
        let like = self.arena.like(formatting.id);
        self.arena.move_children(block.id, like);
        self.arena.put(InsertionLocation::In(block.id), like);
        self.formatting.remove(entry);
        if entry < bookmark {
            bookmark -= 1;
        }
        self.formatting.insert(bookmark, FormattingEntry::Element { id: like, name: formatting.name });
        self.stack.remove(formatting.id);
        if let Some(block) = self.position(block.id) {
            self.stack.insert(block + 1, OpenElement::html(like, formatting.name));
        }
    }

    /// An end tag that no rule knows, and one of a formatting element that is not in the list.
    pub(crate) fn any_other_end_tag(&mut self, name: LocalName) -> TokenResult {
        for n in (0..self.stack.len()).rev() {
            let open = self.stack[n];
            self.steps += 1;
            if open.is(name) {
                self.generate_implied_end_tags(Some(name));
                self.stack.truncate(n);
                return TokenResult::Done;
            }
            if open.is_special() {
                return TokenResult::Done;
            }
        }
        TokenResult::Done
    }
}
