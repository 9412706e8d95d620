//! The topics as the pipeline needs them: made where they are missing, refused where they differ.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::error::RDKafkaErrorCode;
use rdkafka::types::RDKafkaErrorCode as Code;

use super::client::{KafkaClientContext, failed};
use super::config::KafkaConfig;
use crate::types::{LogError, Retention, TopicSpec};

/// Bytes around the largest record: the envelope of a batch, and the record's own lengths.
pub(super) const BATCH_OVERHEAD: usize = 1024;

/// Longest wait for one answer about topics.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest wait until topics just made are known everywhere.
const UNTIL_KNOWN: Duration = Duration::from_secs(30);

/// Knows the brokers' administration.
pub(super) struct TopicAdmin<'a> {
    pub(super) config: &'a KafkaConfig,
    pub(super) partitions: u32,
    pub(super) max_record_bytes: usize,
    pub(super) admin: AdminClient<KafkaClientContext>,
}

impl<'a> TopicAdmin<'a> {
    pub(super) fn new(
        config: &'a KafkaConfig,
        client: &ClientConfig,
        listener: KafkaClientContext,
        partitions: u32,
        max_record_bytes: usize,
    ) -> Result<Self, LogError> {
        let admin = AdminClient::from_config_and_context(client, listener).map_err(failed("start a client"))?;
        Ok(Self { config, partitions, max_record_bytes, admin })
    }

    /// Makes the topics of `specs` that are missing, and checks all of them.
    pub(super) async fn settle(&self, specs: &[TopicSpec]) -> Result<(), LogError> {
        let begun = Instant::now();
        let mut made = false;
        loop {
            let found = self.found()?;
            let missing: Vec<&TopicSpec> =
                specs.iter().filter(|spec| !found.contains_key(&self.config.topic(spec.name))).collect();
            if missing.is_empty() {
                for spec in specs {
                    let topic = self.config.topic(spec.name);
                    let (found, wanted) = (found[&topic], self.partitions);
                    if found != wanted {
                        return Err(LogError::TopicPartitions { topic, found, wanted });
                    }
                }
                return self.check_sizes(specs).await;
            }
            if !made {
                self.make(&missing).await?;
                made = true;
            } else if begun.elapsed() > UNTIL_KNOWN {
                return Err(LogError::UnknownTopic { topic: self.config.topic(missing[0].name) });
            } else {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// Partitions of the topics that have a leader everywhere.
    fn found(&self) -> Result<BTreeMap<String, u32>, LogError> {
        let ask = || self.admin.inner().fetch_metadata(None, PATIENCE);
        let metadata = tokio::task::block_in_place(ask).map_err(failed("list topics"))?;
        let ready = |topic: &&rdkafka::metadata::MetadataTopic| {
            topic.error().is_none() && topic.partitions().iter().all(|partition| partition.leader() >= 0)
        };
        let of_ours = metadata.topics().iter().filter(|topic| topic.name().starts_with(&self.config.topic_prefix));
        Ok(of_ours.filter(ready).map(|topic| (topic.name().to_owned(), topic.partitions().len() as u32)).collect())
    }

    async fn make(&self, specs: &[&TopicSpec]) -> Result<(), LogError> {
        let retention = self.config.retention.as_millis().to_string();
        let largest = (self.max_record_bytes + 2 * BATCH_OVERHEAD).to_string();
        let names: Vec<String> = specs.iter().map(|spec| self.config.topic(spec.name)).collect();
        let topics = specs.iter().zip(&names).map(|(spec, name)| {
            let topic = NewTopic::new(name, self.partitions as i32, TopicReplication::Fixed(self.config.replication))
                .set("max.message.bytes", &largest);
            match spec.retention {
                Retention::LatestOfKey(_) => topic.set("cleanup.policy", "compact"),
                _ => topic.set("cleanup.policy", "delete").set("retention.ms", &retention),
            }
        });
        let topics: Vec<NewTopic<'_>> = topics.collect();
        let results = self.admin.create_topics(&topics, &options()).await.map_err(failed("create topics"))?;
        for result in results {
            match result {
                Ok(name) => tracing::info!(topic = name, partitions = self.partitions, "topic made"),
                // Another process was quicker.
                Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
                Err((name, code)) => {
                    let error = rdkafka::error::KafkaError::AdminOp(code);
                    return Err(failed(format!("create topic `{name}`"))(error));
                }
            }
        }
        Ok(())
    }

    /// A topic that takes only smaller records than ours would fail in the middle of the work.
    async fn check_sizes(&self, specs: &[TopicSpec]) -> Result<(), LogError> {
        let names: Vec<String> = specs.iter().map(|spec| self.config.topic(spec.name)).collect();
        let asked: Vec<ResourceSpecifier<'_>> = names.iter().map(|name| ResourceSpecifier::Topic(name)).collect();
        let answers = self.admin.describe_configs(&asked, &options()).await.map_err(failed("read topic settings"))?;
        for (name, answer) in names.iter().zip(answers) {
            let described = match answer {
                Ok(described) => described,
                // Not allowed to look: the brokers will say at the first record that is too large.
                Err(Code::TopicAuthorizationFailed | Code::ClusterAuthorizationFailed) => continue,
                Err(code) => {
                    let error = rdkafka::error::KafkaError::AdminOp(code);
                    return Err(failed(format!("read the settings of topic `{name}`"))(error));
                }
            };
            let limit = described.get("max.message.bytes").and_then(|entry| entry.value.as_deref()?.parse().ok());
            if limit.is_some_and(|limit: usize| limit < self.max_record_bytes + BATCH_OVERHEAD) {
                let problem = format!(
                    "topic `{name}` takes at most {} bytes: raise its `max.message.bytes`, or set a lower limit here",
                    limit.unwrap_or_default()
                );
                return Err(LogError::Setting { key: "log.max_record_bytes", problem });
            }
        }
        Ok(())
    }
}

fn options() -> AdminOptions {
    AdminOptions::new().request_timeout(Some(PATIENCE)).operation_timeout(Some(PATIENCE))
}
