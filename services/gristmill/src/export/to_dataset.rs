//! The corpus as a dataset in a folder.

use std::io::Write as _;
use std::path::Path;

use gristmill_dataset::output::{
    ArchiveOffset, DatasetBuilder, DatasetHeader, DatasetOptions, DatasetState, Manifest, SourceItem, SourceOffset,
    replace,
};
use gristmill_dataset::{Columns, FileFormat};
use gristmill_index::SortedDocuments;
use serde_json::json;

use super::args::ExportArgs;
use super::export_snapshot::Contents;
use super::lower_bound::ExportSince;
use super::row::row_of;
use super::{Source, export_snapshot};
use crate::dataset::{FilterFields, tell};

/// Writes the documents that are wanted, in the order of their keys.
pub fn write(args: &ExportArgs, source: &Source, format: FileFormat, out: &Path) -> anyhow::Result<()> {
    let columns = args.columns().map_err(crate::failure::wrong_use)?;
    let since = ExportSince::parse(args.since.as_deref(), out)?;
    let documents = source.ordered()?;
    let (wanted, gone) = since.wanted(&documents)?;
    if matches!(since, ExportSince::Ledger(_))
        && wanted.is_empty()
        && gone.is_empty()
        && !out.join("journal.jsonl").exists()
    {
        tell!("gristmill: nothing is new since the last export");
        return Ok(());
    }
    let cleaner = args.dataset.cleaning.cleaner()?;
    let plan = DatasetOptions {
        out: out.to_owned(),
        head: head(args, source, format, &columns, &documents)?,
        format,
        columns,
        shard_rows: args.dataset.shard_rows,
        tokens: cleaner.tokens.clone(),
        dedup: args.dataset.dedup.plan().map_err(crate::failure::wrong_use)?,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        with_hosts: false,
        may_change: true,
    };
    let mut output = match DatasetBuilder::start(plan)? {
        DatasetState::Open(output) => *output,
        DatasetState::Complete(rows) => {
            tell!("gristmill: the dataset in `{}` is complete: {rows} rows", out.display());
            return Ok(());
        }
    };
    let place =
        |n: usize| SourceOffset { input: 0, position: ArchiveOffset { offset: n as u64, ..ArchiveOffset::default() } };
    let mut contents = Contents::new();
    for (n, &number) in wanted.iter().enumerate().skip(output.place().position.offset as usize) {
        let mut step = step(args, source, &documents, number, place(n + 1), &mut contents);
        cleaner.clean(&mut step);
        output.take(step)?;
    }
    let before = if let ExportSince::Ledger(path) = &since { Some(path.as_path()) } else { None };
    let content = |number| contents.remove(&number).or_else(|| export_snapshot::content_of(&documents, number));
    let snapshot = |path: &Path| export_snapshot::write(path, before, &documents, content);
    let manifest = finish(output, place(wanted.len()), out, snapshot, &gone)?;
    tell(&manifest, out);
    Ok(())
}

fn head(
    args: &ExportArgs,
    source: &Source,
    format: FileFormat,
    columns: &Columns,
    documents: &SortedDocuments<'_>,
) -> anyhow::Result<DatasetHeader> {
    let own = json!({ "query": source.query });
    Ok(DatasetHeader {
        software: format!("gristmill {}", env!("CARGO_PKG_VERSION")),
        settings: args.dataset.settings(format, columns, &source.filter, own)?,
        inputs: json!([{ "name": "index", "documents": documents.len(), "xxh3": format!("{:032x}", documents.digest()) }]),
        since: args.since.clone(),
    })
}

/// What becomes of one document.
fn step(
    args: &ExportArgs,
    source: &Source,
    documents: &SortedDocuments<'_>,
    number: usize,
    place: SourceOffset,
    contents: &mut Contents,
) -> SourceItem {
    let Some(document) = source.readable(documents.document(number)) else {
        return SourceItem::passed("unreadable", Some(place));
    };
    let row = row_of(document, args.dataset.dump.as_deref());
    contents.extend(export_snapshot::content_of_row(&row).map(|content| (number, content)));
    if row.text.is_empty() && row.records.is_none() {
        return SourceItem::passed("no text", Some(place));
    }
    match source.filter.refuses(&FilterFields::of_row(&row)) {
        Some(option) => SourceItem::passed(option, Some(place)),
        None => SourceItem {
            row: Some(Box::new(row)),
            counted: vec!["documents".to_owned()],
            place: Some(place),
            ..SourceItem::default()
        },
    }
}

/// Writes what the next export needs to know, and ends the dataset.
fn finish(
    output: DatasetBuilder,
    end: SourceOffset,
    out: &Path,
    snapshot: impl FnOnce(&Path) -> anyhow::Result<()>,
    gone: &[String],
) -> anyhow::Result<Manifest> {
    let number = output.number_of_run();
    let ledger = format!("exports/{number:05}.jsonl.zst");
    std::fs::create_dir_all(out.join("exports"))?;
    snapshot(&out.join(&ledger))?;
    let mut more = json!({ "ledger": ledger, "removed": gone.len() });
    if !gone.is_empty() {
        let removed = format!("exports/{number:05}.removed.jsonl");
        replace(&out.join(&removed), |out| {
            gone.iter().try_for_each(|id| Ok(writeln!(out, "{}", json!({ "id": id }))?))
        })?;
        more["removed_ids"] = removed.into();
    }
    output.finish(end, more)
}
