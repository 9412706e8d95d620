//! What alerts count, all of them together: their names are no closed set.

use prometheus::{IntCounterVec, Opts, Registry};

/// Counters of all alerts of a process.
#[derive(Clone)]
pub struct AlertMetrics {
    /// Changes by what became of them.
    pub changes: IntCounterVec,
    /// Requests made again, by cause.
    pub retries: IntCounterVec,
}

impl AlertMetrics {
    /// Registers all of them, every label value at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let counters = |name: &str, help: &str, label: &str| IntCounterVec::new(Opts::new(name, help), &[label]);
        let metrics = Self {
            changes: counters("gristmill_alert_changes_total", "Changes that alerts are about, by result.", "result")?,
            retries: counters("gristmill_alert_retries_total", "Requests of alerts made again, by cause.", "cause")?,
        };
        for result in ["delivered", "lost"] {
            metrics.changes.with_label_values(&[result]);
        }
        for cause in ["connection", "address", "status"] {
            metrics.retries.with_label_values(&[cause]);
        }
        registry.register(Box::new(metrics.changes.clone()))?;
        registry.register(Box::new(metrics.retries.clone()))?;
        Ok(metrics)
    }
}
