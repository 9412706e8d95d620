//! Clears the blob store of bodies that nobody can ask for any more. Who has partition 0 does it, for all.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gristmill_log::Log;
use gristmill_proto::topics;
use gristmill_runtime::blobs::Blobs;
use tracing::{info, warn};

use crate::metrics::Metrics;

/// How often old bodies are looked for; they go by the hour.
const EVERY: Duration = Duration::from_secs(1800);

/// The group that reads bodies.
const READERS: &str = "extractor";

/// Collects until it is dropped.
pub(crate) async fn collect(blobs: Blobs, log: Arc<dyn Log>, metrics: Metrics) {
    if blobs.store().is_none() {
        return std::future::pending().await;
    }
    loop {
        if let Err(error) = once(&blobs, log.as_ref(), &metrics).await {
            warn!(error = format!("{error:#}"), "old bodies could not be collected");
        }
        tokio::time::sleep(EVERY).await;
    }
}

async fn once(blobs: &Blobs, log: &dyn Log, metrics: &Metrics) -> anyhow::Result<()> {
    let waiting = log.lag(READERS, topics::PAGES).await? > 0;
    let removed = blobs.collect(waiting, SystemTime::now()).await?;
    metrics.collected_bodies.inc_by(removed.blobs);
    metrics.collected_bytes.inc_by(removed.bytes);
    if removed.blobs > 0 {
        info!(blobs = removed.blobs, bytes = removed.bytes, "old bodies collected");
    }
    Ok(())
}
