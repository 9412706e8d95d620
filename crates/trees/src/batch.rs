//! A forest laid out to be asked about many rows at once.

use crate::{ForestRef, Node};

/// A forest whose trees are walked by several rows in step: every walk of a tree takes as many steps as the tree is
/// deep, since leaves lead to themselves, so that there is no branch to guess wrong, and the rows' memory is waited for
/// together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    bias: f32,
    nodes: Vec<Node>,
    /// What a leaf says; 0 for other nodes.
    values: Vec<f32>,
    /// Root and depth of each tree.
    trees: Vec<(u16, u8)>,
}

/// Rows that are in memory near to the processor together.
const ROWS: usize = 16;
/// Rows that walk in step.
const IN_STEP: usize = 8;
/// After so many trees hopeless rows are let go.
const TREES: usize = 10;

impl From<ForestRef<'_>> for Batch {
    /// A broken table gives a batch that says nothing where the table is broken. O(nodes).
    fn from(forest: ForestRef<'_>) -> Batch {
        let n = forest.nodes.len();
        let mut batch = Batch { bias: forest.bias, ..Batch::default() };
        for (at, node) in forest.nodes.iter().enumerate() {
            // Children come after their parent, so that every walk ends.
            let inner = node.feature != Node::LEAF && usize::from(node.left) > at && usize::from(node.left) + 1 < n;
            batch.values.push(if node.feature == Node::LEAF { node.threshold } else { 0.0 });
            batch.nodes.push(if inner {
                *node
            } else {
                Node { feature: 0, left: at as u16, threshold: f32::INFINITY }
            });
        }
        let mut depths = vec![0u8; n];
        for (at, node) in batch.nodes.iter().enumerate().rev() {
            let left = usize::from(node.left);
            if left != at {
                depths[at] = 1u8.saturating_add(depths[left].max(depths[left + 1]));
            }
        }
        let roots = forest.roots.iter().filter(|&&root| usize::from(root) < n);
        batch.trees = roots.map(|&root| (root, depths[usize::from(root)])).collect();
        batch
    }
}

impl Batch {
    /// The probabilities of rows of `width` numbers each, of all but those for which `known` has one already.
    ///
    /// Once the log odds of a row are below `hopeless` the remaining trees are not asked: they rarely change what
    /// becomes of a candidate that most trees are against. Missing numbers count as 0. O(rows · trees · depth).
    pub fn probabilities(
        &self,
        numbers: &[f32],
        width: usize,
        hopeless: f32,
        known: impl Fn(usize) -> Option<f32>,
    ) -> Vec<f32> {
        let width = width.max(1);
        let mut out = Vec::with_capacity(numbers.len() / width);
        for rows in numbers.chunks(width * ROWS) {
            let mut open = Open { rows: [&[]; ROWS], sums: [(0, self.bias); ROWS], n: 0 };
            let first = out.len();
            for (at, row) in rows.chunks(width).enumerate() {
                let known = known(first + at);
                out.push(known.unwrap_or(0.0));
                if known.is_none() {
                    open.sums[open.n].0 = at as u8;
                    open.n += 1;
                    open.rows[at] = row;
                }
            }
            for trees in self.trees.chunks(TREES) {
                self.ask(trees, &mut open);
                open.close(hopeless, &mut out[first..]);
            }
            open.close(f32::INFINITY, &mut out[first..]);
        }
        out
    }

    fn ask(&self, trees: &[(u16, u8)], open: &mut Open<'_>) {
        let rows = open.rows;
        for some in open.sums[..open.n].chunks_mut(IN_STEP) {
            // An incomplete group walks with its last row several times.
            let of: [&[f32]; IN_STEP] = std::array::from_fn(|k| rows[usize::from(some[k.min(some.len() - 1)].0)]);
            let mut sums = [0.0f32; IN_STEP];
            for &(root, depth) in trees {
                let mut at = [root; IN_STEP];
                for _ in 0..depth {
                    for (at, row) in at.iter_mut().zip(&of) {
                        let node = self.nodes[usize::from(*at)];
                        let value = row.get(usize::from(node.feature)).copied().unwrap_or(0.0);
                        *at = node.left + u16::from(value > node.threshold);
                    }
                }
                sums.iter_mut().zip(at).for_each(|(sum, at)| *sum += self.values[usize::from(at)]);
            }
            some.iter_mut().zip(sums).for_each(|((_, sum), more)| *sum += more);
        }
    }
}

/// Rows with their sums, those that are still open first.
struct Open<'r> {
    rows: [&'r [f32]; ROWS],
    sums: [(u8, f32); ROWS],
    n: usize,
}

impl Open<'_> {
    /// Writes the probability of rows below `hopeless`, and is done with them.
    fn close(&mut self, hopeless: f32, out: &mut [f32]) {
        let mut left = 0;
        for at in 0..self.n {
            let (row, sum) = self.sums[at];
            if sum < hopeless {
                out[usize::from(row)] = 1.0 / (1.0 + (-sum).exp());
            } else {
                self.sums[left] = (row, sum);
                left += 1;
            }
        }
        self.n = left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Forest, Growth, Rows, grow};

    #[test]
    fn rows_in_step_get_what_each_gets_alone_unless_known_or_hopeless() {
        let mut rows = Rows { width: 3, ..Rows::default() };
        for n in 0..401u32 {
            let (a, b, c) = ((n % 10) as f32, (n / 10 % 10) as f32, (n * 7 % 13) as f32);
            rows.features.extend([a, b, c]);
            rows.labels.push(f32::from(u8::from((a > 4.5) != (b > 4.5))));
            rows.weights.push(1.0);
        }
        let forest = grow(&rows, &Growth { n_trees: 25, depth: 3, feature_share: 1.0, ..Growth::default() });
        let batch = Batch::from(forest.as_ref());
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
    fn a_broken_table_cannot_make_the_walk_panic_or_go_on_for_ever() {
        let node = |left| Node { feature: 7, left, threshold: 0.0 };
        let forest = Forest { bias: 0.0, roots: vec![0, 1, 9], nodes: vec![node(900), node(0), node(1)] };
        assert_eq!(Batch::from(forest.as_ref()).probabilities(&[1.0, 2.0], 1, -9.0, |_| None), [0.5, 0.5]);
        assert!(Batch::default().probabilities(&[], 0, -9.0, |_| None).is_empty());
    }
}
