//! The pages that gave no document, as they come, for those who look at the status.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use gristmill_log::{Log, LogReader, StartOffset};
use gristmill_proto::{Reject, RejectCause, decode, topics};
use serde::Serialize;
use tokio::sync::watch;

/// Rejects that are shown.
const MANY: usize = 20;
/// Longest reason that is shown, in characters.
const MAX_REASON: usize = 300;
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A page that gave no document.
#[derive(Debug, Clone, Serialize)]
pub struct RejectedPage {
    pub url: String,
    pub stage: String,
    #[serde(skip)]
    pub cause: RejectCause,
    /// In words.
    pub reason: String,
    /// Unix seconds.
    pub at: u64,
}

/// The newest rejects from now on, newest first, for as long as the receiver lives.
///
/// # Errors
/// The log cannot be read.
pub async fn follow(log: &Arc<dyn Log>) -> anyhow::Result<watch::Receiver<VecDeque<RejectedPage>>> {
    let reader = log.reader(&[topics::REJECTS], StartOffset::End).await?;
    let (sender, receiver) = watch::channel(VecDeque::new());
    tokio::spawn(async move {
        tokio::select! {
            () = pass_on(reader, &sender) => {}
            () = sender.closed() => {}
        }
    });
    Ok(receiver)
}

/// Works until the log fails, which others tell of.
async fn pass_on(mut reader: Box<dyn LogReader>, newest: &watch::Sender<VecDeque<RejectedPage>>) {
    while let Ok(records) = reader.poll(256, LONGEST_WAIT).await {
        let rejects = records.iter().filter_map(|record| decode::<Reject>(&record.payload).ok());
        let rejects: Vec<RejectedPage> = rejects.map(shown).collect();
        newest.send_modify(|newest| {
            rejects.into_iter().for_each(|reject| newest.push_front(reject));
            newest.truncate(MANY);
        });
    }
}

fn shown(Reject { url, stage, reason, at }: Reject) -> RejectedPage {
    let cause = reason.cause;
    let reason = reason.to_string();
    let reason = match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason,
    };
    RejectedPage { url, stage, cause, reason, at: at / 1000 }
}
