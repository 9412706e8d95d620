//! What an archive has of one host: a row of the host table.

use std::collections::BTreeMap;

use gristmill_urls::registrable_domain;
use serde::{Deserialize, Serialize};

use crate::DatasetRow;

/// Names that are told apart in one count of a host; pages choose some of them. Others are counted together.
const MAX_NAMES: usize = 64;
const OTHERS: &str = "others";

/// An answer of a server, whatever became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct AnswerFacts {
    /// The host of its address; empty where that has none.
    pub host: String,
    /// HTTP status, where the archive has it.
    pub status: Option<u16>,
    /// Bytes as they stand in the archive.
    pub bytes: u64,
    /// What stood in the way of the page.
    pub wall: Option<String>,
}

/// Counts by name.
type NameCounts = BTreeMap<String, u64>;

/// A line of `hosts.jsonl`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostRow {
    pub host: String,
    pub domain: String,
    pub answers: u64,
    /// Of the answers.
    pub bytes: u64,
    /// Rows of the dataset.
    pub rows: u64,
    /// Answers by HTTP status.
    pub statuses: NameCounts,
    /// Answers by what became of them.
    pub outcomes: NameCounts,
    pub walls: NameCounts,
    /// Rows by language, kind and what they say of their use.
    pub languages: NameCounts,
    pub kinds: NameCounts,
    pub usage_directives: NameCounts,
}

impl HostRow {
    /// A host without answers.
    pub fn new(host: &str) -> HostRow {
        HostRow { host: host.to_owned(), domain: registrable_domain(host).to_owned(), ..HostRow::default() }
    }

    /// Counts an answer that ended in `outcome`, and its row if it became one.
    pub fn count(&mut self, answer: &AnswerFacts, outcome: &str, row: Option<&DatasetRow>) {
        self.answers += 1;
        self.bytes += answer.bytes;
        if let Some(status) = answer.status {
            add(&mut self.statuses, &status.to_string(), 1);
        }
        add(&mut self.outcomes, outcome, 1);
        answer.wall.iter().for_each(|wall| add(&mut self.walls, wall, 1));
        let Some(row) = row else { return };
        self.rows += 1;
        let known = |name: &str| if name.is_empty() { "unknown".to_owned() } else { name.to_owned() };
        add(&mut self.languages, &known(&row.language), 1);
        add(&mut self.kinds, &known(row.kind.as_deref().unwrap_or_default()), 1);
        usage_directives(row).for_each(|said| add(&mut self.usage_directives, said, 1));
    }

    /// Adds what was counted elsewhere of the same host.
    pub fn add(&mut self, other: &HostRow) {
        self.answers += other.answers;
        self.bytes += other.bytes;
        self.rows += other.rows;
        for (sums, counts) in [
            (&mut self.statuses, &other.statuses),
            (&mut self.outcomes, &other.outcomes),
            (&mut self.walls, &other.walls),
            (&mut self.languages, &other.languages),
            (&mut self.kinds, &other.kinds),
            (&mut self.usage_directives, &other.usage_directives),
        ] {
            counts.iter().for_each(|(name, n)| add(sums, name, *n));
        }
    }
}

/// What a page says of its use.
pub fn usage_directives(row: &DatasetRow) -> impl Iterator<Item = &str> {
    let reservation =
        row.tdm_reservation.map(|value| if value == 1 { "tdm-reservation 1" } else { "tdm-reservation 0" });
    row.robots.iter().map(String::as_str).chain(reservation)
}

fn add(counts: &mut NameCounts, name: &str, n: u64) {
    match counts.get_mut(name) {
        Some(sum) => *sum += n,
        None => {
            let name = if counts.len() < MAX_NAMES { name } else { OTHERS };
            *counts.entry(name.to_owned()).or_default() += n;
        }
    }
}
