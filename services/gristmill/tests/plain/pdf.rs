//! PDFs as documents: off unless asked for, read by `pdftotext`, in crawls, imports and `extract`.

use crate::common;

#[path = "../../../../crates/pdf/tests/all/writer.rs"]
mod writer;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use common::archives::{Capture, DATE, archive};
use common::server::{Answer, HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::{IndexDocument, IndexReader};
use serde_json::Value;
use writer::{content, of_streams, pdf};

const ON: (&str, &str) = ("GRISTMILL__EXTRACTOR__PDF", "true");

/// Whether the program that reads them is there.
fn is_installed() -> bool {
    let is_there = Command::new("pdftotext").arg("-v").output().is_ok();
    if !is_there {
        eprintln!("SKIPPED: Debian's package `poppler-utils` is absent");
    }
    is_there
}

fn report() -> Vec<u8> {
    let first: &[&str] =
        &["The mill grinds rye, day and night, and its stones turn", "slowly in the valley.", "", "A table:"];
    pdf(Some("Yearly report of the mill"), &[first, &["The second page speaks of oats."]])
}

fn site(path: &str) -> Answer {
    let of = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let typed = |fields: &'static str, bytes: Vec<u8>| ("200 OK", fields, of(bytes));
    const PDF: &str = "Content-Type: application/pdf\r\n";
    match path {
        "/" => {
            let links = ["report.pdf", "paper?id=1", "wrong", "no-index.pdf", "broken.pdf", "scan.pdf", "archive.zip"];
            let links: String = links.iter().map(|link| format!("<a href=/{link}>The {link}</a> ")).collect();
            (
                "200 OK",
                HTML,
                format!("<title>Mill</title><h1>The mill</h1><p>All that the mill has written.</p>{links}"),
            )
        }
        "/report.pdf" => typed(PDF, report()),
        "/paper?id=1" => typed(PDF, pdf(None, &[&["A paper on barley, without a title."]])),
        "/wrong" => typed(HTML, pdf(Some("Sent as HTML"), &[&["Wheat, whatever the header says."]])),
        "/no-index.pdf" => typed("Content-Type: application/pdf\r\nX-Robots-Tag: noindex\r\n", report()),
        "/broken.pdf" => ("200 OK", PDF, "%PDF-1.7\nthis is all".to_owned()),
        "/scan.pdf" => typed(PDF, of_streams("", "", &[content(&[]).into_bytes()])),
        _ => ("404 Not Found", "", String::new()),
    }
}

fn crawl(data: &Path, url: &str) -> Command {
    let mut command = gristmill();
    command.args(["crawl", url, "--delay", "0s", "--allow-private", "--data"]).arg(data);
    command
}

/// The documents by what stands behind the host of their URL.
fn documents(data: &Path) -> BTreeMap<String, IndexDocument> {
    let reader = IndexReader::open(&data.join("index")).unwrap();
    let documents = reader.documents().map(Result::unwrap);
    let path = |url: &str| url.splitn(4, '/').nth(3).unwrap_or_default().to_owned();
    documents.map(|document| (path(&document.url), document)).collect()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_crawl_takes_pdfs_only_if_the_setting_says_so_and_their_text_is_found_and_exported() {
    if !is_installed() {
        return;
    }
    let url = format!("http://{}/", serve(|_, path| site(path)));
    let off = tempfile::tempdir().unwrap();
    let output = finish(crawl(off.path(), &url));
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(documents(off.path()).into_keys().collect::<Vec<_>>(), [""]);
    let mut explain = gristmill();
    explain.args(["explain", &format!("{url}report.pdf"), "--data"]).arg(off.path());
    let explained = stdout(&finish(explain));
    assert!(explained.contains("`extractor.pdf = true`"), "{explained}");

    let on = tempfile::tempdir().unwrap();
    let mut command = crawl(on.path(), &url);
    command.envs([ON]);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let found = documents(on.path());
    assert_eq!(found.keys().collect::<Vec<_>>(), ["", "paper?id=1", "report.pdf", "scan.pdf", "wrong"]);
    let report = &found["report.pdf"];
    assert_eq!((&report.title[..], report.kind.as_str()), ("Yearly report of the mill", "other"));
    assert_eq!(
        report.text,
        "The mill grinds rye, day and night, and its stones turn\nslowly in the valley.\nA table:\nThe second page speaks of oats."
            .replace("turn\nslowly", "turn slowly")
    );
    assert_eq!(report.author, "Ann Lee");
    assert!((&found["paper?id=1"].title[..], &found["wrong"].title[..]) == ("paper", "Sent as HTML"));
    assert!(found["scan.pdf"].text.is_empty() && found["scan.pdf"].title == "scan");

    let mut search = gristmill();
    search.args(["search", "speaks oats", "--json", "--data"]).arg(on.path());
    let hits: Value = serde_json::from_slice(&finish(search).stdout).unwrap();
    assert_eq!(hits["hits"][0]["title"], "Yearly report of the mill", "{hits}");
    let mut export = gristmill();
    export.args(["export", "--kind", "other", "--data"]).arg(on.path());
    assert!(stdout(&finish(export)).contains("The second page speaks of oats."));
    let mut explain = gristmill();
    explain.args(["explain", &format!("{url}broken.pdf"), "--data"]).arg(on.path());
    let explained = stdout(&finish(explain));
    assert!(explained.contains("`pdftotext` could not read it"), "{explained}");
}

#[test]
fn archives_with_pdfs_are_imported_with_the_setting_and_counted_without() {
    if !is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.warc.gz");
    let page = "<title>Mill</title><h1>The mill</h1><p>All that the mill has written.</p>";
    let captures =
        [Capture::of("https://a.example/", DATE, page), Capture::of("https://a.example/report", DATE, report())];
    std::fs::write(&file, archive(&captures)).unwrap();
    for (setting, expected) in [("false", vec![""]), ("true", vec!["", "report"])] {
        let data = dir.path().join(setting);
        let mut command = gristmill();
        command.env(ON.0, setting).arg("import").arg(&file).arg("--data").arg(&data);
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
        assert_eq!(text(&output).contains("not html"), setting == "false", "{}", text(&output));
        assert_eq!(documents(&data).into_keys().collect::<Vec<_>>(), expected);
    }
    let out = dir.path().join("rows");
    let mut command = gristmill();
    command.envs([ON]).arg("dataset").arg(&file).args(["--format", "jsonl", "--out"]).arg(&out);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let rows: String = std::fs::read_dir(out.join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(rows.contains("The second page speaks of oats."), "{rows}");
}

#[test]
fn extract_reads_files_and_addresses_in_every_format_and_says_what_is_missing() {
    if !is_installed() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Of_oats.pdf"), pdf(None, &[&["Oats are a grass."], &["So is rye."]])).unwrap();
    let extract = |arguments: &[&str], envs: &[(&str, &str)]| {
        let mut command = gristmill();
        command.current_dir(dir.path()).envs(envs.iter().copied()).arg("extract").args(arguments);
        finish(command)
    };
    assert_eq!(
        stdout(&extract(&["Of_oats.pdf", "--format", "markdown"], &[ON])),
        "# Of oats\n\nOats are a grass.\n\nSo is rye.\n"
    );
    let json: Value = serde_json::from_slice(&extract(&["Of_oats.pdf", "--format", "json"], &[ON]).stdout).unwrap();
    assert_eq!((&json["title"], &json["kind"]), (&"Of oats".into(), &"other".into()), "{json:#}");
    let html = stdout(&extract(&["Of_oats.pdf", "--format", "html"], &[ON]));
    assert!(html.contains("<p>Oats are a grass.</p>"), "{html}");
    let explained = stdout(&extract(&["Of_oats.pdf", "--explain"], &[ON]));
    assert!(explained.contains("a document of pages"), "{explained}");

    let url = format!("http://{}/report.pdf", serve(|_, path| site(path)));
    let fetched = extract(&[&url, "--allow-private"], &[ON]);
    assert!(stdout(&fetched).contains("The second page speaks of oats."), "{}", text(&fetched));
    let broken = extract(&[&url.replace("report", "broken"), "--allow-private"], &[ON]);
    assert!(broken.status.code() == Some(1) && told(&broken).contains("could not read it"), "{}", text(&broken));

    let off = extract(&["Of_oats.pdf"], &[]);
    assert!(off.status.code() == Some(1) && told(&off).contains("`extractor.pdf = true`"), "{}", text(&off));
    let without = extract(&["Of_oats.pdf"], &[ON, ("PATH", "/nowhere")]);
    assert!(without.status.code() == Some(1) && told(&without).contains("`poppler-utils`"), "{}", text(&without));
}
