//! `gristmill import ARCHIVE…`: the pages of archives through the whole pipeline.

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::archives::{Capture, archive, articles};
use common::processes::{PARTITIONS, Processes};
use common::{Crawl, finish, gristmill, text};
use gristmill_index::{IndexDocument, IndexReader};
use gristmill_log::conformance::broker;
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
use gristmill_urls::CanonicalUrl;
use tempfile::TempDir;

const OLD: &str = "2020-01-01T00:00:00Z";
const NEW: &str = "2024-01-01T00:00:00Z";

fn import(data: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.arg("--data").arg(data).arg("import").args(arguments).stdin(Stdio::null());
    command
}

fn run(data: &Path, arguments: &[&str]) -> (Output, String) {
    let output = finish(import(data, arguments));
    let told = text(&output);
    (output, told)
}

fn written(folder: &TempDir, name: &str, pages: &[Capture]) -> String {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, archive(pages)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The documents of the index, each URL of which stands there once.
fn documents(data: &Path) -> BTreeMap<String, IndexDocument> {
    let mut documents = BTreeMap::new();
    for document in IndexReader::open(&data.join("index")).unwrap().documents() {
        let document = document.unwrap();
        let before = documents.insert(document.url.clone(), document);
        assert!(before.is_none(), "{} stands twice", before.unwrap().url);
    }
    documents
}

fn page(words: &str) -> String {
    let text =
        "<p>The miller grinds rye in the old mill by the river, and sells the flour at the market.</p>".repeat(4);
    format!("<title>{words}</title><h1>{words}</h1><article><p>{words}.</p>{text}</article>")
}

#[test]
fn pages_are_found_by_search_and_records_that_are_none_are_counted() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let noindex =
        Capture { fields: "X-Robots-Tag: noindex\r\n", ..Capture::of("https://a.example/no", NEW, page("Hidden")) };
    let pages = [
        Capture::of("HTTPS://A.example:443/rye?utm_source=x", NEW, page("Zwirbelmühle")),
        noindex,
        Capture::of("dns:a.example", NEW, page("No page")),
        Capture::of("https://a.example/pdf", NEW, "%PDF-1.7 no page"),
    ];
    let path = written(&folder, "a.warc.gz", &pages);
    let (output, told) = run(&data, &[&path]);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("imported 2 pages of 1 archive (bad url 1, not html 1, warcinfo 1)"), "{told}");
    let found = documents(&data);
    let document = &found["https://a.example/rye"];
    assert_eq!((found.len(), document.fetched_at), (1, 1_704_067_200), "{found:?}");
    let output = finish({
        let mut command = gristmill();
        command.arg("--data").arg(&data).args(["search", "Zwirbelmühle"]);
        command
    });
    assert!(text(&output).contains("https://a.example/rye"), "{}", text(&output));
    let (again, told) = run(&data, &[&path]);
    assert!(again.status.success() && told.contains("imported already") && told.contains("1 documents"), "{told}");
    let (again, told) = run(&data, &[&path, "--again"]);
    assert!(again.status.success() && told.contains("imported 2 pages") && told.contains("1 documents"), "{told}");
}

#[test]
fn the_newest_capture_of_a_page_wins_in_whatever_order_they_come() {
    let folder = TempDir::new().unwrap();
    let capture = |date, words: &str| Capture::of("https://a.example/", date, page(words));
    let (old, new) = (capture(OLD, "Old words"), capture(NEW, "New words"));
    let undated = Capture::of("https://a.example/", "yesterday", page("Undated words"));
    let to_come = Capture::of("https://b.example/", "9999-01-01T00:00:00Z", page("Words to come"));
    let one = written(&folder, "one.warc.gz", &[new.clone(), old.clone(), undated, to_come]);
    let title = |data: &Path| documents(data)["https://a.example/"].title.clone();
    let data = folder.path().join("one");
    assert!(run(&data, &[&one]).0.status.success());
    assert_eq!(title(&data), "New words");
    assert!(documents(&data)["https://b.example/"].fetched_at < 4_000_000_000, "a date to come");
    // Each in a run of its own: what is committed is asked, too. A removal is a capture like any other.
    let gone = Capture { fields: "X-Robots-Tag: noindex\r\n", ..capture("2022-01-01T00:00:00Z", "Gone") };
    let data = folder.path().join("many");
    for (n, pages) in [[new], [old], [gone.clone()]].iter().enumerate() {
        let path = written(&folder, &format!("{n}.warc.gz"), pages);
        assert!(run(&data, &[&path]).0.status.success());
        assert_eq!(title(&data), "New words", "{n}");
    }
    let last = Capture { date: "2025-01-01T00:00:00Z", ..gone };
    assert!(run(&data, &[&written(&folder, "last.warc.gz", &[last])]).0.status.success());
    assert!(documents(&data).is_empty());
}

#[test]
fn an_import_that_is_killed_again_and_again_gives_the_index_of_a_calm_one() {
    let folder = TempDir::new().unwrap();
    let copies = if common::soak() { 6 } else { 2 };
    let mut pages: Vec<Capture> = (0..copies).flat_map(|_| articles()).collect();
    for (n, page) in pages.iter_mut().enumerate() {
        page.url = format!("https://site{}.example/page/{n}", n % 7);
    }
    let (calm, killed) = (folder.path().join("calm"), folder.path().join("killed"));
    let (one, two) = pages.split_at(pages.len() / 2);
    let (one, two) = (written(&folder, "one.warc.gz", one), written(&folder, "two.warc.gz", two));
    let begun = Instant::now();
    let (output, told) = run(&calm, &[&one, &two]);
    let mut whole = begun.elapsed();
    assert!(output.status.success(), "{told}");
    let most = if common::soak() { 15 } else { 3 };
    let mut n_kills = 0;
    for n in 0..100 {
        let mut child = import(&killed, &[&one, &two]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * (10 + n * 13 % 30) / 100);
        if child.try_wait().unwrap().is_some() {
            // The machine has become quicker since the calm run, or there was nothing left to import.
            std::fs::remove_dir_all(&killed).unwrap();
            whole = whole * 3 / 4;
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        n_kills += 1;
        if n_kills == most {
            break;
        }
    }
    assert_eq!(n_kills, most, "too few runs were killed at work");
    let (output, told) = run(&killed, &[&one, &two]);
    assert!(output.status.success(), "{told}");
    let counted = |told: &str| told.lines().find(|line| line.starts_with("imported")).map(str::to_owned);
    let (_, calm_told) = run(&calm, &[&one, &two]);
    assert_eq!(counted(&told), counted(&calm_told));
    assert_eq!(documents(&killed), documents(&calm));
}

#[test]
fn large_bodies_go_through_the_blob_store_and_the_same_page_twice_is_one_document() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let settings = folder.path().join("gristmill.toml");
    std::fs::write(&settings, "[blobs]\ninline_limit = 100\n").unwrap();
    let same = Capture::of("https://a.example/", NEW, page("Twice"));
    let path = written(&folder, "a.warc.gz", &[same.clone(), same]);
    let (output, told) = run(&data, &[&path, "--config", settings.to_str().unwrap()]);
    assert!(output.status.success() && told.contains("imported 2 pages"), "{told}");
    assert_eq!(documents(&data).len(), 1);
    let left: Vec<_> = std::fs::read_dir(data.join("blobs/bodies"))
        .into_iter()
        .flatten()
        .flatten()
        .flat_map(|hour| std::fs::read_dir(hour.path()).unwrap().flatten())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_crawl_of_the_same_corpus_works_before_and_after() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 12, ..TestSiteConfig::default() })).unwrap();
    let calm = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    calm.run();
    let (wanted, _) = calm.documents();
    let folder = TempDir::new().unwrap();
    let mut pages: Vec<Capture> = wanted.keys().map(|url| Capture::of(url, OLD, page("An old capture"))).collect();
    pages.push(Capture::of("https://elsewhere.example/", NEW, page("Elsewhere")));
    let path = written(&folder, "a.warc.gz", &pages);
    let crawl = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    assert!(run(&crawl.data(), &[&path]).0.status.success());
    assert_eq!(documents(&crawl.data()).len(), pages.len());
    crawl.run();
    let after = documents(&crawl.data());
    assert_eq!(after.len(), pages.len());
    for (url, document) in &wanted {
        assert_eq!(after[url].text, document.text, "{url}");
    }
    // What was crawled is newer than the archive.
    let (output, told) = run(&crawl.data(), &[&path, "--again"]);
    assert!(output.status.success(), "{told}");
    let texts = |all: &BTreeMap<String, IndexDocument>| all.values().map(|one| one.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&documents(&crawl.data())), texts(&after));
}

#[test]
fn what_cannot_be_imported_is_said_in_one_line_with_exit_code_1() {
    let folder = TempDir::new().unwrap();
    let good = written(&folder, "good.warc.gz", &[Capture::of("https://a.example/", NEW, page("Good"))]);
    let bad = folder.path().join("bad.warc.gz");
    std::fs::write(&bad, "<Error>AccessDenied</Error>").unwrap();
    let bad = bad.to_str().unwrap().to_owned();
    let data = folder.path().join("data");
    for (arguments, wanted) in [
        (vec!["nowhere.warc"], "nowhere.warc"),
        (vec![&*good, &bad], "1 of 2 inputs are no web archives"),
        (vec!["http://127.0.0.1:1/a.warc.gz"], "fetch.allow_private"),
        (vec!["@list", "--base", "/somewhere"], "--base"),
    ] {
        let (output, told) = run(&data, &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.lines().last().unwrap_or("").contains(wanted), "{arguments:?}: {told}");
    }
    assert_eq!(documents(&data).len(), 1, "the good one is there all the same");
}

#[test]
fn the_commands_of_the_documentation_work_as_they_stand() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("archives")).unwrap();
    for name in ["crawl.warc.gz", "archives/a.warc.gz", "b.warc.gz"] {
        written(&folder, name, &[Capture::of(&format!("https://a.example/{name}"), NEW, page("A page"))]);
    }
    std::fs::write(folder.path().join("paths.txt"), "b.warc.gz\n").unwrap();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/archives.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let commands: Vec<&str> = docs.lines().filter(|line| line.starts_with("gristmill import ")).collect();
    assert!(commands.len() >= 2, "{commands:?}");
    for command in commands {
        let mut program = gristmill();
        program.args(command.split(' ').skip(1)).current_dir(&folder).stdin(Stdio::null());
        let output = finish(program);
        assert!(output.status.success(), "{command}: {}", text(&output));
    }
    assert_eq!(documents(&folder.path().join("gristmill-data")).len(), 3);
}

#[test]
fn over_kafka_the_pages_go_to_the_extractors_that_run_elsewhere() {
    let Some(address) = broker::shared() else { return };
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 1, n_pages: 1, ..TestSiteConfig::default() })).unwrap();
    let mut cluster = Processes::of(&web, &address, "");
    for service in ["extractor", "indexer"] {
        cluster.start(service, service, "data", None);
    }
    let folder = TempDir::new().unwrap();
    let pages: Vec<Capture> =
        (0..40).map(|n| Capture::of(&format!("https://site{n}.example/"), NEW, page("Over Kafka"))).collect();
    let path = written(&folder, "a.warc.gz", &pages);
    let config = cluster.dir.path().join("gristmill.toml");
    let own = folder.path().join("own");
    for wanted in ["imported 40 pages", "imported already"] {
        let (output, told) = run(&own, &[&path, "--config", config.to_str().unwrap()]);
        assert!(output.status.success() && told.contains(wanted), "{told}");
    }
    cluster.until("all is indexed", Duration::from_secs(90), |cluster| cluster.count("data") == 40);
    let found = cluster.documents("data");
    let mut told = String::new();
    for page in &pages {
        let url = CanonicalUrl::parse(&page.url, None).unwrap();
        writeln!(told, "{url}").unwrap();
        assert!(found.contains_key(url.as_str()), "{url} is missing of {PARTITIONS} partitions");
    }
}
