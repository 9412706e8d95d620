//! What was made of pages and is on its way into the log: appended beside the work on the next pages, committed now and then.

use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_log::{Log, Positions, ProducerRecord};
use gristmill_proto::topics::{self, groups};

/// How often progress is committed: a crash repeats that much work, and gets the same documents.
const COMMIT_EVERY: Duration = Duration::from_millis(250);

/// What became of one page.
pub(crate) struct ProcessedPage {
    /// What to append; nothing where the page asks for nothing to be kept.
    pub(crate) records: Vec<ProducerRecord>,
    /// Keys of its bodies in the blob store, if they were there.
    pub(crate) stored: Vec<String>,
}

/// What became of pages that were read and are not committed yet.
pub(crate) struct PendingCommit<'a> {
    log: &'a dyn Log,
    /// Not appended yet.
    records: Vec<ProducerRecord>,
    /// Keys of bodies in the blob store that nobody needs once all this is committed.
    stored: Vec<String>,
    /// When the next commit is due; `None` when everything is committed.
    due: Option<Instant>,
}

impl<'a> PendingCommit<'a> {
    pub(crate) fn new(log: &'a dyn Log) -> Self {
        Self { log, records: Vec::new(), stored: Vec::new(), due: None }
    }

    /// How long to wait for pages, at most `longest`.
    pub(crate) fn patience(&self, longest: Duration) -> Duration {
        match self.due {
            _ if !self.records.is_empty() => Duration::ZERO,
            Some(due) => longest.min(due.saturating_duration_since(Instant::now())),
            None => longest,
        }
    }

    pub(crate) fn take(&mut self, done: Vec<ProcessedPage>) {
        self.due.get_or_insert_with(|| Instant::now() + COMMIT_EVERY);
        for done in done {
            self.records.extend(done.records);
            self.stored.extend(done.stored);
        }
    }

    /// Appends what is there.
    ///
    /// # Errors
    /// The log failed.
    pub(crate) async fn append(&mut self) -> anyhow::Result<()> {
        let records = std::mem::take(&mut self.records);
        // Who is told of a page may take its document back, which must be there then.
        let (told, made): (Vec<_>, Vec<_>) = records.into_iter().partition(|record| record.topic == topics::LINKS);
        self.log.append_then(made, told).await.context("could not write documents")?;
        Ok(())
    }

    /// Whether there is something to commit, and it is time, or `now` is the last time.
    pub(crate) fn is_due(&self, now: bool) -> bool {
        self.due.is_some_and(|due| now || due <= Instant::now())
    }

    /// Appends what is left and commits. Returns the keys of the bodies that nobody needs any more.
    ///
    /// # Errors
    /// The log failed.
    pub(crate) async fn commit(&mut self, positions: &Positions) -> anyhow::Result<Vec<String>> {
        self.append().await?;
        self.log.commit(groups::EXTRACTOR, positions).await?;
        self.due = None;
        Ok(std::mem::take(&mut self.stored))
    }
}

#[cfg(test)]
mod tests {
    use gristmill_log::MemoryLog;
    use gristmill_proto::topics;
    use gristmill_runtime::process::topic_specs;

    use super::*;

    fn done(n: u8) -> ProcessedPage {
        let record = ProducerRecord { topic: topics::DOCUMENTS, key: n.to_string(), payload: vec![n] };
        ProcessedPage { records: vec![record], stored: vec![format!("bodies/{n}")] }
    }

    #[tokio::test]
    async fn documents_are_appended_before_their_pages_are_committed_and_bodies_go_after_that() {
        let log = MemoryLog::new(&topic_specs(), 1, 1 << 20);
        let mut made = PendingCommit::new(&log);
        let second = Duration::from_secs(1);
        assert_eq!((made.patience(second), made.is_due(true)), (second, false), "nothing is to be committed");
        made.take(vec![done(1), done(2)]);
        assert_eq!(made.patience(second), Duration::ZERO, "documents wait to be appended");
        made.append().await.unwrap();
        assert_eq!(log.ends(topics::DOCUMENTS).await.unwrap(), [2]);
        assert!(made.patience(second) <= COMMIT_EVERY && !made.is_due(false) && made.is_due(true));
        made.take(vec![done(3)]);
        assert_eq!(made.commit(&Positions::new()).await.unwrap(), ["bodies/1", "bodies/2", "bodies/3"]);
        assert_eq!(log.ends(topics::DOCUMENTS).await.unwrap(), [3], "all documents are there when it is committed");
        assert!(!made.is_due(true));
    }
}
