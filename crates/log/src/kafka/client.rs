//! What all clients of a process share: whether the brokers answer, why not, and how their errors are told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::ConsumerContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use crate::types::LogError;

/// How the brokers are doing, as far as this process knows.
#[derive(Default)]
pub(super) struct BrokerHealth {
    reachable: AtomicBool,
    /// The words of the last refusal of who we are.
    refusal: Mutex<Option<String>>,
    last_error: Mutex<String>,
}

impl BrokerHealth {
    pub(super) fn reachable(&self) -> bool {
        self.reachable.load(Ordering::Acquire)
    }

    /// An answer came, or failed to.
    pub(super) fn heard(&self, answered: bool) {
        if self.reachable.swap(answered, Ordering::AcqRel) != answered {
            if answered {
                tracing::info!("the Kafka brokers answer");
            } else {
                tracing::warn!(error = self.last_error(), "the Kafka brokers do not answer; trying on");
            }
        }
    }

    pub(super) fn refusal(&self) -> Option<String> {
        self.refusal.lock().expect("no code panics while it holds this lock").clone()
    }

    pub(super) fn last_error(&self) -> String {
        self.last_error.lock().expect("no code panics while it holds this lock").clone()
    }

    pub(super) fn note(&self, error: &KafkaError, reason: &str) {
        *self.last_error.lock().expect("no code panics while it holds this lock") = reason.to_owned();
        match error.rdkafka_error_code() {
            Some(RDKafkaErrorCode::Authentication | RDKafkaErrorCode::SaslAuthenticationFailed) => {
                *self.refusal.lock().expect("no code panics while it holds this lock") = Some(reason.to_owned());
            }
            Some(RDKafkaErrorCode::AllBrokersDown) => self.heard(false),
            _ => {}
        }
    }
}

/// Listens to what a client says of itself.
#[derive(Clone)]
pub(super) struct KafkaClientContext {
    pub(super) brokers: Arc<BrokerHealth>,
}

impl ClientContext for KafkaClientContext {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tell(level, facility, message);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        tracing::debug!(%error, reason, "a Kafka client reports an error");
        self.brokers.note(&error, reason);
    }
}

impl ConsumerContext for KafkaClientContext {}

/// Passes on a log line of the client library, one level lower: it retries by itself what it warns of.
pub(super) fn tell(level: RDKafkaLogLevel, facility: &str, message: &str) {
    match level {
        RDKafkaLogLevel::Emerg | RDKafkaLogLevel::Alert | RDKafkaLogLevel::Critical => {
            tracing::warn!(target: "librdkafka", facility, message);
        }
        _ => tracing::debug!(target: "librdkafka", facility, message),
    }
}

/// The error of one operation, with what to do about it where that is known.
pub(super) fn failed(doing: impl Into<String>) -> impl FnOnce(KafkaError) -> LogError {
    let doing = doing.into();
    move |error| {
        let remedy = error.rdkafka_error_code().map_or("", remedy);
        LogError::Kafka { doing, remedy, source: Box::new(error) }
    }
}

fn remedy(code: RDKafkaErrorCode) -> &'static str {
    match code {
        RDKafkaErrorCode::MessageSizeTooLarge => {
            "; raise `max.message.bytes` of the topic, or lower `log.max_record_bytes`"
        }
        RDKafkaErrorCode::UnknownTopicOrPartition | RDKafkaErrorCode::UnknownTopic => {
            "; the topic was deleted under us: start again to have it made anew"
        }
        RDKafkaErrorCode::TopicAuthorizationFailed => {
            "; `log.kafka.security.username` needs read, write, describe and create on the topics of `log.kafka.topic_prefix`"
        }
        RDKafkaErrorCode::GroupAuthorizationFailed => {
            "; `log.kafka.security.username` needs read on the groups of `log.kafka.topic_prefix`"
        }
        RDKafkaErrorCode::ClusterAuthorizationFailed => {
            "; `log.kafka.security.username` needs idempotent write on the cluster"
        }
        RDKafkaErrorCode::InvalidReplicationFactor => "; set `log.kafka.replication` to at most the number of brokers",
        RDKafkaErrorCode::PolicyViolation => "; a policy of the brokers forbids it",
        RDKafkaErrorCode::FencedInstanceId => "; another process has the same `log.kafka.instance`",
        _ => "",
    }
}

/// Whether the same request may succeed later without anybody doing anything about it.
pub(super) fn passes(error: &KafkaError) -> bool {
    use RDKafkaErrorCode as Code;
    matches!(
        error.rdkafka_error_code(),
        Some(
            Code::BrokerTransportFailure
                | Code::AllBrokersDown
                | Code::OperationTimedOut
                | Code::TimedOutQueue
                | Code::RequestTimedOut
                | Code::BrokerNotAvailable
                | Code::LeaderNotAvailable
                | Code::NotLeaderForPartition
                | Code::ReplicaNotAvailable
                | Code::NetworkException
                | Code::CoordinatorLoadInProgress
                | Code::CoordinatorNotAvailable
                | Code::NotCoordinator
                | Code::WaitingForCoordinator
                | Code::WaitCache
                | Code::Resolve
                | Code::RebalanceInProgress
                | Code::KafkaStorageError
                | Code::Retry
                | Code::InProgress
                | Code::PreviousInProgress
                | Code::UnstableOffsetCommit
                | Code::FencedLeaderEpoch
                | Code::UnknownLeaderEpoch
                | Code::OffsetNotAvailable
        )
    )
}

/// Whether the group has gone on without us.
pub(super) fn fenced(error: &KafkaError) -> bool {
    use RDKafkaErrorCode as Code;
    matches!(
        error.rdkafka_error_code(),
        Some(
            Code::UnknownMemberId
                | Code::IllegalGeneration
                | Code::FencedInstanceId
                | Code::Fatal
                | Code::AssignmentLost
        )
    )
}
