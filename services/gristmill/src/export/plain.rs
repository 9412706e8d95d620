//! The corpus in one file: JSON lines, or a table for a spreadsheet.

use std::fs::{OpenOptions, Permissions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Context;
use gristmill_dataset::cell_texts;
use gristmill_index::{Comment, History, IndexDocument, ProductAttribute, format_time};
use gristmill_indexer::AttributeCounts;

use super::Source;
use super::file_form::ExportForm;

/// Writes every document that is wanted. A file appears under its name only when it is whole, and keeps the permissions of the one that
/// was there. A pipe or a device is written into.
pub fn write(source: &Source, form: ExportForm, history: bool, out: Option<&Path>) -> anyhow::Result<u64> {
    let Some(path) = out else { return write_to(source, form, history, std::io::stdout().lock()) };
    let cannot = || format!("could not write `{}`", path.display());
    let there = std::fs::metadata(path).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        let file = OpenOptions::new().write(true).open(path).with_context(cannot)?;
        return write_to(source, form, history, &file).with_context(cannot);
    }
    // Behind a symbolic link the file that it leads to is replaced.
    let target = if there.is_some() { path.canonicalize().with_context(cannot)? } else { path.to_path_buf() };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // What the umask leaves of it.
    let readable = Permissions::from_mode(0o666);
    let file = tempfile::Builder::new()
        .permissions(readable)
        .tempfile_in(folder)
        .with_context(|| format!("could not write into `{}`", folder.display()))?;
    let n = write_to(source, form, history, &file).with_context(cannot)?;
    if let Some(there) = there {
        file.as_file().set_permissions(there.permissions()).with_context(cannot)?;
    }
    file.persist(&target).with_context(cannot)?;
    Ok(n)
}

fn write_to(source: &Source, form: ExportForm, history: bool, out: impl Write) -> anyhow::Result<u64> {
    let out = BufWriter::new(out);
    let query = source.narrow_query();
    let wanted = source.documents(&query)?;
    match form {
        ExportForm::Lines if history => lines(wanted, out),
        ExportForm::Lines => lines(wanted.map(without_history), out),
        ExportForm::Table => table(wanted, source.filter.is_of_products(), out),
        ExportForm::Wide => {
            // Once to count names, once to write.
            let mut counts = AttributeCounts::default();
            wanted.for_each(|document| counts.add(&document));
            wide(source.documents(&query)?, counts, out)
        }
    }
}

/// What most readers of an export want: the page as it is now.
fn without_history(document: IndexDocument) -> IndexDocument {
    IndexDocument { history: History::default(), ..document }
}

fn lines(documents: impl Iterator<Item = IndexDocument>, mut out: impl Write) -> anyhow::Result<u64> {
    let mut n = 0;
    for document in documents {
        out.write_all(&document.to_json())?;
        out.write_all(b"\n")?;
        n += 1;
    }
    out.flush()?;
    Ok(n)
}

fn table(documents: impl Iterator<Item = IndexDocument>, products: bool, out: impl Write) -> anyhow::Result<u64> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(if products { PRODUCT_COLUMNS } else { DOCUMENT_COLUMNS })?;
    let mut n = 0;
    for document in documents {
        if products {
            product(&mut table, &document)?
        } else {
            table.write_record(cell_texts(&cells(&document)))?
        }
        n += 1;
    }
    table.flush()?;
    Ok(n)
}

fn wide(
    documents: impl Iterator<Item = IndexDocument>,
    counts: AttributeCounts,
    out: impl Write,
) -> anyhow::Result<u64> {
    let columns = counts.columns();
    let mut table = csv::Writer::from_writer(out);
    columns.write_head(&mut table)?;
    let mut n = 0;
    for document in documents {
        columns.write(&mut table, &document)?;
        n += 1;
    }
    table.flush()?;
    Ok(n)
}

const DOCUMENT_COLUMNS: &[&str] = &[
    "url",
    "kind",
    "kind_probability",
    "title",
    "anchor_title",
    "domain",
    "language",
    "language_score",
    "script",
    "languages",
    "author",
    "published",
    "fetched_at",
    "description",
    "simhash",
    "text",
    "comments",
    "rendered",
];

fn cells(document: &IndexDocument) -> [String; 18] {
    let as_worded = || if document.published_of_site { String::new() } else { document.published_text.clone() };
    let published = document.published.and_then(format_time).unwrap_or_else(as_worded);
    [
        document.url.clone(),
        document.kind.to_string(),
        probability(document.kind_probability),
        document.title.clone(),
        document.anchor_title.clone(),
        document.site.clone(),
        document.language.clone(),
        probability(document.language_score),
        document.script.clone(),
        document
            .languages
            .iter()
            .map(|part| format!("{} {:.2}", part.language, part.share))
            .collect::<Vec<_>>()
            .join(" "),
        document.author.clone(),
        published,
        format_time(document.fetched_at).unwrap_or_default(),
        document.description.clone(),
        format!("{:016x}", document.simhash),
        document.text.clone(),
        document.comments.iter().map(comment).collect::<Vec<_>>().join("\n\n"),
        document.rendered.as_ref().map(|drawing| drawing.mode.clone()).unwrap_or_default(),
    ]
}

fn probability(of: Option<f32>) -> String {
    of.map(|p| format!("{p:.3}")).unwrap_or_default()
}

/// A comment in a cell: who wrote it and when, as far as that is known, above what it says.
fn comment(comment: &Comment) -> String {
    let lines = [&comment.author, &comment.published, &comment.text].into_iter().filter(|line| !line.is_empty());
    lines.map(String::as_str).collect::<Vec<_>>().join("\n")
}

const PRODUCT_COLUMNS: &[&str] = &[
    "url",
    "title",
    "domain",
    "language",
    "fetched_at",
    "record",
    "name",
    "value",
    "canonical",
    "number",
    "unit",
    "source",
    "confidence",
];

/// One row for each attribute: products have different ones, and a long table is what analysis tools take.
fn product<W: Write>(table: &mut csv::Writer<W>, document: &IndexDocument) -> anyhow::Result<()> {
    let none = [ProductAttribute::default()];
    let attributes = if document.attributes.is_empty() { &none[..] } else { &document.attributes };
    for attribute in attributes {
        table.write_record(cell_texts(&[
            document.url.clone(),
            document.title.clone(),
            document.site.clone(),
            document.language.clone(),
            format_time(document.fetched_at).unwrap_or_default(),
            attribute.record.to_string(),
            attribute.name.clone(),
            attribute.value.clone(),
            attribute.canonical.clone(),
            attribute.number.map(|number| number.to_string()).unwrap_or_default(),
            attribute.unit.clone(),
            attribute.source.clone(),
            format!("{:.3}", attribute.confidence),
        ]))?;
    }
    Ok(())
}
