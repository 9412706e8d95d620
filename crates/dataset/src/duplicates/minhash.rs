//! The MinHash of a text, as the keys of its buckets: texts that share a key are likely to share most shingles.

use std::fmt;
use std::str::FromStr;

use gristmill_text::{CharacterSegmenter, for_each_word, hash_lower};

/// How many buckets, rows and words; more rows ask for more likeness, more buckets miss less.
///
/// Two texts that share a part s of their shingles share a key with probability 1 − (1 − sʳ)ᵇ for b buckets of r rows: with the
/// default, which is that of FineWeb, .92 at s = .8, and one half at .7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinHashOptions {
    /// 1 to 256.
    pub buckets: usize,
    /// 1 to 64.
    pub rows: usize,
    /// Neighbouring words of a shingle, 1 to 64; a word of a script without spaces is a character.
    pub words: usize,
}

impl Default for MinHashOptions {
    fn default() -> Self {
        Self { buckets: 14, rows: 8, words: 5 }
    }
}

/// As it is written in settings: `14x8x5`.
impl fmt::Display for MinHashOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.buckets, self.rows, self.words)
    }
}

impl FromStr for MinHashOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<usize>> = text.split('x').map(|number| number.parse().ok()).collect();
        let (buckets, rows, words) = match numbers.as_deref() {
            Some([buckets, rows]) => (*buckets, *rows, Self::default().words),
            Some([buckets, rows, words]) => (*buckets, *rows, *words),
            _ => return Err("expected BUCKETSxROWSxWORDS, such as 14x8x5".to_owned()),
        };
        let is_right = (1..=256).contains(&buckets) && (1..=64).contains(&rows) && (1..=64).contains(&words);
        let options = Self { buckets, rows, words };
        is_right.then_some(options).ok_or_else(|| "expected at most 256 buckets, 64 rows and 64 words".to_owned())
    }
}

/// Computes the keys of texts, one after the other, without allocating.
///
/// A shingle is hashed once, and each row orders all shingles by a multiplication and an addition of its own. Rows of one
/// hash (one permutation, cut into ranges) cost a tenth of that, but borrow from one another where a text has fewer
/// shingles than there are ranges, as most pages have: then the rows of a bucket are no longer independent.
///
/// Source: Broder, SEQUENCES 1997; the permutations: Carter & Wegman, JCSS 1979, on 64 bits.
pub struct MinHasher {
    options: MinHashOptions,
    /// An odd factor and a summand for each row of each bucket.
    rows: Vec<(u64, u64)>,
    minima: Vec<u64>,
    keys: Vec<u64>,
    /// Hashes of the last words.
    window: Vec<u64>,
    /// Hashes that no row has ordered yet.
    shingles: Vec<u64>,
    lower: String,
}

impl MinHasher {
    pub fn new(options: MinHashOptions) -> Self {
        let n = options.buckets * options.rows;
        let rows = (0..n as u64).map(|row| (mix(2 * row) | 1, mix(2 * row + 1))).collect();
        let (minima, keys) = (vec![u64::MAX; n], vec![0; options.buckets]);
        Self {
            options,
            rows,
            minima,
            keys,
            window: vec![0; options.words],
            shingles: Vec::with_capacity(BLOCK),
            lower: String::new(),
        }
    }

    /// A key for each bucket; none for a text that has fewer words than a shingle.
    ///
    /// Case, punctuation and white space do not count, and all numbers are one. O(bytes × buckets × rows).
    pub fn keys(&mut self, text: &str) -> Option<&[u64]> {
        self.minima.fill(u64::MAX);
        let (size, mut n, mut rolled) = (self.options.words, 0, 0u64);
        let leaving = (0..size).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let Self { rows, minima, window, shingles, lower, .. } = self;
        for_each_word(text, &CharacterSegmenter, |word| {
            let place = &mut window[n % size];
            let word = word_key(word, lower);
            rolled = rolled.wrapping_mul(BASE).wrapping_add(word);
            if n >= size {
                rolled = rolled.wrapping_sub(place.wrapping_mul(leaving));
            }
            (*place, n) = (word, n + 1);
            if n >= size {
                shingles.push(mix(rolled));
                if shingles.len() == BLOCK {
                    add(minima, rows, shingles);
                    shingles.clear();
                }
            }
        });
        if n < size {
            return None;
        }
        add(minima, rows, shingles);
        shingles.clear();
        for (key, minima) in self.keys.iter_mut().zip(self.minima.chunks_exact(self.options.rows)) {
            *key = minima.iter().fold(size as u64, |key, minimum| mix(key ^ minimum));
        }
        Some(&self.keys)
    }
}

/// Shingles that are ordered together, so that the least of a row stays in a register.
const BLOCK: usize = 1024;

fn add(minima: &mut [u64], rows: &[(u64, u64)], shingles: &[u64]) {
    let (fours, rest) = shingles.as_chunks::<4>();
    for (minimum, (factor, summand)) in minima.iter_mut().zip(rows) {
        let place = |shingle: u64| shingle.wrapping_mul(*factor).wrapping_add(*summand);
        // Four at a time: no one waits for the one before.
        let mut least = [*minimum; 4];
        for four in fours {
            for (least, shingle) in least.iter_mut().zip(four) {
                *least = (*least).min(place(*shingle));
            }
        }
        let least = least.into_iter().chain(rest.iter().map(|shingle| place(*shingle)));
        *minimum = least.min().unwrap_or(*minimum);
    }
}

/// The base of the polynomial over the words of a shingle: any odd number with many bits.
const BASE: u64 = 0xd6e8_feb8_6659_fd93;

/// What stands for a word: its hash, and one hash for all numbers, in which copies of a page differ.
pub(super) fn word_key(word: &str, lower: &mut String) -> u64 {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    if is_number { 0x30 } else { hash_lower(word, lower) }
}

/// Spreads the bits of a number over all of its bits (the finalizer of SplitMix64).
pub(super) fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(from: usize, to: usize) -> String {
        (from..to).map(|n| format!("w{n} ")).collect()
    }

    fn shared(a: &str, b: &str) -> usize {
        let mut hasher = MinHasher::new(MinHashOptions::default());
        let first = hasher.keys(a).unwrap().to_vec();
        first.iter().zip(hasher.keys(b).unwrap()).filter(|(a, b)| a == b).count()
    }

    #[test]
    fn equal_words_have_equal_keys_whatever_their_form() {
        assert_eq!(shared("The MILL, by the river: 1,000 sacks!", "the mill by\n\nthe river 25 sacks"), 14);
        assert_eq!(shared("石磨豆腐的味道。", "石磨豆腐的味道"), 14);
    }

    #[test]
    fn keys_are_shared_as_often_as_the_formula_says() {
        // 300 words, of which the last differ: the shingles shared of all are s.
        for (kept, s) in [(300, 1.0f64), (280, 0.87), (268, 0.80), (256, 0.73), (200, 0.49)] {
            let trials = 60;
            let n_shared: usize = (0..trials)
                .map(|trial| {
                    let start = trial * 1000;
                    let common = words(start, start + kept);
                    let (a, b) = (words(start + kept, start + 300), words(start + 600, start + 900 - kept));
                    shared(&format!("{common}{a}"), &format!("{common}{b}"))
                })
                .sum();
            let expected = s.powi(8) * 14.0 * trials as f64;
            let far = (n_shared as f64 - expected).abs();
            assert!(far <= 0.12 * expected + 12.0, "{n_shared} keys at {s}, expected {expected:.0}");
        }
    }

    #[test]
    fn a_text_of_fewer_words_than_a_shingle_has_no_keys() {
        let mut hasher = MinHasher::new(MinHashOptions::default());
        assert!(hasher.keys("").is_none() && hasher.keys("one two three four").is_none());
        assert!(hasher.keys("one two three four five").is_some());
        assert!(hasher.keys("石磨豆腐").is_none() && hasher.keys("石磨豆腐好").is_some());
    }

    #[test]
    fn options_are_read_as_they_are_written() {
        for text in ["14x8x5", "1x1x1", "256x64x64"] {
            assert_eq!(text.parse::<MinHashOptions>().unwrap().to_string(), text);
        }
        assert_eq!("20x5".parse::<MinHashOptions>().unwrap().to_string(), "20x5x5");
        for wrong in ["", "14", "0x8", "14x0x5", "14x8x5x1", "257x1", "-1x8", "14x8x65"] {
            assert!(wrong.parse::<MinHashOptions>().is_err(), "{wrong}");
        }
    }
}
