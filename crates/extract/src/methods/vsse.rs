//! VSSE: the most text- and punctuation-laden leaves name a tag path, and the area under it is refined by similarity.

use std::collections::HashMap;

use gristmill_html::NodeId;
use gristmill_text::{Bigrams, word_hashes};

use crate::method::{About, Extractor, Query};
use crate::page::Page;
use crate::parameter::{choices, parameters};
use crate::paths::{PathId, Paths, lcs};
use crate::selection::Selection;
use crate::trace::{Trace, TraceValue};

/// What is scored and kept: single text nodes, or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Text nodes, as in the paper.
    Leaf,
    /// Rows: links inside of a sentence do not cut it.
    Row,
}

/// How the paths of several seeds become one area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// Longest common prefix of all seeds' paths.
    Prefix,
    /// Equation 2 to the letter: the first `lcs(X, Y)` tags of the accumulated path X.
    Lcs,
    /// The lowest common ancestor of the seeds.
    Dom,
}

/// Which units of the area stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refine {
    /// All.
    Off,
    /// Seeds, headings, unlinked units with punctuation, units near the query, and what lies between kept ones.
    Soft,
    /// Only units within `max_distance` of the query (64 bits), as the paper says.
    Literal,
    /// The same with 8 bits, the only width at which the paper's threshold keeps anything.
    Literal8,
}

choices!(Unit { Leaf "leaf", Row "row" });
choices!(Aggregate { Prefix "prefix", Lcs "lcs", Dom "dom" });
choices!(Refine { Off "off", Soft "soft", Literal "literal", Literal8 "literal8" });

/// Visual and Semantic Structure Extraction, text part (Zhang et al. 2018, §4.1–4.4).
///
/// Visual value of a unit: characters · punctuation marks (eq. 1; both denominators are the page's number of
/// leaves and cancel). Units with at least `min_ratio` of the largest value are seeds; the aggregated tag path of
/// the seeds spans the area; units of the area are refined by SimHash distance to title and description.
///
/// O(nodes + leaves · depth + words · 64). No punctuation on the page: nothing is kept.
///
/// Ours: `Refine::Soft`, because the literal step keeps 0.05 % of the true text (distances of related and unrelated
/// paragraphs do not differ at 64 bits); the weakest seed is dropped while the area is nearly the page.
#[derive(Debug, Clone, Copy)]
pub struct Vsse {
    /// Name in the list of methods.
    pub name: &'static str,
    /// What is scored. Paper: leaves.
    pub unit: Unit,
    /// T1: least share of the largest visual value that makes a seed. Paper: 0.8.
    pub min_ratio: f64,
    /// How seeds become an area. Paper: unclear between prefix and subsequence.
    pub aggregate: Aggregate,
    /// How the area is refined. Paper: literal.
    pub refine: Refine,
    /// T2: largest SimHash distance to the query, in bits. Paper: 3.
    pub max_distance: u32,
}

/// An area this short, in tags from `html` on, is nearly the page: two tags below `body`.
const MIN_AREA_TAGS: u32 = 4;
const MAX_WORDS: usize = 3_000;

impl Vsse {
    /// The paper's parameters.
    pub const PAPER: Vsse = Vsse {
        name: "vsse",
        unit: Unit::Leaf,
        min_ratio: 0.8,
        aggregate: Aggregate::Prefix,
        refine: Refine::Soft,
        max_distance: 3,
    };
    /// The best combination measured on the development packages: rows, and a lower threshold for seeds.
    pub const TUNED: Vsse = Vsse { name: "vsse-tuned", unit: Unit::Row, min_ratio: 0.3, ..Vsse::PAPER };
}

/// A leaf or row as VSSE sees it.
struct Piece<'p> {
    node: NodeId,
    path: PathId,
    text: &'p str,
    chars: u32,
    marks: u32,
    link: bool,
    heading: bool,
    block: NodeId,
}

impl Extractor for Vsse {
    fn about(&self) -> About {
        About {
            name: self.name,
            paper: "Zhang et al., Visual and Semantic Structure Extraction, 2018, §4",
            cost: "O(nodes + leaves · depth + 64 · words)",
        }
    }

    parameters! {
        "unit" unit, "what is scored: leaves (paper) or rows";
        "t1" min_ratio in 0.0..=1.0, "T1: least share of the largest visual value that makes a seed";
        "agg" aggregate, "how the seeds' paths become an area (eq. 2)";
        "refine" refine, "how the area is refined (§4.4)";
        "t2" max_distance in 0..=64, "T2: largest SimHash distance to the query, in bits";
    }

    fn select(&self, page: &Page<'_>, query: &Query<'_>, trace: &mut Trace) -> Selection {
        let mut selection = Selection::none(page);
        let paths = page.paths();
        let pieces = self.pieces(page, paths);
        let n = page.leaves.len() as f64;
        let product = |piece: &Piece<'_>| u64::from(piece.chars) * u64::from(piece.marks);
        trace.note("vvtc", || TraceValue::Series(pieces.iter().map(|p| product(p) as f64 / (n * n)).collect()));
        let max = pieces.iter().map(product).max().unwrap_or(0);
        if max == 0 {
            return selection;
        }
        let ratio = |piece: &Piece<'_>| product(piece) as f64 / max as f64;
        trace.note("ratios", || TraceValue::Series(pieces.iter().map(ratio).collect()));
        let seeds: Vec<usize> = (0..pieces.len()).filter(|&at| ratio(&pieces[at]) >= self.min_ratio).collect();
        let area = self.area(page, paths, &pieces, &seeds, trace);
        let kept = refine(self, &pieces, &seeds, &area, query, trace);
        for at in area.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&at, _)| at) {
            match self.unit {
                Unit::Leaf => selection.keep_leaf(at),
                Unit::Row => selection.keep_row(&page.rows[at]),
            }
        }
        selection
    }
}

impl Vsse {
    fn pieces<'p>(&self, page: &'p Page<'_>, paths: &Paths) -> Vec<Piece<'p>> {
        match self.unit {
            Unit::Leaf => page
                .leaves
                .iter()
                .map(|leaf| Piece {
                    node: leaf.node,
                    path: paths.of(leaf.node),
                    text: page.leaf_text(leaf),
                    chars: leaf.chars,
                    marks: leaf.marks.all,
                    link: leaf.in_link,
                    heading: leaf.in_heading,
                    block: page.rows[leaf.row as usize].block,
                })
                .collect(),
            Unit::Row => page
                .rows
                .iter()
                .map(|row| Piece {
                    node: row.block,
                    path: paths.of(row.block),
                    text: page.row_text(row),
                    chars: row.chars,
                    marks: row.marks.all,
                    link: row.is_link(),
                    heading: row.in_heading,
                    block: page.doc.parent(row.block).unwrap_or(row.block),
                })
                .collect(),
        }
    }

    /// The units under the path (or ancestor) that the seeds agree on, in document order.
    fn area(
        &self,
        page: &Page<'_>,
        paths: &Paths,
        pieces: &[Piece<'_>],
        seeds: &[usize],
        trace: &mut Trace,
    ) -> Vec<usize> {
        trace.note("seeds", || TraceValue::Series(seeds.iter().map(|&at| at as f64).collect()));
        if self.aggregate == Aggregate::Dom {
            let ancestor = common_ancestor(page, pieces, seeds);
            return (0..pieces.len()).filter(|&at| page.doc.contains(ancestor, pieces[at].node)).collect();
        }
        let mut seeds = seeds.to_vec();
        let mut path = self.fold(paths, pieces, &seeds);
        while paths.len(path) < MIN_AREA_TAGS && seeds.len() > 1 {
            let weight = |at: usize| u64::from(pieces[at].chars) * u64::from(pieces[at].marks);
            let weakest = (0..seeds.len()).min_by_key(|&n| (weight(seeds[n]), std::cmp::Reverse(n)));
            seeds.remove(weakest.expect("more than one seed is left"));
            path = self.fold(paths, pieces, &seeds);
        }
        trace.note("path", || TraceValue::Text(paths.to_text(page.doc, path)));
        trace.note("collapsed", || TraceValue::Flag(paths.len(path) < MIN_AREA_TAGS));
        let below = paths.below(path);
        (0..pieces.len()).filter(|&at| below[pieces[at].path as usize]).collect()
    }

    fn fold(&self, paths: &Paths, pieces: &[Piece<'_>], seeds: &[usize]) -> PathId {
        seeds
            .iter()
            .map(|&at| pieces[at].path)
            .reduce(|x, y| match self.aggregate {
                Aggregate::Lcs => paths.prefix(x, lcs(&paths.names(x), &paths.names(y))),
                Aggregate::Prefix | Aggregate::Dom => paths.common_prefix(x, y),
            })
            .expect("the unit with the largest value is a seed")
    }
}

/// The lowest node that contains all seeds; the parent of a single seed.
fn common_ancestor(page: &Page<'_>, pieces: &[Piece<'_>], seeds: &[usize]) -> NodeId {
    let doc = page.doc;
    let mut ancestor = pieces[seeds[0]].node;
    if seeds.len() == 1 {
        return doc.parent(ancestor).unwrap_or(ancestor);
    }
    for &seed in seeds {
        while !doc.contains(ancestor, pieces[seed].node) {
            ancestor = doc.parent(ancestor).expect("the document contains every node");
        }
    }
    ancestor
}

/// Which units of the area stay, in its order.
fn refine(
    vsse: &Vsse,
    pieces: &[Piece<'_>],
    seeds: &[usize],
    area: &[usize],
    query: &Query<'_>,
    trace: &mut Trace,
) -> Vec<bool> {
    let (bits, literal) = match vsse.refine {
        Refine::Off => return vec![true; area.len()],
        Refine::Soft => (64, false),
        Refine::Literal => (64, true),
        Refine::Literal8 => (8, true),
    };
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
            *kept |= distance <= vsse.max_distance;
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
        word_hashes(pieces[at].text, &Bigrams, MAX_WORDS, &mut words);
        ends.push(words.len());
    }
    let texts: Vec<&[u64]> =
        ends.iter().scan(0, |start, &end| Some(&words[std::mem::replace(start, end)..end])).collect();
    let weights = Weights::new(&texts);
    let mut asked = Vec::new();
    word_hashes(question, &Bigrams, MAX_WORDS, &mut asked);
    let asked = weights.simhash(&asked);
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let distance = |text: &[u64]| ((weights.simhash(text) ^ asked) & mask).count_ones();
    texts.iter().zip(settled).map(|(text, settled)| if *settled { u32::MAX } else { distance(text) }).collect()
}

/// Keyword weights: `w(k) = TF · (ln(N / N_k) + L)` with L = 1, else an area of one paragraph would have none.
struct Weights {
    n_texts: f64,
    n_with: HashMap<u64, (u32, u32)>,
}

impl Weights {
    /// `N` = texts with at least one word, `N_k` = texts with word k.
    fn new(texts: &[&[u64]]) -> Weights {
        let mut n_with: HashMap<u64, (u32, u32)> = HashMap::new();
        for (text, n) in texts.iter().zip(1u32..) {
            for &word in *text {
                let (count, seen_in) = n_with.entry(word).or_default();
                if *seen_in != n {
                    (*count, *seen_in) = (*count + 1, n);
                }
            }
        }
        Weights { n_texts: texts.iter().filter(|text| !text.is_empty()).count() as f64, n_with }
    }

    fn weight(&self, word: u64, frequency: u32) -> f64 {
        let n_with = self.n_with.get(&word).map_or(1, |(count, _)| *count);
        weight(f64::from(frequency), self.n_texts.max(1.0), f64::from(n_with), 1.0)
    }

    fn simhash(&self, text: &[u64]) -> u64 {
        let mut sorted = text.to_vec();
        sorted.sort_unstable();
        simhash(sorted.chunk_by(|a, b| a == b).map(|same| (same[0], self.weight(same[0], same.len() as u32))))
    }
}

fn weight(frequency: f64, n_texts: f64, n_with: f64, l: f64) -> f64 {
    frequency * ((n_texts / n_with).ln() + l)
}

/// Weighted bit votes; a tie gives 0.
fn simhash(words: impl Iterator<Item = (u64, f64)>) -> u64 {
    let mut votes = [0f64; 64];
    for (hash, weight) in words {
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    votes.iter().enumerate().filter(|(_, vote)| **vote > 0.0).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::{Doc, Limits};

    /// A leaf of `chars` characters, `marks` of them commas; the others are letters.
    fn leaf(chars: usize, marks: usize) -> String {
        format!("{}{}", "x".repeat(chars - marks), ",".repeat(marks))
    }

    /// Eight leaves with the products 80, 102, 100 and 11 of Fig. 3 among them.
    fn figure_3() -> String {
        let article = [leaf(40, 2), leaf(51, 2), leaf(50, 2), leaf(11, 1)];
        let article = article.map(|text| format!("<p>{text}</p>")).concat();
        format!("<body><ul><li>a<li>b<li>c</ul><div><div>{article}</div></div><i>d</i>")
    }

    fn select(vsse: Vsse, html: &str, title: &str) -> (Vec<String>, Trace) {
        let doc = Doc::parse(html, &Limits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let query = Query { title: Some(title), description: "" };
        let selection = vsse.select(&page, &query, &mut trace);
        let kept = (0..page.leaves.len()).filter(|&at| selection.keeps(at));
        (kept.map(|at| page.leaf_text(&page.leaves[at]).to_owned()).collect(), trace)
    }

    fn series(trace: &Trace, name: &str) -> Vec<f64> {
        match trace.get(name) {
            Some(TraceValue::Series(values)) => values.clone(),
            other => panic!("`{name}` is {other:?}"),
        }
    }

    #[test]
    fn the_visual_values_of_figure_3_come_out() {
        let (_, trace) = select(Vsse::PAPER, &figure_3(), "");
        let vvtc = series(&trace, "vvtc");
        assert_eq!(vvtc.len(), 8);
        assert_eq!(vvtc[3..7], [1.25, 1.59375, 1.5625, 0.171875]);
    }

    #[test]
    fn seeds_are_leaves_two_and_three_and_their_path_brings_the_article_back() {
        let (kept, trace) = select(Vsse::PAPER, &figure_3(), "");
        assert_eq!(series(&trace, "seeds"), [4.0, 5.0]);
        assert_eq!(trace.get("path"), Some(&TraceValue::Text("html body div div p".into())));
        assert_eq!(kept.len(), 4);
    }

    #[test]
    fn a_page_without_punctuation_has_no_seeds() {
        assert!(select(Vsse::PAPER, "<p>no marks at all</p>", "marks").0.is_empty());
    }

    #[test]
    fn the_weakest_seed_goes_when_the_area_would_be_the_page() {
        let (long, longer) = (leaf(90, 2), leaf(100, 2));
        let html = format!("<body><div><div><p>{longer}</p><p>b</p></div></div><ul><li>{long}</ul>");
        let (_, trace) = select(Vsse { refine: Refine::Off, ..Vsse::PAPER }, &html, "");
        assert_eq!(trace.get("path"), Some(&TraceValue::Text("html body div div p".into())));
        assert_eq!(trace.get("collapsed"), Some(&TraceValue::Flag(false)));
    }

    #[test]
    fn soft_refining_drops_captions_but_not_what_sentences_enclose() {
        let html = "<div><div><p>Caption alone</p><p>A sentence, with marks.</p><p>No mark here</p>
            <p>Another sentence, the end.</p><p><a href=x>Read more, please</a></p></div></div>";
        let (kept, _) = select(Vsse { min_ratio: 0.9, ..Vsse::TUNED }, html, "unrelated words");
        assert_eq!(kept, ["A sentence, with marks.", "No mark here", "Another sentence, the end."]);
    }

    #[test]
    fn literal_refining_keeps_what_equals_the_query() {
        let html = "<div><div><p>storm, coast</p><p>quite something, else again</p></div></div>";
        let (kept, _) = select(Vsse { refine: Refine::Literal, ..Vsse::PAPER }, html, "storm coast");
        assert_eq!(kept, ["storm, coast"]);
    }

    #[test]
    fn aggregation_by_tree_takes_the_lowest_common_ancestor() {
        let html =
            format!("<body><div id=a><p>{0}</p><section><p>{0}</p></section></div><div><p>out</p></div>", leaf(50, 2));
        let dom = Vsse { aggregate: Aggregate::Dom, refine: Refine::Off, ..Vsse::PAPER };
        assert_eq!(select(dom, &html, "").0.len(), 2);
        let lcs = Vsse { aggregate: Aggregate::Lcs, ..dom };
        assert_eq!(select(lcs, &html, "").1.get("path"), Some(&TraceValue::Text("html body div p".into())));
    }

    #[test]
    fn keyword_weights_follow_equation_4() {
        assert!((weight(2.0, 4.0, 1.0, 1.0) - 4.7726).abs() < 1e-4);
        assert_eq!(weight(3.0, 4.0, 4.0, 1.0), 3.0);
        assert_eq!(weight(5.0, 1.0, 1.0, 0.0), 0.0);
        let (a, b): (&[u64], &[u64]) = (&[7, 7, 8], &[8]);
        let weights = Weights::new(&[a, b]);
        assert_eq!(weights.weight(8, 1), 1.0);
        assert_eq!(weights.weight(99, 1), weights.weight(7, 1), "a query word absent from the area counts once");
    }

    #[test]
    fn the_four_bit_toy_votes_1010() {
        let words = [(0b1010, 2.0), (0b0110, 1.0), (0b0011, 0.5)];
        assert_eq!(simhash(words.into_iter()) & 0b1111, 0b1010);
    }
}
