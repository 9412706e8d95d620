//! The record of one host, and of the fetching of its robots.txt or tdmrep.json.

use gristmill_terms::FetchKind;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::failure::FailureKind;
use crate::link_queue::LinkRows;

/// What is known of one host's robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RobotsState {
    Unknown,
    /// The file is in the table `robots`; without one there are no rules.
    Known {
        fetched_at: u64,
        valid_until: u64,
    },
    /// Could not be had, for this reason: nothing may be fetched until then.
    Unavailable {
        until: u64,
        failure: FailureKind,
    },
}

/// The fetching of one host's robots.txt or tdmrep.json: while there is one, the host's pages wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostTask {
    /// [`FetchKind::Robots`] or [`FetchKind::Tdm`].
    pub(crate) kind: FetchKind,
    pub(crate) url: String,
    pub(crate) hops: u8,
    pub(crate) attempt: u16,
    pub(crate) place: HostTaskState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostTaskState {
    /// In the domain's heads under this sequence.
    Queued(u64),
    Leased(u64),
    /// In `later`, by due time and sequence.
    Retrying(u64, u64),
}

/// One host: scheme, name and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostRecord {
    /// Prefix of the host's queue.
    pub(crate) id: u64,
    pub(crate) robots: RobotsState,
    pub(crate) task: Option<HostTask>,
    pub(crate) crawl_delay: u64,
    /// Page URLs in the seen set.
    pub(crate) n_pages: u64,
    /// Length of the queue, without new URLs.
    pub(crate) n_queued: u64,
    /// Pages that wait for a browser.
    pub(crate) n_renders: u64,
    /// The new URLs that wait and have rows.
    pub(crate) links: LinkRows,
    /// Pages of lower sequences are in `n_pages`.
    pub(crate) counted_to: u64,
    /// New URLs of lower sequences have rows, or wait no more.
    pub(crate) flushed_to: u64,
}

impl HostRecord {
    /// A host of which nothing is known yet.
    pub(crate) fn new(id: u64) -> Self {
        Self {
            id,
            robots: RobotsState::Unknown,
            task: None,
            crawl_delay: 0,
            n_pages: 0,
            n_queued: 0,
            n_renders: 0,
            links: LinkRows::default(),
            counted_to: 0,
            flushed_to: 0,
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer.number(self.id);
        match self.robots {
            RobotsState::Unknown => writer.number(0),
            RobotsState::Known { fetched_at, valid_until } => writer.number(1).number(fetched_at).number(valid_until),
            RobotsState::Unavailable { until, failure } => {
                writer.number(2).number(until).number(failure.index() as u64)
            }
        };
        writer.flag(self.task.is_some());
        if let Some(task) = &self.task {
            writer.text(&task.url).number(u64::from(task.hops)).number(u64::from(task.attempt));
            // Places of robots.txt are 0 to 2, those of tdmrep.json 3 to 5.
            let first = if task.kind == FetchKind::Tdm { 3 } else { 0 };
            match task.place {
                HostTaskState::Queued(sequence) => writer.number(first).number(sequence),
                HostTaskState::Leased(order) => writer.number(first + 1).number(order),
                HostTaskState::Retrying(due, sequence) => writer.number(first + 2).number(due).number(sequence),
            };
        }
        writer.number(self.crawl_delay).number(self.n_pages).number(self.n_queued).number(self.n_renders);
        self.links.encode(&mut writer);
        writer.number(self.counted_to).number(self.flushed_to);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        let id = reader.number()?;
        let robots = match reader.number()? {
            0 => RobotsState::Unknown,
            1 => RobotsState::Known { fetched_at: reader.number()?, valid_until: reader.number()? },
            2 => {
                RobotsState::Unavailable { until: reader.number()?, failure: FailureKind::from_byte(reader.small()?)? }
            }
            _ => return None,
        };
        let task = if reader.flag()? { Some(HostTask::decode(&mut reader)?) } else { None };
        Some(Self {
            id,
            robots,
            task,
            crawl_delay: reader.number()?,
            n_pages: reader.number()?,
            n_queued: reader.number()?,
            // Older stores knew none, nor what follows.
            n_renders: reader.number().unwrap_or(0),
            links: LinkRows::decode(&mut reader).unwrap_or_default(),
            counted_to: reader.number().unwrap_or(0),
            flushed_to: reader.number().unwrap_or(0),
        })
    }
}

impl HostTask {
    fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        let (url, hops, attempt) = (reader.text()?, reader.small()?, reader.small()?);
        let place = reader.number()?;
        let kind = if place < 3 { FetchKind::Robots } else { FetchKind::Tdm };
        let place = match place {
            0 | 3 => HostTaskState::Queued(reader.number()?),
            1 | 4 => HostTaskState::Leased(reader.number()?),
            2 | 5 => HostTaskState::Retrying(reader.number()?, reader.number()?),
            _ => return None,
        };
        Some(Self { kind, url, hops, attempt, place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_terms::Verdict;
    use proptest::prelude::*;

    #[test]
    fn a_host_survives_the_disk() {
        let robots_states = [
            RobotsState::Unknown,
            RobotsState::Known { fetched_at: 5, valid_until: 1 << 40 },
            RobotsState::Unavailable { until: 9, failure: FailureKind::Fetch(Verdict::Dns) },
        ];
        let places = [HostTaskState::Queued(3), HostTaskState::Leased(4), HostTaskState::Retrying(5, 6)];
        for (robots, place) in robots_states.into_iter().zip(places) {
            for kind in [FetchKind::Robots, FetchKind::Tdm] {
                let task = Some(HostTask { kind, url: "http://h/robots.txt".into(), hops: 2, attempt: 1, place });
                let (n_pages, n_queued, n_renders) = (70_000, 12, 7);
                let links = LinkRows { n_entries: 80, least: 10 << 56, is_exact: true };
                let (crawl_delay, counted_to, flushed_to) = (1_500, 64, 128);
                let counts = HostRecord { crawl_delay, n_pages, n_queued, n_renders, ..HostRecord::new(300) };
                let host = HostRecord { robots, task, links, counted_to, flushed_to, ..counts };
                let bytes = host.encode();
                let old = HostRecord { links: LinkRows::default(), counted_to: 0, flushed_to: 0, ..host.clone() };
                let n_new = 1 + 9 + 1 + 1 + 2;
                assert_eq!(HostRecord::decode(&bytes[..bytes.len() - n_new]), Some(old), "as format 1 has it");
                assert_eq!(HostRecord::decode(&bytes), Some(host));
            }
        }
    }

    proptest! {
        #[test]
        fn a_damaged_host_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = HostRecord::decode(&bytes);
        }
    }
}
