//! What stands in web archives, and what other tools say of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use gristmill_warc::{ReadLimits, ReaderItem, RecordKind, WarcReader};

use super::{finish, gristmill, text};

/// A record of an archive, as far as tests look at it.
#[derive(Debug)]
pub struct Found {
    pub file: String,
    pub offset: u64,
    pub kind: RecordKind,
    pub url: String,
    pub fields: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Found {
    pub fn status(&self) -> u16 {
        String::from_utf8_lossy(&self.body[9..12]).parse().unwrap()
    }

    pub fn is_answer(&self) -> bool {
        matches!(self.kind, RecordKind::Response | RecordKind::Revisit)
    }
}

/// The files in a folder whose names end so, by name.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_str().unwrap().ends_with(ending)).collect();
    files.sort();
    files
}

/// All records of the finished archives, none of which is damaged.
pub fn records(folder: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    for path in files(folder, ".warc.gz") {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut reader = WarcReader::new(std::fs::File::open(&path).unwrap(), ReadLimits::default());
        while let Some(entry) = reader.next().unwrap() {
            let ReaderItem::Record(record) = entry else { panic!("{}: {entry:?}", path.display()) };
            found.push(Found {
                file: file.clone(),
                offset: record.offset(),
                kind: record.kind(),
                url: record.target_uri().unwrap_or_default().into_owned(),
                fields: record.fields().map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
                body: record.body().to_vec(),
            });
        }
    }
    found
}

/// How often each URL was answered.
pub fn answers(records: &[Found]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for record in records.iter().filter(|record| record.is_answer()) {
        *counts.entry(record.url.clone()).or_insert(0) += 1;
    }
    counts
}

/// Text by URL, as `gristmill extract` reads it out of the archives.
pub fn extracted(folder: &Path) -> BTreeMap<String, String> {
    let out = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.arg("dataset").arg(folder).arg("--out").arg(out.path()).args(["--format", "jsonl"]);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let mut texts = BTreeMap::new();
    for path in files(&out.path().join("data"), ".jsonl") {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let (url, text) = (row["url"].as_str().unwrap(), row["text"].as_str().unwrap());
            assert!(texts.insert(url.to_owned(), text.to_owned()).is_none(), "{url} stands twice");
        }
    }
    texts
}

/// The archives are finished, hold each record once, have their indexes, and other tools accept them.
pub fn check(folder: &Path, records: &[Found]) {
    assert!(files(folder, ".open").is_empty(), "unfinished files are left");
    let ids: std::collections::BTreeSet<&String> =
        records.iter().map(|record| &record.fields["WARC-Record-ID"]).collect();
    assert_eq!(ids.len(), records.len(), "a record stands twice");
    check_indexes(folder, records);
    check_with(folder, "warcio", python());
    check_with(folder, "jwarc", jwarc());
}

fn check_indexes(folder: &Path, records: &[Found]) {
    let mut told = Vec::new();
    for path in files(folder, ".cdxj") {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.is_sorted(), "{}", path.display());
        for line in lines {
            let fields: serde_json::Value = serde_json::from_str(line.splitn(3, ' ').nth(2).unwrap()).unwrap();
            let text = |name: &str| fields[name].as_str().unwrap().to_owned();
            told.push((text("filename"), text("offset").parse::<u64>().unwrap(), text("url")));
        }
    }
    told.sort();
    let answers = records.iter().filter(|record| record.is_answer());
    let mut held: Vec<_> = answers.map(|record| (record.file.clone(), record.offset, record.url.clone())).collect();
    held.sort();
    assert_eq!(told, held, "the indexes and the archives differ");
}

/// `warcio check`, if it is there.
fn python() -> Option<Command> {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", "import warcio"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: `{python}` has no warcio (set GRISTMILL_PYTHON)");
        return None;
    }
    let mut command = Command::new(python);
    // Its decoder for `br` fails with newer releases of the package `brotli`; without one it looks at the bytes as they are.
    command.args(["-c", "import sys; sys.modules['brotli'] = None; from warcio.cli import main; main()", "check"]);
    Some(command)
}

/// `jwarc validate`, if it is there.
fn jwarc() -> Option<Command> {
    let Ok(jar) = std::env::var("GRISTMILL_JWARC") else {
        eprintln!("SKIPPED: no jwarc (set GRISTMILL_JWARC to what `scripts/jwarc` prints)");
        return None;
    };
    let mut command = Command::new("java");
    command.args(["-XX:TieredStopAtLevel=1", "-jar", &jar, "validate"]);
    Some(command)
}

fn check_with(folder: &Path, tool: &str, command: Option<Command>) {
    let Some(mut command) = command else { return };
    let output = command.args(files(folder, ".warc.gz")).output().unwrap();
    assert!(output.status.success(), "{tool}: {}", text(&output));
}
