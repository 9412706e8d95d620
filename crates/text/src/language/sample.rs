//! A few places of a text, as letters.

use crate::language::ngrams::{BLANK, Letters};
use crate::language::script::Script;

/// Letters that are looked at in all: more change next to no answer.
const LETTERS: usize = 200;
/// Places that they are taken from.
const PLACES: usize = 5;
/// A text has one place for each so many bytes.
const BYTES_PER_PLACE: usize = 160;
/// Characters that are passed for each letter that is wanted, in stretches of digits and signs.
const CHARS_PER_LETTER: usize = 8;

/// The letters of one stretch of a text.
pub(crate) struct Stretch {
    /// Where its letters begin and end in the buffer.
    pub(crate) from: usize,
    pub(crate) end: usize,
    pub(crate) weights: ScriptWeights,
    /// Bytes that were read.
    pub(crate) bytes: usize,
}

/// How much there is of each script. Latin letters count once and others twice, since Latin names and words stand in all texts; a
/// letter of Chinese, Japanese and Korean counts as a word of four.
#[derive(Clone)]
pub(crate) struct ScriptWeights([u32; Script::COUNT]);

impl ScriptWeights {
    pub(crate) fn new() -> ScriptWeights {
        ScriptWeights([0; Script::COUNT])
    }

    fn add_letter(&mut self, script: Script) {
        self.0[script.index()] += match script {
            Script::LATIN => 1,
            Script::HAN | Script::KANA | Script::HANGUL => 4,
            _ => 2,
        };
    }

    pub(crate) fn add(&mut self, other: &ScriptWeights) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, other)| *sum += other);
    }

    pub(crate) fn all(&self) -> u32 {
        self.0.iter().sum()
    }

    /// About how long the text is in letters; a letter of Chinese, Japanese and Korean is as long as three.
    pub(crate) fn length(&self) -> f32 {
        let length = |script: Script| match script {
            Script::LATIN => 1.0,
            Script::HAN | Script::KANA | Script::HANGUL => 0.75,
            _ => 0.5,
        };
        Script::all().map(|script| self.0[script.index()] as f32 * length(script)).sum()
    }

    /// The script with most weight; a twentieth of kana makes Chinese characters Japanese. `None` where there are no letters.
    pub(crate) fn main(&self) -> Option<Script> {
        let (han, kana) = (self.0[Script::HAN.index()], self.0[Script::KANA.index()]);
        let is_japanese = kana * 20 > han;
        let weight = |script: Script| match script {
            Script::HAN if is_japanese => 0,
            Script::KANA if is_japanese => han + kana,
            script => self.0[script.index()],
        };
        let most =
            Script::all().fold(Script::LATIN, |most, script| if weight(script) > weight(most) { script } else { most });
        (weight(most) > 0).then_some(most)
    }

    /// Chinese characters and kana.
    pub(crate) fn n_cjk(&self) -> u32 {
        (self.0[Script::HAN.index()] + self.0[Script::KANA.index()]) / 4
    }
}

/// The stretches of a text, at even distances; short texts are looked at whole. All of a text without a letter at these places is
/// read until letters come.
pub(crate) fn stretches(text: &str, out: &mut Vec<char>) -> Vec<Stretch> {
    let n = (text.len() / BYTES_PER_PLACE).clamp(1, PLACES);
    let from = |at: usize| if at == 0 { 0 } else { word_start(text, text.len() / n * at) };
    let found: Vec<Stretch> = (0..n).map(|at| stretch(&text[from(at)..], LETTERS / n, out)).collect();
    match text.find(|c| Script::of(c).is_some()) {
        Some(first) if found.iter().all(|stretch| stretch.weights.all() == 0) => {
            vec![stretch(&text[first..], LETTERS, out)]
        }
        _ => found,
    }
}

/// At most `n_letters` letters from the beginning of a text. A word that is begun is ended, if it is not too long.
pub(crate) fn stretch(text: &str, n_letters: usize, out: &mut Vec<char>) -> Stretch {
    const REST_OF_WORD: usize = 12;
    let from = out.len();
    let mut letters = Letters::new(out);
    let (mut weights, mut n, mut bytes) = (ScriptWeights::new(), 0, 0);
    for c in text.chars().take(n_letters * CHARS_PER_LETTER) {
        let script = letters.push(c);
        if n >= n_letters && (script.is_none() || n >= n_letters + REST_OF_WORD) {
            break;
        }
        bytes += c.len_utf8();
        if let Some(script) = script {
            weights.add_letter(script);
            n += 1;
        }
    }
    letters.end();
    Stretch { from, end: out.len(), weights, bytes }
}

/// The next place behind `at` where a word may begin.
fn word_start(text: &str, at: usize) -> usize {
    const NEAR: usize = 24;
    let from = text.floor_char_boundary(at);
    let near = text[from..].char_indices().take(NEAR);
    near.into_iter().find(|(_, c)| *c == BLANK || *c == '\n').map_or(from, |(space, _)| from + space + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        let found = stretches(text, &mut out);
        found.iter().map(|stretch| out[stretch.from..stretch.end].iter().collect()).collect()
    }

    #[test]
    fn a_short_text_is_looked_at_whole_and_a_long_one_at_five_places_between_words() {
        assert_eq!(letters("One, two."), [" one two "]);
        let long = "fourteen letters ".repeat(1_000);
        let places = letters(&long);
        assert_eq!(places.len(), PLACES);
        for place in places {
            assert!(
                place.len() < 60 && place.split_whitespace().all(|word| ["fourteen", "letters"].contains(&word)),
                "{place}"
            );
        }
    }

    #[test]
    fn letters_behind_many_signs_are_found() {
        assert_eq!(letters(&format!("{}one two", "1234 ".repeat(10_000))), [" one two "]);
    }

    #[test]
    fn the_main_script_is_that_of_the_language_between_latin_words() {
        let main = |text: &str| stretch(text, 200, &mut Vec::new()).weights.main().map(Script::code);
        assert_eq!(main("苹果公司 Apple 发布了新款 iPhone 手机"), Some("Hani"));
        assert_eq!(main("今日は iPhone"), Some("Kana"));
        assert_eq!(main("Программа Word"), Some("Cyrl"));
        assert_eq!(main("a word: слово"), Some("Cyrl"));
        assert_eq!(main("a whole sentence about слово"), Some("Latn"));
        assert_eq!(main("12"), None);
    }
}
