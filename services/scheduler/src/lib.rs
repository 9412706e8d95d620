//! The scheduler: feeds links and outcomes to the frontier, and puts what is due into the log as orders.
//!
//! One step is: read → apply → append orders → commit state and input positions in one transaction. A crash between the
//! last two leaves orders in the log that the state does not know; the next start reads `orders` from the position
//! in the state and adopts them, so that no order is given twice and none is lost.

mod convert;
mod metrics;
mod parts;
mod service;
mod status;
mod takeover;

pub use metrics::Metrics;
pub use parts::Schedulers;
pub use service::{Ended, Explainer, GROUP, Scheduler, SchedulerConfig};
pub use status::Status;
