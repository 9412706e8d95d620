//! `docs/openapi.json` against the program: routes, parameters and fields of both, and the rules of OpenAPI 3.1.

use crate::support;

use std::collections::BTreeSet;
use std::process::Command;

use gristmill_fetch::FetchConfig;
use gristmill_searcher::ExtractConfig;
use serde_json::{Value, json};

use support::{Server, library};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

fn document() -> Value {
    serde_json::from_str(&std::fs::read_to_string(DOCUMENT).unwrap()).unwrap()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

/// What stands in backticks.
fn codes(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn parameters(document: &Value, path: &str, method: &str) -> BTreeSet<String> {
    let all = document["paths"][path][method]["parameters"].as_array().unwrap();
    all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// The names that the refusal of an unknown one lists.
fn known(error: &Value) -> BTreeSet<String> {
    let message = error["error"]["message"].as_str().unwrap();
    let (_, list) = message.split_once("there are").or_else(|| message.split_once("expected one of")).unwrap();
    codes(list)
}

#[test]
fn the_document_is_served_and_has_the_routes_of_the_program() {
    let server = Server::start(&[]);
    let document = document();
    assert_eq!(server.json("/api/v1/openapi.json"), document);
    let code = include_str!("../../src/server.rs");
    let (_, api) = code.split_once("let api = Router::new()").unwrap();
    let (api, _) = api.split_once(".fallback").unwrap();
    let routes: BTreeSet<String> =
        api.split(".route(\"").skip(1).map(|route| format!("/api/v1{}", route.split('"').next().unwrap())).collect();
    assert_eq!(keys(&document["paths"]), routes);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, wrong) in [("get", "POST"), ("post", "GET")] {
            if methods.get(method).is_some() {
                let path = path.replace("{key}", "absent");
                assert_eq!(server.send(&format!("{wrong} {path} HTTP/1.1")).0, 405, "{path}");
                let (_, _, answer) = server.send(&format!("{} {path} HTTP/1.1", method.to_uppercase()));
                assert!(!answer.contains("no such route") && !answer.contains("method_not_allowed"), "{answer}");
            }
        }
    }
}

#[test]
fn the_document_has_the_parameters_of_the_program() {
    let server = Server::extracting(ExtractConfig::default(), &FetchConfig::default());
    let document = document();
    let refused = |text: &str| known(&serde_json::from_str(text).unwrap());
    let (_, _, answer) = server.get("/api/v1/search?surely_unknown=1");
    assert_eq!(refused(&answer), parameters(&document, "/api/v1/search", "get"));
    let html = "Content-Type: text/html\r\n";
    let (_, _, answer) = server.post("/api/v1/extract?surely_unknown=1", html, b"<p>Rye");
    let mut of_query = parameters(&document, "/api/v1/extract", "post");
    let fields = keys(&document["components"]["schemas"]["ExtractRequest"]["properties"]);
    assert_eq!(known(&answer), fields);
    // Beside a page as the body there is none as a field.
    of_query.insert("html".to_owned());
    assert_eq!(of_query, fields);
    let asked = json!({"surely_unknown": 1}).to_string();
    let (_, _, answer) = server.post("/api/v1/extract", "Content-Type: application/json\r\n", asked.as_bytes());
    assert_eq!(known(&answer), fields);
    let (_, _, answer) = server.post("/api/v1/extract?format=surely_unknown", html, b"<p>Rye");
    let formats = &document["components"]["schemas"]["ExtractRequest"]["properties"]["format"]["enum"];
    let formats = formats.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned());
    assert_eq!(known(&answer), formats.collect());
}

#[test]
fn answers_have_the_fields_of_their_schemas() {
    let document = document();
    let schema = |name: &str| &document["components"]["schemas"][name];
    let fields = |name: &str| keys(&schema(name)["properties"]);
    let server = Server::start(&library());
    let results = server.json("/api/v1/search?q=asyncio");
    assert_eq!((keys(&results), keys(&results["hits"][0])), (fields("Results"), fields("Hit")));
    assert_eq!(keys(&server.json("/api/v1/document/copy0")), fields("Document"));
    assert_eq!(keys(&server.json("/api/v1/status")), fields("Status"));
    let server = Server::extracting(ExtractConfig::default(), &FetchConfig::default());
    let page = b"<title>Rye</title><p>Rye is a grass, and it is grown for its grain, which mills grind.";
    for format in ["markdown", "html", "marked"] {
        let path = format!("/api/v1/extract?format={format}");
        let (_, _, answer) = server.post(&path, "Content-Type: text/html\r\n", page);
        let required = schema("Extracted")["required"].as_array().unwrap();
        for name in required.iter().map(|name| name.as_str().unwrap()).chain([format]) {
            assert!(answer.get(name).is_some() && fields("Extracted").contains(name), "`{name}`: {answer}");
        }
    }
}

#[test]
fn the_document_follows_openapi() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    let mut waiting = vec![&document];
    while let Some(value) = waiting.pop() {
        if let Some(target) = value.get("$ref").and_then(Value::as_str) {
            let found = target.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
            assert!(found.is_some(), "`{target}` leads nowhere");
        }
        match value {
            Value::Object(fields) => waiting.extend(fields.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    let check = "import json, sys\ntry:\n    from openapi_spec_validator import validate\nexcept ImportError:\n    sys.exit(77)\n\
                 validate(json.load(open(sys.argv[1], encoding='utf-8')))\n";
    match Command::new("python3").args(["-c", check, DOCUMENT]).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) if output.status.code() != Some(77) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        _ => eprintln!("SKIPPED: no openapi-spec-validator for python3, so only references were checked"),
    }
}
