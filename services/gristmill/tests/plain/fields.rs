//! The table of `docs/fields.md` against what the program writes.

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{finish, gristmill, text};
use gristmill_dataset::{Columns, DatasetLayout};
use gristmill_index::{IndexConfig, IndexDocument, IndexWriter, Positions};

/// The fields that the table has in this column with one of these words.
fn documented(column: usize, words: &[&str]) -> BTreeSet<String> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fields.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    cells.filter(|cells| words.contains(&cells[column])).map(|cells| cells[1].trim_matches('`').to_owned()).collect()
}

fn stdout(command: std::process::Command) -> String {
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn keys(json: &serde_json::Value) -> BTreeSet<String> {
    json.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn the_fields_of_a_page_are_those_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, "<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain.</p>").unwrap();
    let mut command = gristmill();
    command.args(["extract", "--trace", "--format", "json"]).arg(&page);
    let found = keys(&serde_json::from_str(&stdout(command)).unwrap());
    let (always, known) = (documented(4, &["yes"]), documented(4, &["yes", "asked"]));
    assert!(always.is_subset(&found), "not written: {:?}", always.difference(&found));
    assert!(found.is_subset(&known), "not in the table: {:?}", found.difference(&known));
}

#[test]
fn the_fields_of_a_document_are_those_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&dir.path().join("index"), &IndexConfig::default()).unwrap();
    writer.upsert(&IndexDocument { key: "a".into(), text: "One.".into(), ..IndexDocument::default() }).unwrap();
    writer.commit(&Positions::new()).unwrap();
    drop(writer);
    let export = |format: &str| {
        let mut command = gristmill();
        command.arg("--data").arg(dir.path()).args(["export", "--format", format]);
        stdout(command)
    };
    assert_eq!(keys(&serde_json::from_str(&export("jsonl")).unwrap()), documented(5, &["yes"]));
    let table = export("csv");
    let head: BTreeSet<String> = table.lines().next().unwrap().split(',').map(str::to_owned).collect();
    assert_eq!(head, documented(6, &["yes"]));
}

#[test]
fn the_columns_of_a_dataset_are_those_of_the_table() {
    let columns = Columns::from(DatasetLayout::Gristmill);
    let names: BTreeSet<String> = columns.names().into_iter().map(str::to_owned).collect();
    assert_eq!(names, documented(7, &["yes"]));
}
