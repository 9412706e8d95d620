//! What page and server say of the use of a text stays with it.

use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::server::{HTML, serve};
use common::{finish, gristmill};
use serde_json::{Value, json};
use url::Url;

const PAGE: &str = "<title>The mill race</title><meta name=robots content='index, noai'><meta name=tdm-policy content=/ignored>
    <article><h1>The mill race</h1><p>The race brings the water from the weir to the wheel, and a gate at its head keeps it back
    when the mill stands still. It was dug by hand in one winter.</p><p>In dry summers the miller shares it with the meadows below,
    by an agreement that is older than the mill itself, and that nobody has ever written down.</p></article>
    <footer>© 2024 The Mill. Text under <a rel=license href=https://creativecommons.org/licenses/by-sa/4.0/deed.en>CC</a></footer>";

const SAID: &str =
    "Content-Type: text/html\r\nX-Robots-Tag: noimageai\r\ntdm-reservation: 1\r\ntdm-policy: /terms.json\r\n";

const COLUMNS: &str = "robots,tdm_reservation,licence";

fn run(arguments: &[&str]) -> String {
    let mut command = gristmill();
    command.args(arguments);
    let output = finish(command);
    assert!(output.status.success(), "{}", common::text(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_said_of_the_use_of_a_page_is_extracted_indexed_and_exported() {
    let address = serve(|_, path| match path {
        "/race" => ("200 OK", SAID, PAGE.to_owned()),
        "/robots.txt" => ("404 Not Found", HTML, String::new()),
        _ => ("200 OK", HTML, PAGE.replace("noai", "follow").replace("rel=license ", "")),
    });
    let url = format!("http://{address}/race");
    let said = json!({
        "robots": ["noai", "noimageai"],
        "tdm_reserved": true,
        "tdm_policy": format!("http://{address}/terms.json"),
        "licence": "cc-by-sa-4.0",
        "licence_url": "https://creativecommons.org/licenses/by-sa/4.0/deed.en",
        "copyright": "© 2024 The Mill. Text under CC",
    });
    let rights = |json: &str| serde_json::from_str::<Value>(json).unwrap()["rights"].clone();
    assert_eq!(rights(&run(&["extract", "--allow-private", "--format", "json", &url])), said);

    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    run(&["crawl", "--allow-private", "--delay", "0s", "--max-pages", "1", "--data", data, &url]);
    let exported = run(&["export", "--data", data]);
    assert_eq!(rights(&exported), said);
    let wanted = |options: &[&str]| run(&[&["export", "--data", data][..], options].concat()).lines().count();
    assert_eq!((wanted(&["--respect", "tdm"]), wanted(&["--respect", "noai"])), (0, 0));
    assert_eq!((wanted(&["--licence", "cc0-*,CC-BY-*"]), wanted(&["--licence", "cc-by-4.0"])), (1, 0));
    let dataset = dir.path().join("dataset");
    run(&[
        "export",
        "--data",
        data,
        "--out",
        &format!("{}/", dataset.display()),
        "--format",
        "jsonl",
        "--columns",
        COLUMNS,
    ]);
    let rows = std::fs::read_to_string(dataset.join("data/part-00000.jsonl")).unwrap();
    let row: Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(row, json!({"robots": ["noai", "noimageai"], "tdm_reservation": 1, "licence": "cc-by-sa-4.0"}));
    let card = std::fs::read_to_string(dataset.join("README.md")).unwrap();
    assert!(card.contains("| cc-by-sa-4.0 | 1 |") && card.contains("| tdm-reservation 1 | 1 |"), "{card}");

    let file = dir.path().join("corpus.jsonl");
    std::fs::write(&file, &exported).unwrap();
    let other = dir.path().join("other");
    run(&["reindex", "--data", other.to_str().unwrap(), "--from", file.to_str().unwrap()]);
    assert_eq!(rights(&run(&["export", "--data", other.to_str().unwrap()])), said);

    let footer = rights(&run(&["extract", "--allow-private", "--format", "json", &format!("http://{address}/other")]));
    assert_eq!(
        (&footer["licence"], &footer["tdm_reserved"], &footer["robots"]),
        (&json!("cc-by-sa-4.0"), &Value::Null, &json!([]))
    );
}

/// The header goes before the file, and `meta` before both.
#[test]
fn a_crawl_asks_for_tdmrep_json_once_and_keeps_what_it_says_of_each_page() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let address = serve(move |_, path| {
        let page = |more: &str| ("200 OK", HTML, PAGE.replace("<article>", &format!("{more}<article><h2>{path}</h2>")));
        match path {
            "/.well-known/tdmrep.json" => {
                count.fetch_add(1, Ordering::SeqCst);
                let file = r#"[{"location": "/free/", "tdm-reservation": 0},
                    {"location": "/", "tdm-reservation": 1, "tdm-policy": "/all.json"}]"#;
                ("200 OK", "Content-Type: application/json\r\n", file.to_owned())
            }
            "/robots.txt" | "/sitemap.xml" => ("404 Not Found", HTML, String::new()),
            "/header" => ("200 OK", "Content-Type: text/html\r\ntdm-reservation: 0\r\n", page("").2),
            "/meta" => page("<meta name=tdm-reservation content=0>"),
            _ => page("<a href=/free/1>1</a><a href=/header>2</a><a href=/meta>3</a>"),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    run(&["crawl", "--allow-private", "--delay", "0s", "--data", data, &format!("http://{address}/home")]);
    let exported = run(&["export", "--data", data]);
    let said: BTreeMap<String, (Value, Value)> = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| {
            let path = Url::parse(row["url"].as_str().unwrap()).unwrap().path().to_owned();
            (path, (row["rights"]["tdm_reserved"].clone(), row["rights"]["tdm_policy"].clone()))
        })
        .collect();
    let open = || (json!(false), json!(""));
    let expected = [
        ("/free/1", open()),
        ("/header", open()),
        ("/home", (json!(true), json!(format!("http://{address}/all.json")))),
        ("/meta", (json!(false), json!(format!("http://{address}/ignored")))),
    ];
    assert_eq!(said, expected.map(|(path, said)| (path.to_owned(), said)).into());
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[test]
fn preferences_of_use_are_read_from_robots_txt_and_headers_and_respected() {
    const ROBOTS: &str =
        "User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: /open/ train-ai=y\nAllow: /\n";
    const HEADER: &str = "Content-Type: text/html\r\nContent-Usage: train-ai=n\r\n";
    const PATHS: [&str; 3] = ["/open/race", "/other", "/robots/race"];
    let address = serve(|_, path| match path {
        "/robots.txt" => ("200 OK", "Content-Type: text/plain\r\n", ROBOTS.to_owned()),
        "/other" => ("200 OK", HEADER, PAGE.replace("noai", "follow")),
        _ => ("200 OK", HTML, PAGE.replace("noai", "follow").replace("mill race", &path.replace('/', " "))),
    });
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    let urls = PATHS.map(|path| format!("http://{address}{path}"));
    let arguments = ["crawl", "--allow-private", "--delay", "0s", "--max-pages", "3", "--data", data];
    run(&[&arguments[..], &urls.each_ref().map(String::as_str)].concat());
    let exported = |more: &[&str]| -> BTreeMap<String, Value> {
        let lines = run(&[&["export", "--data", data][..], more].concat());
        let row = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
        let path = |row: &Value| Url::parse(row["url"].as_str().unwrap()).unwrap().path().to_owned();
        lines.lines().map(row).map(|row| (path(&row), row["rights"]["robots"].clone())).collect()
    };
    let said = [json!([]), json!(["train-ai=n", "ai-train=no"]), json!(["ai-train=no"])];
    assert_eq!(exported(&[]), PATHS.map(str::to_owned).into_iter().zip(said).collect());
    assert_eq!(exported(&["--respect", "noai"]).into_keys().collect::<Vec<_>>(), ["/open/race"]);
}
