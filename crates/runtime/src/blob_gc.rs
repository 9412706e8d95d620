//! Clears the blob store of bodies that nobody can ask for any more. The reader that has partition 0 does it, for all.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gristmill_blobs::RemovalCounts;
use gristmill_log::Log;
use tracing::{info, warn};

use crate::blobs::Blobs;

/// How often old bodies are looked for; they go by the hour.
const EVERY: Duration = Duration::from_secs(1800);

/// Bodies of one kind, and who reads them.
pub struct BlobGarbageCollector {
    pub blobs: Blobs,
    pub log: Arc<dyn Log>,
    pub group: &'static str,
    pub topic: &'static str,
    /// Folder of the blob store.
    pub folder: &'static str,
}

impl BlobGarbageCollector {
    /// Collects until it is dropped, and tells what went.
    pub async fn run(self, removed: impl Fn(RemovalCounts)) -> Infallible {
        if self.blobs.store().is_none() {
            return std::future::pending().await;
        }
        loop {
            match self.once().await {
                Ok(went) => removed(went),
                Err(error) => warn!(error = format!("{error:#}"), self.folder, "old bodies could not be collected"),
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    async fn once(&self) -> anyhow::Result<RemovalCounts> {
        let waiting = self.log.lag(self.group, self.topic).await? > 0;
        let removed = self.blobs.collect(self.folder, waiting, SystemTime::now()).await?;
        if removed.blobs > 0 {
            info!(self.folder, blobs = removed.blobs, bytes = removed.bytes, "old bodies collected");
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use gristmill_blobs::hourly_key;
    use gristmill_log::{LogConfig, MemoryLog, Positions, ProducerRecord};
    use gristmill_proto::topics::{self, groups};

    use super::*;
    use crate::blobs::{BODIES, BlobsConfig};
    use crate::process::topic_specs;

    #[tokio::test]
    async fn old_bodies_go_once_no_page_waits_that_could_name_them() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
        let store = blobs.store().unwrap();
        let recent = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as u64;
        for (at, name) in [(0, "old"), (0, "older"), (recent, "recent")] {
            store.put(&hourly_key(BODIES, at, name), vec![0; 100].into()).await.unwrap();
        }
        let log = MemoryLog::new(&topic_specs(), 1, 1 << 20);
        let page = ProducerRecord { topic: topics::PAGES, key: "a.test".into(), payload: vec![1] };
        log.append(vec![page]).await.unwrap();
        let log: Arc<dyn Log> = Arc::new(log);
        let (group, topic) = (groups::EXTRACTOR, topics::PAGES);
        let collector = BlobGarbageCollector { blobs: blobs.clone(), log: log.clone(), group, topic, folder: BODIES };
        assert_eq!(collector.once().await.unwrap(), RemovalCounts::default(), "a page waits");
        log.commit(group, &Positions::from([((topics::PAGES.to_owned(), 0), 1)])).await.unwrap();
        assert_eq!(collector.once().await.unwrap(), RemovalCounts { blobs: 2, bytes: 200 });
        assert_eq!(store.list(BODIES).await.unwrap().len(), 1);
    }
}
