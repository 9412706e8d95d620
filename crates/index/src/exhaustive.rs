//! A pass over all matches of a query by tantivy's own scorers: slow, plain, and what the search for the best is compared with.

use tantivy::{DocAddress, DocSet, TERMINATED};

use crate::facets::{FacetCounts, SegmentFacetCounts};
use crate::query::Sort;
use crate::top::{HitSortKey, PageDates, TopDocs, TopHits, TopKRequest, of_date, of_price, of_score};

/// Visits every match, and scores, ranks and counts each. O(matches), without regard to the time limit.
pub(crate) fn sweep(search: &TopKRequest) -> tantivy::Result<TopDocs> {
    let TopKRequest { snapshot, fields, .. } = *search;
    let weights = snapshot.weights(search.tree.tantivy().as_ref())?;
    let mut best = TopHits::new(search.want);
    let mut counts = FacetCounts::default();
    let mut total = 0;
    for ord in 0..snapshot.n_segments() {
        let segment = snapshot.segment(ord);
        let mut tallies = SegmentFacetCounts::of(snapshot, ord)?;
        let keys = segment.fast_fields().u64("key_order")?;
        let dates = PageDates::new(snapshot, fields, ord)?;
        let updated = segment.fast_fields().i64("updated")?;
        let prices = segment.fast_fields().f64("price")?;
        let mut scorer = snapshot.weight(&weights, ord).scorer(segment, 1.0)?;
        while scorer.doc() != TERMINATED {
            let doc = scorer.doc();
            if !segment.is_deleted(doc) {
                let score = scorer.score();
                let first = match search.sort {
                    Sort::Score => of_score(score),
                    Sort::Date => of_date(dates.get(doc)),
                    Sort::Updated => of_date(updated.first(doc)),
                    Sort::Price => of_price(prices.first(doc), false),
                    Sort::PriceDescending => of_price(prices.first(doc), true),
                };
                best.offer(HitSortKey::new(first, keys.first(doc).unwrap_or(0), DocAddress::new(ord, doc)), score);
                tallies.count(doc);
                total += 1;
            }
            scorer.advance();
        }
        tallies.add_to(&mut counts);
    }
    let facets = counts.facets(snapshot, 1.0)?;
    Ok(TopDocs { total, is_exact: true, top: best.sorted(), facets, is_sampled: false, is_partial: false })
}
