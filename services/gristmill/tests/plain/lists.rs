//! Lists of addresses: of pages, sitemaps and feeds for a crawl, and of pages to extract as they come.

use crate::common;

use std::collections::BTreeSet;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use common::server::{Answer, HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::IndexReader;
use serde_json::Value;
use tempfile::TempDir;

/// Paths that were asked for, besides robots.txt.
type Asked = Arc<Mutex<BTreeSet<String>>>;

/// A site whose pages all link to `/more`, with two sitemaps, an index of them, and feeds.
fn site() -> (SocketAddr, Asked) {
    let asked = Asked::default();
    let log = asked.clone();
    let address = serve(move |host, path| {
        if !["/robots.txt", "/.well-known/tdmrep.json"].contains(&path) {
            log.lock().unwrap().insert(path.to_owned());
        }
        answer(host, path)
    });
    (address, asked)
}

fn answer(host: &str, path: &str) -> Answer {
    let xml = |body: String| ("200 OK", "Content-Type: text/xml\r\n", body);
    let loc = |name: &str| format!("<loc>http://{host}/{name}</loc>");
    let urls = |names: &[&str]| {
        let urls: String = names.iter().map(|name| format!("<url>{}</url>", loc(name))).collect();
        format!("<?xml version='1.0'?><urlset>{urls}</urlset>")
    };
    match path {
        "/robots.txt" => {
            ("200 OK", "", format!("User-agent: *\nDisallow: /secret\nSitemap: http://{host}/unnamed.xml\n"))
        }
        "/unnamed.xml" => xml(urls(&["unnamed"])),
        "/sitemap_index.xml" => xml(format!("<sitemapindex><sitemap>{}</sitemap></sitemapindex>", loc("child.xml"))),
        "/child.xml" => xml(urls(&["by-index", "secret"])),
        "/list" => xml(urls(&["by-word"])),
        "/turned-out" => xml(urls(&["by-content"])),
        "/news.rss" => {
            let item = format!("<item><title>News</title><link>http://{host}/by-feed</link></item>");
            ("200 OK", "Content-Type: application/rss+xml\r\n", format!("<rss><channel>{item}</channel></rss>"))
        }
        _ => {
            let text = "<p>The miller grinds rye in the old mill by the river, and sells the flour.</p>".repeat(4);
            let page = format!(
                "<h1>Page {path}</h1><article>{text}</article><a href=/more>More of it</a><a href=/news.rss>f</a>"
            );
            ("200 OK", HTML, page)
        }
    }
}

fn crawl(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let output = tried(folder, arguments, stdin);
    assert!(output.status.success(), "{}", text(&output));
    output
}

/// The same of a crawl that may fail.
fn tried(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let list = folder.join("list.txt");
    std::fs::write(&list, stdin).unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(folder.join("data")).args(["crawl", "--allow-private", "--delay", "0s"]).args(arguments);
    command.stdin(std::fs::File::open(list).unwrap());
    finish(command)
}

fn indexed(folder: &Path) -> BTreeSet<String> {
    let documents = IndexReader::open(&folder.join("data/index")).unwrap();
    let path = |url: &str| url.splitn(4, '/').nth(3).unwrap().to_owned();
    documents.documents().map(|document| path(&document.unwrap().url)).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_named_sitemaps_and_feeds_list_is_fetched_and_nothing_else() {
    let (address, asked) = site();
    let folder = TempDir::new().unwrap();
    let list: String = ["sitemap_index.xml", "news.rss", "turned-out", "page"]
        .map(|name| format!("http://{address}/{name}\n"))
        .into_iter()
        .chain([format!("sitemap:http://{address}/list\n")])
        .collect();
    crawl(folder.path(), &["--urls", "-", "--no-follow"], &list);
    let pages = ["by-index", "by-word", "by-content", "by-feed", "page"];
    assert_eq!(indexed(folder.path()), set(&pages));
    let listings = ["sitemap_index.xml", "child.xml", "list", "turned-out", "news.rss"];
    let wanted = set(&[&pages[..], &listings].concat()).into_iter().map(|name| format!("/{name}")).collect();
    assert_eq!(*asked.lock().unwrap(), wanted, "robots.txt forbids /secret, and nobody named /more or /unnamed.xml");
    // The same data directory without a flag: the scope is that of before.
    crawl(folder.path(), &[], "");
    assert_eq!(indexed(folder.path()), set(&pages));
}

#[test]
fn a_start_url_that_is_not_the_list_it_was_given_as_is_told_with_what_it_is() {
    let page = |path: &str| format!("<title>Mill</title><h1>Mill {path}</h1><p>Rye is ground on {path}.</p>");
    let address = serve(move |_, path| match path {
        "/a" | "/b" | "/c" => ("200 OK", HTML, page(path)),
        _ => ("404 Not Found", "", String::new()),
    });
    let folder = TempDir::new().unwrap();
    let output = tried(folder.path(), &[&format!("sitemap:http://{address}/a")], "");
    let told = text(&output);
    let reason = format!("http://{address}/a was taken for a sitemap: it is no sitemap, but an HTML page");
    assert!(output.status.code() == Some(1) && told.contains(&reason), "{told}");
    let told = text(&crawl(folder.path(), &[&format!("feed:http://{address}/b"), &format!("http://{address}/c")], ""));
    assert!(
        told.contains(&format!("http://{address}/b was taken for a feed, and is no feed, but an HTML page")),
        "{told}"
    );
}

#[test]
fn a_listing_of_which_a_limit_leaves_entries_out_is_a_listing_all_the_same() {
    let (address, _) = site();
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("data");
    let mut command = gristmill();
    command.env("GRISTMILL__FETCHER__MAX_LISTING_ENTRIES", "1").arg("--data").arg(&list);
    command.args(["crawl", "--allow-private", "--delay", "0s", "--no-follow"]);
    command.arg(format!("sitemap:http://{address}/child.xml"));
    let told = text(&finish(command));
    assert!(!told.contains("was taken for a sitemap"), "{told}");
    let mut explain = gristmill();
    explain.arg("--data").arg(&list).args(["explain", &format!("http://{address}/child.xml")]);
    let told = text(&finish(explain));
    assert!(
        told.contains("Not all of it: a limit left links out: `fetcher.max_listing_entries` is the limit."),
        "{told}"
    );
}

#[test]
fn a_start_url_that_a_pattern_excludes_is_fetched_and_told() {
    let (address, _) = site();
    let folder = TempDir::new().unwrap();
    let told = text(&crawl(folder.path(), &[&format!("http://{address}/a"), "--exclude", "/a$", "--no-follow"], ""));
    assert!(told.contains("the pattern `/a$`") && told.contains("is fetched all the same"), "{told}");
    assert!(indexed(folder.path()).iter().any(|url| url.ends_with('a')), "{told}");
}

#[test]
fn a_start_url_on_a_block_list_is_told_as_that() {
    let (address, _) = site();
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("block.txt");
    std::fs::write(&list, "127.0.0.1\n").unwrap();
    let start = format!("http://{address}/a");
    let output = tried(folder.path(), &[&start, "--block", list.to_str().unwrap()], "");
    let told = text(&output);
    assert!(output.status.code() == Some(1) && told.contains("a block list names its host"), "{told}");
}

#[test]
fn links_are_followed_unless_it_is_said_otherwise() {
    let (address, _) = site();
    let folder = TempDir::new().unwrap();
    crawl(folder.path(), &["-"], &format!("http://{address}/list\n"));
    assert_eq!(indexed(folder.path()), set(&["by-feed", "by-word", "more", "unnamed"]));
}

/// The titles of what is indexed after a crawl of `start` in a web of several hosts, each line of which is `host/path: what is there`.
fn crawled_web(web: &'static str, start: &str) -> Vec<String> {
    let address = serve(move |host, path| {
        let found = web.lines().find_map(|line| line.trim().strip_prefix(host)?.strip_prefix(path)?.strip_prefix(": "));
        let kind = match found {
            None => return ("404 Not Found", HTML, String::new()),
            Some(found) if found.starts_with("User-agent") => "Content-Type: text/plain\r\n",
            Some(found) if ["<urlset", "<sitemap", "<rss", "<feed"].iter().any(|root| found.starts_with(root)) => {
                "Content-Type: text/xml\r\n"
            }
            Some(_) => HTML,
        };
        ("200 OK", kind, found.unwrap_or_default().replace("\\n", "\n"))
    });
    let hosts = web.lines().filter_map(|line| line.trim().split('/').next()).filter(|host| !host.is_empty());
    let resolve: BTreeSet<String> = hosts.map(|host| format!("\"{host}\" = \"{address}\"")).collect();
    let resolve = resolve.into_iter().collect::<Vec<_>>().join(", ");
    let folder = TempDir::new().unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(folder.path().join("data")).args(["crawl", "--allow-private", "--delay", "0s", start]);
    command.env("GRISTMILL__FETCH__RESOLVE", format!("{{ {resolve} }}"));
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let documents = IndexReader::open(&folder.path().join("data/index")).unwrap();
    let mut titles: Vec<String> = documents.documents().map(|document| document.unwrap().title).collect();
    titles.sort();
    titles
}

#[test]
fn a_site_may_keep_its_sitemaps_and_feeds_in_other_domains_and_nothing_else() {
    let titles = crawled_web(
        "mill.test/robots.txt: User-agent: *\\nSitemap: http://net.test/mill/index.xml\\n
        mill.test/: <title>The mill</title><h1>The mill</h1><p>It grinds rye.</p><link rel=alternate type=application/rss+xml href=http://feeds.test/mill>
        mill.test/rye: <title>Rye</title><h1>Rye</h1><p>Rye is a grass that grows on poor soil.</p><a href=http://net.test/>net</a>
        mill.test/oats: <title>Oats</title><h1>Oats</h1><p>Horses eat most of the oats of the world.</p>
        mill.test/hidden: <title>Hidden</title><h1>Hidden</h1><p>Nobody lists the room under the roof.</p>
        net.test/robots.txt: User-agent: *\\nSitemap: http://net.test/own.xml\\n
        net.test/mill/index.xml: <sitemapindex><sitemap><loc>http://net.test/mill/1.xml</loc></sitemap>\
            <sitemap><loc>http://third.test/2.xml</loc></sitemap></sitemapindex>
        net.test/mill/1.xml: <urlset><url><loc>http://mill.test/rye</loc></url><url><loc>http://net.test/</loc></url></urlset>
        net.test/own.xml: <urlset><url><loc>http://mill.test/hidden</loc></url></urlset>
        net.test/: <title>Net</title><h1>Net</h1><p>A network of machines near to all readers.</p>
        third.test/2.xml: <urlset><url><loc>http://mill.test/hidden</loc></url></urlset>
        feeds.test/mill: <rss><channel><item><link>http://mill.test/oats</link></item>\
            <item><link>http://net.test/</link></item></channel></rss>",
        "http://mill.test/",
    );
    assert_eq!(titles, ["Oats", "Rye", "The mill"], "what a stranger lists on its own is not asked for");
}

#[test]
fn what_a_sitemap_lists_that_is_a_start_is_fetched_wherever_it_is() {
    let titles = crawled_web(
        "maps.test/sitemap.xml: <sitemapindex><sitemap><loc>http://net.test/1.xml</loc></sitemap></sitemapindex>
        net.test/1.xml: <urlset><url><loc>http://mill.test/rye</loc></url></urlset>
        mill.test/rye: <title>Rye</title><h1>Rye</h1><p>Rye is a grass that grows on poor soil.</p><a href=/oats>Oats</a>
        mill.test/oats: <title>Oats</title><h1>Oats</h1><p>Horses eat most of the oats of the world.</p>",
        "sitemap:http://maps.test/sitemap.xml",
    );
    assert_eq!(titles, ["Rye"], "it opens nothing else there");
}

#[test]
fn the_older_pages_of_a_feed_are_read() {
    let titles = crawled_web(
        "feeds.test/mill: <feed><link rel=next href=/mill/2 /><entry><link href=http://mill.test/rye /></entry></feed>
        feeds.test/mill/2: <feed><link rel=prev-archive href=/mill /><entry><link href=http://mill.test/oats /></entry></feed>
        mill.test/rye: <title>Rye</title><h1>Rye</h1><p>Rye is a grass that grows on poor soil.</p>
        mill.test/oats: <title>Oats</title><h1>Oats</h1><p>Horses eat most of the oats of the world.</p>",
        "feed:http://feeds.test/mill",
    );
    assert_eq!(titles, ["Oats", "Rye"]);
}

fn extract(arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
    command.arg("extract").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    let stdout = std::str::from_utf8(&output.stdout).unwrap();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_stream_of_addresses_is_extracted_in_its_order() {
    let (address, asked) = site();
    let list = format!("# pages\nhttp://{address}/one\n\nhttp://{address}/two\n");
    let output = extract(&["--urls", "-", "--allow-private", "--format", "json"], &list);
    assert!(output.status.success(), "{}", text(&output));
    let urls: Vec<_> = objects(&output).iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect();
    assert_eq!(urls, ["one", "two"].map(|name| format!("http://{address}/{name}")));
    assert_eq!(*asked.lock().unwrap(), set(&["/one", "/two"]));
    let refused = extract(&["--urls", "-", "--allow-private"], "mailto:x@y\n");
    let told = text(&refused);
    assert!(refused.status.code() == Some(1) && told.contains("line 1 of `-`") && told.contains("mailto"), "{told}");
    let missing = extract(&["--urls", "nowhere.txt"], "");
    assert!(missing.status.code() == Some(1) && text(&missing).contains("nowhere.txt"), "{}", text(&missing));
}

#[test]
fn requests_without_line_ends_between_them_are_answered_each() {
    let request =
        |n: u32| format!("{{\"id\":{n},\"html\":\"<h1>Mill {n}</h1><p>The mill {n} grinds rye, day and night.\"}}");
    let output = extract(&["--batch"], &(1..=20).map(request).collect::<String>());
    let ids: Vec<_> = objects(&output).iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=20).collect::<Vec<_>>());
    // As `jq` writes them; one that never ends, and one that breaks off within a string, take no other with them.
    let pretty = |n: u32| serde_json::to_string_pretty(&serde_json::from_str::<Value>(&request(n)).unwrap()).unwrap();
    let broken = ["{\n \"id\": 7,\n \"html\": {\n".to_owned(), "{\"id\": 7, \"html\": \"<p>\n".to_owned()];
    let lines = [pretty(1), broken[0].clone(), pretty(2), pretty(3), broken[1].clone(), pretty(4)];
    let output = extract(&["--batch"], &lines.join("\n"));
    let answers: Vec<_> =
        objects(&output).iter().map(|answer| (answer["id"].as_u64(), answer["error"].is_null())).collect();
    let good = |id| (Some(id), true);
    assert_eq!(answers, [good(1), (None, false), good(2), good(3), (None, false), good(4)]);
    // A page stays a page, whatever it looks like.
    let page = "http://example.org/ is where {\"id\": 1} stands, and this is a text with commas, and an end.";
    let output = extract(&["-"], &format!("<p>{page}</p>"));
    assert!(text(&output).contains("http://example.org/ is where"), "{}", text(&output));
}
