//! The order of hits in one segment: by score, time or price, then by key.

use std::collections::HashSet;
use std::sync::Arc;

use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocAddress, DocId};

use super::rank::{HitSortKey, of_date, of_price, of_score};
use super::zone_map::STRETCH;
use crate::query::Sort;
use crate::schema::Fields;
use crate::shards::ShardsSnapshot;

/// Sums of bounds may be this much off from the sums of scores, since they are rounded.
const ROUNDING: f32 = 1e-5;

/// Ranks the documents of a segment.
pub(super) struct HitOrder {
    keys: Column<u64>,
    by: By,
}

enum By {
    Score,
    /// All scores are 0: with the smallest key of each stretch.
    Key(Arc<Vec<u64>>),
    /// With the latest date of each stretch.
    Date(Box<PageDates>, Arc<Vec<u64>>),
    Updated(Column<i64>),
    /// Or the other way round.
    Price(Column<f64>, bool),
}

impl HitOrder {
    pub fn new(
        sort: Sort,
        is_constant: bool,
        snapshot: &ShardsSnapshot,
        fields: &Fields,
        ord: u32,
    ) -> tantivy::Result<Self> {
        let segment = snapshot.segment(ord);
        let by = match sort {
            Sort::Score if is_constant => By::Key(snapshot.known.extremes.least_keys(segment)?),
            Sort::Score => By::Score,
            Sort::Date => By::Date(
                Box::new(PageDates::new(snapshot, fields, ord)?),
                snapshot.known.extremes.latest_dates(segment)?,
            ),
            Sort::Updated => By::Updated(segment.fast_fields().i64("updated")?),
            Sort::Price | Sort::PriceDescending => {
                By::Price(segment.fast_fields().f64("price")?, sort == Sort::PriceDescending)
            }
        };
        Ok(Self { keys: segment.fast_fields().u64("key_order")?, by })
    }

    pub fn rank(&self, score: f32, at: DocAddress) -> HitSortKey {
        let first = match &self.by {
            By::Score | By::Key(_) => of_score(score),
            By::Date(dates, _) => of_date(dates.get(at.doc_id)),
            By::Updated(times) => of_date(times.first(at.doc_id)),
            By::Price(prices, descending) => of_price(prices.first(at.doc_id), *descending),
        };
        HitSortKey::new(first, self.keys.first(at.doc_id).unwrap_or(0), at)
    }

    /// The score below which nothing outranks `worst`.
    pub fn least(&self, worst: HitSortKey) -> f32 {
        match self.by {
            By::Score => worst.score() * (1.0 - ROUNDING),
            By::Key(_) | By::Date(..) | By::Updated(_) | By::Price(..) => 0.0,
        }
    }

    /// Where something may outrank `worst`, from `target` on: the beginning, the end, and the score to reach.
    pub fn stretch(&self, target: DocId, far: DocId, last: DocId, worst: HitSortKey) -> (DocId, DocId, f32) {
        let from = |extremes: &[u64], may: &dyn Fn(u64) -> bool| {
            let now = target / STRETCH;
            let ahead = extremes[now as usize..].iter().position(|extreme| may(*extreme));
            let found = now + ahead.unwrap_or(extremes.len() - now as usize) as DocId;
            (target.max(found * STRETCH), (found * STRETCH + STRETCH - 1).min(last), 0.0)
        };
        match &self.by {
            By::Score => (target, far, self.least(worst)),
            By::Key(keys) => from(keys, &|key| worst.first() == 0 && key <= worst.key()),
            By::Date(_, dates) => from(dates, &|date| date >= worst.first()),
            By::Updated(_) | By::Price(..) => (target, far, 0.0),
        }
    }

    /// Whether a document may outrank `worst`, given a bound of its score.
    pub fn may_outrank(
        &self,
        worst: HitSortKey,
        at: DocAddress,
        most: impl FnOnce() -> tantivy::Result<Option<f32>>,
    ) -> tantivy::Result<bool> {
        match self.by {
            By::Score => Ok(most()?.is_some_and(|most| most >= self.least(worst))),
            By::Key(_) | By::Date(..) | By::Updated(_) | By::Price(..) => Ok(self.rank(0.0, at) > worst),
        }
    }
}

/// The dates of documents, without those that are their site's.
pub(crate) struct PageDates {
    published: Column<i64>,
    shown: Column<i64>,
    sites: Option<StrColumn>,
    of_sites: HashSet<(u64, i64)>,
}

impl PageDates {
    pub(crate) fn new(snapshot: &ShardsSnapshot, fields: &Fields, ord: u32) -> tantivy::Result<Self> {
        let columns = snapshot.segment(ord).fast_fields();
        let (published, shown) = (columns.i64("published")?, columns.i64("published_shown")?);
        let sites = columns.str("site")?;
        let mut of_sites = HashSet::new();
        for (site, date) in snapshot.site_facts.all_dates(snapshot, fields) {
            let ord = sites.as_ref().map(|sites| sites.dictionary().term_ord(site.as_bytes())).transpose()?;
            of_sites.extend(ord.flatten().map(|ord| (ord, *date)));
        }
        Ok(Self { published, shown, sites, of_sites })
    }

    pub(crate) fn get(&self, doc: DocId) -> Option<i64> {
        let date = self.published.first(doc)?;
        let may_be = !self.of_sites.is_empty() && self.shown.first(doc).is_some();
        let site = self.sites.as_ref().filter(|_| may_be);
        let is_of_site =
            site.and_then(|sites| sites.ords().first(doc)).is_some_and(|site| self.of_sites.contains(&(site, date)));
        (!is_of_site).then_some(date)
    }
}
