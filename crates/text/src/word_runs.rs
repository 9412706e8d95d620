//! Sets of runs of words, which are looked for in texts all at once.

use std::collections::{BTreeMap, HashSet};

use crate::segment::CharacterSegmenter;
use crate::words::{for_each_word, hash_lower};

/// Words of a run of a test set, as most language models are cleaned by; shorter texts of a test set count as a whole.
const TEST_WORDS: usize = 13;
/// Words of the shortest text of a test set that is looked for: shorter ones stand everywhere.
const MIN_TEST_WORDS: usize = 8;
/// Words of the longest run.
const MAX_WORDS: usize = 64;

/// Runs of words, by their length. Case, punctuation and white space do not count; in scripts without spaces a word is a
/// character.
///
/// ```
/// use gristmill_text::WordRuns;
///
/// let test_set = WordRuns::of_test_set(["What do millers do when the river by the mill is frozen in a long winter?"]);
/// assert_eq!(test_set.count_in("They asked: what do millers do when the river by the mill is frozen in May?"), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct WordRuns {
    by_len: BTreeMap<usize, HashSet<u64>>,
}

impl WordRuns {
    /// The runs of 13 words of some texts, and whole texts of 8 words or more that are shorter.
    pub fn of_test_set<'t>(texts: impl IntoIterator<Item = &'t str>) -> WordRuns {
        let mut runs = WordRuns::default();
        texts.into_iter().for_each(|text| runs.add_test(text));
        runs
    }

    /// Adds one text of a test set.
    pub fn add_test(&mut self, text: &str) {
        let words = words(text);
        let len = words.len().min(TEST_WORDS);
        if len >= MIN_TEST_WORDS {
            self.by_len.entry(len).or_default().extend(words.windows(len).map(of_run));
        }
    }

    /// Adds one phrase as a whole; one without words, or with more than 64, is passed over.
    pub fn add_phrase(&mut self, phrase: &str) {
        let words = words(phrase);
        if (1..=MAX_WORDS).contains(&words.len()) {
            self.by_len.entry(words.len()).or_default().insert(of_run(&words));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_len.is_empty()
    }

    /// How many places of a text begin one of the runs.
    pub fn count_in(&self, text: &str) -> usize {
        if self.is_empty() {
            return 0;
        }
        let words = words(text);
        let of_len =
            |(len, set): (&usize, &HashSet<u64>)| words.windows(*len).filter(|run| set.contains(&of_run(run))).count();
        self.by_len.iter().map(of_len).sum()
    }
}

fn words(text: &str) -> Vec<u64> {
    let (mut words, mut lower) = (Vec::new(), String::new());
    for_each_word(text, &CharacterSegmenter, |word| words.push(hash_lower(word, &mut lower)));
    words
}

fn of_run(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |all, word| (all.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_tests_count_as_a_whole_and_the_shortest_not_at_all() {
        let set = WordRuns::of_test_set(["Who owns the old mill by the river?", "Why not?"]);
        assert_eq!(set.count_in("He asked who owns the old MILL by the river, why not?"), 1);
        assert_eq!(set.count_in("who owns the old mill by a river"), 0);
    }

    #[test]
    fn phrases_of_scripts_without_spaces_are_found_within_sentences() {
        let mut set = WordRuns::default();
        ["赌博", "online casino", "..."].into_iter().for_each(|phrase| set.add_phrase(phrase));
        assert_eq!(
            (set.count_in("禁止赌博的法律"), set.count_in("An online-casino"), set.count_in("赌 徒博")),
            (1, 1, 0)
        );
    }
}
