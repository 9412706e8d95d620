//! Bodies in the blob store: fetched, forgotten when read, and a reject when they are missing.

use std::sync::Arc;
use std::time::Duration;

use gristmill_extractor::{Extractor, ExtractorConfig, RecordsConfig};
use gristmill_log::{Log, LogConfig, MemoryLog, Positions, ProducerRecord, StartOffset};
use gristmill_proto::{BodyRef, Document, FetchedPage, Reject, WireEncoding, decode, encode, topics};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use prometheus::Registry;

use crate::common;
use common::work_off;

fn page(n: u32, body: BodyRef) -> ProducerRecord {
    let page = FetchedPage {
        order_id: n.into(),
        url: format!("http://a.test/{n}"),
        status: 200,
        content_type: Some("text/html".into()),
        robots_tags: Vec::new(),
        tdm_reservation: None,
        tdm_policy: None,
        anchor_title: None,
        fetched_at: 1,
        encoding: WireEncoding::Identity,
        unpacked: None,
        body,
        rendered: None,
    };
    ProducerRecord { topic: topics::PAGES, key: "a.test".into(), payload: encode(&page) }
}

fn html(n: u32) -> Vec<u8> {
    let words = format!("A sentence about mill number {n}, with a comma, and with an end. ").repeat(20);
    format!("<title>Mill {n}</title><h1>Mill {n}</h1><p>{words}</p>").into_bytes()
}

async fn read(log: &dyn Log, topic: &'static str) -> Vec<Vec<u8>> {
    let mut reader = log.reader(&[topic], StartOffset::At(Positions::new())).await.unwrap();
    let stored = reader.poll(100, Duration::from_millis(10)).await.unwrap();
    stored.into_iter().map(|stored| stored.payload).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_body_is_a_reject_and_the_others_are_read_and_forgotten() {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
    let store = blobs.store().unwrap();
    let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
    let mut records = Vec::new();
    for n in 0..10 {
        let (bytes, key) = (html(n), format!("bodies/1970-01-01-00/{n}"));
        let stored = BodyRef::Stored { key: key.clone(), size: bytes.len() as u64, checksum: crc32c::crc32c(&bytes) };
        if n != 3 {
            store.put(&key, bytes.clone().into()).await.unwrap();
        }
        records.push(page(n, if n == 5 { BodyRef::Inline(bytes) } else { stored }));
    }
    log.append(records).await.unwrap();
    let registry = Registry::new();
    let config = ExtractorConfig { threads: 2, ..ExtractorConfig::default() };
    let extractor = Extractor::build(&config, &RecordsConfig::default(), &blobs, log.clone(), &registry).unwrap();
    work_off(extractor, &log).await;

    let documents: Vec<Document> =
        read(log.as_ref(), topics::DOCUMENTS).await.iter().map(|bytes| decode(bytes).unwrap()).collect();
    let urls: Vec<&str> = documents.iter().map(|document| document.url.as_str()).collect();
    let wanted: Vec<String> = (0..10).filter(|n| *n != 3).map(|n| format!("http://a.test/{n}")).collect();
    assert_eq!(urls, wanted, "in the order of the pages");
    assert!(documents.iter().all(|document| document.text.contains("A sentence about mill")));
    let rejects = read(log.as_ref(), topics::REJECTS).await;
    let reject: Reject = decode(&rejects[0]).unwrap();
    assert_eq!((rejects.len(), reject.url.as_str()), (1, "http://a.test/3"));
    assert!(reject.reason.detail.contains("bodies/1970-01-01-00/3"), "{}", reject.reason);
    let counted = registry.gather();
    let pages = counted.iter().find(|family| family.name() == "gristmill_extract_pages_total").unwrap();
    let missing = pages.get_metric().iter().find(|metric| metric.get_label()[0].value() == "missing").unwrap();
    assert_eq!(missing.get_counter().get_value() as u64, 1);
    let left: Vec<String> = store.list("bodies").await.unwrap().into_iter().map(|blob| blob.key).collect();
    assert_eq!(left, ["bodies/1970-01-01-00/5"], "only what no page named");
    assert_eq!(log.lag("extractor", topics::PAGES).await.unwrap(), 0);
}
