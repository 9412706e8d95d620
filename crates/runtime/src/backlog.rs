//! What waits for a later stage.

use std::sync::Arc;
use std::time::Duration;

use gristmill_log::Log;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// What waits for a later stage, for an earlier one that must not run away from it. Asked at most every
/// 50 ms, since brokers are asked over the network. Clones share the answer.
#[derive(Clone)]
pub struct Backlog {
    log: Arc<dyn Log>,
    group: &'static str,
    topic: &'static str,
    answer: Arc<Mutex<Option<(Instant, u64)>>>,
}

/// How old an answer may be.
const FRESH: Duration = Duration::from_millis(50);

impl Backlog {
    /// What `group` has not committed of `topic`.
    pub fn of(log: Arc<dyn Log>, group: &'static str, topic: &'static str) -> Self {
        Self { log, group, topic, answer: Arc::default() }
    }

    /// Waits until at most `limit` records wait.
    ///
    /// # Errors
    /// The log failed.
    pub async fn at_most(&self, limit: u64) -> Result<(), gristmill_log::LogError> {
        loop {
            let mut answer = self.answer.lock().await;
            let lag = match *answer {
                Some((asked, lag)) if asked.elapsed() < FRESH => lag,
                _ => {
                    let lag = self.log.lag(self.group, self.topic).await?;
                    *answer = Some((Instant::now(), lag));
                    lag
                }
            };
            drop(answer);
            if lag <= limit {
                return Ok(());
            }
            tokio::time::sleep(FRESH / 2).await;
        }
    }
}
