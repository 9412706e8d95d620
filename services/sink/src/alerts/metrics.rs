//! What alerts count, all of them together: their names are no closed set.

use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};

metrics! {
    /// Counters of all alerts of a process.
    pub struct AlertMetrics {
        /// Changes that alerts are about, by result.
        pub changes: Counters<&'static str> =
            "gristmill_alert_changes_total", MetricLabel::words("result", &["delivered", "lost"]);
        /// Requests of alerts made again, by cause.
        pub retries: Counters<&'static str> =
            "gristmill_alert_retries_total", MetricLabel::words("cause", &["connection", "address", "status"]);
    }
}
