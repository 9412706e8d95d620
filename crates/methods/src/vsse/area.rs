//! From seeds to an area: the part of the page that their tag paths, or their places in the tree, agree on.

use std::collections::HashMap;

use gristmill_html::NodeId;
use gristmill_page::{
    Page, Trace, TraceValue,
    paths::{PathId, TagPaths, lcs},
};

use super::{Piece, SeedAggregation};

/// An area this short, in tags from `html` on, is nearly the page: two tags below `body`.
const MIN_AREA_TAGS: u32 = 4;

/// The units under the path (or ancestor) that the seeds agree on, in document order.
pub(super) fn area(
    aggregate: SeedAggregation,
    page: &Page<'_>,
    paths: &TagPaths,
    pieces: &[Piece<'_>],
    seeds: &[usize],
    trace: &mut Trace,
) -> Vec<usize> {
    trace.note("seeds", || TraceValue::Series(seeds.iter().map(|&at| at as f64).collect()));
    if aggregate == SeedAggregation::Dom {
        let ancestor = common_ancestor(page, pieces, seeds);
        return (0..pieces.len()).filter(|&at| page.doc.contains(ancestor, pieces[at].node)).collect();
    }
    let (path, n_folded) = match aggregate {
        SeedAggregation::Lcs => fold_lcs(paths, pieces, seeds),
        SeedAggregation::Prefix | SeedAggregation::Dom => fold_prefix(paths, pieces, seeds),
    };
    trace.note("path", || TraceValue::Text(paths.to_text(page.doc, path)));
    trace.note("seeds_folded", || TraceValue::Number(n_folded as f64));
    trace.note("collapsed", || TraceValue::Flag(paths.len(path) < MIN_AREA_TAGS));
    let below = paths.below(path);
    (0..pieces.len()).filter(|&at| below[pieces[at].path as usize]).collect()
}
/// The seeds, strongest first; of equals the first in document order.
fn by_strength(pieces: &[Piece<'_>], seeds: &[usize]) -> Vec<usize> {
    let mut seeds = seeds.to_vec();
    seeds.sort_by_key(|&at| std::cmp::Reverse(u64::from(pieces[at].chars) * u64::from(pieces[at].marks)));
    seeds
}

/// The common prefix of as many seeds as do not collapse it, the strongest first; and how many they are.
///
/// The same as dropping the weakest seed and folding again until the prefix is long enough or one seed is left,
/// because a prefix of more paths is never longer. O(seeds · depth).
fn fold_prefix(paths: &TagPaths, pieces: &[Piece<'_>], seeds: &[usize]) -> (PathId, usize) {
    let seeds = by_strength(pieces, seeds);
    let mut path = pieces[seeds[0]].path;
    for (n, &seed) in seeds.iter().enumerate() {
        let shared = paths.common_prefix(path, pieces[seed].path);
        if paths.len(shared) < MIN_AREA_TAGS {
            return (path, n.max(1));
        }
        path = shared;
    }
    (path, seeds.len())
}

/// Pairs of paths that are compared tag by tag, and tags of each that are looked at.
const MAX_PAIRS: usize = 2_000;
const MAX_TAGS: usize = 128;
/// How often the weakest seed alone is dropped, before the weaker half goes.
const MAX_SINGLE_DROPS: usize = 20;

/// Equation 2 to the letter over the seeds in document order, the weakest dropped while the result collapses.
///
/// Bounded by the constants above; beyond the first two, which only hostile pages reach, the common prefix takes over.
fn fold_lcs(paths: &TagPaths, pieces: &[Piece<'_>], seeds: &[usize]) -> (PathId, usize) {
    let mut known: HashMap<(PathId, PathId), PathId> = HashMap::new();
    let mut join = |x: PathId, y: PathId| {
        if x == y {
            return x;
        }
        if known.len() >= MAX_PAIRS && !known.contains_key(&(x, y)) {
            return paths.common_prefix(x, y);
        }
        *known.entry((x, y)).or_insert_with(|| {
            let cut = |path| paths.names(paths.prefix(path, MAX_TAGS as u32));
            paths.prefix(x, lcs(&cut(x), &cut(y)))
        })
    };
    // How many seeds are stronger than each.
    let strength = by_strength(pieces, seeds);
    let mut rank = vec![0; pieces.len()];
    strength.iter().enumerate().for_each(|(n, &seed)| rank[seed] = n);
    let mut n = seeds.len();
    let mut round = 0;
    loop {
        let left = seeds.iter().filter(|&&seed| rank[seed] < n).map(|&seed| pieces[seed].path);
        let path = left.reduce(&mut join).expect("the strongest seed is left");
        if paths.len(path) >= MIN_AREA_TAGS || n == 1 {
            return (path, n);
        }
        n = if round < MAX_SINGLE_DROPS { n - 1 } else { n.div_ceil(2) };
        round += 1;
    }
}

/// The lowest node that contains all seeds; the parent of a single seed.
fn common_ancestor(page: &Page<'_>, pieces: &[Piece<'_>], seeds: &[usize]) -> NodeId {
    let doc = page.doc;
    let mut ancestor = pieces[seeds[0]].node;
    if seeds.len() == 1 {
        return doc.parent(ancestor).unwrap_or(ancestor);
    }
    for &seed in seeds {
        while !doc.contains(ancestor, pieces[seed].node) {
            ancestor = doc.parent(ancestor).expect("the document contains every node");
        }
    }
    ancestor
}
