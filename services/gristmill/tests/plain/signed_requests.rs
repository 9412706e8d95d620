//! Requests that say whose they are, verified by an implementation of RFC 9421 that is not ours.

use crate::common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use common::gristmill;
use common::program::finish;
use common::server::{HTML, serve_heads};
use serde_json::{Value, json};

/// An Ed25519 key of nobody.
const KEY: &str = "n4Ni+HpISpVObnQMW0wOhCKROaIKqKtW/2ZYb2p9KcU=";

struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signing() -> Command {
    let mut command = gristmill();
    command.env("GRISTMILL__FETCH__SIGN__KEY", KEY).env("GRISTMILL__FETCH__SIGN__DIRECTORY", "https://crawler.example");
    command
}

/// The fields of a message by name.
fn fields<'a>(lines: impl Iterator<Item = &'a str>) -> BTreeMap<String, String> {
    let pairs = lines.filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

/// The signed request for a page, as its server got it.
fn request() -> Value {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = heads.clone();
    let site = serve_heads(move |head| {
        seen.lock().unwrap().push(head.to_vec());
        (
            "200 OK",
            HTML,
            "<h1>Rye</h1><p>Rye is a grass, and it is grown for its grain, which mills grind.</p>".to_owned(),
        )
    });
    let mut command = signing();
    command.args(["extract", "--allow-private", &format!("http://{site}/rye")]);
    let output = finish(command);
    assert!(output.status.success(), "{}", common::program::text(&output));
    let heads = heads.lock().unwrap();
    let head = heads.iter().find(|head| head[0].contains("/rye")).expect("the page was asked for");
    json!({ "url": format!("http://{site}/rye"), "headers": fields(head.iter().skip(1).map(String::as_str)) })
}

/// The directory of keys, as `serve` has it.
fn directory() -> Value {
    let data = tempfile::tempdir().unwrap();
    let mut command = signing();
    command.arg("--data").arg(data.path()).args(["serve", "--listen", "127.0.0.1:0"]);
    let mut serving = Serving(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(serving.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    let path = "/.well-known/http-message-signatures-directory";
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    let mut found = BTreeMap::new();
    for (name, value) in fields(head.lines().skip(1)) {
        let name = name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect::<Vec<_>>().join("-");
        found.insert(name, value);
    }
    json!({ "url": format!("http://{address}{path}"), "headers": found, "body": body })
}

#[test]
fn another_implementation_verifies_requests_by_the_directory_that_serve_has() {
    let given = json!({ "request": request(), "directory": directory() });
    assert_eq!(given["request"]["headers"]["signature-agent"], "\"https://crawler.example\"", "{given}");
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", "import http_message_signatures, requests"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: `{python}` has no http_message_signatures (set GRISTMILL_PYTHON)");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors/verify_signature.py");
    let mut verifier = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    verifier.stdin.take().unwrap().write_all(given.to_string().as_bytes()).unwrap();
    let output = verifier.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{given}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_key_is_never_shown_and_a_wrong_one_is_named_by_its_setting() {
    let mut command = signing();
    command.args(["config", "show"]);
    let output = finish(command);
    let shown = common::program::text(&output);
    assert!(output.status.success() && shown.contains("https://crawler.example") && !shown.contains("n4Ni"), "{shown}");
    let mut command = signing();
    command.env("GRISTMILL__FETCH__SIGN__KEY", "aHVudGVyMg==").args(["config", "show"]);
    let output = finish(command);
    let told = common::program::text(&output);
    assert!(!output.status.success() && told.contains("`fetch.sign.key`") && !told.contains("aHVu"), "{told}");
}
