//! Who is let in: tokens, pages of other origins, and clients that ask often.

use crate::support;

use gristmill_fetch::FetchConfig;
use gristmill_searcher::{AccessScope, AccessToken, ExtractConfig, SearcherConfig};
use gristmill_secrets::Secret;

use support::{Server, library};

fn token(text: &str, scopes: &[AccessScope]) -> AccessToken {
    AccessToken { token: Secret::new(text), scopes: scopes.to_vec() }
}

fn get(server: &Server, path: &str, fields: &str) -> (u16, String, String) {
    server.exchange_as(&format!("Host: {}\r\n{fields}", server.address), &format!("GET {path} HTTP/1.1"), b"")
}

#[test]
fn with_tokens_everything_but_descriptions_asks_for_one_and_people_give_it_as_a_password() {
    let config = SearcherConfig { tokens: vec![token("hunter2", &[AccessScope::Search])], ..SearcherConfig::default() };
    let server = Server::with(&library(), &config);
    for path in
        ["/", "/search?q=asyncio", "/feed?q=asyncio", "/document/async", "/status", "/api/v1/search", "/api/v1/status"]
    {
        let (status, head, body) = get(&server, path, "");
        assert_eq!(status, 401, "{path}");
        assert!(head.to_lowercase().contains("www-authenticate: bearer, basic") && !body.contains("asyncio"), "{head}");
        assert_eq!(get(&server, path, "Authorization: Bearer hunter2\r\n").0, 200, "{path}");
        // `anybody:hunter2`
        assert_eq!(get(&server, path, "Authorization: Basic YW55Ym9keTpodW50ZXIy\r\n").0, 200, "{path}");
        assert_eq!(get(&server, path, "Authorization: Bearer hunter3\r\n").0, 401, "{path}");
    }
    for path in ["/style.css", "/llms.txt", "/opensearch.xml"] {
        assert_eq!(get(&server, path, "").0, 200, "{path}");
    }
    assert!(!get(&server, "/search?q=hunter", "Authorization: Bearer hunter2\r\n").2.contains("hunter2"));
}

#[test]
fn only_pages_of_the_origins_in_the_settings_may_ask_from_a_browser() {
    let config = SearcherConfig { cors: vec!["https://app.example".to_owned()], ..SearcherConfig::default() };
    let server = Server::with(&library(), &config);
    let (status, head, _) = get(&server, "/api/v1/search", "Origin: https://app.example\r\n");
    let head = head.to_lowercase();
    assert!(status == 200 && head.contains("access-control-allow-origin: https://app.example"), "{head}");
    assert!(head.contains("vary: origin"), "{head}");
    let asked = "Origin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n";
    let host = format!("Host: {}\r\n{asked}", server.address);
    let (status, head, _) = server.exchange_as(&host, "OPTIONS /api/v1/extract HTTP/1.1", b"");
    assert!(status == 204 && head.to_lowercase().contains("access-control-allow-headers: authorization"), "{head}");
    for origin in ["http://app.example", "https://app.example:444", "https://evil.example", "null"] {
        let (status, head, _) = get(&server, "/api/v1/search", &format!("Origin: {origin}\r\n"));
        assert!(status == 421 && !head.to_lowercase().contains("access-control"), "{origin}: {head}");
    }
    let (_, head, _) = get(&server, "/api/v1/search", "");
    assert!(!head.to_lowercase().contains("access-control"), "{head}");
    for wrong in ["app.example", "https://app.example/", "*", "null", "https://app.example/path"] {
        let config = SearcherConfig { cors: vec![wrong.to_owned()], ..SearcherConfig::default() };
        assert!(config.check().unwrap_err().contains("`searcher.cors`"), "{wrong}");
    }
}

#[test]
fn a_client_that_asks_too_often_is_told_when_to_come_again() {
    let config = SearcherConfig { max_requests_per_minute: 3, ..SearcherConfig::default() };
    let server = Server::with(&library(), &config);
    let answers: Vec<_> = (0..5).map(|_| get(&server, "/api/v1/search", "")).collect();
    assert_eq!(answers.iter().map(|answer| answer.0).collect::<Vec<_>>(), [200, 200, 200, 429, 429]);
    let (_, head, body) = &answers[3];
    assert!(
        head.to_lowercase().contains("retry-after: ") && body.contains("`searcher.max_requests_per_minute` (3)"),
        "{head}"
    );
}

#[test]
fn fifty_pages_at_once_of_one_client_all_find_a_place() {
    let server = Server::extracting(ExtractConfig::default(), &FetchConfig::default());
    let page =
        "<h1>Rye</h1><p>Rye is a grass, and it is grown for its grain, which mills grind to flour.</p>".repeat(20);
    let statuses = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                for _ in 0..6 {
                    let status = server.post("/api/v1/extract", "Content-Type: text/html\r\n", page.as_bytes()).0;
                    statuses.lock().unwrap().push(status);
                }
            });
        }
    });
    let statuses = statuses.into_inner().unwrap();
    assert_eq!((statuses.len(), statuses.iter().filter(|status| **status != 200).count()), (300, 0));
}
