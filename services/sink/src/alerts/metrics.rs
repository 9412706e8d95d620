//! What alerts count, all of them together: their names are no closed set.

use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::Registry;

/// Counters of all alerts of a process.
#[derive(Clone)]
pub struct AlertMetrics {
    /// Changes by what became of them.
    pub changes: Counters<&'static str>,
    /// Requests made again, by cause.
    pub retries: Counters<&'static str>,
}

impl AlertMetrics {
    /// Registers all of them, every label value at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let registrar = MetricRegistrar(registry);
        Ok(Self {
            changes: registrar.counters(
                "gristmill_alert_changes_total",
                "Changes that alerts are about, by result.",
                &Label::words("result", &["delivered", "lost"]),
            )?,
            retries: registrar.counters(
                "gristmill_alert_retries_total",
                "Requests of alerts made again, by cause.",
                &Label::words("cause", &["connection", "address", "status"]),
            )?,
        })
    }
}
