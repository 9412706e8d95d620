//! `gristmill export`: the corpus as JSON lines, or as a table for a spreadsheet.

use std::cell::Cell;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_index::{
    Attribute, Comment, DocumentKind, Filter, IndexDocument, IndexError, Period, Query, Reader, format_time,
    parse_period,
};

use crate::cli::{ExportArgs, ExportFormat};
use crate::settings::Settings;

/// Writes every document that is wanted. A file appears under its name only when it is whole.
pub fn run(args: &ExportArgs, settings: &Settings) -> anyhow::Result<()> {
    let query = query(args)?;
    let reader = Reader::open(&settings.index_dir())?;
    let unreadable = Cell::new(0);
    let n = match &args.out {
        None => write(&reader, &unreadable, &query, args.format, std::io::stdout().lock())?,
        Some(path) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let file = tempfile::NamedTempFile::new_in(folder)
                .with_context(|| format!("could not write into `{}`", folder.display()))?;
            let n = write(&reader, &unreadable, &query, args.format, &file)?;
            file.persist(path).with_context(|| format!("could not write `{}`", path.display()))?;
            n
        }
    };
    eprintln!("{n} documents");
    let (unreadable, data) = (unreadable.get(), settings.data.display());
    anyhow::ensure!(
        unreadable == 0,
        "{unreadable} more documents cannot be read, since files of the index are damaged: `gristmill check --data {data}` \
         names them, `gristmill reindex --data {data}` builds the index anew"
    );
    Ok(())
}

/// What is wanted; all of it, so without limits of time and number.
fn query(args: &ExportArgs) -> anyhow::Result<Query> {
    let period = |name: &str, text: &Option<String>| -> anyhow::Result<Option<Period>> {
        let Some(text) = text else { return Ok(None) };
        let period = parse_period(text);
        period.map(Some).with_context(|| format!("`--{name} {text}` is no date: write 2024, 2024-05 or 2024-05-31"))
    };
    let (from, to) = (period("from", &args.from)?, period("to", &args.to)?);
    let (from, to) = (from.map(|period| period.start), to.map(|period| period.end));
    anyhow::ensure!(from.zip(to).is_none_or(|(from, to)| from < to), "`--from` must not be after `--to`");
    let filter = Filter {
        site: args.site.clone(),
        kind: args.kind.map(DocumentKind::from),
        language: args.lang.clone(),
        from,
        to,
    };
    Ok(Query { text: args.query.clone().unwrap_or_default(), filter, time_limit: None, ..Query::default() })
}

fn write(
    reader: &Reader,
    unreadable: &Cell<u64>,
    query: &Query,
    format: ExportFormat,
    out: impl Write,
) -> anyhow::Result<u64> {
    let out = BufWriter::new(out);
    let (wanted, warnings) = reader.matching(query)?;
    for warning in warnings {
        eprintln!("gristmill: {warning}");
    }
    let wanted = wanted.filter(|document| goes_on(document, unreadable));
    match format {
        ExportFormat::Jsonl => lines(wanted, out),
        ExportFormat::Csv => table(wanted, query.filter.kind == Some(DocumentKind::Product), out),
    }
}

/// A document that cannot be read is counted and left out: the others are worth having.
fn goes_on(document: &Result<IndexDocument, IndexError>, unreadable: &Cell<u64>) -> bool {
    if let Err(error) = document {
        tracing::debug!(%error, "a document cannot be read");
        unreadable.set(unreadable.get() + 1);
    }
    document.is_ok()
}

fn lines(
    documents: impl Iterator<Item = Result<IndexDocument, IndexError>>,
    mut out: impl Write,
) -> anyhow::Result<u64> {
    let mut n = 0;
    for document in documents {
        out.write_all(&document?.to_json())?;
        out.write_all(b"\n")?;
        n += 1;
    }
    out.flush()?;
    Ok(n)
}

fn table(
    documents: impl Iterator<Item = Result<IndexDocument, IndexError>>,
    products: bool,
    out: impl Write,
) -> anyhow::Result<u64> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(if products { PRODUCT_COLUMNS } else { DOCUMENT_COLUMNS })?;
    let mut n = 0;
    for document in documents {
        let document = document?;
        if products {
            product(&mut table, &document)?
        } else {
            table.write_record(safe(&cells(&document)))?
        }
        n += 1;
    }
    table.flush()?;
    Ok(n)
}

const DOCUMENT_COLUMNS: &[&str] = &[
    "url",
    "kind",
    "title",
    "anchor_title",
    "site",
    "language",
    "author",
    "published",
    "fetched",
    "description",
    "simhash",
    "text",
    "comments",
];

fn cells(document: &IndexDocument) -> [String; 13] {
    let published = document.published.and_then(format_time).unwrap_or_else(|| document.published_text.clone());
    [
        document.url.clone(),
        document.kind.to_string(),
        document.title.clone(),
        document.anchor_title.clone(),
        document.site.clone(),
        document.language.clone(),
        document.author.clone(),
        published,
        format_time(document.fetched_at).unwrap_or_default(),
        document.description.clone(),
        format!("{:016x}", document.simhash),
        document.text.clone(),
        document.comments.iter().map(comment).collect::<Vec<_>>().join("\n\n"),
    ]
}

/// A comment in a cell: who wrote it and when, as far as that is known, above what it says.
fn comment(comment: &Comment) -> String {
    let lines = [&comment.author, &comment.published, &comment.text].into_iter().filter(|line| !line.is_empty());
    lines.map(String::as_str).collect::<Vec<_>>().join("\n")
}

const PRODUCT_COLUMNS: &[&str] = &[
    "url",
    "title",
    "site",
    "language",
    "fetched",
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
    let none = [Attribute::default()];
    let attributes = if document.attributes.is_empty() { &none[..] } else { &document.attributes };
    for attribute in attributes {
        table.write_record(safe(&[
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

/// Cells that a spreadsheet would take for a formula get a quote before them.
fn safe(cells: &[String]) -> Vec<String> {
    let is_formula = |cell: &str| {
        let dangerous = cell
            .trim_start_matches([' ', '\u{feff}'])
            .starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
        dangerous && cell.parse::<f64>().is_err()
    };
    cells.iter().map(|cell| if is_formula(cell) { format!("'{cell}") } else { cell.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_run_as_formulas_are_quoted_and_numbers_are_not() {
        let cells =
            ["=cmd|' /C calc'!A0", "@SUM(1)", "+1 800", " -x", "-1.5", "plain = fine", "＝1+1"].map(str::to_owned);
        assert_eq!(
            safe(&cells),
            ["'=cmd|' /C calc'!A0", "'@SUM(1)", "'+1 800", "' -x", "-1.5", "plain = fine", "'＝1+1"]
        );
    }
}
