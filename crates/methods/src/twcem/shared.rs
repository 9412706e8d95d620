//! What a row and the title have in common: the length of their longest common subsequence.

use std::collections::HashMap;

use gristmill_text::{BigramSegmenter, for_each_word, hash, word_hashes};

use super::{ComparisonUnit, StopWords};
use crate::stop_words::is_stop_word;

/// Longest row and title that are compared, in words or characters; the title's are the bits of a number.
const MAX_TOKENS: usize = 3_000;
const MAX_TITLE_TOKENS: usize = 128;

/// Compares rows with one title.
pub(super) struct TitleMatcher {
    compared: ComparisonUnit,
    stop_words: StopWords,
    /// For each token of the title, the places where it stands.
    places: HashMap<u64, u128>,
    row: Vec<u64>,
}

impl TitleMatcher {
    pub(super) fn new(title: &str, compared: ComparisonUnit, stop_words: StopWords) -> TitleMatcher {
        let mut matcher = TitleMatcher { compared, stop_words, places: HashMap::new(), row: Vec::new() };
        matcher.read(title);
        for (place, &token) in matcher.row.iter().take(MAX_TITLE_TOKENS).enumerate() {
            *matcher.places.entry(token).or_default() |= 1 << place;
        }
        matcher
    }

    /// Length of the longest common subsequence with the title. O(tokens): one step a token for the whole title
    /// (Hyyrö 2004).
    pub(super) fn common(&mut self, row: &str) -> usize {
        self.read(row);
        // A zero bit at a place says that the subsequence grows there.
        let mut ones = u128::MAX;
        for token in &self.row {
            if let Some(&places) = self.places.get(token) {
                let grown = ones & places;
                ones = ones.wrapping_add(grown) | (ones - grown);
            }
        }
        ones.count_zeros() as usize
    }

    fn read(&mut self, text: &str) {
        self.row.clear();
        let row = &mut self.row;
        match (self.compared, self.stop_words) {
            (ComparisonUnit::Words, StopWords::Keep) => word_hashes(text, &BigramSegmenter, MAX_TOKENS, row),
            (ComparisonUnit::Words, StopWords::Drop) => for_each_word(text, &BigramSegmenter, |word| {
                let word = word.to_lowercase();
                if row.len() < MAX_TOKENS && !is_stop_word(&word) {
                    row.push(hash(word.as_bytes()));
                }
            }),
            (ComparisonUnit::Chars, _) => {
                let chars = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase);
                row.extend(chars.take(MAX_TOKENS).map(u64::from));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn common(title: &str, row: &str, compared: ComparisonUnit, stop_words: StopWords) -> usize {
        TitleMatcher::new(title, compared, stop_words).common(row)
    }

    const TITLE: &str = "storm hits coast as thousands flee";
    const ROW: &str = "Thousands of residents fled as the storm neared the coast.";

    #[test]
    fn title_and_row_share_two_words_in_order() {
        assert_eq!(common(TITLE, ROW, ComparisonUnit::Words, StopWords::Keep), 2);
    }

    #[test]
    fn three_shared_chinese_characters_are_two_words() {
        assert_eq!(common("台风登陆沿海", "昨日台风登来了", ComparisonUnit::Words, StopWords::Keep), 2);
    }

    #[test]
    fn any_two_english_sentences_share_two_characters() {
        assert!(common(TITLE, "Click here", ComparisonUnit::Chars, StopWords::Keep) >= 2);
        assert_eq!(common(TITLE, "Click here", ComparisonUnit::Words, StopWords::Keep), 0);
    }

    #[test]
    fn stop_words_can_be_left_out() {
        let (title, row) = ("the mill in the flood", "The river in the night.");
        assert_eq!(common(title, row, ComparisonUnit::Words, StopWords::Keep), 3);
        assert_eq!(common(title, row, ComparisonUnit::Words, StopWords::Drop), 0);
    }

    proptest! {
        #[test]
        fn the_bits_count_what_the_table_counts(title in "[a-d]{0,140}", row in "[a-d]{0,60}") {
            let a: Vec<char> = title.chars().take(MAX_TITLE_TOKENS).collect();
            let mut lengths = vec![0usize; a.len() + 1];
            for c in row.chars() {
                let mut diagonal = 0;
                for (at, other) in a.iter().enumerate() {
                    let above = lengths[at + 1];
                    lengths[at + 1] = if c == *other { diagonal + 1 } else { above.max(lengths[at]) };
                    diagonal = above;
                }
            }
            prop_assert_eq!(common(&title, &row, ComparisonUnit::Chars, StopWords::Keep), lengths[a.len()]);
        }
    }
}
