//! `gristmill extract` and `gristmill methods` as a person would use them.

mod common;

use std::process::Output;

use common::{finish, gristmill, text};

const PAGE: &str = "<title>Mills of the valley</title><nav><a href=/>Home</a> <a href=/n>News</a></nav>
    <div><h1>Mills of the valley</h1><p>The mill grinds grain, day and night, and its stones turn slowly.</p>
    <p>Nobody knew, they said, when it was built.</p></div><div>About us</div>";

fn extract(arguments: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, PAGE).unwrap();
    let mut command = gristmill();
    command.arg("extract").arg(&page).args(arguments);
    finish(command)
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_listed_method_extracts() {
    let mut command = gristmill();
    command.arg("methods");
    let listing = stdout(&finish(command));
    let names: Vec<&str> = listing
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map_while(|line| line.split(' ').next())
        .collect();
    let methods: Vec<&str> = gristmill_extract::methods().iter().map(|method| method.name).collect();
    assert_eq!(names[..methods.len()], methods);
    for method in methods {
        let answer: serde_json::Value =
            serde_json::from_str(&stdout(&extract(&["--method", method, "--format", "json"]))).unwrap();
        assert!(answer["text"].as_str().unwrap().contains("The mill grinds grain"), "{method}: {answer}");
    }
}

#[test]
fn the_html_format_shows_the_whole_page_with_the_kept_parts_marked() {
    let html = stdout(&extract(&["--method", "twcem", "--format", "html"]));
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert!(html.contains("<p><mark>The mill grinds grain, day and night"), "{html}");
    assert!(html.contains("<p>About us</p>"), "{html}");
    let clean = stdout(&extract(&["--method", "twcem", "--format", "clean"]));
    assert!(clean.contains("<p>The mill grinds grain") && !clean.contains("About us"), "{clean}");
}

#[test]
fn the_trace_shows_the_numbers_of_the_method() {
    let output = extract(&["--method", "vsse(refine=off)", "--trace"]);
    assert!(stdout(&output).contains("Nobody knew"));
    let trace = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(trace.contains("\nratios = [0, 0, 0, 1, ") && trace.contains("\npath = html body div p\n"), "{trace}");
    let answer: serde_json::Value = serde_json::from_str(&stdout(&extract(&["--trace", "--format", "json"]))).unwrap();
    let names: Vec<&str> = answer["trace"].as_array().unwrap().iter().map(|pair| pair[0].as_str().unwrap()).collect();
    assert!(names.contains(&"container"), "{names:?}");
}

#[test]
fn the_words_of_a_home_page_are_the_first_candidate_title() {
    let title = |arguments: &[&str]| {
        let output = extract(&[&["--format", "json", "--trace"], arguments].concat());
        let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        answer["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(title(&[]), "Mills of the valley");
    assert_eq!(title(&["--anchor-title", "Old mills still grind"]), "Old mills still grind");
    assert_eq!(title(&["--anchor-title", "Read more"]), "Mills of the valley", "such words name no page");
}

#[test]
fn a_parameter_that_does_not_exist_is_refused_with_those_that_do() {
    let output = extract(&["--method", "vsse(t3=1)"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("no parameter `t3`; it has `unit`, `t1`"),
        "{}",
        text(&output)
    );
}

/// The example of `docs/layout-sidecar.md`.
#[test]
fn a_side_car_is_extracted_and_clg_without_a_model_for_layouts_is_refused() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/layout-sidecar.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let example = manual.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let sidecar = dir.path().join("page.layout.json");
    std::fs::write(&sidecar, example).unwrap();
    let run = |method: &str| {
        let mut command = gristmill();
        command.args(["extract", "--method", method, "--layout"]).arg(&sidecar);
        finish(command)
    };
    assert!(!stdout(&run("plain")).trim().is_empty());
    let refused = run("clg");
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("no model for layouts") && message.contains("`clg-nolayout`"), "{message}");
    std::fs::write(&sidecar, "{\"format\":").unwrap();
    assert!(String::from_utf8_lossy(&run("plain").stderr).contains("page.layout.json"));
}
