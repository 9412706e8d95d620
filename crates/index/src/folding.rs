//! Folding: what the analyser treats as the same character.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::chinese::simplified;

/// Letters that become others, beside those that lose an accent.
const FOLDS: &str = include_str!("../data/folds.tsv");

static LETTERS: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let rows = FOLDS.lines().filter(|row| !row.starts_with('#')).filter_map(|row| row.split_once('\t'));
    rows.filter_map(|(letter, plain)| Some((letter.chars().next()?, plain))).collect()
});

/// The nasals of Devanagari, each with the first and last consonant before which people write an anusvara instead.
const NASALS: [(char, char, char); 5] = [
    ('\u{919}', '\u{915}', '\u{918}'),
    ('\u{91e}', '\u{91a}', '\u{91d}'),
    ('\u{923}', '\u{91f}', '\u{922}'),
    ('\u{928}', '\u{924}', '\u{927}'),
    ('\u{92e}', '\u{92a}', '\u{92d}'),
];
const VIRAMA: char = '\u{94d}';
const ANUSVARA: char = '\u{902}';

/// Folds a word: compatibility form (NFKC, so full-width `Ａ` is `a` and `㎞` is `km`), lower case, simplified
/// Chinese characters, straight apostrophe, plain digits, and without characters that have no look of their own (soft
/// hyphen, joiners, variation selectors).
///
/// What people leave out when they type goes, too: accents of Latin and Greek letters (`é`, `ệ`, `ά`), also those that are
/// part of a letter (`ø`, `ł`, `đ`; `ß` is `ss`), `ё` and marks of stress in Cyrillic (`й` stays), vowel signs and shapes of
/// alef, yeh and teh marbuta in Arabic, points in Hebrew, nukta and candra in Devanagari.
///
/// The result may be empty, and may be shorter or longer than the input; offsets therefore always refer to
/// the text before folding. Folding twice changes nothing. O(n) time.
///
/// Lower case is taken character by character: the Greek final sigma depends on what follows it, and a word
/// must fold alike wherever it is cut, so `ς` becomes `σ`.
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    fold_into(word, &mut folded);
    folded
}

/// [`fold`], appended to `out`.
pub(crate) fn fold_into(word: &str, out: &mut String) {
    if word.is_ascii() {
        let begin = out.len();
        out.push_str(word);
        out[begin..].make_ascii_lowercase();
        return;
    }
    let mut base = Marks::Kept;
    let parts = word.nfkc().flat_map(char::to_lowercase).nfkd().filter(move |&c| {
        if is_combining_mark(c) {
            return !base.drops(c);
        }
        if !is_ignorable(c) {
            base = Marks::of(c);
        }
        true
    });
    let mut plain = String::with_capacity(word.len());
    for c in parts {
        match LETTERS.get(&c) {
            Some(letters) => plain.push_str(letters),
            None if is_ignorable(c) => {}
            None => plain.push(c),
        }
    }
    let anusvara = plain.contains(VIRAMA).then(|| with_anusvara(&plain));
    out.extend(anusvara.as_deref().unwrap_or(&plain).nfc().map(simplified));
}

/// Lower case and compatibility form alone: what a stemmer is given, which knows the accents of its language.
pub(crate) fn lower(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let letters = word.nfkc().flat_map(char::to_lowercase).nfc().filter(|&c| !is_ignorable(c));
    letters.map(|c| if matches!(c, '\u{2018}' | '\u{2019}' | '\u{02bc}') { '\'' } else { c }).collect()
}

/// Which marks a letter loses.
#[derive(Debug, Clone, Copy)]
enum Marks {
    /// None: they are vowels there, or make another letter.
    Kept,
    All,
    /// This Cyrillic letter loses stress, and `ё` its dots.
    Cyrillic(char),
}

impl Marks {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' | '\u{df}'..='\u{2af}' | '\u{370}'..='\u{3ff}' => Self::All,
            '\u{590}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' => Self::All,
            '\u{400}'..='\u{52f}' => Self::Cyrillic(letter),
            _ => Self::Kept,
        }
    }

    fn drops(self, mark: char) -> bool {
        match self {
            Self::Kept => false,
            Self::All => true,
            Self::Cyrillic(letter) => match mark {
                '\u{300}' | '\u{301}' => !matches!(letter, 'г' | 'к'),
                '\u{308}' => letter == 'е',
                _ => false,
            },
        }
    }
}

/// `हिन्दी` as `हिंदी`: a nasal without vowel before a consonant of its own row is written either way.
fn with_anusvara(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = NASALS.iter().find(|(nasal, ..)| *nasal == c);
        let mut ahead = chars.clone();
        let (virama, next) = (ahead.next(), ahead.next());
        match row.zip(next) {
            Some(((_, first, last), next)) if virama == Some(VIRAMA) && (*first..=*last).contains(&next) => {
                chars.next();
                out.push(ANUSVARA);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Folds one Han character, fast where no table of compatibility forms is needed.
pub(crate) fn fold_han(c: char) -> char {
    let unified = matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{2f7ff}');
    if unified {
        return simplified(c);
    }
    let composed = std::iter::once(c).nfkc().next().unwrap_or(c);
    simplified(composed)
}

/// Default-ignorable characters that occur inside words.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn width_case_and_compatibility_forms_fold_to_plain_ones() {
        assert_eq!(fold("ＡＢＣ１２３"), "abc123");
        assert_eq!(fold("ｶﾞｲﾄﾞ"), "ガイド");
        assert_eq!(fold("ﬁne"), "fine");
        assert_eq!(fold("ΣΊΣΥΦΟΣ"), fold("σίσυφος"));
    }

    #[test]
    fn combining_and_composed_letters_fold_alike() {
        assert_eq!(fold("cafe\u{301}"), fold("café"));
    }

    #[test]
    fn what_people_leave_out_when_they_type_is_folded() {
        let alike = [
            ("Élève Ünïcode ÇA", "eleve unicode ca"),
            ("Straße", "strasse"),
            ("Łódź", "lodz"),
            ("smørrebrød Åland", "smorrebrod aland"),
            ("Þingvellir", "thingvellir"),
            ("İstanbul Iğdır", "istanbul igdir"),
            ("Trường đại học", "truong dai hoc"),
            ("ΆΝΘΡΩΠΟΣ", "ανθρωπος"),
            ("Ёлка замо\u{301}к", "елка замок"),
            ("الكِتَابُ", "الكتاب"),
            ("مدرسة", "مدرسه"),
            ("أحمد", "احمد"),
            ("مستشفى", "مستشفي"),
            ("کتاب فارسی", "كتاب فارسي"),
            ("جمـــيل", "جميل"),
            ("שָׁלוֹם", "שלום"),
            ("हिन्दी", "हिंदी"),
            ("ज़रूरत", "जरूरत"),
            ("डॉक्टर", "डोक्टर"),
            ("चाँद", "चांद"),
            ("٢٠٢٤ ۱۲ १२", "2024 12 12"),
        ];
        for (written, plain) in alike {
            assert_eq!(fold(written), fold(plain), "{written}");
        }
    }

    #[test]
    fn letters_that_are_others_stay_apart() {
        for (one, other) in
            [("мой", "мои"), ("її", "іі"), ("ў", "у"), ("が", "か"), ("अन्य", "अंय"), ("กา", "ก"), ("가", "나")]
        {
            assert_ne!(fold(one), fold(other), "{one}");
        }
    }

    #[test]
    fn characters_without_a_look_are_dropped() {
        assert_eq!(fold("co\u{ad}operate"), "cooperate");
        assert_eq!(fold("don’t"), "don't");
    }

    #[test]
    fn traditional_characters_become_simplified_ones() {
        assert_eq!(fold("漢語與電腦"), "汉语与电脑");
        assert_eq!(fold_han('\u{f9d1}'), '六', "compatibility ideograph");
        assert_eq!(fold_han('\u{2f00}'), '一', "Kangxi radical");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
