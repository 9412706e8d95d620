//! `gristmill export`: everything that is wanted comes out, and nothing in it runs in a spreadsheet.

mod common;

use std::path::Path;

use common::{finish, gristmill, text};
use gristmill_index::{Attribute, Document, IndexConfig, IndexWriter, Kind, Positions};

fn index(data: &Path) {
    let mut writer = IndexWriter::open(&data.join("index"), &IndexConfig::default()).unwrap();
    let product = Document {
        key: "p".into(),
        url: "https://shop.example/mill".into(),
        title: "=HYPERLINK(\"http://evil.example\")".into(),
        kind: Kind::Product,
        attributes: vec![
            Attribute {
                canonical: "brand".into(), source: "table".into(), ..Attribute::new("品牌", "石磨, \"Mill\"")
            },
            Attribute { number: Some(1.2), unit: "kg".into(), record: 1, ..Attribute::new("Weight", "1.2 kg") },
        ],
        ..Document::default()
    };
    let article = Document { key: "a".into(), title: "News".into(), text: "One.\nTwo.".into(), ..Document::default() };
    writer.upsert(&product).unwrap();
    writer.upsert(&article).unwrap();
    writer.commit(&Positions::new()).unwrap();
}

fn export(data: &Path, arguments: &[&str]) -> String {
    let mut command = gristmill();
    command.arg("--data").arg(data).arg("export").args(arguments);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn json_lines_hold_every_document_and_open_again() {
    let dir = tempfile::tempdir().unwrap();
    index(dir.path());
    let lines = export(dir.path(), &[]);
    let mut documents: Vec<Document> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    documents.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!((documents.len(), documents[0].text.as_str()), (2, "One.\nTwo."));
    assert_eq!(documents[1].attributes[1].number, Some(1.2));
    assert_eq!(export(dir.path(), &["--kind", "listing"]), "");
}

#[test]
fn products_as_csv_have_a_row_for_each_attribute_and_no_formula() {
    let dir = tempfile::tempdir().unwrap();
    index(dir.path());
    let out = dir.path().join("products.csv");
    assert_eq!(export(dir.path(), &["--kind", "product", "--format", "csv", "--out", out.to_str().unwrap()]), "");
    let mut table = csv::Reader::from_path(&out).unwrap();
    let headers: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = table.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let cell = |row: usize, name: &str| rows[row][headers.iter().position(|header| header == name).unwrap()].as_str();
    assert_eq!(rows.len(), 2);
    assert_eq!((cell(0, "name"), cell(0, "value"), cell(0, "canonical")), ("品牌", "石磨, \"Mill\"", "brand"));
    assert_eq!((cell(1, "record"), cell(1, "number"), cell(1, "unit")), ("1", "1.2", "kg"));
    assert!(rows.iter().all(|row| row[1].starts_with("'=HYPERLINK")), "{rows:?}");
}
