//! A shop and a newspaper that change between visits: what was there before is kept, shown, searched and told.

use crate::common;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::server::{Answer, HTML, field, path, serve, serve_heads};
use common::{LIMIT, finish, gristmill, text};
use serde_json::{Value, json};

/// Price and stock of each day of the shop.
const DAYS: [(&str, &str); 3] = [("20.00", "InStock"), ("15.00", "InStock"), ("15.00", "OutOfStock")];

fn product(day: usize) -> String {
    let (price, stock) = DAYS[day];
    format!(
        r#"<title>Hand mill</title><h1>Hand mill</h1><script type="application/ld+json">
        {{"@type":"Product","name":"Hand mill","sku":"M-1","brand":{{"@type":"Brand","name":"Acme"}},"offers":{{"@type":"Offer",
        "price":"{price}","priceCurrency":"EUR","availability":"https://schema.org/{stock}"}}}}</script>
        <p>€{price} <button>Add to cart</button></p><h2>Specifications</h2><table><tr><th>Brand</th><td>Acme</td></tr>
        <tr><th>Weight</th><td>1.6 kg</td></tr><tr><th>Colour</th><td>Black</td></tr></table>"#
    )
}

fn story(day: usize) -> String {
    let told = [
        "The old mill by the river grinds rye, day and night, and its stones turn slowly.",
        "Farmers of three villages bring their grain, as their fathers and mothers did.",
        "A tenth of it stays with the mill, and the rest goes home as flour.",
        "In winter the wheel stands still for as long as there is ice on the river.",
    ]
    .map(|text| format!("<p>{text}</p>"))
    .concat();
    let more =
        if day > 0 { "<p>On Monday the miller found seven sacks of barley behind the wheel house.</p>" } else { "" };
    format!("<title>The mill</title><article><h1>The mill</h1>{told}{more}</article>")
}

fn answer(path: &str, day: usize) -> Answer {
    match path {
        "/" => (
            "200 OK",
            HTML,
            "<title>Mills</title><h1>Mills</h1><a href=/p/mill>Mill</a> <a href=/story>Story</a> \
                 <a href=/sold>Sold</a>"
                .to_owned(),
        ),
        "/p/mill" => ("200 OK", HTML, product(day)),
        "/story" => ("200 OK", HTML, story(day)),
        "/sold" if day < 2 => ("200 OK", HTML, story(0).replace("The mill", "A mill for sale")),
        "/sold" => ("410 Gone", "", String::new()),
        _ => ("404 Not Found", "", String::new()),
    }
}

/// The site, and the day that it plays.
fn site() -> (SocketAddr, Arc<AtomicUsize>) {
    let day = Arc::new(AtomicUsize::new(0));
    let today = day.clone();
    (serve(move |_, path| answer(path, today.load(Ordering::SeqCst))), day)
}

fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.arg("--config").arg(dir.join("gristmill.toml")).arg("--data").arg(dir.join("data")).args(arguments);
    command
}

fn stdout(dir: &Path, arguments: &[&str]) -> String {
    let output = finish(command(dir, arguments));
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A visit to every page.
fn visit(dir: &Path, address: SocketAddr, again: &[&str]) {
    let settings = "[indexer]\ncommit_every = \"200ms\"\nkeep_versions = 1\n";
    std::fs::write(dir.join("gristmill.toml"), settings).unwrap();
    let url = format!("http://{address}/");
    let crawl = [&["crawl", "--allow-private", "--delay", "0s"], again, &[url.as_str()]].concat();
    stdout(dir, &crawl);
}

/// What each change says but for the times, in an order of its own.
fn told(changes: &[Value]) -> Vec<(String, String, Value)> {
    let path = |change: &Value| change["url"].as_str().unwrap().splitn(4, '/').nth(3).unwrap().to_owned();
    let mut told: Vec<_> = changes
        .iter()
        .map(|change| (path(change), change["kind"].as_str().unwrap().to_owned(), change["changes"].clone()))
        .collect();
    told.sort_by_key(|(path, ..)| path.clone());
    told
}

fn history(dir: &Path, path: &str) -> Value {
    let all = lines(&stdout(dir, &["export", "--history"]));
    let mut found = all.into_iter().filter(|document| document["url"].as_str().unwrap().ends_with(path));
    found.next().map(|document| document["history"].clone()).unwrap()
}

#[test]
fn prices_and_edits_stay_over_visits_and_a_new_index_and_are_told_searched_and_exported() {
    let (address, day) = site();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    visit(dir, address, &[]);
    for today in 1..DAYS.len() {
        day.store(today, Ordering::SeqCst);
        visit(dir, address, &["--again"]);
    }
    let offers = |history: &Value| -> Vec<Value> {
        history["offers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| json!([offer["price"], offer["availability"]]))
            .collect()
    };
    let shop = history(dir, "/p/mill");
    assert_eq!(offers(&shop), [json!([20.0, "InStock"]), json!([15.0, "InStock"]), json!([15.0, "OutOfStock"])]);
    let edit = history(dir, "/story")["edits"][0].clone();
    assert_eq!((&edit["words_added"], &edit["words_removed"]), (&json!(13), &json!(0)), "{edit}");
    assert!(edit["text_before"].as_str().is_some_and(|before| !before.contains("barley")), "{edit}");
    assert!(lines(&stdout(dir, &["export"])).iter().all(|document| document.get("history").is_none()));
    for (query, path) in [("price_dropped:[10 TO *]", "/p/mill"), ("changed:today -kind:product", "/story")] {
        let found: Value = serde_json::from_str(&stdout(dir, &["search", "--json", query])).unwrap();
        let urls: Vec<&str> =
            found["hits"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap()).collect();
        assert!(matches!(urls[..], [url] if url.ends_with(path)), "{query}: {urls:?}");
    }
    let changes = lines(&stdout(dir, &["changes"]));
    let is = |field: &str, before: Value, after: Value| json!({ "field": field, "before": before, "after": after });
    let new = |path: &str| (path.to_owned(), "new".to_owned(), json!([]));
    let changed = |path: &str, what: Value| (path.to_owned(), "changed".to_owned(), json!([what]));
    assert_eq!(
        told(&changes),
        [
            new(""),
            new("p/mill"),
            changed("p/mill", is("price", json!(20.0), json!(15.0))),
            changed("p/mill", is("availability", json!("InStock"), json!("OutOfStock"))),
            new("sold"),
            ("sold".to_owned(), "gone".to_owned(), json!([])),
            new("story"),
            changed("story", json!({ "field": "text", "words_added": 13, "words_removed": 0 })),
        ]
    );
    let times: Vec<&str> = changes.iter().map(|change| change["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "the partitions of the log are told one after the other: {times:?}");
    let ids: std::collections::BTreeSet<&str> = changes.iter().map(|change| change["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), changes.len());
    // A new index from what can be read of the old one, and one from an export.
    stdout(dir, &["reindex"]);
    assert_eq!(history(dir, "/p/mill"), shop);
    let file = dir.join("all.jsonl").display().to_string();
    stdout(dir, &["export", "--history", "--out", &file]);
    stdout(dir, &["reindex", "--from", &file]);
    assert_eq!(history(dir, "/p/mill"), shop);
}

#[test]
fn changes_are_told_since_a_time_and_wrong_use_ends_with_2() {
    let (address, _) = site();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    visit(dir, address, &[]);
    assert_eq!(lines(&stdout(dir, &["changes", "--since", "yesterday"])).len(), 4);
    assert_eq!(stdout(dir, &["changes", "--since", "2999"]), "");
    let wrong = finish(command(dir, &["changes", "--since", "soon"]));
    assert!(wrong.status.code() == Some(2) && text(&wrong).contains("`--since soon`"), "{}", text(&wrong));
    let nowhere = finish(command(&dir.join("nowhere"), &["changes"]));
    assert_eq!(nowhere.status.code(), Some(1), "{}", text(&nowhere));
    let history = finish(command(dir, &["export", "--history", "--format", "csv"]));
    assert!(history.status.code() == Some(2) && text(&history).contains("`--history`"), "{}", text(&history));
    // Who reads them may go.
    let mut changes = command(dir, &["changes"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(changes.stdout.take());
    let mut said = String::new();
    changes.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(changes.wait().unwrap().success() && said.is_empty(), "{said}");
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(mut command: Command) -> Running {
    Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

fn recrawl(dir: &Path, address: SocketAddr) -> Command {
    let settings = "[frontier.recrawl]\nenabled = true\ninitial = \"1s\"\nmin = \"1s\"\nmax = \"2s\"\n\
                    [indexer]\ncommit_every = \"200ms\"\n";
    std::fs::write(dir.join("gristmill.toml"), settings).unwrap();
    command(dir, &["crawl", "--allow-private", "--delay", "0s", &format!("http://{address}/")])
}

#[test]
fn who_follows_hears_of_changes_from_before_the_crawl_on_while_it_runs_and_after_it_was_killed() {
    let (address, day) = site();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let crawling = start(recrawl(dir, address));
    let mut following = start(command(dir, &["changes", "--follow"]));
    let heard = BufReader::new(following.0.stdout.take().unwrap());
    let (sender, changes) = std::sync::mpsc::channel::<Value>();
    std::thread::spawn(move || {
        for line in heard.lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).unwrap());
        }
    });
    let mut seen: Vec<Value> = Vec::new();
    let mut until = |wanted: &dyn Fn(&Value) -> bool| {
        let begun = Instant::now();
        while !seen.iter().any(wanted) {
            assert!(begun.elapsed() < LIMIT, "{seen:?}");
            seen.extend(changes.recv_timeout(Duration::from_millis(500)));
        }
        seen.clone()
    };
    let of_shop =
        |change: &Value, kind: &str| change["url"].as_str().unwrap().ends_with("/p/mill") && change["kind"] == kind;
    until(&|change| of_shop(change, "new"));
    day.store(1, Ordering::SeqCst);
    until(&|change| of_shop(change, "changed") && change["price"] == 15.0);
    drop(crawling);
    day.store(2, Ordering::SeqCst);
    let _again = start(recrawl(dir, address));
    let all = until(&|change| of_shop(change, "changed") && change["availability"] == "OutOfStock");
    // What comes again has the id that it had.
    let mut by_id = std::collections::BTreeMap::new();
    for change in &all {
        assert_eq!(by_id.entry(change["id"].to_string()).or_insert(change), &change);
    }
    let shop = by_id.values().filter(|change| change["url"].as_str().unwrap().ends_with("/p/mill")).count();
    assert_eq!(shop, 3, "{all:?}");
}

#[test]
fn a_crawl_tells_receivers_of_what_a_search_or_a_rule_is_about_before_it_ends() {
    let (address, day) = site();
    let heard: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let (told, n_asked) = (heard.clone(), Arc::new(AtomicUsize::new(0)));
    let hook = serve_heads(move |head| {
        // The first request fails.
        if n_asked.fetch_add(1, Ordering::SeqCst) == 0 {
            return ("503 Service Unavailable", "", String::new());
        }
        told.lock().unwrap().push(format!("{} {}", path(head), field(head, "gristmill-id")));
        ("200 OK", "", String::new())
    });
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let alert = |name: &str, rule: &str| {
        format!(
            "[[alerts]]\nname = \"{name}\"\nurl = \"http://{hook}/{name}\"\nsecret = \"s\"\nallow_private = true\n{rule}\n"
        )
    };
    let alerts = [alert("barley", "query = \"barley\""), alert("cheap", "price_below = 16.0")].concat();
    let settings = format!("{alerts}[indexer]\ncommit_every = \"200ms\"\n");
    std::fs::write(dir.join("gristmill.toml"), settings).unwrap();
    let url = format!("http://{address}/");
    for today in 0..DAYS.len() {
        day.store(today, Ordering::SeqCst);
        let again: &[&str] = if today > 0 { &["--again"] } else { &[] };
        stdout(dir, &[&["crawl", "--allow-private", "--delay", "0s"], again, &[url.as_str()]].concat());
    }
    // What was refused while the crawl ended comes in the next one.
    let changes = lines(&stdout(dir, &["changes"]));
    let id = |path: &str, n: usize| {
        let of_path = changes.iter().filter(|change| change["url"].as_str().unwrap().ends_with(path));
        of_path.map(|change| change["id"].as_str().unwrap()).nth(n).unwrap()
    };
    let mut heard = heard.lock().unwrap().clone();
    heard.sort();
    assert_eq!(heard, [format!("/barley {}", id("/story", 1)), format!("/cheap {}", id("/p/mill", 1))]);
    let shown = stdout(dir, &["config", "show"]);
    assert!(shown.contains("secret = \"***\"") && shown.contains("cheap"), "{shown}");
}
