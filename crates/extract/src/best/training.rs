//! Training of `best`: class words and trees from pages with gold texts.

use std::collections::{BTreeMap, HashMap};

use gristmill_page::Page;
use gristmill_text::hash;
use gristmill_trees::{Forest, Node};

pub use super::features::{WIDTH as FIRST, names as first_names};
pub use super::second::{WIDTH as SECOND, names as second_names};
use super::{Model, Tokens};

/// The model that comes with the program.
pub fn shipped() -> &'static Model<'static> {
    &super::trained::MODEL
}

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

/// Scores of class words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenTable {
    words: Vec<u32>,
    scores: Vec<f32>,
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

    /// The table as borrowed.
    pub fn as_ref(&self) -> Tokens<'_> {
        Tokens { words: &self.words, scores: &self.scores }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// By what a domain comes into a fold.
pub fn domain_hash(domain: &str) -> u64 {
    hash(domain.as_bytes())
}

/// The model as the source of `trained.rs`, with `header` in its doc comment.
pub fn to_rust(tokens: &TokenTable, first: &Forest, second: &Forest, calibration: &[f32], header: &[String]) -> String {
    let mut out = String::from("//! Weights of the method `best`; written by a program, not to be edited.\n//!\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    header.iter().for_each(|text| line(format!("//! {text}").trim_end().to_owned()));
    line("\n#![allow(clippy::approx_constant, reason = \"learnt thresholds\")]".to_owned());
    line("\nuse gristmill_trees::{ForestRef, Node};\n\nuse super::model::{Model, Tokens};\n".to_owned());
    line(
        "const fn n(feature: u16, left: u16, threshold: f32) -> Node {\n    Node { feature, left, threshold }\n}\n"
            .to_owned(),
    );
    line("pub(super) static MODEL: Model<'static> = Model {".to_owned());
    line("    tokens: Tokens { words: &WORDS, scores: &SCORES },".to_owned());
    for (name, forest) in [("first", first), ("second", second)] {
        let table = name.to_uppercase();
        line(format!(
            "    {name}: ForestRef {{ bias: {:?}, roots: &{table}_ROOTS, nodes: &{table}_NODES }},",
            forest.bias
        ));
    }
    line(format!("    calibration: &{calibration:?},\n}};"));
    let mut table = |name: &str, kind: &str, items: Vec<String>| {
        line(format!("\n#[rustfmt::skip]\nstatic {name}: [{kind}; {}] = [", items.len()));
        items.chunks(8).for_each(|some| line(format!("    {},", some.join(", "))));
        line("];".to_owned());
    };
    table("WORDS", "u32", tokens.words.iter().map(u32::to_string).collect());
    table("SCORES", "f32", tokens.scores.iter().map(|score| format!("{score:?}")).collect());
    for (name, forest) in [("FIRST", first), ("SECOND", second)] {
        let node = |node: &Node| format!("n({}, {}, {:?})", node.feature, node.left, node.threshold);
        table(&format!("{name}_ROOTS"), "u16", forest.roots.iter().map(u16::to_string).collect());
        table(&format!("{name}_NODES"), "Node", forest.nodes.iter().map(node).collect());
    }
    out
}
