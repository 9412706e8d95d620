//! The program as processes of their own over a real Kafka broker.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../sink/tests/all/support/mod.rs"]
mod support;

mod changes;
mod kafka_archive;
mod kafka_control;
mod kafka_domains;
mod kafka_faults;
mod kafka_renderer;
mod kafka_snapshots;
mod kafka_ways;
mod sink;
