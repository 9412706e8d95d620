//! An ordered, partitioned, durable log of records, whichever engine lies below.
//!
//! A *topic* has a fixed number of *partitions*; a record's key decides its partition ([`partition_of`]), and within a
//! partition records have consecutive *positions* from 0. Readers poll from positions; a *group* stores the
//! position from which it wants to go on ([`Log::commit`]), always the *next* one (last handled + 1). Delivery is
//! at least once: what was not committed comes again after a restart, so that effects must be idempotent.
//!
//! Engines: [`MemoryLog`] for tests, [`EmbeddedLog`] on one machine, [`KafkaLog`] on brokers. Each passes [`conformance`].
//! Where several processes work for a group, a [`Membership`] tells each which partitions are its own, and a [`Share`] is
//! the log as seen from there.

mod config;
pub mod conformance;
mod embedded;
mod kafka;
mod membership;
mod memory;
mod partition;
mod share;
mod types;

pub use gristmill_verify::Checked;

pub use config::{Engine, LogConfig};
pub use embedded::{EmbeddedConfig, EmbeddedLog};
pub use kafka::{KafkaConfig, KafkaLog, Mechanism, Protocol, Secret, SecurityConfig};
pub use membership::{Change, Lease, Membership};
pub use memory::MemoryLog;
pub use partition::partition_of;
pub use share::Share;
pub use types::{Log, LogError, Place, Positions, Reader, Record, Retention, Start, Stored, TopicSpec};
