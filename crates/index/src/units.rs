//! Units: what of a query's text must be found together.

use crate::analyser::{Mode, Piece, analyse};
use crate::cuts::Script;

/// What must be found together: a word, or terms in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Base terms at adjacent positions.
    pub row: Vec<String>,
    /// The word that covers them all, where the index has words.
    pub word: Option<String>,
}

/// The unit of a quoted phrase: its base terms in a row.
pub(crate) fn phrase(text: &str) -> Vec<Unit> {
    let row: Vec<_> = analyse(text, Mode::Base).into_iter().map(|piece| piece.term).collect();
    if row.is_empty() { Vec::new() } else { vec![Unit { row, word: None }] }
}

/// The units of unquoted text: words of the segmenter where there are any, else what is written together.
pub(crate) fn units(text: &str) -> Vec<Unit> {
    let (base, words): (Vec<Piece>, Vec<Piece>) = analyse(text, Mode::Query).into_iter().partition(|piece| piece.base);
    let mut words = words.into_iter().peekable();
    let mut units = Vec::new();
    let mut at = 0;
    while at < base.len() {
        let piece = &base[at];
        let word = words.next_if(|word| word.position == piece.position);
        let covered = |other: &Piece, word: &Piece| other.position < word.position + word.length;
        let together = |other: &Piece| match &word {
            Some(word) => covered(other, word),
            None => other.run == piece.run && piece.script != Script::Han,
        };
        let end = base[at + 1..].iter().position(|other| !together(other)).map_or(base.len(), |n| at + 1 + n);
        let row = base[at..end].iter().map(|piece| piece.term.clone()).collect();
        units.push(Unit { row, word: word.map(|word| word.term) });
        at = end;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(String, Option<String>)> {
        units(text).into_iter().map(|unit| (unit.row.join(" "), unit.word)).collect()
    }

    #[test]
    fn chinese_is_cut_into_words_and_compounds_stay_together() {
        let expected = [("机 器", Some("机器")), ("学 习", Some("学习")), ("state of the art", None), ("好", None)];
        let expected = expected.map(|(row, word)| (row.to_owned(), word.map(str::to_owned)));
        assert_eq!(rows("机器学习 state-of-the-art 好"), expected);
    }
}
