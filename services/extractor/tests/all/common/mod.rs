//! What the tests of the service share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_extractor::{Extractor, GROUP};
use gristmill_log::Log;
use gristmill_proto::topics;
use tokio_util::sync::CancellationToken;

/// Runs the extractor until it has taken every page of the log, at most a minute, and lets it end.
pub async fn work_off(extractor: Extractor, log: &Arc<dyn Log>) {
    let stop = CancellationToken::new();
    let running = tokio::spawn(extractor.run(stop.clone()));
    let begun = Instant::now();
    while log.lag(GROUP, topics::PAGES).await.unwrap() > 0 && begun.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    running.await.unwrap().unwrap();
}
