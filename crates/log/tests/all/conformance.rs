//! Both engines keep the promises of the suite; what only a directory can promise stands here too.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gristmill_log::conformance::{self, MAX_RECORD_BYTES, PARTITIONS, topics};
use gristmill_log::{EmbeddedConfig, EmbeddedLog, Log, LogError, MemoryLog, ProducerRecord, StartOffset};

fn config() -> EmbeddedConfig {
    EmbeddedConfig { partitions: PARTITIONS, max_record_bytes: MAX_RECORD_BYTES, ..EmbeddedConfig::default() }
}

/// Opens the log in `path`, waiting for an earlier handle's writer thread to let go of it.
fn open(path: &Path) -> EmbeddedLog {
    for _ in 0..500 {
        match EmbeddedLog::open(path, &topics(), config()) {
            Ok(log) => return log,
            Err(LogError::Locked { .. }) => std::thread::sleep(Duration::from_millis(10)),
            Err(other) => panic!("{other}"),
        }
    }
    panic!("the log in {} stays locked", path.display());
}

fn numbered(range: std::ops::Range<u64>) -> Vec<ProducerRecord> {
    range
        .map(|i| ProducerRecord {
            topic: "work",
            key: format!("site{}.example", i % 5),
            payload: i.to_be_bytes().into(),
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_log_conforms() {
    conformance::run(|| async { Arc::new(MemoryLog::new(&topics(), PARTITIONS, MAX_RECORD_BYTES)) as Arc<dyn Log> })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_log_conforms() {
    let root = tempfile::tempdir().unwrap();
    let count = std::sync::atomic::AtomicU32::new(0);
    conformance::run(|| async {
        let n = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Arc::new(open(&root.path().join(n.to_string()))) as Arc<dyn Log>
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_positions_and_ends_survive_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path());
    log.append(numbered(0..100)).await.unwrap();
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    let head = reader.poll(40, Duration::from_secs(1)).await.unwrap();
    log.commit("main", &reader.positions()).await.unwrap();
    let ends = log.ends("work").await.unwrap();
    drop((log, reader));

    let log = open(dir.path());
    assert_eq!(log.ends("work").await.unwrap(), ends);
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    let mut rest = Vec::new();
    loop {
        let some = reader.poll(1000, Duration::from_millis(20)).await.unwrap();
        if some.is_empty() {
            break;
        }
        rest.extend(some);
    }
    assert_eq!(head.len() + rest.len(), 100);
    assert!(head.iter().all(|record| !rest.contains(record)));
}

#[tokio::test(flavor = "multi_thread")]
async fn committed_records_are_dropped_and_positions_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path());
    log.append(numbered(0..2_000)).await.unwrap();
    let start = log.reader(&["work"], StartOffset::Group("main")).await.unwrap().positions();
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    while !reader.poll(1000, Duration::from_millis(20)).await.unwrap().is_empty() {}
    let ends = log.ends("work").await.unwrap();
    log.commit("main", &reader.positions()).await.unwrap();
    let answer = log.reader(&["work"], StartOffset::At(start)).await.err();
    assert!(matches!(answer, Some(LogError::OutOfRange { wanted: 0, .. })), "{answer:?}");
    drop((log, reader));

    let log = open(dir.path());
    assert_eq!(log.ends("work").await.unwrap(), ends, "positions do not start anew when all records are gone");
    log.append(numbered(0..5)).await.unwrap();
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.unwrap();
    assert_eq!(reader.poll(100, Duration::from_secs(1)).await.unwrap().len(), 5);
}

#[tokio::test]
async fn a_second_opener_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let _first = open(dir.path());
    let second = EmbeddedLog::open(dir.path(), &topics(), config());
    assert!(matches!(second.err(), Some(LogError::Locked { .. })));
}

#[tokio::test]
async fn another_partition_count_is_refused_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    std::thread::sleep(Duration::from_millis(100));
    let other = EmbeddedConfig { partitions: PARTITIONS + 1, ..config() };
    let error = loop {
        match EmbeddedLog::open(dir.path(), &topics(), other.clone()).err() {
            Some(LogError::Locked { .. }) => std::thread::sleep(Duration::from_millis(10)),
            other => break other.expect("refused"),
        }
    };
    assert!(error.to_string().contains("log.partitions = 3"), "{error}");
}

#[test]
fn a_log_whose_making_was_cut_off_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let unfinished = dir.path().join("log.unfinished");
    std::fs::create_dir(&unfinished).unwrap();
    std::fs::write(unfinished.join("0.jnl"), "").unwrap();
    drop(EmbeddedLog::open(&dir.path().join("log"), &topics(), config()).unwrap());
    assert!(!unfinished.exists());
}
