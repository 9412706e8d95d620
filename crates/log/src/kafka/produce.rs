//! Appending: every record is acknowledged by all replicas in sync, once, in order, however long that takes.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::client::ClientContext;
use rdkafka::config::{FromClientConfigAndContext, RDKafkaLogLevel};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::producer::{BaseRecord, ProducerContext, ThreadedProducer};
use rdkafka::util::Timeout;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::client::{KafkaClientContext, failed, tell};
use super::config::KafkaConfig;
use super::topics::BATCH_OVERHEAD;
use crate::partition::partition_of;
use crate::types::{LogError, ProducerRecord, RecordOffset};

/// What a record costs in the client's queue besides its bytes.
const RECORD_COST: usize = 256;

/// A permit of the budget stands for so many bytes.
const PERMIT_BYTES: usize = 1024;

/// Writes the records of all services of a process.
pub(super) struct Producer {
    producer: ThreadedProducer<DeliveryContext>,
    /// Bytes on their way: whoever wants to append more waits.
    budget: Arc<Semaphore>,
    permits: usize,
}

/// Records of one append that wait for their places.
struct Batch {
    positions: Box<[AtomicU64]>,
    left: AtomicUsize,
    failure: Mutex<Option<KafkaError>>,
    /// Tells that all is settled, and frees the budget.
    done: Mutex<Option<(oneshot::Sender<()>, OwnedSemaphorePermit)>>,
}

/// One record of a batch.
pub(super) struct PendingDelivery {
    batch: Arc<Batch>,
    index: usize,
}

impl Batch {
    fn settle(&self, outcome: Result<(usize, u64), KafkaError>) {
        match outcome {
            Ok((index, position)) => self.positions[index].store(position, Ordering::Relaxed),
            Err(error) => {
                let mut failure = self.failure.lock().expect("no code panics while it holds this lock");
                failure.get_or_insert(error);
            }
        }
        self.release(1);
    }

    fn release(&self, records: usize) {
        if self.left.fetch_sub(records, Ordering::AcqRel) == records
            && let Some((done, _budget)) = self.done.lock().expect("no code panics while it holds this lock").take()
        {
            // Who waited may be gone.
            let _ = done.send(());
        }
    }
}

/// Takes the acknowledgements.
pub(super) struct DeliveryContext {
    listener: KafkaClientContext,
}

impl ClientContext for DeliveryContext {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tell(level, facility, message);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        self.listener.error(error, reason);
    }
}

impl ProducerContext for DeliveryContext {
    type DeliveryOpaque = Box<PendingDelivery>;

    fn delivery(&self, result: &DeliveryResult<'_>, ticket: Box<PendingDelivery>) {
        ticket.batch.settle(match result {
            Ok(message) => Ok((ticket.index, message.offset().max(0) as u64)),
            Err((error, _)) => Err(error.clone()),
        });
    }
}

impl Producer {
    pub(super) fn new(
        config: &KafkaConfig,
        mut client: ClientConfig,
        listener: KafkaClientContext,
        max_record_bytes: usize,
    ) -> Result<Self, LogError> {
        let budget = config.buffer_bytes.max(max_record_bytes + BATCH_OVERHEAD);
        client
            .set("enable.idempotence", "true")
            .set("acks", "all")
            // An outage is waited out: nothing that was accepted is given up.
            .set("message.timeout.ms", "0")
            .set("message.max.bytes", (max_record_bytes + BATCH_OVERHEAD).to_string())
            .set("queue.buffering.max.messages", "0")
            // The budget below is the limit; the client's own one only has to be out of its way.
            .set("queue.buffering.max.kbytes", (2 * budget / 1024 + 1024).to_string())
            // An append is a batch of its own: waiting for more would only make each step of a site longer.
            .set("linger.ms", "0")
            .set("retry.backoff.ms", "50")
            .set("retry.backoff.max.ms", "1000");
        let context = DeliveryContext { listener };
        let producer = ThreadedProducer::from_config_and_context(&client, context).map_err(failed("start a client"))?;
        let permits = budget / PERMIT_BYTES;
        Ok(Self { producer, budget: Arc::new(Semaphore::new(permits)), permits })
    }

    /// Appends `records`, whose sizes are checked; `topics` gives each its name on the brokers.
    pub(super) async fn append(
        &self,
        records: Vec<ProducerRecord>,
        partitions: u32,
        topic_of: impl Fn(&'static str) -> String,
    ) -> Result<Vec<RecordOffset>, LogError> {
        let mut places = Vec::with_capacity(records.len());
        let mut rest = records.into_iter().peekable();
        let mut waiting = Vec::new();
        // Parts within the budget, the next one sent while the last one is on its way.
        while rest.peek().is_some() {
            let mut part = Vec::new();
            let mut bytes = 0;
            while let Some(record) = rest.peek() {
                let cost = record.payload.len() + record.key.len() + RECORD_COST;
                if !part.is_empty() && bytes + cost > self.permits * PERMIT_BYTES / 2 {
                    break;
                }
                bytes += cost;
                part.extend(rest.next());
            }
            waiting.push(self.send(part, bytes, partitions, &topic_of, &mut places).await?);
        }
        let mut first = 0;
        for (batch, done) in waiting {
            done.await.map_err(|_| LogError::Closed)?;
            if let Some(error) = batch.failure.lock().expect("no code panics while it holds this lock").take() {
                return Err(failed("append records")(error));
            }
            for (place, position) in places[first..].iter_mut().zip(&batch.positions) {
                place.position = position.load(Ordering::Relaxed);
            }
            first += batch.positions.len();
        }
        Ok(places)
    }

    /// Hands a part to the client, in order; its places come without positions.
    async fn send(
        &self,
        part: Vec<ProducerRecord>,
        bytes: usize,
        partitions: u32,
        topic_of: &impl Fn(&'static str) -> String,
        places: &mut Vec<RecordOffset>,
    ) -> Result<(Arc<Batch>, oneshot::Receiver<()>), LogError> {
        let permits = bytes.div_ceil(PERMIT_BYTES).min(self.permits) as u32;
        let budget = self.budget.clone().acquire_many_owned(permits).await.map_err(|_| LogError::Closed)?;
        let (sender, done) = oneshot::channel();
        let batch = Arc::new(Batch {
            positions: part.iter().map(|_| AtomicU64::new(0)).collect(),
            left: AtomicUsize::new(part.len()),
            failure: Mutex::new(None),
            done: Mutex::new(Some((sender, budget))),
        });
        let count = part.len();
        let mut name: (&'static str, String) = ("", String::new());
        for (index, ProducerRecord { topic, key, payload }) in part.into_iter().enumerate() {
            if name.0 != topic {
                name = (topic, topic_of(topic));
            }
            let partition = partition_of(key.as_bytes(), partitions);
            places.push(RecordOffset { topic, partition, position: 0 });
            let ticket = Box::new(PendingDelivery { batch: batch.clone(), index });
            let mut record = BaseRecord::with_opaque_to(&name.1, ticket)
                .partition(partition as i32)
                .key(key.as_bytes())
                .payload(payload.as_slice());
            loop {
                match self.producer.send(record) {
                    Ok(()) => break,
                    Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) => {
                        record = back;
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                    Err((error, back)) => {
                        drop(back);
                        batch.release(count - index);
                        return Err(failed("append records")(error));
                    }
                }
            }
        }
        Ok((batch, done))
    }

    /// Whether the brokers answer the producer within `patience`.
    pub(super) fn asks(&self, topic: &str, patience: Duration) -> Result<(), KafkaError> {
        use rdkafka::producer::Producer as _;
        self.producer.client().fetch_metadata(Some(topic), Timeout::After(patience)).map(drop)
    }
}
