//! A text as the model sees it: small letters of one script, and hashes of the n-grams of its words.

use unicode_normalization::char::compose;

use crate::language::script::{Script, is_mark};

/// Stands between words.
pub(crate) const BLANK: char = ' ';
/// Letters in the longest n-gram.
const LONGEST: usize = 5;

/// The letters of a text, in small ones and in the composed form, with one blank between words and around all. Marks without a
/// composed form are left out: some write them and some do not.
pub(crate) struct Letters<'o> {
    out: &'o mut Vec<char>,
}

impl<'o> Letters<'o> {
    /// Writes behind what stands in `out`.
    pub(crate) fn new(out: &'o mut Vec<char>) -> Letters<'o> {
        out.push(BLANK);
        Letters { out }
    }

    /// One more character of the text; says which script it has if it is a letter.
    pub(crate) fn push(&mut self, c: char) -> Option<Script> {
        if c.is_ascii_lowercase() {
            self.out.push(c);
            return Some(Script::LATIN);
        }
        let last = *self.out.last().unwrap_or(&BLANK);
        if is_mark(c) {
            if let (Some(composed), Some(place)) = (compose(last, c), self.out.last_mut()) {
                *place = composed;
            }
            return None;
        }
        let script = Script::of(c);
        match script {
            Some(_) => self.out.extend(c.to_lowercase().filter(|c| !is_mark(*c))),
            None if last != BLANK => self.out.push(BLANK),
            None => {}
        }
        script
    }

    /// No more letters.
    pub(crate) fn end(self) {
        if self.out.last() != Some(&BLANK) {
            self.out.push(BLANK);
        }
    }
}

/// Keeps the letters of one script; what stood for others is blank.
pub(crate) fn keep_script(letters: &mut [char], script: Script) {
    for c in letters {
        if *c != BLANK && Script::of(*c) != Some(script) {
            *c = BLANK;
        }
    }
}

/// The hashes of the n-grams of each word, of one letter to five, with a blank at either end, and of the word itself. `letters`
/// begin and end with a blank. O(letters).
pub(crate) fn for_each_ngram(letters: &[char], mut take: impl FnMut(u32)) {
    let mut from = 0;
    while let Some(length) = letters[from + 1..].iter().position(|c| *c == BLANK) {
        let word = &letters[from..=from + length + 1];
        if length > 0 {
            ngrams_of_word(word, &mut take);
        }
        from += length + 1;
    }
}

fn ngrams_of_word(word: &[char], take: &mut impl FnMut(u32)) {
    let mut whole = WORD_SEED;
    for (at, first) in word.iter().enumerate() {
        whole = mix(whole, *first);
        let mut hash = mix(GRAM_SEED, *first);
        if *first != BLANK {
            take(finish(hash));
        }
        for next in word[at + 1..].iter().take(LONGEST - 1) {
            hash = mix(hash, *next);
            take(finish(hash));
        }
    }
    take(finish(whole));
}

const GRAM_SEED: u64 = 0x9E37_79B9_7F4A_7C15;
const WORD_SEED: u64 = 0xC2B2_AE3D_27D4_EB4F;

fn mix(hash: u64, c: char) -> u64 {
    (hash ^ u64::from(c)).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(29)
}

fn finish(hash: u64) -> u32 {
    (hash.wrapping_mul(0xC4CE_B9FE_1A85_EC53) >> 32) as u32
}

/// A number below `n_rows` for a hash.
pub(crate) fn row_of(hash: u32, n_rows: usize) -> usize {
    ((u64::from(hash) * n_rows as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> String {
        let mut out = Vec::new();
        let mut letters = Letters::new(&mut out);
        text.chars().for_each(|c| {
            letters.push(c);
        });
        letters.end();
        out.into_iter().collect()
    }

    #[test]
    fn letters_are_small_and_composed_with_single_blanks_between_words() {
        assert_eq!(letters("L'ÉTÉ, 2024: (chaud)!"), " l été chaud ");
        assert_eq!(letters("e\u{301}te\u{301}"), " été ");
        assert_eq!(letters("soft\u{AD}hy\u{200C}phen"), " softhyphen ");
        assert_eq!(letters("İstanbul"), " istanbul ");
        assert_eq!(letters(""), " ");
        assert_eq!(letters("123"), " ");
        assert_eq!(letters("\u{301}"), " ");
    }

    #[test]
    fn a_word_has_its_ngrams_and_itself() {
        let count = |text: &str| {
            let chars: Vec<char> = text.chars().collect();
            let mut n = 0;
            for_each_ngram(&chars, |_| n += 1);
            n
        };
        // " ab ": 1-grams a, b; 2-grams 3; 3-grams 2; 4-gram 1; the word. The last blank begins no n-gram.
        assert_eq!(count(" ab "), 9);
        assert_eq!(count(" ab  ab "), 18);
        assert_eq!(count(" "), 0);
        assert_eq!(count("  "), 0);
    }
}
