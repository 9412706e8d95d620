//! Ends of values that are no part of them: the same link or button behind many values ("more", "report an error").

use gristmill_html::Name;

use crate::candidate::{Candidate, Layout};
use crate::dictionary::fold;
use crate::hash::Map;
use crate::view::{Span, View};

/// Values of one table or list behind which the same words must stand, and the share of all its values.
const MIN_VALUES: usize = 3;
const MIN_SHARE: f32 = 0.3;
/// Links that are cut off one value: "compare", "more".
const MAX_LINKS: usize = 3;

/// Cuts links and buttons off the ends of values, where several values of the same table or list end in the same words. Nothing is cut
/// that is all of a value. O(candidates · log leaves).
pub(crate) fn cut(view: &View, candidates: &mut [Candidate]) {
    let place = |candidate: &Candidate| (candidate.layout, candidate.container);
    let mut sizes: Map<(Layout, u32), usize> = Map::default();
    candidates.iter().for_each(|candidate| *sizes.entry(place(candidate)).or_insert(0) += 1);
    for _ in 0..MAX_LINKS {
        let mut counts: Map<(Layout, u32, u64), usize> = Map::default();
        let tails: Vec<Option<(u64, Span)>> = candidates.iter().map(|candidate| tail(view, candidate.value)).collect();
        for (candidate, (words, _)) in
            candidates.iter().zip(&tails).filter_map(|(one, tail)| Some((one, tail.as_ref()?)))
        {
            *counts.entry((candidate.layout, candidate.container, *words)).or_insert(0) += 1;
        }
        let mut any = false;
        for (candidate, tail) in candidates.iter_mut().zip(tails) {
            let Some((words, rest)) = tail else { continue };
            let least = MIN_VALUES.max((sizes[&place(candidate)] as f32 * MIN_SHARE) as usize);
            if counts[&(candidate.layout, candidate.container, words)] >= least {
                candidate.value = rest;
                any = true;
            }
        }
        if !any {
            return;
        }
    }
}

/// The words of a link or button at the end of a value, and the value before it.
fn tail(view: &View, value: Span) -> Option<(u64, Span)> {
    let first = view.leaf_at(value.start);
    let last = view.leaf_at(value.end.saturating_sub(1));
    let control = (last > first).then(|| control(view, view.leaves[last].node.index()))??;
    let (a, _) = view.leaf_range(control);
    if a <= first {
        return None;
    }
    let text = view.slice(view.span(a, last + 1));
    let rest = view.trim(Span { start: value.start, end: view.leaves[a - 1].end });
    (text.chars().any(char::is_alphabetic) && !rest.is_empty()).then(|| (fold(text), rest))
}

/// The link or button around a node.
fn control(view: &View, node: usize) -> Option<usize> {
    let mut at = node;
    for _ in 0..4 {
        at = view.parent(at);
        if matches!(view.name(at), Name::A | Name::BUTTON) {
            return Some(at);
        }
    }
    None
}
