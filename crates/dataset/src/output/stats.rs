//! What rows are like: counts and histograms for the card.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::host_row::usage_directives;
use crate::DatasetRow;

/// Domains, licences and usage directives that a shard counts by name, the most frequent ones.
const MAX_NAMES: usize = 1000;
/// Upper ends of the classes of length, in characters; what is longer is in the class behind the last.
pub const LENGTHS: [u64; 8] = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000];

/// Counts over some rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DatasetStats {
    pub languages: BTreeMap<String, u64>,
    pub kinds: BTreeMap<String, u64>,
    pub domains: BTreeMap<String, u64>,
    /// What pages say of their use: `noai` and the like, `tdm-reservation 1`.
    #[serde(alias = "wishes")]
    pub usage_directives: BTreeMap<String, u64>,
    pub licences: BTreeMap<String, u64>,
    /// Rows in each class of [`LENGTHS`].
    pub lengths: [u64; LENGTHS.len() + 1],
    /// Rows in each tenth of the confidence; 1 is in the last.
    pub confidence: [u64; 10],
    pub chars: u64,
    pub tokens: u64,
}

impl DatasetStats {
    pub fn count(&mut self, row: &DatasetRow) {
        let mut add = |counts: fn(&mut DatasetStats) -> &mut BTreeMap<String, u64>, name: &str| {
            let name = if name.is_empty() { "unknown" } else { name };
            *counts(self).entry(name.to_owned()).or_default() += 1;
        };
        add(|stats| &mut stats.languages, &row.language);
        add(|stats| &mut stats.kinds, row.kind.as_deref().unwrap_or_default());
        add(|stats| &mut stats.domains, &row.domain);
        row.licence.iter().for_each(|licence| add(|stats| &mut stats.licences, licence));
        usage_directives(row).for_each(|said| add(|stats| &mut stats.usage_directives, said));
        let chars = row.text.chars().count() as u64;
        self.lengths[LENGTHS.iter().position(|end| chars < *end).unwrap_or(LENGTHS.len())] += 1;
        let tenth = (row.confidence.unwrap_or_default() * 10.0) as usize;
        self.confidence[tenth.min(9)] += 1;
        self.chars += chars;
        self.tokens += row.token_count.max(0) as u64;
    }

    pub fn add(&mut self, other: &DatasetStats) {
        let pairs = [
            (&mut self.languages, &other.languages),
            (&mut self.kinds, &other.kinds),
            (&mut self.domains, &other.domains),
            (&mut self.usage_directives, &other.usage_directives),
            (&mut self.licences, &other.licences),
        ];
        for (sums, counts) in pairs {
            counts.iter().for_each(|(name, n)| *sums.entry(name.clone()).or_default() += n);
        }
        self.lengths.iter_mut().zip(other.lengths).for_each(|(sum, n)| *sum += n);
        self.confidence.iter_mut().zip(other.confidence).for_each(|(sum, n)| *sum += n);
        self.chars += other.chars;
        self.tokens += other.tokens;
    }

    /// Keeps only the most frequent names of those that there may be millions of.
    pub fn cut(&mut self) {
        for counts in [&mut self.domains, &mut self.usage_directives, &mut self.licences] {
            if counts.len() > MAX_NAMES {
                *counts = top(counts, MAX_NAMES).into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
            }
        }
    }
}

/// The most frequent, most frequent first, then by name.
pub fn top(counts: &BTreeMap<String, u64>, n: usize) -> Vec<(&str, u64)> {
    let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    sorted.truncate(n);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_directives_are_read_under_the_name_that_older_manifests_have_for_them() {
        let mut stats = DatasetStats::default();
        stats.usage_directives.insert("noai".to_owned(), 2);
        let json = serde_json::to_string(&stats).unwrap();
        let older = json.replace("\"usage_directives\"", "\"wishes\"");
        assert_ne!(json, older);
        assert_eq!(serde_json::from_str::<DatasetStats>(&older).unwrap(), stats);
    }
}
