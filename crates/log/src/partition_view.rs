//! A log as the worker of some partitions sees it.

use std::sync::Arc;

use async_trait::async_trait;

use crate::types::{Log, LogError, LogReader, Positions, ProducerRecord, RecordOffset, StartOffset};

/// The same log, but readers cover only `partitions` unless they name others. Appending is not restricted: a key decides
/// where a record goes. A share is not divided further: who [joins](Log::join) a group through it has it whole.
pub struct PartitionView {
    log: Arc<dyn Log>,
    partitions: Vec<u32>,
}

impl PartitionView {
    /// The share of `partitions` in `log`.
    pub fn of(log: Arc<dyn Log>, partitions: Vec<u32>) -> Arc<dyn Log> {
        Arc::new(Self { log, partitions })
    }
}

#[async_trait]
impl Log for PartitionView {
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        self.log.append(records).await
    }

    async fn append_then(
        &self,
        records: Vec<ProducerRecord>,
        last: Vec<ProducerRecord>,
    ) -> Result<Vec<RecordOffset>, LogError> {
        self.log.append_then(records, last).await
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError> {
        self.log.reader_of(topics, partitions, start).await
    }

    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError> {
        self.log.commit(group, positions).await
    }

    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError> {
        self.log.committed(group, topic).await
    }

    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError> {
        self.log.ends(topic).await
    }

    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError> {
        self.log.lag(group, topic).await
    }

    fn partitions(&self) -> u32 {
        self.log.partitions()
    }

    fn owned(&self) -> Vec<u32> {
        self.partitions.clone()
    }

    fn healthy(&self) -> bool {
        self.log.healthy()
    }
}
