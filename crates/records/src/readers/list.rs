//! Definition lists: `dt` with the `dd`s that follow it.

use gristmill_html::LocalName;

use super::parts::pair;
use crate::candidate::{Candidate, CandidateList, PairLayout};
use crate::view::RecordView;

pub(super) fn read(view: &RecordView, list: usize, found: &mut CandidateList) {
    let (mut index, end) = (list + 1, view.end(list));
    // The open pair: the term, the leaves of its descriptions so far, and where the last description begins.
    let mut open: Option<(usize, usize, usize, usize)> = None;
    let mut n_terms = 0;
    while index < end {
        match view.name(index) {
            LocalName::DL => {
                // A description that holds a list of its own is a section.
                open = None;
                index = view.end(index);
                continue;
            }
            LocalName::DT => {
                close(view, list, open.take(), found);
                let after = view.leaf_range(index).1;
                open = Some((index, after, after, after));
                n_terms += 1;
            }
            LocalName::DD => {
                let range = view.leaf_range(index);
                if let Some((_, from, to, last)) = &mut open
                    && range.0 < range.1
                {
                    if *from == *to {
                        *from = range.0;
                    }
                    (*to, *last) = (range.1, range.0);
                }
            }
            _ => {}
        }
        index += 1;
    }
    close(view, list, open, found);
    // Pages of some shops use one list for each pair; their container is the parent then.
    if n_terms == 1
        && let Some(last) = found.candidates.last_mut()
        && last.container == list as u32
    {
        last.container = super::container_of(view, list) as u32;
    }
}

fn close(view: &RecordView, list: usize, open: Option<(usize, usize, usize, usize)>, found: &mut CandidateList) {
    let Some((term, from, to, last)) = open.filter(|(_, from, to, _)| from < to) else { return };
    let mut candidate = pair(PairLayout::List, view.span_of(term), view.span(from, to), term, list);
    candidate.facts |= Candidate::NAME_MARKED;
    found.push(view, candidate);
    if last > from {
        // What stands before the last description may be a remark on the term.
        candidate.value = view.span(last, to);
        candidate.facts |= Candidate::GROUPED;
        found.push(view, candidate);
    }
}
