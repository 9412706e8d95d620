//! What a recorder keeps is what went over the wire, also where the fetch fails.

use std::time::Duration;

use gristmill_fetch::{Client, Cut, Exchange, FetchConfig, FetchError, Recorder, Request, Response};
use gristmill_secrets::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A server for one request: what it got, when it has answered with `answer` and waited for `then`.
async fn server(answer: Vec<u8>, then: Duration) -> (String, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a%20b?q=1", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut got = Vec::new();
        while !got.ends_with(b"\r\n\r\n") {
            got.push(stream.read_u8().await.unwrap());
        }
        // The client may turn away.
        let _ = stream.write_all(&answer).await;
        tokio::time::sleep(then).await;
        got
    });
    (url, serving)
}

fn config() -> FetchConfig {
    let headers =
        [("Accept-Language", "de"), ("X-Key", "hunter2"), ("Cookie", "hunter2"), ("authorization", "hunter2")];
    let headers = headers.map(|(name, value)| (name.to_owned(), Secret::new(value))).into();
    let (max_wire_bytes, total_timeout) = (20_000, Duration::from_millis(800));
    FetchConfig { allow_private: true, headers, max_wire_bytes, total_timeout, ..FetchConfig::default() }
}

async fn fetch(url: &str, recorder: &Recorder) -> Result<Response, FetchError> {
    let request = Request { etag: Some("\"x\"".into()), ..Request::page(url.parse().unwrap()) };
    Client::new(&config()).unwrap().fetch_recorded(&request, recorder).await
}

/// What is kept of a server that answers with `answer`, and what the fetch came to.
async fn kept(answer: Vec<u8>, then: Duration) -> (Exchange, Result<Response, FetchError>) {
    let (url, serving) = server(answer, then).await;
    let recorder = Recorder::new(true);
    let outcome = fetch(&url, &recorder).await;
    serving.abort();
    (recorder.take().expect("an answer came"), outcome)
}

fn page(fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n").as_bytes(), body].concat()
}

#[tokio::test]
async fn the_request_is_kept_as_the_server_gets_it_without_secrets() {
    let (url, serving) = server(page("Content-Length: 2\r\n", b"ok"), Duration::ZERO).await;
    let recorder = Recorder::new(true);
    fetch(&url, &recorder).await.unwrap();
    let got = String::from_utf8(serving.await.unwrap()).unwrap();
    let kept = String::from_utf8(recorder.take().unwrap().request).unwrap();
    let lines = |text: &str| {
        let mut fields: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        fields.sort();
        (text.lines().next().unwrap().to_owned(), fields)
    };
    let (request, mut fields) = lines(&got);
    let sent = fields.len();
    fields.retain(|field| !field.contains("hunter2"));
    assert_eq!((sent - fields.len(), (request, fields)), (3, lines(&kept)));
    assert!(kept.starts_with("GET /a%20b?q=1 HTTP/1.1\r\n") && kept.contains("if-none-match: \"x\"\r\n"), "{kept}");
    assert!(kept.contains("accept-language: de\r\n") && kept.ends_with("\r\n\r\n"), "{kept}");
}

#[tokio::test]
async fn the_answer_is_kept_with_all_fields_and_its_body_as_it_was_sent() {
    let chunks = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    let answer = page("X-A: 1\r\nX-A: München\r\nTransfer-Encoding: chunked\r\n", chunks);
    let (exchange, outcome) = kept(answer, Duration::ZERO).await;
    assert_eq!((outcome.unwrap().body.wire, &exchange.body[..]), (exchange.body.clone(), &b"abcde"[..]));
    assert_eq!(
        (exchange.status, &exchange.reason[..], exchange.protocol, exchange.cut),
        (200, &b"OK"[..], "http/1.1", None)
    );
    assert_eq!(exchange.ip, Some("127.0.0.1".parse().unwrap()));
    let values = |name: &str| {
        let of_name = exchange.fields.iter().filter(|(field, _)| field == name);
        of_name.map(|(_, value)| String::from_utf8(value.clone()).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(values("x-a"), ["1", "München"]);
    assert_eq!(values("transfer-encoding"), ["chunked"]);

    let (exchange, _) = kept(b"HTTP/1.0 404 Nothing Here\r\n\r\n<h1>No</h1>".to_vec(), Duration::ZERO).await;
    assert_eq!((exchange.status, &exchange.reason[..], exchange.protocol), (404, &b"Nothing Here"[..], "http/1.0"));
    assert_eq!((&exchange.body[..], exchange.cut), (&b"<h1>No</h1>"[..], None));
}

#[tokio::test]
async fn a_body_that_is_not_whole_is_kept_as_far_as_it_came_with_the_reason() {
    let second = Duration::from_secs(1);
    let large = vec![b'x'; 100_000];
    for (answer, then, cut, most) in [
        (page("", &large), Duration::ZERO, Cut::Length, 100_000),
        (page("Content-Length: 100000\r\n", &large), Duration::ZERO, Cut::Length, 0),
        (page("Content-Length: 100\r\n", b"<p>abc"), 5 * second, Cut::Time, 6),
        (page("Content-Length: 100\r\n", b"<p>abc"), Duration::ZERO, Cut::Disconnect, 6),
        (b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx".to_vec(), Duration::ZERO, Cut::Unwanted, 0),
    ] {
        let (exchange, outcome) = kept(answer, then).await;
        let is_kept = outcome.is_ok_and(|answer| answer.body.truncated);
        assert_eq!(is_kept, cut == Cut::Disconnect, "{cut:?}");
        assert_eq!(exchange.cut, Some(cut));
        assert!(exchange.body.len() <= most && (most == 0 || !exchange.body.is_empty()), "{cut:?}");
    }
    let not_found = [&b"HTTP/1.1 404 Not Found\r\n\r\n"[..], &large].concat();
    let (exchange, outcome) = kept(not_found, Duration::ZERO).await;
    assert_eq!((outcome.unwrap().status, exchange.cut, exchange.body.len()), (404, Some(Cut::Length), 64 << 10));
}

#[tokio::test]
async fn a_recorder_that_is_off_keeps_nothing() {
    let (url, _serving) = server(page("Content-Length: 2\r\n", b"ok"), Duration::ZERO).await;
    let recorder = Recorder::new(false);
    fetch(&url, &recorder).await.unwrap();
    assert!(recorder.take().is_none());
    let (url, _serving) = server(Vec::new(), Duration::ZERO).await;
    let recorder = Recorder::new(true);
    assert!(fetch(&url, &recorder).await.is_err());
    assert!(recorder.take().is_none(), "there was no answer");
}
