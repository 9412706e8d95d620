//! An ordered, partitioned, durable log of records, with three engines: [`MemoryLog`] for tests, [`EmbeddedLog`] on one machine,
//! [`KafkaLog`] on brokers.
//!
//! ```
//! use std::time::Duration;
//!
//! use gristmill_log::{EmbeddedConfig, EmbeddedLog, Log, ProducerRecord, Retention, StartOffset, TopicSpec};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let topics = [TopicSpec { name: "pages", retention: Retention::Newest(1_000) }];
//! let log = EmbeddedLog::open(folder.path(), &topics, EmbeddedConfig::default())?;
//! log.append(vec![ProducerRecord { topic: "pages", key: "mill.example".into(), payload: b"hello".to_vec() }]).await?; // durable now
//!
//! let mut reader = log.reader(&["pages"], StartOffset::At([].into())).await?; // from the first record
//! let records = reader.poll(10, Duration::from_secs(1)).await?;
//! assert_eq!(records[0].payload, b"hello");
//! log.commit("extractor", &reader.positions()).await?; // this group continues behind it
//! assert_eq!(log.lag("extractor", "pages").await?, 0);
//! # Ok(())
//! # }
//! ```
//!
//! A *topic* has a fixed number of *partitions*. The key of a record decides its partition ([`partition_of`]). Within a partition
//! records have consecutive *positions* from 0. Readers poll from positions. A *group* stores the position from which it
//! continues ([`Log::commit`]): always that of the *next* record, the last handled + 1.
//!
//! Delivery is at least once. What was not committed comes again after a restart, so effects must be idempotent.
//!
//! Each engine passes the tests of [`conformance`]. If several processes work for a group, a [`Membership`] tells each which
//! partitions are its own, and a [`PartitionView`] is the log with these partitions only.

mod config;
pub mod conformance;
mod embedded;
mod kafka;
mod membership;
mod memory;
mod partition;
mod partition_view;
mod types;

pub use gristmill_verify::TableCheckReport;

pub use config::{LogConfig, LogEngine};
pub use embedded::{EmbeddedConfig, EmbeddedLog};
pub use kafka::{KafkaConfig, KafkaLog, Mechanism, Protocol, SecurityConfig};
pub use membership::{Membership, PartitionLease, Rebalance};
pub use memory::MemoryLog;
pub use partition::{keys_of_all, partition_of};
pub use partition_view::PartitionView;
pub use types::{
    ConsumerRecord, Log, LogError, LogReader, Positions, ProducerRecord, RecordOffset, Retention, StartOffset,
    TopicSpec,
};
