//! Records that a stage cannot read: passed over, counted, and told on `rejects` with the place where they stand.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use gristmill_log::{ConsumerRecord, ProducerRecord};
use gristmill_proto::{Reject, RejectCause, encode, topics};
use prometheus::{IntCounter, Opts, Registry};
use tracing::warn;

use crate::clock::now_ms;

/// Counts what one stage could not read, by topic. Clones share their counters.
#[derive(Clone)]
pub struct DecodeErrorCounter {
    stage: &'static str,
    counters: Arc<BTreeMap<&'static str, IntCounter>>,
}

impl DecodeErrorCounter {
    /// Registers `gristmill_unreadable_records_total{group,topic}` for each of `topics`, which are all that `stage` reads.
    ///
    /// # Errors
    /// The counters of `stage` are registered already.
    pub fn register(stage: &'static str, topics: &[&'static str], registry: &Registry) -> prometheus::Result<Self> {
        let mut counters = BTreeMap::new();
        for topic in topics {
            // Constant labels, so that services that share a process can register one after another.
            let opts =
                Opts::new("gristmill_unreadable_records_total", "Records that a stage could not read, by topic.")
                    .const_label("group", stage)
                    .const_label("topic", *topic);
            let counter = IntCounter::with_opts(opts)?;
            registry.register(Box::new(counter.clone()))?;
            counters.insert(*topic, counter);
        }
        Ok(Self { stage, counters: Arc::new(counters) })
    }

    /// Counts `stored`, which cannot be read because of `error`; returns what is to be appended to `rejects`.
    ///
    /// Append it before the position of `stored` is committed: then it is told at least once.
    #[must_use = "the reject is to be appended"]
    pub fn note(&self, stored: &ConsumerRecord, error: &dyn Display) -> ProducerRecord {
        let place = &stored.place;
        let (topic, partition, position) = (place.topic, place.partition, place.position);
        warn!(topic, partition, position, %error, "unreadable record passed over");
        if let Some(counter) = self.counters.get(topic) {
            counter.inc();
        }
        let detail = format!("{topic}/{partition}/{position} cannot be read: {error}");
        let reason = RejectCause::UnreadableRecord.with(detail);
        let message = Reject { url: String::new(), stage: self.stage.to_owned(), reason, at: now_ms() };
        ProducerRecord { topic: topics::REJECTS, key: stored.key.clone(), payload: encode(&message) }
    }
}
