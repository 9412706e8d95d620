//! The topics of the pipeline: what goes over each, by which key, from whom to whom, and how long it is kept.
//!
//! The log's specifications, the lag gauges and the consumer groups are taken from [`TABLE`], and the table in
//! `docs/architecture.md` is tested against it.

/// What to fetch.
pub const ORDERS: &str = "orders";
/// What became of each order.
pub const OUTCOMES: &str = "outcomes";
/// What browsers are to draw.
pub const RENDERS: &str = "renders";
/// What became of that.
pub const RENDER_OUTCOMES: &str = "render-outcomes";
/// Links found.
pub const LINKS: &str = "links";
/// Downloaded pages.
pub const PAGES: &str = "pages";
/// What went over the wire, for archives.
pub const CAPTURES: &str = "captures";
/// Cleaned documents.
pub const DOCUMENTS: &str = "documents";
/// The same as JSON for other engines: no message of ours.
pub const DOCUMENTS_JSON: &str = "documents-json";
/// What became of the pages of the corpus.
pub const CHANGES: &str = "changes";
/// What could not be handled, with the reason.
pub const REJECTS: &str = "rejects";

/// Consumer groups; each has the name of its service.
pub mod groups {
    pub const SCHEDULER: &str = "scheduler";
    pub const FETCHER: &str = "fetcher";
    pub const EXTRACTOR: &str = "extractor";
    pub const RENDERER: &str = "renderer";
    pub const INDEXER: &str = "indexer";
    pub const SINK: &str = "sink";
    pub const ARCHIVER: &str = "archiver";
    /// Every service that has topics for its work.
    pub const ALL: [&str; 7] = [SCHEDULER, FETCHER, RENDERER, EXTRACTOR, INDEXER, SINK, ARCHIVER];
}
use groups::{ARCHIVER, EXTRACTOR, FETCHER, INDEXER, RENDERER, SCHEDULER, SINK};

/// One topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    pub name: &'static str,
    /// The message type; none where the payload is no message of ours.
    pub message: Option<&'static str>,
    /// What decides the partition.
    pub key: &'static str,
    pub written_by: &'static [&'static str],
    /// Groups for which it is their work: a lag is measured.
    pub read_by: &'static [&'static str],
    /// Groups that read it back when they start, to find where a crash left them.
    pub read_back_by: &'static [&'static str],
    pub kept: TopicRetention,
}

/// How long the embedded log keeps a record; on Kafka `log.kafka.retention` decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TopicRetention {
    /// Until all these groups have committed past it.
    UntilCommittedBy(&'static [&'static str]),
    /// As [`TopicRetention::UntilCommittedBy`]; Kafka keeps the newest of each key for ever.
    LatestOfKey(&'static [&'static str]),
    /// So many, the newest, of each partition.
    Newest(u64),
}

/// All topics, in the order in which a page meets them.
pub const TABLE: [Topic; 11] = [
    Topic {
        name: ORDERS,
        message: Some("FetchOrder"),
        key: "registrable domain",
        written_by: &[SCHEDULER],
        read_by: &[FETCHER],
        read_back_by: &[SCHEDULER],
        kept: TopicRetention::UntilCommittedBy(&[FETCHER, SCHEDULER]),
    },
    Topic {
        name: OUTCOMES,
        message: Some("FetchOutcome"),
        key: "registrable domain",
        written_by: &[FETCHER],
        read_by: &[SCHEDULER],
        read_back_by: &[FETCHER],
        kept: TopicRetention::UntilCommittedBy(&[SCHEDULER, FETCHER]),
    },
    Topic {
        name: RENDERS,
        message: Some("FetchOrder"),
        key: "registrable domain",
        written_by: &[SCHEDULER],
        read_by: &[RENDERER],
        read_back_by: &[SCHEDULER],
        // Where no renderer runs the scheduler writes none, so nothing waits for it.
        kept: TopicRetention::UntilCommittedBy(&[RENDERER, SCHEDULER]),
    },
    Topic {
        name: RENDER_OUTCOMES,
        message: Some("FetchOutcome"),
        key: "registrable domain",
        written_by: &[RENDERER],
        read_by: &[SCHEDULER],
        read_back_by: &[RENDERER],
        kept: TopicRetention::UntilCommittedBy(&[SCHEDULER, RENDERER]),
    },
    Topic {
        name: LINKS,
        message: Some("OutlinkBatch"),
        key: "domain of the targets",
        written_by: &[SCHEDULER, FETCHER, RENDERER, EXTRACTOR, INDEXER],
        read_by: &[SCHEDULER],
        read_back_by: &[],
        kept: TopicRetention::UntilCommittedBy(&[SCHEDULER]),
    },
    Topic {
        name: PAGES,
        message: Some("FetchedPage"),
        key: "registrable domain",
        written_by: &[FETCHER, RENDERER],
        read_by: &[EXTRACTOR],
        read_back_by: &[],
        kept: TopicRetention::UntilCommittedBy(&[EXTRACTOR]),
    },
    Topic {
        name: CAPTURES,
        message: Some("Capture"),
        key: "registrable domain",
        written_by: &[FETCHER, RENDERER],
        read_by: &[ARCHIVER],
        read_back_by: &[],
        // Where no archiver runs the fetcher writes none, so nothing waits for it.
        kept: TopicRetention::UntilCommittedBy(&[ARCHIVER]),
    },
    Topic {
        name: DOCUMENTS,
        message: Some("Document"),
        key: "URL key",
        written_by: &[EXTRACTOR],
        read_by: &[INDEXER, SINK],
        read_back_by: &[],
        // Not the sink: where none runs, nothing may wait for it. It needs Kafka, which keeps these whatever is committed.
        kept: TopicRetention::LatestOfKey(&[INDEXER]),
    },
    Topic {
        name: DOCUMENTS_JSON,
        message: None,
        key: "URL key",
        written_by: &[SINK],
        read_by: &[],
        read_back_by: &[],
        // No sink runs on one machine, so there are none.
        kept: TopicRetention::Newest(1),
    },
    Topic {
        name: CHANGES,
        message: Some("Change"),
        // That of `documents`, so that the two have one partition number.
        key: "URL key",
        written_by: &[INDEXER],
        read_by: &[],
        read_back_by: &[],
        kept: TopicRetention::Newest(100_000),
    },
    Topic {
        name: REJECTS,
        message: Some("Reject"),
        key: "registrable domain",
        written_by: &[SCHEDULER, FETCHER, RENDERER, EXTRACTOR, INDEXER, SINK, ARCHIVER],
        read_by: &[],
        read_back_by: &[],
        kept: TopicRetention::Newest(100_000),
    },
];

/// The topics that are the work of a group.
pub fn work_of(group: &str) -> impl Iterator<Item = &'static Topic> {
    TABLE.iter().filter(move |topic| topic.read_by.contains(&group))
}
