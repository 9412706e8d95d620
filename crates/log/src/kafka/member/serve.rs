//! The thread that serves a consumer of a group, and takes a new one when the group refuses the old one for good.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use super::events::{GroupAssignment, RebalanceListener};
use crate::kafka::client::failed;
use crate::types::LogError;

/// How often the thread looks whether it should end.
const POLL: Duration = Duration::from_millis(100);

/// So often within [`REJOIN_WINDOW`] session timeouts the group may be joined anew.
///
/// A broker that crashed may have forgotten who had a name last, and refuses the right one for good. Two processes with one
/// name refuse each other in turn: the one that was refused more often ends.
const REJOINS: usize = 2;
const REJOIN_WINDOW: u32 = 10;

/// How this process joins its group.
pub(super) struct GroupJoiner {
    pub(super) client: ClientConfig,
    pub(super) seat: Arc<GroupAssignment>,
    /// A second topic, for a member with a name of its own. When it died between the two rounds of a cooperative division,
    /// the brokers give it back the result of the first round, and nobody begins the second one: what it was handing over
    /// would belong to nobody for ever. So it begins with one topic more, and gives that up after the first
    /// assignment, which makes the group divide anew; where everything has an owner, nothing moves.
    pub(super) besides: Option<String>,
    pub(super) session_timeout: Duration,
}

/// The consumer of now.
pub(super) struct CurrentConsumer(Mutex<Arc<BaseConsumer<RebalanceListener>>>);

impl CurrentConsumer {
    pub(super) fn get(&self) -> Arc<BaseConsumer<RebalanceListener>> {
        self.0.lock().expect("no code panics while it holds this lock").clone()
    }
}

impl GroupJoiner {
    fn consumer(&self) -> Result<Arc<BaseConsumer<RebalanceListener>>, LogError> {
        self.seat.assigned.store(false, Ordering::Release);
        let consumer = BaseConsumer::from_config_and_context(&self.client, RebalanceListener(self.seat.clone()));
        let consumer = consumer.map_err(failed("start a client"))?;
        let topics: Vec<&str> = [&self.seat.topic].into_iter().chain(&self.besides).map(String::as_str).collect();
        consumer.subscribe(&topics).map_err(failed("join a group"))?;
        Ok(Arc::new(consumer))
    }

    /// Joins, and serves the consumer until `stop`: its rebalances run on the thread that is returned.
    pub(super) fn serve(
        self,
        stop: Arc<AtomicBool>,
    ) -> Result<(Arc<CurrentConsumer>, std::thread::JoinHandle<()>), LogError> {
        let current = Arc::new(CurrentConsumer(Mutex::new(self.consumer()?)));
        let served = current.clone();
        let work = move || {
            if let Err(error) = self.work(&served, &stop) {
                self.seat.lost_all();
                // Nobody waits for changes when the service is ending.
                let _ = self.seat.changes.send(Err(error));
            }
        };
        let spawned = std::thread::Builder::new().name("kafka-member".into()).spawn(work);
        let failed = |source| LogError::Kafka { doing: "start a thread".into(), remedy: "", source: Box::new(source) };
        Ok((current, spawned.map_err(failed)?))
    }

    fn work(&self, current: &CurrentConsumer, stop: &AtomicBool) -> Result<(), LogError> {
        let mut rejoined = VecDeque::new();
        while !stop.load(Ordering::Acquire) {
            let Some(error) = self.serve_until_refused(&current.get(), stop) else { return Ok(()) };
            rejoined.retain(|at: &Instant| at.elapsed() < self.session_timeout * REJOIN_WINDOW);
            if rejoined.len() >= REJOINS {
                return Err(LogError::Fenced { group: String::new(), reason: error.to_string() });
            }
            rejoined.push_back(Instant::now());
            tracing::warn!(%error, "the group refuses this process; it joins anew");
            self.seat.lost_all();
            *current.0.lock().expect("no code panics while it holds this lock") = self.consumer()?;
        }
        Ok(())
    }

    /// Serves until `stop`, or until the group has refused this consumer for good: then returns its words.
    fn serve_until_refused(&self, consumer: &BaseConsumer<RebalanceListener>, stop: &AtomicBool) -> Option<KafkaError> {
        let mut asks_again = self.besides.is_some();
        while !stop.load(Ordering::Acquire) {
            if asks_again && self.seat.assigned.load(Ordering::Acquire) {
                asks_again = false;
                if let Err(error) = consumer.subscribe(&[&self.seat.topic]) {
                    tracing::error!(%error, "the group could not be asked to divide anew");
                }
            }
            match consumer.poll(POLL) {
                // A member that was forgotten joins again by itself; one whose name somebody else has cannot.
                Some(Err(error)) if refused_for_good(consumer, &error) => return Some(error),
                Some(Err(error)) => tracing::debug!(%error, "a member of a group reports an error"),
                _ => {}
            }
        }
        None
    }
}

fn refused_for_good(consumer: &BaseConsumer<RebalanceListener>, error: &KafkaError) -> bool {
    error.rdkafka_error_code() == Some(RDKafkaErrorCode::FencedInstanceId) || consumer.client().fatal_error().is_some()
}
