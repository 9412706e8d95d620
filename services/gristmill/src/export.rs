//! `gristmill export`: the corpus as JSON lines, or as a table for a spreadsheet.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_index::{Attribute, Document, IndexError, Kind, Reader, format_day};

use crate::cli::{ExportArgs, ExportFormat};
use crate::settings::Settings;

/// Writes every document of the wanted kind. A file appears under its name only when it is whole.
pub fn run(args: &ExportArgs, settings: &Settings) -> anyhow::Result<()> {
    let reader = Reader::open(&settings.index_dir())?;
    let kind = args.kind.map(Kind::from);
    let n = match &args.out {
        None => write(&reader, kind, args.format, std::io::stdout().lock())?,
        Some(path) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let file = tempfile::NamedTempFile::new_in(folder)
                .with_context(|| format!("could not write into `{}`", folder.display()))?;
            let n = write(&reader, kind, args.format, &file)?;
            file.persist(path).with_context(|| format!("could not write `{}`", path.display()))?;
            n
        }
    };
    eprintln!("{n} documents");
    Ok(())
}

fn write(reader: &Reader, kind: Option<Kind>, format: ExportFormat, out: impl Write) -> anyhow::Result<u64> {
    let out = BufWriter::new(out);
    let wanted = reader
        .documents()
        .filter(|document| !matches!((document, kind), (Ok(document), Some(kind)) if document.kind != kind));
    match format {
        ExportFormat::Jsonl => lines(wanted, out),
        ExportFormat::Csv => table(wanted, kind == Some(Kind::Product), out),
    }
}

fn lines(documents: impl Iterator<Item = Result<Document, IndexError>>, mut out: impl Write) -> anyhow::Result<u64> {
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
    documents: impl Iterator<Item = Result<Document, IndexError>>,
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

const DOCUMENT_COLUMNS: &[&str] =
    &["url", "kind", "title", "site", "language", "author", "published", "fetched", "description", "text"];

fn cells(document: &Document) -> [String; 10] {
    let published = document.published.map(format_day).unwrap_or_else(|| document.published_text.clone());
    [
        document.url.clone(),
        document.kind.to_string(),
        document.title.clone(),
        document.site.clone(),
        document.language.clone(),
        document.author.clone(),
        published,
        format_day(document.fetched_at),
        document.description.clone(),
        document.text.clone(),
    ]
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
fn product<W: Write>(table: &mut csv::Writer<W>, document: &Document) -> anyhow::Result<()> {
    let none = [Attribute::default()];
    let attributes = if document.attributes.is_empty() { &none[..] } else { &document.attributes };
    for attribute in attributes {
        table.write_record(safe(&[
            document.url.clone(),
            document.title.clone(),
            document.site.clone(),
            document.language.clone(),
            format_day(document.fetched_at),
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
