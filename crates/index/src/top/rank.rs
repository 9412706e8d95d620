//! The order of hits, and the best of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::DocAddress;

/// The place of a match among others: by score or date, then by the number of its key, the smaller one first. That does
/// not depend on the order of indexing, as places in the segments do; they only part equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HitSortKey {
    first: u64,
    key: Reverse<u64>,
    address: Reverse<DocAddress>,
}

impl HitSortKey {
    pub(crate) fn new(first: u64, key: u64, address: DocAddress) -> Self {
        Self { first, key: Reverse(key), address: Reverse(address) }
    }

    pub(super) fn first(self) -> u64 {
        self.first
    }

    /// The score, if that is what comes first.
    pub(super) fn score(self) -> f32 {
        f32::from_bits(self.first as u32)
    }

    pub(super) fn key(self) -> u64 {
        self.key.0
    }
}

/// A number that orders scores, which are never below 0.
pub(crate) fn of_score(score: f32) -> u64 {
    u64::from(score.max(0.0).to_bits())
}

/// A number that orders dates; no date is before all.
pub(crate) fn of_date(published: Option<i64>) -> u64 {
    published.map_or(0, |seconds| seconds.abs_diff(i64::MIN).max(1))
}

/// A number that orders prices, the first of which is the largest number; no price is behind all.
pub(crate) fn of_price(price: Option<f64>, descending: bool) -> u64 {
    let rising = |price: f64| match price.to_bits() {
        bits if price.is_sign_negative() => !bits,
        bits => bits | 1 << 63,
    };
    let rank = price.map(|price| if descending { rising(price) } else { !rising(price) });
    rank.map_or(0, |rank| rank.max(1))
}

/// The best matches so far; the worst of them on top of the heap.
pub(crate) struct TopHits {
    want: usize,
    /// Ranks with the bits of scores.
    heap: BinaryHeap<Reverse<(HitSortKey, u32)>>,
}

impl TopHits {
    pub(crate) fn new(want: usize) -> Self {
        Self { want, heap: BinaryHeap::with_capacity(want.min(1024) + 1) }
    }

    /// The one that a match must outrank; `None` while there is room.
    pub(crate) fn worst(&self) -> Option<HitSortKey> {
        let full = self.heap.len() >= self.want;
        self.heap.peek().filter(|_| full).map(|Reverse((rank, _))| *rank)
    }

    pub(crate) fn offer(&mut self, rank: HitSortKey, score: f32) {
        if self.worst().is_some_and(|worst| rank < worst) {
            return;
        }
        self.heap.push(Reverse((rank, score.to_bits())));
        if self.heap.len() > self.want {
            self.heap.pop();
        }
    }

    /// Scores and addresses, best first.
    pub(crate) fn sorted(self) -> Vec<(f32, DocAddress)> {
        let ranked = self.heap.into_sorted_vec().into_iter();
        ranked.map(|Reverse((rank, score))| (f32::from_bits(score), rank.address.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_ordered_either_way_and_none_comes_last() {
        let prices = [-2.5, -0.5, 0.0, 0.5, 10.0, 1e12];
        let ranks = |descending| prices.map(|price| of_price(Some(price), descending));
        assert!(ranks(true).is_sorted() && ranks(false).iter().rev().is_sorted());
        assert!(ranks(true).iter().chain(&ranks(false)).all(|rank| *rank > of_price(None, true)));
        assert_eq!(of_price(None, false), 0);
    }
}
