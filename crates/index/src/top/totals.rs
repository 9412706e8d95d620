//! Numbers of matches that are known without a look at any of them.

use tantivy::Term;
use tantivy::query::AllQuery;

use crate::shards::ShardsSnapshot;
use crate::tree::QueryTree;

/// How many documents match, if that is known: of all documents, and of a single term if none with it can have been deleted.
pub(super) fn free_total(tree: &QueryTree, snapshot: &ShardsSnapshot) -> tantivy::Result<Option<u64>> {
    match tree {
        QueryTree::Filter(query) if query.is::<AllQuery>() => Ok(Some(snapshot.n_docs())),
        QueryTree::Term(term, _) | QueryTree::Label(term) => of_term(term, snapshot),
        QueryTree::Best(of, _) | QueryTree::Any(of) => of_union(of, snapshot),
        QueryTree::Whole { must: of, not, .. } if not.is_empty() => of_one(of, snapshot),
        QueryTree::All(of) => of_one(of, snapshot),
        _ => Ok(None),
    }
}

fn of_one(trees: &[QueryTree], snapshot: &ShardsSnapshot) -> tantivy::Result<Option<u64>> {
    if let [one] = trees { free_total(one, snapshot) } else { Ok(None) }
}

/// Known if only one of them has matches.
fn of_union(trees: &[QueryTree], snapshot: &ShardsSnapshot) -> tantivy::Result<Option<u64>> {
    let mut only = Some(0);
    for tree in trees {
        only = match (only, free_total(tree, snapshot)?) {
            (Some(0), of_this) => of_this,
            (only, Some(0)) => only,
            _ => None,
        };
        if only.is_none() {
            break;
        }
    }
    Ok(only)
}

fn of_term(term: &Term, snapshot: &ShardsSnapshot) -> tantivy::Result<Option<u64>> {
    let mut sum = 0;
    for ord in 0..snapshot.n_segments() {
        let segment = snapshot.segment(ord);
        let n_docs = segment.inverted_index(term.field())?.doc_freq(term)?;
        if n_docs > 0 && segment.has_deletes() {
            return Ok(None);
        }
        sum += u64::from(n_docs);
    }
    Ok(Some(sum))
}
