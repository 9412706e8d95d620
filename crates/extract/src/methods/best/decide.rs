//! Which rows are kept: the set with the best expected F1, given each row's probability.

use super::features::Facts;
use crate::page::Page;

/// What was decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decision {
    /// One flag a row.
    pub keep: Vec<bool>,
    /// The least probability that is kept.
    pub threshold: f32,
    /// F1 that the kept rows are expected to have, if the probabilities are right.
    pub expected: f32,
}

/// Below this expected F1 nothing is kept: such pages are mostly shells without main text.
const ABSTAIN: f32 = 0.3;
/// Of a page with fewer rows than this something is kept all the same: it has next to nothing to be told from.
const MIN_ROWS: usize = 8;

/// Words as measures count them: a Chinese character is one.
pub(super) fn weights(facts: &Facts) -> Vec<f32> {
    facts.texts.iter().map(|text| (text.words + 0.4 * text.cjk as f32).max(0.5)).collect()
}

/// Keeps the most probable rows, as many as make 2·Σpw ∕ (Σw + S) the largest, S the expected words of main text.
///
/// O(rows · log rows). Source: the plug-in rule for F-measures (Lewis 1995).
pub(super) fn decide(page: &Page<'_>, facts: &Facts, probabilities: &[f32]) -> Decision {
    let weights = weights(facts);
    let repeated = repeated(page, facts, probabilities);
    let mut order: Vec<u32> = (0..probabilities.len() as u32).filter(|&at| !repeated[at as usize]).collect();
    order.sort_by(|&a, &b| probabilities[b as usize].total_cmp(&probabilities[a as usize]));
    let expected: f32 = order.iter().map(|&at| probabilities[at as usize] * weights[at as usize]).sum();
    let (mut right, mut kept) = (0.0f32, 0.0f32);
    let mut best = Decision { keep: vec![false; probabilities.len()], threshold: 1.0, expected: 0.0 };
    for &at in &order {
        let (p, weight) = (probabilities[at as usize], weights[at as usize]);
        right += p * weight;
        kept += weight;
        let f1 = 2.0 * right / (kept + expected);
        if f1 > best.expected {
            best.expected = f1;
            best.threshold = p;
        }
    }
    if best.expected < ABSTAIN && probabilities.len() >= MIN_ROWS {
        return best;
    }
    for &at in &order {
        best.keep[at as usize] = best.expected > 0.0 && probabilities[at as usize] >= best.threshold;
    }
    best
}

/// Rows that say again what a row before them says.
const LONG: u32 = 40;

fn repeated(page: &Page<'_>, facts: &Facts, probabilities: &[f32]) -> Vec<bool> {
    let n = facts.copies.iter().max().map_or(0, |max| *max as usize + 1);
    // The likeliest of equals stays, the first of the equally likely.
    let mut best: Vec<Option<usize>> = vec![None; n];
    for (at, &number) in facts.copies.iter().enumerate() {
        let best = &mut best[number as usize];
        if best.is_none_or(|best| probabilities[at] > probabilities[best] + 0.1) {
            *best = Some(at);
        }
    }
    let long = |at: usize| page.rows[at].chars as f32 * facts.scale >= LONG as f32;
    (0..page.rows.len()).map(|at| long(at) && best[facts.copies[at] as usize] != Some(at)).collect()
}
