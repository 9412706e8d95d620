//! A whole crawl: from seeds to hits, exactly what must be there, politely.

use crate::common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::server::{HTML, serve};
use common::{Crawl, finish, gristmill, text};
use gristmill_testweb::{LogEntry, TestSite, TestSiteConfig, TestWeb, shortest_pauses};

fn web(config: TestSiteConfig) -> TestWeb {
    TestWeb::start(TestSite::new(config)).unwrap()
}

#[test]
fn every_page_is_indexed_exactly_once_and_nothing_else_is() {
    let web = web(TestSiteConfig { n_hosts: 3, n_pages: 40, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "0s", "");
    let output = crawl.run();
    let expected = web.site().expected();
    let (documents, counts) = crawl.documents();
    let indexed: BTreeSet<String> = documents.keys().cloned().collect();
    let missing: Vec<_> = expected.indexed.difference(&indexed).collect();
    let extra: Vec<_> = indexed.difference(&expected.indexed).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}\n{}", text(&output));
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");

    let status = std::fs::read_to_string(crawl.data().join("status.json")).unwrap();
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    let outcomes: u64 = status["outcomes"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(status["orders"].as_u64(), Some(outcomes), "outcomes add up to orders: {status}");

    let requested: BTreeSet<String> = web.log().iter().map(|entry| entry.url()).collect();
    let forbidden: Vec<_> = expected.never.intersection(&requested).collect();
    assert!(forbidden.is_empty(), "fetched although it must not be: {forbidden:?}");
    let unvisited: Vec<_> = expected.fetched_only.difference(&requested).collect();
    assert!(unvisited.is_empty(), "never visited: {unvisited:?}");
}

#[test]
fn home_page_anchors_give_titles_and_both_languages_are_found() {
    let web = web(TestSiteConfig { n_hosts: 1, n_pages: 30, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "0s", "");
    crawl.run();
    let (documents, _) = crawl.documents();
    let mut tried = (0, 0);
    for document in
        documents.values().filter(|document| document.url.contains("/article/") || document.url.contains("/zh/"))
    {
        assert!(!document.title.is_empty(), "{}", document.url);
        let hits = crawl.search(&format!("\"{}\"", document.title));
        assert!(hits.contains(&document.url), "`{}` does not find {}: {hits:?}", document.title, document.url);
        if document.url.contains("/zh/") {
            tried.1 += 1
        } else {
            tried.0 += 1
        }
        if tried.0 >= 5 && tried.1 >= 5 {
            break;
        }
    }
    assert!(tried.0 > 0 && tried.1 > 0, "{tried:?}");
}

/// Gaps between requests as the server saw them, from the end of one to the beginning of the next; from its beginning where it
/// lasted longer than `pause`.
fn gaps(web: &TestWeb, pause: Duration) -> Vec<Duration> {
    let mut log = web.log();
    log.sort_by_key(|entry| entry.started);
    let from = |entry: &LogEntry| match entry.finished {
        Some(finished) if finished.duration_since(entry.started) <= pause => finished,
        _ => entry.started,
    };
    log.windows(2).map(|pair| pair[1].started.duration_since(from(&pair[0]))).collect()
}

#[test]
fn four_sites_on_one_address_leave_it_its_pause_from_their_first_requests_on() {
    let pause = Duration::from_millis(100);
    let web = web(TestSiteConfig { n_hosts: 4, n_pages: 25, n_addresses: 1, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "150ms", "[frontier.politeness]\nip_delay = \"100ms\"\n");
    crawl.run();
    let gaps = gaps(&web, pause);
    // A busy machine notes a request late, and so the gap behind it as shorter, the one before as longer. Four requests that were not
    // waited for come within next to no time.
    let four = gaps.windows(3).map(|gaps| gaps.iter().sum::<Duration>()).min();
    let n_short = gaps.iter().filter(|gap| **gap < pause.mul_f64(0.75)).count();
    println!("{} requests, shortest gap {:?}, below the pause: {n_short}", gaps.len() + 1, gaps.iter().min());
    assert!(gaps.len() > 80 && n_short * 20 <= gaps.len() && four >= Some(pause), "{n_short} short, four in {four:?}");
}

#[test]
fn no_two_requests_to_a_site_come_closer_than_the_delay_across_restarts_too() {
    let delay = Duration::from_millis(120);
    let web = web(TestSiteConfig { n_hosts: 3, n_pages: 25, n_addresses: 3, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "120ms", "[frontier.retry]\ndelay = \"100ms\"\n");
    for _ in 0..4 {
        let mut child =
            crawl.command().stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    crawl.run();
    let pauses = shortest_pauses(&web.log());
    assert_eq!(pauses.len(), 3);
    for (host, pause) in pauses {
        let pause = pause.unwrap_or_else(|| panic!("requests to {host} overlap"));
        assert!(pause >= delay, "{host}: {pause:?} is shorter than {delay:?}");
    }
    assert_eq!(crawl.documents().0.len(), web.site().expected().indexed.len());
}

#[test]
fn a_crawl_stops_at_its_limit_and_goes_on_with_a_higher_one() {
    let web = web(TestSiteConfig { n_hosts: 1, n_pages: 40, special: false, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "0s", "");
    let mut limited = crawl.command();
    limited.args(["--max-pages", "10"]);
    let output = finish(limited);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(crawl.documents().0.len(), 10, "{}", text(&output));
    let before = web.log().len();
    crawl.run();
    assert_eq!(crawl.documents().0.len(), web.site().expected().indexed.len());
    let pages = web.log().iter().skip(before).filter(|entry| !entry.path.ends_with(".txt")).count();
    let expected = web.site().expected();
    let all = expected.indexed.len() + expected.fetched_only.len();
    assert!(pages <= all - 10 + 1, "{pages} requests for what was left");
    let after = web.log().len();
    crawl.run();
    assert_eq!(web.log().len(), after, "a finished crawl asks for nothing");
}

#[test]
fn nothing_on_a_block_list_is_fetched_and_explain_says_so() {
    let web = web(TestSiteConfig { n_hosts: 1, n_pages: 20, special: false, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "0s", "");
    let list = crawl.dir.path().join("list");
    let seed = web.site().url(0, "/article/");
    std::fs::write(&list, format!("{}\n", seed.trim_end_matches('/'))).unwrap();
    let mut blocked = crawl.command();
    blocked.arg("--block").arg(&list);
    let output = finish(blocked);
    assert!(output.status.success(), "{}", text(&output));
    let is_blocked = |path: &str| path.starts_with("/article/");
    assert!(web.site().expected().indexed.iter().any(|url| url.contains("/article/")), "the web has such pages");
    assert!(web.log().iter().all(|entry| !is_blocked(&entry.path)), "{:?}", web.log());
    assert!(!crawl.documents().0.is_empty());
    let mut explain = gristmill();
    explain.arg("--config").arg(crawl.dir.path().join("gristmill.toml")).arg("--data").arg(crawl.data());
    explain
        .args(["explain", &web.site().url(0, "/article/1")])
        .env("GRISTMILL__FRONTIER__BLOCK", format!("[{list:?}]"));
    let output = finish(explain);
    assert!(text(&output).contains("a block list names its host or address"), "{}", text(&output));
}

#[test]
fn explain_tells_why() {
    let web = web(TestSiteConfig { n_hosts: 1, n_pages: 10, ..TestSiteConfig::default() });
    let crawl = Crawl::of(&web, "0s", "");
    crawl.run();
    let explain = |path: &str| {
        let mut command = gristmill();
        command.arg("--config").arg(crawl.dir.path().join("gristmill.toml"));
        command.args(["explain", "--json", &web.site().url(0, path), "--data"]).arg(crawl.data());
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(explain("/private/closed.html").contains("disallowed"), "{}", explain("/private/closed.html"));
    let home = explain("/");
    assert!(home.contains("\"document\": {") && home.contains("\"method\""), "{home}");
    let mut command = gristmill();
    command.args(["explain", "--json", "site0.test/private/closed.html", "--data"]).arg(crawl.data());
    let without_scheme = finish(command);
    assert!(
        text(&without_scheme).contains("\"url\": \"http://site0.test/private/closed.html\""),
        "{}",
        text(&without_scheme)
    );
    let mut command = gristmill();
    command.args(["explain", "--json", "site0.test/unknown", "--data"]).arg(crawl.data());
    assert!(text(&finish(command)).contains("\"url\": \"https://site0.test/unknown\""));
    let picture = explain("/disguised.html");
    assert!(picture.contains("\"failed\": \"bad_type\""), "{picture}");
}

#[test]
fn pages_linked_before_a_redirect_opened_their_host_are_fetched() {
    let address = serve(|host, path| match (host, path) {
        ("a.test", "/") => ("200 OK", HTML, "<p>Home of a<a href=http://www.b.test/early>early</a>".to_owned()),
        ("b.test", "/") => {
            // The page of a must be told first.
            std::thread::sleep(Duration::from_millis(700));
            ("301 Moved", "Location: http://www.b.test/list\r\n", String::new())
        }
        ("www.b.test", "/list") => ("200 OK", HTML, "<p>A list of b<a href=/early>early</a>".to_owned()),
        ("www.b.test", "/early") => ("200 OK", HTML, "<p>An early page of b".to_owned()),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let hosts = ["a.test", "b.test", "www.b.test"].map(|host| format!("\"{host}\" = \"{address}\"\n")).concat();
    std::fs::write(dir.path().join("g.toml"), format!("[fetch.resolve]\n{hosts}")).unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(dir.path().join("g.toml")).arg("--data").arg(dir.path().join("data"));
    command.args(["crawl", "--allow-private", "--delay", "0s", "http://a.test/", "http://b.test/"]);
    let output = finish(command);
    assert!(text(&output).contains("3 pages fetched"), "{}", text(&output));
}

#[test]
fn random_sitemap_indexes_without_end_are_asked_for_no_more_often_than_pages() {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = asked.clone();
    let address = serve(move |_, path| {
        let number = counter.fetch_add(1, Ordering::SeqCst);
        let sitemap = |n| format!("<sitemap><loc>/s/{number}-{n}.xml</loc></sitemap>");
        match path {
            "/robots.txt" => ("200 OK", "", "Sitemap: /s/0.xml".to_owned()),
            "/" => ("200 OK", HTML, "<p>A page with a few words of its own<a href=/two>two</a>".to_owned()),
            "/two" => ("200 OK", HTML, "<p>Another page with a few words of its own".to_owned()),
            _ => ("200 OK", "", format!("<sitemapindex>{}</sitemapindex>", (0..20).map(sitemap).collect::<String>())),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--max-pages", "50", "--max-depth", "3", "--data"]);
    command.arg(dir.path()).arg(format!("http://{address}/"));
    let output = finish(command);
    assert!(text(&output).contains("2 pages fetched"), "{}", text(&output));
    assert_eq!(
        asked.load(Ordering::SeqCst),
        54,
        "robots.txt, tdmrep.json, two pages, and as many sitemaps as pages were wanted"
    );
}

#[test]
fn what_stands_in_the_way_of_pages_is_no_document_and_is_told() {
    const FORM: &str =
        "<title>Sign in - The Mill</title><h1>Sign in</h1><form><input name=u><input type=password></form>";
    const CHALLENGE: &str = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Please wait";
    let address = serve(|_, path| match path {
        "/" => {
            let members: String = (0..9).map(|n| format!("<a href=/member/{n}>{n}</a>")).collect();
            let links =
                "<a href=/gone>g</a><a href=/guarded>c</a><a href=/shy>s</a><a href=/sold>p</a><a href=/rye>r</a>";
            ("200 OK", HTML, format!("<title>Mill</title><p>A home page with a few words of its own.{members}{links}"))
        }
        "/gone" => {
            ("200 OK", HTML, "<title>Page not found</title><h1>Oops! Page not found</h1><a href=/lost>x</a>".to_owned())
        }
        "/guarded" => ("403 Forbidden", HTML, CHALLENGE.to_owned()),
        "/shy" => ("403 Forbidden", "Content-Type: text/html\r\ncf-mitigated: challenge\r\n", String::new()),
        "/sold" => ("200 OK", HTML, "<title>mill.test</title><h1>This domain is for sale</h1>".to_owned()),
        "/rye" => ("200 OK", HTML, "<title>Rye</title><p>Rye grows on poor soil, and the mill grinds it.".to_owned()),
        path if path.starts_with("/login") => ("200 OK", HTML, FORM.to_owned()),
        path if path.starts_with("/member") => ("302 Found", "Location: /login?next=1\r\n", String::new()),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.env("GRISTMILL__FRONTIER__RETRY__RATE_LIMITED", "0");
    command.env("GRISTMILL__FRONTIER__POLITENESS__BACKOFF", "1ms");
    command.args(["crawl", "--allow-private", "--delay", "0s", "--data"]).arg(dir.path());
    command.arg(format!("http://{address}/"));
    let told = text(&finish(command));
    let status = std::fs::read_to_string(dir.path().join("status.json")).unwrap();
    let outcomes = serde_json::from_str::<serde_json::Value>(&status).unwrap()["outcomes"].clone();
    let counts = ["ok", "soft_not_found", "blocked", "parked", "login"].map(|name| outcomes[name].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(2), Some(1), Some(1)], "{status}\n{told}");
    assert!(told.contains("2 pages fetched"), "{told}");
    let mut explain = gristmill();
    explain.arg("--data").arg(dir.path()).args(["explain", &format!("http://{address}/guarded")]);
    let explained = text(&finish(explain));
    assert!(explained.contains("a challenge, a refusal or a question for consent"), "{explained}");
}

#[test]
fn endless_pages_of_one_template_end_when_they_bring_nothing_new_and_articles_do_not() {
    const AROUND: &str = "<title>Mill</title><nav>Home Events Articles Contact</nav><p>We grind rye, wheat and oats for all who come \
        by before noon, and sell what is left over to the bakers of the valley, who bake it in ovens of stone.</p>";
    let asked = Arc::new(AtomicU64::new(0));
    let counter = asked.clone();
    let address = serve(move |_, path| {
        let (kind, n) = path.rsplit_once('=').or_else(|| path.rsplit_once('/')).unwrap_or_default();
        let n: u64 = n.parse().unwrap_or(0);
        let body = match kind {
            // An endless pager that also shows each page in two orders.
            "/list?page" | "/list?sort=b&page" => {
                counter.fetch_add(1, Ordering::SeqCst);
                format!(
                    "<h1>Page {n}</h1><a href='/list?page={0}'>next</a><a href='/list?sort=b&page={0}'>by name</a>",
                    n + 1
                )
            }
            "/article" => {
                let words: String = (0..40)
                    .map(|at| format!("w{}{} ", "abcdefghij".chars().nth((n % 10) as usize).unwrap(), at * n))
                    .collect();
                let letters: String = words
                    .chars()
                    .map(|c| if c.is_ascii_digit() { (c as u8 - b'0' + b'k') as char } else { c })
                    .collect();
                format!("<h1>Article</h1><p>{letters}</p><a href=/article/{}>next</a>", n + 1)
            }
            _ if path == "/" => "<a href='/list?page=1'>list</a><a href=/article/1>articles</a>".to_owned(),
            _ => return ("404 Not Found", "", String::new()),
        };
        match (kind, n) {
            ("/article", 151..) => ("404 Not Found", "", String::new()),
            _ => ("200 OK", HTML, format!("{AROUND}{body}")),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--max-pages", "2000", "--data"]).arg(dir.path());
    command.arg(format!("http://{address}/"));
    let told = text(&finish(command));
    assert!(asked.load(Ordering::SeqCst) < 200, "{} pages of a list without end\n{told}", asked.load(Ordering::SeqCst));
    assert!(told.contains("the crawl finished") && told.contains("others like them brought nothing new"), "{told}");
    let status = std::fs::read_to_string(dir.path().join("status.json")).unwrap();
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert!(status["fetched"].as_u64() > Some(150), "all articles: {status}");
}

#[test]
fn a_calendar_of_short_pages_ends_and_a_list_of_short_pages_does_not() {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (months, items) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let counters = (months.clone(), items.clone());
    let address = serve(move |_, path| {
        let number = |prefix: &str| path.strip_prefix(prefix)?.parse::<u64>().ok();
        let body = if path == "/" {
            "<h1>Mill</h1><a href=/list/1>list</a><a href='/calendar?month=24300'>calendar</a>".to_owned()
        } else if let Some(n) = number("/calendar?month=") {
            counters.0.fetch_add(1, Ordering::SeqCst);
            let link = |n: u64| format!("<a href='/calendar?month={n}'>{}</a>", MONTHS[n as usize % 12]);
            format!("<h1>{} {}</h1>{}{}", MONTHS[n as usize % 12], n / 12, link(n - 1), link(n + 1))
        } else if let Some(n) = number("/list/").filter(|n| *n <= 300) {
            format!("<h1>List {n}</h1><a href=/item/{n}>item {n}</a><a href=/list/{}>next</a>", n + 1)
        } else if let Some(n) = number("/item/") {
            counters.1.fetch_add(1, Ordering::SeqCst);
            format!("<h1>Item {n}</h1>")
        } else {
            return ("404 Not Found", "", String::new());
        };
        ("200 OK", HTML, body)
    });
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--max-pages", "3000", "--data"]).arg(dir.path());
    command.arg(format!("http://{address}/"));
    let told = text(&finish(command));
    assert!(told.contains("the crawl finished"), "{told}");
    assert_eq!(items.load(Ordering::SeqCst), 300, "{told}");
    assert!(months.load(Ordering::SeqCst) < 400, "{} months\n{told}", months.load(Ordering::SeqCst));
}

#[test]
fn markdown_is_followed_indexed_archived_and_imported_again() {
    const GUIDE: &str =
        "---\ntitle: A guide to rye\nauthor: Ada Miller\n---\n# Rye\n\nRye grows on *poor* soil.\n\n[More](/deep)\n";
    let address = serve(|_, path| match path {
        "/README.md" => {
            ("200 OK", "Content-Type: text/plain\r\n", "# Mill\n\nSee the [guide](guide) first.\n".to_owned())
        }
        "/guide" => ("200 OK", "Content-Type: text/markdown; charset=utf-8\r\n", GUIDE.to_owned()),
        "/deep" => ("200 OK", "Content-Type: text/x-markdown\r\n", "# Deep\n\nOats are `deeper`.\n".to_owned()),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let (archive, again) = (dir.path().join("archive"), dir.path().join("again"));
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--data"]).arg(dir.path().join("data"));
    command.arg("--archive").arg(&archive).arg(format!("http://{address}/README.md"));
    assert!(text(&finish(command)).contains("3 pages fetched"));
    let mut import = gristmill();
    import.arg("--data").arg(&again).arg("import").arg(&archive);
    finish(import);
    for data in [dir.path().join("data"), again] {
        let mut search = gristmill();
        search.arg("--data").arg(&data).args(["search", "--json", "rye OR oats OR mill"]);
        let found: serde_json::Value = serde_json::from_slice(&finish(search).stdout).unwrap();
        let mut titles: Vec<_> =
            found["hits"].as_array().unwrap().iter().map(|hit| hit["title"].as_str().unwrap()).collect();
        titles.sort_unstable();
        assert_eq!(titles, ["A guide to rye", "Deep", "Mill"], "{found}");
    }
}

#[test]
fn a_robots_txt_is_no_page() {
    let address = serve(|_, path| match path {
        "/robots.txt" => ("200 OK", "", String::new()),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--data"]).arg(dir.path());
    command.arg(format!("http://{address}/missing"));
    let output = finish(command);
    let told = text(&output);
    assert!(told.contains("0 pages fetched") && told.contains("nothing could be fetched"), "{told}");
    let status = std::fs::read_to_string(dir.path().join("status.json")).unwrap();
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!((status["fetched"].as_u64(), status["outcomes"]["ok"].as_u64()), (Some(0), Some(1)), "{status}");
}

#[test]
fn a_setting_that_would_stop_everything_is_refused_by_its_name() {
    for (variable, key) in [
        ("FETCHER__MAX_IN_FLIGHT", "fetcher.max_in_flight"),
        ("SCHEDULER__MAX_IN_FLIGHT", "scheduler.max_in_flight"),
        ("LOG__PARTITIONS", "log.partitions"),
        ("EXTRACTOR__MAX_BODY_BYTES", "extractor.max_body_bytes"),
        ("INDEXER__COMMIT_EVERY", "indexer.commit_every"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut command = gristmill();
        let value = if key.ends_with("every") { "0s" } else { "0" };
        command.env(format!("GRISTMILL__{variable}"), value);
        command.args(["crawl", "http://127.0.0.1:9/", "--allow-private", "--data"]).arg(dir.path());
        let output = finish(command);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains(&format!("`{key}`")), "{key}: {}", text(&output));
        assert!(told.contains("must be") && !told.contains("panicked"), "{told}");
    }
}
