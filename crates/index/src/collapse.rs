//! Near-duplicates: which documents count as one, and which of them is shown.
//!
//! Two documents are near-duplicates if their fingerprints differ in at most [`MAX_DISTANCE`] bits. That relation
//! is not transitive, so there is no one right clustering of a whole index; we cluster the hits of each query
//! instead, by rank: a hit joins the best-ranked shown hit that is its near-duplicate, and is shown if there is
//! none. Rank is score, then key, so the outcome does not depend on the order of indexing.

use gristmill_text::{FINGERPRINT_VERSION, MAX_DISTANCE, distance, has_min_words};

use crate::document::IndexDocument;

/// Whether a document with this text takes part in near-duplicate search: it has a fingerprint of the present version and at
/// least [`MIN_WORDS`](gristmill_text::MIN_WORDS) words.
///
/// Cheap: see [`has_min_words`].
pub(crate) fn countable(document: &IndexDocument, text: &str) -> bool {
    document.simhash != 0 && document.simhash_version == FINGERPRINT_VERSION && has_min_words(text)
}

/// Whether two fingerprints are those of near-duplicates; 0 stands for none and is like nothing.
pub(crate) fn alike(a: u64, b: u64) -> bool {
    a != 0 && b != 0 && distance(a, b) <= MAX_DISTANCE
}

/// A hit that is shown, and how many others it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CollapsedHit {
    /// Index among the ranked hits.
    pub rank: usize,
    /// Near-duplicates of it that are not shown.
    pub duplicates: u64,
}

/// Clusters ranked hits by fingerprint; the shown ones in rank order.
///
/// Compares each hit with each shown one: O(n²), a millisecond for the usual 2,000 hits.
pub(crate) fn collapse(fingerprints: &[u64]) -> Vec<CollapsedHit> {
    let mut shown: Vec<CollapsedHit> = Vec::new();
    for (rank, &fingerprint) in fingerprints.iter().enumerate() {
        match shown.iter_mut().find(|shown| alike(fingerprints[shown.rank], fingerprint)) {
            Some(leader) => leader.duplicates += 1,
            None => shown.push(CollapsedHit { rank, duplicates: 0 }),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_and_texts_without_fingerprint_or_with_an_old_one_do_not_count() {
        let document = IndexDocument { simhash: 1, simhash_version: FINGERPRINT_VERSION, ..IndexDocument::default() };
        assert!(!countable(&document, &"word ".repeat(19)));
        assert!(countable(&document, &"word ".repeat(20)));
        assert!(!countable(&document, &"字".repeat(39)));
        assert!(countable(&document, &"字".repeat(40)));
        let words = "word ".repeat(20);
        assert!(!countable(&IndexDocument { simhash: 0, ..document.clone() }, &words));
        assert!(!countable(&IndexDocument { simhash_version: FINGERPRINT_VERSION - 1, ..document }, &words));
    }

    #[test]
    fn ten_bits_apart_is_near_and_eleven_is_not() {
        let hash = 0xdead_beef_dead_beef;
        assert_eq!(collapse(&[hash, hash ^ 0x3ff, hash ^ 0x7ff << 20]).len(), 2);
        assert_eq!(collapse(&[0, 0]).len(), 2, "no fingerprint is like no other");
    }
}
