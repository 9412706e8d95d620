//! What pyarrow, pandas, polars, DuckDB and `datasets` read in the files.
#![cfg(feature = "parquet")]

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{expected, file};
use gristmill_dataset::{
    ColumnType, Columns, DatasetLayout, DatasetRow, FileFormat, RecordsJson, Shape, WARC_FIELDS, WriterOptions,
};
use serde_json::{Value, json};

/// Some as an archive has them, some as an index does.
fn products(i: usize, name: &str) -> Value {
    let price = json!({"amount": "19.90", "currency": "EUR"});
    let attribute = json!({"name": name, "value": "4 cm", "numbers": [4.0], "unit": "cm", "range": false});
    let variants = json!([{"name": "Red", "price": {"amount": i}, "attributes": [["colour", "red"]]}]);
    let (variants, images) =
        if i.is_multiple_of(2) { (variants, json!(["a.png", name])) } else { (json!([]), json!(null)) };
    json!([{"title": name, "price": price, "images": images, "variants": variants, "attributes": [attribute]}, {}])
}

/// The type of a shape in DuckDB.
fn type_of(shape: &Shape) -> String {
    match shape {
        Shape::Text => "VARCHAR".to_owned(),
        Shape::Float => "DOUBLE".to_owned(),
        Shape::Integer => "BIGINT".to_owned(),
        Shape::Boolean => "BOOLEAN".to_owned(),
        Shape::List(item) => format!("{}[]", type_of(item)),
        Shape::Struct(fields) => {
            let fields = fields.iter().map(|(name, shape)| format!("\"{name}\" {}", type_of(shape)));
            format!("STRUCT({})", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Rows that are hard to read, and enough plain ones for several batches and row groups.
fn rows() -> Vec<DatasetRow> {
    let hard = [
        "a\0b",
        "",
        "\n",
        "\r\n\r\n",
        "a\rb",
        "\"",
        "\",\"",
        ",",
        "\u{feff}x",
        "👩‍👩‍👧 é \u{2028}",
        "null",
        "NaN",
        "007",
        " x ",
    ];
    let row = |i: usize| {
        let text =
            hard.get(i).map_or_else(|| format!("Text {i}.\nSecond line, \"quoted\"."), |text| (*text).to_owned());
        let known = !i.is_multiple_of(3);
        DatasetRow {
            url: format!("https://example.org/{i}?q=é"),
            id: format!("<urn:uuid:00000000-0000-4000-8000-{i:012}>"),
            dump: "CC-MAIN-2026-04".into(),
            fetched_at: "2026-01-31T23:59:59Z".into(),
            file_path: "s3://bucket/a.warc.gz".into(),
            language: "en".into(),
            language_score: known.then_some((i % 100) as f64 / 100.0),
            token_count: i as i64,
            title: known.then(|| text.clone()),
            kind_probability: known.then_some(0.1),
            simhash: known.then_some(u64::MAX - i as u64),
            records: known.then(|| RecordsJson::of(&products(i, &text))).flatten(),
            price_amount: known.then_some(19.9),
            published: known.then(|| "2026-01-02T03:04:05.678901+02:00".into()),
            languages: if known { vec![("en".into(), 0.75), ("ku".into(), 0.25)] } else { Vec::new() },
            robots: if known { vec!["noai".into(), "noimageai".into()] } else { Vec::new() },
            warcinfo: "software: x\r\nformat: WARC File Format 1.1\r\n".into(),
            warc: vec![("WARC-Type".into(), "response".into()), ("WARC-Date".into(), "2026-01-31T23:59:59Z".into())],
            text,
            ..DatasetRow::default()
        }
    };
    (0..1500).map(row).collect()
}

/// The types of the columns for DuckDB, which else guesses that texts are dates and numbers.
fn types(columns: &Columns) -> String {
    let warc = WARC_FIELDS.map(|name| format!("\"{name}\" VARCHAR")).join(", ");
    let of = |column_type| match column_type {
        ColumnType::Text | ColumnType::Hash | ColumnType::Time => "VARCHAR".to_owned(),
        ColumnType::Nested(shape) => type_of(shape),
        ColumnType::Float => "DOUBLE".to_owned(),
        ColumnType::Integer => "BIGINT".to_owned(),
        ColumnType::Metadata => format!("STRUCT({warc})"),
    };
    let pair = |column: &gristmill_dataset::Column| format!("\"{}\": '{}'", column.name(), of(column.column_type()));
    format!("{{{}}}", columns.iter().map(pair).collect::<Vec<_>>().join(", "))
}

fn write_all(folder: &Path) {
    let rows = rows();
    for layout in DatasetLayout::ALL {
        let columns = Columns::from(layout);
        for format in FileFormat::ALL {
            let options = WriterOptions { group_rows: 420, ..WriterOptions::default() };
            fs::write(folder.join(format!("{layout}.{format}")), file(&rows, format, &columns, options)).unwrap();
        }
        for (name, format) in [("csv", FileFormat::Csv), ("typed", FileFormat::JsonLines)] {
            // The order of the columns counts, so the objects are put together by hand.
            let objects = rows.iter().map(|row| {
                let row = expected(row, format, &columns);
                let pair = |name: &str| format!("\"{name}\":{}", row[name]);
                format!("{{{}}}", columns.iter().map(|column| pair(column.name())).collect::<Vec<_>>().join(","))
            });
            let array = format!("[{}]", objects.collect::<Vec<_>>().join(",\n"));
            fs::write(folder.join(format!("expected-{layout}-{name}.json")), array).unwrap();
        }
        fs::write(folder.join(format!("types-{layout}.json")), types(&columns)).unwrap();
    }
}

#[test]
fn the_readers_that_people_use_find_the_rows_that_were_written() {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    if !Command::new(&python).arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: no `{python}` (set GRISTMILL_PYTHON)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    eprintln!("{said}");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
