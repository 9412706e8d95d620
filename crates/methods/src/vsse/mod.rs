//! VSSE: the most text- and punctuation-laden leaves name a tag path, and the area under it is refined by similarity.

mod area;
mod refine;

use gristmill_html::NodeId;
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, parameters,
    paths::{PathId, TagPaths},
};

pub use refine::SimilarityThreshold;

/// What is scored and kept: single text nodes, or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoringUnit {
    /// Text nodes, as in the paper.
    Leaf,
    /// Rows: links inside of a sentence do not cut it.
    Row,
}

/// How the paths of several seeds become one area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedAggregation {
    /// Longest common prefix of all seeds' paths.
    Prefix,
    /// Equation 2 to the letter: the first `lcs(X, Y)` tags of the accumulated path X.
    Lcs,
    /// The lowest common ancestor of the seeds.
    Dom,
}

/// Which units of the area stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefineRule {
    /// All.
    Off,
    /// Seeds, headings, unlinked units with punctuation, units near the query, and what lies between kept ones.
    Soft,
    /// Only units within `max_distance` of the query (64 bits), as the paper says.
    Literal,
    /// The same with 8 bits, the only width at which the paper's threshold keeps anything.
    Literal8,
}

choices!(ScoringUnit { Leaf "leaf", Row "row" });
choices!(SeedAggregation { Prefix "prefix", Lcs "lcs", Dom "dom" });
choices!(RefineRule { Off "off", Soft "soft", Literal "literal", Literal8 "literal8" });

/// Visual and Semantic Structure Extraction, text part (Zhang et al. 2018, §4.1–4.4).
///
/// Visual value of a unit: characters · punctuation marks (eq. 1; both denominators are the page's number of
/// leaves and cancel). Units with at least `min_ratio` of the largest value are seeds; the aggregated tag path of
/// the seeds spans the area; units of the area are refined by SimHash distance to title and description.
///
/// O(nodes + leaves · depth + words · 64). No punctuation on the page: nothing is kept.
///
/// Ours: `RefineRule::Soft`, because the literal step keeps 0.05 % of the true text (distances of related and unrelated
/// paragraphs do not differ at 64 bits); the weakest seed is dropped while the area is nearly the page.
#[derive(Debug, Clone, Copy)]
pub struct Vsse {
    /// Name in the list of methods.
    pub name: &'static str,
    /// What is scored. Paper: leaves.
    pub unit: ScoringUnit,
    /// T1: least share of the largest visual value that makes a seed. Paper: 0.8.
    pub min_ratio: f64,
    /// How seeds become an area. Paper: unclear between prefix and subsequence.
    pub aggregate: SeedAggregation,
    /// How the area is refined. Paper: literal.
    pub refine: RefineRule,
    /// T2: largest SimHash distance to the query. Paper: 3.
    pub max_distance: SimilarityThreshold,
}

impl Vsse {
    /// The paper's parameters.
    pub const PAPER: Vsse = Vsse {
        name: "vsse",
        unit: ScoringUnit::Leaf,
        min_ratio: 0.8,
        aggregate: SeedAggregation::Prefix,
        refine: RefineRule::Soft,
        max_distance: SimilarityThreshold::Bits(3),
    };
    /// The best combination measured on the development packages: rows, and a lower threshold for seeds.
    pub const TUNED: Vsse = Vsse { name: "vsse-tuned", unit: ScoringUnit::Row, min_ratio: 0.3, ..Vsse::PAPER };
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

impl MainTextExtractor for Vsse {
    fn about(&self) -> MethodDescription {
        MethodDescription {
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
        "t2" max_distance, "T2: largest SimHash distance to the query, in bits, or auto by the width";
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
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
        let area = area::area(self.aggregate, page, paths, &pieces, &seeds, trace);
        let kept = refine::refine(self, &pieces, &seeds, &area, query, trace);
        for at in area.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&at, _)| at) {
            match self.unit {
                ScoringUnit::Leaf => selection.keep_leaf(at),
                ScoringUnit::Row => selection.keep_row(&page.rows[at]),
            }
        }
        selection
    }
}

impl Vsse {
    fn pieces<'p>(&self, page: &'p Page<'_>, paths: &TagPaths) -> Vec<Piece<'p>> {
        match self.unit {
            ScoringUnit::Leaf => page
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
            ScoringUnit::Row => page
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
}

#[cfg(test)]
mod tests;
