//! The measure of records: sets of normalised pairs, micro precision, recall and F1.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

/// Counts of one page or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Pairs found and in the gold.
    pub right: usize,
    /// Pairs found.
    pub found: usize,
    /// Pairs of the gold.
    pub gold: usize,
}

impl Score {
    /// Right among the found; 1 when nothing was found.
    pub fn precision(self) -> f64 {
        if self.found == 0 { 1.0 } else { self.right as f64 / self.found as f64 }
    }

    /// Right among the gold; 1 when there is none.
    pub fn recall(self) -> f64 {
        if self.gold == 0 { 1.0 } else { self.right as f64 / self.gold as f64 }
    }

    /// Harmonic mean of the two; 1 when nothing was found where nothing is.
    pub fn f1(self) -> f64 {
        let sum = self.found + self.gold;
        if sum == 0 { 1.0 } else { 2.0 * self.right as f64 / sum as f64 }
    }

    /// Adds the counts of another page.
    pub fn add(&mut self, other: Score) {
        self.right += other.right;
        self.found += other.found;
        self.gold += other.gold;
    }
}

fn squeeze(text: &str) -> String {
    let visible = |c: &char| !c.is_whitespace() && !gristmill_text::is_invisible(*c) && !c.is_control();
    text.nfkc().filter(visible).collect()
}

/// A name as it is compared: NFKC, no white space, no zero-width characters, no marks around it.
pub fn normal_name(name: &str) -> String {
    squeeze(name).trim_matches([':', '•', '·', '*', '-', '–', '—', '?']).to_owned()
}

/// A value as it is compared: like a name, but only leading colons go.
pub fn normal_value(value: &str) -> String {
    squeeze(value).trim_start_matches(':').to_owned()
}

/// The normalised set of some pairs.
pub fn normal_set<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> HashSet<(String, String)> {
    pairs.into_iter().map(|(name, value)| (normal_name(name), normal_value(value))).collect()
}

/// Compares the pairs of one page with its gold. Pairs that are `optional` and not gold count for nothing.
pub fn compare(
    found: &HashSet<(String, String)>,
    gold: &HashSet<(String, String)>,
    optional: &HashSet<(String, String)>,
) -> Score {
    let counted = found.iter().filter(|pair| gold.contains(pair) || !optional.contains(pair));
    let (mut right, mut n) = (0, 0);
    for pair in counted {
        n += 1;
        right += usize::from(gold.contains(pair));
    }
    Score { right, found: n, gold: gold.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_compared_without_space_width_and_marks() {
        let found = normal_set([("• Ｂrand :", ": Acme\u{200b} Co"), ("Price", "3"), ("x", "y")]);
        let gold = normal_set([("Brand", "AcmeCo"), ("Size", "L")]);
        let score = compare(&found, &gold, &normal_set([("Price", "3")]));
        assert_eq!(score, Score { right: 1, found: 2, gold: 2 });
        assert_eq!((score.precision(), score.recall(), score.f1()), (0.5, 0.5, 0.5));
    }

    #[test]
    fn a_page_without_gold_counts_through_its_false_pairs() {
        let mut sum = Score::default();
        sum.add(compare(&normal_set([("a", "b")]), &normal_set([]), &normal_set([])));
        assert_eq!((sum.precision(), sum.recall()), (0.0, 1.0));
    }
}
