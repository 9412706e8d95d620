//! Gradient-boosted trees over a handful of features: prediction for the small models that ship, and their trainer.
//!
//! No I/O, and no randomness but a fixed one: the same rows give the same forest every time.
//!
//! ```
//! use gristmill_models::trees::{LevelwiseParams, TrainingRows, grow};
//!
//! let mut rows = TrainingRows { width: 1, ..TrainingRows::default() };
//! for n in 0..100u8 {
//!     rows.features.push(f32::from(n));
//!     rows.labels.push(if n < 50 { 0.0 } else { 1.0 });
//!     rows.weights.push(1.0);
//! }
//! let forest = grow(&rows, &LevelwiseParams { feature_share: 1.0, ..LevelwiseParams::default() });
//! assert!(forest.as_ref().probability(&[80.0]) > 0.9);
//! assert!(forest.as_ref().probability(&[20.0]) < 0.1);
//! ```

mod batch;
mod leafwise;

pub use batch::BatchForest;
pub use leafwise::{LeafwiseParams, grow_leaves};

use crate::{ModelError, ModelFile};

/// One node of a tree, in a flat table. A leaf has `feature == LEAF` and its value in `threshold`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeNode {
    /// Index of the feature, or [`TreeNode::LEAF`].
    pub feature: u16,
    /// The left child, at the same table; the right one follows it.
    pub left: u16,
    /// Go left if the feature is at most this; or the value of a leaf.
    pub threshold: f32,
}

impl TreeNode {
    /// Marks a leaf.
    pub const LEAF: u16 = u16::MAX;
}

/// A sum of trees through the logistic function.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    /// Log odds before any tree.
    pub bias: f32,
    /// Where each tree begins in `nodes`.
    pub roots: Vec<u16>,
    /// All trees, one after the other; children by index into this table.
    pub nodes: Vec<TreeNode>,
}

/// A forest as borrowed tables.
#[derive(Debug, Clone, Copy)]
pub struct ForestRef<'f> {
    /// Log odds before any tree.
    pub bias: f32,
    /// Where each tree begins.
    pub roots: &'f [u16],
    /// All trees.
    pub nodes: &'f [TreeNode],
}

impl Forest {
    /// The forest as borrowed tables.
    pub fn as_ref(&self) -> ForestRef<'_> {
        ForestRef { bias: self.bias, roots: &self.roots, nodes: &self.nodes }
    }

    /// The model with this forest, in tables whose names begin with `name`. O(nodes).
    #[must_use]
    pub fn add_to(&self, model: ModelFile, name: &str) -> ModelFile {
        model
            .with(format!("{name}.bias"), vec![self.bias])
            .with(format!("{name}.roots"), self.roots.clone())
            .with(format!("{name}.feature"), self.nodes.iter().map(|node| node.feature).collect())
            .with(format!("{name}.left"), self.nodes.iter().map(|node| node.left).collect())
            .with(format!("{name}.threshold"), self.nodes.iter().map(|node| node.threshold).collect())
    }

    /// The forest that [`Forest::add_to`] gave to a model. O(nodes).
    ///
    /// # Errors
    /// If a table is missing or the columns of nodes differ in length.
    pub fn read(model: &ModelFile, name: &str) -> Result<Forest, ModelError> {
        let thresholds = model.table::<f32>(&format!("{name}.threshold"))?;
        let column = |table: &str| {
            let values = model.table::<u16>(&format!("{name}.{table}"))?;
            let expected = || format!("{} u16", thresholds.len());
            let missing = || ModelError::Table { name: format!("{name}.{table}"), expected: expected() };
            (values.len() == thresholds.len()).then_some(values).ok_or_else(missing)
        };
        let nodes = column("feature")?.iter().zip(column("left")?).zip(thresholds);
        let node = |((&feature, &left), &threshold)| TreeNode { feature, left, threshold };
        Ok(Forest {
            bias: model.number(&format!("{name}.bias"))?,
            roots: model.table(&format!("{name}.roots"))?.to_vec(),
            nodes: nodes.map(node).collect(),
        })
    }
}

impl ForestRef<'_> {
    /// The probability of the positive class. Missing features count as 0. O(trees · depth).
    pub fn probability(&self, features: &[f32]) -> f32 {
        1.0 / (1.0 + (-self.log_odds(features)).exp())
    }

    /// The same as log odds, the sum of all trees; at most -7 once that is certain enough.
    pub fn log_odds(&self, features: &[f32]) -> f32 {
        let mut sum = self.bias;
        for roots in self.roots.chunks(28) {
            sum += roots.iter().map(|&root| self.walk(root, features)).sum::<f32>();
            // Hopeless after some of the trees: most candidates of a page are.
            if sum < HOPELESS {
                break;
            }
        }
        sum
    }

    pub(crate) fn walk(&self, root: u16, features: &[f32]) -> f32 {
        let mut at = usize::from(root);
        loop {
            let Some(node) = self.nodes.get(at) else { return 0.0 };
            if node.feature == TreeNode::LEAF {
                return node.threshold;
            }
            let value = features.get(usize::from(node.feature)).copied().unwrap_or(0.0);
            at = usize::from(node.left) + usize::from(value > node.threshold);
        }
    }
}

/// Log odds (0.1 %) from which the remaining trees are not asked.
const HOPELESS: f32 = -7.0;

/// How to grow a forest.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelwiseParams {
    /// Number of trees.
    pub n_trees: usize,
    /// Levels of each tree.
    pub depth: usize,
    /// Shrinkage of each tree.
    pub rate: f32,
    /// Ridge on the leaves' values.
    pub lambda: f32,
    /// Least sum of hessians in a leaf.
    pub min_weight: f32,
    /// Share of the features that each tree may use, drawn by a fixed generator.
    pub feature_share: f32,
    /// Share of the rows that each tree learns from, drawn in runs of 64, so that most of a page goes or stays.
    pub row_share: f32,
    /// How many forests are grown, each with draws of its own; the result is their mean (bagging, Breiman 1996). One forest over few
    /// pages depends on its draws, and the mean does less.
    pub n_forests: usize,
}

impl Default for LevelwiseParams {
    fn default() -> Self {
        LevelwiseParams {
            n_trees: 80,
            depth: 5,
            rate: 0.12,
            lambda: 2.0,
            min_weight: 2.0,
            feature_share: 0.5,
            row_share: 1.0,
            n_forests: 1,
        }
    }
}

/// Training rows: features row by row, one label and one weight each.
#[derive(Debug, Clone, Default)]
pub struct TrainingRows {
    /// Number of features of a row.
    pub width: usize,
    /// `width` numbers a row.
    pub features: Vec<f32>,
    /// 1 for the positive class.
    pub labels: Vec<f32>,
    /// Weight of each row.
    pub weights: Vec<f32>,
}

const N_BINS: usize = 48;

struct Binned {
    /// Per feature: the bin of each row.
    bins: Vec<Vec<u8>>,
    /// Per feature: upper edges of its bins, ascending.
    edges: Vec<Vec<f32>>,
}

/// Grows a forest by gradient boosting on the logistic loss, histograms of 48 bins, no randomness but a fixed one. All trees together
/// have at most 65,535 nodes.
///
/// O(forests · trees · depth · rows · features).
pub fn grow(rows: &TrainingRows, growth: &LevelwiseParams) -> Forest {
    let n = rows.labels.len();
    if n == 0 || rows.width == 0 {
        return Forest::default();
    }
    let binned = bin(rows);
    let forests: Vec<Forest> =
        (0..growth.n_forests.max(1) as u64).map(|number| grow_one(rows, &binned, growth, number)).collect();
    mean(&forests)
}

/// The forest whose log odds are the mean of those of all. Their trees take turns, so that any first part of it says what a first part
/// of each would.
fn mean(forests: &[Forest]) -> Forest {
    let share = 1.0 / forests.len() as f32;
    let mut all = Forest { bias: forests.iter().map(|forest| forest.bias * share).sum(), ..Forest::default() };
    for n in 0..forests.iter().map(|forest| forest.roots.len()).max().unwrap_or_default() {
        for forest in forests {
            let Some(&root) = forest.roots.get(n) else { continue };
            let end = forest.roots.get(n + 1).map_or(forest.nodes.len(), |&next| usize::from(next));
            let moved = all.nodes.len() as u16;
            all.roots.push(moved);
            all.nodes.extend(forest.nodes[usize::from(root)..end].iter().map(|&node| match node.feature {
                TreeNode::LEAF => TreeNode { threshold: node.threshold * share, ..node },
                _ => TreeNode { left: node.left - root + moved, ..node },
            }));
        }
    }
    all
}

fn grow_one(rows: &TrainingRows, binned: &Binned, growth: &LevelwiseParams, number: u64) -> Forest {
    let n = rows.labels.len();
    let total: f32 = rows.weights.iter().sum();
    let positive: f32 = rows.labels.iter().zip(&rows.weights).map(|(label, weight)| label * weight).sum();
    let share = (positive / total).clamp(0.001, 0.999);
    let mut forest = Forest { bias: (share / (1.0 - share)).ln(), ..Forest::default() };
    let mut sums = vec![forest.bias; n];
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ number.wrapping_mul(0xD129_0DDB_53C4_3E49));
    for _ in 0..growth.n_trees {
        let mut gradients = Vec::with_capacity(n);
        let mut taken = true;
        for (row, &sum) in sums.iter().enumerate() {
            if row % 64 == 0 {
                taken = random.share() <= growth.row_share;
            }
            if !taken {
                gradients.push((0.0, 0.0));
                continue;
            }
            let p = 1.0 / (1.0 + (-sum).exp());
            let weight = rows.weights[row];
            gradients.push(((p - rows.labels[row]) * weight, (p * (1.0 - p)).max(1e-6) * weight));
        }
        let features: Vec<usize> = (0..rows.width).filter(|_| random.share() <= growth.feature_share).collect();
        let root = forest.nodes.len() as u16;
        let mut tree = Tree { binned, gradients: &gradients, growth, features: &features, sums: &mut sums };
        tree.grow(&mut forest.nodes);
        forest.roots.push(root);
    }
    forest
}

/// A xorshift generator: the same forest every time.
struct Random(u64);

impl Random {
    /// A number between 0 and 1.
    fn share(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}

struct Tree<'t> {
    binned: &'t Binned,
    gradients: &'t [(f32, f32)],
    growth: &'t LevelwiseParams,
    features: &'t [usize],
    sums: &'t mut [f32],
}

impl Tree<'_> {
    fn grow(&mut self, nodes: &mut Vec<TreeNode>) {
        let leaf = TreeNode { feature: TreeNode::LEAF, left: 0, threshold: 0.0 };
        nodes.push(leaf);
        let all: Vec<u32> = (0..self.gradients.len() as u32).collect();
        // (node, its rows, depth)
        let mut open = vec![(nodes.len() - 1, all, 0)];
        while let Some((at, rows, depth)) = open.pop() {
            let split = if depth < self.growth.depth { self.best(&rows) } else { None };
            let Some((feature, bin)) = split else {
                let (g, h) = self.total(&rows);
                let value = -g / (h + self.growth.lambda) * self.growth.rate;
                nodes[at].threshold = value;
                for &row in &rows {
                    self.sums[row as usize] += value;
                }
                continue;
            };
            let bins = &self.binned.bins[feature];
            let (left, right) = rows.into_iter().partition(|&row| usize::from(bins[row as usize]) <= bin);
            let first = nodes.len();
            nodes.extend([leaf, leaf]);
            let threshold = self.binned.edges[feature][bin];
            nodes[at] = TreeNode { feature: feature as u16, left: first as u16, threshold };
            open.push((first, left, depth + 1));
            open.push((first + 1, right, depth + 1));
        }
    }

    fn total(&self, rows: &[u32]) -> (f32, f32) {
        rows.iter().fold((0.0, 0.0), |(g, h), &row| {
            let (dg, dh) = self.gradients[row as usize];
            (g + dg, h + dh)
        })
    }

    fn best(&self, rows: &[u32]) -> Option<(usize, usize)> {
        let (g, h) = self.total(rows);
        let lambda = self.growth.lambda;
        let score = |g: f32, h: f32| g * g / (h + lambda);
        let gradients: Vec<(f32, f32)> = rows.iter().map(|&row| self.gradients[row as usize]).collect();
        let mut best: Option<(f32, usize, usize)> = None;
        for &feature in self.features {
            let mut histogram = [(0.0f32, 0.0f32); N_BINS];
            let bins = &self.binned.bins[feature];
            if self.binned.edges[feature].is_empty() {
                continue;
            }
            for (&row, (dg, dh)) in rows.iter().zip(&gradients) {
                let sums = &mut histogram[usize::from(bins[row as usize])];
                sums.0 += dg;
                sums.1 += dh;
            }
            let (mut lg, mut lh) = (0.0, 0.0);
            for (bin, (dg, dh)) in histogram.iter().enumerate().take(self.binned.edges[feature].len()) {
                lg += dg;
                lh += dh;
                if lh < self.growth.min_weight || h - lh < self.growth.min_weight {
                    continue;
                }
                let gain = score(lg, lh) + score(g - lg, h - lh) - score(g, h);
                if gain > 0.02 && best.is_none_or(|(most, ..)| gain > most) {
                    best = Some((gain, feature, bin));
                }
            }
        }
        best.map(|(_, feature, bin)| (feature, bin))
    }
}

fn bin(rows: &TrainingRows) -> Binned {
    let (width, n) = (rows.width, rows.labels.len());
    let mut edges = Vec::with_capacity(width);
    for feature in 0..width {
        let mut values: Vec<f32> = (0..n).map(|row| rows.features[row * width + feature]).collect();
        values.sort_unstable_by(f32::total_cmp);
        let mut cuts: Vec<f32> = Vec::new();
        let distinct = values.chunk_by(|a, b| a == b).map(|run| run[0]).collect::<Vec<_>>();
        if distinct.len() <= N_BINS {
            cuts.extend(distinct.windows(2).map(|two| (two[0] + two[1]) / 2.0));
        } else {
            for k in 1..N_BINS {
                let cut = values[k * n / N_BINS];
                if cuts.last().is_none_or(|&last| cut > last) {
                    cuts.push(cut);
                }
            }
        }
        edges.push(cuts);
    }
    let column = |(feature, edges): (usize, &Vec<f32>)| {
        let bin = |row: usize| edges.partition_point(|&edge| edge < rows.features[row * width + feature]) as u8;
        (0..n).map(bin).collect::<Vec<u8>>()
    };
    let bins = edges.iter().enumerate().map(column).collect();
    Binned { bins, edges }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positive where exactly one of the first two features is large; the third is noise.
    pub(crate) fn rows(count: u32) -> TrainingRows {
        let mut rows = TrainingRows { width: 3, ..TrainingRows::default() };
        for n in 0..count {
            let (a, b, c) = ((n % 10) as f32, (n / 10 % 10) as f32, (n * 7 % 13) as f32);
            rows.features.extend([a, b, c]);
            rows.labels.push(f32::from(u8::from((a > 4.5) != (b > 4.5))));
            rows.weights.push(1.0);
        }
        rows
    }

    #[test]
    fn a_forest_learns_what_no_single_feature_tells() {
        let rows = rows(400);
        let growth =
            LevelwiseParams { n_trees: 30, depth: 3, rate: 0.3, feature_share: 1.0, ..LevelwiseParams::default() };
        let forest = grow(&rows, &growth);
        let right = (0..400).filter(|&n| {
            let p = forest.as_ref().probability(&rows.features[n * 3..n * 3 + 3]);
            (p > 0.5) == (rows.labels[n] > 0.5)
        });
        assert_eq!(right.count(), 400);
    }

    #[test]
    fn growing_twice_gives_the_same_forest() {
        assert_eq!(grow(&rows(400), &LevelwiseParams::default()), grow(&rows(400), &LevelwiseParams::default()));
    }

    #[test]
    fn several_forests_say_their_mean_and_the_first_is_the_one_that_is_grown_alone() {
        let (rows, growth) = (rows(400), LevelwiseParams { n_trees: 7, row_share: 0.6, ..LevelwiseParams::default() });
        let binned = bin(&rows);
        let forests: Vec<Forest> = (0..3).map(|number| grow_one(&rows, &binned, &growth, number)).collect();
        assert!(forests[0] == grow(&rows, &growth) && forests[0] != forests[1]);
        let all = grow(&rows, &LevelwiseParams { n_forests: 3, ..growth });
        assert_eq!(all.roots.len(), 21);
        for features in rows.features.chunks(rows.width) {
            let sum: f32 = forests.iter().map(|forest| forest.as_ref().log_odds(features)).sum();
            assert!((all.as_ref().log_odds(features) - sum / 3.0).abs() < 1e-4);
        }
    }

    #[test]
    fn a_forest_is_read_from_a_model_as_it_was_written_and_not_from_broken_tables() {
        let forest = grow(&rows(400), &LevelwiseParams::default());
        let model = forest.add_to(ModelFile::new("card"), "first");
        assert_eq!(Forest::read(&model, "first"), Ok(forest));
        assert!(Forest::read(&model, "second").is_err());
        let message = Forest::read(&model.with("first.left", vec![1u16]), "first").unwrap_err().to_string();
        assert!(message.contains("`first.left`"), "{message}");
    }

    #[test]
    fn a_broken_table_cannot_make_the_walk_panic() {
        let node = TreeNode { feature: 7, left: 900, threshold: 0.0 };
        let forest = Forest { bias: 0.0, roots: vec![0, 3], nodes: vec![node] };
        assert_eq!(forest.as_ref().probability(&[]), 0.5);
    }
}
