//! The built-in site: what a newcomer sees first.

use crate::common;

use std::collections::BTreeMap;

use common::{finish, gristmill, text};
use gristmill_index::IndexReader;
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    indexed: Vec<String>,
    absent: Vec<String>,
    unfindable: Vec<String>,
    query: Vec<Query>,
}

#[derive(Deserialize)]
struct Query {
    text: String,
    first: String,
}

/// The heading of a page of the site; `None` for the one that is not in UTF-8.
fn heading(path: &str) -> Option<String> {
    let file = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let site = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/site");
    let html = String::from_utf8(std::fs::read(format!("{site}{file}")).unwrap()).ok()?;
    Some(html.split_once("<h1>").unwrap().1.split_once("</h1>").unwrap().0.replace("&#x27;", "'"))
}

#[test]
fn the_first_run_without_arguments_crawls_the_built_in_site() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.current_dir(dir.path()).arg("crawl");
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("the crawl finished") && printed.contains("gristmill search"), "{}", text(&output));

    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/site/expected.toml");
    let expected: Expected = toml::from_str(&std::fs::read_to_string(manifest).unwrap()).unwrap();
    let reader = IndexReader::open(&dir.path().join("gristmill-demo/index")).unwrap();
    let mut indexed = BTreeMap::new();
    for document in reader.documents() {
        let document = document.unwrap();
        let url: url::Url = document.url.parse().unwrap();
        if let Some(heading) = heading(url.path()) {
            assert_eq!(document.title, heading, "{url} is called by its own name");
        }
        *indexed.entry(url.path().to_owned()).or_insert(0) += 1;
    }
    let wanted: BTreeMap<String, i32> = expected.indexed.into_iter().map(|path| (path, 1)).collect();
    assert_eq!(indexed, wanted, "{}", text(&output));
    assert!(expected.absent.iter().all(|path| !indexed.contains_key(path)));

    let answer = |arguments: &[&str]| -> serde_json::Value {
        let mut command = gristmill();
        command.current_dir(dir.path()).args(["search", "--json", "--data", "gristmill-demo"]).args(arguments);
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let newest = answer(&["--sort", "date", "--limit", "100", "the"]);
    assert_eq!(newest["total_is_exact"], true);
    let dates: Vec<_> = newest["hits"].as_array().unwrap().iter().map(|hit| hit["published"].as_str()).collect();
    assert!(dates.iter().flatten().count() > 3 && dates.is_sorted_by(|a, b| a >= b), "{dates:?}");

    let (all, fewer) = (answer(&["the"]), answer(&["the", "-mill", "--limit", "3"]));
    assert!(fewer["total"].as_u64() < all["total"].as_u64(), "a word with a hyphen before it is left out");
    assert_eq!(fewer["query"], "the -mill");

    let search = |query: &str| {
        let answer = answer(&["--", query]);
        let hits = answer["hits"].as_array().unwrap();
        let paths = hits.iter().map(|hit| hit["url"].as_str().unwrap().parse::<url::Url>().unwrap().path().to_owned());
        paths.collect::<Vec<String>>()
    };
    for word in expected.unfindable {
        assert!(search(&word).is_empty(), "`{word}` stands only on a page that must not be crawled");
    }
    for Query { text, first } in expected.query {
        let hits = search(&text);
        assert_eq!(hits.first(), Some(&first), "`{text}`: {hits:?}");
    }
}
