//! Words too frequent to tell pages apart.

use std::sync::LazyLock;

use crate::simhash::hash;

/// Slots of the table; more than twice the words, so that a look-up is one or two steps.
const SLOTS: usize = 1 << 13;

/// Hashes of the words by their lowest bits, 0 for an empty slot, collisions in the slots behind.
static TABLE: LazyLock<Box<[u64; SLOTS]>> = LazyLock::new(|| {
    let mut table = Box::new([0; SLOTS]);
    for word in words() {
        let hash = hash(word.as_bytes());
        let mut at = hash as usize % SLOTS;
        while table[at] != 0 && table[at] != hash {
            at = (at + 1) % SLOTS;
        }
        table[at] = hash;
    }
    table
});

fn words() -> impl Iterator<Item = &'static str> {
    let lists = include_str!("frequent.txt").lines().filter(|line| !line.starts_with('#'));
    lists.filter_map(|line| Some(line.split_once(": ")?.1)).flat_map(str::split_whitespace)
}

/// Whether the word of this [`hash`], in lower case, is one of the most frequent of a dozen languages (`frequent.txt`).
pub(crate) fn is_frequent(hash: u64) -> bool {
    let table: &[u64; SLOTS] = &TABLE;
    let mut at = hash as usize % SLOTS;
    while table[at] != 0 {
        if table[at] == hash {
            return true;
        }
        at = (at + 1) % SLOTS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_lists_are_found_and_others_are_not() {
        assert!(words().count() * 2 < SLOTS);
        assert!(words().all(|word| is_frequent(hash(word.as_bytes())) && word.to_lowercase() == word));
        for rare in ["storm", "the ", "石", "english", "english:", ""] {
            assert!(!is_frequent(hash(rare.as_bytes())), "{rare}");
        }
    }
}
