//! `gristmill export --out DIR/`: datasets of the index, complete and filtered, added to, killed, and without duplicates.

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{finish, gristmill, text};
use gristmill_index::{DocumentKind, IndexConfig, IndexDocument, IndexWriter, Positions};
use gristmill_text::{FINGERPRINT_VERSION, distance, fingerprint};
use serde_json::Value;
use tempfile::TempDir;

const DAY: i64 = 86_400;

/// Words that look like none of another number.
fn words(seed: u64, n: u64) -> String {
    let word = |at: u64| {
        let mixed = (seed << 32 | at).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("w{}", (mixed ^ mixed >> 29) % 5000)
    };
    (0..n).map(word).collect::<Vec<_>>().join(" ")
}

/// A document like any other: `n` decides on everything.
fn document(n: u64) -> IndexDocument {
    let text = words(n, 60 + n % 50);
    IndexDocument {
        key: format!("{:032x}", u128::from(n) * 0x9e37_79b9_7f4a_7c15_f39c_0c5f_u128),
        url: format!("https://site{}.example/{n}", n % 7),
        title: format!("Title {n}"),
        site: format!("site{}.example", n % 7),
        host: format!("site{}.example", n % 7),
        language: ["en", "de", "zh"][n as usize % 3].into(),
        kind: if n.is_multiple_of(5) { DocumentKind::Listing } else { DocumentKind::Article },
        kind_probability: Some(0.875),
        published: n.is_multiple_of(2).then_some(1_700_000_000 + n as i64 * DAY),
        fetched_at: 1_760_000_000 + n as i64,
        simhash: fingerprint(&text),
        simhash_version: FINGERPRINT_VERSION,
        method: "best/1".into(),
        confidence: (n % 10) as f32 / 10.0,
        text,
        ..IndexDocument::default()
    }
}

fn write(data: &Path, documents: &[IndexDocument], gone: &[&str]) {
    let mut writer = IndexWriter::open(&data.join("index"), &IndexConfig::default()).unwrap();
    documents.iter().for_each(|document| writer.upsert(document).unwrap());
    gone.iter().for_each(|key| writer.remove(key).unwrap());
    writer.commit(&Positions::new()).unwrap();
    writer.close().unwrap();
}

/// A corpus of so many documents.
fn corpus(n: u64) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &(0..n).map(document).collect::<Vec<_>>(), &[]);
    dir
}

fn command(data: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.current_dir(data).arg("--data").arg(data).arg("export").args(arguments);
    command
}

/// Runs an export; what it told.
fn export(data: &Path, arguments: &[&str]) -> String {
    let output = finish(command(data, arguments));
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    String::from_utf8(output.stderr).unwrap()
}

fn manifest(out: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap()
}

/// All files below a folder but the scratch of a run, by their paths.
fn files(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![out.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => drop(found.insert(path.strip_prefix(out).unwrap().to_owned(), std::fs::read(path).unwrap())),
            }
        }
    }
    found
}

/// The rows of a dataset of JSON lines.
fn rows(out: &Path) -> Vec<Value> {
    let is_shard = |path: &Path| path.starts_with("data") && path.extension().is_some_and(|end| end != "new");
    let shards = files(out).into_iter().filter(|(path, _)| is_shard(path));
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    shards.flat_map(|(_, bytes)| lines(bytes)).map(|line| serde_json::from_str(&line).unwrap()).collect()
}

fn urls(out: &Path) -> Vec<String> {
    rows(out).iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_document_is_a_row_with_what_the_index_knows_in_the_order_of_the_keys() {
    let data = corpus(40);
    export(data.path(), &["--out", "set/", "--format", "jsonl", "--shard-rows", "15", "--dump", "spring"]);
    let out = data.path().join("set");
    let rows = rows(&out);
    let mut wanted: Vec<IndexDocument> = (0..40).map(document).collect();
    wanted.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(rows.len(), 40);
    for (row, document) in rows.iter().zip(&wanted) {
        for (column, value) in [
            ("id", &document.key),
            ("url", &document.url),
            ("title", &document.title),
            ("text", &document.text),
            ("domain", &document.site),
            ("language", &document.language),
            ("method", &document.method),
        ] {
            assert_eq!(row[column], **value, "{column}");
        }
        assert_eq!(row["simhash"], format!("{:016x}", document.simhash));
        assert_eq!((row["published"].is_null(), row["dump"].as_str()), (document.published.is_none(), Some("spring")));
        assert!(row["fetched_at"].as_str().unwrap().starts_with("2025-10-09T"), "{row}");
        assert!((row["kind_probability"].as_f64().unwrap() - 0.875).abs() < 1e-6, "{row}");
        for unknown in ["site_name", "markdown", "language_score", "file_path", "warcinfo"] {
            assert!(row[unknown].is_null(), "{unknown}");
        }
    }
    let manifest = manifest(&out);
    assert_eq!((&manifest["rows"], &manifest["counts"]["documents"]), (&40.into(), &40.into()));
    assert_eq!(manifest["shards"].as_array().unwrap().len(), 3);
}

#[test]
fn two_exports_of_one_commit_are_equal_byte_for_byte() {
    let data = corpus(60);
    for format in ["parquet", "jsonl.zst", "jsonl.gz", "csv"] {
        let [one, two] = ["one", "two"].map(|name| format!("{format}-{name}/"));
        for out in [&one, &two] {
            export(data.path(), &["--out", out, "--format", format, "--shard-rows", "25", "--layout", "fineweb"]);
        }
        assert!(files(&data.path().join(one)) == files(&data.path().join(two)), "{format}");
    }
    let again =
        export(data.path(), &["--out", "csv-one/", "--format", "csv", "--shard-rows", "25", "--layout", "fineweb"]);
    assert!(again.contains("complete: 60 rows"), "{again}");
}

#[test]
fn what_a_filter_leaves_out_is_counted_under_its_name() {
    let data = corpus(90);
    let set = |name: &str, arguments: &[&str]| {
        let out = format!("{name}/");
        let told = export(data.path(), &[&["--out", &out, "--format", "jsonl"], arguments].concat());
        let out = data.path().join(name);
        (urls(&out).len() as u64, manifest(&out)["counts"].clone(), told)
    };
    let all: Vec<IndexDocument> = (0..90).map(document).collect();
    let n = |wanted: fn(&IndexDocument) -> bool| all.iter().filter(|document| wanted(document)).count() as u64;
    let cases: [(&str, &[&str], u64); 7] = [
        ("--kind", &["--kind", "listing"], n(|d| d.kind == DocumentKind::Listing)),
        ("--lang", &["--lang", "en,zh"], n(|d| d.language != "de")),
        (
            "--site",
            &["--site", "site1.example,site2.example"],
            n(|d| ["site1.example", "site2.example"].contains(&&*d.site)),
        ),
        ("--from", &["--from", "2023-12"], n(|d| d.published.is_some_and(|time| time >= 1_701_388_800))),
        ("--min-confidence", &["--min-confidence", "0.5"], n(|d| d.confidence >= 0.5)),
        ("--min-chars", &["--min-chars", "500"], n(|d| d.text.chars().count() >= 500)),
        ("--max-chars", &["--max-chars", "500"], n(|d| d.text.chars().count() <= 500)),
    ];
    for (option, arguments, wanted) in cases {
        let (rows, counts, told) = set(option.trim_start_matches('-'), arguments);
        assert!(wanted > 0 && wanted < 90, "{option}: the case says nothing");
        assert_eq!((rows, counts[option].as_u64()), (wanted, Some(90 - wanted)), "{option}");
        assert!(told.contains(&format!("{option} {}", 90 - wanted)), "{told}");
    }
    let some = all[3].text.split(' ').next().unwrap();
    let (rows, counts, _) = set("query", &["--query", some]);
    assert_eq!(rows, all.iter().filter(|document| document.text.split(' ').any(|word| word == some)).count() as u64);
    assert_eq!(counts["documents"], rows);
}

#[test]
fn a_later_export_adds_what_is_new_or_changed_and_tells_what_is_gone() {
    let data = corpus(30);
    let out = data.path().join("set");
    let add = || export(data.path(), &["--out", "set/", "--format", "jsonl", "--since", "last"]);
    add();
    assert_eq!(urls(&out).len(), 30);
    assert!(add().contains("nothing is new"));
    assert_eq!(manifest(&out)["history"].as_array().unwrap().len(), 1);

    let changed = IndexDocument { fetched_at: 1_770_000_000, title: "Changed".into(), ..document(4) };
    let gone = document(7).key;
    write(data.path(), &[document(100), document(101), changed], &[&gone]);
    let told = add();
    assert!(told.contains("3 more rows"), "{told}");
    let added: Vec<String> = urls(&out).split_off(30);
    let mut wanted = [document(4), document(100), document(101)];
    wanted.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(added, wanted.map(|document| document.url));
    let manifest = manifest(&out);
    assert_eq!((&manifest["rows"], &manifest["history"][1]["rows"]), (&33.into(), &3.into()));
    let removed = manifest["history"][1]["more"]["removed_ids"].as_str().unwrap();
    let removed = std::fs::read_to_string(out.join(removed)).unwrap();
    assert_eq!(removed, format!("{{\"id\":\"{gone}\"}}\n"));

    // Fetched again and unchanged: not exported again, now or later.
    write(data.path(), &[IndexDocument { fetched_at: 1_771_000_000, ..document(9) }], &[]);
    assert!(add().contains("nothing is new"));

    // Into another folder, behind the manifest of the first, and by a date.
    write(data.path(), &[document(102)], &[]);
    let at = out.join("manifest.json");
    export(data.path(), &["--out", "other/", "--format", "jsonl", "--since", at.to_str().unwrap()]);
    assert_eq!(urls(&data.path().join("other")), [document(102).url]);
    export(data.path(), &["--out", "dated/", "--format", "jsonl", "--since", "2026-01"]);
    // A day alone does not tell what is unchanged.
    assert_eq!(urls(&data.path().join("dated")), [document(4).url, document(9).url]);
    let refused = finish(command(data.path(), &["--out", "set/", "--format", "jsonl", "--since", "soon"]));
    assert!(!refused.status.success() && text(&refused).contains("`--since soon` is none of"), "{}", text(&refused));
}

/// A corpus in which every third document is a copy of another: equal, or with a few words replaced.
fn with_copies(n: u64) -> TempDir {
    let copy = |n: u64| {
        let mut copy = document(n);
        if n % 3 == 2 {
            let words: Vec<String> = words(n / 30, 300).split(' ').map(str::to_owned).collect();
            let edit = |(at, word): (usize, &String)| {
                if n.is_multiple_of(2) && (at as u64) == n % 300 { "edited".to_owned() } else { word.clone() }
            };
            copy.text = words.iter().enumerate().map(edit).collect::<Vec<_>>().join(" ");
            copy.simhash = fingerprint(&copy.text);
        }
        copy
    };
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &(0..n).map(copy).collect::<Vec<_>>(), &[]);
    dir
}

#[test]
fn duplicates_are_left_out_and_the_report_says_because_of_which() {
    let data = with_copies(240);
    let mut documents: Vec<Value> = {
        export(data.path(), &["--out", "all/", "--format", "jsonl"]);
        rows(&data.path().join("all"))
    };
    for (kind, most) in [("exact", 0), ("near", 10)] {
        let out = data.path().join(kind);
        let name = format!("{kind}/");
        export(data.path(), &["--out", &name, "--format", "jsonl", "--dedup", kind]);
        let text = |row: &Value| row["text"].as_str().unwrap().to_owned();
        let print = |row: &Value| u64::from_str_radix(row["simhash"].as_str().unwrap(), 16).unwrap();
        let like =
            |a: &Value, b: &Value| if most == 0 { text(a) == text(b) } else { distance(print(a), print(b)) <= most };
        // The definition: each is compared with every one that is kept before it.
        let (mut kept, mut left_out): (Vec<&Value>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        for row in &documents {
            match kept.iter().find(|other| like(other, row)) {
                Some(other) => left_out.push((row["url"].to_string(), other["url"].to_string())),
                None => kept.push(row),
            }
        }
        assert!(left_out.len() > 30, "{kind}: {}", left_out.len());
        assert_eq!(rows(&out), kept.into_iter().cloned().collect::<Vec<_>>(), "{kind}");
        let report = std::fs::read_to_string(out.join("duplicates.jsonl")).unwrap();
        let lines: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let told: Vec<_> =
            lines.iter().map(|line| (line["url"].to_string(), line["duplicate_of"].to_string())).collect();
        assert_eq!(told, left_out, "{kind}");
        assert!(lines.iter().all(|line| line["distance"].as_u64().unwrap() <= u64::from(most)), "{report}");
        assert_eq!(manifest(&out)["counts"]["--dedup"], left_out.len());
    }
    // What is added later is compared with what is there.
    let copy = IndexDocument { key: "f".repeat(32), url: "https://late.example/".into(), ..document(0) };
    write(data.path(), &[copy], &[]);
    export(data.path(), &["--out", "near/", "--format", "jsonl", "--dedup", "near", "--since", "last"]);
    let report = std::fs::read_to_string(data.path().join("near/duplicates.jsonl")).unwrap();
    let last: Value = serde_json::from_str(report.lines().last().unwrap()).unwrap();
    assert_eq!((&last["url"], &last["duplicate_of"]), (&"https://late.example/".into(), &document(0).url.into()));
    documents.clear();
}

#[test]
fn an_export_that_is_killed_again_and_again_gives_the_dataset_of_a_calm_one() {
    let data = with_copies(1000);
    let journals = ["journal.jsonl", "dedup/stage/journal.jsonl"];
    for (more, journal) in [
        (&["--format", "parquet"][..], journals[0]),
        (&["--format", "jsonl", "--dedup", "near"], journals[0]),
        (&["--format", "jsonl", "--dedup", "minhash,lines", "--quality", "gopher-repetition"], journals[0]),
        (&["--format", "jsonl", "--dedup", "minhash"], journals[1]),
    ] {
        let arguments = |out| [&["--out", out, "--shard-rows", "40"], more].concat();
        export(data.path(), &arguments("calm/"));
        let most = if common::soak() { 20 } else { 3 };
        let (calm, out) = (files(&data.path().join("calm")), data.path().join("killed"));
        let mut n_kills = 0;
        for n in 0..300 {
            let command = command(data.path(), &arguments("killed/"));
            n_kills += u32::from(common::kill_after_some_lines(&out.join(journal), n, command));
            if out.join("manifest.json").exists()
                && !out.join("journal.jsonl").exists()
                && !out.join("dedup/stage").exists()
            {
                assert!(files(&out) == calm, "after {n_kills} kills");
                std::fs::remove_dir_all(&out).unwrap();
            }
            if n_kills == most {
                break;
            }
        }
        assert_eq!(n_kills, most, "too few runs were killed at work");
        export(data.path(), &arguments("killed/"));
        let found = files(&out);
        assert_eq!(found.keys().collect::<Vec<_>>(), calm.keys().collect::<Vec<_>>());
        assert!(found == calm, "after {n_kills} kills");
        std::fs::remove_dir_all(out).unwrap();
        std::fs::remove_dir_all(data.path().join("calm")).unwrap();
    }
}

#[test]
fn an_index_that_changes_while_an_export_is_stopped_makes_it_begin_anew() {
    let data = corpus(300);
    let arguments = ["--out", "set/", "--format", "jsonl", "--shard-rows", "50"];
    let stopped = "trap '' XFSZ; ulimit -f 150; exec \"$0\" --data . export --out set/ --format jsonl --shard-rows 50";
    // The last document is too long for the limit, so the run ends behind some files.
    let long = IndexDocument { key: "f".repeat(32), text: words(1, 50_000), ..document(5000) };
    write(data.path(), &[long], &[]);
    let mut command = Command::new("bash");
    command.current_dir(data.path()).args(["-c", stopped, env!("CARGO_BIN_EXE_gristmill")]).stdin(Stdio::null());
    assert_eq!(finish(command).status.code(), Some(1));
    let out = data.path().join("set");
    assert!(
        files(&out).keys().filter(|path| path.starts_with("data")).count() > 2 && !out.join("manifest.json").exists()
    );
    write(data.path(), &[document(301)], &[]);
    export(data.path(), &arguments);
    let mut found = urls(&out);
    assert_eq!(found.len(), 302);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 302, "a document stands twice");
    write(data.path(), &[document(302)], &[]);
    let refused = finish(self::command(data.path(), &arguments));
    assert!(!refused.status.success() && text(&refused).contains("`--since last`"), "{}", text(&refused));
}

#[test]
fn a_full_disk_is_told_with_the_file_and_what_was_written_stays_usable() {
    let data = corpus(2000);
    let program = env!("CARGO_BIN_EXE_gristmill");
    // A limit for the size of files stands for the disk. The second shard is far larger than the first.
    let long = IndexDocument { key: "f".repeat(32), text: words(1, 600_000), ..document(5000) };
    write(data.path(), &[long], &[]);
    let line = format!(
        "trap '' XFSZ; ulimit -f 1500; exec {program} --data . export --out set/ --format jsonl --shard-rows 500"
    );
    let mut command = Command::new("bash");
    command.current_dir(data.path()).args(["-c", &line]).stdin(Stdio::null());
    let output = finish(command);
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let last = told.lines().last().unwrap_or_default();
    assert!(last.contains("could not write `set/data/part-00004.jsonl`"), "{told}");
    let whole = urls(&data.path().join("set"));
    assert!(whole.len() >= 2000, "{}", whole.len());
    let told = export(data.path(), &["--out", "set/", "--format", "jsonl", "--shard-rows", "500"]);
    assert!(told.contains("2001 rows"), "{told}");
}

#[test]
fn a_file_stays_a_file_and_what_cannot_be_is_said_in_one_line() {
    let data = corpus(3);
    export(data.path(), &["--out", "corpus.jsonl"]);
    assert_eq!(std::fs::read_to_string(data.path().join("corpus.jsonl")).unwrap().lines().count(), 3);
    export(data.path(), &["--out", "set", "--format", "parquet"]);
    assert!(data.path().join("set/data/part-00000.parquet").is_file());
    export(data.path(), &["--out", "plain.csv", "--format", "csv", "--lang", "en", "--min-chars", "1"]);
    for (arguments, code, wanted) in [
        (&["--out", "x/", "--columns", "url,nosuch"][..], 2, "nosuch"),
        (&["--out", "x/", "--layout", "c4"], 2, "c4"),
        (&["--out", "x.parquet", "--format", "parquet"], 2, "a dataset is a folder"),
        (&["--format", "parquet"], 2, "--out DIR/"),
        (&["--out", "x.jsonl", "--dedup", "near"], 2, "--out x.jsonl/"),
        (&["--out", "set", "--format", "csv"], 1, "other settings"),
        (&["--out", "/proc/nowhere/"], 1, "/proc/nowhere"),
        (&["--out", "x/", "--min-chars", "9", "--max-chars", "3"], 2, "--max-chars"),
    ] {
        let output = finish(command(data.path(), arguments));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.lines().count() == 1 && told.contains(wanted), "{arguments:?}: {told}");
    }
}

#[test]
fn the_readers_that_people_use_read_the_folder_with_its_card() {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    if !Command::new(&python).arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: no `{python}` (set GRISTMILL_PYTHON)");
        return;
    }
    let data = corpus(70);
    let mut command = Command::new(&python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_dataset.py"));
    let formats = ["parquet", "jsonl", "jsonl.gz", "jsonl.zst", "csv"].map(|format| (format, "gristmill"));
    for (format, layout) in formats.into_iter().chain([("parquet", "fineweb"), ("jsonl", "dclm")]) {
        let out = format!("{layout}-{format}/");
        export(data.path(), &["--out", &out, "--format", format, "--layout", layout, "--shard-rows", "30"]);
        command.arg(data.path().join(&out)).arg(format);
    }
    // One process reads them all: Python takes longer to load the readers than they take to read.
    let output = finish(command);
    eprintln!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn the_commands_of_the_documentation_work_as_they_stand() {
    let data = with_copies(30);
    std::fs::rename(data.path().join("index"), data.path().join("moved")).unwrap();
    std::fs::create_dir(data.path().join("gristmill-data")).unwrap();
    std::fs::rename(data.path().join("moved"), data.path().join("gristmill-data/index")).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/datasets.md");
    let page = std::fs::read_to_string(page).unwrap();
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("gristmill export ")).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for line in commands {
        let mut command = common::shell(line);
        command.current_dir(data.path());
        let output = finish(command);
        assert!(output.status.success(), "{line}: {}", text(&output));
    }
}
