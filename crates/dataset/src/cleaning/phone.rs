//! Telephone numbers: with the code of their country, behind a word that says so, or as people write them in a country.

use std::sync::LazyLock;

use super::numbers::DigitRun;

/// Words before a number that make it one of a telephone.
const WORDS: [&str; 22] = [
    "tel",
    "telephone",
    "phone",
    "mobile",
    "cell",
    "fax",
    "call",
    "telefon",
    "handy",
    "mobil",
    "téléphone",
    "portable",
    "teléfono",
    "móvil",
    "telefono",
    "cellulare",
    "telefone",
    "celular",
    "тел",
    "телефон",
    "whatsapp",
    "hotline",
];
/// The same without a blank before the number.
const UNSPACED_WORDS: [&str; 9] = ["电话", "電話", "手机", "手機", "传真", "傳真", "热线", "携帯", "전화"];
/// Bytes before a number in which such a word is looked for.
const BEFORE: usize = 32;

/// Shapes of the table.
static SHAPES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("phones.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split('\t').next()).collect()
});
/// Country codes of one and two digits; all others have three.
const ONE_DIGIT: [u8; 2] = [1, 7];
const TWO_DIGITS: [u8; 43] = [
    20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 60, 61, 62,
    63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95,
];

/// Where the telephone number ends that a run begins with.
pub fn number(text: &str, at: usize, run: &DigitRun) -> Option<usize> {
    let is_international =
        run.signs.first() == Some(&(0, '+')) || run.digits.starts_with(&[0, 0]) && run.groups()[0] <= 5;
    // Groups of a longer number that is none.
    let before = &text.as_bytes()[at.saturating_sub(2)..at];
    if !text[at..].starts_with('+') && matches!(before, [b'0'..=b'9', b' ' | b'.' | b'-' | b'/']) {
        return None;
    }
    let is_told = || is_behind_word(&text[..at]);
    let whole = run.groups().len();
    // What follows a number, such as a date, may look like a part of it.
    (1..=whole).rev().map(|n| run.first_groups(n)).find_map(|run| {
        let n = run.digits.len();
        let is_one = if is_international {
            international(&run)
        } else {
            has_shape(text, at, &run) || (6..=15).contains(&n) && is_told()
        };
        is_one.then(|| run.ends[n - 1])
    })
}

/// A plus or two zeros, the code of a country, and digits in groups that are not all alone.
fn international(run: &DigitRun) -> bool {
    let digits =
        if run.signs.first() == Some(&(0, '+')) { &run.digits[..] } else { run.digits.get(2..).unwrap_or_default() };
    if !(8..=15).contains(&digits.len()) {
        return false;
    }
    let two = digits[0] * 10 + digits[1];
    let is_code = ONE_DIGIT.contains(&digits[0])
        || TWO_DIGITS.contains(&two)
        || matches!(two, 21..=26 | 29 | 35 | 37 | 38 | 42 | 50 | 59 | 67..=69 | 80 | 85 | 87 | 88 | 96..=99);
    is_code && run.groups().len() <= 8
}

/// Whether digits and signs stand as in a line of the table, and no digit or sign goes on.
fn has_shape(text: &str, at: usize, run: &DigitRun) -> bool {
    let end = run.ends[run.digits.len() - 1];
    let written = &text[at..end];
    let goes_on = text[end..].chars().next().is_some_and(|c| c.is_ascii_digit());
    let before = text[..at].chars().next_back();
    let is_amount = before.is_some_and(|c| matches!(c, '.' | ',' | '/' | '-' | '$' | '€' | '£' | '¥' | '#' | '='));
    !goes_on && !is_amount && SHAPES.iter().any(|shape| is_of_shape(written, shape))
}

fn is_of_shape(written: &str, shape: &str) -> bool {
    let mut wanted = shape.chars();
    let fits = written.chars().all(|c| match wanted.next() {
        Some('D') => c.is_ascii_digit(),
        Some('N') => matches!(c, '2'..='9'),
        Some('-') => matches!(c, '-' | '.' | '\u{2010}' | '\u{2011}' | '\u{2013}'),
        Some(' ') => matches!(c, ' ' | '\u{a0}'),
        wanted => wanted == Some(c),
    });
    fits && wanted.next().is_none()
}

fn is_behind_word(before: &str) -> bool {
    let start = before.len().saturating_sub(BEFORE);
    let start = before.ceil_char_boundary(start);
    let near = before[start..].trim_end_matches(|c: char| !c.is_alphanumeric());
    let word_start = near.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| near.ceil_char_boundary(at + 1));
    let word = near[word_start..].to_lowercase();
    let gap = &before[start + near.len()..];
    let is_beside = !gap.contains('\n') && gap.chars().count() <= 4;
    is_beside && (WORDS.contains(&word.as_str()) || UNSPACED_WORDS.iter().any(|told| near.ends_with(told)))
}
