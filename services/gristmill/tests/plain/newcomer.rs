//! What a person meets who has just built the program: a reason and a remedy wherever nothing comes of a command.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::server::{Answer, HTML, serve};
use common::{finish, gristmill, text};

const PAGE: &str =
    "<title>The mill</title><h1>The mill</h1><p>The mill grinds rye, day and night, and its stones turn slowly.</p>";

fn site(path: &str) -> Answer {
    let page = |more: &str| ("200 OK", HTML, format!("{PAGE}{more}"));
    match path {
        "/robots.txt" => ("200 OK", "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /shut\n".to_owned()),
        "/" => page("<a href=/one>One mill</a> <a href=/shut>Shut</a>"),
        "/one" | "/list/a" | "/list/b" => page(""),
        "/gone" => ("410 Gone", "", String::new()),
        "/guarded" => ("403 Forbidden", "", String::new()),
        "/locked" => ("401 Unauthorized", "", String::new()),
        "/nowhere" => ("302 Found", "", String::new()),
        "/empty" => ("200 OK", HTML, String::new()),
        "/empty.xml" => ("200 OK", "Content-Type: text/xml\r\n", "<urlset></urlset>".to_owned()),
        "/ill" => ("500 Internal Server Error", "", String::new()),
        "/moved" => ("302 Found", "Location: /gone\r\n", String::new()),
        "/paper" => ("200 OK", "Content-Type: application/pdf\r\n", "%PDF-1.7".to_owned()),
        _ => ("404 Not Found", "", String::new()),
    }
}

/// A crawl without pauses and with quick retries.
fn crawl(data: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.envs([("GRISTMILL__FRONTIER__RETRY__DELAY", "50ms"), ("GRISTMILL__FRONTIER__RETRY__MAX_DELAY", "50ms")]);
    command.args(["crawl", "--delay", "0s", "--data"]).arg(data).args(arguments);
    command
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a shell makes of a line that the program printed.
fn pasted(line: &str, dir: &Path) -> Output {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(dir);
    finish(shell)
}

#[test]
fn a_watch_of_nothing_wants_a_url_and_shows_no_built_in_site() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["watch", "--data"]).arg(dir.path().join("data"));
    let refused = finish(command);
    assert!(!refused.status.success() && told(&refused).contains("name a URL to start from"), "{}", text(&refused));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_crawl_of_this_machine_ends_with_1_and_the_flag_that_it_names_opens_the_way() {
    let url = format!("http://{}/", serve(|_, path| site(path)));
    let dir = tempfile::tempdir().unwrap();
    let refused = finish(crawl(dir.path(), &[&url]));
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
    for part in ["nothing could be fetched", &url, "loopback", "`--allow-private`", "`fetch.allow_private`"] {
        assert!(told(&refused).contains(part), "{part}: {}", text(&refused));
    }
    let explain = told(&refused).lines().find_map(|line| line.strip_prefix("  more of it: ")).unwrap().to_owned();
    let explained = pasted(&explain, dir.path());
    assert!(String::from_utf8_lossy(&explained.stdout).contains("--allow-private"), "{}", text(&explained));
    let allowed = finish(crawl(dir.path(), &[&url, "--allow-private"]));
    assert!(allowed.status.success() && text(&allowed).contains("2 pages fetched"), "{}", text(&allowed));
}

#[test]
fn each_kind_of_failure_ends_with_1_its_reason_and_what_helps() {
    let address = serve(|_, path| site(path));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (url, reason, help) in [
        (format!("http://{address}/gone"), "no such page (status 410)", "slips"),
        (format!("http://{address}/guarded"), "refuses it (status 403)", "`fetch.contact`"),
        (format!("http://{address}/locked"), "asks for a login (status 401)", "`password` of a `[[sites]]` entry"),
        (format!("http://{address}/nowhere"), "without a page (status 302)", "`Location`"),
        (format!("sitemap:http://{address}/empty.xml"), "was taken for a sitemap: it lists no page", "`--no-follow`"),
        (format!("http://{address}/ill"), "a fault of its own (status 500)", "try later"),
        (format!("http://{address}/moved"), "redirects to", "slips"),
        (format!("http://{address}/paper"), "file of another type", "is of type `application/pdf`"),
        (
            format!("http://{address}/shut"),
            "robots.txt forbids it, by its line `Disallow: /shut`",
            "`frontier.robots.enabled",
        ),
        (format!("http://{closed}/"), "nobody answers", "is the server up"),
        ("http://no-such-host.invalid/".to_owned(), "the name of its host has no address", "spelling"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let output = finish(crawl(dir.path(), &[&url, "--allow-private"]));
        assert_eq!(output.status.code(), Some(1), "{url}: {}", text(&output));
        assert!(told(&output).contains(reason) && told(&output).contains(help), "{url}: {}", text(&output));
    }
}

#[test]
fn an_empty_data_directory_and_a_proxy_that_is_none_are_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    for (data, arguments, says) in [
        ("", &["http://mill.test/"][..], "`--data` (setting `data`) is empty"),
        ("d", &["--proxy", "proxy.test:3128", "http://mill.test/"], "`fetch.proxy` must be a URL"),
    ] {
        let mut command = gristmill();
        command.env("GRISTMILL__DATA", data).arg("crawl").args(arguments).current_dir(dir.path());
        let refused = finish(command);
        assert!(refused.status.code() == Some(2) && told(&refused).contains(says), "{}", text(&refused));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{arguments:?}");
    }
}

#[test]
fn what_is_not_indexed_and_a_proxy_that_is_down_are_told() {
    let address = serve(|_, path| site(path));
    let dir = tempfile::tempdir().unwrap();
    let output = finish(crawl(dir.path(), &[&format!("http://{address}/empty"), "--allow-private"]));
    assert!(output.status.success() && told(&output).contains("is to be indexed; `"), "{}", text(&output));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let proxy = format!("http://{closed}");
    let output = finish(crawl(dir.path(), &["http://mill.test/", "--allow-private", "--proxy", &proxy]));
    assert!(told(&output).contains("on the way over its proxy"), "{}", text(&output));
}

#[test]
fn a_start_url_that_leads_to_another_domain_is_told_with_where_to_start() {
    let address = serve(|host, path| match host {
        "old.test" => ("301 Moved", "Location: http://new.test/\r\n", String::new()),
        _ => site(path),
    });
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("g.toml");
    std::fs::write(&config, format!("[fetch.resolve]\n\"old.test\" = \"{address}\"\n\"new.test\" = \"{address}\"\n"))
        .unwrap();
    let mut command = crawl(&dir.path().join("data"), &["http://old.test/", "--allow-private", "--config"]);
    command.arg(config);
    let output = finish(command);
    let told = told(&output);
    assert!(told.contains("redirects to another domain, http://new.test/"), "{}", text(&output));
    assert!(told.contains("starts from http://new.test/"), "{told}");
}

#[test]
fn trouble_with_a_name_is_told_while_it_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = crawl(dir.path(), &["http://no-such-host.invalid/"]);
    let output = finish({
        command.env("GRISTMILL__FRONTIER__RETRY__DELAY", "900ms").env("GRISTMILL__FRONTIER__RETRY__MAX_DELAY", "2s");
        command
    });
    let told = told(&output);
    let (while_waiting, _) = told.split_once("nothing could be fetched").unwrap();
    assert!(while_waiting.contains("could not find an address"), "{told}");
    assert!(while_waiting.contains("it is tried again (`frontier.retry`"), "{told}");
}

#[test]
fn a_finished_crawl_says_so_and_the_command_that_it_prints_fetches_once_more() {
    let url = format!("http://{}/", serve(|_, path| site(path)));
    let dir = tempfile::tempdir().unwrap();
    let first = finish(crawl(dir.path(), &[&url, "--allow-private"]));
    assert!(text(&first).contains("2 pages fetched") && !text(&first).contains("--again"), "{}", text(&first));
    let second = finish(crawl(dir.path(), &[&url, "--allow-private"]));
    assert!(
        second.status.success() && told(&second).contains("everything that was found is fetched"),
        "{}",
        text(&second)
    );
    let line = told(&second).lines().find(|line| line.ends_with(" --again")).unwrap().trim().to_owned();
    let again = pasted(&line, dir.path());
    assert!(again.status.success() && text(&again).contains("2 pages fetched"), "{line}: {}", text(&again));
    assert!(text(&again).contains("index        2 documents"), "{}", text(&again));
}

#[test]
fn the_hints_of_the_first_run_work_when_pasted() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.current_dir(dir.path()).args(["crawl", "--data", "my corpus"]);
    let output = finish(command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, hints) = printed.split_once("\ntry:  ").unwrap_or_else(|| panic!("{}", text(&output)));
    let searches: Vec<&str> = hints.lines().map(str::trim).filter(|line| line.contains(" search ")).collect();
    assert_eq!(searches.len(), 2, "{hints}");
    for line in searches {
        let found = pasted(line, dir.path());
        assert!(String::from_utf8_lossy(&found.stdout).starts_with(" 1. "), "{line}: {}", text(&found));
    }
    assert!(hints.contains(" serve --data 'my corpus'"), "{hints}");
}

#[test]
fn lists_of_urls_are_read_from_standard_input_and_from_files() {
    let address = serve(|_, path| site(path));
    let dir = tempfile::tempdir().unwrap();
    let [list, bad] = ["urls.txt", "bad.txt"].map(|name| dir.path().join(name));
    std::fs::write(&list, format!("# mills\nhttp://{address}/list/a\r\n\n  http://{address}/list/b\n")).unwrap();
    std::fs::write(&bad, "example.org\nmailto:me@example.org\n").unwrap();
    let of_file = crawl(&dir.path().join("d1"), &["--allow-private", "--urls", list.to_str().unwrap()]);
    let mut of_stdin = crawl(&dir.path().join("d2"), &["--allow-private", "-"]);
    of_stdin.stdin(std::fs::File::open(&list).unwrap());
    for command in [of_file, of_stdin] {
        let output = finish(command);
        assert!(output.status.success() && text(&output).contains("2 pages fetched"), "{}", text(&output));
    }
    std::fs::write(&bad, format!("mailto:me@example.org\n\t http://{address}/list/a\nhttp://\n")).unwrap();
    let partly = finish(crawl(&dir.path().join("d3"), &["--allow-private", "--urls", bad.to_str().unwrap()]));
    let said = told(&partly);
    assert!(partly.status.success() && text(&partly).contains("1 pages fetched"), "{}", text(&partly));
    assert!(said.contains("line 1 of") && said.contains("line 3 of") && said.contains("left out"), "{said}");
    std::fs::write(&bad, "mailto:me@example.org\n").unwrap();
    let refused = finish(crawl(&dir.path().join("d5"), &["--urls", bad.to_str().unwrap()]));
    assert!(refused.status.code() == Some(1) && told(&refused).contains("line 1 of"), "{}", text(&refused));
    let nothing = finish(crawl(&dir.path().join("d4"), &["-"]));
    assert!(nothing.status.code() == Some(1) && told(&nothing).contains("holds no URL"), "{}", text(&nothing));
}

#[test]
fn the_end_tells_what_brings_pages_that_scripts_write_and_those_of_sites_that_did_not_answer() {
    let shell = "<title>My app</title><div id=root></div><script src=/main.js></script>";
    let address = serve(|_, path| match path {
        "/" => ("200 OK", HTML, shell.to_owned()),
        path => site(path),
    });
    let dir = tempfile::tempdir().unwrap();
    // Nobody listens at the first port.
    let starts = [format!("http://{address}/"), "http://127.0.0.1:1/".to_owned()];
    let ended = finish(crawl(dir.path(), &[&starts[0], &starts[1], "--allow-private"]));
    let said = told(&ended);
    assert!(ended.status.success() && said.contains("1 of 1 pages have no text as they were sent"), "{said}");
    assert!(said.contains("`--render auto`"), "{said}");
    assert!(said.contains("1 URLs failed since no answer came") && said.contains("the same command"), "{said}");
}

#[test]
fn links_that_are_left_alone_are_told_at_the_end() {
    let address = serve(|_, path| match path {
        "/" => ("200 OK", HTML, format!("{PAGE}<a rel=nofollow href=/one>One</a> <a rel=nofollow href=/two>Two</a>")),
        path => site(path),
    });
    let dir = tempfile::tempdir().unwrap();
    let ended = finish(crawl(dir.path(), &[&format!("http://{address}/"), "--allow-private"]));
    let said = text(&ended);
    assert!(said.contains("1 pages fetched") && said.contains("nofollow 2"), "{said}");
}

#[test]
fn what_failed_for_a_reason_that_may_pass_is_asked_for_by_the_same_command() {
    let is_mended = Arc::new(AtomicBool::new(false));
    let mended = Arc::clone(&is_mended);
    let address = serve(move |_, path| match path {
        "/robots.txt" => ("200 OK", "Content-Type: text/plain\r\n", "Sitemap: /list.xml".to_owned()),
        "/" => ("200 OK", HTML, format!("{PAGE}<a href=/sick>A sick page</a>")),
        "/sick" if mended.load(Ordering::SeqCst) => ("200 OK", HTML, PAGE.to_owned()),
        "/sick" | "/list.xml" => ("500 Internal Server Error", "", String::new()),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let run = || finish(crawl(dir.path(), &[&format!("http://{address}/"), "--allow-private"]));
    let first = told(&run());
    assert!(first.contains("/list.xml`, which robots.txt names, could not be fetched"), "{first}");
    is_mended.store(true, Ordering::SeqCst);
    let second = run();
    let said = text(&second);
    assert!(said.contains("2 URLs that failed by the network or by a fault of their server"), "{said}");
    assert!(said.contains("1 pages fetched") && said.contains("2 done"), "{said}");
}

#[test]
fn explain_tells_people_in_sentences_and_programs_in_json() {
    let address = serve(|_, path| site(path));
    let dir = tempfile::tempdir().unwrap();
    let crawled = finish(crawl(dir.path(), &[&format!("http://{address}/"), "--allow-private"]));
    assert!(crawled.status.success(), "{}", text(&crawled));
    let explain = |path: &str, more: &[&str]| {
        let mut command = gristmill();
        command.arg("explain").arg(format!("http://{address}{path}")).args(more).arg("--data").arg(dir.path());
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let home = explain("/", &[]);
    assert!(home.contains("stands in the index, as “The mill”") && home.contains("a start URL"), "{home}");
    assert!(!home.contains('{') && home.contains("status 200"), "{home}");
    let shut = explain("/shut", &[]);
    assert!(shut.contains("robots.txt forbids it, by its line `Disallow: /shut`"), "{shut}");
    assert!(explain("/one", &[]).contains("1 link from a start URL"), "{}", explain("/one", &[]));
    assert!(explain("/never", &[]).contains("It was never met"), "{}", explain("/never", &[]));
    let json: serde_json::Value = serde_json::from_str(&explain("/", &["--json"])).unwrap();
    assert_eq!(
        (json["document"]["title"].as_str(), json["frontier"]["known"]["state"].as_str()),
        (Some("The mill"), Some("done"))
    );
    // A store whose files were overwritten is told of as what it is, with what to delete and what that costs.
    for file in files(&dir.path().join("frontier")) {
        std::fs::write(file, [0x5a; 512]).unwrap();
    }
    let mut command = gristmill();
    command.arg("explain").arg(format!("http://{address}/")).arg("--data").arg(dir.path());
    let damaged = finish(command);
    let said = told(&damaged);
    assert_eq!(damaged.status.code(), Some(1), "{}", text(&damaged));
    assert!(said.contains("damaged") && said.contains("rm -r") && said.contains("Lost is"), "{said}");
    assert!(!said.contains("another gristmill"), "{said}");
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) => files.push(path),
        }
    }
    files
}

#[test]
fn what_cannot_be_is_refused_where_it_is_typed() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str], settings: &str| {
        let (data, file) = (dir.path().join("none"), dir.path().join("g.toml"));
        std::fs::write(&file, settings).unwrap();
        let mut command = gristmill();
        command.arg("--config").arg(file).arg("--data").arg(&data).args(args);
        let output = finish(command);
        assert!(!output.status.success() && !data.exists(), "{args:?}: {}", text(&output));
        text(&output)
    };
    for (args, words) in [
        (&["crawl", "http://a.test/", "--max-pages", "-1"][..], "--max-pages"),
        (&["crawl", "http://a.test/", "--header", "X Y: z"], "`X Y` is no name"),
        (&["search", "mill", "--from", "2025", "--to", "2024"], "`--from` lies after `--to`"),
        (&["search", "mill", "--limit", "-1"], "--limit"),
        (&["extract", "--url", "not a url", "-"], "https://example.org/page"),
        (&["--log", "nonsense", "status"], "`nonsense` is no level"),
        (&["reindex"], "nothing to build an index from"),
    ] {
        let told = run(args, "");
        assert!(told.contains(words), "{args:?}: {told}");
    }
    for (settings, words) in [
        ("[fetch.headers]\n'X Y' = 'a'", "`fetch.headers` has `X …`"),
        ("[[sites]]\nhosts = ['a.test']\nheaders = { 'X Y' = 'a' }", "`sites[0].headers` has `X …`"),
        ("[[sites]]\nhosts = ['a.test']\nusername = 'me'", "has `username` and no `password`"),
    ] {
        let told = run(&["config", "show"], settings);
        assert!(told.contains(words), "{settings}: {told}");
    }
}
