//! Messages a second of the log on Kafka: `kafka_speed HOST:PORT PREFIX make|append|read COUNT BYTES`.
//!
//! `scripts/bench/kafka-log` runs it in turn with the measuring tools that come with Kafka.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_log::{KafkaConfig, KafkaLog, Log, ProducerRecord, Retention, StartOffset, TopicSpec};

/// Records of one append, and appends under way at once.
const BATCH: usize = 1000;
const WRITERS: usize = 4;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, prefix, what, count, bytes] = &arguments[..] else {
        return Err("usage: kafka_speed HOST:PORT PREFIX make|append|read COUNT BYTES".into());
    };
    let (count, bytes): (usize, usize) = (count.parse()?, bytes.parse()?);
    let config = KafkaConfig {
        brokers: address.clone(),
        topic_prefix: prefix.clone(),
        replication: 1,
        ..KafkaConfig::default()
    };
    let topics = [TopicSpec { name: "bench", retention: Retention::Newest(u64::MAX) }];
    let log: Arc<dyn Log> = Arc::new(KafkaLog::open(&topics, 4, 1 << 20, config).await?);
    let begun = Instant::now();
    match what.as_str() {
        "make" => return Ok(()),
        "append" => append(&log, count, bytes).await?,
        _ => read(log.as_ref(), count).await?,
    }
    let seconds = begun.elapsed().as_secs_f64();
    let (rate, volume) = (count as f64 / seconds, (count * bytes) as f64 / seconds / 1e6);
    println!("{what}: {count} messages of {bytes} bytes in {seconds:.2} s: {rate:.0} messages/s, {volume:.1} MB/s");
    Ok(())
}

async fn append(log: &Arc<dyn Log>, count: usize, bytes: usize) -> Result<(), Box<dyn std::error::Error>> {
    let batch = BATCH.min((4 << 20) / bytes.max(1)).max(1);
    let mut writing = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (log, count) = (log.clone(), count / WRITERS);
        writing.spawn(async move {
            let mut written = 0;
            while written < count {
                let size = batch.min(count - written);
                let record = |i: usize| ProducerRecord {
                    topic: "bench",
                    key: format!("site{}.example", (writer + i) % 97),
                    payload: vec![i as u8; bytes],
                };
                log.append((written..written + size).map(record).collect()).await?;
                written += size;
            }
            Ok::<(), gristmill_log::LogError>(())
        });
    }
    while let Some(done) = writing.join_next().await {
        done??;
    }
    Ok(())
}

async fn read(log: &dyn Log, count: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = log.reader(&["bench"], StartOffset::At([].into())).await?;
    let mut seen = 0;
    while seen < count {
        let some = reader.poll(5_000, Duration::from_secs(10)).await?.len();
        if some == 0 {
            return Err(format!("only {seen} of {count} messages came").into());
        }
        seen += some;
    }
    Ok(())
}
