//! Class names and the like, each distinct value and each distinct word of them read once for all who ask.

use std::ops::Range;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::hash;

use crate::by_hash::ByHash;

/// The values of `class`, `id`, `role`, `itemprop` and `aria-label` of a page, and their words. O(attributes).
#[derive(Debug, Clone, Default)]
pub(crate) struct Named {
    /// For each attribute of the page the number of its value, or [`NONE`].
    of_attribute: Vec<u32>,
    values: Vec<Value>,
    /// Numbers of the words of all values, one value after the other.
    words: Vec<u32>,
    hashes: Vec<u64>,
}

/// Stands for an attribute that names nothing.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct Value {
    hash: u64,
    words: Range<u32>,
}

/// Longer values are made by programs and say nothing.
const MAX_BYTES: usize = 300;
/// Longer words are generated names.
const MAX_WORD: usize = 24;

impl Named {
    pub(crate) fn new(doc: &Doc) -> Named {
        let mut named = Named { of_attribute: vec![NONE; doc.n_attributes()], ..Named::default() };
        let with_room = |n| ByHash::<u32>::with_capacity_and_hasher(n, Default::default());
        let (mut values, mut words) = (with_room(doc.n_attributes() / 8), with_room(doc.n_attributes() / 8));
        for id in doc.ids() {
            for (at, attribute) in doc.attribute_range(id).zip(doc.attributes(id)) {
                let names =
                    matches!(attribute.name, Name::CLASS | Name::ID | Name::ROLE | Name::ITEMPROP | Name::ARIA_LABEL);
                if !names || attribute.value.is_empty() {
                    continue;
                }
                let key = hash(attribute.value.as_bytes());
                let next = values.len() as u32;
                let number = *values.entry(key).or_insert(next);
                if number == next {
                    named.value(attribute.value, key, &mut words);
                }
                named.of_attribute[at] = number;
            }
        }
        named
    }

    fn value(&mut self, value: &str, key: u64, known: &mut ByHash<u32>) {
        let head = &value[..value.floor_char_boundary(MAX_BYTES)];
        let first = self.words.len() as u32;
        for_each_word(head, |word| {
            let next = known.len() as u32;
            let number = *known.entry(word).or_insert(next);
            if number == next {
                self.hashes.push(word);
            }
            self.words.push(number);
        });
        let hash = if head.len() == value.len() { key } else { hash(head.as_bytes()) };
        self.values.push(Value { hash, words: first..self.words.len() as u32 });
    }

    /// The numbers of the values of an element's attributes, in their order; `None` for those that name nothing.
    pub(crate) fn of(&self, doc: &Doc, id: NodeId) -> impl Iterator<Item = Option<usize>> {
        self.of_attribute[doc.attribute_range(id)].iter().map(|&number| (number != NONE).then_some(number as usize))
    }

    /// How many distinct values there are; numbers are below it.
    pub(crate) fn n_values(&self) -> usize {
        self.values.len()
    }

    /// Whether one of these words, by hash, stands in any value.
    pub(crate) fn has_word(&self, words: &[u64]) -> bool {
        self.hashes.iter().any(|hash| words.contains(hash))
    }

    /// The hash of a value, of which the first 300 bytes count.
    pub(crate) fn hash(&self, value: usize) -> u64 {
        self.values[value].hash
    }

    /// For each value what is said by its words, put together one by one in their order.
    pub(crate) fn by_value<W, V: Default>(&self, word: impl Fn(u64) -> W, add: impl Fn(&mut V, &W)) -> Vec<V> {
        let words: Vec<W> = self.hashes.iter().map(|&hash| word(hash)).collect();
        let said = |value: &Value| {
            let mut said = V::default();
            let own = &self.words[value.words.start as usize..value.words.end as usize];
            own.iter().for_each(|&number| add(&mut said, &words[number as usize]));
            said
        };
        self.values.iter().map(said).collect()
    }
}

/// Calls `each` with the hash of every word of an attribute's value: runs of letters, cut where a capital follows a
/// small letter, in lower case. Of a value the first 300 bytes count.
pub(crate) fn for_each_word(value: &str, each: impl FnMut(u64)) {
    each_word(&value[..value.floor_char_boundary(MAX_BYTES)], each);
}

/// The same for all of a value, however long.
pub(crate) fn each_word(value: &str, mut each: impl FnMut(u64)) {
    let mut word = [0u8; MAX_WORD];
    let (mut len, mut before_small) = (0, false);
    for byte in value.bytes().chain([b' ']) {
        let letter = byte.is_ascii_alphabetic() || byte >= 0x80;
        if (!letter || before_small && byte.is_ascii_uppercase()) && len > 0 {
            if len > 1 && len <= MAX_WORD {
                each(hash(&word[..len]));
            }
            len = 0;
        }
        if letter {
            if let Some(slot) = word.get_mut(len) {
                *slot = byte.to_ascii_lowercase();
            }
            len += 1;
        }
        before_small = byte.is_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;

    use super::*;

    #[test]
    fn equal_values_have_one_number_and_say_what_their_words_say() {
        let html = "<p class='post-author' title=x id=a1><p class='' id=postBody><p id='post-author'>";
        let doc = Doc::parse(html, &Limits::default());
        let named = Named::new(&doc);
        let numbers: Vec<Vec<Option<usize>>> =
            doc.ids().map(|id| named.of(&doc, id).collect()).filter(|of: &Vec<_>| !of.is_empty()).collect();
        assert_eq!(numbers, [vec![Some(0), None, Some(1)], vec![None, Some(2)], vec![Some(0)]]);
        assert_eq!(named.hash(0), hash(b"post-author"));
        let post = hash(b"post");
        let posts: Vec<u32> = named.by_value(|word| u32::from(word == post), |sum, word| *sum += word);
        assert_eq!((posts, named.n_values()), (vec![1, 0, 1], 3));
    }
}
