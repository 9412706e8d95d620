//! The log on Kafka: one topic for each of ours, positions are offsets, groups are consumer groups.
//!
//! ```text
//! our topic T, group G       →  `<prefix>T`, `<prefix>G`
//! append                     →  idempotent producer, acks=all, partition chosen here by `partition_of`
//! reader                     →  partitions assigned by hand at explicit offsets, never reset
//! commit                     →  offset commit, waited for; by the member of the group where this process is one
//! ```
//! An outage is waited out: appends, polls and commits go on when the brokers are back, and [`Log::healthy`] says `false`
//! meanwhile. What cannot become better by waiting is an error.

mod client;
mod config;
mod member;
mod offsets;
mod produce;
mod read;
mod topics;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rdkafka::ClientConfig;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};

use crate::membership::Membership;
use crate::memory::check_size;
use crate::types::{Log, LogError, LogReader, Positions, ProducerRecord, RecordOffset, StartOffset, TopicSpec};
use client::{BrokerHealth, KafkaClientContext, failed};
use member::GroupMember;
use offsets::{Offsets, PartitionEnd, ask};
use produce::Producer;
use read::{ConsumerPool, PartitionStart};
use topics::TopicAdmin;

pub use config::{KafkaConfig, Mechanism, Protocol, SecurityConfig};

/// Longest wait for an answer before errors are looked for, while none has come yet.
const CONNECT_POLL: Duration = Duration::from_millis(500);

/// How often the brokers are asked whether they are there.
const PROBE_EVERY: Duration = Duration::from_secs(2);

/// Longest wait for one such answer.
const PROBE_PATIENCE: Duration = Duration::from_secs(2);

/// A [`Log`] on Kafka brokers. Clones share their connections.
#[derive(Clone)]
pub struct KafkaLog {
    inner: Arc<Inner>,
}

struct Inner {
    config: KafkaConfig,
    client: ClientConfig,
    partitions: u32,
    max_record_bytes: usize,
    topics: BTreeSet<&'static str>,
    listener: KafkaClientContext,
    producer: Arc<Producer>,
    consumers: ConsumerPool,
    /// Asks and commits for each group that this process is no member of.
    askers: Mutex<BTreeMap<&'static str, Arc<BaseConsumer<KafkaClientContext>>>>,
    members: Mutex<BTreeMap<&'static str, Weak<GroupMember>>>,
}

impl KafkaLog {
    /// Connects, makes the topics that are missing, and checks those that are there. Needs tokio's runtime of many threads.
    ///
    /// # Errors
    /// [`LogError::Setting`] for settings that cannot work; [`LogError::Connect`] when no broker answers in time;
    /// [`LogError::Authentication`] when one refuses us, at once; [`LogError::TopicPartitions`] for topics made with another
    /// number of partitions.
    pub async fn open(
        topics: &[TopicSpec],
        partitions: u32,
        max_record_bytes: usize,
        config: KafkaConfig,
    ) -> Result<Self, LogError> {
        config.check()?;
        let client = config.client();
        let listener = KafkaClientContext { brokers: Arc::new(BrokerHealth::default()) };
        connect(&config, &client, listener.clone()).await?;
        let settler = TopicAdmin::new(&config, &client, listener.clone(), partitions, max_record_bytes)?;
        settler.settle(topics).await?;
        drop(settler);
        let producer = Arc::new(Producer::new(&config, client.clone(), listener.clone(), max_record_bytes)?);
        let probed = topics.first().map_or_else(|| config.topic("orders"), |spec| config.topic(spec.name));
        probe(&producer, &listener.brokers, probed);
        let consumers = ConsumerPool::new(&config, client.clone(), listener.clone());
        let topics = topics.iter().map(|spec| spec.name).collect();
        let (askers, members) = Default::default();
        let inner = Inner {
            config,
            client,
            partitions,
            max_record_bytes,
            topics,
            listener,
            producer,
            consumers,
            askers,
            members,
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

/// Waits for the first answer of a broker.
async fn connect(config: &KafkaConfig, client: &ClientConfig, listener: KafkaClientContext) -> Result<(), LogError> {
    let (begun, brokers) = (Instant::now(), listener.brokers.clone());
    // A consumer, since it tells of errors when it is polled; without a group it joins nothing.
    let consumer = BaseConsumer::from_config_and_context(client, listener).map_err(failed("start a client"))?;
    loop {
        let ask = || {
            let answer = consumer.fetch_metadata(None, CONNECT_POLL);
            while let Some(event) = consumer.poll(Duration::ZERO) {
                if let Err(error) = event {
                    brokers.note(&error, &error.to_string());
                }
            }
            answer
        };
        let answer = tokio::task::block_in_place(ask);
        if let Some(reason) = brokers.refusal() {
            return Err(LogError::Authentication { brokers: config.brokers.clone(), reason });
        }
        match answer {
            Ok(_) => break,
            Err(error) if begun.elapsed() >= config.connect_timeout => {
                let told = brokers.last_error();
                let reason = if told.is_empty() { error.to_string() } else { told };
                let brokers = config.brokers.clone();
                return Err(LogError::Connect { brokers, waited: config.connect_timeout, reason });
            }
            Err(error) => tracing::debug!(%error, "no Kafka broker answers yet"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    brokers.heard(true);
    Ok(())
}

/// Asks the brokers every now and then, until the log is dropped: what is idle would not notice an outage.
fn probe(producer: &Arc<Producer>, brokers: &Arc<BrokerHealth>, topic: String) {
    let (producer, brokers) = (Arc::downgrade(producer), brokers.clone());
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(PROBE_EVERY).await;
            let Some(producer) = producer.upgrade() else { return };
            let topic = topic.clone();
            let answered = tokio::task::spawn_blocking(move || producer.asks(&topic, PROBE_PATIENCE).is_ok()).await;
            brokers.heard(answered.unwrap_or(false));
        }
    });
}

impl Inner {
    fn name(&self, topic: &'static str) -> Result<String, LogError> {
        self.known(topic)?;
        Ok(self.config.topic(topic))
    }

    fn known(&self, topic: &str) -> Result<(), LogError> {
        if self.topics.contains(topic) { Ok(()) } else { Err(LogError::UnknownTopic { topic: topic.into() }) }
    }

    /// The consumer that asks for `group`.
    fn asker(&self, group: &'static str) -> Result<Arc<BaseConsumer<KafkaClientContext>>, LogError> {
        let mut askers = self.askers.lock().expect("no code panics while it holds this lock");
        if let Some(asker) = askers.get(group) {
            return Ok(asker.clone());
        }
        let mut client = self.client.clone();
        client.set("group.id", self.config.topic(group)).set("enable.auto.commit", "false");
        let asker = BaseConsumer::from_config_and_context(&client, self.listener.clone());
        let asker = Arc::new(asker.map_err(failed("start a client"))?);
        askers.insert(group, asker.clone());
        Ok(asker)
    }

    /// This process's part in `group`, if it has joined.
    fn member(&self, group: &'static str) -> Option<Arc<GroupMember>> {
        self.members.lock().expect("no code panics while it holds this lock").get(group).and_then(Weak::upgrade)
    }

    async fn sides(&self, names: &[String], partitions: &[u32], side: PartitionEnd) -> Result<Offsets, LogError> {
        let (asker, names, partitions) = (self.asker("readers")?, names.to_vec(), partitions.to_vec());
        let question = move || offsets::sides(&asker, &names, &partitions, side);
        ask(&self.listener.brokers, "find the ends of partitions", question).await
    }

    async fn committed(&self, group: &'static str, names: &[String], partitions: &[u32]) -> Result<Offsets, LogError> {
        let (asker, names, partitions) = (self.asker(group)?, names.to_vec(), partitions.to_vec());
        let question = move || offsets::committed(&asker, &names, &partitions);
        ask(&self.listener.brokers, "read committed positions", question).await
    }

    /// What is to be read, each at a position that the brokers hold.
    async fn starts(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Vec<PartitionStart>, LogError> {
        let names = topics.iter().map(|topic| self.name(topic)).collect::<Result<Vec<_>, _>>()?;
        let oldest = self.sides(&names, partitions, PartitionEnd::Oldest).await?;
        let ends = self.sides(&names, partitions, PartitionEnd::End).await?;
        let committed = match &start {
            StartOffset::Group(group) => self.committed(group, &names, partitions).await?,
            _ => Offsets::new(),
        };
        let mut from = Vec::new();
        for (topic, name) in topics.iter().zip(names) {
            for &partition in partitions {
                let key = (name.clone(), partition as i32);
                let (oldest, next) = (oldest[&key], ends[&key]);
                let wanted = match &start {
                    StartOffset::Group(_) => committed.get(&key).copied(),
                    StartOffset::At(positions) => positions.get(&((*topic).to_owned(), partition)).copied(),
                    StartOffset::End => Some(next),
                };
                let position = wanted.unwrap_or(oldest);
                if position < oldest || position > next {
                    return Err(LogError::OutOfRange { topic: name, partition, wanted: position, oldest, next });
                }
                from.push(PartitionStart { topic, name: name.clone(), partition, position });
            }
        }
        Ok(from)
    }
}

#[async_trait]
impl Log for KafkaLog {
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        for record in &records {
            self.inner.known(record.topic)?;
            check_size(record, self.inner.max_record_bytes)?;
        }
        let topic_of = |topic| self.inner.config.topic(topic);
        self.inner.producer.append(records, self.inner.partitions, topic_of).await
    }

    async fn append_then(
        &self,
        records: Vec<ProducerRecord>,
        last: Vec<ProducerRecord>,
    ) -> Result<Vec<RecordOffset>, LogError> {
        let mut places = self.append(records).await?;
        places.extend(self.append(last).await?);
        Ok(places)
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError> {
        let from = self.inner.starts(topics, partitions, start).await?;
        Ok(Box::new(self.inner.consumers.reader(from)?))
    }

    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError> {
        let mut offsets = Offsets::new();
        for ((topic, partition), position) in positions {
            self.inner.known(topic)?;
            offsets.insert((self.inner.config.topic(topic), *partition as i32), *position);
        }
        if offsets.is_empty() {
            return Ok(());
        }
        match self.inner.member(group) {
            Some(member) => member.commit(offsets).await,
            None => {
                let asker = self.inner.asker(group)?;
                let name = self.inner.config.topic(group);
                offsets::commit_until_taken(&self.inner.listener.brokers, &name, asker, offsets).await
            }
        }
    }

    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError> {
        let (partitions, name) = ((0..self.inner.partitions).collect::<Vec<_>>(), self.inner.name(topic)?);
        let known = self.inner.committed(group, std::slice::from_ref(&name), &partitions).await?;
        Ok(partitions.iter().map(|partition| known.get(&(name.clone(), *partition as i32)).copied()).collect())
    }

    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError> {
        let partitions: Vec<u32> = (0..self.inner.partitions).collect();
        let ends = self.inner.sides(&[self.inner.name(topic)?], &partitions, PartitionEnd::End).await?;
        Ok(ends.into_values().collect())
    }

    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError> {
        let partitions: Vec<u32> = (0..self.inner.partitions).collect();
        let names = [self.inner.name(topic)?];
        let (oldest, committed, ends) = tokio::try_join!(
            self.inner.sides(&names, &partitions, PartitionEnd::Oldest),
            self.inner.committed(group, &names, &partitions),
            self.inner.sides(&names, &partitions, PartitionEnd::End)
        )?;
        let behind = |(key, end): (&(String, i32), &u64)| {
            let position = committed.get(key).copied().unwrap_or(0).max(oldest.get(key).copied().unwrap_or(0));
            end.saturating_sub(position)
        };
        Ok(ends.iter().map(behind).sum())
    }

    fn partitions(&self) -> u32 {
        self.inner.partitions
    }

    fn healthy(&self) -> bool {
        self.inner.listener.brokers.reachable()
    }

    async fn join(&self, group: &'static str, topic: &'static str) -> Result<Box<dyn Membership>, LogError> {
        if self.inner.member(group).is_some() {
            let reason = "this process has joined already".into();
            return Err(LogError::Fenced { group: group.into(), reason });
        }
        let (member, membership) = member::join(&self.inner, group, topic)?;
        let mut members = self.inner.members.lock().expect("no code panics while it holds this lock");
        members.insert(group, Arc::downgrade(&member));
        Ok(Box::new(membership))
    }
}
