//! What an export saw of the index: key, time of fetching and content of every document, in the order of the keys.
//!
//! One JSON object a line, packed with zstd. The next export finds with it what is new, what has changed and what is gone.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_dataset::DatasetRow;
use gristmill_dataset::output::replace;
use gristmill_index::SortedDocuments;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::row::row_of;

#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    /// Seconds since 1970.
    fetched_at: i64,
    /// Hash of what the page gives to a dataset, but for the time; none in a snapshot of an older program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<u64>,
}

/// Hashes of the contents of documents, by their numbers. Those that a run has read need not be read again.
pub type Contents = HashMap<usize, u64>;

/// The hash of what a document gives to a dataset; none where it cannot be read.
pub fn content_of(documents: &SortedDocuments<'_>, number: usize) -> Option<u64> {
    content_of_row(&row_of(documents.document(number).ok()?, None))
}

/// The hash of a row, but for the times of fetching and drawing.
pub fn content_of_row(row: &DatasetRow) -> Option<u64> {
    let row = DatasetRow { fetched_at: String::new(), dump: String::new(), render_ended: None, ..row.clone() };
    rkyv::to_bytes::<rkyv::rancor::Error>(&row).ok().map(|bytes| xxh3_64(&bytes))
}

/// Writes what is there now. What the snapshot before knows of a document that was not fetched since is taken from there.
pub fn write(
    path: &Path,
    before: Option<&Path>,
    documents: &SortedDocuments<'_>,
    mut content: impl FnMut(usize) -> Option<u64>,
) -> anyhow::Result<()> {
    let mut known = before.map(lines).transpose()?.into_iter().flatten().peekable();
    replace(path, |out| {
        let mut out = zstd::Encoder::new(out, 3)?;
        for n in 0..documents.len() {
            let (id, fetched_at) = (documents.key(n)?, documents.fetched_at(n));
            while known.next_if(|line| line.as_ref().is_ok_and(|line| line.id < id)).is_some() {}
            let same = known.peek().and_then(|line| line.as_ref().ok());
            let same = same.filter(|line| line.id == id && line.fetched_at == fetched_at);
            let content = same.and_then(|line| line.content).or_else(|| content(n));
            serde_json::to_writer(&mut out, &Line { id, fetched_at, content })?;
            out.write_all(b"\n")?;
        }
        out.finish()?;
        Ok(())
    })
}

/// The lines of a snapshot.
fn lines(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Line>> + use<>> {
    let unreadable = format!("could not read `{}`", path.display());
    let open = || -> std::io::Result<_> { Ok(BufReader::new(zstd::Decoder::new(File::open(path)?)?)) };
    let lines = open().with_context(|| unreadable.clone())?.lines();
    Ok(lines.map(move |line| {
        let line = line.with_context(|| unreadable.clone())?;
        serde_json::from_str(&line).with_context(|| unreadable.clone())
    }))
}

/// Compares what was seen with what is there now: gives the numbers of new and changed documents, and calls `gone` with the keys
/// of those that are there no more. A document that was fetched again counts where its `content` is another one.
///
/// # Errors
/// A ledger or an index that cannot be read, and those of `gone`.
pub fn compare(
    path: &Path,
    documents: &SortedDocuments<'_>,
    content: impl Fn(usize) -> Option<u64>,
    mut gone: impl FnMut(String) -> anyhow::Result<()>,
) -> anyhow::Result<Vec<usize>> {
    let (mut fresh, mut next) = (Vec::new(), 0);
    for line in lines(path)? {
        let line = line?;
        // Those that stand before it are new.
        while next < documents.len() && documents.compare(next, &line.id)? == Ordering::Less {
            fresh.push(next);
            next += 1;
        }
        if next < documents.len() && documents.compare(next, &line.id)? == Ordering::Equal {
            let is_same = || line.content.is_some() && content(next) == line.content;
            if documents.fetched_at(next) != line.fetched_at && !is_same() {
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
