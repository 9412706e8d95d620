//! Which log, and how.

use serde::{Deserialize, Serialize};

use crate::embedded::EmbeddedConfig;
use crate::kafka::KafkaConfig;
use crate::types::LogError;

/// Where the records of the pipeline go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogEngine {
    /// A store in the data directory, for services that share one process.
    #[default]
    Embedded,
    /// Kafka brokers, for services that are processes of their own.
    Kafka,
}

/// The settings of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// `"embedded"` or `"kafka"`. Default: `"embedded"`.
    pub engine: LogEngine,
    /// Partitions of each topic, fixed when the data directory or the topics are made. On Kafka at most as many processes
    /// of a kind can work at once. Default: `4`.
    pub partitions: u32,
    /// Largest record, key included. Must hold a page with a body of `blobs.inline_limit`; without a blob store one of
    /// `fetch.max_wire_bytes`. Default: `16777216` (16 MiB).
    pub max_record_bytes: usize,
    /// Embedded: whether each batch waits for the disk. `false` survives a killed process but may lose the last second
    /// when the machine loses power. Default: `true`.
    pub sync: bool,
    /// Embedded: memory for cached blocks. No setting: `33554432` (32 MiB).
    #[serde(skip)]
    pub cache_bytes: u64,
    pub kafka: KafkaConfig,
}

impl Default for LogConfig {
    fn default() -> Self {
        let EmbeddedConfig { partitions, max_record_bytes, sync, cache_bytes } = EmbeddedConfig::default();
        let kafka = KafkaConfig::default();
        Self { engine: LogEngine::default(), partitions, max_record_bytes, sync, cache_bytes, kafka }
    }
}

impl LogConfig {
    /// Checks what both engines need.
    ///
    /// # Errors
    /// [`LogError::Setting`] naming the key.
    pub fn check(&self) -> Result<(), LogError> {
        self.embedded().check()
    }

    /// The part that concerns the embedded log.
    pub fn embedded(&self) -> EmbeddedConfig {
        EmbeddedConfig {
            partitions: self.partitions,
            max_record_bytes: self.max_record_bytes,
            sync: self.sync,
            cache_bytes: self.cache_bytes,
        }
    }
}
