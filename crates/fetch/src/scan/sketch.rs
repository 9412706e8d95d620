//! A sketch of what a page says: enough to tell whether another page said it before.

/// Most hashes of a sketch: the smallest, so that pages of one text have the same.
const SKETCH: usize = 256;
/// Most hashes that are gathered of a page.
const MAX_HASHES: usize = 1 << 16;
/// Words of a sequence.
const WORDS: usize = 4;

/// Hashes of words and of sequences of four words, for which numbers count as equal, and of figures, each at most 256, the smallest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sketch {
    /// Of single words with letters.
    pub words: Vec<u64>,
    /// Of sequences within a piece of text, or of the whole piece where it is shorter.
    pub sequences: Vec<u64>,
    /// Of numbers that say something: of three digits or more, no years and no counts in brackets. An amount with cents has two.
    pub figures: Vec<u64>,
    /// Of the title as it is written, with its numbers; 0 if there is none.
    pub title: u64,
    /// Whether the page has scripts, which may add to it.
    pub has_scripts: bool,
}

/// With fewer sequences a page says too little to be told from others.
const LEAST_SEQUENCES: usize = 20;

impl Sketch {
    /// One hash of all that a page says, its amounts among it, whatever the order of its pieces; `None` where it says too little.
    pub fn hash(&self) -> Option<u64> {
        let all = self.words.iter().chain(&self.sequences).copied().chain(self.amounts());
        (self.sequences.len() >= LEAST_SEQUENCES).then(|| joined(all))
    }

    /// The figures that are amounts with cents.
    pub fn amounts(&self) -> impl Iterator<Item = u64> + '_ {
        self.figures.iter().copied().filter(|figure| self.figures.binary_search(&mixed(*figure)).is_ok())
    }
}

/// Gathers hashes piece by piece.
#[derive(Default)]
pub(super) struct SketchBuilder(Sketch);

impl SketchBuilder {
    /// Takes in the text between two tags. O(bytes).
    pub(super) fn add(&mut self, text: &[u8]) {
        let Sketch { words, sequences, .. } = &mut self.0;
        if sequences.len() >= MAX_HASHES {
            return;
        }
        let (mut last, mut n_words) = ([0_u64; WORDS], 0);
        for word in text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
        {
            let (hash, has_letters) = hash_of(word);
            if has_letters {
                words.push(hash);
            }
            last[n_words % WORDS] = hash;
            n_words += 1;
            if n_words >= WORDS {
                sequences.push(joined((0..WORDS).map(|at| last[(n_words + at) % WORDS])));
            }
        }
        if (1..WORDS).contains(&n_words) {
            sequences.push(joined(last[..n_words].iter().copied()));
        }
        self.0.figures.extend(figures(text));
    }

    /// Takes in the title; the first one counts.
    pub(super) fn add_title(&mut self, text: &[u8]) {
        if self.0.title == 0 {
            self.0.title = joined(text.trim_ascii().iter().map(|byte| u64::from(*byte)));
        }
    }

    pub(super) fn add_script(&mut self) {
        self.0.has_scripts = true;
    }

    pub(super) fn sketch(self) -> Sketch {
        let Sketch { words, sequences, figures, .. } = self.0;
        Sketch { words: smallest(words), sequences: smallest(sequences), figures: smallest(figures), ..self.0 }
    }
}

fn smallest(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(SKETCH);
    hashes
}

/// The hash of a word whose digits are one, and whether it has letters.
fn hash_of(word: &[u8]) -> (u64, bool) {
    const PRIME: u64 = 0x0100_0000_01b3;
    let (mut hash, mut has_letters, mut was_digit) = (0xcbf2_9ce4_8422_2325_u64, false, false);
    for &byte in word {
        let is_digit = byte.is_ascii_digit();
        has_letters |= !is_digit;
        if !(is_digit && was_digit) {
            let byte = if is_digit { b'#' } else { byte.to_ascii_lowercase() };
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        was_digit = is_digit;
    }
    (mixed(hash), has_letters)
}

/// The hashes of the figures in a text: `1,299.00`, `12.49`, `4711`.
fn figures(text: &[u8]) -> impl Iterator<Item = u64> + '_ {
    let is_mark = |byte: u8| matches!(byte, b'.' | b',');
    let is_part = move |byte: u8| byte.is_ascii_digit() || is_mark(byte);
    let runs = text.chunk_by(move |one, next| is_part(*one) == is_part(*next));
    let mut at = 0_usize;
    let all = runs.filter_map(move |run| {
        let before = at.checked_sub(1).map(|before| text[before]);
        at += run.len();
        let run = &run[..run.len() - run.iter().rev().take_while(|byte| is_mark(**byte)).count()];
        let n_digits = run.iter().filter(|byte| byte.is_ascii_digit()).count();
        let n_marks = run.len() - n_digits;
        let is_year = n_digits == 4 && (run.starts_with(b"19") || run.starts_with(b"20"));
        let is_date = n_digits >= 6 && n_marks == 2 && run[run.len() - 4..].iter().all(u8::is_ascii_digit);
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'(';
        let is_figure = run.first().copied().is_some_and(is_part)
            && n_digits >= 3
            && !is_year
            && !is_date
            && !before.is_some_and(is_word);
        let hash = is_figure.then(|| joined(run.iter().map(|byte| u64::from(*byte))))?;
        // Pages say in parts of a second how long they took.
        let has_cents = run.len() >= 4 && is_mark(run[run.len() - 3]) && run[0] != b'0';
        Some([Some(hash), has_cents.then(|| mixed(hash))])
    });
    all.flatten().flatten()
}

fn joined(hashes: impl Iterator<Item = u64>) -> u64 {
    mixed(hashes.fold(1, |sum, hash| sum.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(hash)))
}

fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(pieces: &[&str]) -> Sketch {
        let mut builder = SketchBuilder::default();
        pieces.iter().for_each(|piece| builder.add(piece.as_bytes()));
        builder.sketch()
    }

    #[test]
    fn numbers_and_capitals_make_no_difference_and_words_do() {
        assert_eq!(sketch(&["Page 12 of 37"]), sketch(&["page 38 of 4"]));
        assert_ne!(sketch(&["May 2031, no events"]), sketch(&["June 2031, no events"]));
        let (ab, ba) = (sketch(&["red cotton", "shoes"]), sketch(&["shoes", "red cotton"]));
        assert_eq!(ab, ba, "pieces in another order are the same");
        assert_eq!(sketch(&["a b c d e"]).sequences.len(), 2);
        assert_eq!(sketch(&["12", " ", ""]).words.len(), 0);
    }

    #[test]
    fn figures_are_numbers_that_say_something() {
        let n_figures = |text: &str| sketch(&[text]).figures.len();
        assert_eq!(n_figures("12.49 € for 4711, 1,299.00 in all, made in 0.25 s"), 6);
        assert_eq!(n_figures("page 12 of 99, May 2031, 31.05.2031, Red (1234), M6x2000"), 0);
        let amounts = |text: &str| sketch(&[text]).amounts().collect::<Vec<_>>();
        assert_eq!(amounts("12.49 € for 4711"), amounts("12.49, code 999"));
        assert_eq!(amounts("12.49 and 1,299.00 and 300").len(), 2);
    }

    #[test]
    fn a_sketch_is_bounded() {
        let long: String = (0..90_000).map(|n| format!("w{n}x ")).collect();
        assert!(sketch(&[&long]).sequences.len() <= SKETCH);
    }
}
