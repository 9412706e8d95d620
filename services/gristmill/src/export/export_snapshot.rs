//! What an export saw of the index: key and time of fetching of every document, in the order of the keys.
//!
//! One JSON object a line, packed with zstd. The next export finds with it what is new, what has changed and what is gone.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_index::SortedDocuments;
use serde::{Deserialize, Serialize};

use crate::dataset::replace;

#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    /// Seconds since 1970.
    fetched_at: i64,
}

/// Writes what is there now.
pub fn write(path: &Path, documents: &SortedDocuments<'_>) -> anyhow::Result<()> {
    replace(path, |out| {
        let mut out = zstd::Encoder::new(out, 3)?;
        for n in 0..documents.len() {
            let line = Line { id: documents.key(n)?, fetched_at: documents.fetched_at(n) };
            serde_json::to_writer(&mut out, &line)?;
            out.write_all(b"\n")?;
        }
        out.finish()?;
        Ok(())
    })
}

/// Compares what was seen with what is there now: gives the numbers of new and changed documents, and calls `gone` with the keys
/// of those that are there no more.
///
/// # Errors
/// A ledger or an index that cannot be read, and those of `gone`.
pub fn compare(
    path: &Path,
    documents: &SortedDocuments<'_>,
    mut gone: impl FnMut(String) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<usize>> {
    let open = || -> std::io::Result<_> { Ok(BufReader::new(zstd::Decoder::new(File::open(path)?)?)) };
    let unreadable = || format!("could not read `{}`", path.display());
    let (mut fresh, mut next) = (Vec::new(), 0);
    for line in open().with_context(unreadable)?.lines() {
        let line: Line = serde_json::from_str(&line.with_context(unreadable)?).with_context(unreadable)?;
        // Those that stand before it are new.
        while next < documents.len() && documents.compare(next, &line.id)? == Ordering::Less {
            fresh.push(next);
            next += 1;
        }
        if next < documents.len() && documents.compare(next, &line.id)? == Ordering::Equal {
            if documents.fetched_at(next) != line.fetched_at {
                fresh.push(next);
            }
            next += 1;
        } else {
            gone(line.id)?;
        }
    }
    fresh.extend(next..documents.len());
    Ok(fresh)
}
