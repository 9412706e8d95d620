//! `gristmill crawl --archive DIR`: what was fetched stands in web archives, once, whatever happens.

use crate::common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::archive::{Found, answers, check, extracted, files, records};
use common::{Crawl, fetches, finish, kill_again_and_again, soak, text};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
use gristmill_warc::RecordKind;

/// A crawl of `web`, and the folder of its archives.
fn archived(web: &TestWeb, settings: &str) -> (Crawl, PathBuf) {
    let crawl = Crawl::of(web, "0s", settings);
    let folder = crawl.dir.path().join("archive");
    (crawl, folder)
}

fn command(crawl: &Crawl, folder: &Path) -> Command {
    let mut command = crawl.command();
    command.arg("--archive").arg(folder);
    command
}

fn run(crawl: &Crawl, folder: &Path) {
    let output = finish(command(crawl, folder));
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn a_crawl_stands_in_its_archive_and_reads_back_as_the_same_documents() {
    let web = TestWeb::start(TestSite::new(TestSiteConfig::default())).unwrap();
    let (crawl, folder) = archived(&web, "[blobs]\ninline_limit = 3000\n[archiver]\noperator = \"A. Miller\"\n");
    run(&crawl, &folder);
    let records = records(&folder);
    check(&folder, &records);
    assert_eq!(answers(&records), fetches(&web), "not every request stands in the archive once");
    let of = |path: &str| {
        let url = web.site().url(0, path);
        records.iter().find(|record| record.is_answer() && record.url == url).unwrap_or_else(|| panic!("no {url}"))
    };
    for (path, status) in [
        ("/", 200),
        ("/robots.txt", 200),
        ("/sitemap-more.xml.gz", 200),
        ("/old/1", 301),
        ("/missing.html", 404),
        ("/gone.html", 410),
    ] {
        assert_eq!(of(path).status(), status, "{path}");
    }
    assert!(String::from_utf8_lossy(&of("/missing.html").body).ends_with("\r\n\r\n<h1>Not found</h1>"));
    let sitemap = &of("/sitemap-more.xml.gz").body;
    assert!(sitemap.windows(6).any(|bytes| bytes == b"\r\n\r\n\x1f\x8b"), "a file that is gzip stays gzip");
    for record in records.iter().filter(|record| record.kind != RecordKind::Warcinfo) {
        assert_eq!(record.fields["WARC-IP-Address"], "127.0.0.1");
    }
    let info = records.iter().find(|record| record.kind == RecordKind::Warcinfo).unwrap();
    assert!(String::from_utf8_lossy(&info.body).contains("operator: A. Miller"), "{info:?}");
    assert_reads_back(&web, &crawl, &folder);
    let bodies = crawl.data().join("blobs/captures");
    let left: usize = files(&bodies, "").iter().map(|hour| files(hour, "").len()).sum();
    assert_eq!(left, 0, "bodies that stand in the archive are left in the blob store");
}

/// The archives give the texts of the index, and beyond them only pages that do not belong there.
fn assert_reads_back(web: &TestWeb, crawl: &Crawl, folder: &Path) {
    let ((documents, _), texts) = (crawl.documents(), extracted(folder));
    for (url, document) in &documents {
        assert_eq!(texts.get(url), Some(&document.text), "{url}");
    }
    let outside = web.site().expected().fetched_only;
    let extra: Vec<_> = texts.keys().filter(|url| !documents.contains_key(*url) && !outside.contains(*url)).collect();
    assert!(extra.is_empty(), "{extra:?}");
}

#[test]
fn unchanged_pages_are_revisits_and_the_archive_reads_back_as_before() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 30, ..TestSiteConfig::default() })).unwrap();
    let (crawl, folder) = archived(&web, "");
    run(&crawl, &folder);
    let mut again = command(&crawl, &folder);
    again.arg("--again");
    let output = finish(again);
    assert!(output.status.success(), "{}", text(&output));
    let records = records(&folder);
    check(&folder, &records);
    assert_eq!(answers(&records), fetches(&web));
    let revisits = |profile: &str| {
        let is_one = |record: &&Found| record.fields.get("WARC-Profile").is_some_and(|told| told.ends_with(profile));
        records.iter().filter(is_one).collect::<Vec<_>>()
    };
    let (unmodified, same) = (revisits("/server-not-modified"), revisits("/identical-payload-digest"));
    assert!(unmodified.len() > 60 && same.len() >= 4, "{} and {}", unmodified.len(), same.len());
    for record in unmodified.iter().chain(&same) {
        let first = records.iter().find(|first| {
            first.kind == RecordKind::Response
                && first.url == record.fields["WARC-Refers-To-Target-URI"]
                && first.fields["WARC-Date"] == record.fields["WARC-Refers-To-Date"]
        });
        let first = first.unwrap_or_else(|| panic!("{record:?} refers to nothing"));
        assert_eq!(first.url, record.url);
        assert!(record.body.ends_with(b"\r\n\r\n"), "a revisit has no body");
        let digests = [first, record].map(|record| record.fields.get("WARC-Payload-Digest"));
        assert!(digests[1].is_none() || digests[0] == digests[1]);
    }
    assert!(unmodified.iter().all(|record| record.status() == 304) && same.iter().all(|record| record.status() == 200));
    let whole: BTreeSet<&str> = same.iter().map(|record| record.url.as_str()).collect();
    assert!(whole.contains("http://site0.test/sitemap.xml"), "{whole:?}");
    assert_reads_back(&web, &crawl, &folder);
}

#[test]
fn the_commands_of_the_documentation_write_an_archive_and_read_it_back() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/archives.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once("\n## Write an archive\n").unwrap();
    let commands = section.split_once("```sh\n").unwrap().1.split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut command = common::shell(commands);
    command.current_dir(&folder);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    check(&folder.path().join("my-archive"), &records(&folder.path().join("my-archive")));
    let manifest = std::fs::read_to_string(folder.path().join("my-dataset/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert!(manifest["counts"]["pages"].as_u64().unwrap() > 25, "{manifest}");
}

#[test]
fn killed_at_any_moment_nothing_is_missing_in_the_archive_and_nothing_stands_there_twice() {
    let (kills, n_pages) = if soak() { (25, 200) } else { (3, 50) };
    let config = TestSiteConfig { n_hosts: 6, n_pages, delay: Duration::from_millis(30), ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    // Files are finished all the time, so that kills meet them.
    let settings =
        "[frontier.retry]\ndelay = \"50ms\"\n[archiver]\nrotate_bytes = 10000\n[blobs]\ninline_limit = 1000\n";
    let (calm, calm_folder) = archived(&web, settings);
    run(&calm, &calm_folder);
    let n_requests = web.log().len();

    let (crawl, folder) = archived(&web, settings);
    kill_again_and_again(&web, kills, n_requests, || command(&crawl, &folder));
    run(&crawl, &folder);

    let ([calm, killed], n_files) =
        ([&calm_folder, &folder].map(|folder| records(folder)), files(&folder, ".warc.gz").len());
    println!("{kills} kills, {n_files} files");
    assert!(n_files > 50, "{n_files} files");
    check(&folder, &killed);
    let [mut missing, mut further] = [answers(&calm), answers(&killed)];
    further.retain(|url, count| missing.remove(url).is_none_or(|calm| calm != *count));
    // One id twice: a capture was written twice; two ids: the page was fetched twice.
    for found in killed.iter().filter(|found| found.is_answer() && further.contains_key(&found.url)) {
        println!("{} {} {}", found.url, found.fields["WARC-Date"], found.fields["WARC-Record-ID"]);
    }
    for entry in web.log().iter().skip(n_requests).filter(|entry| further.contains_key(&entry.url())) {
        println!("asked: {} at {} ms", entry.url(), entry.started_ms);
    }
    assert!(missing.is_empty() && further.is_empty(), "missing: {missing:?}, further: {further:?}");
    let bodies = |records: &[Found]| {
        let answers = records.iter().filter(|record| record.is_answer());
        answers.map(|record| (record.url.clone(), record.body.clone())).collect::<BTreeSet<_>>()
    };
    assert!(bodies(&calm) == bodies(&killed), "the answers differ");
    assert_reads_back(&web, &crawl, &folder);
}

#[test]
fn answers_that_were_cut_say_why_and_other_tools_accept_them() {
    let config = TestSiteConfig { n_hosts: 1, n_pages: 1, link_hostile: true, ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let settings = "[fetch]\nread_timeout = \"3s\"\ntotal_timeout = \"8s\"\nmax_wire_bytes = 200000\n\
                    [frontier]\nmax_pages_per_host = 150\n\
                    [frontier.politeness]\nbackoff = \"100ms\"\nmax_backoff = \"200ms\"\nmax_retry_after = \"1s\"\n\
                    [frontier.retry]\ndelay = \"100ms\"\nmax_delay = \"200ms\"\ntimeout = 0\ntoo_slow = 0\nprotocol = 0\n\
                    rate_limited = 0\nunavailable = 0\nserver_error = 0\n";
    let (crawl, folder) = archived(&web, settings);
    run(&crawl, &folder);
    let records = records(&folder);
    check(&folder, &records);
    let reasons: BTreeSet<&str> =
        records.iter().filter_map(|record| record.fields.get("WARC-Truncated")).map(String::as_str).collect();
    assert_eq!(reasons, BTreeSet::from(["disconnect", "length", "unspecified"]));
}

#[test]
fn a_folder_that_cannot_be_written_ends_the_crawl_with_its_path() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 1, n_pages: 1, ..TestSiteConfig::default() })).unwrap();
    let crawl = Crawl::of(&web, "0s", "");
    let file = crawl.dir.path().join("gristmill.toml");
    let output = finish(command(&crawl, &file.join("archive")));
    assert_failed(&output, "gristmill.toml/archive`", "Not a directory");
    assert!(web.log().is_empty(), "nothing is fetched that cannot be kept");
}

#[test]
fn a_full_disk_ends_the_crawl_with_the_path_and_the_next_run_has_all_of_it() {
    let disk = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(disk.path()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: a small file system to fill cannot be mounted here (needs root)");
        return;
    }
    let mount = Mount(disk.path().to_owned());
    let web = TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 100, ..TestSiteConfig::default() }))
        .unwrap();
    let (crawl, folder) = archived(&web, "");
    let output = finish(command(&crawl, &disk.path().join("archive")));
    assert_failed(&output, disk.path().to_str().unwrap(), "No space left");
    drop(mount);
    run(&crawl, &folder);
    let records = records(&folder);
    check(&folder, &records);
    assert_eq!(answers(&records), fetches(&web));
}

/// One line with the path and the reason, and exit code 1.
fn assert_failed(output: &std::process::Output, path: &str, reason: &str) {
    assert_eq!(output.status.code(), Some(1), "{}", text(output));
    let told = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("gristmill: ")).collect();
    assert!(matches!(lines[..], [line] if line.contains(path) && line.contains(reason)), "{}", text(output));
}

struct Mount(PathBuf);

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
