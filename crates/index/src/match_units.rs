//! Units: what of a query's text must be found together.

use crate::analyser::{AnalysisMode, IndexToken, Word, analyse};
use crate::forms::{joined, others, parts};
use crate::script_runs::Script;

/// What must be found together: a word, or terms in a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MatchUnit {
    /// Base terms at adjacent positions; an emoji is a row of its own.
    pub row: Vec<String>,
    /// The word that covers them all, where the index has words.
    pub word: Option<String>,
    /// Words any of which will do, instead of a row.
    pub any: Vec<String>,
    /// What is found in the place of the row, and counts less.
    pub forms: Option<UnitForms>,
}

/// Other forms of a unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct UnitForms {
    /// The word as it was written, for its stems; empty for several words.
    pub written: String,
    /// Terms that stand for it in any language.
    pub terms: Vec<String>,
    /// Its letters and numbers in a row, as `iphone 15`.
    pub parts: Vec<String>,
}

impl MatchUnit {
    /// Terms in a row and nothing else.
    pub fn of_row(row: Vec<String>) -> Self {
        Self { row, ..Self::default() }
    }

    /// Whether it takes a place among words: emoji and choices do not.
    pub fn has_place(&self) -> bool {
        self.row.iter().any(|term| term.contains(char::is_alphanumeric))
    }
}

/// The unit of a quoted phrase: its base terms in a row.
pub(crate) fn phrase(text: &str) -> Vec<MatchUnit> {
    let pieces = analyse(text, AnalysisMode::Base);
    let (base, signs): (Vec<IndexToken>, Vec<IndexToken>) = pieces.into_iter().partition(|piece| piece.base);
    let row: Vec<_> = base.into_iter().map(|piece| piece.term).collect();
    let rows = [row].into_iter().chain(signs.into_iter().map(|sign| vec![sign.term]));
    rows.filter(|row| !row.is_empty()).map(MatchUnit::of_row).collect()
}

/// The units of unquoted text: words of the segmenter where there are any, else what is written together.
pub(crate) fn units(text: &str) -> Vec<MatchUnit> {
    let (base, words): (Vec<IndexToken>, Vec<IndexToken>) =
        analyse(text, AnalysisMode::Query).into_iter().partition(|piece| piece.base);
    let (words, signs): (Vec<IndexToken>, Vec<IndexToken>) = words.into_iter().partition(|piece| piece.length > 0);
    let mut words = words.into_iter().peekable();
    let mut units = Vec::new();
    let mut at = 0;
    while at < base.len() {
        let piece = &base[at];
        let word = words.next_if(|word| word.position == piece.position);
        let covered = |other: &IndexToken, word: &IndexToken| other.position < word.position + word.length;
        let together = |other: &IndexToken| match &word {
            Some(word) => covered(other, word),
            None => other.run == piece.run && piece.script != Script::Han,
        };
        let end = base[at + 1..].iter().position(|other| !together(other)).map_or(base.len(), |n| at + 1 + n);
        let row = base[at..end].iter().map(|piece| piece.term.clone()).collect();
        let forms = word.is_none().then(|| forms(text, &base[at..end])).flatten();
        units.push(MatchUnit { row, word: word.map(|word| word.term), forms, ..MatchUnit::default() });
        at = end;
    }
    units.extend(signs.into_iter().map(|sign| MatchUnit::of_row(vec![sign.term])));
    units
}

/// The other forms of words that are written together.
fn forms(text: &str, pieces: &[IndexToken]) -> Option<UnitForms> {
    let [piece] = pieces else {
        let words: Option<Vec<Word<'_>>> = pieces.iter().map(Word::of).collect();
        let terms: Vec<String> = words.and_then(|words| joined(text, &words)).into_iter().collect();
        return (!terms.is_empty()).then(|| UnitForms { terms, ..UnitForms::default() });
    };
    if piece.script != Script::Spaced {
        return None;
    }
    let parts = parts(&piece.term);
    let mut terms = Vec::new();
    if parts.len() < 2 {
        others(&piece.term, |term| terms.push(term.to_owned()));
    }
    let parts = if parts.len() < 2 { Vec::new() } else { parts.into_iter().map(str::to_owned).collect() };
    Some(UnitForms { written: text[piece.from..piece.to].to_owned(), terms, parts })
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

    #[test]
    fn units_know_their_other_forms() {
        let forms = |text: &str| units(text).into_iter().next().and_then(|unit| unit.forms).unwrap();
        assert_eq!(forms("USB-C").terms, ["usbc"]);
        assert_eq!((forms("iPhone15").parts, forms("iPhone15").terms), (vec!["iphone".into(), "15".into()], vec![]));
        assert_eq!(forms("Councils").written, "Councils");
        assert_eq!(forms("1,234.56").terms, ["1234.56"]);
        assert!(phrase("councils")[0].forms.is_none());
        assert_eq!(rows("I 🍕"), [("i".to_owned(), None), ("🍕".to_owned(), None)]);
    }
}
