//! A service that is told to stop first takes what is in the log, however far the log is.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gristmill_extractor::{Extractor, ExtractorConfig, RecordsConfig};
use gristmill_index::{IndexConfig, IndexReader};
use gristmill_indexer::{Indexer, IndexerConfig};
use gristmill_log::{
    ConsumerRecord, Log, LogConfig, LogError, LogReader, MemoryLog, Positions, ProducerRecord, RecordOffset,
    StartOffset,
};
use gristmill_proto::{BodyRef, FetchedPage, WireEncoding, encode, topics};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

/// A log whose records take their time, as those of a broker do: the first polls of a reader have nothing, and the first of all
/// ends the service.
struct Far {
    log: Arc<MemoryLog>,
    stop: CancellationToken,
}

struct FarReader {
    reader: Box<dyn LogReader>,
    stop: CancellationToken,
    polls: u32,
}

#[async_trait]
impl LogReader for FarReader {
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<ConsumerRecord>, LogError> {
        self.stop.cancel();
        self.polls += 1;
        if self.polls < 4 {
            return Ok(Vec::new());
        }
        self.reader.poll(max_records, wait).await
    }

    fn positions(&self) -> Positions {
        self.reader.positions()
    }
}

#[async_trait]
impl Log for Far {
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        self.log.append(records).await
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError> {
        let reader = self.log.reader_of(topics, partitions, start).await?;
        Ok(Box::new(FarReader { reader, stop: self.stop.clone(), polls: 0 }))
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
}

fn page(n: u32) -> ProducerRecord {
    let text = format!("The stone number {n} turns by day and by night, and the miller sleeps beside it. ").repeat(8);
    let page = FetchedPage {
        order_id: n.into(),
        url: format!("http://mill{}.test/{n}", n % 7),
        status: 200,
        content_type: Some("text/html".into()),
        robots_tags: Vec::new(),
        tdm_reservation: None,
        tdm_policy: None,
        anchor_title: None,
        fetched_at: 1_700_000_000_000,
        encoding: WireEncoding::Identity,
        unpacked: None,
        body: BodyRef::Inline(format!("<title>Stone {n}</title><p>{text}</p>").into_bytes()),
        rendered: None,
    };
    ProducerRecord { topic: topics::PAGES, key: format!("mill{}.test", n % 7), payload: encode(&page) }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_still_on_its_way_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let log = Arc::new(MemoryLog::new(&topic_specs(), 3, 1 << 20));
    log.append((0..50).map(page).collect()).await.unwrap();
    let far = || {
        let stop = CancellationToken::new();
        (stop.clone(), Arc::new(Far { log: log.clone(), stop }))
    };
    let (stop, far_log) = far();
    let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
    let (config, records) = (ExtractorConfig { threads: 1, ..ExtractorConfig::default() }, RecordsConfig::default());
    let extractor = Extractor::build(&config, &records, &blobs, far_log, &Registry::new()).unwrap();
    extractor.run(stop).await.unwrap();
    assert_eq!(log.ends(topics::DOCUMENTS).await.unwrap().iter().sum::<u64>(), 50);

    let (stop, far_log) = far();
    let index = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
    let path = dir.path().join("index");
    let indexer = Indexer::build(&IndexerConfig::default(), &index, &path, far_log, &Registry::new()).unwrap();
    indexer.run(stop).await.unwrap();
    assert_eq!(IndexReader::open(&path).unwrap().count(), 50);
}
