//! Appending durable batches and reading them back, for small messages and for pages.

use std::time::Duration;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use gristmill_log::{EmbeddedConfig, EmbeddedLog, Log, ProducerRecord, Retention, StartOffset, TopicSpec};

fn main() {
    divan::main();
}

/// Records of one batch, and bytes of one record: links and outcomes, packed pages.
const SHAPES: [(usize, usize); 2] = [(1000, 200), (64, 20_000)];

fn open(dir: &std::path::Path) -> EmbeddedLog {
    let topics = [TopicSpec { name: "bench", retention: Retention::Newest(1_000_000) }];
    EmbeddedLog::open(dir, &topics, EmbeddedConfig::default()).expect("a log in a new directory")
}

fn batch(records: usize, bytes: usize) -> Vec<ProducerRecord> {
    let record =
        |i: usize| ProducerRecord { topic: "bench", key: format!("site{i}.example"), payload: vec![i as u8; bytes] };
    (0..records).map(record).collect()
}

#[divan::bench(args = SHAPES, sample_count = 30)]
fn append(bencher: Bencher, (records, bytes): (usize, usize)) {
    let dir = tempfile::tempdir().expect("a directory");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let log = open(dir.path());
    bencher
        .counter(ItemsCount::new(records))
        .counter(BytesCount::new(records * bytes))
        .with_inputs(|| batch(records, bytes))
        .bench_local_values(|batch| runtime.block_on(log.append(batch)).expect("append"));
}

#[divan::bench(args = SHAPES, sample_count = 30)]
fn read(bencher: Bencher, (records, bytes): (usize, usize)) {
    let dir = tempfile::tempdir().expect("a directory");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let log = open(dir.path());
    runtime.block_on(async {
        for _ in 0..8 {
            log.append(batch(records, bytes)).await.expect("append");
        }
    });
    bencher.counter(ItemsCount::new(records)).counter(BytesCount::new(records * bytes)).bench_local(|| {
        runtime.block_on(async {
            let start = StartOffset::At([].into());
            let mut reader = log.reader(&["bench"], start).await.expect("reader");
            let mut read = 0;
            while read < records {
                read += black_box(reader.poll(records - read, Duration::ZERO).await.expect("poll")).len();
            }
        });
    });
}
