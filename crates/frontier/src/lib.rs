//! The frontier: which URL to fetch next, and when. Own store on disk, no clock, no network.
//!
//! ```text
//!             offer(link)                                 next(now)
//!  links ───▶ seen set ──new──▶ queue of its host ──▶ domain due? robots known and willing? ──▶ order (lease)
//!             (`urls`)            (`queue`)             │ no robots yet: an order for robots.txt first     │
//!                                     ▲                 └ disallowed: final state, no order               │
//!                                     └── `later`: retries and recrawl by due time ◀── outcome ◀──────────┘
//! ```
//! Times are Unix milliseconds that the caller hands in. All changes since the last [`Frontier::commit`] stand in
//! memory and become durable in one batch with the caller's input positions, or not at all.
//!
//! Invariants:
//! * a URL key enters the seen set once and never leaves it;
//! * a registrable domain has at most one order in flight, and none sooner after the end of the last one than its pause
//!   (orders adopted after a crash are the one exception to "one": the log already holds them);
//! * order ids only grow, and an outcome counts once: its lease is gone afterwards.

mod again;
mod check;
mod clock;
mod codec;
mod config;
mod disk_queue;
mod error;
mod explain;
mod frontier;
mod generations;
mod message;
mod next;
mod offer;
mod outcome;
mod place;
mod record;
mod robots_txt;
mod snapshot;
mod stats;
mod store;
mod table;

pub use check::{Checked, check};
pub use config::{FrontierConfig, PolitenessConfig, RecrawlConfig, RetryConfig, RobotsConfig};
pub use error::FrontierError;
pub use explain::{Explanation, HostExplanation, UrlExplanation};
pub use frontier::Frontier;
pub use gristmill_terms::{FetchKind, LinkSource};
pub use message::{Applied, FailureKind, FetchOutcome, FetchResult, Link, Next, Offered, Order, Rejection};
pub use record::UrlState;
pub use snapshot::{Snapshot, SnapshotSize};
pub use stats::{KindStats, Stats};

/// Input positions: `(topic, partition)` → position of the next record to read.
pub type Positions = std::collections::BTreeMap<(String, u32), u64>;
