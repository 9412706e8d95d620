//! The layout readers: every way in which pages write a name beside its value, each giving candidates.
//!
//! They are generous on purpose, and several may read the same text: deciding is the job of `accept` (or of the
//! located area and a fixed order for the paper's method).

mod colon;
mod list;
mod parts;
mod siblings;
mod table;

pub(crate) use parts::{container_of, is_marked};
pub(crate) use siblings::signature;
pub(crate) use table::{TableRow, rows as table_rows};

use gristmill_html::LocalName;

use crate::candidate::CandidateList;
use crate::dictionary::Dictionary;
use crate::turned;
use crate::value_suffixes;
use crate::view::RecordView;

/// Most candidates of one page.
pub(crate) const MAX_CANDIDATES: usize = 6_000;

/// As [`read`], with each name before its value, and values without the same link, button or words behind many of them.
pub(crate) fn read_cut(view: &RecordView, dictionary: &Dictionary) -> CandidateList {
    let mut found = read(view, dictionary);
    turned::turn(view, dictionary, &mut found.candidates);
    value_suffixes::cut(view, &mut found.candidates);
    found
}

/// All candidates of a page, grouped by layout. O(nodes + text), bounded by [`MAX_CANDIDATES`].
pub(crate) fn read(view: &RecordView, dictionary: &Dictionary) -> CandidateList {
    let mut found = CandidateList::new(MAX_CANDIDATES);
    for index in 0..view.doc.len() {
        if found.full() {
            found.hit_limit = true;
            break;
        }
        match view.name(index) {
            LocalName::TEXT | LocalName::DOCUMENT | LocalName::HTML => {}
            LocalName::TABLE => table::read(view, index, &mut found),
            LocalName::DL => list::read(view, index, &mut found),
            LocalName::TR | LocalName::THEAD | LocalName::TBODY | LocalName::TFOOT => {}
            _ if view.n_leaves(index) >= 2 => siblings::read(view, dictionary, index, &mut found),
            _ => {}
        }
    }
    colon::read(view, dictionary, &mut found);
    found
}
