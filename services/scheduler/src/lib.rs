//! The scheduler: feeds links and outcomes to the frontier, and puts what is due into the log as orders.
//!
//! One step is: read → apply → append orders → commit state and input positions in one transaction. A crash between the
//! last two leaves orders in the log that the state does not know; the next start reads `orders` from the position
//! in the state and adopts them, so that no order is given twice and none is lost. With `scheduler.snapshot_every` the state
//! is copied to the blob store, from where whoever has the partition next takes it.

mod clock;
mod config;
pub mod control;
mod convert;
pub mod explain_prose;
pub mod failure_advice;
mod fence;
mod freshness;
mod frontier_opener;
mod lost_orders;
mod metrics;
pub mod newest_rejects;
mod partitioned;
pub mod seeds;
mod service;
mod snapshot_download;
mod snapshot_upload;
mod snapshot_writer;
mod snapshots;
mod status;
mod takeover;
pub mod timeline;

pub use config::SchedulerConfig;
pub use freshness::Freshness;
pub use metrics::Metrics;
pub use partitioned::{PartitionStatuses, PartitionedScheduler};
pub use service::{Explainer, GROUP, Scheduler, SchedulerExit};
pub use snapshots::{SnapshotError, SnapshotId, SnapshotTransfer, Snapshots};
pub use status::{CrawlStatus, FetchProblem, MAX_TROUBLES, SiteStatus};
