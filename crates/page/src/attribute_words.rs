//! Class names and the like, each distinct value and each distinct word of them read once for all who ask.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{ByHash, hash};

/// The values of `class`, `id`, `role`, `itemprop` and `aria-label` of a page, and their words. O(attributes).
#[derive(Debug, Clone, Default)]
pub struct AttributeWords {
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

/// Places for values seen lately.
pub(crate) const RECENT: usize = 256;

/// Where a value is kept, by its length and its first and last bytes; it is not empty.
pub(crate) fn place(value: &[u8]) -> usize {
    let last = value.last_chunk().map_or_else(|| u64::from(value[0]), |&last| u64::from_le_bytes(last));
    let first = value.first_chunk().map_or(0, |&first| u32::from_le_bytes(first));
    let mixed = (last ^ u64::from(first) << 7 ^ value.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 56) as usize % RECENT
}

/// Longer values are made by programs and say nothing.
const MAX_BYTES: usize = 300;
/// Longer words are generated names.
pub const MAX_WORD: usize = 24;

impl AttributeWords {
    pub fn new(doc: &Doc) -> AttributeWords {
        let mut named =
            AttributeWords { of_attribute: Vec::with_capacity(doc.n_attributes()), ..AttributeWords::default() };
        let with_room = |n| ByHash::<u32>::with_capacity_and_hasher(n, Default::default());
        let (mut values, mut words) = (with_room(doc.n_attributes() / 8), with_room(doc.n_attributes() / 8));
        let mut seen = [("", NONE); RECENT];
        let mut seen_words = [(0, NONE); RECENT];
        for at in 0..doc.n_attributes() {
            let names = matches!(
                doc.attribute_name(at),
                LocalName::CLASS | LocalName::ID | LocalName::ROLE | LocalName::ITEMPROP | LocalName::ARIA_LABEL
            );
            let value = if names { doc.attribute_value(at) } else { "" };
            if value.is_empty() {
                named.of_attribute.push(NONE);
                continue;
            }
            // Most values are those of a sibling or cousin just before: equal bytes need no hash.
            let (same, number) = &mut seen[place(value.as_bytes())];
            if *same != value {
                let key = hash(value.as_bytes());
                let next = values.len() as u32;
                *number = *values.entry(key).or_insert(next);
                *same = value;
                if *number == next {
                    named.value(value, key, &mut words, &mut seen_words);
                }
            }
            named.of_attribute.push(*number);
        }
        named
    }

    fn value(&mut self, value: &str, key: u64, known: &mut ByHash<u32>, seen: &mut [(u64, u32); RECENT]) {
        let head = &value[..value.floor_char_boundary(MAX_BYTES)];
        let first = self.words.len() as u32;
        for_each_word(head, |word| {
            let (same, number) = &mut seen[word as usize % RECENT];
            if *same != word || *number == NONE {
                let next = known.len() as u32;
                (*same, *number) = (word, *known.entry(word).or_insert(next));
                if *number == next {
                    self.hashes.push(word);
                }
            }
            self.words.push(*number);
        });
        let hash = if head.len() == value.len() { key } else { hash(head.as_bytes()) };
        self.values.push(Value { hash, words: first..self.words.len() as u32 });
    }

    /// The number of the value of the attribute at this place of the document; `None` for one that names nothing.
    #[inline]
    pub fn at(&self, attribute: usize) -> Option<usize> {
        let number = self.of_attribute[attribute];
        (number != NONE).then_some(number as usize)
    }

    /// How many distinct values there are; numbers are below it.
    #[inline]
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// For each value what is read of it, which is read once. O(attributes + what is read of distinct values).
    pub fn of_values<V>(&self, doc: &Doc, read: impl Fn(&str) -> V) -> Vec<V> {
        let mut of_values = Vec::with_capacity(self.values.len());
        for (at, &number) in self.of_attribute.iter().enumerate() {
            // Numbers are given in the order in which values come first.
            if number as usize == of_values.len() {
                of_values.push(read(doc.attribute_value(at)));
            }
        }
        of_values
    }

    /// Which of these lists the classes and the id of an element have a word of, one bit a list; `of_values` holds the bits of
    /// each value.
    pub fn bits_of(&self, doc: &Doc, id: NodeId, of_values: &[u8]) -> u8 {
        let named = |at: &usize| matches!(doc.attribute_name(*at), LocalName::CLASS | LocalName::ID);
        let bits = doc.attribute_range(id).filter(named).filter_map(|at| self.at(at));
        bits.fold(0, |bits, value| bits | of_values[value])
    }

    /// Whether one of these words, by hash, stands in any value.
    pub fn has_word(&self, words: &[u64]) -> bool {
        self.hashes.iter().any(|hash| words.contains(hash))
    }

    /// The hash of a value, of which the first 300 bytes count.
    #[inline]
    pub fn hash(&self, value: usize) -> u64 {
        self.values[value].hash
    }

    /// For each value what is said by its words, put together one by one in their order.
    pub fn by_value<W, V: Default>(&self, word: impl Fn(u64) -> W, add: impl Fn(&mut V, &W)) -> Vec<V> {
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
pub fn for_each_word(value: &str, each: impl FnMut(u64)) {
    each_word(&value[..value.floor_char_boundary(MAX_BYTES)], each);
}

/// The same for all of a value, however long.
pub fn each_word(value: &str, mut each: impl FnMut(u64)) {
    each_spelling(value, |word| each(hash(word)));
}

/// The same, with the words as they are spelt in lower case.
pub fn each_spelling(value: &str, mut each: impl FnMut(&[u8])) {
    each_as_written(value, |word| each(lowered(word, &mut [0; MAX_WORD])));
}

/// The same, with the words as they stand there; [`lowered`] is how they are spelt.
#[inline]
pub fn each_as_written(value: &str, mut each: impl FnMut(&[u8])) {
    let mut rest = value.as_bytes();
    while let Some(start) = rest.iter().position(|&byte| LOWER[usize::from(byte)] != 0) {
        rest = &rest[start..];
        let (mut len, mut before_small) = (0, false);
        for &byte in rest {
            let lower = LOWER[usize::from(byte)];
            if lower == 0 || before_small && lower != byte {
                break;
            }
            len += 1;
            before_small = byte.is_ascii_lowercase();
        }
        if len > 1 && len <= MAX_WORD {
            each(&rest[..len]);
        }
        rest = &rest[len..];
    }
}

/// A word of [`each_as_written`] in lower case.
#[inline]
pub fn lowered<'b>(word: &[u8], buffer: &'b mut [u8; MAX_WORD]) -> &'b [u8] {
    let lower = &mut buffer[..word.len()];
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    lower
}

/// Letters in lower case, bytes beyond ASCII as they are, 0 for all others.
static LOWER: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = if byte.is_ascii_alphabetic() || byte >= 0x80 { byte.to_ascii_lowercase() } else { 0 };
        at += 1;
    }
    table
};

/// Whether a class or id of the element has one of these words.
pub fn is_named(doc: &Doc, id: NodeId, words: &[&str]) -> bool {
    [LocalName::CLASS, LocalName::ID].iter().any(|name| doc.attr(id, *name).is_some_and(|value| has(value, words)))
}

/// Whether a class or id has one of `words` between its boundaries: signs that are no letters, and capitals.
pub fn has(value: &str, words: &[&str]) -> bool {
    self::words(value).any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Words of a class or id; `postBody` is two.
pub fn words(value: &str) -> impl Iterator<Item = &str> {
    const MAX_BYTES: usize = 200;
    let value = &value[..value.floor_char_boundary(MAX_BYTES)];
    let bytes = value.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + bytes[at..].iter().position(u8::is_ascii_alphabetic)?;
        at = from + 1;
        let is_boundary = |at: usize| bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase();
        while at < bytes.len() && bytes[at].is_ascii_alphabetic() && !is_boundary(at) {
            at += 1;
        }
        Some(&value[from..at])
    })
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn equal_values_have_one_number_and_say_what_their_words_say() {
        let html = "<p class='post-author' title=x id=a1><p class='' id=postBody><p id='post-author'>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let named = AttributeWords::new(&doc);
        let of = |id| -> Vec<Option<usize>> { doc.attribute_range(id).map(|at| named.at(at)).collect() };
        let numbers: Vec<Vec<Option<usize>>> = doc.ids().map(of).filter(|of| !of.is_empty()).collect();
        assert_eq!(numbers, [vec![Some(0), None, Some(1)], vec![None, Some(2)], vec![Some(0)]]);
        assert_eq!(named.hash(0), hash(b"post-author"));
        let post = hash(b"post");
        let posts: Vec<u32> = named.by_value(|word| u32::from(word == post), |sum, word| *sum += word);
        assert_eq!((posts, named.n_values()), (vec![1, 0, 1], 3));
    }

    #[test]
    fn words_end_at_what_is_no_letter_and_before_capitals() {
        let found = |value| words(value).collect::<Vec<_>>();
        assert_eq!(found("postBody post-by2you HTMLPage é-A"), ["post", "Body", "post", "by", "you", "HTMLPage", "A"]);
        assert_eq!((found(""), found("-1é"), found("a")), (vec![], vec![], vec!["a"]));
    }
}
