//! Words: letters and digits in spaced scripts, segmenter words in unspaced ones.

use crate::chars::is_unspaced;
use crate::letters::{is_letter, is_letter_or_number};
use crate::segment::Segmenter;
use crate::simhash::hash;

/// Calls `word` for each word of `text` in order, as it stands in the text.
///
/// A word is a maximal run of letters, digits, marks and `_`; an apostrophe between letters and a `.` or `,`
/// between digits belong to it (the usual cases of UAX #29). Runs of unspaced script go through the segmenter.
/// O(bytes), no allocation of its own.
pub fn for_each_word<'t>(text: &'t str, segmenter: &dyn Segmenter, mut word: impl FnMut(&'t str)) {
    let mut start: Option<(usize, bool)> = None;
    let (bytes, mut at, mut before) = (text.as_bytes(), 0, ' ');
    let mut emit = |from: usize, to: usize, unspaced: bool| {
        if unspaced { segmenter.segment(&text[from..to], &mut word) } else { word(&text[from..to]) }
    };
    while at < bytes.len() {
        if WORD_BYTE[usize::from(bytes[at])] {
            // Most text: a run of ASCII letters and digits, told by a table.
            if let Some((from, true)) = start {
                emit(from, at, true);
                start = None;
            }
            start = start.or(Some((at, false)));
            at += bytes[at..].iter().take_while(|byte| WORD_BYTE[usize::from(**byte)]).count();
            before = char::from(bytes[at - 1]);
            continue;
        }
        if is_common_han(bytes[at]) {
            // Most text of a script without spaces.
            if let Some((from, false)) = start {
                emit(from, at, false);
                start = None;
            }
            start = start.or(Some((at, true)));
            at += 3 * bytes[at..].chunks_exact(3).take_while(|c| is_common_han(c[0])).count();
            before = text[at - 3..].chars().next().unwrap_or(' ');
            continue;
        }
        if bytes[at] < 0x80 && !matches!(bytes[at], b'\'' | b'.' | b',') {
            // What divides words wherever it stands.
            if let Some((from, unspaced)) = start.take() {
                emit(from, at, unspaced);
            }
            before = char::from(bytes[at]);
            at += 1;
            continue;
        }
        let mut rest = text[at..].chars();
        let c = rest.next().expect("`at` is before the end and between characters");
        let next = rest.next().unwrap_or(' ');
        let kind = kind(c, before, next, start.map(|(_, unspaced)| unspaced));
        before = c;
        match (start, kind) {
            (None, Some(unspaced)) => start = Some((at, unspaced)),
            (Some((from, was)), None) => {
                emit(from, at, was);
                start = None;
            }
            (Some((from, was)), Some(unspaced)) if was != unspaced => {
                emit(from, at, was);
                start = Some((at, unspaced));
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    if let Some((from, unspaced)) = start {
        emit(from, text.len(), unspaced);
    }
}

/// ASCII letters, digits and `_`.
const WORD_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// Whether a byte begins one of the Chinese characters U+5000 to U+9FFF.
fn is_common_han(first: u8) -> bool {
    matches!(first, 0xE5..=0xE9)
}

/// `None` outside of words, else whether the character belongs to an unspaced script.
fn kind(c: char, before: char, next: char, current: Option<bool>) -> Option<bool> {
    if c.is_ascii() {
        let inner = match c {
            '\'' => is_letter(before) && is_letter(next),
            '.' | ',' => before.is_ascii_digit() && next.is_ascii_digit(),
            _ => false,
        };
        return (c.is_ascii_alphanumeric() || c == '_' || inner && current == Some(false)).then_some(false);
    }
    if is_unspaced(c) {
        return Some(true);
    }
    let inner = c == '’' && is_letter(before) && is_letter(next) && current == Some(false);
    // A combining mark goes on with whatever it stands on.
    if is_mark(c) && current.is_some() {
        return current;
    }
    (is_letter_or_number(c) || inner).then_some(false)
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0487}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}'
        | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{0981}'..='\u{0983}'
        | '\u{09BC}'..='\u{09CD}' | '\u{0B82}' | '\u{0BBE}'..='\u{0BCD}' | '\u{1AB0}'..='\u{1AFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{3099}' | '\u{309A}' | '\u{FE20}'..='\u{FE2F}' | '\u{200D}')
}

/// Appends the hash of each word of `text` to `out`, lower-cased, at most `most` of them.
pub fn word_hashes(text: &str, segmenter: &dyn Segmenter, most: usize, out: &mut Vec<u64>) {
    let end = out.len().saturating_add(most);
    let mut lower = String::new();
    for_each_word(text, segmenter, |word| {
        if out.len() < end {
            out.push(hash_lower(word, &mut lower));
        }
    });
}

/// The hash of the lower-case form of `word`; `scratch` saves the allocation.
pub fn hash_lower(word: &str, scratch: &mut String) -> u64 {
    if word.len() == 3 && is_common_han(word.as_bytes()[0]) {
        return hash(word.as_bytes());
    }
    let (mut lower, mut all) = ([0u8; 32], 0);
    if let Some(lower) = lower.get_mut(..word.len()) {
        for (lower, byte) in lower.iter_mut().zip(word.bytes()) {
            *lower = byte.to_ascii_lowercase();
            all |= byte;
        }
        if all < 0x80 {
            return hash(lower);
        }
    }
    scratch.clear();
    scratch.extend(word.chars().flat_map(char::to_lowercase));
    hash(scratch.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::BigramSegmenter;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        for_each_word(text, &BigramSegmenter, |word| words.push(word));
        words
    }

    #[test]
    fn words_keep_inner_apostrophes_and_decimal_points() {
        assert_eq!(
            words("It's 3.14, 1,000 o’clock. 'quoted' end."),
            ["It's", "3.14", "1,000", "o’clock", "quoted", "end"]
        );
    }

    #[test]
    fn scripts_are_told_apart_in_one_line() {
        assert_eq!(words("Rust语言1.95版 привет"), ["Rust", "语言", "1.95", "版", "привет"]);
    }

    #[test]
    fn combining_marks_do_not_cut_a_word() {
        assert_eq!(words("cafe\u{301} हिन्दी"), ["cafe\u{301}", "हिन्दी"]);
    }

    #[test]
    fn hashes_fold_case_and_stop_at_the_cap() {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        word_hashes("Storm HITS Éire", &BigramSegmenter, 9, &mut a);
        word_hashes("storm hits éire", &BigramSegmenter, 9, &mut b);
        assert_eq!(a, b);
        word_hashes("a b c d", &BigramSegmenter, 2, &mut a);
        assert_eq!(a.len(), 5);
    }
}
