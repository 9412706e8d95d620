//! One suite for all engines, and what is special to Kafka.

mod conformance;
mod kafka;
mod kafka_tls;
