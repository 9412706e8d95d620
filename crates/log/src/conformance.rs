//! One suite of promises that every engine keeps. An engine's test calls [`run`] with a way to open it.
//!
//! Each check gets a fresh log with the topics of [`topics`]. The functions panic with the broken promise.

pub mod broker;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::partition_view::PartitionView;
use crate::types::{
    ConsumerRecord, Log, LogError, LogReader, Positions, ProducerRecord, RecordOffset, Retention, StartOffset,
    TopicSpec,
};

/// Limit that the engine under test must be opened with.
pub const MAX_RECORD_BYTES: usize = 64 << 10;

/// Partitions that the engine under test must be opened with.
pub const PARTITIONS: u32 = 3;

/// Topics that the engine under test must be opened with.
pub fn topics() -> Vec<TopicSpec> {
    vec![
        TopicSpec { name: "work", retention: Retention::UntilCommitted(vec!["main"]) },
        TopicSpec { name: "results", retention: Retention::Newest(1_000_000) },
    ]
}

/// Runs every check, each on a log from `open`.
pub async fn run<F, Fut>(open: F)
where
    F: Fn() -> Fut,
    Fut: Future<Output = Arc<dyn Log>>,
{
    keeps_order_within_a_partition(open().await).await;
    a_key_stays_in_its_partition(open().await).await;
    places_are_consecutive_and_readable(open().await).await;
    redelivers_until_committed(open().await).await;
    groups_do_not_disturb_each_other(open().await).await;
    it_tells_what_a_group_has_committed(open().await).await;
    seeks_to_positions_kept_elsewhere(open().await).await;
    refuses_positions_it_does_not_hold(open().await).await;
    refuses_what_is_too_large_and_writes_nothing(open().await).await;
    refuses_unknown_topics(open().await).await;
    a_poll_waits_and_wakes(open().await).await;
    a_dropped_poll_loses_nothing(open().await).await;
    many_producers_lose_nothing(open().await).await;
    one_reader_covers_several_topics(open().await).await;
    lag_counts_what_is_not_committed(open().await).await;
    polls_stay_bounded(open().await).await;
    what_vouches_comes_last(open().await).await;
    who_sees_what_vouches_sees_the_others(open().await).await;
    a_share_reads_its_own_partitions(open().await).await;
    it_is_healthy(open().await).await;
}

fn record(topic: &'static str, key: &str, payload: impl Into<Vec<u8>>) -> ProducerRecord {
    ProducerRecord { topic, key: key.into(), payload: payload.into() }
}

fn numbered(topic: &'static str, range: std::ops::Range<u32>) -> Vec<ProducerRecord> {
    range.map(|i| record(topic, &format!("site{}.example", i % 7), i.to_be_bytes())).collect()
}

/// Polls until everything is read and nothing more comes.
async fn drain(log: &Arc<dyn Log>, reader: &mut dyn LogReader) -> Vec<ConsumerRecord> {
    let (mut all, begun) = (Vec::new(), Instant::now());
    loop {
        let some = reader.poll(7, Duration::from_millis(50)).await.expect("poll");
        if some.is_empty() && log.is_read(&["work", "results"], &reader.positions()).await.expect("ends") {
            return all;
        }
        all.extend(some);
        assert!(begun.elapsed() < Duration::from_secs(60), "the reader does not come to the end of the log");
    }
}

/// Records of different partitions come in any order.
fn by_place(mut records: Vec<ConsumerRecord>) -> Vec<ConsumerRecord> {
    records.sort_by(|a, b| a.place.cmp(&b.place));
    records
}

async fn keeps_order_within_a_partition(log: Arc<dyn Log>) {
    for chunk in 0..20 {
        log.append(numbered("work", chunk * 10..chunk * 10 + 10)).await.expect("append");
    }
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let mut last: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    let records = drain(&log, reader.as_mut()).await;
    assert_eq!(records.len(), 200, "every record comes");
    for stored in records {
        let n = u32::from_be_bytes(stored.payload[..].try_into().expect("four bytes"));
        if let Some((position, before)) = last.insert(stored.place.partition, (stored.place.position, n)) {
            assert_eq!(stored.place.position, position + 1, "positions are consecutive");
            assert!(n > before, "order of appends is kept within a partition");
        }
    }
}

async fn a_key_stays_in_its_partition(log: Arc<dyn Log>) {
    let mut seen: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for round in 0..5 {
        let records = numbered("work", round * 7..round * 7 + 7);
        let keys: Vec<String> = records.iter().map(|record| record.key.clone()).collect();
        for (key, place) in keys.into_iter().zip(log.append(records).await.expect("append")) {
            seen.entry(key).or_default().insert(place.partition);
        }
    }
    assert!(seen.values().all(|partitions| partitions.len() == 1), "{seen:?}");
    assert!(seen.values().flatten().collect::<BTreeSet<_>>().len() > 1, "keys spread over partitions");
}

async fn places_are_consecutive_and_readable(log: Arc<dyn Log>) {
    let places = log.append(numbered("work", 0..30)).await.expect("append");
    let mut reader = log.reader(&["work"], StartOffset::At(Positions::new())).await.expect("reader");
    let read: BTreeSet<RecordOffset> =
        drain(&log, reader.as_mut()).await.into_iter().map(|stored| stored.place).collect();
    assert_eq!(read, places.into_iter().collect(), "what append returned is where readers find it");
    let ends = log.ends("work").await.expect("ends");
    assert_eq!(ends.iter().sum::<u64>(), 30);
}

async fn redelivers_until_committed(log: Arc<dyn Log>) {
    log.append(numbered("work", 0..10)).await.expect("append");
    let mut first = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let records = drain(&log, first.as_mut()).await;
    let mut again = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    assert_eq!(by_place(drain(&log, again.as_mut()).await), by_place(records), "not committed, so delivered again");
    log.commit("main", &again.positions()).await.expect("commit");
    let mut third = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    assert!(drain(&log, third.as_mut()).await.is_empty(), "committed, so not delivered again");
    log.append(numbered("work", 10..12)).await.expect("append");
    assert_eq!(drain(&log, third.as_mut()).await.len(), 2, "what comes later is delivered");
}

async fn groups_do_not_disturb_each_other(log: Arc<dyn Log>) {
    log.append(numbered("results", 0..10)).await.expect("append");
    let mut reader = log.reader(&["results"], StartOffset::Group("main")).await.expect("reader");
    drain(&log, reader.as_mut()).await;
    log.commit("main", &reader.positions()).await.expect("commit");
    let mut other = log.reader(&["results"], StartOffset::Group("other")).await.expect("reader");
    assert_eq!(drain(&log, other.as_mut()).await.len(), 10);
}

async fn it_tells_what_a_group_has_committed(log: Arc<dyn Log>) {
    let committed = |group| log.committed(group, "work");
    assert_eq!(committed("main").await.expect("committed"), vec![None; PARTITIONS as usize]);
    log.append(numbered("work", 0..20)).await.expect("append");
    let positions = Positions::from([(("work".to_owned(), 0), 0), (("work".to_owned(), 2), 1)]);
    log.commit("main", &positions).await.expect("commit");
    assert_eq!(committed("main").await.expect("committed"), [Some(0), None, Some(1)]);
    assert_eq!(committed("other").await.expect("committed"), vec![None; PARTITIONS as usize]);
    assert!(matches!(log.committed("main", "nothing").await, Err(LogError::UnknownTopic { .. })));
}

async fn seeks_to_positions_kept_elsewhere(log: Arc<dyn Log>) {
    log.append(numbered("results", 0..20)).await.expect("append");
    let mut reader = log.reader(&["results"], StartOffset::Group("main")).await.expect("reader");
    let head = reader.poll(8, Duration::from_secs(10)).await.expect("poll");
    let kept = reader.positions();
    let rest = drain(&log, reader.as_mut()).await;
    let mut sought = log.reader(&["results"], StartOffset::At(kept)).await.expect("reader");
    assert!((1..=8).contains(&head.len()) && head.len() + rest.len() == 20, "{} and {}", head.len(), rest.len());
    assert_eq!(by_place(drain(&log, sought.as_mut()).await), by_place(rest));
    let mut end = log.reader(&["results"], StartOffset::End).await.expect("reader");
    assert!(drain(&log, end.as_mut()).await.is_empty(), "from the end nothing old comes");
    log.append(numbered("results", 20..23)).await.expect("append");
    assert_eq!(drain(&log, end.as_mut()).await.len(), 3);
}

async fn refuses_positions_it_does_not_hold(log: Arc<dyn Log>) {
    log.append(numbered("work", 0..5)).await.expect("append");
    let beyond = Positions::from([(("work".to_string(), 0), 1_000)]);
    let answer = log.reader(&["work"], StartOffset::At(beyond)).await;
    assert!(matches!(answer.err(), Some(LogError::OutOfRange { wanted: 1_000, .. })), "never a silent reset");
}

async fn refuses_what_is_too_large_and_writes_nothing(log: Arc<dyn Log>) {
    let records = vec![record("work", "a", "small"), record("work", "b", vec![0; MAX_RECORD_BYTES + 1])];
    let answer = log.append(records).await;
    assert!(matches!(answer, Err(LogError::TooLarge { .. })), "{answer:?}");
    assert_eq!(log.ends("work").await.expect("ends").iter().sum::<u64>(), 0, "all records or none");
    log.append(vec![record("work", "a", vec![7; MAX_RECORD_BYTES - 1])]).await.expect("just under the limit");
}

async fn refuses_unknown_topics(log: Arc<dyn Log>) {
    let answer = log.append(vec![record("nowhere", "a", "x")]).await;
    assert!(matches!(answer, Err(LogError::UnknownTopic { .. })), "{answer:?}");
    assert!(log.reader(&["nowhere"], StartOffset::End).await.is_err());
}

async fn a_poll_waits_and_wakes(log: Arc<dyn Log>) {
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let begun = Instant::now();
    assert!(reader.poll(1, Duration::from_millis(80)).await.expect("poll").is_empty());
    assert!(begun.elapsed() >= Duration::from_millis(80), "an empty poll waits");
    let waiting = tokio::spawn(async move { reader.poll(10, Duration::from_secs(20)).await });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let begun = Instant::now();
    log.append(numbered("work", 0..1)).await.expect("append");
    assert_eq!(waiting.await.expect("join").expect("poll").len(), 1);
    assert!(begun.elapsed() < Duration::from_secs(10), "an append wakes a waiting poll");
}

async fn a_dropped_poll_loses_nothing(log: Arc<dyn Log>) {
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let appender = log.clone();
    let appending = tokio::spawn(async move {
        for i in 0..100 {
            appender.append(numbered("work", i..i + 1)).await.expect("append");
        }
    });
    let mut count = 0;
    let deadline = Instant::now() + Duration::from_secs(30);
    while count < 100 && Instant::now() < deadline {
        let polled = tokio::time::timeout(Duration::from_micros(300), reader.poll(3, Duration::from_secs(1))).await;
        count += polled.map_or(0, |records| records.expect("poll").len());
    }
    appending.await.expect("join");
    count += drain(&log, reader.as_mut()).await.len();
    assert_eq!(count, 100, "a poll dropped in the middle takes no record with it");
}

async fn many_producers_lose_nothing(log: Arc<dyn Log>) {
    let producers: Vec<_> = (0..8u32)
        .map(|producer| {
            let log = log.clone();
            tokio::spawn(async move {
                for i in 0..25 {
                    let n = producer * 1_000 + i * 2;
                    log.append(numbered("work", n..n + 2)).await.expect("append");
                }
            })
        })
        .collect();
    for producer in producers {
        producer.await.expect("join");
    }
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let payloads: BTreeSet<Vec<u8>> =
        drain(&log, reader.as_mut()).await.into_iter().map(|stored| stored.payload).collect();
    assert_eq!(payloads.len(), 8 * 50);
}

async fn one_reader_covers_several_topics(log: Arc<dyn Log>) {
    log.append(vec![record("work", "a", "1"), record("results", "a", "2")]).await.expect("append");
    let mut reader = log.reader(&["work", "results"], StartOffset::Group("main")).await.expect("reader");
    let topics: BTreeSet<_> = drain(&log, reader.as_mut()).await.into_iter().map(|stored| stored.place.topic).collect();
    assert_eq!(topics, BTreeSet::from(["work", "results"]));
}

async fn lag_counts_what_is_not_committed(log: Arc<dyn Log>) {
    log.append(numbered("work", 0..9)).await.expect("append");
    assert_eq!(log.lag("main", "work").await.expect("lag"), 9);
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let some = reader.poll(4, Duration::from_secs(10)).await.expect("poll").len() as u64;
    log.commit("main", &reader.positions()).await.expect("commit");
    assert_eq!(log.lag("main", "work").await.expect("lag"), 9 - some);
}

async fn polls_stay_bounded(log: Arc<dyn Log>) {
    let big = vec![1u8; MAX_RECORD_BYTES - 100];
    for _ in 0..10 {
        log.append((0..20).map(|i| record("work", &format!("k{i}"), big.clone())).collect()).await.expect("append");
    }
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    let some = reader.poll(10_000, Duration::from_secs(10)).await.expect("poll");
    let bytes: usize = some.iter().map(|stored| stored.payload.len()).sum();
    assert!(bytes < (9 << 20) && !some.is_empty(), "a poll of {bytes} bytes is too much at once");
    assert_eq!(some.len() + drain(&log, reader.as_mut()).await.len(), 200);
}

async fn what_vouches_comes_last(log: Arc<dyn Log>) {
    let others = (0..50).map(|i| record("results", &format!("k{i}"), "body")).collect();
    let places = log.append_then(others, vec![record("work", "a", "done")]).await.expect("append");
    assert_eq!((places.len(), places[50].topic), (51, "work"));
    let mut reader = log.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
    assert_eq!(drain(&log, reader.as_mut()).await.len(), 1);
    assert_eq!(log.ends("results").await.expect("ends").iter().sum::<u64>(), 50);
}

async fn who_sees_what_vouches_sees_the_others(log: Arc<dyn Log>) {
    let writing = tokio::spawn({
        let log = log.clone();
        async move {
            for n in 0..200 {
                let (others, last) = (numbered("work", n..n + 1), vec![record("results", "a", "done")]);
                log.append_then(others, last).await.expect("append");
            }
        }
    });
    let mut is_written = false;
    while !is_written {
        is_written = writing.is_finished();
        let seen: u64 = log.ends("results").await.expect("ends").iter().sum();
        let others: u64 = log.ends("work").await.expect("ends").iter().sum();
        assert!(others >= seen, "{seen} records vouch for {others}");
        tokio::task::yield_now().await;
    }
    writing.await.expect("join");
}

async fn a_share_reads_its_own_partitions(log: Arc<dyn Log>) {
    let places = log.append(numbered("work", 0..30)).await.expect("append");
    let mut seen = Vec::new();
    for partitions in [vec![1], vec![0, 2]] {
        let share = PartitionView::of(log.clone(), partitions.clone());
        let mut reader = share.reader(&["work"], StartOffset::Group("main")).await.expect("reader");
        let records = drain(&log, reader.as_mut()).await;
        assert!(records.iter().all(|stored| partitions.contains(&stored.place.partition)), "{records:?}");
        share.commit("main", &reader.positions()).await.expect("commit");
        seen.extend(records.into_iter().map(|stored| stored.place));
    }
    seen.sort();
    let mut places = places;
    places.sort();
    assert_eq!(seen, places, "shares that cover all partitions see all records, each once");
    assert_eq!(log.lag("main", "work").await.expect("lag"), 0);
}

async fn it_is_healthy(log: Arc<dyn Log>) {
    assert!(log.healthy());
}
