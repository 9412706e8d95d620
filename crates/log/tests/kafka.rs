//! The log on a real Kafka broker: the common suite, and what only brokers and groups can promise.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_log::conformance::{self, MAX_RECORD_BYTES, PARTITIONS, broker, topics};
use gristmill_log::{Change, KafkaConfig, KafkaLog, Log, LogError, Membership, Positions, Record, Start};

async fn open(config: KafkaConfig) -> Arc<dyn Log> {
    Arc::new(KafkaLog::open(&topics(), PARTITIONS, MAX_RECORD_BYTES, config).await.expect("the log opens"))
}

fn record(key: &str, payload: &str) -> Record {
    Record { topic: "work", key: key.into(), payload: payload.into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_kafka_log_conforms() {
    let Some(address) = broker::shared() else { return };
    conformance::run(|| open(broker::settings(&address))).await;
}
