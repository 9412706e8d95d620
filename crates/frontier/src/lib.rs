//! The frontier: which URL to fetch next, and when. It has its own store on disk, but no clock and no network.
//!
//! ```
//! use gristmill_frontier::{FetchKind, Frontier, FrontierConfig, Outlink, LinkSource, NextAction, AdmissionResult, Positions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let mut frontier = Frontier::open(folder.path(), FrontierConfig::default())?;
//! let now = 1_795_219_200_000; // Unix milliseconds
//! let seed = Outlink {
//!     url: "https://mill.example/",
//!     kind: FetchKind::Page,
//!     source: LinkSource::Seed,
//!     depth: 0,
//!     hops: 0,
//!     anchor_title: None,
//! };
//! assert_eq!(frontier.offer(&seed, now)?, AdmissionResult::New);
//! assert_eq!(frontier.offer(&seed, now)?, AdmissionResult::Known);
//! let NextAction::Order(order) = frontier.next(now)? else { panic!("something is due") };
//! assert_eq!(order.url, "https://mill.example/robots.txt"); // the page comes after its rules
//! frontier.commit(&Positions::new())?;
//! # Ok(())
//! # }
//! ```
//!
//! A link takes this way:
//!
//! ```text
//!             offer(link)                                 next(now)
//!  links ───▶ seen set ──new──▶ queue of its host ──▶ domain due? robots known and willing? ──▶ order (lease)
//!             (`seen`)            (`queue`)             │ no robots yet: an order for robots.txt first     │
//!                                     ▲                 └ disallowed: final state, no order               │
//!                                     └── `later`: retries and recrawl by due time ◀── outcome ◀──────────┘
//! ```
//!
//! Times are Unix milliseconds that the caller passes in. Changes stay in memory until [`Frontier::commit`]. It makes all of them
//! durable in one batch, together with the caller's input positions, or none.
//!
//! Invariants:
//! * a URL key enters the seen set once and never leaves it;
//! * a registrable domain has at most one order in flight, and the next order comes no sooner than the domain's pause after the
//!   end of the last one (orders adopted after a crash are the one exception to "at most one": the log already holds them);
//! * order ids only grow, and an outcome counts once: its lease is gone afterwards.

mod address_queues;
mod admission;
mod adoption;
mod changed_rows;
mod check;
mod clock;
mod codec;
mod config;
mod control;
mod cookies;
mod copies;
mod crawl_budget;
mod dates;
mod delayed_entry;
mod departed;
mod dependants;
mod disk_queue;
mod dispatch;
mod domain_record;
mod error;
mod explain;
mod failure;
mod fast_map;
mod find_rate;
mod fingerprint;
mod freshness;
mod frontier;
mod host_queues;
mod host_record;
mod left_out;
mod link_file;
mod link_log;
mod link_queue;
mod lone_failures;
mod message;
mod mirrors;
mod named;
mod old_snapshot;
mod opening;
mod order_lease;
mod outage;
mod outcome;
mod referral;
mod render;
mod requeue;
mod restore;
mod revisit;
mod robots_txt;
mod seen;
mod seen_file;
mod seen_filter;
mod seen_import;
mod seen_merge;
mod seen_moment;
mod site_clock;
mod site_sources;
mod site_states;
mod sites;
mod snapshot;
mod snapshot_stream;
mod stats;
mod store;
mod table;
mod tdm;
mod template;
mod two_generation_cache;
mod upgrade;
mod url_record;
mod variants;

pub use check::{FrontierCheckReport, check};
pub use config::{FrontierConfig, PolitenessConfig, RecrawlConfig, RetryConfig, RobotsConfig, SiteCrawlConfig};
pub use error::FrontierError;
pub use explain::{Explanation, HostExplanation, UrlExplanation};
pub use failure::FailureKind;
pub use frontier::Frontier;
pub use gristmill_robots::Reservation;
pub use gristmill_terms::{Departure, FetchKind, LinkSource, Verdict};
pub use message::{
    AdmissionResult, Cookie, FetchOrder, FetchOutcome, FetchResult, Fingerprint, LinkRejection, News, NextAction,
    Notice, OutcomeEffect, Outlink, Referral, Tie,
};
pub use restore::{FrontierRestore, SnapshotSize};
pub use site_states::{SiteActivity, SiteState};
pub use snapshot::{FrontierSnapshot, SnapshotPart};
pub use stats::{FrontierStats, KindStats};
pub use url_record::UrlState;

/// Input positions: `(topic, partition)` → position of the next record to read.
pub type Positions = std::collections::BTreeMap<(String, u32), u64>;
