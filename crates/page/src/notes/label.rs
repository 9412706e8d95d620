//! What notes are called: numbers, letters, signs.

use std::collections::HashSet;

use super::note::{Note, Reference};

/// Longer texts of links are words.
const MAX_CHARS: usize = 6;
const SIGNS: &str = "*†‡§¶‖#⁂";

/// The label that a text is, without brackets and raised figures: `[12]` is `12`.
pub(super) fn label(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['[', ']', '(', ')', '{', '}', '^', ' ', '.', ':', '\u{a0}']);
    // A star may say that the number is one of a note.
    let number = text.strip_prefix(['*', '※']).filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    let text = number.unwrap_or(text);
    let n = text.chars().count();
    if n == 0 || n > MAX_CHARS {
        return None;
    }
    let label: String = text.chars().map(figure).collect();
    let is_number = n <= 4 && label.chars().all(|c| c.is_numeric() && !c.is_alphabetic());
    let is_letter = n == 1 && label.chars().all(char::is_alphabetic)
        || n == 2 && label.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_roman = label.bytes().all(|byte| b"ivxlcIVXLC".contains(&byte));
    let number = label.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_lettered =
        number.len() + 1 == label.len() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = n <= 3 && label.chars().all(|c| SIGNS.contains(c));
    (is_number || is_letter || is_roman || is_sign || is_lettered).then_some(label)
}

/// Whether a character is a raised figure.
pub(super) fn is_raised(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// A raised figure as a plain one.
fn figure(c: char) -> char {
    match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => char::from(b'0' + (c as u32 - '⁰' as u32) as u8),
        c => c,
    }
}

/// Gives notes whose labels are signs, or those of other notes, the next number that is free, in the order of their references.
pub(super) fn make_unique(notes: &mut [Note], references: &[Reference]) {
    let is_word = |label: &str| !label.is_empty() && label.chars().all(char::is_alphanumeric);
    let mut used = HashSet::new();
    let mut seen = vec![false; notes.len()];
    let mut later = Vec::new();
    for reference in references {
        if std::mem::replace(&mut seen[reference.note], true) {
            continue;
        }
        let label = &notes[reference.note].label;
        if !is_word(label) || !used.insert(label.clone()) {
            later.push(reference.note);
        }
    }
    let mut number = 1u32;
    for at in later {
        while !used.insert(number.to_string()) {
            number += 1;
        }
        notes[at].label = number.to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn numbers_letters_and_signs_are_labels() {
        for (text, expected) in [
            ("[12]", Some("12")),
            (" ³ ", Some("3")),
            ("†", Some("†")),
            ("iv", Some("iv")),
            ("(a)", Some("a")),
            ("12b", Some("12b")),
            ("[۱۲]", Some("۱۲")),
            ("*2", Some("2")),
        ] {
            assert_eq!(label(text).as_deref(), expected, "{text}");
        }
        for text in ["", "[]", "more", "12345", "↩", "1–3", "see 4", "2019a1"] {
            assert_eq!(label(text), None, "{text}");
        }
    }
}
