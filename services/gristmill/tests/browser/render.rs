//! `gristmill extract --render` with a real browser and a real web server.

use crate::common;

use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use common::server::{Answer, HTML, serve};
use common::{finish, gristmill, text};
use serde_json::Value;

const SHELL: &str =
    "<!doctype html><html lang=en><title>The mill</title><link rel=stylesheet href=/a.css><div id=root></div>
    <script src=/app.js></script>";
const APP: &str = "fetch('/story.json').then(r => r.json()).then(story => {
    root.innerHTML = '<h1>The mill of the valley</h1>' + story.map(line => '<p>' + line + '</p>').join('') });
    fetch('/private/diary.json').catch(() => 0); fetch('http://169.254.169.254/latest/').catch(() => 0)";

fn is_there() -> bool {
    let there = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].iter().any(|path| Path::new(path).exists());
    if !there {
        eprintln!("SKIPPED: Debian's packages `chromium-headless-shell` and `chromium` are absent");
    }
    there
}

/// A site whose text comes by script, and the paths that it was asked for.
fn site() -> (String, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let address = serve(move |_, path| -> Answer {
        log.lock().unwrap().push(path.to_owned());
        let js = "Content-Type: text/javascript\r\n";
        match path {
            "/" => ("200 OK", HTML, SHELL.to_owned()),
            "/a.css" => ("200 OK", "Content-Type: text/css\r\n", "p { margin: 9px }".to_owned()),
            "/app.js" => ("200 OK", js, APP.to_owned()),
            "/story.json" => ("200 OK", "Content-Type: application/json\r\n", story()),
            "/robots.txt" => ("200 OK", "", "User-agent: *\nDisallow: /private".to_owned()),
            _ => ("404 Not Found", "", String::new()),
        }
    });
    (format!("http://{address}/"), asked)
}

fn story() -> String {
    let line = |n| {
        format!(
            "\"The mill grinds grain, day and night, and its {n} stones turn slowly while the water runs below the wheel, \
             which nobody has stopped since it was built five hundred years ago.\""
        )
    };
    format!("[{}]", (2..8).map(line).collect::<Vec<_>>().join(","))
}

fn extract(arguments: &[&str]) -> Output {
    let mut command = gristmill();
    command.args(["extract", "--allow-private", "--format", "json"]).args(arguments);
    finish(command)
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(output)))
}

#[test]
fn a_page_that_scripts_draw_has_text_only_when_it_is_rendered() {
    if !is_there() {
        return;
    }
    let (url, asked) = site();
    let raw = extract(&[&url]);
    assert_eq!(raw.status.code(), Some(1), "{}", text(&raw));
    asked.lock().unwrap().clear();

    let drawn = extract(&["--render", &url]);
    assert!(drawn.status.success(), "{}", text(&drawn));
    let drawn = json(&drawn);
    assert!(drawn["text"].as_str().unwrap().contains("five hundred years"), "{drawn}");
    let rendered = &drawn["rendered"];
    assert_eq!((&rendered["mode"], &rendered["ended"]), (&"scripts".into(), &"loaded".into()));
    let mut paths = asked.lock().unwrap().clone();
    paths.sort();
    // The page once, robots.txt once, and nothing that it forbids.
    assert_eq!(paths, ["/", "/a.css", "/app.js", "/robots.txt", "/story.json"]);
    let refused = rendered["refused"].to_string();
    assert!(refused.contains("Disallow: /private") && refused.contains("a link-local address"), "{refused}");
    assert_eq!(rendered["requests"]["answered"], 3);
}

#[test]
fn styles_alone_run_no_script_and_ask_for_none() {
    if !is_there() {
        return;
    }
    let (url, asked) = site();
    let drawn = extract(&["--render=styles", "--method", "clg", &url]);
    let drawn = json(&drawn);
    assert_eq!((&drawn["rendered"]["mode"], &drawn["method"]), (&"styles".into(), &"clg".into()), "{drawn}");
    assert!(!asked.lock().unwrap().iter().any(|path| path == "/app.js"));
}

#[test]
fn a_page_that_cannot_be_drawn_keeps_its_text_and_tells_the_reason() {
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page.html");
    let line =
        "<p>The mill grinds grain, day and night, and its stones turn slowly while the water runs below the wheel.</p>";
    let leaves = "<script>location = 'about:blank'</script>";
    std::fs::write(&file, format!("<title>Mill</title>{}{leaves}", line.repeat(5))).unwrap();
    let file = file.to_str().unwrap();
    for method in ["best", "clg"] {
        let kept = extract(&["--render", "--method", method, file]);
        assert!(kept.status.success(), "{}", text(&kept));
        let kept = json(&kept);
        assert!(kept["text"].as_str().unwrap().contains("stones turn"), "{kept}");
        assert_eq!(kept["rendered"]["ended"], Value::Null);
        assert!(kept["rendered"]["reason"].as_str().unwrap().contains("`about:blank`"), "{kept}");
    }
}

#[test]
fn without_a_browser_nothing_is_rendered_and_the_reason_names_the_packages() {
    let dir = tempfile::tempdir().unwrap();
    let settings = dir.path().join("gristmill.toml");
    std::fs::write(&settings, "[browser]\nprogram = \"/nowhere/chromium\"\n").unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(&settings).args(["extract", "--render", "-"]);
    let refused = finish(command);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused).contains("/nowhere/chromium"), "{}", text(&refused));
}
