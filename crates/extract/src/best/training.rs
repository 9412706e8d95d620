//! Training of `best`: class words and trees from pages with gold texts.

use std::collections::{BTreeMap, HashMap};

use gristmill_page::Page;
use gristmill_text::hash;

pub use super::features::{WIDTH as FIRST, names as first_names};
use super::model::TokenTable;
pub use super::second_stage::{WIDTH as SECOND, names as second_names};

/// Rows that the first look gives at least this teach the second, more than it is asked about: it learns what is
/// hopeless, too.
pub const TAUGHT: f32 = 0.01;

/// How much of the text below a class word was main text on one page: word, main, all.
pub type WordStats = Vec<(u32, f32, f32)>;

/// The class words of a page. `labels` and `weights` are of its rows. O(nodes + words · log words).
pub fn word_stats(page: &Page<'_>, labels: &[bool], weights: &[f32]) -> WordStats {
    let rows_before = super::context::rows_before(page);
    let sums = |flag: bool| {
        let mut sum = 0.0;
        let mut sums = vec![0.0];
        for (label, weight) in labels.iter().zip(weights) {
            sum += if *label || !flag { *weight } else { 0.0 };
            sums.push(sum);
        }
        sums
    };
    let (main, all) = (sums(true), sums(false));
    let total = all.last().copied().unwrap_or(0.0);
    let mut stats: HashMap<u32, (f32, f32)> = HashMap::new();
    super::context::for_each_said(page, &rows_before, |word, rows| {
        let of = |sums: &[f32]| sums[rows.end] - sums[rows.start];
        // What lies around nearly everything says nothing of its text.
        if of(&all) < 0.9 * total {
            let sum = stats.entry((word >> 32) as u32).or_default();
            *sum = (sum.0 + of(&main), sum.1 + of(&all));
        }
    });
    let mut stats: WordStats = stats.into_iter().map(|(word, (main, all))| (word, main, all)).collect();
    stats.sort_unstable_by_key(|(word, ..)| *word);
    stats
}

/// Fewest domains that must use a word.
const MIN_DOMAINS: usize = 5;

impl TokenTable {
    /// Each domain has one voice for each word: the share of main text below it.
    pub fn learn<'p>(pages: impl Iterator<Item = (&'p str, &'p WordStats)>) -> TokenTable {
        let mut domains: BTreeMap<(u32, u64), (f32, f32)> = BTreeMap::new();
        for (domain, stats) in pages {
            let domain = hash(domain.as_bytes());
            for &(word, main, all) in stats {
                let sum = domains.entry((word, domain)).or_default();
                *sum = (sum.0 + main, sum.1 + all);
            }
        }
        let mut words: BTreeMap<u32, (f32, usize)> = BTreeMap::new();
        let (mut sum, mut n) = (0.0, 0.0);
        for ((word, _), (main, all)) in domains {
            if all > 0.0 {
                let entry = words.entry(word).or_default();
                *entry = (entry.0 + main / all, entry.1 + 1);
                sum += main / all;
                n += 1.0;
            }
        }
        let prior: f32 = sum / f32::max(n, 1.0);
        let odds = |p: f32| (p / (1.0 - p)).ln();
        let mut table = TokenTable::default();
        for (word, (sum, n)) in words.into_iter().filter(|(_, (_, n))| *n >= MIN_DOMAINS) {
            const SMOOTHING: f32 = 4.0;
            let p = ((sum + SMOOTHING * prior) / (n as f32 + SMOOTHING)).clamp(0.005, 0.995);
            let score = odds(p) - odds(prior.clamp(0.01, 0.99));
            // Few digits keep the table small.
            let score = (score * 100.0).round() / 100.0;
            if score.abs() >= 0.25 {
                table.words.push(word);
                table.scores.push(score);
            }
        }
        table
    }
}

/// By what a domain comes into a fold.
pub fn domain_hash(domain: &str) -> u64 {
    hash(domain.as_bytes())
}
