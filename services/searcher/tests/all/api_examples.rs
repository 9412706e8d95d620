//! The examples of `docs/search-api.md` are what the searcher answers over the small library of these tests.
//!
//! With `GRISTMILL_BLESS=1` the answers are written into the document instead of compared.

use crate::support;

use serde_json::Value;

use support::{STATUS, Server, library};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/search-api.md");
const CALL: &str = "$ curl -s '127.0.0.1:8080";

/// What differs from run to run.
fn steady(mut answer: Value) -> Value {
    if let Some(took) = answer.get_mut("took_ms") {
        *took = 0.3.into();
    }
    answer
}

#[test]
fn the_examples_in_the_manual_are_true() {
    let server = Server::start(&library());
    server.write_status(STATUS);
    let manual = std::fs::read_to_string(DOCUMENT).unwrap();
    let mut blessed = String::new();
    let mut rest = manual.as_str();
    let mut n_examples = 0;
    while let Some(at) = rest.find(CALL) {
        let path_and_more = &rest[at + CALL.len()..];
        let path = path_and_more.split('\'').next().unwrap();
        let (_, _, body) = server.get(path);
        let answer = steady(serde_json::from_str(&body).unwrap());
        let block = at + rest[at..].find("```json\n").unwrap() + "```json\n".len();
        let end = block + rest[block..].find("\n```").unwrap();
        let shown: Value = serde_json::from_str(&rest[block..end]).unwrap();
        if std::env::var_os("GRISTMILL_BLESS").is_none() {
            assert_eq!(steady(shown), answer, "{path}");
        }
        blessed.push_str(&rest[..block]);
        blessed.push_str(&serde_json::to_string_pretty(&answer).unwrap());
        rest = &rest[end..];
        n_examples += 1;
    }
    assert_eq!(n_examples, 4);
    blessed.push_str(rest);
    if std::env::var_os("GRISTMILL_BLESS").is_some() {
        std::fs::write(DOCUMENT, blessed).unwrap();
    }
}
