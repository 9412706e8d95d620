//! What panics over damaged files, turned into errors: tantivy trusts what it reads back.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;

use crate::error::IndexError;

thread_local! {
    /// Whether a panic on this thread is caught and told as an error.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// tantivy's thread for commits and deletions. A panic there ends the process, whatever we do.
const UPDATER: &str = "segment_updater";

/// tantivy's threads for merges, whose panics come back as errors of the merge.
const MERGERS: &str = "merge_thread_";

/// Runs `work` over the index in `dir`; a panic becomes [`IndexError::Damaged`], and so does an error that tells of damage.
pub(crate) fn guarded<T>(dir: &Path, work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    let before = GUARDED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    match outcome {
        Ok(outcome) => outcome.map_err(|error| error.in_dir(dir)),
        Err(panic) => {
            let text =
                panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            let what = format!("reading it failed with `{}`", text.unwrap_or("no message"));
            Err(IndexError::Damaged { dir: dir.to_owned(), what })
        }
    }
}

/// Makes the panics of this crate's libraries silent where they come back as errors, and ends the process with 1 and the
/// reason where they do not. All other panics are told as before. For the start of a program.
pub fn install_panic_hook() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        match thread.name() {
            _ if GUARDED.get() => {}
            Some(name) if name.starts_with(MERGERS) => {}
            Some(UPDATER) => give_up(info),
            _ => before(info),
        }
    }));
}

fn give_up(info: &PanicHookInfo<'_>) -> ! {
    let what = info.payload_as_str().unwrap_or("no message");
    eprintln!(
        "gristmill: the index is damaged: taking out a document failed with `{what}`; the last commit stands. \
         `gristmill check` names the damaged files, `gristmill reindex` builds the index anew"
    );
    std::process::exit(1)
}
