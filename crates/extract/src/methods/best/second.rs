//! The numbers that the second look adds: what the first look thinks of the row, its neighbours and its like.

use super::features::{Facts, rank};
use crate::page::Page;

const NEIGHBOURS: [i32; 10] = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5];
const OTHERS: [&str; 28] = [
    "itself",
    "within 3 rows",
    "within 8 rows",
    "within 20 rows",
    "block",
    "parent",
    "grandparent",
    "great-grandparent",
    "same signature",
    "same path",
    "best copy",
    "best copy before",
    "section below",
    "heading above",
    "rows since a kept row",
    "rows to a kept row",
    "text since a kept row",
    "text to a kept row",
    "kept before",
    "kept after",
    "signature and section",
    "above its section",
    "in the smallest element with half",
    "mean there",
    "in the smallest element with four fifths",
    "mean there (four fifths)",
    "in the smallest element with nearly all",
    "mean there (nearly all)",
];

/// How many numbers the second look adds.
pub const WIDTH: usize = NEIGHBOURS.len() + OTHERS.len();

/// Names of the added numbers, in order.
pub fn names() -> Vec<String> {
    let near = NEIGHBOURS.iter().map(|at| format!("first look: row {at:+}"));
    near.chain(OTHERS.iter().map(|name| format!("first look: {name}"))).collect()
}

/// Sums of weights and of probabilities by weight over the rows before each.
struct Mass {
    weight: Vec<f32>,
    kept: Vec<f32>,
}

impl Mass {
    fn mean(&self, range: std::ops::Range<usize>) -> f32 {
        let weight = self.weight[range.end] - self.weight[range.start];
        if weight > 0.0 { (self.kept[range.end] - self.kept[range.start]) / weight } else { 0.0 }
    }
}

/// [`WIDTH`] numbers a row. O(rows).
pub(super) fn add(page: &Page<'_>, facts: &Facts, first: &[f32]) -> Vec<f32> {
    let n = first.len();
    let weights: Vec<f32> = facts.texts.iter().map(|text| text.words.max(0.5).sqrt()).collect();
    let mut mass = Mass { weight: vec![0.0], kept: vec![0.0] };
    for (weight, p) in weights.iter().zip(first) {
        mass.weight.push(mass.weight.last().copied().unwrap_or(0.0) + weight);
        mass.kept.push(mass.kept.last().copied().unwrap_or(0.0) + weight * p);
    }
    let by_signature = means(&facts.signatures, &weights, first);
    let by_path = means(&facts.paths, &weights, first);
    let ranks: Vec<u8> = page.rows.iter().map(|row| rank(page, row)).collect();
    let (best_copy, before) = copies(&facts.copies, first);
    let (since, to) = (gaps(first, &page.rows, false), gaps(first, &page.rows, true));
    let (sections, above) = sections(&ranks);
    let all = mass.kept[n].max(1e-6);
    let centres = SHARES.map(|share| centre(page, facts, &mass, share));
    let mut out = Vec::with_capacity(n * WIDTH);
    for at in 0..n {
        for offset in NEIGHBOURS {
            let near = usize::try_from(at as i64 + i64::from(offset)).ok().and_then(|near| first.get(near));
            out.push(near.copied().unwrap_or(-0.1));
        }
        out.push(first[at]);
        for reach in [3, 8, 20] {
            out.push(mass.mean(at.saturating_sub(reach)..(at + reach + 1).min(n)));
        }
        for id in facts.around[at] {
            out.push(mass.mean(facts.context.rows(page, id)));
        }
        let section = sections[at].clone();
        out.extend([
            by_signature[facts.signatures[at] as usize],
            by_path[facts.paths[at] as usize],
            best_copy[facts.copies[at] as usize],
            before[at],
            mass.mean(section.clone()),
            above[at].map_or(-0.1, |above| first[above]),
            since[at].0,
            to[at].0,
            since[at].1,
            to[at].1,
            mass.kept[at] / all,
            (all - mass.kept[at + 1]) / all,
            by_signature[facts.signatures[at] as usize] * mass.mean(section.clone()),
            first[at] - mass.mean(section),
        ]);
        for centre in &centres {
            out.extend([f32::from(u8::from(centre.contains(&at))), mass.mean(centre.clone())]);
        }
    }
    out
}

const SHARES: [f32; 3] = [0.5, 0.8, 0.95];

/// The rows of the smallest element that holds this share of what is thought to be main text.
fn centre(page: &Page<'_>, facts: &Facts, mass: &Mass, share: f32) -> std::ops::Range<usize> {
    let doc = page.doc;
    let needed = mass.kept.last().copied().unwrap_or(0.0) * share;
    let mut best = 0..mass.kept.len() - 1;
    let mut at = doc.body().map_or(0, |body| body.index());
    let end = doc.body().map_or(doc.len(), |body| doc.end(body));
    // Only an element that holds enough can hold one that does.
    while at < end {
        let id = doc.id(at);
        let rows = facts.context.rows(page, id);
        if rows.is_empty() || mass.kept[rows.end] - mass.kept[rows.start] < needed {
            at = doc.end(id);
            continue;
        }
        if rows.len() < best.len() {
            best = rows;
        }
        at += 1;
    }
    best
}

fn means(numbers: &[u32], weights: &[f32], first: &[f32]) -> Vec<f32> {
    let mut sums = vec![(0.0f32, 0.0f32); numbers.iter().max().map_or(0, |max| *max as usize + 1)];
    for ((&number, weight), p) in numbers.iter().zip(weights).zip(first) {
        let sum = &mut sums[number as usize];
        *sum = (sum.0 + weight, sum.1 + weight * p);
    }
    sums.into_iter().map(|(weight, kept)| if weight > 0.0 { kept / weight } else { 0.0 }).collect()
}

/// The best probability of each text, and for each row that of the copies before it.
fn copies(numbers: &[u32], first: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let mut best = vec![-0.1f32; numbers.iter().max().map_or(0, |max| *max as usize + 1)];
    let before = numbers
        .iter()
        .zip(first)
        .map(|(&number, &p)| {
            let best = &mut best[number as usize];
            let before = *best;
            *best = best.max(p);
            before
        })
        .collect();
    (best, before)
}

/// Rows and characters since (or until) the last row that was thought to be kept, on a logarithmic scale.
fn gaps(first: &[f32], rows: &[crate::page::Row], backwards: bool) -> Vec<(f32, f32)> {
    let mut gaps = vec![(0.0, 0.0); first.len()];
    let (mut n, mut chars) = (1_000.0f32, 100_000.0f32);
    let step = |at: usize, gaps: &mut Vec<(f32, f32)>, n: &mut f32, chars: &mut f32| {
        gaps[at] = (n.ln_1p(), chars.ln_1p());
        if first[at] >= 0.5 {
            (*n, *chars) = (0.0, 0.0);
        } else {
            *n += 1.0;
            *chars += rows[at].chars as f32;
        }
    };
    if backwards {
        (0..first.len()).rev().for_each(|at| step(at, &mut gaps, &mut n, &mut chars));
    } else {
        (0..first.len()).for_each(|at| step(at, &mut gaps, &mut n, &mut chars));
    }
    gaps
}

/// For each row the rows from the heading above it to the next heading, and that heading. Before the first heading a
/// section begins at the first row; a heading belongs to its own.
fn sections(ranks: &[u8]) -> (Vec<std::ops::Range<usize>>, Vec<Option<usize>>) {
    let n = ranks.len();
    let mut starts: Vec<usize> = (0..n).filter(|&at| ranks[at] > 0 && (at == 0 || ranks[at - 1] == 0)).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let (mut sections, mut above) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(n);
        let heading = (ranks.get(start).copied().unwrap_or(0) > 0).then_some(start);
        for at in start..end {
            sections.push(start..end);
            above.push(heading.filter(|&heading| heading != at));
        }
    }
    (sections, above)
}
