//! `gristmill dataset ARCHIVE… --out DIR` over archives of the pages of the gate.

use crate::common;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use gristmill_reading::{CharsetHints, PageReader};
use gristmill_warc::write::{NewRecord, WarcWriter, urn_uuid};
use serde_json::{Value, json};
use tempfile::TempDir;

const DATE: &str = "2026-01-02T03:04:05Z";

/// Address and bytes of the articles of the gate.
fn pages() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gate/articles-unseen");
    let package = gristmill_eval::Package::read(&folder).unwrap();
    let address = |n: usize| format!("https://site{n}.example/a page [{n}]");
    package.documents.iter().enumerate().map(|(n, page)| (address(n), page.read_html().unwrap())).collect()
}

/// An archive of these pages, and where each record of one begins.
fn archive(pages: &[(String, Vec<u8>)]) -> (Vec<u8>, Vec<u64>) {
    let mut writer = WarcWriter::new(Vec::new());
    let id = |n: usize| urn_uuid((n as u128).to_be_bytes());
    writer.write(&NewRecord::warcinfo(&id(0), DATE, "a.warc.gz"), &[b"software: a test\r\n"]).unwrap();
    let mut offsets = Vec::new();
    for (n, (url, body)) in pages.iter().enumerate() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let written = writer.write(&NewRecord::response(&id(n + 1), DATE, url), &[head, body]).unwrap();
        offsets.push(written.offset);
    }
    let head = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\ngone";
    writer.write(&NewRecord::response(&id(999), DATE, "https://site.example/gone"), &[head]).unwrap();
    (writer.into_inner(), offsets)
}

fn gristmill(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.arg("dataset").args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> (Output, String) {
    let output = gristmill(arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, told)
}

fn counts(out: &Path) -> BTreeMap<String, u64> {
    let manifest: Value = serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    serde_json::from_value(manifest["counts"].clone()).unwrap()
}

/// The lines of the host table.
fn hosts(out: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(out.join("hosts.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The files of a dataset, by name.
fn shards(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(out.join("data")).unwrap().map(|entry| entry.unwrap());
    files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())).collect()
}

fn rows(out: &Path) -> Vec<Value> {
    let text = shards(out).into_values().flatten().collect::<Vec<u8>>();
    String::from_utf8(text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn written(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn the_rows_are_what_is_read_from_the_pages_themselves_in_their_order() {
    let folder = TempDir::new().unwrap();
    let pages = pages();
    let path = written(&folder, "a.warc.gz", &archive(&pages).0);
    let out = folder.path().join("out");
    let (output, told) = run(&[path.to_str().unwrap(), "--out", out.to_str().unwrap(), "--format", "jsonl"]);
    assert!(output.status.success(), "{told}");
    let reader = PageReader::default();
    let text_of = |(url, body): &(String, Vec<u8>)| {
        let parsed = reader.parse(body, &CharsetHints { content_type: Some("text/html"), url: Some(url) });
        (url.clone(), parsed.read(reader.options()).document.text)
    };
    let wanted: Vec<_> = pages.iter().map(text_of).filter(|(_, text)| !text.is_empty()).collect();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let found: Vec<_> = rows(&out).iter().map(|row| (text(&row["url"]), text(&row["text"]))).collect();
    assert_eq!(found, wanted);
    let counts = counts(&out);
    assert_eq!((counts["status"], counts["warcinfo"]), (1, 1));
    assert_eq!(counts["pages"] + counts.get("no text").unwrap_or(&0), pages.len() as u64);
}

#[test]
fn the_host_table_says_what_became_of_the_answers_of_each_host() {
    let folder = TempDir::new().unwrap();
    let page = |words: &str| format!("<title>Rye</title><h1>Rye</h1><p>{words}</p>").into_bytes();
    let rye = "Rye is a grass, and mills grind its grain day and night, in every season of the year.";
    let noai = [b"<meta name=robots content=noai>".to_vec(), page(rye)].concat();
    let parked = b"<title>b.example is for sale</title><h1>This domain is for sale</h1><p>Buy this domain.".to_vec();
    let pages = [
        ("https://www.b.example/rye", page(rye)),
        ("https://a.example/rye", noai),
        ("https://a.example/empty", b"<p></p>".to_vec()),
        ("https://www.b.example/", parked),
        ("no address", page(rye)),
    ];
    let path = written(&folder, "a.warc.gz", &archive(&pages.map(|(url, body)| (url.to_owned(), body))).0);
    let out = folder.path().join("out");
    let (output, told) = run(&[path.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{told}");
    let mut rows = hosts(&out);
    let names: Vec<_> = rows.iter().map(|row| row["host"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "a.example", "site.example", "www.b.example"]);
    assert!(rows[1]["bytes"].take().as_u64().unwrap() > 100);
    assert_eq!(
        rows[1],
        json!({"host": "a.example", "domain": "a.example", "answers": 2, "bytes": null, "rows": 1,
            "statuses": {"200": 2}, "outcomes": {"no text": 1, "pages": 1}, "walls": {}, "languages": {"en": 1},
            "kinds": {"other": 1}, "usage_directives": {"noai": 1}})
    );
    assert_eq!(rows[2]["statuses"], json!({"404": 1}));
    assert_eq!((&rows[3]["domain"], &rows[3]["walls"]), (&json!("b.example"), &json!({"parked": 1})));
}

#[test]
fn variants_are_columns_beside_the_same_text() {
    let folder = TempDir::new().unwrap();
    let mut pages = pages()[..12].to_vec();
    let mail = "<h1>Rye</h1><p>Write to ann@mill.example about rye, which is a grass, and mills grind its grain.</p>";
    pages.push(("https://mill.example/".to_owned(), mail.as_bytes().to_vec()));
    let path = written(&folder, "a.warc.gz", &archive(&pages).0);
    let of = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let arguments = [path.to_str().unwrap(), "--out", out.to_str().unwrap(), "--format", "jsonl", "--mask", "pii"];
        let (output, told) = run(&[&arguments, more].concat());
        assert!(output.status.success(), "{told}");
        rows(&out)
    };
    let (plain, both) = (of("plain", &[]), of("both", &["--variants", "precision,recall"]));
    let recall_alone = of("recall", &["--variants", "recall"]);
    assert_eq!(both.len(), plain.len());
    let words = |row: &Value, column: &str| row[column].as_str().unwrap().split_whitespace().count();
    let (mut less, mut more) = (0, 0);
    for ((row, plain), alone) in both.iter().zip(&plain).zip(&recall_alone) {
        assert_eq!(row["text"], plain["text"]);
        assert!(plain.get("text_recall").is_none() && alone.get("text_precision").is_none());
        assert_eq!(
            (&row["text_recall"], &row["variant_agreement"]),
            (&alone["text_recall"], &alone["variant_agreement"])
        );
        let agreement = row["variant_agreement"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&agreement), "{agreement}");
        less += words(row, "text") - words(row, "text").min(words(row, "text_precision"));
        more += words(row, "text_recall") - words(row, "text").min(words(row, "text_recall"));
        assert!(agreement == 1.0 || row["text_precision"] != row["text_recall"], "{row}");
    }
    assert!(less + more > 0, "no page has a variant of its own");
    let masked = both.last().unwrap();
    assert!(["text", "text_precision", "text_recall"].iter().all(|name| masked[*name].to_string().contains("[email]")));
}

#[test]
fn damage_costs_its_record_and_is_told_with_offset_and_reason() {
    let folder = TempDir::new().unwrap();
    let pages = &pages()[..20];
    let (mut bytes, offsets) = archive(pages);
    let middle = ((offsets[7] + offsets[8]) / 2) as usize;
    bytes[middle..middle + 40].fill(0x55);
    let path = written(&folder, "a.warc.gz", &bytes[..offsets[19] as usize + 50]);
    let out = folder.path().join("out");
    let (output, told) = run(&[path.to_str().unwrap(), "--out", out.to_str().unwrap(), "--format", "jsonl"]);
    assert!(output.status.success(), "{told}");
    let told_at = told.split("offset ").nth(1).and_then(|rest| rest.split(':').next()).unwrap().parse().unwrap();
    assert!((offsets[7]..offsets[8]).contains(&told_at), "{told}");
    let found: Vec<_> = rows(&out).iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect();
    for (n, (url, _)) in pages.iter().enumerate().filter(|(n, _)| ![7, 19].contains(n)) {
        assert!(found.contains(url), "page {n} is lost: {told}");
    }
    assert!(counts(&out)["damaged"] >= 1);
}

#[test]
fn a_run_that_is_killed_again_and_again_gives_the_dataset_of_a_calm_one() {
    let folder = TempDir::new().unwrap();
    let path = written(&folder, "a.warc.gz", &archive(&[pages(), pages(), pages()].concat()).0);
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    let arguments = |out: &Path| {
        let out = out.to_str().unwrap().to_owned();
        [path.to_str().unwrap(), "--out", &out, "--format", "parquet", "--shard-rows", "5"].map(str::to_owned)
    };
    let command = |out: &Path| gristmill(&arguments(out).each_ref().map(String::as_str));
    assert!(command(&calm).status().unwrap().success());
    let most = if common::soak() { 50 } else { 3 };
    let same = |n_kills: u32| {
        assert_eq!(shards(&killed), shards(&calm), "after {n_kills} kills");
        assert_eq!(counts(&killed), counts(&calm), "after {n_kills} kills");
        assert_eq!(hosts(&killed), hosts(&calm), "after {n_kills} kills");
        assert!(!killed.join("hosts").exists());
        assert!(!killed.join("journal.jsonl").exists());
    };
    let mut n_kills = 0;
    for n in 0..400 {
        n_kills += u32::from(common::kill_after_some_lines(&killed.join("journal.jsonl"), n, command(&killed)));
        if killed.join("manifest.json").exists() {
            same(n_kills);
            std::fs::remove_dir_all(&killed).unwrap();
        }
        if n_kills == most {
            break;
        }
    }
    assert_eq!(n_kills, most, "too few runs were killed at work");
    assert!(command(&killed).status().unwrap().success());
    same(n_kills);
}

#[test]
fn folders_patterns_lists_zips_and_standard_input_are_archives_too() {
    let folder = TempDir::new().unwrap();
    let pages = pages();
    for (name, part) in [("x/a.warc.gz", &pages[..2]), ("x/b.warc.gz", &pages[2..4])] {
        std::fs::create_dir_all(folder.path().join("x")).unwrap();
        written(&folder, name, &archive(part).0);
    }
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join("c.wacz")).unwrap());
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    zip.start_file("pages/pages.jsonl", stored).unwrap();
    zip.write_all(b"{}\n").unwrap();
    zip.start_file("archive/c.warc.gz", stored).unwrap();
    zip.write_all(&archive(&pages[4..6]).0).unwrap();
    zip.finish().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    written(&folder, "list.txt", format!("# two\n{}\n{}\n", at("x/b.warc.gz"), at("c.wacz")).as_bytes());
    let urls = |named: &str, out: &str| {
        let (output, told) = run(&[named, "--out", &at(out), "--format", "jsonl", "--columns", "url"]);
        assert!(output.status.success(), "{told}");
        rows(Path::new(&at(out))).iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let wanted = |range: std::ops::Range<usize>| range.map(|n| pages[n].0.clone()).collect::<Vec<_>>();
    assert_eq!(urls(&at("x"), "o1"), wanted(0..4));
    assert_eq!(urls(&at("x/*.warc.gz"), "o2"), wanted(0..4));
    assert_eq!(urls(&format!("@{}", at("list.txt")), "o3"), wanted(2..6));
    let out = at("o4");
    let stdin = std::fs::File::open(at("x/a.warc.gz")).unwrap();
    assert!(gristmill(&["-", "--out", &out, "--format", "jsonl"]).stdin(stdin).status().unwrap().success());
    assert_eq!(rows(Path::new(&out)).len(), 2);
}

#[test]
fn what_cannot_be_done_is_said_in_one_line_and_wrong_use_ends_with_2() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    written(&folder, "a.warc.gz", &archive(&pages()[..2]).0);
    written(&folder, "error.warc.gz", b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let (archive, out) = (at("a.warc.gz"), at("out"));
    assert!(run(&[&archive, "--out", &out, "--format", "csv"]).0.status.success());
    for (arguments, code, wanted) in [
        (vec![&*archive, "--out", &out, "--columns", "url,nosuch"], 2, "nosuch"),
        (vec![&archive, "--out", &out, "--layout", "c4"], 2, "c4"),
        (vec![&archive, "--out", &out, "--format", "markdown"], 2, "parquet"),
        (vec![&archive, "--out", &out, "--format", "jsonl"], 1, "other settings"),
        (vec![&archive, "--format", "parquet"], 2, "--out"),
        (vec![&at("empty"), "--out", &at("o5")], 1, "no archive"),
        (vec![&at("missing.warc"), "--out", &at("o6")], 1, "missing.warc"),
        (vec![&at("error.warc.gz"), "--out", &at("o7")], 1, "no web archives"),
        (vec![&archive, "--out", "/proc/nowhere"], 1, "/proc/nowhere"),
    ] {
        let (output, told) = run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        let last = told.lines().rfind(|line| !line.is_empty() && !line.contains("--help")).unwrap_or_default();
        assert!(last.contains(wanted), "{arguments:?}: {told}");
    }
    let (again, told) = run(&[&archive, "--out", &out, "--format", "csv"]);
    assert!(again.status.success() && told.contains("complete"), "{told}");
}

#[test]
fn the_commands_of_the_documentation_work_as_they_stand() {
    let folder = TempDir::new().unwrap();
    let bytes = archive(&pages()[..3]).0;
    std::fs::create_dir(folder.path().join("archives")).unwrap();
    written(&folder, "crawl.warc.gz", &bytes);
    written(&folder, "archives/a.warc.gz", &bytes);
    written(&folder, "paths.txt", b"crawl.warc.gz\n");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/archives.md");
    let text = std::fs::read_to_string(page).unwrap();
    // What stands behind is about writing archives, which another test runs.
    let text = text
        .split(
            "
## Write an archive
",
        )
        .next()
        .unwrap();
    let is_local = |line: &&str| line.starts_with("gristmill dataset ") && !line.contains("://");
    let commands: Vec<&str> = text.lines().filter(is_local).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let output = common::shell(command).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let out = command.split("--out ").nth(1).unwrap().split(' ').next().unwrap();
        assert_eq!(counts(&folder.path().join(out))["pages"], 3, "{command}");
    }
}

#[test]
fn a_pipe_in_a_folder_of_archives_is_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("archives");
    std::fs::create_dir(&folder).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("a.warc.gz")).status().unwrap().success());
    for named in [folder.clone(), folder.join("*.warc.gz")] {
        let mut command = common::gristmill();
        command.arg("dataset").arg(&named).arg("--out").arg(dir.path().join("out"));
        let output = common::finish(command);
        assert_eq!(output.status.code(), Some(1), "{}", common::text(&output));
    }
}
