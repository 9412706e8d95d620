//! CEPR: leaves whose tag path usually holds much text, seen as a smoothed histogram over the page.

use std::collections::HashMap;

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, parameters,
    paths::{PathId, TagPaths},
};

/// What a tag path is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRatio {
    /// Text to tag path ratio: mean length of its leaves.
    Tpr,
    /// Extended: mean length · mean punctuation · σ of the lengths · σ of the punctuation.
    Etpr,
}

/// How the histogram over the leaves is smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothing {
    /// Not at all.
    None,
    /// Gaussian, a neighbour counting less the more its path differs.
    Weighted,
}

choices!(PathRatio { Tpr "tpr", Etpr "etpr" });
choices!(Smoothing { None "none", Weighted "weighted" });

/// Content Extraction via tag Path Ratios.
///
/// Every leaf gets the ratio of its tag path (`html` to the leaf's parent); the histogram over the leaves in document
/// order is smoothed with the neighbours at distance 1, weighted exp(−½) / (1 + edit distance of the paths), and
/// normalised; leaves with at least λ standard deviations of the smoothed histogram are main text.
///
/// ETPR of a path: Σlength · Σpunctuation / n² · max(σ length, 1) · max(σ punctuation, 1) over its n leaves; without
/// the bound a path with one leaf would be worth nothing. Standard deviations are those of a population.
///
/// O(nodes + 32² · changes of path). Edit distances count at most [`MAX_COMPARED`] tags of what two neighbouring
/// paths do not share at their ends, which is exact on every page but hostile ones.
///
/// Source: Wu, Li, Hu & Wu, *Web news extraction via path ratios*, 2013.
#[derive(Debug, Clone, Copy)]
pub struct Cepr {
    /// TPR or ETPR.
    pub ratio: PathRatio,
    /// Smoothing of the histogram.
    pub smoothing: Smoothing,
    /// λ: least value of a leaf, in standard deviations of the histogram.
    pub lambda: f64,
}

const MAX_COMPARED: usize = 32;

impl Cepr {
    /// Weighted TPR, λ = 1.
    pub const PAPER: Cepr = Cepr { ratio: PathRatio::Tpr, smoothing: Smoothing::Weighted, lambda: 1.0 };
}

impl MainTextExtractor for Cepr {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "cepr", paper: "Wu et al., Web news extraction via path ratios, 2013", cost: "O(n)" }
    }

    parameters! {
        "ratio" ratio, "tpr: mean length of a path's leaves; etpr: with punctuation and deviations";
        "smoothing" smoothing, "of the histogram: none or weighted";
        "lambda" lambda in 0.0..=10.0, "λ: least value of a leaf, in standard deviations";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let paths = page.paths();
        let of_leaf: Vec<PathId> = page.leaves.iter().map(|leaf| paths.of(leaf.node)).collect();
        let ratios = ratios(self.ratio, page, paths, &of_leaf);
        let histogram: Vec<f64> = of_leaf.iter().map(|&path| ratios[path as usize]).collect();
        trace.note("histogram", || TraceValue::Series(histogram.clone()));
        let histogram = match self.smoothing {
            Smoothing::None => histogram,
            Smoothing::Weighted => smooth(paths, &of_leaf, &histogram),
        };
        let threshold = self.lambda * deviation(&histogram);
        let mut selection = Selection::none(page);
        for (leaf, _) in histogram.iter().enumerate().filter(|(_, value)| **value >= threshold) {
            selection.keep_leaf(leaf);
        }
        trace.note("smoothed", || TraceValue::Series(histogram));
        trace.note("threshold", || TraceValue::Number(threshold));
        selection
    }
}

/// Sums over the leaves of one path.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    leaves: f64,
    chars: f64,
    squared_chars: f64,
    marks: f64,
    squared_marks: f64,
}

impl Sums {
    fn add(&mut self, chars: u32, marks: u32) {
        let (chars, marks) = (f64::from(chars), f64::from(marks));
        self.leaves += 1.0;
        self.chars += chars;
        self.squared_chars += chars * chars;
        self.marks += marks;
        self.squared_marks += marks * marks;
    }

    fn ratio(&self, ratio: PathRatio) -> f64 {
        let n = self.leaves.max(1.0);
        if ratio == PathRatio::Tpr {
            return self.chars / n;
        }
        let sigma = |sum: f64, squares: f64| (squares / n - (sum / n) * (sum / n)).max(0.0).sqrt().max(1.0);
        let sigmas = sigma(self.chars, self.squared_chars) * sigma(self.marks, self.squared_marks);
        self.chars * self.marks / (n * n) * sigmas
    }
}

/// The ratio of each path of the page; 0 for a path without leaves.
fn ratios(ratio: PathRatio, page: &Page<'_>, paths: &TagPaths, of_leaf: &[PathId]) -> Vec<f64> {
    let mut sums = vec![Sums::default(); paths.count()];
    for (leaf, &path) in page.leaves.iter().zip(of_leaf) {
        sums[path as usize].add(leaf.chars, leaf.marks.all);
    }
    sums.iter().map(|sums| sums.ratio(ratio)).collect()
}

fn smooth(paths: &TagPaths, of_leaf: &[PathId], histogram: &[f64]) -> Vec<f64> {
    let mut known: HashMap<(PathId, PathId), f64> = HashMap::new();
    // weights[i] stands between leaf i and leaf i + 1.
    let weights: Vec<f64> = of_leaf
        .windows(2)
        .map(|pair| match pair[0] == pair[1] {
            true => weight(0),
            false => *known
                .entry((pair[0].min(pair[1]), pair[0].max(pair[1])))
                .or_insert_with(|| weight(edit_distance(paths, pair[0], pair[1]))),
        })
        .collect();
    (0..histogram.len())
        .map(|at| {
            let (mut sum, mut weighed) = (histogram[at], 1.0);
            if at > 0 {
                sum += weights[at - 1] * histogram[at - 1];
                weighed += weights[at - 1];
            }
            if let Some(weight) = weights.get(at) {
                sum += weight * histogram[at + 1];
                weighed += weight;
            }
            sum / weighed
        })
        .collect()
}

/// exp(−d²/2) for the distance d = 1, over one plus the edit distance of the paths.
fn weight(edits: usize) -> f64 {
    (-0.5f64).exp() / (1.0 + edits as f64)
}

/// Edit distance of two tag paths; see [`Cepr`] for its bound. O(tags that differ + 32²).
fn edit_distance(paths: &TagPaths, a: PathId, b: PathId) -> usize {
    let shared = paths.len(paths.common_prefix(a, b));
    let (a, b) = (paths.names_below(a, shared), paths.names_below(b, shared));
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let (a, b) = (&a[..a.len().min(MAX_COMPARED)], &b[..b.len().min(MAX_COMPARED)]);
    let mut costs: Vec<usize> = (0..=a.len()).collect();
    for (row, name) in b.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], row + 1);
        for (at, other) in a.iter().enumerate() {
            let above = costs[at + 1];
            costs[at + 1] = (diagonal + usize::from(name != other)).min(above + 1).min(costs[at] + 1);
            diagonal = above;
        }
    }
    costs[a.len()]
}

/// Standard deviation of a population; 0 for none.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt()
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn select(cepr: Cepr, html: &str) -> (Vec<bool>, Trace) {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let selection = cepr.select(&page, &MethodInput::default(), &mut trace);
        ((0..page.leaves.len()).map(|leaf| selection.keeps(leaf)).collect(), trace)
    }

    fn series(trace: &Trace, name: &str) -> Vec<f64> {
        match trace.get(name) {
            Some(TraceValue::Series(values)) => values.clone(),
            other => panic!("`{name}` is {other:?}"),
        }
    }

    #[test]
    fn a_path_is_worth_the_mean_length_of_its_leaves() {
        let html = format!(
            "<h1>{}</h1><div><div><div><p>{}</p><p>{}<a href=x>{}</a></p></div></div></div>",
            "h".repeat(40),
            "p".repeat(300),
            "q".repeat(345),
            "a".repeat(7)
        );
        let (_, trace) = select(Cepr { smoothing: Smoothing::None, ..Cepr::PAPER }, &html);
        assert_eq!(series(&trace, "histogram"), [40.0, 322.5, 322.5, 7.0]);
    }

    #[test]
    fn smoothing_draws_a_leaf_to_neighbours_with_a_similar_path() {
        let html = "<p>aaaaaaaaaa</p><p>bb<b>cc</b></p>";
        let (_, trace) = select(Cepr::PAPER, html);
        let [near, inner] = [weight(0), weight(1)];
        assert_eq!(near, (-0.5f64).exp());
        assert_eq!(inner, near / 2.0);
        let expected = [
            (6.0 + near * 6.0) / (1.0 + near),
            (6.0 + near * 6.0 + inner * 2.0) / (1.0 + near + inner),
            (2.0 + inner * 6.0) / (1.0 + inner),
        ];
        assert_eq!(series(&trace, "smoothed"), expected);
    }

    #[test]
    fn paths_are_compared_by_edits() {
        let html = "<div><p>a</p><section><p>b</p></section></div><i>c</i>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let paths = TagPaths::new(&doc);
        let of = |text: &str| paths.of(doc.ids().find(|&id| doc.text(id) == text).unwrap());
        assert_eq!(edit_distance(&paths, of("a"), of("b")), 1);
        assert_eq!(edit_distance(&paths, of("b"), of("c")), 3);
        assert_eq!(edit_distance(&paths, of("a"), of("a")), 0);
    }

    #[test]
    fn the_extended_ratio_multiplies_means_and_deviations() {
        // Lengths 4 and 8, marks 1 and 5: means 6 and 3, deviations 2 and 2.
        let mut sums = Sums::default();
        sums.add(4, 1);
        sums.add(8, 5);
        assert_eq!(sums.ratio(PathRatio::Etpr), 6.0 * 3.0 * 2.0 * 2.0);
        let mut alone = Sums::default();
        alone.add(40, 2);
        assert_eq!(alone.ratio(PathRatio::Etpr), 80.0, "a deviation below 1 counts as 1");
    }

    #[test]
    fn long_paths_stay_and_short_ones_go() {
        let text = "x".repeat(200);
        let html = format!("<ul><li>a<li>b<li>c<li>d</ul><p>{text}</p><p>{text}</p><ul><li>e<li>f</ul>");
        let (kept, trace) = select(Cepr { smoothing: Smoothing::None, ..Cepr::PAPER }, &html);
        assert_eq!(kept, [false, false, false, false, true, true, false, false]);
        assert!(matches!(trace.get("threshold"), Some(TraceValue::Number(n)) if (80.0..100.0).contains(n)));
    }

    #[test]
    fn a_page_without_leaves_is_no_error() {
        assert!(select(Cepr::PAPER, "").0.is_empty());
    }
}
