//! What readers wrote below a story is no part of it, and is not lost.

use crate::common;

use std::path::Path;

use common::server::{HTML, serve};
use common::{finish, gristmill, text};

const STORY: &str = "<title>The clock stands still</title><meta property=og:type content=article><nav><a href=/>Home</a></nav>
    <main><article><h1>The clock stands still</h1><p>The clock of the old station has stood still since Sunday, and nobody knows
    who has the key to its case. The railway says that it belongs to the town, and the town that it belongs to the railway.</p>
    <p>Travellers set their watches by the bell of the abbey, which is four minutes late. The council will speak about it.</p>
    <p>The clockmaker who looked after it retired in the spring. He says that the works are sound and want nothing but winding,
    which was done on Mondays for a hundred years, and that the case was never locked while he had the care of it.</p></article>
    <div id=comments class=comments><h3>2 comments</h3>
    <div class=comment><span class=comment-author>Bo Miller</span> <time datetime=2024-05-03>3 May 2024</time>
    <p class=comment-body>I have lived here for forty years and the clock was never right in any of them.</p></div>
    <div class=comment><span class=comment-author>Cy Reed</span> <time datetime=2024-05-04>4 May 2024</time>
    <p class=comment-body>My father had the key. He gave it to the station master, who gave it to his son.</p></div></div></main>";

/// What a subcommand prints.
fn run(data: &Path, arguments: &[&str]) -> String {
    let mut command = gristmill();
    command.args(arguments).arg("--data").arg(data);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn comments_of_a_crawled_page_are_exported_beside_its_text_and_found_where_they_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let address = serve(|_, _| ("200 OK", HTML, STORY.to_owned()));
    let page = format!("http://{address}/2024/05/02/clock.html");
    run(dir.path(), &["crawl", "--allow-private", "--delay", "0s", "--max-pages", "1", &page]);

    let check = |exported: &str| {
        let document: serde_json::Value = serde_json::from_str(exported).unwrap();
        let text = document["text"].as_str().unwrap();
        assert!(text.contains("four minutes late") && !text.contains("forty years"), "{text}");
        let bo = "I have lived here for forty years and the clock was never right in any of them.";
        assert_eq!(
            document["comments"][0],
            serde_json::json!({"author": "Bo Miller", "published": "2024-05-03", "text": bo})
        );
        assert_eq!(document["comments"][1]["author"], "Cy Reed");
        assert_eq!(document["comments"].as_array().unwrap().len(), 2);
    };
    let exported = run(dir.path(), &["export"]);
    check(&exported);

    let csv = run(dir.path(), &["export", "--format", "csv"]);
    assert!(csv.contains("Bo Miller\n2024-05-03\nI have lived here for forty years"), "{csv}");

    let total = |query: &str| {
        let answer: serde_json::Value = serde_json::from_str(&run(dir.path(), &["search", "--json", query])).unwrap();
        answer["total"].as_u64().unwrap()
    };
    assert_eq!((total("abbey"), total("forty"), total("comments:forty")), (1, 0, 1));
    assert_eq!((total("comments:\"station master\""), total("comments:abbey")), (1, 0));

    let file = dir.path().join("corpus.jsonl");
    std::fs::write(&file, &exported).unwrap();
    let other = tempfile::tempdir().unwrap();
    run(other.path(), &["reindex", "--from", file.to_str().unwrap()]);
    check(&run(other.path(), &["export"]));
}
