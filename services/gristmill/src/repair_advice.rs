//! What to do about a damaged part of the data directory: what it is made anew from, and what is lost.

use std::path::Path;

use gristmill_frontier::FrontierError;
use gristmill_log::LogError;

/// What to do about a damaged index.
pub fn index(data: &Path) -> String {
    let data = data.display();
    format!(
        "The index: `gristmill reindex --data {data}` builds it anew from the documents that can still be read and from the \
         log, and tells how many are lost. With an export, `gristmill reindex --from FILE --data {data}` takes them from there."
    )
}

/// What to do about a damaged log or frontier: neither can be made from the other.
pub fn log_or_frontier(data: &Path) -> String {
    let data = data.display();
    format!(
        "The log and the frontier belong together, and neither can be made from the other. Remove both, keep the index, and \
         crawl again: `rm -r {data}/log {data}/frontier`, `gristmill reindex --data {data}`, then the `gristmill crawl` \
         command that you began with. What was fetched is fetched once more; what is indexed stays. Lost is what was \
         fetched and not yet indexed."
    )
}

/// What to do about records that cannot be read.
pub fn records() -> String {
    "Unreadable records are passed over: a crawl goes on, counts them (`gristmill_unreadable_records_total`) and writes where \
     they stand to `rejects`. An order or outcome among them is given again. Of a page or document among them nothing is \
     indexed until it is fetched again."
        .to_owned()
}

/// What to do about bodies that are not what their pages say.
pub fn bodies() -> String {
    "Damaged bodies: their pages are rejected when the extractor comes to them, and everything else goes on.".to_owned()
}

/// `error` with what to do about it, if it tells of damage in the data directory `data`. Errors of the index say it themselves.
pub fn with(error: anyhow::Error, data: &Path) -> anyhow::Error {
    let is_damage = error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(|error: &LogError| error.is_damage() || is_cut(error))
            || cause.downcast_ref().is_some_and(FrontierError::is_damage)
    });
    if !is_damage {
        return error;
    }
    let (data, advice) = (data.display(), log_or_frontier(data));
    anyhow::anyhow!("{error:#}\n`gristmill check --data {data}` names the damaged files.\n{advice}")
}

/// Whether a log ends before a position that somebody remembers.
fn is_cut(error: &LogError) -> bool {
    matches!(error, LogError::OutOfRange { wanted, next, .. } if wanted > next)
}
