//! `gristmill export`: everything that is wanted comes out, and nothing in it runs in a spreadsheet.

use crate::common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::{finish, gristmill, text};
use gristmill_index::{DocumentKind, IndexConfig, IndexDocument, IndexWriter, Positions, ProductAttribute};
use gristmill_log::{Log, MemoryLog, ProducerRecord, StartOffset};
use gristmill_proto::{DocumentChange, encode, topics};
use gristmill_runtime::process::topic_specs;
use gristmill_sink::{Sink, SinkConfig};
use tokio_util::sync::CancellationToken;

fn index(data: &Path) {
    let mut writer = IndexWriter::open(&data.join("index"), &IndexConfig::default()).unwrap();
    let product = IndexDocument {
        key: "p".into(),
        url: "https://shop.example/mill".into(),
        title: "=HYPERLINK(\"http://evil.example\")".into(),
        kind: DocumentKind::Product,
        attributes: vec![
            ProductAttribute {
                canonical: "brand".into(),
                source: "table".into(),
                ..ProductAttribute::new("品牌", "石磨, \"Mill\"")
            },
            ProductAttribute {
                number: Some(1.2),
                unit: "kg".into(),
                record: 1,
                ..ProductAttribute::new("Weight", "1.2 kg")
            },
        ],
        ..IndexDocument::default()
    };
    let article =
        IndexDocument { key: "a".into(), title: "News".into(), text: "One.\nTwo.".into(), ..IndexDocument::default() };
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
    let mut documents: Vec<IndexDocument> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    documents.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!((documents.len(), documents[0].text.as_str()), (2, "One.\nTwo."));
    assert_eq!(documents[1].attributes[1].number, Some(1.2));
    assert_eq!(export(dir.path(), &["--kind", "listing"]), "");
}

#[test]
fn the_name_of_a_file_tells_its_form() {
    let dir = tempfile::tempdir().unwrap();
    index(dir.path());
    let path = |name: &str| dir.path().join(name).display().to_string();
    let run = |name: &str, more: &[&str]| {
        let mut command = gristmill();
        command.arg("--data").arg(dir.path()).args(["export", "--out", &path(name)]).args(more);
        let output = finish(command);
        (output.status.code(), text(&output), std::fs::read_to_string(path(name)).unwrap_or_default())
    };
    for (name, more, begin) in [
        ("a.csv", &[][..], "url,"),
        ("A.CSV", &[][..], "url,"),
        ("a.jsonl", &[][..], "{"),
        ("plain", &[][..], "{"),
        ("b.csv", &["--format", "jsonl"][..], "{"),
    ] {
        let (code, told, written) = run(name, more);
        assert!(code == Some(0) && written.starts_with(begin) && !told.contains("whatever"), "{name}: {told}{written}");
    }
    let (code, told, written) = run("a.md", &[]);
    assert!(code == Some(0) && told.contains("JSON lines, whatever its name") && written.starts_with('{'), "{told}");
    let (code, told, written) = run("a.parquet", &[]);
    assert!(code == Some(2) && told.contains("write `--out") && written.is_empty(), "{told}");
}

#[test]
fn what_stands_at_the_path_of_an_export_is_written_into_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    index(dir.path());
    let path = |name: &str| dir.path().join(name);
    let run = |name: &str| {
        let mut command = gristmill();
        command.arg("--data").arg(dir.path()).args(["export", "--out"]).arg(path(name));
        let output = finish(command);
        assert!(output.status.success(), "{name}: {}", text(&output));
    };
    let mode = |name: &str| std::fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    std::fs::write(path("usual"), "").unwrap();
    run("new.jsonl");
    assert_eq!(mode("new.jsonl"), mode("usual"));
    std::fs::set_permissions(path("new.jsonl"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("new.jsonl", path("link.jsonl")).unwrap();
    let whole = std::fs::read_to_string(path("new.jsonl")).unwrap();
    std::fs::write(path("new.jsonl"), "old").unwrap();
    run("link.jsonl");
    assert!(path("link.jsonl").is_symlink() && mode("new.jsonl") == 0o640);
    assert_eq!(std::fs::read_to_string(path("new.jsonl")).unwrap(), whole);
    let pipe = path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    run("pipe");
    assert_eq!(reader.join().unwrap(), whole);
}

#[test]
fn a_dash_is_standard_output_in_each_form() {
    let dir = tempfile::tempdir().unwrap();
    index(dir.path());
    for form in ["jsonl", "csv"] {
        assert_eq!(export(dir.path(), &["--format", form, "--out", "-"]), export(dir.path(), &["--format", form]));
    }
    assert!(!std::path::Path::new("-").exists());
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

#[test]
fn only_what_is_asked_for_comes_out_with_times_and_fingerprints_that_any_reader_takes() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&dir.path().join("index"), &IndexConfig::default()).unwrap();
    let page = |key: &str, site: &str, language: &str, published: i64, text: &str| IndexDocument {
        key: key.into(),
        site: site.into(),
        language: language.into(),
        published: Some(published),
        fetched_at: 1_700_000_000,
        simhash: u64::MAX - 1,
        text: text.into(),
        ..IndexDocument::default()
    };
    for document in [
        page("a", "a.example", "en", 1_700_000_000, "The mill grinds rye."),
        page("b", "b.example", "en", 1_600_000_000, "The mill grinds wheat."),
        page("c", "b.example", "de", 1_650_000_000, "Die Mühle mahlt Roggen."),
    ] {
        writer.upsert(&document).unwrap();
    }
    writer.commit(&Positions::new()).unwrap();
    drop(writer);
    let keys = |arguments: &[&str]| {
        let lines = export(dir.path(), arguments);
        let mut keys: Vec<String> = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["key"].as_str().unwrap().to_owned())
            .collect();
        keys.sort();
        keys.concat()
    };
    assert_eq!(keys(&[]), "abc");
    assert_eq!((keys(&["--lang", "en"]), keys(&["--site", "b.example"])), ("ab".into(), "bc".into()));
    assert_eq!((keys(&["--from", "2022"]), keys(&["--to", "2020-09"])), ("ac".into(), "b".into()));
    assert_eq!(keys(&["--from", "2022-04", "--to", "2022-04-15"]), "c");
    assert_eq!((keys(&["--query", "mill"]), keys(&["--query", "mill -rye"])), ("ab".into(), "b".into()));
    assert_eq!(keys(&["--query", "grinds", "--site", "b.example", "--lang", "en"]), "b");
    let line: serde_json::Value = serde_json::from_str(&export(dir.path(), &["--query", "rye"])).unwrap();
    assert_eq!(
        (&line["published"], &line["fetched_at"]),
        (&"2023-11-14T22:13:20Z".into(), &"2023-11-14T22:13:20Z".into())
    );
    assert_eq!(line["simhash"], "fffffffffffffffe");
    let csv = export(dir.path(), &["--query", "rye", "--format", "csv"]);
    assert!(csv.contains("2023-11-14T22:13:20Z") && csv.contains("fffffffffffffffe"), "{csv}");

    let mut command = gristmill();
    command.arg("--data").arg(dir.path()).args(["export", "--from", "soon"]);
    let refused = finish(command);
    assert!(!refused.status.success() && text(&refused).contains("`--from soon` is no date"), "{}", text(&refused));
}

/// A message with something in every field.
fn message() -> gristmill_proto::Document {
    gristmill_proto::Document {
        key: "00112233445566778899aabbccddeeff".into(),
        url: "https://shop.example/mill".into(),
        change: DocumentChange::Upsert,
        kind: "product".into(),
        kind_probability: Some(0.875),
        title: "Mill \"石磨\"".into(),
        text: "One.\nTwo \u{1f600}.".into(),
        headings: vec![gristmill_proto::HeadingLine { line: 1, level: 3 }],
        site: "shop.example".into(),
        host: "www.shop.example".into(),
        author: Some("A. Miller".into()),
        published: Some("2018-12-31T10:15:00+08:00".into()),
        published_declared: true,
        language: Some("zh".into()),
        language_score: Some(0.5),
        script: Some("Latn".into()),
        languages: Vec::new(),
        site_name: Some("Shop".into()),
        description: Some("A mill.".into()),
        canonical: Some("https://shop.example/mill".into()),
        image: Some("https://shop.example/mill.png".into()),
        keywords: vec!["mill".into()],
        attributes: vec![gristmill_proto::ProductAttribute {
            name: "重量".into(),
            value: "1.2 kg".into(),
            canonical: Some("weight".into()),
            number: Some(1.2),
            unit: Some("kg".into()),
            record: 1,
            source: "table".into(),
            confidence: 0.9,
        }],
        fetched_at: 1_700_000_000_123,
        simhash: u64::MAX - 1,
        simhash_version: 2,
        anchor_title: Some("To the mill".into()),
        rights: gristmill_proto::Rights::default(),
        comments: vec![gristmill_proto::Comment {
            author: Some("Bo".into()),
            published: Some("2019-01-02".into()),
            text: "It grinds.\nSlowly.".into(),
        }],
        method: "sun/1".into(),
        confidence: 0.7,
        rendered: Some(gristmill_proto::RenderInfo { mode: "scripts".into(), ended: "cap".into() }),
    }
}

#[test]
fn what_the_sink_hands_on_is_what_export_writes_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&dir.path().join("index"), &IndexConfig::default()).unwrap();
    writer.upsert(&gristmill_indexer::document(message())).unwrap();
    writer.commit(&Positions::new()).unwrap();
    drop(writer);
    let exported = export(dir.path(), &[]);
    let handed_on = tokio::runtime::Runtime::new().unwrap().block_on(async {
        let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
        let record = ProducerRecord { topic: topics::DOCUMENTS, key: message().key, payload: encode(&message()) };
        log.append(vec![record]).await.unwrap();
        let (config, stop) = (SinkConfig { topic: true, ..SinkConfig::default() }, CancellationToken::new());
        let sink = Sink::build(&config, log.clone(), &prometheus::Registry::new()).unwrap();
        let running = tokio::spawn(sink.run(stop.clone()));
        let mut reader = log.reader(&[topics::DOCUMENTS_JSON], StartOffset::At([].into())).await.unwrap();
        let records = reader.poll(10, Duration::from_secs(30)).await.unwrap();
        stop.cancel();
        running.await.unwrap().unwrap();
        records
    });
    let [one] = &handed_on[..] else { panic!("{} records", handed_on.len()) };
    assert_eq!(
        (one.key.as_str(), exported.trim_end()),
        (message().key.as_str(), str::from_utf8(&one.payload).unwrap())
    );
}
