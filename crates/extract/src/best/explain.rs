//! Why each row was kept or dropped: its probability and the numbers that moved it most.

use gristmill_models::trees::{ForestRef, TreeNode};
use gristmill_page::{MethodInput, Page};

use super::{HOPELESS, features, look, second_stage, shipped};

/// One row of a page with the judgement of the method `best`.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedRow {
    /// Index in [`Page::rows`].
    pub row: usize,
    /// Whether it was kept.
    pub kept: bool,
    /// Probability that it is main text.
    pub probability: f32,
    /// The strongest numbers: name, value, and by how much they moved the log odds.
    pub reasons: Vec<(String, f32, f32)>,
}

const REASONS: usize = 3;

/// The judgement of each row, in order; nothing for a page that is too large for it.
///
/// What a number moved is what each split on it changed between the mean of its node and that of the branch taken,
/// over all trees of the second look, or of the first where that was enough. O(rows · trees · depth).
pub fn explain(page: &Page<'_>, query: &MethodInput<'_>) -> Vec<ExplainedRow> {
    if page.rows.len() > super::MAX_ROWS {
        return Vec::new();
    }
    let names: Vec<String> = features::names().into_iter().chain(second_stage::names()).collect();
    let (first, second) = (shipped().first.as_ref(), shipped().second.as_ref());
    let looked = look(page, query);
    let (first_means, second_means) = (means(first), means(second));
    let rows = looked.seen.numbers().chunks(features::STRIDE).enumerate();
    rows.map(|(at, row)| {
        let mut moved = vec![0.0f32; names.len()];
        let again = looked.first[at] >= HOPELESS;
        let (forest, values) = if again { (second, &second_means) } else { (first, &first_means) };
        forest.roots.iter().for_each(|&root| walk(forest, values, root, row, &mut moved));
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| moved[b].abs().total_cmp(&moved[a].abs()));
        let reasons = order.into_iter().take(REASONS).filter(|&n| moved[n] != 0.0);
        ExplainedRow {
            row: at,
            kept: looked.decision.keep[at],
            probability: looked.decision.probabilities[at],
            reasons: reasons.map(|n| (names[n].clone(), row[n], moved[n])).collect(),
        }
    })
    .collect()
}

/// The mean of the leaves below each node, every branch counting the same.
fn means(forest: ForestRef<'_>) -> Vec<f32> {
    let mut means = vec![0.0; forest.nodes.len()];
    // Children come after their parent.
    for (at, node) in forest.nodes.iter().enumerate().rev() {
        let left = usize::from(node.left);
        means[at] = if node.feature == TreeNode::LEAF { node.threshold } else { (means[left] + means[left + 1]) / 2.0 };
    }
    means
}

fn walk(forest: ForestRef<'_>, means: &[f32], root: u16, row: &[f32], moved: &mut [f32]) {
    let mut at = usize::from(root);
    while forest.nodes[at].feature != TreeNode::LEAF {
        let node = forest.nodes[at];
        let feature = usize::from(node.feature);
        let next = usize::from(node.left) + usize::from(row[feature] > node.threshold);
        moved[feature] += means[next] - means[at];
        at = next;
    }
}
