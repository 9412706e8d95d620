//! The numbers that the second look adds: what the first look thinks of the row, its neighbours and its like.

use std::ops::Range;

use gristmill_page::Page;

use super::features::{FeatureWriter, PageFeatures, STRIDE, flag};
use super::numbers::numbers;
use super::weighted::{WeightedSums, means_of};

const NEIGHBOURS: [i32; 10] = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5];
/// The elements around a row, from inside.
const LEVELS: [&str; 4] = ["block", "parent", "grandparent", "great-grandparent"];

numbers! {
    /// Of the row itself and of the rows beside it.
    REACH, reach(own: &Opinions<'_>, at: usize) {
        "itself" => own.first[at],
        "within 3 rows" => own.within(at, 3),
        "within 8 rows" => own.within(at, 8),
        "within 20 rows" => own.within(at, 20),
    }
}

numbers! {
    /// Of rows alike, of the section, and of what was kept so far. `alike` and `section` are means of their rows.
    ALIKE, alike(own: &Opinions<'_>, at: usize, alike: f32, section: f32) {
        "same signature" => alike,
        "same path" => own.by_path[own.facts.paths[at] as usize],
        "best copy" => own.best_copy[own.facts.copies[at] as usize],
        "best copy before" => own.before[at],
        "section below" => section,
        "heading above" => own.above[at].map_or(-0.1, |above| own.first[above]),
        "rows since a kept row" => own.since[at].0,
        "rows to a kept row" => own.to[at].0,
        "text since a kept row" => own.since[at].1,
        "text to a kept row" => own.to[at].1,
        "kept before" => own.mass.value[at] / own.all,
        "kept after" => (own.all - own.mass.value[at + 1]) / own.all,
        "signature and section" => alike * section,
        "above its section" => own.first[at] - section,
    }
}

/// Shares of what is thought to be main text: of the smallest element with so much the numbers are whether the row is in it, and the
/// mean of its rows.
const SHARES: [(f32, [&str; 2]); 3] = [
    (0.5, ["in the smallest element with half", "mean there"]),
    (0.8, ["in the smallest element with four fifths", "mean there (four fifths)"]),
    (0.95, ["in the smallest element with nearly all", "mean there (nearly all)"]),
];
/// The one of [`SHARES`] that is called the centre.
const CENTRE: usize = 1;

numbers! {
    /// Where the row stands towards the centre. `branch`: mean, share of main text and share of rows of the last element below it.
    TOWARDS, towards(centre: &Range<usize>, up: &Climb, branch: [f32; 3], at: usize) {
        "levels up to the centre" => up.levels as f32,
        "before the centre" => flag(at < centre.start),
        "after the centre" => flag(at >= centre.end),
        "branch of the centre" => branch[0],
        "share of main text in the branch" => branch[1],
        "share of rows in the branch" => branch[2],
    }
}

numbers! {
    /// Where the row stands on the page.
    ON_PAGE, on_page(own: &Opinions<'_>, up: &Climb, at: usize) {
        "rows since the first kept row" => at as f32 - own.kept.start as f32,
        "rows until the last kept row" => own.kept.end as f32 - at as f32,
        "share of less likely rows" =>
            own.ascending.partition_point(|p| *p < own.first[at]) as f32 / own.first.len() as f32,
        "best of the page" => rough(own.ascending.last().copied().unwrap_or(0.0)),
        "mean of the page" => rough(own.mass.mean(0..own.first.len())),
        "most of the elements around" => up.most,
        "least of the elements around" => up.least,
        "within 40 rows before" => own.mass.mean(at.saturating_sub(40)..at),
    }
}

fn rough(p: f32) -> f32 {
    (p * 10.0).round() / 10.0
}

/// What a row has beyond so many words says nothing: one row of 100,000 would be all that is thought of the page.
const LONGEST: f32 = 400.0;

/// How many numbers the second look adds.
pub const WIDTH: usize = NEIGHBOURS.len()
    + REACH.len()
    + LEVELS.len()
    + ALIKE.len()
    + 2 * SHARES.len()
    + LEVELS.len()
    + TOWARDS.len()
    + ON_PAGE.len();

/// Names of the added numbers, in order.
pub fn names() -> Vec<String> {
    let own = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let names = [
        NEIGHBOURS.iter().map(|at| format!("row {at:+}")).collect(),
        own(&REACH),
        own(&LEVELS),
        own(&ALIKE),
        own(SHARES.map(|(_, names)| names).as_flattened()),
        LEVELS.iter().map(|level| format!("share of main text in the {level}")).collect(),
        own(&TOWARDS),
        own(&ON_PAGE),
    ];
    names.concat().into_iter().map(|name| format!("first look: {name}")).collect()
}

/// What the first look thinks of a page, summed up.
struct Opinions<'p> {
    page: &'p Page<'p>,
    facts: &'p PageFeatures,
    first: &'p [f32],
    mass: WeightedSums,
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
pub(super) fn add(page: &Page<'_>, facts: &PageFeatures, first: &[f32], least: f32, values: &mut [f32]) {
    let opinions = Opinions::new(page, facts, first);
    for (at, row) in values.chunks_exact_mut(STRIDE).enumerate() {
        if first[at] >= least {
            let mut out = FeatureWriter { row: &mut row[super::features::WIDTH..], at: 0 };
            opinions.put(at, &mut out);
            debug_assert_eq!(out.at, WIDTH);
        }
    }
}

impl<'p> Opinions<'p> {
    fn new(page: &'p Page<'p>, facts: &'p PageFeatures, first: &'p [f32]) -> Opinions<'p> {
        let weights: Vec<f32> = facts.texts.iter().map(|text| text.words.clamp(0.5, LONGEST).sqrt()).collect();
        let mass = WeightedSums::new(&weights, first);
        let ranks: Vec<u8> = page.rows.iter().map(|row| page.row_rank(row)).collect();
        let (best_copy, before) = copies(&facts.copies, first);
        let (sections, above) = sections(&ranks);
        let mut ascending = first.to_vec();
        ascending.sort_unstable_by(f32::total_cmp);
        let likely = |p: &f32| *p >= 0.5;
        Opinions {
            page,
            facts,
            first,
            all: mass.all().max(1e-6),
            by_signature: means_of(&facts.signatures, &weights, first),
            by_path: means_of(&facts.paths, &weights, first),
            best_copy,
            before,
            since: gaps(first, &page.rows, false),
            to: gaps(first, &page.rows, true),
            sections,
            above,
            centres: SHARES.map(|(share, _)| centre(page, facts, &mass, share)),
            mass,
            ascending,
            kept: first.iter().position(likely).unwrap_or(0)..first.iter().rposition(likely).unwrap_or(first.len()),
        }
    }

    /// All numbers of a row, in the order of [`names`].
    fn put(&self, at: usize, out: &mut FeatureWriter<'_>) {
        for offset in NEIGHBOURS {
            let near = usize::try_from(at as i64 + i64::from(offset)).ok().and_then(|near| self.first.get(near));
            out.put(near.copied().unwrap_or(-0.1));
        }
        out.put_all(&reach(self, at));
        let around = self.facts.around[at].map(|id| self.facts.context.rows(self.page, id));
        for rows in &around {
            out.put(self.mass.mean(rows.clone()));
        }
        let of_signature = self.by_signature[self.facts.signatures[at] as usize];
        out.put_all(&alike(self, at, of_signature, self.mass.mean(self.sections[at].clone())));
        for centre in &self.centres {
            out.flag(centre.contains(&at));
            out.put(self.mass.mean(centre.clone()));
        }
        for rows in &around {
            out.put(self.mass.sum(rows.clone()) / self.all);
        }
        let centre = &self.centres[CENTRE];
        let up = self.climb(at, centre);
        let branch = up.branch.as_ref().map_or([-0.1; 3], |rows| {
            let (mean, sum) = (self.mass.mean(rows.clone()), self.mass.sum(rows.clone()));
            [mean, sum / self.all, rows.len() as f32 / self.first.len() as f32]
        });
        out.put_all(&towards(centre, &up, branch, at));
        out.put_all(&on_page(self, &up, at));
    }

    fn within(&self, at: usize, reach: usize) -> f32 {
        self.mass.mean(at.saturating_sub(reach)..(at + reach + 1).min(self.first.len()))
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

/// The rows of the smallest element that holds this share of what is thought to be main text.
fn centre(page: &Page<'_>, facts: &PageFeatures, mass: &WeightedSums, share: f32) -> Range<usize> {
    let doc = page.doc;
    let needed = mass.all() * share;
    let mut best = 0..mass.value.len() - 1;
    let mut at = doc.body().map_or(0, |body| body.index());
    let end = doc.body().map_or(doc.len(), |body| doc.end(body));
    // Only an element that holds enough can hold one that does.
    while at < end {
        let id = doc.id(at);
        let rows = facts.context.rows(page, id);
        if rows.is_empty() || mass.value[rows.end] - mass.value[rows.start] < needed {
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
    use gristmill_html::{Doc, TreeLimits};

    use super::*;
    use crate::best::{RowFeatures, shipped};
    use crate::page_type::types_of;
    use gristmill_page::MethodInput;

    #[test]
    fn one_endless_row_is_not_all_that_is_thought_of_a_page() {
        let mean = |words: usize| {
            let short = "<p>a story of some words that a mill tells</p>".repeat(20);
            let html = format!("<div>{}</div><div>{short}</div>", "terms ".repeat(words));
            let doc = Doc::parse(&html, &TreeLimits::default());
            let page = Page::new(&doc);
            let tokens = &shipped().tokens;
            let mut seen = RowFeatures::new(&page, &MethodInput::default(), &types_of(&page, None), tokens);
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
