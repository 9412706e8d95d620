//! Alerts: webhooks that are told of changes which a saved search or a rule is about.
//!
//! Delivery is at least once: an alert commits a change after its receiver has taken it. The same change has the same id.

mod config;
mod metrics;
mod rule;
mod saved_search;
mod service;
mod webhook;

pub use config::AlertConfig;
pub use metrics::AlertMetrics;
pub use service::AlertService;
