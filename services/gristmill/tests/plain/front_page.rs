//! What a front page calls its stories is not what they are called.

use crate::common;

use std::path::Path;

use common::server::{Answer, HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::{IndexDocument, IndexReader};

/// A front page as newspapers have them: a teaser in another wording, a section's name, a date, a picture with its description,
/// "Read more", and a story that is linked by three of them.
const FRONT: &str = "<html><head><title>The Valley Herald</title></head><body>
  <header><a href=/>The Valley Herald</a> <nav><a href=/politics/>Politics</a></nav></header><main>
  <article><a href=/storm><img src=/s.jpg alt='Picture of the day: a man with an umbrella'></a>
    <h2><a href=/storm>Umbrellas everywhere</a></h2><p>Rain, and more rain. <a href=/storm>Read more</a></article>
  <article><a href=/bridge>Live updates</a></article>
  <article><a href=/mayor>Politics</a></article>
  <article><a href=/harvest>17 May 2024</a></article>
  <article><a href=/library><img src=/l.jpg alt='Shelves behind a window'></a></article>
  <article><a href=/fire>Read more</a></article>
  <article><a href=/archive>The chronicle of the valley since 1840</a></article>
  <p>Live updates follow through the night, for as long as the engineers are at work below the bridge.</p></main></body></html>";

/// Path, headline, what its text is about.
const STORIES: [(&str, &str, &str); 6] = [
    ("/storm", "Hurricane Berta floods the lower town", "The river rose by three metres in a night"),
    ("/bridge", "Old stone bridge closed for a year", "Engineers found cracks in two of the five arches"),
    ("/mayor", "Mayor Hill resigns after eleven years", "She told the council on Tuesday that she will teach again"),
    ("/harvest", "Barley harvest fails on the southern slopes", "Farmers blame the frost of late April"),
    ("/library", "Town library opens on Sundays from autumn", "Volunteers will keep the reading room warm"),
    ("/fire", "Sawmill burns down overnight", "Nobody was hurt when the roof came down at four"),
];

fn story(headline: &str, about: &str) -> String {
    let told: String = (1..5)
        .map(|n| {
            format!("<p>{about}, as people of the valley said, and they said it {n} times before they went home.</p>")
        })
        .collect();
    format!(
        "<html><head><title>{headline} - The Valley Herald</title><meta property=og:title content='{headline}'>\
         <meta property=og:site_name content='The Valley Herald'></head><body><header><a href=/>The Valley Herald</a></header>\
         <main><article><h1>{headline}</h1>{told}</article></main></body></html>"
    )
}

fn answer(path: &str) -> Answer {
    let found = STORIES.iter().find(|(story, ..)| *story == path);
    match (path, found) {
        ("/", _) => ("200 OK", HTML, FRONT.to_owned()),
        // A page that says nothing of itself.
        ("/archive", _) => {
            let told =
                "<p>In this year the mill was built, the well was dug, and nobody wrote down by whom.</p>".repeat(5);
            (
                "200 OK",
                HTML,
                format!(
                    "<html><head><title>The Valley Herald</title><meta property=og:site_name \
                content='The Valley Herald'></head><body><div>{told}</div></body></html>"
                ),
            )
        }
        (_, Some((_, headline, about))) => ("200 OK", HTML, story(headline, about)),
        _ => ("404 Not Found", "", String::new()),
    }
}

fn crawl(dir: &Path) -> String {
    let address = serve(|_, path| answer(path));
    let home = format!("http://{address}/");
    let mut command = gristmill();
    command.arg("--data").arg(dir).args(["crawl", "--allow-private", "--delay", "0s", &home]);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    home
}

/// The paths of the hits, best first.
fn search(dir: &Path, home: &str, query: &str) -> Vec<String> {
    let mut command = gristmill();
    command.args(["search", query, "--json", "--data"]).arg(dir);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let urls = answer["hits"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap());
    urls.map(|url| format!("/{}", url.strip_prefix(home).unwrap())).collect()
}

#[test]
fn stories_keep_their_headlines_whatever_the_front_page_calls_them() {
    let dir = tempfile::tempdir().unwrap();
    let home = crawl(dir.path());
    let documents: Vec<IndexDocument> =
        IndexReader::open(&dir.path().join("index")).unwrap().documents().map(Result::unwrap).collect();
    let of = |path: &str| {
        let url = format!("{}{}", home.trim_end_matches('/'), path);
        documents.iter().find(|document| document.url == url).unwrap_or_else(|| panic!("no {path}"))
    };
    for (path, headline, _) in STORIES {
        assert_eq!(of(path).title, headline);
        assert_eq!(search(dir.path(), &home, &format!("\"{headline}\"")), [path], "by its own headline");
        assert_eq!(search(dir.path(), &home, headline)[0], path);
    }
    assert_eq!(of("/").title, "The Valley Herald");
    assert_eq!(of("/bridge").anchor_title, "Live updates");
    let linked = search(dir.path(), &home, "\"Live updates\"");
    assert_eq!(linked, ["/", "/bridge"], "what links say is searched, but a text that says it counts more");
    assert_eq!(
        of("/archive").title,
        "The chronicle of the valley since 1840",
        "a page that only names its site is called what the link to it says"
    );
}

#[test]
fn the_link_to_a_story_is_exported_beside_its_title() {
    let dir = tempfile::tempdir().unwrap();
    crawl(dir.path());
    let mut command = gristmill();
    command.arg("--data").arg(dir.path()).args(["export", "--query", "title:bridge"]);
    let output = finish(command);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["title"], "Old stone bridge closed for a year");
    assert_eq!(line["anchor_title"], "Live updates");
}
