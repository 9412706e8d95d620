//! Refining: which units of the area stay, by what they are and by their similarity to title and description.

use std::collections::HashMap;

use gristmill_html::NodeId;
use gristmill_page::{MethodInput, ParameterValues, Trace, TraceValue};
use gristmill_text::{BigramSegmenter, word_hashes};

use super::{Piece, RefineRule, Vsse};

const MAX_WORDS: usize = 3_000;

/// Largest SimHash distance at which texts count as similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimilarityThreshold {
    /// This many bits.
    Bits(u32),
    /// 2.5 standard deviations below the mean distance of unrelated texts: 22 of 64 bits, 0 of 8.
    Auto,
}

impl SimilarityThreshold {
    /// `round(b/2 − 2.5·√b/2)` for [`SimilarityThreshold::Auto`]: the distance of unrelated texts is binomial over b bits.
    pub(super) fn of(self, bits: u32) -> u32 {
        let b = f64::from(bits);
        match self {
            SimilarityThreshold::Bits(n) => n,
            SimilarityThreshold::Auto => (b / 2.0 - 2.5 * b.sqrt() / 2.0).round().max(0.0) as u32,
        }
    }
}

impl std::str::FromStr for SimilarityThreshold {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.parse() {
            Ok(bits @ 0..=64) => Ok(SimilarityThreshold::Bits(bits)),
            _ if text == "auto" => Ok(SimilarityThreshold::Auto),
            _ => Err(()),
        }
    }
}

impl std::fmt::Display for SimilarityThreshold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SimilarityThreshold::Bits(n) => n.fmt(f),
            SimilarityThreshold::Auto => f.write_str("auto"),
        }
    }
}

impl ParameterValues for SimilarityThreshold {
    fn choices() -> String {
        "a whole number up to 64, or `auto`".to_owned()
    }
}

/// Which units of the area stay, in its order.
pub(super) fn refine(
    vsse: &Vsse,
    pieces: &[Piece<'_>],
    seeds: &[usize],
    area: &[usize],
    query: &MethodInput<'_>,
    trace: &mut Trace,
) -> Vec<bool> {
    let (bits, literal) = match vsse.refine {
        RefineRule::Off => return vec![true; area.len()],
        RefineRule::Soft => (64, false),
        RefineRule::Literal => (64, true),
        RefineRule::Literal8 => (8, true),
    };
    let most = vsse.max_distance.of(bits);
    let certain = |at: usize| {
        let piece = &pieces[at];
        !literal && (seeds.binary_search(&at).is_ok() || piece.heading || (piece.marks >= 1 && !piece.link))
    };
    let mut kept: Vec<bool> = area.iter().map(|&at| certain(at)).collect();
    let question = format!("{} {}", query.title.unwrap_or(""), query.description);
    if question.trim().is_empty() && literal {
        // Nothing to compare with: the step is off (§10 of the reconstruction: no title, no headings).
        return vec![true; area.len()];
    }
    if (literal || kept.contains(&false)) && !question.trim().is_empty() {
        // Who is kept already needs no distance, unless somebody wants to see it.
        let settled = if trace.is_on() { vec![false; kept.len()] } else { kept.clone() };
        let distances = distances(pieces, area, &settled, &question, bits);
        trace.note("distances", || TraceValue::Series(distances.iter().map(|&d| f64::from(d)).collect()));
        for (kept, distance) in kept.iter_mut().zip(distances) {
            *kept |= distance <= most;
        }
    }
    if !literal {
        keep_enclosed(pieces, area, &mut kept);
    }
    kept
}

/// A unit between two kept units of the same block stays.
fn keep_enclosed(pieces: &[Piece<'_>], area: &[usize], kept: &mut [bool]) {
    let mut last: HashMap<NodeId, usize> = HashMap::new();
    for n in (0..area.len()).filter(|&n| kept[n]) {
        last.insert(pieces[area[n]].block, n);
    }
    let mut open: HashMap<NodeId, ()> = HashMap::new();
    for n in 0..area.len() {
        let block = pieces[area[n]].block;
        if kept[n] {
            open.insert(block, ());
        } else if open.contains_key(&block) && last.get(&block).is_some_and(|&last| last > n) {
            kept[n] = true;
        }
    }
}

/// SimHash distance of each unit of the area to the query, with the keyword weights of eq. 4 over the area;
/// [`u32::MAX`] for units that are `settled`.
fn distances(pieces: &[Piece<'_>], area: &[usize], settled: &[bool], question: &str, bits: u32) -> Vec<u32> {
    let mut words = Vec::new();
    let mut ends = Vec::with_capacity(area.len());
    for &at in area {
        word_hashes(pieces[at].text, &BigramSegmenter, MAX_WORDS, &mut words);
        ends.push(words.len());
    }
    let texts: Vec<&[u64]> =
        ends.iter().scan(0, |start, &end| Some(&words[std::mem::replace(start, end)..end])).collect();
    let weights = KeywordWeights::new(&texts);
    let mut asked = Vec::new();
    word_hashes(question, &BigramSegmenter, MAX_WORDS, &mut asked);
    let asked = weights.simhash(&asked);
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let distance = |text: &[u64]| ((weights.simhash(text) ^ asked) & mask).count_ones();
    texts.iter().zip(settled).map(|(text, settled)| if *settled { u32::MAX } else { distance(text) }).collect()
}

/// Keyword weights: `w(k) = TF · (ln(N / N_k) + L)` with L = 1, else an area of one paragraph would have none.
pub(super) struct KeywordWeights {
    n_texts: f64,
    n_with: HashMap<u64, (u32, u32)>,
}

impl KeywordWeights {
    /// `N` = texts with at least one word, `N_k` = texts with word k.
    pub(super) fn new(texts: &[&[u64]]) -> KeywordWeights {
        let mut n_with: HashMap<u64, (u32, u32)> = HashMap::new();
        for (text, n) in texts.iter().zip(1u32..) {
            for &word in *text {
                let (count, seen_in) = n_with.entry(word).or_default();
                if *seen_in != n {
                    (*count, *seen_in) = (*count + 1, n);
                }
            }
        }
        KeywordWeights { n_texts: texts.iter().filter(|text| !text.is_empty()).count() as f64, n_with }
    }

    pub(super) fn weight(&self, word: u64, frequency: u32) -> f64 {
        let n_with = self.n_with.get(&word).map_or(1, |(count, _)| *count);
        weight(f64::from(frequency), self.n_texts.max(1.0), f64::from(n_with), 1.0)
    }

    fn simhash(&self, text: &[u64]) -> u64 {
        let mut sorted = text.to_vec();
        sorted.sort_unstable();
        simhash(sorted.chunk_by(|a, b| a == b).map(|same| (same[0], self.weight(same[0], same.len() as u32))))
    }
}

pub(super) fn weight(frequency: f64, n_texts: f64, n_with: f64, l: f64) -> f64 {
    frequency * ((n_texts / n_with).ln() + l)
}

/// Weighted bit votes; a tie gives 0.
pub(super) fn simhash(words: impl Iterator<Item = (u64, f64)>) -> u64 {
    let mut votes = [0f64; 64];
    for (hash, weight) in words {
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    votes.iter().enumerate().filter(|(_, vote)| **vote > 0.0).fold(0, |bits, (bit, _)| bits | 1 << bit)
}
