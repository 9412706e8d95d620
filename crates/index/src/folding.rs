//! Folding: what the analyser treats as the same character.

use unicode_normalization::UnicodeNormalization;

use crate::chinese::simplified;

/// Folds a word: compatibility form (NFKC, so full-width `Ａ` is `a` and `㎞` is `km`), lower case, simplified
/// Chinese characters, straight apostrophe, and without characters that have no look of their own (soft
/// hyphen, joiners, variation selectors).
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
    // The second pass composes again what lower case took apart, such as `İ`.
    let lowered = word.nfkc().flat_map(char::to_lowercase);
    out.extend(lowered.nfkc().filter_map(fold_char));
}

/// Folds one character that is neither upper case nor decomposable; `None` if it has no look of its own.
fn fold_char(c: char) -> Option<char> {
    match c {
        'ς' => Some('σ'),
        '\u{2018}' | '\u{2019}' | '\u{02bc}' => Some('\''),
        _ if is_ignorable(c) => None,
        _ => Some(simplified(c)),
    }
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
