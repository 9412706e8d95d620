//! Exact counts of n-grams, and pseudo-words drawn from them.

use super::random::Random;

/// Letters in the longest n-gram that is counted.
const LONGEST: usize = 5;
/// A drawn word ends here at the latest.
const LONGEST_WORD: usize = 40;
/// Bits of a letter in a packed n-gram.
const BITS: u32 = 21;

/// How often each sequence of one to five letters stands in a text, words apart.
#[derive(Default)]
pub struct NgramCounts {
    /// Sorted, for each length: letters packed into one number, and the count.
    by_length: [Vec<(u128, u64)>; LONGEST],
    rewrite: Option<fn(char, &mut String)>,
}

impl NgramCounts {
    /// From lines of a share, a tab, and the n-grams that have it with blanks between. A share is the count of an n-gram divided by
    /// that of the n-gram without its last letter, in lowest terms; of a single letter by the number of letters. Lines of other forms
    /// are left out.
    pub fn from_shares(lines: &str) -> NgramCounts {
        let mut shares: [Vec<(u128, u64, u64)>; LONGEST] = Default::default();
        for (share, grams) in lines.lines().filter_map(|line| line.split_once('\t')) {
            let Some((part, whole)) =
                share.split_once('/').and_then(|(part, whole)| Some((part.parse().ok()?, whole.parse().ok()?)))
            else {
                continue;
            };
            for gram in grams.split(' ') {
                let length = gram.chars().count();
                if (1..=LONGEST).contains(&length) && whole > 0 {
                    shares[length - 1].push((packed(gram.chars()), part, whole));
                }
            }
        }
        let total = shares[0].iter().fold(1u64, |total, (_, _, whole)| least_common_multiple(total, *whole));
        let mut counts = NgramCounts::default();
        for (at, shares) in shares.into_iter().enumerate() {
            let of_prefix = |gram: u128| if at == 0 { total } else { counts.count(at - 1, gram >> BITS) };
            let mut counted: Vec<(u128, u64)> = shares
                .into_iter()
                .map(|(gram, part, whole)| {
                    (gram, (u128::from(part) * u128::from(of_prefix(gram)) / u128::from(whole)) as u64)
                })
                .collect();
            counted.sort_unstable();
            counts.by_length[at] = counted;
        }
        counts
    }

    /// The same, with the letters of each drawn word written in another way.
    #[must_use]
    pub(super) fn written(self, rewrite: fn(char, &mut String)) -> NgramCounts {
        NgramCounts { rewrite: Some(rewrite), ..self }
    }

    /// Whether words can be drawn: scripts of single letters have no longer n-grams.
    pub(super) fn has_words(&self) -> bool {
        self.by_length[LONGEST - 1].len() > 1_000
    }

    fn count(&self, length: usize, gram: u128) -> u64 {
        let of_length = &self.by_length[length];
        of_length.binary_search_by_key(&gram, |(gram, _)| *gram).map_or(0, |at| of_length[at].1)
    }

    /// The n-grams of one letter more that begin with this one.
    fn continued(&self, length: usize, gram: u128) -> &[(u128, u64)] {
        let next = &self.by_length[length + 1];
        let from = next.partition_point(|(longer, _)| longer >> BITS < gram);
        let end = from + next[from..].partition_point(|(longer, _)| longer >> BITS == gram);
        &next[from..end]
    }

    /// How often each n-gram of this length begins a word: as often as no letter stands before it.
    fn starts(&self, length: usize) -> Vec<(u128, u64)> {
        let mut starts = self.by_length[length].clone();
        let mask = (1u128 << (BITS * (length as u32 + 1))) - 1;
        for (longer, count) in &self.by_length[length + 1] {
            if let Ok(at) = starts.binary_search_by_key(&(longer & mask), |(gram, _)| *gram) {
                starts[at].1 = starts[at].1.saturating_sub(*count);
            }
        }
        starts
    }
}

fn packed(letters: impl Iterator<Item = char>) -> u128 {
    letters.fold(0, |gram, letter| gram << BITS | u128::from(u32::from(letter)))
}

fn letters(gram: u128) -> impl Iterator<Item = char> {
    let code = move |at: usize| (gram >> (BITS * at as u32)) as u32 & ((1 << BITS) - 1);
    (0..LONGEST).rev().map(code).filter(|code| *code > 0).filter_map(char::from_u32)
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut left, mut right) = (a, b);
    while right > 0 {
        (left, right) = (right, left % right);
    }
    a / left * b
}

/// Draws words as they stand in running text.
pub(super) struct WordSource {
    counts: NgramCounts,
    /// Beginnings of four letters, and whole words of fewer, each with the sum of the weights up to it.
    beginnings: Vec<(u128, u64)>,
}

impl WordSource {
    pub(super) fn new(counts: NgramCounts) -> WordSource {
        let mut beginnings = Vec::new();
        let mut sum = 0;
        let mut put = |gram: u128, weight: u64| {
            sum += weight;
            if weight > 0 {
                beginnings.push((gram, sum));
            }
        };
        for length in 0..LONGEST - 1 {
            let longer = if length + 2 < LONGEST { counts.starts(length + 1) } else { Vec::new() };
            let mut at = 0;
            for (gram, weight) in counts.starts(length) {
                let from = at + longer[at..].partition_point(|(longer, _)| longer >> BITS < gram);
                at = from + longer[from..].partition_point(|(longer, _)| longer >> BITS == gram);
                let goes_on: u64 = longer[from..at].iter().map(|(_, weight)| weight).sum();
                put(gram, weight.saturating_sub(goes_on));
            }
        }
        WordSource { counts, beginnings }
    }

    /// One word, in small letters.
    pub(super) fn word(&self, random: &mut Random) -> String {
        let total = self.beginnings.last().map_or(1, |(_, sum)| *sum);
        let drawn = random.below(total);
        let at = self.beginnings.partition_point(|(_, sum)| *sum <= drawn);
        let Some(&(mut state, _)) = self.beginnings.get(at) else { return String::new() };
        let mut word: Vec<char> = letters(state).collect();
        while word.len() >= LONGEST - 1 && word.len() < LONGEST_WORD {
            let Some(next) = self.next(state, random) else { break };
            word.extend(char::from_u32((next & ((1 << BITS) - 1)) as u32));
            state = next & ((1 << (BITS * (LONGEST as u32 - 1))) - 1);
        }
        self.write(&word)
    }

    fn next(&self, state: u128, random: &mut Random) -> Option<u128> {
        let next = self.counts.continued(LONGEST - 2, state);
        let all = self.counts.count(LONGEST - 2, state);
        let mut left = random.below(all.max(1));
        for (gram, count) in next {
            if left < *count {
                return Some(*gram);
            }
            left -= count;
        }
        None
    }

    fn write(&self, word: &[char]) -> String {
        let Some(rewrite) = self.counts.rewrite else { return word.iter().collect() };
        let mut out = String::new();
        word.iter().for_each(|c| rewrite(*c, &mut out));
        out
    }
}
