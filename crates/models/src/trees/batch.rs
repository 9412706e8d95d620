//! A forest laid out to be asked about many rows at once.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, u32x16};

use crate::trees::{ForestRef, TreeNode};

/// A forest whose splits are all tried, in whatever order they stand, by several rows side by side: a split that sends
/// a row to the right takes the leaves to its left away from it, and the first leaf that is left is the one that a
/// walk down the tree comes to. There is no branch to guess wrong and nothing to wait for, and the comparisons are
/// vector instructions, as wide as the processor has them.
///
/// Source: Lucchese et al., QuickScorer, SIGIR 2015, and its vectorised form, SIGIR 2016. Ours: no order by feature, so
/// that a few trees at a time can be asked and hopeless rows let go.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchForest {
    bias: f32,
    trees: Vec<Tree>,
    splits: Vec<Split>,
    /// The table itself, for trees that have too many leaves.
    nodes: Vec<TreeNode>,
    /// One past the last feature that is asked for.
    n_features: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Split {
    threshold: f32,
    /// A bit for each leaf but those on the left.
    right: u32,
    feature: u16,
}

/// Where a tree's splits begin, and what its leaves say from left to right; `large` is the root of one that is walked
/// instead.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tree {
    first_split: u32,
    large: Option<u16>,
    leaves: [f32; MOST_LEAVES],
}

/// Leaves that have a bit.
const MOST_LEAVES: usize = u32::BITS as usize;
/// Numbers that are compared side by side.
const LANES: usize = 16;
/// Rows that a split is read for: twice as many, where there are, for reading it is half of the work.
const ROWS: usize = 2 * LANES;
/// After so many trees hopeless rows are let go.
const TREES: usize = 10;

impl From<ForestRef<'_>> for BatchForest {
    /// A broken table gives a batch that says nothing where the table is broken. O(nodes).
    fn from(forest: ForestRef<'_>) -> BatchForest {
        let n = forest.nodes.len();
        let mut batch = BatchForest { bias: forest.bias, nodes: forest.nodes.to_vec(), ..BatchForest::default() };
        let features = forest.nodes.iter().filter(|node| node.feature != TreeNode::LEAF).map(|node| node.feature);
        batch.n_features = features.max().map_or(0, |most| usize::from(most) + 1);
        // Children come after their parent, so that every walk ends.
        for (at, node) in batch.nodes.iter_mut().enumerate() {
            let left = usize::from(node.left);
            if node.feature != TreeNode::LEAF && (left <= at || left + 1 >= n) {
                *node = TreeNode { feature: TreeNode::LEAF, left: 0, threshold: 0.0 };
            }
        }
        for &root in forest.roots.iter().filter(|&&root| usize::from(root) < n) {
            batch.plant(root);
        }
        batch
    }
}

/// A step of the walk from left to right.
enum Step {
    To(u16),
    /// All leaves to the left of this split were seen; its first was the one with this number.
    LeftDone(usize, usize),
}

impl BatchForest {
    fn plant(&mut self, root: u16) {
        let (first_split, mut n_leaves) = (self.splits.len(), 0);
        let mut tree = Tree { first_split: first_split as u32, large: None, leaves: [0.0; MOST_LEAVES] };
        let mut todo = vec![Step::To(root)];
        while let Some(step) = todo.pop() {
            match step {
                Step::To(at) => {
                    let node = self.nodes[usize::from(at)];
                    if node.feature == TreeNode::LEAF {
                        if let Some(leaf) = tree.leaves.get_mut(n_leaves) {
                            *leaf = node.threshold;
                        }
                        n_leaves += 1;
                    } else {
                        let split = self.splits.len();
                        self.splits.push(Split { threshold: node.threshold, right: 0, feature: node.feature });
                        let left = Step::To(node.left);
                        todo.extend([Step::To(node.left + 1), Step::LeftDone(split, n_leaves), left]);
                    }
                }
                Step::LeftDone(split, first) => {
                    self.splits[split].right = (first..n_leaves).fold(u32::MAX, |bits, leaf| bits & !(1 << leaf));
                }
            }
            if n_leaves > MOST_LEAVES || self.splits.len() - first_split >= MOST_LEAVES {
                self.splits.truncate(first_split);
                tree.large = Some(root);
                break;
            }
        }
        self.trees.push(tree);
    }

    /// The probabilities of rows of `width` numbers each, of all but those for which `known` has one already.
    ///
    /// Once the log odds of a row are below `hopeless` the remaining trees are not asked: they rarely change what
    /// becomes of a candidate that most trees are against. Missing numbers count as 0. O(rows · splits).
    pub fn probabilities(
        &self,
        numbers: &[f32],
        width: usize,
        hopeless: f32,
        known: impl Fn(usize) -> Option<f32>,
    ) -> Vec<f32> {
        let width = width.max(1);
        let known: Vec<Option<f32>> = (0..numbers.len().div_ceil(width)).map(known).collect();
        let unknown: Vec<usize> = (0..known.len()).filter(|&row| known[row].is_none()).collect();
        let mut out: Vec<f32> = known.into_iter().map(Option::unwrap_or_default).collect();
        let mut open = Open { asked: [Asked::default(); ROWS], n: 0, columns: Vec::new() };
        open.columns.resize(self.n_features, Column([[0.0; LANES]; ROWS / LANES]));
        let level = Level::new();
        for some in unknown.chunks(ROWS) {
            for ((asked, &row), lane) in open.asked.iter_mut().zip(some).zip(0..) {
                let numbers = &numbers[row * width..numbers.len().min((row + 1) * width)];
                *asked = Asked { row, numbers, sum: self.bias, lane };
            }
            open.n = some.len();
            open.turn();
            for first in (0..self.trees.len()).step_by(TREES) {
                if open.n == 0 {
                    break;
                }
                let trees = first..self.trees.len().min(first + TREES);
                if some.len() > LANES {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.ask::<_, 2>(simd, trees, &mut open)));
                } else {
                    dispatch!(level, simd => simd.vectorize(#[inline(always)] || self.ask::<_, 1>(simd, trees, &mut open)));
                }
                open.close(hopeless, &mut out);
            }
            open.close(f32::INFINITY, &mut out);
        }
        out
    }

    // Inlined, because only what stands in the closure of `vectorize` is compiled for the processor at hand.
    #[inline(always)]
    fn ask<S: Simd, const N: usize>(&self, simd: S, trees: std::ops::Range<usize>, open: &mut Open<'_>) {
        let asked = &mut open.asked[..open.n];
        let mut sums = [0.0f32; ROWS];
        for at in trees {
            let tree = &self.trees[at];
            if let Some(root) = tree.large {
                asked.iter().for_each(|asked| sums[asked.lane] += self.walk(root, asked.numbers));
                continue;
            }
            let end = self.trees.get(at + 1).map_or(self.splits.len(), |next| next.first_split as usize);
            let leaves = left_standing::<_, N>(simd, &self.splits[tree.first_split as usize..end], &open.columns);
            for (sum, leaves) in sums.iter_mut().zip(leaves.as_flattened()) {
                // The last leaf is to the left of no split, so that one is always left.
                *sum += tree.leaves[leaves.trailing_zeros() as usize % MOST_LEAVES];
            }
        }
        asked.iter_mut().for_each(|asked| asked.sum += sums[asked.lane]);
    }

    fn walk(&self, root: u16, numbers: &[f32]) -> f32 {
        let mut node = self.nodes[usize::from(root)];
        while node.feature != TreeNode::LEAF {
            let value = numbers.get(usize::from(node.feature)).copied().unwrap_or(0.0);
            node = self.nodes[usize::from(node.left) + usize::from(value > node.threshold)];
        }
        node.threshold
    }
}

/// For each lane the leaves that its row can come to. What is not a number goes to the left, as in a walk.
#[inline(always)]
fn left_standing<S: Simd, const N: usize>(simd: S, splits: &[Split], columns: &[Column]) -> [[u32; LANES]; N] {
    let mut leaves = [u32x16::splat(simd, u32::MAX); N];
    for split in splits {
        let column = &columns[usize::from(split.feature)].0;
        let (threshold, left) = (f32x16::splat(simd, split.threshold), u32x16::splat(simd, split.right));
        for (leaves, values) in leaves.iter_mut().zip(column) {
            let right = f32x16::from_slice(simd, values).simd_gt(threshold);
            *leaves = right.select(*leaves & left, *leaves);
        }
    }
    leaves.map(Into::into)
}

/// A row that trees are asked about.
#[derive(Clone, Copy, Default)]
struct Asked<'r> {
    row: usize,
    numbers: &'r [f32],
    sum: f32,
    lane: usize,
}

/// One number of each row, as many in one line of the processor's cache as are compared side by side.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Column([[f32; LANES]; ROWS / LANES]);

/// The rows that are still open first.
struct Open<'r> {
    asked: [Asked<'r>; ROWS],
    n: usize,
    /// The rows' numbers feature by feature, a row a lane.
    columns: Vec<Column>,
}

impl Open<'_> {
    /// Puts the numbers of each open row into its lane.
    fn turn(&mut self) {
        for (few, four) in self.asked[..self.n].chunks(4).enumerate() {
            let first = 4 * few;
            // Fewer than four fill their lanes with the last row again.
            let [a, b, c, d] = std::array::from_fn(|lane| four[lane.min(four.len() - 1)].numbers);
            let known = a.len().min(d.len()).min(b.len()).min(c.len()).min(self.columns.len());
            let (columns, missing) = self.columns.split_at_mut(known);
            for ((((column, a), b), c), d) in columns.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                column.0.as_flattened_mut()[first..first + 4].copy_from_slice(&[*a, *b, *c, *d]);
            }
            for (column, at) in missing.iter_mut().zip(known..) {
                let value = |numbers: &[f32]| numbers.get(at).copied().unwrap_or(0.0);
                column.0.as_flattened_mut()[first..first + 4].copy_from_slice(&[
                    value(a),
                    value(b),
                    value(c),
                    value(d),
                ]);
            }
        }
    }

    /// Writes the probability of rows below `hopeless`, and is done with them.
    fn close(&mut self, hopeless: f32, out: &mut [f32]) {
        let mut left = 0;
        for at in 0..self.n {
            let asked = self.asked[at];
            if asked.sum < hopeless {
                out[asked.row] = 1.0 / (1.0 + (-asked.sum).exp());
            } else {
                self.asked[left] = asked;
                left += 1;
            }
        }
        self.n = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::tests::rows;
    use crate::trees::{Forest, LevelwiseParams, TrainingRows, grow};

    #[test]
    fn rows_in_step_get_what_each_gets_alone_unless_known_or_hopeless() {
        let rows = rows(401);
        let forest =
            grow(&rows, &LevelwiseParams { n_trees: 25, depth: 3, feature_share: 1.0, ..LevelwiseParams::default() });
        let batch = BatchForest::from(forest.as_ref());
        let known = |row: usize| (row % 7 == 3).then_some(0.125);
        let all = batch.probabilities(&rows.features, 3, f32::NEG_INFINITY, known);
        let few = batch.probabilities(&rows.features, 3, -0.5, known);
        assert_eq!((all.len(), few.len()), (401, 401));
        for (at, row) in rows.features.chunks(3).enumerate() {
            match known(at) {
                Some(p) => assert_eq!((all[at], few[at]), (p, p)),
                None => {
                    assert!((all[at] - forest.as_ref().probability(row)).abs() < 1e-5, "{at}");
                    assert!(few[at] == all[at] || few[at] < 0.4, "{at}: not hopeless, but not asked all trees");
                }
            }
        }
        assert!(few.iter().zip(&all).any(|(few, all)| few != all), "nothing was hopeless");
    }

    #[test]
    fn trees_with_more_leaves_than_a_word_has_bits_are_walked() {
        let mut rows = TrainingRows { width: 2, ..TrainingRows::default() };
        for n in 0..900u32 {
            rows.features.extend([(n % 30) as f32, (n / 30) as f32]);
            rows.labels.push(f32::from(u8::from((n * n) % 7 < 3)));
            rows.weights.push(1.0);
        }
        let growth = LevelwiseParams {
            n_trees: 12,
            depth: 8,
            min_weight: 0.1,
            feature_share: 1.0,
            ..LevelwiseParams::default()
        };
        let forest = grow(&rows, &growth);
        let batch = BatchForest::from(forest.as_ref());
        assert!(batch.trees.iter().any(|tree| tree.large.is_some()), "no tree was large");
        let all = batch.probabilities(&rows.features, 2, f32::NEG_INFINITY, |_| None);
        for (row, p) in rows.features.chunks(2).zip(all) {
            assert!((p - forest.as_ref().probability(row)).abs() < 1e-5);
        }
    }

    #[test]
    fn a_broken_table_cannot_make_the_walk_panic_or_go_on_for_ever() {
        let node = |left| TreeNode { feature: 7, left, threshold: 0.0 };
        let forest = Forest { bias: 0.0, roots: vec![0, 1, 9], nodes: vec![node(900), node(0), node(1)] };
        assert_eq!(BatchForest::from(forest.as_ref()).probabilities(&[1.0, 2.0], 1, -9.0, |_| None), [0.5, 0.5]);
        assert!(BatchForest::default().probabilities(&[], 0, -9.0, |_| None).is_empty());
    }
}
