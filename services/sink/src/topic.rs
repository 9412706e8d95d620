//! The topic `documents-json`, which engines with a Kafka source read.

use gristmill_log::{Log, LogError, ProducerRecord};
use gristmill_proto::topics;

use crate::bulk::RejectedDocument;
use crate::convert::IndexAction;

/// Appends all of `actions`; they are durable when this returns those that are too large for the log.
///
/// # Errors
/// The log failed.
pub(crate) async fn append<'a>(
    log: &dyn Log,
    actions: &'a [IndexAction],
) -> Result<Vec<RejectedDocument<'a>>, LogError> {
    match log.append(actions.iter().map(record).collect()).await {
        Ok(_) => return Ok(Vec::new()),
        // Nothing was written then.
        Err(LogError::TooLarge { .. }) => {}
        Err(error) => return Err(error),
    }
    let mut refused = Vec::new();
    for action in actions {
        match log.append(vec![record(action)]).await {
            Ok(_) => {}
            Err(error @ LogError::TooLarge { .. }) => {
                refused.push(RejectedDocument { action, reason: error.to_string() })
            }
            Err(error) => return Err(error),
        }
    }
    Ok(refused)
}

fn record(action: &IndexAction) -> ProducerRecord {
    ProducerRecord { topic: topics::DOCUMENTS_JSON, key: action.key.clone(), payload: action.record() }
}
