//! The script of a letter.

use std::sync::LazyLock;

/// One script, as a place in the table of scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Script(u8);

impl Script {
    /// Latin letters.
    pub(crate) const LATIN: Script = Script(0);
    /// Chinese characters, Bopomofo among them.
    pub(crate) const HAN: Script = Script(1);
    /// Hiragana and katakana.
    pub(crate) const KANA: Script = Script(2);
    /// Korean letters and syllables.
    pub(crate) const HANGUL: Script = Script(3);
    /// How many there are.
    pub(crate) const COUNT: usize = NAMES.len();

    /// The script of a letter, or `None` for what is no letter. O(log ranges).
    pub(crate) fn of(c: char) -> Option<Script> {
        if c.is_ascii() {
            return c.is_ascii_alphabetic().then_some(Script::LATIN);
        }
        let at = RANGES.partition_point(|range| range.last < c);
        RANGES.get(at).filter(|range| range.first <= c).map(|range| range.script)
    }

    /// The script of a code of ISO 15924 (`Latn`).
    pub(crate) fn from_code(code: &str) -> Option<Script> {
        NAMES.iter().position(|name| *name == code).map(|at| Script(at as u8))
    }

    /// Its code in ISO 15924 (`Latn`); Japanese is written in `Jpan`.
    pub(crate) fn code(self) -> &'static str {
        NAMES[self.index()]
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn all() -> impl Iterator<Item = Script> {
        (0..Self::COUNT).map(|at| Script(at as u8))
    }
}

/// A mark that is put on a letter of any script.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{610}'..='\u{61A}' | '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}'
        | '\u{200C}' | '\u{200D}' | '\u{AD}')
}

const NAMES: [&str; 36] = [
    "Latn", "Hani", "Kana", "Hang", "Cyrl", "Arab", "Deva", "Grek", "Hebr", "Thai", "Beng", "Taml", "Telu", "Geor",
    "Armn", "Gujr", "Guru", "Knda", "Mlym", "Sinh", "Mymr", "Khmr", "Laoo", "Ethi", "Tibt", "Orya", "Thaa", "Cher",
    "Mong", "Syrc", "Nkoo", "Olck", "Yiii", "Tfng", "Cans", "Cakm",
];

/// Letters from `first` to `last`.
struct LetterRange {
    first: char,
    last: char,
    script: Script,
}

static RANGES: LazyLock<Vec<LetterRange>> = LazyLock::new(|| {
    let lines = include_str!("scripts.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut ranges: Vec<LetterRange> = lines.filter_map(range_of).collect();
    ranges.sort_by_key(|range| range.first);
    ranges
});

fn range_of(line: &str) -> Option<LetterRange> {
    let mut fields = line.split('\t');
    let script = Script::from_code(fields.next()?)?;
    let mut letter = || char::from_u32(u32::from_str_radix(fields.next()?, 16).ok()?);
    Some(LetterRange { first: letter()?, last: letter()?, script })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_range_and_none_overlap() {
        let n_lines = include_str!("scripts.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(RANGES.len(), n_lines);
        for pair in RANGES.windows(2) {
            assert!(
                pair[0].first <= pair[0].last && pair[0].last < pair[1].first,
                "{:?} {:?}",
                pair[0].first,
                pair[1].first
            );
        }
        for script in Script::all() {
            assert!(RANGES.iter().any(|range| range.script == script), "{}", script.code());
        }
    }

    #[test]
    fn letters_have_scripts_and_digits_and_signs_have_none() {
        for (c, code) in [
            ('a', "Latn"),
            ('Ł', "Latn"),
            ('ế', "Latn"),
            ('ж', "Cyrl"),
            ('字', "Hani"),
            ('か', "Kana"),
            ('한', "Hang"),
            ('م', "Arab"),
            ('א', "Hebr"),
            ('क', "Deva"),
            ('ि', "Deva"),
            ('ก', "Thai"),
            ('𠮷', "Hani"),
        ] {
            assert_eq!(Script::of(c).map(Script::code), Some(code), "{c}");
        }
        for c in ['1', ' ', '×', '٣', '४', '。', '।', '😀', '\u{301}'] {
            assert_eq!(Script::of(c), None, "{c}");
        }
    }
}
