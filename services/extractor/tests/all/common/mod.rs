//! What the tests of the service share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_extractor::{Extractor, ExtractorConfig, GROUP, RecordsConfig};
use gristmill_log::{Log, LogConfig, MemoryLog, Positions, ProducerRecord, StartOffset};
use gristmill_proto::{BodyRef, Document, FetchedPage, WireEncoding, decode, encode, topics};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

/// Runs the extractor until it has taken every page of the log, at most a minute, and lets it end.
pub async fn work_off(extractor: Extractor, log: &Arc<dyn Log>) {
    let stop = CancellationToken::new();
    let running = tokio::spawn(extractor.run(stop.clone()));
    let begun = Instant::now();
    while log.lag(GROUP, topics::PAGES).await.unwrap() > 0 && begun.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    running.await.unwrap().unwrap();
}

/// One page as the service gives it.
pub async fn document(config: &ExtractorConfig, url: &str, content_type: &str, body: &str) -> Document {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
    let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
    let page = FetchedPage {
        order_id: 1,
        url: url.into(),
        status: 200,
        content_type: Some(content_type.into()),
        robots_tags: Vec::new(),
        tdm_reservation: None,
        tdm_policy: None,
        anchor_title: None,
        fetched_at: 1,
        encoding: WireEncoding::Identity,
        unpacked: None,
        body: BodyRef::Inline(body.into()),
        rendered: None,
    };
    log.append(vec![ProducerRecord { topic: topics::PAGES, key: "a.test".into(), payload: encode(&page) }])
        .await
        .unwrap();
    let registry = Registry::new();
    let extractor = Extractor::build(config, &RecordsConfig::default(), &blobs, log.clone(), &registry).unwrap();
    work_off(extractor, &log).await;
    let mut reader = log.reader(&[topics::DOCUMENTS], StartOffset::At(Positions::new())).await.unwrap();
    let stored = reader.poll(10, Duration::from_millis(10)).await.unwrap();
    decode(&stored[0].payload).unwrap()
}
