//! Lines and paragraphs of a text: which are one and the same, and the text without some of them.

use std::collections::HashSet;

use gristmill_text::{CharacterSegmenter, for_each_word};

use super::minhash::{mix, word_key};

/// Words of the shortest unit that is compared with others: shorter ones are alike by chance, and a text needs them.
const MIN_WORDS: usize = 5;

/// What a text is divided into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    Line,
    /// What stands between blank lines.
    Paragraph,
}

impl TextUnit {
    fn separator(self) -> &'static str {
        match self {
            Self::Line => "\n",
            Self::Paragraph => "\n\n",
        }
    }

    /// The key of each unit that has at least five words. Case, punctuation, white space and numbers do not count.
    pub fn keys(self, text: &str) -> Vec<u64> {
        let mut lower = String::new();
        text.split(self.separator()).filter_map(|unit| key(unit, &mut lower)).collect()
    }

    /// The text without the units for which `is_extra` holds, and without a unit that it has twice; none if it has
    /// them all.
    pub fn without(self, text: &str, is_extra: impl Fn(u64) -> bool) -> Option<String> {
        let (mut lower, mut seen) = (String::new(), HashSet::new());
        let (mut kept, mut n) = (Vec::new(), 0);
        for unit in text.split(self.separator()) {
            n += 1;
            if key(unit, &mut lower).is_none_or(|key| !is_extra(key) && seen.insert(key)) {
                kept.push(unit);
            }
        }
        (kept.len() < n).then(|| kept.join(self.separator()).trim().to_owned())
    }
}

fn key(unit: &str, lower: &mut String) -> Option<u64> {
    let (mut n, mut key) = (0, 0);
    for_each_word(unit, &CharacterSegmenter, |word| {
        n += 1;
        key = mix(key ^ word_key(word, lower));
    });
    (n >= MIN_WORDS).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_by_their_words_and_short_ones_stay() {
        let text =
            "Read more.\nAll rights reserved by the mill, 2024.\nRye is ground on Mondays and Tuesdays.\nRead more.";
        let keys = TextUnit::Line.keys(text);
        assert_eq!(keys.len(), 2);
        let extra = TextUnit::Line.keys("ALL rights reserved, by the mill 1999")[0];
        let left = TextUnit::Line.without(text, |key| key == extra);
        assert_eq!(left.as_deref(), Some("Read more.\nRye is ground on Mondays and Tuesdays.\nRead more."));
        assert_eq!(TextUnit::Line.without(text, |_| false), None);
        assert_eq!(TextUnit::Paragraph.keys(text).len(), 1);
    }

    #[test]
    fn a_unit_that_a_text_repeats_stays_once() {
        let text = "One two three four five.\n\nSix.\n\nOne two three four five!";
        let left = TextUnit::Paragraph.without(text, |_| false);
        assert_eq!(left.as_deref(), Some("One two three four five.\n\nSix."));
    }
}
