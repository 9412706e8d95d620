//! `POST /extract` over a real socket: pages and addresses in, JSON out, and what bodies of strangers may not do.

use crate::support;

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use gristmill_fetch::FetchConfig;
use gristmill_reading::{CharsetHints, PageReader};
use gristmill_searcher::{ExtractConfig, SearcherConfig};
use serde_json::{Value, json};

use support::Server;

const PATH: &str = "/api/v1/extract";
const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
const JSON: &str = "Content-Type: application/json\r\n";
const PAGE: &str = "<html lang=en><title>Rye</title><h1>Rye</h1><p>Rye is a <b>grass</b>, and it is grown for its grain, \
                    which mills grind to flour.</p><p>Bread of rye keeps for a week, and longer when it is dark.</p></html>";

fn server(config: ExtractConfig) -> Server {
    Server::extracting(config, &FetchConfig::default())
}

fn post_json(server: &Server, body: &Value) -> (u16, String, Value) {
    server.post(PATH, JSON, body.to_string().as_bytes())
}

/// Status and code of a refusal, whose message must hold `named`.
#[track_caller]
fn refused((status, _, body): (u16, String, Value), named: &str) -> (u16, String) {
    let error = &body["error"];
    assert!(error["message"].as_str().unwrap().contains(named), "{body}");
    (status, error["code"].as_str().unwrap().to_owned())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn a_page_is_answered_with_the_json_of_the_library() {
    let server = server(ExtractConfig::default());
    let reader = PageReader::default();
    let url = "https://mill.example/rye";
    let parsed = reader.parse(PAGE.as_bytes(), &CharsetHints { url: Some(url), ..CharsetHints::default() });
    let reading = parsed.read(gristmill_extract::ExtractOptions { parts: true, ..reader.options() });
    // Through the text of JSON, which rounds.
    let expected: Value = serde_json::from_str(&reading.json().to_string()).unwrap();
    for path in [PATH, "/extract"] {
        let (status, head, body) = server.post(&format!("{path}?url={url}"), HTML, PAGE.as_bytes());
        assert_eq!((status, head.to_lowercase().contains("content-type: application/json")), (200, true), "{head}");
        assert_eq!(body, expected);
    }
    assert_eq!(post_json(&server, &json!({"html": PAGE, "url": url})).2, expected);
    let metrics = server.metrics();
    assert!(metrics.contains("gristmill_searcher_requests_total{route=\"api_extract\",status=\"200\"} 3"), "{metrics}");
    assert!(metrics.contains("gristmill_searcher_extract_duration_seconds_count 3"), "{metrics}");
    server.until(|| server.metrics().contains("gristmill_searcher_extracting 0"));
}

#[test]
fn parameters_change_the_answer_in_both_forms() {
    let server = server(ExtractConfig::default());
    let query = format!("{PATH}?format=markdown&method=plain&min_confidence=0&parts=false");
    let (_, _, by_query) = server.post(&query, HTML, PAGE.as_bytes());
    assert_eq!(by_query["method"], "plain");
    assert!(by_query["markdown"].as_str().unwrap().contains("**grass**"), "{by_query}");
    let asked = json!({"html": PAGE, "format": "markdown", "method": "plain", "min_confidence": 0.0, "parts": false});
    assert_eq!(post_json(&server, &asked).2, by_query);
    let (_, _, unsure) = server.post(&format!("{PATH}?min_confidence=1"), HTML, PAGE.as_bytes());
    assert_eq!(unsure["text"], "");
    assert!(unsure["reason"].as_str().unwrap().contains("confidence"), "{unsure}");
    let (_, _, html) = server.post(&format!("{PATH}?format=html"), HTML, PAGE.as_bytes());
    assert!(html["html"].as_str().unwrap().contains("<strong>grass</strong>"), "{html}");
}

#[test]
fn what_is_wrong_with_a_request_is_told_by_name() {
    let server = server(ExtractConfig::default());
    let bad = |fields: &str, named: &str| {
        let answer = server.post(&format!("{PATH}?{fields}"), HTML, PAGE.as_bytes());
        assert_eq!(refused(answer, named), (400, "bad_parameter".to_owned()), "{fields}");
    };
    bad("metod=best", "metod");
    bad("method=bset", "bset");
    bad("format=word", "word");
    bad("min_confidence=2", "min_confidence");
    bad("min_confidence=high", "min_confidence");
    bad("parts=maybe", "parts");
    bad("url=rye", "`url`");
    bad("html=rye", "`html`");
    for (body, named) in [
        (json!({"html": PAGE, "metod": "best"}), "metod"),
        (json!({"html": PAGE, "parts": 1}), "parts"),
        (json!({"html": PAGE, "method": "bset"}), "bset"),
        (json!({}), "`html`"),
        (json!([PAGE]), "object"),
    ] {
        assert_eq!(refused(post_json(&server, &body), named).0, 400, "{body}");
    }
    assert_eq!(refused(server.post(&format!("{PATH}?parts=true"), JSON, b"{}"), "JSON body").0, 400);
    assert_eq!(refused(server.post(PATH, JSON, b"{\"html\":"), "JSON").0, 400);
    assert_eq!(refused(server.post(PATH, HTML, b""), "empty").0, 400);
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    assert_eq!(refused(server.post(PATH, form, b"a=b"), "text/html").0, 415);
    assert_eq!(refused(server.post(PATH, HTML, b"%PDF-1.7"), "a PDF").0, 415);
    let (status, _, body) = server.get(PATH);
    assert_eq!((status, body.contains("only POST")), (405, true));
}

#[test]
fn without_the_setting_nothing_is_extracted() {
    let server = Server::start(&[]);
    let answer = server.post(PATH, HTML, PAGE.as_bytes());
    assert_eq!(refused(answer, "`searcher.extract.enabled`"), (404, "extract_off".to_owned()));
}

#[test]
fn bytes_of_any_charset_are_read() {
    let server = server(ExtractConfig::default());
    let words = "<p>Roggen wächst im Gebirge, und Mühlen mahlen ihn zu Mehl, jeden Tag und jede Nacht.</p>";
    let latin = |text: &str| text.chars().map(|sign| sign as u8).collect::<Vec<u8>>();
    let text = |fields: &str, body: &[u8]| server.post(PATH, fields, body).2["text"].as_str().unwrap().to_owned();
    assert!(text("Content-Type: text/html; charset=iso-8859-1\r\n", &latin(words)).contains("Mühlen"));
    assert!(
        text("Content-Type: text/html\r\n", &latin(&format!("<meta charset=iso-8859-1>{words}"))).contains("Mühlen")
    );
    assert!(text("", words.as_bytes()).contains("Mühlen"));
    let wide: Vec<u8> = "\u{feff}".chars().chain(words.chars()).flat_map(|sign| (sign as u16).to_le_bytes()).collect();
    assert!(text("Content-Type: text/html\r\n", &wide).contains("Mühlen"));
    let noise: Vec<u8> =
        b"<p>".iter().copied().chain((0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)).collect();
    assert_eq!(server.post(PATH, HTML, &noise).0, 200);
}

#[test]
fn large_deep_and_packed_bodies_stay_within_the_limits() {
    let limit = 1 << 20;
    let server = server(ExtractConfig { max_bytes: limit, ..ExtractConfig::default() });
    let named = "`searcher.extract.max_bytes` (1048576 bytes)";
    let large = vec![b'x'; 10 << 20];
    assert_eq!(refused(server.post(PATH, HTML, &large), named), (413, "too_large".to_owned()));
    // Without a length the bytes themselves are counted.
    let mut stream = server.connect();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\n{HTML}Host: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = [format!("{:x}\r\n", limit + 1).as_bytes(), &large[..=limit], b"\r\n"].concat();
    stream.write_all(&chunk).unwrap();
    assert_eq!(Server::answer(stream).0, 413);

    // Who still sends hears why, and finds no closed connection.
    let mut stream = server.connect();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\n{HTML}Host: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        large.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    large.chunks(64 << 10).for_each(|piece| stream.write_all(piece).unwrap());
    assert_eq!(Server::answer(stream).0, 413);

    let packed = |body: &[u8]| server.post(PATH, &format!("{HTML}Content-Encoding: gzip\r\n"), &gzip(body));
    assert!(packed(PAGE.as_bytes()).2["text"].as_str().unwrap().contains("grass"));
    assert_eq!(refused(packed(&large), "decoded").0, 413);
    let broken = server.post(PATH, &format!("{HTML}Content-Encoding: gzip\r\n"), b"no gzip");
    assert_eq!(refused(broken, "gzip").0, 400);
    let twice = server.post(PATH, &format!("{HTML}Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"), b"x");
    assert_eq!(refused(twice, "too many").0, 415);
    assert_eq!(refused(server.post(PATH, &format!("{HTML}Content-Encoding: rot13\r\n"), b"x"), "rot13").0, 415);

    let deep = "<div>".repeat(200_000);
    assert_eq!(server.post(PATH, HTML, deep.as_bytes()).0, 200);
    let deep = "[".repeat(500_000);
    assert_eq!(server.post(PATH, JSON, deep.as_bytes()).0, 400);
    let key = json!({"x".repeat(500_000): 1});
    let (status, _, body) = post_json(&server, &key);
    assert!(status == 400 && body.to_string().len() < 5_000, "{status}");
}

#[test]
fn a_body_of_ten_mebibytes_is_taken_as_it_is_and_packed() {
    let server = server(ExtractConfig::default());
    let comment = (0u32..).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes());
    let comment: Vec<u8> = comment.take((10 << 20) - PAGE.len() - 7).collect();
    let page = [PAGE.as_bytes(), b"<!--", &comment, b"-->"].concat();
    assert_eq!(page.len(), 10 << 20);
    let packed = server.post(PATH, &format!("{HTML}Content-Encoding: gzip\r\n"), &gzip(&page));
    for (status, _, body) in [server.post(PATH, HTML, &page), packed] {
        assert_eq!((status, body["text"].as_str().unwrap_or_default().contains("grass")), (200, true), "{body}");
    }
    let json = json!({"html": String::from_utf8(page[..9 << 20].to_vec()).unwrap()});
    assert_eq!(post_json(&server, &json).0, 200);
    assert_eq!(server.post(PATH, HTML, &[&page[..], b"x"].concat()).0, 413);
}

#[test]
fn a_gzip_bomb_is_stopped_by_its_ratio() {
    let server = server(ExtractConfig { max_bytes: 64 << 20, ..ExtractConfig::default() });
    let bomb = gzip(&vec![b' '; 32 << 20]);
    let answer = server.post(PATH, &format!("{HTML}Content-Encoding: gzip\r\n"), &bomb);
    assert_eq!(refused(answer, "200 decoded bytes for each byte sent").0, 413);
}

/// A request whose body never comes.
fn slow(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    let head =
        format!("POST {PATH} HTTP/1.1\r\n{HTML}Host: localhost\r\nConnection: close\r\nContent-Length: 100\r\n\r\n<p>");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn slow_bodies_end_at_their_time_limits() {
    let second = Duration::from_secs(1);
    let by_limit = server(ExtractConfig { time_limit: second, ..ExtractConfig::default() });
    let by_body = server(ExtractConfig { body_timeout: second, ..ExtractConfig::default() });
    for (server, named) in
        [(by_limit, "`searcher.extract.time_limit` (1s)"), (by_body, "`searcher.extract.body_timeout` (1s)")]
    {
        let both = [slow(&server), slow(&server)];
        server.until(|| server.metrics().contains("gristmill_searcher_extracting 2"));
        for stream in both {
            let (status, _, body) = Server::answer(stream);
            assert_eq!((status, body.contains(named)), (408, true), "{body}");
        }
        server.until(|| server.metrics().contains("gristmill_searcher_extracting 0"));
    }
}

#[test]
fn slow_bodies_make_room_for_whole_ones_also_of_the_same_client() {
    let server = server(ExtractConfig { max_requests_per_client: 4, ..ExtractConfig::default() });
    let slow: Vec<_> = (0..4).map(|_| slow(&server)).collect();
    server.until(|| server.metrics().contains("gristmill_searcher_extracting 4"));
    for _ in 0..10 {
        assert_eq!(server.post(PATH, HTML, PAGE.as_bytes()).0, 200);
    }
    let answers = slow.into_iter().map(Server::answer);
    let evicted = answers.filter(|(status, _, body)| *status == 408 && body.contains("others waited")).count();
    assert!(evicted >= 1, "none made room");
}

#[test]
fn a_request_without_a_place_waits_a_little_and_then_is_refused() {
    let config = ExtractConfig { max_requests: 1, max_requests_per_client: 1, ..ExtractConfig::default() };
    let server = server(ExtractConfig { time_limit: Duration::from_millis(500), ..config });
    let attempt = |_| {
        // Younger than the grace that a body has, all the time.
        let _held = slow(&server);
        server.until(|| server.metrics().contains("gristmill_searcher_extracting 1"));
        let answer = server.post(PATH, HTML, PAGE.as_bytes());
        server.until(|| server.metrics().contains("gristmill_searcher_extracting 0"));
        answer
    };
    // Who gets the place as its own time ends has none left to send or to extract in: asked again.
    let has_time = |answer: &(u16, String, serde_json::Value)| !matches!(answer.0, 408 | 504);
    let (status, head, _) = (0..10).map(attempt).find(has_time).expect("a place in ten attempts");
    assert!(status == 200 || status == 503 && head.to_lowercase().contains("retry-after: 1"), "{head}");
}

#[test]
fn a_connection_without_a_place_hears_that_the_server_is_busy() {
    let config = SearcherConfig { max_connections: 1, ..SearcherConfig::default() };
    let server = Server::extracting_as(config, &FetchConfig::default());
    let held = slow(&server);
    server.until(|| server.metrics().contains("gristmill_searcher_extracting 1"));
    let (status, head, _) = server.get("/api/v1/search?q=rye");
    assert_eq!((status, head.contains("Retry-After: 1")), (503, true), "{head}");
    drop(held);
    server.until(|| server.get("/").0 == 200);
}

/// A site that answers every path with what `answer` gives: status, header lines, body.
fn site(answer: impl Fn(&str) -> (&'static str, String, String) + Send + 'static) -> SocketAddr {
    use std::io::{BufRead, BufReader};
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
            let (status, fields, body) = answer(path);
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
        }
    });
    address
}

fn rye_site() -> SocketAddr {
    site(|path| {
        let html = "Content-Type: text/html\r\n".to_owned();
        match path {
            "/robots.txt" => ("200 OK", String::new(), "User-agent: *\nDisallow: /private\n".to_owned()),
            "/rye" => ("200 OK", html, PAGE.to_owned()),
            "/old" => ("301 Moved", "Location: /rye\r\n".to_owned(), String::new()),
            "/to-private" => ("302 Found", "Location: /private/rye\r\n".to_owned(), String::new()),
            "/round" => ("302 Found", "Location: /round\r\n".to_owned(), String::new()),
            "/paper" => ("200 OK", "Content-Type: application/pdf\r\n".to_owned(), "%PDF-1.7".to_owned()),
            _ => ("404 Not Found", html, String::new()),
        }
    })
}

#[test]
fn addresses_are_fetched_only_when_that_is_allowed_and_never_in_private_networks() {
    let site = rye_site();
    let page = json!({"url": format!("http://{site}/rye")});
    let (without, guarded) =
        (server(ExtractConfig::default()), server(ExtractConfig { fetch: true, ..ExtractConfig::default() }));
    assert_eq!(refused(post_json(&without, &page), "`searcher.extract.fetch`"), (403, "fetch_off".to_owned()));
    for host in ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "localhost", "0x7f.1"] {
        let url = format!("http://{host}:{}/rye", site.port());
        let refusal = refused(post_json(&guarded, &json!({"url": url})), "`fetch.allow_private`");
        assert_eq!(refusal, (403, "refused_address".to_owned()), "{host}");
    }
    let (status, _, body) = post_json(&guarded, &json!({"url": "file:///etc/passwd"}));
    assert_eq!((status, body["error"]["code"].as_str()), (400, Some("bad_url")), "{body}");
}

#[test]
fn a_fetched_page_is_behind_its_redirects_and_robots_txt_is_obeyed_on_the_way() {
    let fetch = FetchConfig { allow_private: true, ..FetchConfig::default() };
    let server = Server::extracting(ExtractConfig { fetch: true, ..ExtractConfig::default() }, &fetch);
    let site = rye_site();
    let at = |path: &str| post_json(&server, &json!({"url": format!("http://{site}{path}")}));
    let (status, _, body) = at("/old");
    assert_eq!((status, body["url"].as_str()), (200, Some(format!("http://{site}/rye").as_str())), "{body}");
    assert!(body["text"].as_str().unwrap().contains("grass"), "{body}");
    assert_eq!(refused(at("/private"), "`Disallow: /private`"), (403, "disallowed".to_owned()));
    assert_eq!(refused(at("/to-private"), "/private/rye").0, 403);
    assert_eq!(refused(at("/round"), "10 redirects").0, 502);
    assert_eq!(refused(at("/nothing"), "status 404").0, 502);
    assert_eq!(refused(at("/paper"), "application/pdf").0, 415);
    let broken = self::site(|path| match path {
        "/robots.txt" => ("503 Unavailable", String::new(), String::new()),
        _ => ("200 OK", "Content-Type: text/html\r\n".to_owned(), PAGE.to_owned()),
    });
    let answer = post_json(&server, &json!({"url": format!("http://{broken}/rye")}));
    assert_eq!(refused(answer, "robots.txt"), (502, "no_page".to_owned()));
}

#[test]
fn the_calls_in_the_manual_are_answered() {
    use std::process::Command;
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no curl");
        return;
    }
    let server = server(ExtractConfig::default());
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("page.html"), PAGE).unwrap();
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/search-api.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let calls: Vec<&str> = manual.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let calls: Vec<&str> = calls.into_iter().filter(|call| call.contains("/extract")).collect();
    assert_eq!(calls.len(), 2);
    for call in calls {
        let call = call.replace("127.0.0.1:8080", &server.address.to_string());
        let output = Command::new("sh").arg("-c").arg(&call).current_dir(&dir).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(answer["text"].as_str().unwrap().contains("Rye is a grass"), "{call}: {answer}");
    }
}

#[test]
fn a_setting_that_breaks_a_rule_is_named() {
    let broken = |extract: ExtractConfig| {
        let enabled = ExtractConfig { enabled: true, ..extract };
        SearcherConfig { extract: enabled, ..SearcherConfig::default() }.check()
    };
    assert_eq!(broken(ExtractConfig::default()), Ok(()));
    let slow = ExtractConfig { time_limit: Duration::from_secs(30), ..ExtractConfig::default() };
    assert!(broken(slow).unwrap_err().contains("`searcher.idle_timeout`"));
    let none = ExtractConfig { max_requests: 0, ..ExtractConfig::default() };
    assert!(broken(none).unwrap_err().contains("`searcher.extract.max_requests`"));
}
