//! Which rows are kept: the set with the best expected F1, given each row's probability.

use gristmill_html::LocalName;
use gristmill_page::{Page, PageType, tables::is_data_table};

use super::expected::expected_f;
use super::features::PageFeatures;
use super::row_decision::RowDecision;
use super::{sections, short_pages};

/// How much more what is left out counts than what is too much, in the variants for precision and for recall. Twice either way is
/// what the literature takes (van Rijsbergen, Information Retrieval, 1979).
pub(super) const PRECISION: f32 = 0.5;
pub(super) const RECALL: f32 = 2.0;

/// Below this expected F1 nothing is kept: such pages are mostly shells without main text.
const ABSTAIN: f32 = 0.3;
/// The same of a page that says nothing but what it says to readers without scripts: mostly that it needs them.
const ABSTAIN_OF_SHELL: f32 = 0.5;
/// Of a page with fewer rows than this something is kept all the same: it has next to nothing to be told from.
const MIN_ROWS: usize = 8;

/// Words as measures count them: a Chinese character is one.
pub(super) fn weights(facts: &PageFeatures) -> Vec<f32> {
    facts.texts.iter().map(|text| (text.words + 0.4 * text.cjk as f32).max(0.5)).collect()
}

/// Keeps the most probable rows, as many as make the expected F1 the largest.
///
/// The cells of a row of a data table are kept or dropped together, by their mean. A page with nothing around its text is kept whole, and so is
/// one with little around it that no row speaks for. What a section is not left without is added, and
/// where nothing or little is kept, a notice below the title and tables full of numbers. O(nodes + rows · log rows).
pub(super) fn decide(page: &Page<'_>, facts: &PageFeatures, probabilities: Vec<f32>) -> RowDecision {
    let [decision] = decide_at(page, facts, probabilities, [1.0]);
    decision
}

/// As [`decide`], for the expected F of each of these weights. Whether a page has a main text, F1 says.
pub(super) fn decide_at<const N: usize>(
    page: &Page<'_>,
    facts: &PageFeatures,
    mut probabilities: Vec<f32>,
    betas: [f32; N],
) -> [RowDecision; N] {
    let weights = weights(facts);
    join_cells(page, facts, &weights, &mut probabilities);
    let repeated = repeated(page, facts, &probabilities);
    let mut order: Vec<u32> = (0..probabilities.len() as u32).filter(|&at| !repeated[at as usize]).collect();
    order.sort_by(|&a, &b| probabilities[b as usize].total_cmp(&probabilities[a as usize]));
    let rows: Vec<(f32, f32)> = order.iter().map(|&at| (probabilities[at as usize], weights[at as usize])).collect();
    let n = probabilities.len();
    let is_shell = (0..n).all(|at| facts.context.is_in_noscript(at));
    let is_bare = !is_shell && short_pages::is_bare(page);
    let f1 = most(&rows, 1.0);
    let abstains = f1.0 < ABSTAIN && n >= MIN_ROWS || f1.0 < ABSTAIN_OF_SHELL && is_shell;
    betas.map(|beta| {
        let (expected, threshold) = if beta == 1.0 { f1 } else { most(&rows, beta) };
        let mut best = RowDecision { keep: vec![false; n], probabilities: probabilities.clone(), threshold, expected };
        if is_bare {
            order.iter().for_each(|&at| best.keep[at as usize] = true);
            short_pages::menus(page, facts).for_each(|at| best.keep[at] = false);
        } else if abstains {
            let called = short_pages::called_text(page, facts, &weights, &probabilities);
            let is_noticed = called.is_empty() && facts.types.best().0 == PageType::Article;
            let notice = if is_noticed { short_pages::notice(page, facts, &weights) } else { Vec::new() };
            called.into_iter().chain(notice).for_each(|at| best.keep[at] = true);
            if !is_shell && short_pages::is_nearly_bare(page) {
                let is_text = |at: &&u32| !page.rows[**at as usize].is_link();
                order.iter().filter(is_text).for_each(|&at| best.keep[at as usize] = true);
            }
        } else {
            for &at in &order {
                best.keep[at as usize] = expected > 0.0 && best.probabilities[at as usize] >= threshold;
            }
        }
        sections::complete(page, facts, &weights, &mut best);
        short_pages::tables(page, facts, &weights, &best.keep).into_iter().for_each(|at| best.keep[at] = true);
        best
    })
}

/// The largest expected F, and the least probability that is kept for it.
fn most(rows: &[(f32, f32)], beta: f32) -> (f32, f32) {
    let mut most = (0.0, 1.0);
    for (expected, &(p, _)) in expected_f(rows, beta).into_iter().zip(rows) {
        if expected > most.0 {
            most = (expected, p);
        }
    }
    most
}

/// Gives the cells of each row of a data table their mean by words.
fn join_cells(page: &Page<'_>, facts: &PageFeatures, weights: &[f32], probabilities: &mut [f32]) {
    let doc = page.doc;
    let tables = (0..doc.len()).map(|at| doc.id(at)).filter(|&id| doc.name(id) == LocalName::TABLE);
    for table in tables.filter(|&table| !facts.context.rows(page, table).is_empty() && is_data_table(doc, table)) {
        for row in doc.subtree(table).filter(|&id| doc.name(id) == LocalName::TR) {
            let cells = facts.context.rows(page, row);
            let words: f32 = weights[cells.clone()].iter().sum();
            let main: f32 = cells.clone().map(|at| weights[at] * probabilities[at]).sum();
            probabilities[cells].fill(main / words);
        }
    }
}

/// Rows that say again what a row before them says.
const LONG: u32 = 40;

fn repeated(page: &Page<'_>, facts: &PageFeatures, probabilities: &[f32]) -> Vec<bool> {
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
