//! Grows trees leaf by leaf, for more rows than fit a level-wise search in patience.

use crate::trees::{Forest, Random, TrainingRows, TreeNode};

/// How to grow a forest whose trees split the leaf that gains most.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafwiseParams {
    /// Number of trees.
    pub n_trees: usize,
    /// Leaves of each tree.
    pub n_leaves: usize,
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
}

const N_BINS: usize = 64;
/// Bins are cut by a sample of this many values of a feature.
const SAMPLE: usize = 20_000;

/// Rows by bins: `width` bytes a row, so that one row's features lie together.
struct Table {
    width: usize,
    bins: Vec<u8>,
    edges: Vec<Vec<f32>>,
}

impl Table {
    fn new(rows: &TrainingRows) -> Table {
        let (width, n) = (rows.width, rows.labels.len());
        let step = n.div_ceil(SAMPLE).max(1);
        let edges: Vec<Vec<f32>> = (0..width)
            .map(|feature| {
                let mut values: Vec<f32> =
                    (0..n).step_by(step).map(|row| rows.features[row * width + feature]).collect();
                values.sort_unstable_by(f32::total_cmp);
                cuts(&values)
            })
            .collect();
        let mut bins = vec![0; n * width];
        for (row, values) in bins.chunks_mut(width).zip(rows.features.chunks(width)) {
            for ((bin, value), edges) in row.iter_mut().zip(values).zip(&edges) {
                *bin = edges.partition_point(|edge| edge < value) as u8;
            }
        }
        Table { width, bins, edges }
    }
}

/// Upper edges of the bins of ascending values.
fn cuts(values: &[f32]) -> Vec<f32> {
    let distinct: Vec<f32> = values.chunk_by(|a, b| a == b).map(|run| run[0]).collect();
    if distinct.len() <= N_BINS {
        return distinct.windows(2).map(|two| (two[0] + two[1]) / 2.0).collect();
    }
    let mut cuts: Vec<f32> = Vec::new();
    for k in 1..N_BINS {
        let cut = values[k * values.len() / N_BINS];
        if cuts.last().is_none_or(|&last| cut > last) {
            cuts.push(cut);
        }
    }
    cuts
}

type Histogram = Vec<[(f32, f32); N_BINS]>;

/// A leaf that may be split.
struct Open {
    node: usize,
    rows: Vec<u32>,
    histogram: Histogram,
    gradient: f32,
    hessian: f32,
    /// Gain, index among the tree's features, bin.
    split: Option<(f32, usize, usize)>,
}

struct Grower<'g> {
    table: &'g Table,
    growth: &'g LeafwiseParams,
    features: Vec<usize>,
    gradients: Vec<(f32, f32)>,
}

/// Grows a forest by gradient boosting on the logistic loss; no randomness but a fixed one.
///
/// O(trees · log leaves · rows · features).
pub fn grow_leaves(rows: &TrainingRows, growth: &LeafwiseParams) -> Forest {
    let n = rows.labels.len();
    if n == 0 || rows.width == 0 {
        return Forest::default();
    }
    let table = Table::new(rows);
    let total: f64 = rows.weights.iter().map(|&weight| f64::from(weight)).sum();
    let positive: f64 = rows.labels.iter().zip(&rows.weights).map(|(label, weight)| f64::from(label * weight)).sum();
    let share = (positive / total).clamp(0.001, 0.999);
    let mut forest = Forest { bias: (share / (1.0 - share)).ln() as f32, ..Forest::default() };
    let mut sums = vec![forest.bias; n];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..growth.n_trees {
        let mut taken = Vec::with_capacity(n);
        for run in 0..n.div_ceil(64) {
            if random.share() <= growth.row_share {
                taken.extend((run * 64) as u32..(run * 64 + 64).min(n) as u32);
            }
        }
        let gradient = |row: usize| {
            let p = 1.0 / (1.0 + (-sums[row]).exp());
            let weight = rows.weights[row];
            ((p - rows.labels[row]) * weight, (p * (1.0 - p)).max(1e-6) * weight)
        };
        let gradients = (0..n).map(gradient).collect();
        let features = (0..rows.width)
            .filter(|&feature| random.share() <= growth.feature_share && !table.edges[feature].is_empty())
            .collect();
        let root = forest.nodes.len();
        Grower { table: &table, growth, features, gradients }.grow(taken, &mut forest.nodes);
        forest.roots.push(root as u16);
        for (sum, features) in sums.iter_mut().zip(rows.features.chunks(rows.width)) {
            *sum += forest.as_ref().walk(root as u16, features);
        }
    }
    forest
}

impl Grower<'_> {
    fn grow(&self, rows: Vec<u32>, nodes: &mut Vec<TreeNode>) {
        let leaf = TreeNode { feature: TreeNode::LEAF, left: 0, threshold: 0.0 };
        nodes.push(leaf);
        let histogram = self.histogram(&rows);
        let mut open = vec![self.open(nodes.len() - 1, rows, histogram)];
        for _ in 1..self.growth.n_leaves {
            let gain = |open: &Open| open.split.map_or(0.0, |(gain, ..)| gain);
            let Some(at) = (0..open.len()).max_by(|&a, &b| gain(&open[a]).total_cmp(&gain(&open[b])).then(b.cmp(&a)))
            else {
                break;
            };
            let Some((_, slot, bin)) = open[at].split else { break };
            let parent = open.swap_remove(at);
            let feature = self.features[slot];
            let goes_left = |row: &u32| usize::from(self.table.bins[*row as usize * self.table.width + feature]) <= bin;
            let (left, right): (Vec<u32>, Vec<u32>) = parent.rows.into_iter().partition(goes_left);
            let first = nodes.len();
            nodes.extend([leaf, leaf]);
            nodes[parent.node] =
                TreeNode { feature: feature as u16, left: first as u16, threshold: self.table.edges[feature][bin] };
            let smaller = self.histogram(if left.len() <= right.len() { &left } else { &right });
            let mut larger = parent.histogram;
            for (larger, smaller) in larger.iter_mut().flatten().zip(smaller.iter().flatten()) {
                *larger = (larger.0 - smaller.0, larger.1 - smaller.1);
            }
            let (of_left, of_right) = if left.len() <= right.len() { (smaller, larger) } else { (larger, smaller) };
            open.push(self.open(first, left, of_left));
            open.push(self.open(first + 1, right, of_right));
        }
        for leaf in open {
            nodes[leaf.node].threshold = -leaf.gradient / (leaf.hessian + self.growth.lambda) * self.growth.rate;
        }
    }

    fn open(&self, node: usize, rows: Vec<u32>, histogram: Histogram) -> Open {
        let (gradient, hessian) = rows.iter().fold((0.0f64, 0.0f64), |(g, h), &row| {
            let (dg, dh) = self.gradients[row as usize];
            (g + f64::from(dg), h + f64::from(dh))
        });
        let (gradient, hessian) = (gradient as f32, hessian as f32);
        let split = self.best(&histogram, gradient, hessian);
        Open { node, rows, histogram, gradient, hessian, split }
    }

    fn histogram(&self, rows: &[u32]) -> Histogram {
        let mut histogram = vec![[(0.0, 0.0); N_BINS]; self.features.len()];
        for &row in rows {
            let (dg, dh) = self.gradients[row as usize];
            let bins = &self.table.bins[row as usize * self.table.width..][..self.table.width];
            for (of_feature, &feature) in histogram.iter_mut().zip(&self.features) {
                let sums = &mut of_feature[usize::from(bins[feature]) % N_BINS];
                sums.0 += dg;
                sums.1 += dh;
            }
        }
        histogram
    }

    fn best(&self, histogram: &Histogram, g: f32, h: f32) -> Option<(f32, usize, usize)> {
        let lambda = self.growth.lambda;
        let score = |g: f32, h: f32| g * g / (h + lambda);
        let mut best: Option<(f32, usize, usize)> = None;
        for (slot, (of_feature, &feature)) in histogram.iter().zip(&self.features).enumerate() {
            let (mut lg, mut lh) = (0.0, 0.0);
            for (bin, (dg, dh)) in of_feature.iter().enumerate().take(self.table.edges[feature].len()) {
                lg += dg;
                lh += dh;
                if lh < self.growth.min_weight || h - lh < self.growth.min_weight {
                    continue;
                }
                let gain = score(lg, lh) + score(g - lg, h - lh) - score(g, h);
                if gain > 0.02 && best.is_none_or(|(most, ..)| gain > most) {
                    best = Some((gain, slot, bin));
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tests::rows;

    #[test]
    fn trees_grown_by_leaves_learn_what_no_single_feature_tells() {
        let rows = rows(400);
        let growth = LeafwiseParams {
            n_trees: 30,
            n_leaves: 6,
            rate: 0.3,
            lambda: 1.0,
            min_weight: 1.0,
            feature_share: 1.0,
            row_share: 0.8,
        };
        let forest = grow_leaves(&rows, &growth);
        let right = (0..400).filter(|&n| {
            let p = forest.as_ref().probability(&rows.features[n * 3..n * 3 + 3]);
            (p > 0.5) == (rows.labels[n] > 0.5)
        });
        assert_eq!(right.count(), 400);
        assert_eq!(forest, grow_leaves(&rows, &growth));
        let widest = forest.roots.windows(2).map(|two| two[1] - two[0]).max().unwrap();
        assert!(widest <= 11, "six leaves are eleven nodes: {widest}");
    }
}
