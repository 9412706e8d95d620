//! Dates that are a site's and not a page's: the day on which all pages of a manual were built.

use std::collections::HashMap;
use std::sync::Mutex;

use tantivy::Term;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::document::Document;
use crate::schema::Fields;
use crate::shards::Snapshot;

/// A moment that is the same to the second on half of so many pages is no page's own.
const PAGES_OF_A_MOMENT: u64 = 20;
/// A day may well be that of many pages, as where only today's news were fetched.
const PAGES_OF_A_DAY: u64 = 50;
const SECONDS_A_DAY: i64 = 86_400;
/// Dates of sites whose judgement is remembered; beyond, all are forgotten.
const MAX_KNOWN: usize = 10_000;

/// Judges dates by all documents of one snapshot, and remembers what it found.
#[derive(Default)]
pub(crate) struct SiteDates {
    known: Mutex<HashMap<(String, i64), bool>>,
}

impl SiteDates {
    /// Takes the date off a document whose site has it on most of its pages: a moment on half of at least 20, a day
    /// without a time on four fifths of at least 50.
    ///
    /// Two look-ups in the postings for each new pair of site and date. O(pages of the site with that date).
    pub fn clear(&self, document: &mut Document, snapshot: &Snapshot, fields: &Fields) -> tantivy::Result<()> {
        let Some(published) = document.published else { return Ok(()) };
        let pair = (document.site.clone(), published);
        let known = self.known.lock().ok().and_then(|known| known.get(&pair).copied());
        let is_of_site = match known {
            Some(is_of_site) => is_of_site,
            None => {
                let found = is_of_site(&document.site, published, snapshot, fields)?;
                if let Ok(mut known) = self.known.lock() {
                    if known.len() >= MAX_KNOWN {
                        known.clear();
                    }
                    known.insert(pair, found);
                }
                found
            }
        };
        if is_of_site {
            document.published = None;
            document.published_text.clear();
        }
        Ok(())
    }
}

fn is_of_site(site: &str, published: i64, snapshot: &Snapshot, fields: &Fields) -> tantivy::Result<bool> {
    let term = |term| -> Box<dyn Query> { Box::new(TermQuery::new(term, IndexRecordOption::Basic)) };
    let of_site = || term(Term::from_field_text(fields.site, site));
    let is_day = published.rem_euclid(SECONDS_A_DAY) == 0;
    let least = if is_day { PAGES_OF_A_DAY } else { PAGES_OF_A_MOMENT };
    let n_pages = snapshot.n_matches(of_site().as_ref())?;
    if n_pages < least {
        return Ok(false);
    }
    let of_date = term(Term::from_field_i64(fields.published, published));
    let n_same = snapshot.n_matches(&BooleanQuery::intersection(vec![of_site(), of_date]))?;
    Ok(if is_day { 5 * n_same >= 4 * n_pages } else { 2 * n_same >= n_pages })
}
