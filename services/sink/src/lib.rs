//! The sink: hands documents on to search engines of several machines, by their `_bulk` API or by a topic of JSON.
//!
//! Delivery is at least once and by document key: positions are committed after everything of a batch was taken, so a crash
//! repeats a batch, and an engine that knows keys holds each document once. What an engine refuses for the document's sake goes
//! to `rejects`; everything else is tried again until it is taken. Alerts, which hand changes on to webhooks, keep the same order.

mod alerts;
mod answer;
mod bulk;
mod config;
mod convert;
mod error;
mod metrics;
mod service;
mod topic;

pub use alerts::{AlertConfig, AlertMetrics, AlertService};
pub use config::{BulkConfig, SinkConfig};
pub use error::SinkError;
pub use metrics::Metrics;
pub use service::{GROUP, Sink};
