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

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_screenshot_of_the_whole_page_is_written_beside_its_text() {
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("mill.png");
    let (url, _) = site();
    let drawn = extract(&["--render", "--screenshot", file.to_str().unwrap(), &url]);
    assert!(drawn.status.success() && json(&drawn)["text"].as_str().unwrap().contains("five hundred years"));
    assert_eq!(size(&std::fs::read(&file).unwrap()), (1280, 1024));
    let two = extract(&["--render", "--screenshot", file.to_str().unwrap(), &url, &url]);
    assert_eq!(two.status.code(), Some(2), "{}", text(&two));
}

#[test]
fn firecrawls_door_gives_a_screenshot_as_a_data_url() {
    use std::io::{BufRead, Read, Write};
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(dir.path()).args(["serve", "--listen", "127.0.0.1:0", "--firecrawl", "--allow-private"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    let token = std::fs::read_to_string(dir.path().join("doors.token")).unwrap();
    let ask = |path: &str, body: &str| {
        let fields = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close");
        let length = body.len();
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nHost: {address}\r\n{fields}\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str::<Value>(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let (url, _) = site();
    let both = ask(
        "/v2/scrape",
        &format!(r#"{{"url":"{url}","formats":["markdown",{{"type":"screenshot","fullPage":true}}]}}"#),
    );
    let jpeg = ask("/v2/scrape", &format!(r#"{{"url":"{url}","formats":[{{"type":"screenshot","quality":50}}]}}"#));
    let phone = ask("/v2/scrape", &format!(r#"{{"url":"{url}","mobile":true,"formats":["screenshot"]}}"#));
    let crawl = ask("/v2/crawl", &format!(r#"{{"url":"{url}","scrapeOptions":{{"formats":["screenshot"]}}}}"#));
    let _ = child.kill();
    let _ = child.wait();
    let picture =
        |answer: &Value| answer["data"]["screenshot"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    // A PNG begins with these letters in Base64, a JPEG with others.
    assert!(picture(&both).starts_with("data:image/png;base64,iVBORw0KGgo"), "{both}");
    assert!(both["data"]["markdown"].as_str().unwrap().contains("five hundred years"), "{both}");
    // Four letters of Base64 hold the lower bytes of a PNG's width, and the first of its height.
    let width = |answer: &Value| picture(answer)["data:image/png;base64,".len() + 24..][..4].to_owned();
    assert_eq!([width(&both), width(&phone)], ["BQAA", "AZwA"], "1280 and 412 pixels");
    assert!(picture(&jpeg).starts_with("data:image/jpeg;base64,/9j/"), "{jpeg}");
    assert!(crawl["success"] == false && crawl["error"].as_str().unwrap().contains("`screenshot`"), "{crawl}");
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
