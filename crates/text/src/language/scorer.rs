//! The scores of the languages of one script: a table of small weights, a row for each hash of an n-gram.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, i8x16, i16x8};
use gristmill_models::{ModelError, ModelFile};

use crate::language::ngrams::{for_each_ngram, row_of};
use crate::language::script::Script;

/// Weights are added in blocks of so many numbers.
const LANES: usize = 16;
/// So many weights of one byte never leave sixteen bits.
const MOST_IN_16_BITS: usize = 256;
/// No script has more languages.
pub(crate) const MOST_LANGUAGES: usize = LANES * MOST_BLOCKS;
const MOST_BLOCKS: usize = 7;
/// A row has one of these numbers of blocks.
const BLOCKS: [usize; 4] = [1, 2, 5, MOST_BLOCKS];

/// The weights of one script.
#[derive(Debug)]
pub(crate) struct ScriptScorer {
    /// Codes of the languages; two forms of one language are two.
    pub(crate) languages: Vec<String>,
    /// What is added to the score of each.
    priors: Vec<f32>,
    /// What one step of a weight stands for.
    scale: f32,
    n_rows: usize,
    /// Blocks in a row.
    n_blocks: usize,
    weights: Vec<[i8; LANES]>,
}

/// Sums of weights, and of how many n-grams.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    pub(crate) sums: [i32; MOST_LANGUAGES],
    pub(crate) n: u32,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { sums: [0; MOST_LANGUAGES], n: 0 }
    }
}

impl Sums {
    pub(crate) fn add(&mut self, other: &Sums) {
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, other)| *sum += other);
        self.n += other.n;
    }
}

impl ScriptScorer {
    pub(crate) fn read(file: &ModelFile, script: Script) -> Result<ScriptScorer, ModelError> {
        let name = |part: &str| format!("{}.{part}", script.code());
        let languages = file.table::<String>(&name("languages"))?.to_vec();
        let priors = file.table::<f32>(&name("priors"))?.to_vec();
        let scale = file.number::<f32>(&name("scale"))?;
        let weights = file.table::<i8>(&name("weights"))?;
        let n_languages = languages.len();
        if n_languages == 0
            || n_languages > MOST_LANGUAGES
            || priors.len() != n_languages
            || !weights.len().is_multiple_of(n_languages)
        {
            return Err(ModelError::Shape("weights, priors and languages do not fit together"));
        }
        let n_blocks = BLOCKS.into_iter().find(|blocks| blocks * LANES >= n_languages).unwrap_or(MOST_BLOCKS);
        let mut padded = Vec::with_capacity(weights.len() / n_languages * n_blocks);
        for row in weights.chunks_exact(n_languages) {
            let block = |at: usize| std::array::from_fn(|lane| row.get(at * LANES + lane).copied().unwrap_or(0));
            padded.extend((0..n_blocks).map(block));
        }
        Ok(ScriptScorer { languages, priors, scale, n_rows: weights.len() / n_languages, n_blocks, weights: padded })
    }

    /// The sums over the n-grams of `letters`. O(letters * languages).
    pub(crate) fn sums(&self, letters: &[char], rows: &mut Vec<u32>) -> Sums {
        rows.clear();
        for_each_ngram(letters, |hash| rows.push(row_of(hash, self.n_rows) as u32));
        let mut all = Sums { n: rows.len() as u32, ..Sums::default() };
        let level = Level::new();
        for some in rows.chunks(MOST_IN_16_BITS) {
            let sums = &mut all.sums;
            match self.n_blocks {
                1 => {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.add_rows::<_, 1>(simd, some, sums)))
                }
                2 => {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.add_rows::<_, 2>(simd, some, sums)))
                }
                5 => {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.add_rows::<_, 5>(simd, some, sums)))
                }
                _ => {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.add_rows::<_, MOST_BLOCKS>(simd, some, sums)))
                }
            }
        }
        all
    }

    /// Adds the weights of rows, which are few enough that sixteen bits hold the sums; two rows at a time. The width of a row is
    /// known here, so that the sums stay in registers, and the processor fetches the next rows meanwhile.
    #[inline(always)]
    fn add_rows<S: Simd, const BLOCKS: usize>(&self, simd: S, rows: &[u32], sums: &mut [i32; MOST_LANGUAGES]) {
        let mut short = [[i16x8::splat(simd, 0); 2]; BLOCKS];
        let (pairs, last) = rows.as_chunks::<2>();
        let none = [[0; LANES]; BLOCKS];
        let last = last.iter().map(|row| (self.row::<BLOCKS>(*row), &none));
        for (one, other) in pairs.iter().map(|[one, other]| (self.row(*one), self.row(*other))).chain(last) {
            for (short, (one, other)) in short.iter_mut().zip(one.iter().zip(other)) {
                let (low, high) = simd.widening_add_i8x16(i8x16::from_slice(simd, one), i8x16::from_slice(simd, other));
                *short = [short[0] + low, short[1] + high];
            }
        }
        let short = short.as_flattened().iter().flat_map(|eight| eight.as_slice());
        sums.iter_mut().zip(short).for_each(|(sum, short)| *sum += i32::from(*short));
    }

    #[inline(always)]
    fn row<const BLOCKS: usize>(&self, row: u32) -> &[[i8; LANES]; BLOCKS] {
        let from = row as usize * BLOCKS;
        self.weights[from..from + BLOCKS].first_chunk().expect("a slice of this length has as many")
    }

    /// The logarithms of the odds of each language, with its prior.
    pub(crate) fn scores(&self, sums: &Sums) -> [f32; MOST_LANGUAGES] {
        let factor = self.scale / (sums.n.max(1) as f32).sqrt();
        let mut scores = [f32::NEG_INFINITY; MOST_LANGUAGES];
        for ((score, sum), prior) in scores.iter_mut().zip(sums.sums).zip(&self.priors) {
            *score = sum as f32 * factor + prior;
        }
        scores
    }
}

/// A score that is lower by so much has no probability that would be seen.
const NOTHING: f32 = 16.0;

/// Probabilities of scores.
pub(crate) fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = if *score < most - NOTHING { 0.0 } else { (*score - most).exp() };
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}
