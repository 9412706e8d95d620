//! The numbers that the second look adds: what the first look thinks of the row, its neighbours and its like.

use std::ops::Range;

use gristmill_page::Page;

use super::features::{Cursor, Facts, STRIDE, rank};

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

/// Where the row stands towards the smallest element with four fifths of what is thought to be main text.
const TOWARDS: [&str; 18] = [
    "share of main text in the block",
    "share of main text in the parent",
    "share of main text in the grandparent",
    "share of main text in the great-grandparent",
    "levels up to the centre",
    "before the centre",
    "after the centre",
    "branch of the centre",
    "share of main text in the branch",
    "share of rows in the branch",
    "rows since the first kept row",
    "rows until the last kept row",
    "share of less likely rows",
    "best of the page",
    "mean of the page",
    "most of the elements around",
    "least of the elements around",
    "within 40 rows before",
];

/// What a row has beyond so many words says nothing: one row of 100,000 would be all that is thought of the page.
const LONGEST: f32 = 400.0;

/// How many numbers the second look adds.
pub const WIDTH: usize = NEIGHBOURS.len() + OTHERS.len() + TOWARDS.len();

/// Names of the added numbers, in order.
pub fn names() -> Vec<String> {
    let near = NEIGHBOURS.iter().map(|at| format!("first look: row {at:+}"));
    near.chain(OTHERS.iter().chain(&TOWARDS).map(|name| format!("first look: {name}"))).collect()
}

/// Sums of weights and of probabilities by weight over the rows before each.
struct Mass {
    weight: Vec<f32>,
    kept: Vec<f32>,
}

impl Mass {
    fn mean(&self, range: Range<usize>) -> f32 {
        let weight = self.weight[range.end] - self.weight[range.start];
        if weight > 0.0 { self.sum(range) / weight } else { 0.0 }
    }

    fn sum(&self, range: Range<usize>) -> f32 {
        self.kept[range.end] - self.kept[range.start]
    }
}

/// What the first look thinks of a page, summed up.
struct Opinions<'p> {
    page: &'p Page<'p>,
    facts: &'p Facts,
    first: &'p [f32],
    mass: Mass,
    /// Main text that is expected on the page.
    all: f32,
    by_signature: Vec<f32>,
    by_path: Vec<f32>,
    best_copy: Vec<f32>,
    before: Vec<f32>,
    since: Vec<(f32, f32)>,
    to: Vec<(f32, f32)>,
    sections: Vec<Range<usize>>,
    above: Vec<Option<usize>>,
    centres: [Range<usize>; SHARES.len()],
    ascending: Vec<f32>,
    kept: Range<usize>,
}

/// Puts [`WIDTH`] numbers after those of the first look in each row of `values` that this gave at least `least`.
///
/// O(rows · log rows).
pub(super) fn add(page: &Page<'_>, facts: &Facts, first: &[f32], least: f32, values: &mut [f32]) {
    let opinions = Opinions::new(page, facts, first);
    for (at, row) in values.chunks_exact_mut(STRIDE).enumerate() {
        if first[at] >= least {
            let mut out = Cursor { row: &mut row[super::features::WIDTH..], at: 0 };
            opinions.near(at, &mut out);
            opinions.sections(at, &mut out);
            opinions.towards(at, &mut out);
            debug_assert_eq!(out.at, WIDTH);
        }
    }
}

impl<'p> Opinions<'p> {
    fn new(page: &'p Page<'p>, facts: &'p Facts, first: &'p [f32]) -> Opinions<'p> {
        let weights: Vec<f32> = facts.texts.iter().map(|text| text.words.clamp(0.5, LONGEST).sqrt()).collect();
        let mut mass = Mass { weight: vec![0.0], kept: vec![0.0] };
        let (mut sum, mut kept) = (0.0, 0.0);
        for (weight, p) in weights.iter().zip(first) {
            sum += weight;
            kept += weight * p;
            mass.weight.push(sum);
            mass.kept.push(kept);
        }
        let ranks: Vec<u8> = page.rows.iter().map(|row| rank(page, row)).collect();
        let (best_copy, before) = copies(&facts.copies, first);
        let (sections, above) = sections(&ranks);
        let mut ascending = first.to_vec();
        ascending.sort_unstable_by(f32::total_cmp);
        let likely = |p: &f32| *p >= 0.5;
        Opinions {
            page,
            facts,
            first,
            all: kept.max(1e-6),
            by_signature: means(&facts.signatures, &weights, first),
            by_path: means(&facts.paths, &weights, first),
            best_copy,
            before,
            since: gaps(first, &page.rows, false),
            to: gaps(first, &page.rows, true),
            sections,
            above,
            centres: SHARES.map(|share| centre(page, facts, &mass, share)),
            mass,
            ascending,
            kept: first.iter().position(likely).unwrap_or(0)..first.iter().rposition(likely).unwrap_or(first.len()),
        }
    }

    fn near(&self, at: usize, out: &mut Cursor<'_>) {
        let n = self.first.len();
        for offset in NEIGHBOURS {
            let near = usize::try_from(at as i64 + i64::from(offset)).ok().and_then(|near| self.first.get(near));
            out.put(near.copied().unwrap_or(-0.1));
        }
        out.put(self.first[at]);
        for reach in [3, 8, 20] {
            out.put(self.mass.mean(at.saturating_sub(reach)..(at + reach + 1).min(n)));
        }
        for id in self.facts.around[at] {
            out.put(self.mass.mean(self.facts.context.rows(self.page, id)));
        }
    }

    fn sections(&self, at: usize, out: &mut Cursor<'_>) {
        let section = self.mass.mean(self.sections[at].clone());
        let alike = self.by_signature[self.facts.signatures[at] as usize];
        out.put_all(&[
            alike,
            self.by_path[self.facts.paths[at] as usize],
            self.best_copy[self.facts.copies[at] as usize],
            self.before[at],
            section,
            self.above[at].map_or(-0.1, |above| self.first[above]),
            self.since[at].0,
            self.to[at].0,
            self.since[at].1,
            self.to[at].1,
            self.mass.kept[at] / self.all,
            (self.all - self.mass.kept[at + 1]) / self.all,
            alike * section,
            self.first[at] - section,
        ]);
        for centre in &self.centres {
            out.flag(centre.contains(&at));
            out.put(self.mass.mean(centre.clone()));
        }
    }

    fn towards(&self, at: usize, out: &mut Cursor<'_>) {
        let n = self.first.len();
        for id in self.facts.around[at] {
            out.put(self.mass.sum(self.facts.context.rows(self.page, id)) / self.all);
        }
        let centre = &self.centres[1];
        let up = self.climb(at, centre);
        out.put(up.levels as f32);
        out.flag(at < centre.start);
        out.flag(at >= centre.end);
        match &up.branch {
            Some(rows) => out.put_all(&[
                self.mass.mean(rows.clone()),
                self.mass.sum(rows.clone()) / self.all,
                rows.len() as f32 / n as f32,
            ]),
            None => out.put_all(&[-0.1; 3]),
        }
        let rough = |p: f32| (p * 10.0).round() / 10.0;
        out.put_all(&[
            at as f32 - self.kept.start as f32,
            self.kept.end as f32 - at as f32,
            self.ascending.partition_point(|p| *p < self.first[at]) as f32 / n as f32,
            rough(self.ascending.last().copied().unwrap_or(0.0)),
            rough(self.mass.mean(0..n)),
            up.most,
            up.least,
            self.mass.mean(at.saturating_sub(40)..at),
        ]);
    }

    /// From the block of a row up to the element that holds the centre.
    fn climb(&self, at: usize, centre: &Range<usize>) -> Climb {
        let mut up = Climb { levels: 0, branch: None, most: -0.1, least: 1.1 };
        let doc = self.page.doc;
        for id in std::iter::once(self.page.rows[at].block).chain(doc.ancestors(self.page.rows[at].block)).take(30) {
            let rows = self.facts.context.rows(self.page, id);
            if rows.len() >= 2 && up.levels < 8 {
                let mean = self.mass.mean(rows.clone());
                (up.most, up.least) = (up.most.max(mean), up.least.min(mean));
            }
            if rows.start <= centre.start && rows.end >= centre.end {
                break;
            }
            up.branch = Some(rows);
            up.levels += 1;
        }
        up
    }
}

struct Climb {
    levels: usize,
    /// Rows of the last element below that which holds the centre.
    branch: Option<Range<usize>>,
    most: f32,
    least: f32,
}

const SHARES: [f32; 3] = [0.5, 0.8, 0.95];

/// The rows of the smallest element that holds this share of what is thought to be main text.
fn centre(page: &Page<'_>, facts: &Facts, mass: &Mass, share: f32) -> Range<usize> {
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

/// Rows and characters since (or until) the last row that was thought to be kept.
fn gaps(first: &[f32], rows: &[gristmill_page::Row], backwards: bool) -> Vec<(f32, f32)> {
    let mut gaps = vec![(0.0, 0.0); first.len()];
    let (mut n, mut chars) = (1_000.0f32, 100_000.0f32);
    let step = |at: usize, gaps: &mut Vec<(f32, f32)>, n: &mut f32, chars: &mut f32| {
        gaps[at] = (*n, *chars);
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
fn sections(ranks: &[u8]) -> (Vec<Range<usize>>, Vec<Option<usize>>) {
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

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, Limits};

    use super::*;
    use crate::best::{Seen, shipped};
    use crate::page_type::types_of;
    use gristmill_page::Query;

    #[test]
    fn one_endless_row_is_not_all_that_is_thought_of_a_page() {
        let mean = |words: usize| {
            let short = "<p>a story of some words that a mill tells</p>".repeat(20);
            let html = format!("<div>{}</div><div>{short}</div>", "terms ".repeat(words));
            let doc = Doc::parse(&html, &Limits::default());
            let page = Page::new(&doc);
            let tokens = &shipped().tokens;
            let mut seen = Seen::new(&page, &Query::default(), &types_of(&page, None), tokens);
            let first: Vec<f32> = page.rows.iter().map(|row| if row.start == 0 { 0.9 } else { 0.1 }).collect();
            seen.look_again(&page, &first, 0.0);
            let at = super::super::features::WIDTH
                + names().iter().position(|name| name.ends_with("mean of the page")).unwrap();
            seen.numbers()[at]
        };
        assert!(mean(100_000) == mean(400) && mean(400) > mean(4), "{} {} {}", mean(100_000), mean(400), mean(4));
        assert!(mean(100_000) < 0.5, "{}", mean(100_000));
    }
}
