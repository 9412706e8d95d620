//! Clears the blob store of bodies that no extractor can ask for any more. The one that has partition 0 does it, for all.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gristmill_log::Log;
use gristmill_proto::topics;
use gristmill_runtime::blobs::Blobs;
use tracing::{info, warn};

use crate::metrics::Metrics;
use crate::service::GROUP;

/// How often old bodies are looked for; they go by the hour.
const EVERY: Duration = Duration::from_secs(1800);

/// Collects until it is dropped.
pub(crate) async fn collect(blobs: Blobs, log: Arc<dyn Log>, metrics: Metrics) -> Infallible {
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
    let waiting = log.lag(GROUP, topics::PAGES).await? > 0;
    let removed = blobs.collect(waiting, SystemTime::now()).await?;
    metrics.collected_bodies.inc_by(removed.blobs);
    metrics.collected_bytes.inc_by(removed.bytes);
    if removed.blobs > 0 {
        info!(blobs = removed.blobs, bytes = removed.bytes, "old bodies collected");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gristmill_blobs::hourly_key;
    use gristmill_log::{LogConfig, MemoryLog, Positions, Record};
    use gristmill_runtime::blobs::{BODIES, BlobsConfig};
    use gristmill_runtime::process::topic_specs;
    use prometheus::Registry;

    use super::*;

    #[tokio::test]
    async fn old_bodies_go_and_are_counted_once_no_page_waits_that_could_name_them() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
        let store = blobs.store().unwrap();
        let recent = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as u64;
        for (at, name) in [(0, "old"), (0, "older"), (recent, "recent")] {
            store.put(&hourly_key(BODIES, at, name), vec![0; 100].into()).await.unwrap();
        }
        let log = MemoryLog::new(&topic_specs(), 1, 1 << 20);
        let page = Record { topic: topics::PAGES, key: "a.test".into(), payload: vec![1] };
        log.append(vec![page]).await.unwrap();
        let metrics = Metrics::register(&Registry::new()).unwrap();
        once(&blobs, &log, &metrics).await.unwrap();
        assert_eq!(metrics.collected_bodies.get(), 0, "a page waits");
        log.commit(GROUP, &Positions::from([((topics::PAGES.to_owned(), 0), 1)])).await.unwrap();
        once(&blobs, &log, &metrics).await.unwrap();
        assert_eq!((metrics.collected_bodies.get(), metrics.collected_bytes.get()), (2, 200));
        assert_eq!(store.list(BODIES).await.unwrap().len(), 1);
    }
}
