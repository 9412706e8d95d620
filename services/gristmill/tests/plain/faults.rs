//! Bad input and faults: a clear message or a recorded outcome, and the crawl goes on or stops cleanly.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::program::without_settings;
use common::{Crawl, finish, gristmill, text};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn no_arguments_and_wrong_use_exit_with_2() {
    let output = finish(gristmill());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Usage"), "{}", text(&output));
    let mut command = gristmill();
    command.args(["crawl", "--scope", "galaxy", "http://a.test/"]);
    let output = finish(command);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("possible values: host, domain, prefix, any"), "{}", text(&output));
    for (arguments, named) in [
        (&["crawl", "--delay", "soon", "http://a.test/"][..], "`500ms`"),
        (&["crawl", "--delay", "2", "http://a.test/"], "`2s`"),
        (&["crawl", "ftp://a.test/"], "scheme `ftp`"),
        (&["crawl", "http://u:p@a.test/"], "names a user"),
        (&["extract", "--method", "bset", "x.html"], "`best`"),
        (&["extract", "--format", "word", "x.html"], "markdown"),
        (&["extract", "--format", "parquet", "x.html"], "gristmill dataset"),
        (
            &["extract", "a.warc.gz", "--out", "rows"],
            "`gristmill extract --out` is `gristmill dataset ARCHIVE... --out DIR` now",
        ),
        (&["eval", "pages"], "`gristmill eval` is `gristmill-lab eval` now"),
        (&["export", "--format", "word"], "parquet"),
        (&["export", "--lang", "english"], "did you mean `en`?"),
        (&["search", "--lang", "English", "rye"], "did you mean `en`?"),
        (&["search", "rye", "--limt", "3"], "--limt"),
        (&["search", "rye", "-n", "3"], "-n"),
        (&["export", "--from", "soon"], "--from"),
        (&["serve", "--listen", "8080"], "NAME:PORT"),
        (&["serve", "--proxy", ":0", "--method", "bset"], "`best`"),
    ] {
        let mut command = gristmill();
        command.current_dir(std::env::temp_dir()).args(arguments);
        let output = finish(command);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
        assert!(stderr(&output).contains(named), "{arguments:?}: {}", text(&output));
    }
}

/// What a reader that goes at once leaves of a command: its exit code.
fn without_reader(mut command: Command) -> Option<i32> {
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer.try_clone().unwrap()).stderr(writer).stdin(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop((command, reader));
    child.wait().unwrap().code()
}

#[test]
fn a_reader_that_goes_stops_no_crawl_and_ends_other_commands_quietly() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 20, ..TestSiteConfig::default() })).unwrap();
    let crawl = Crawl::of(&web, "0s", "[telemetry]\nfilter = \"debug\"\n");
    assert_eq!(without_reader(crawl.command()), Some(0));
    let (documents, _) = crawl.documents();
    let calm = Crawl::of(&web, "0s", "");
    calm.run();
    assert_eq!(documents.len(), calm.documents().0.len(), "the crawl went on to its end");
    for arguments in [&["check"][..], &["export"], &["search", "the"], &["config", "show"], &["--help"]] {
        let mut command = gristmill();
        command.arg("--data").arg(crawl.data()).args(arguments);
        assert_eq!(without_reader(command), Some(0), "{arguments:?}");
    }
}

#[test]
fn settings_that_would_stop_a_crawl_are_told_by_config_show_and_secrets_are_not() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("g.toml");
    let show = |text: &str, variables: &[(&str, &str)]| {
        std::fs::write(&file, text).unwrap();
        let mut command = gristmill();
        command.arg("--config").arg(&file).args(["config", "show"]).envs(variables.iter().copied());
        finish(command)
    };
    let secrets = "[fetch]\nproxy = \"http://me:hunter2@proxy:3128\"\nheaders = { Authorization = \"hunter2\" }\n\
                   [blobs]\nurl = \"s3://bucket/p\"\n[blobs.s3]\nendpoint = \"https://me:hunter2@s3.test\"\naccess_key = \"hunter2\"\n\
                   secret_key = \"hunter2\"\n[sink.bulk]\nurl = \"https://search.test/?key=hunter2\"\n";
    let shown = show(secrets, &[]);
    assert!(!text(&shown).contains("hunter2") && text(&shown).contains("http://***@proxy:3128"), "{}", text(&shown));
    assert!(stderr(&shown).contains("`sink.bulk.url`") && shown.status.code() == Some(1), "{}", text(&shown));
    for (settings, named) in [
        ("[fetch]\nproxy = \"me:hunter2@proxy\"\n", "`fetch.proxy`"),
        ("[fetch]\nheaders = \"Authorization: hunter2\"\n", "fetch.headers"),
        ("[log.kafka.security]\npassword = \"hunter2\n", "line 2"),
        ("[fetch]\nmax_ratio = 0\n[indexer]\ncommit_every = \"0s\"\n", "`indexer.commit_every`"),
        ("[frontier.politeness]\nmax_backoff = \"1s\"\n", "max_backoff"),
        ("[frontier.scope]\nexclude = [\"(\"]\n", "("),
        ("[frontier]\nblock = [\"/nowhere/list\"]\n", "`frontier.block`: could not read `/nowhere/list`"),
        ("[scheduler]\nmax_in_flight = 0\n", "`scheduler.max_in_flight`"),
        ("[extractor]\nmethod = \"bset\"\n", "`extractor.method`"),
        ("[telemetry]\nfilter = \"=x=\"\n", "telemetry.filter"),
    ] {
        let output = show(settings, &[]);
        assert_eq!(output.status.code(), Some(1), "{settings}: {}", text(&output));
        assert!(stderr(&output).contains(named) && !text(&output).contains("hunter2"), "{settings}: {}", text(&output));
    }
    let misspelt = show("\n[fetch]\ncontatc = \"x\"\n", &[]);
    let told = stderr(&misspelt);
    assert!(told.contains("`fetch.contatc`") && told.contains("line 3") && told.contains("`fetch.contact`"), "{told}");
    let single = show("", &[("GRISTMILL_FETCH_CONTACT", "x")]);
    assert!(stderr(&single).contains("GRISTMILL__FETCH__CONTACT") && !single.status.success(), "{}", text(&single));
    assert!(show("", &[("GRISTMILL_DATA", "x"), ("GRISTMILL_SEARCHER_PORT", "1")]).status.success());
}

#[test]
fn a_list_of_dead_addresses_ends_at_the_limit_of_pages() {
    let config = TestSiteConfig { n_hosts: 1, n_pages: 2, ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let crawl = Crawl::of(&web, "0s", "[frontier]\nmax_pages = 30\n");
    let list = crawl.dir.path().join("dead.txt");
    let dead: String =
        (0..400).map(|n| format!("{}\n", web.site().url(0, &format!("/never/there/{n}.html")))).collect();
    std::fs::write(&list, dead).unwrap();
    let mut command = crawl.command();
    command.args(["--no-follow", "--urls"]).arg(&list);
    let output = finish(command);
    assert!(web.log().len() < 80, "{} requests: {}", web.log().len(), text(&output));
}

#[test]
fn an_unknown_setting_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("g.toml");
    std::fs::write(&file, "[frontier.politeness]\nmin_delai = \"1s\"\n").unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(&file).args(["config", "show"]);
    let output = finish(command);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("min_delai") && stderr(&output).contains("min_delay"), "{}", text(&output));
}

#[test]
fn settings_from_the_environment_show_and_flags_win() {
    let mut command = gristmill();
    command.env("GRISTMILL__FRONTIER__POLITENESS__MIN_DELAY", "3s").args(["config", "show"]);
    let output = finish(command);
    assert!(String::from_utf8_lossy(&output.stdout).contains("min_delay = \"3s\""), "{}", text(&output));
    // What `config show` prints is a settings file.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("shown.toml");
    std::fs::write(&file, &output.stdout).unwrap();
    let mut again = gristmill();
    again.arg("--config").arg(&file).args(["config", "show"]);
    assert_eq!(finish(again).stdout, output.stdout);
}

#[test]
fn what_looks_like_a_number_in_the_environment_stays_text_where_text_is_meant() {
    let mut command = gristmill();
    command.env("GRISTMILL__FETCH__CONTACT", "+4930123").env("GRISTMILL__LOG__KAFKA__INSTANCE", "007");
    command.env("GRISTMILL__FRONTIER__MAX_PAGES", "12").env("GRISTMILL__SINK__TOPIC", "true").args(["config", "show"]);
    let output = finish(command);
    let shown = String::from_utf8_lossy(&output.stdout);
    for line in ["contact = \"+4930123\"", "instance = \"007\"", "max_pages = 12", "topic = true"] {
        assert!(shown.contains(line), "{line}: {}", text(&output));
    }
}

#[test]
fn hosts_that_cannot_be_reached_end_as_failures() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    let retry = ["DNS", "CONNECT", "TLS", "TIMEOUT", "PROTOCOL"];
    for kind in retry {
        command.env(format!("GRISTMILL__FRONTIER__RETRY__{kind}"), "0");
    }
    command.arg("--data").arg(dir.path().join("data")).args(["crawl", "--allow-private", "--delay", "0s"]);
    command.args(["http://nothing-here.invalid/", "http://127.0.0.1:9/"]);
    let output = finish(command);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("dns") && printed.contains("connect"), "{}", text(&output));
    assert!(stderr(&output).contains("nothing could be fetched"), "{}", text(&output));
}

#[test]
fn private_addresses_are_refused_unless_allowed() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 1, n_pages: 1, ..TestSiteConfig::default() })).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(dir.path().join("data")).args(["crawl", "--delay", "0s"]);
    command.arg(format!("http://{}/", web.addr()));
    let output = finish(command);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("refused_address"), "{}", text(&output));
    assert!(web.log().is_empty(), "no request may reach a private address");
}

#[test]
fn a_second_process_on_one_directory_is_told_to_wait() {
    let config =
        TestSiteConfig { n_hosts: 1, n_pages: 30, delay: Duration::from_millis(100), ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let crawl = Crawl::of(&web, "50ms", "");
    let mut first = crawl.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !crawl.data().join("status.json").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first crawl ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = finish(crawl.command());
    // While it runs, the first one answers questions about URLs.
    let mut explain = gristmill();
    explain.arg("--data").arg(crawl.data()).args(["explain", "--json", &web.site().seeds()[0]]);
    let explained = finish(explain);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("another gristmill") && stderr(&second).contains("--data"), "{}", text(&second));
    assert!(explained.status.success(), "{}", text(&explained));
    assert!(String::from_utf8_lossy(&explained.stdout).contains("\"frontier\": {"), "{}", text(&explained));
}

#[test]
fn a_signal_drains_and_the_same_command_goes_on() {
    let config =
        TestSiteConfig { n_hosts: 2, n_pages: 40, delay: Duration::from_millis(20), ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let crawl = Crawl::of(&web, "0s", "");
    let mut child = crawl.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // In the midst of it: some pages are fetched, most are not.
    while web.log().len() < 12 {
        assert!(child.try_wait().unwrap().is_none(), "the crawl ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("the crawl stopped"), "{}", text(&output));
    assert!(crawl.documents().0.len() > 1, "what was fetched is indexed");
    // The terminal is closed. Below `nohup` that is no signal to heed, and the tests may run there.
    let plain = crawl.command();
    let mut command = without_settings(Command::new("env"));
    command.arg("--default-signal=HUP").arg(plain.get_program()).args(plain.get_args());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let before = web.log().len();
    while web.log().len() < before + 12 {
        assert!(child.try_wait().unwrap().is_none(), "the crawl ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("the crawl stopped"), "{}", text(&output));
    crawl.run();
    assert_eq!(crawl.documents().0.len(), web.site().expected().indexed.len());
    let mut counts = std::collections::BTreeMap::new();
    for entry in web.log() {
        *counts.entry(entry.url()).or_insert(0u32) += 1;
    }
    // Pages that redirect to one another are asked once more, since a cookie may have been set on the way.
    let allowed = |url: &str| 1 + u32::from(url.contains("/loop/"));
    let twice: Vec<_> = counts.into_iter().filter(|(url, count)| *count > allowed(url)).collect();
    assert!(twice.is_empty(), "fetched twice across a clean stop: {twice:?}");
}

#[test]
fn hostile_pages_do_not_stop_a_crawl() {
    let config = TestSiteConfig { n_hosts: 1, n_pages: 12, link_hostile: true, ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let settings = "[fetch]\nread_timeout = \"1s\"\ntotal_timeout = \"3s\"\n\
                    [frontier]\nmax_pages_per_host = 400\n\
                    [frontier.politeness]\nbackoff = \"100ms\"\nmax_backoff = \"200ms\"\nmax_retry_after = \"1s\"\n\
                    [frontier.retry]\ndelay = \"100ms\"\nmax_delay = \"200ms\"\ntimeout = 0\ntoo_slow = 0\nprotocol = 0\n\
                    rate_limited = 1\nunavailable = 1\nserver_error = 0\n";
    // Resolve entries come first in the file; these tables follow them.
    let crawl = Crawl::of(&web, "0s", settings);
    let output = crawl.run();
    let (documents, _) = crawl.documents();
    let missing: Vec<_> =
        web.site().expected().indexed.into_iter().filter(|url| !documents.contains_key(url)).collect();
    assert!(missing.is_empty(), "missing {missing:?}\n{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    for outcome in ["ratio", "too_large", "not_found"] {
        assert!(printed.contains(outcome), "no `{outcome}` in\n{printed}");
    }
    println!("{printed}");
}

#[test]
fn a_full_disk_stops_the_crawl_with_a_message_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=6m", "tmpfs"]).arg(dir.path()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: a small file system to fill cannot be mounted here (needs root)");
        return;
    }
    let _mount = Mount(dir.path().to_owned());
    let config =
        TestSiteConfig { n_hosts: 2, n_pages: 300, n_paragraphs: 60, special: false, ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let crawl = Crawl::of(&web, "0s", "");
    let mut command = crawl.command();
    command.arg("--data").arg(dir.path().join("data"));
    // A flag may stand once: take the crawl's own data directory out.
    let args: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    let mut small = gristmill();
    let at = args.iter().position(|arg| arg == "--data").unwrap();
    small.args(args.iter().enumerate().filter(|(i, _)| *i != at && *i != at + 1).map(|(_, arg)| arg));
    let output = finish(small);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(said.contains("No space left") || said.contains("no space left"), "{}", text(&output));
    assert!(said.contains("make room there, and run the same command again"), "whatever stage met it: {said}");
}

struct Mount(std::path::PathBuf);

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn extract_answers_any_input() {
    let run = |input: &[u8], format: &str| {
        let mut child = gristmill()
            .args(["extract", "-", "--format", format])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    };
    let deep = "<div>".repeat(100_000).into_bytes();
    for input in [&b""[..], &[0xff; 1000], &deep] {
        let output = run(input, "json");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let has_text = answer["text"].as_str().is_some_and(|text| !text.is_empty());
        assert_eq!(output.status.code(), Some(i32::from(!has_text)), "{}", text(&output));
        assert_eq!(answer["reason"].is_string(), !has_text);
    }
    let picture = run(b"\x89PNG\r\n\x1a\n\0\0", "json");
    assert_eq!(picture.status.code(), Some(1), "{}", text(&picture));
    assert!(stderr(&picture).contains("PNG"), "{}", text(&picture));
    let page = "<h1>Mills</h1><p>The mill grinds grain, day and night, and the stones turn slowly.</p><nav><a href=/>Home</a></nav>";
    let output = run(page.as_bytes(), "markdown");
    assert!(String::from_utf8_lossy(&output.stdout).contains("The mill grinds grain"), "{}", text(&output));
}

#[test]
fn searching_nothing_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["search", "mill", "--data"]).arg(dir.path());
    let output = finish(command);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("gristmill crawl"), "{}", text(&output));
}
