//! Connections that end when they should not: before an answer, and within one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gristmill_fetch::{Client, FetchConfig, FetchError, FetchKind, Recorder, Request, Response, Verdict};
use gristmill_terms::Cut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>mill  ";

/// A server that gives each connection `answers`, and then hangs up at the next request; how many requests came.
async fn server(answers: Vec<Vec<u8>>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (answers, asked) = (answers.clone(), counted.clone());
            tokio::spawn(async move {
                let mut answers = answers.into_iter();
                let mut head = Vec::new();
                while stream.read_buf(&mut head).await.is_ok_and(|n| n > 0) {
                    if !head.ends_with(b"\r\n\r\n") {
                        continue;
                    }
                    asked.fetch_add(1, Ordering::SeqCst);
                    head.clear();
                    let Some(answer) = answers.next() else { return };
                    stream.write_all(&answer).await.unwrap();
                    if answers.len() == 0 && !answer.starts_with(PAGE) {
                        return;
                    }
                }
            });
        }
    });
    (url, asked)
}

fn client(config: FetchConfig) -> Client {
    Client::new(&FetchConfig { allow_private: true, ..config }).unwrap()
}

async fn get(config: FetchConfig, kind: FetchKind, answer: &[u8]) -> Result<Response, FetchError> {
    let (url, _) = server(vec![answer.to_vec()]).await;
    client(config).fetch(&Request::of_kind(url.parse().unwrap(), kind)).await
}

#[tokio::test]
async fn a_kept_connection_that_died_is_replaced_at_once_and_a_new_one_is_not() {
    let (url, asked) = server(vec![PAGE.to_vec()]).await;
    let client = client(FetchConfig::default());
    for n in 0..4 {
        let response = client.fetch(&Request::page(url.parse().unwrap())).await.unwrap();
        assert_eq!(&response.body.decoded[..], b"<p>mill  ", "page {n}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 7, "each but the first was asked over the dead connection before");

    let (url, asked) = server(Vec::new()).await;
    let error = client.fetch(&Request::page(url.parse().unwrap())).await.unwrap_err();
    assert_eq!(error.verdict(), Verdict::Truncated);
    assert_eq!(asked.load(Ordering::SeqCst), 1, "who hangs up on a new connection is not pressed");
}

#[tokio::test]
async fn several_dead_connections_are_all_replaced() {
    let (url, _) = server(vec![PAGE.to_vec()]).await;
    let client = client(FetchConfig { connections_per_host: 4, ..FetchConfig::default() });
    for _ in 0..3 {
        let requests = (0..4).map(|_| Request::page(url.parse().unwrap()));
        let fetches = requests.map(|request| {
            let client = client.clone();
            tokio::spawn(async move { client.fetch(&request).await.map(|response| response.status) })
        });
        for fetch in fetches.collect::<Vec<_>>() {
            assert_eq!(fetch.await.unwrap().unwrap(), 200);
        }
    }
}

#[tokio::test]
async fn a_body_that_ends_early_is_kept_as_far_as_it_came_and_marked() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
    let long = format!("{head}Content-Length: 500\r\n\r\n<p>half a page");
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n8\r\n<p>half \r\n6\r\na page\r\n");
    let within_chunk = format!("{head}Transfer-Encoding: chunked\r\n\r\n8\r\n<p>half \r\n90\r\na page");
    for answer in [&long, &chunked, &within_chunk] {
        let response = get(FetchConfig::default(), FetchKind::Page, answer.as_bytes()).await.unwrap();
        assert_eq!((&response.body.decoded[..], response.body.truncated), (&b"<p>half a page"[..], true), "{answer}");
        let refused = FetchConfig { allow_truncated: false, ..FetchConfig::default() };
        let error = get(refused, FetchKind::Page, answer.as_bytes()).await.unwrap_err();
        assert_eq!(error.verdict(), Verdict::Truncated, "{answer}");
        let error = get(FetchConfig::default(), FetchKind::Robots, answer.as_bytes()).await.unwrap_err();
        assert_eq!(error.verdict(), Verdict::Truncated, "the rest of a robots.txt may forbid");
    }
    let (url, _) = server(vec![long.into_bytes()]).await;
    let recorder = Recorder::new(true);
    client(FetchConfig::default()).fetch_recorded(&Request::page(url.parse().unwrap()), &recorder).await.unwrap();
    assert_eq!(recorder.take().unwrap().cut, Some(Cut::Disconnect), "the archive says so too");
    let nothing = format!("{head}Content-Length: 500\r\n\r\n");
    let error = get(FetchConfig::default(), FetchKind::Page, nothing.as_bytes()).await.unwrap_err();
    assert_eq!(error.verdict(), Verdict::Truncated, "of nothing there is nothing to keep");
}

#[tokio::test]
async fn a_page_with_its_end_waits_for_no_rest_that_was_announced() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n";
    let client = client(FetchConfig { read_timeout: Duration::from_millis(300), ..FetchConfig::default() });
    let mut answers = Vec::new();
    for body in ["<p>a page</p></body></HTML>\n<!-- cached -->", "<p>half a page"] {
        // The connection stays open for a second request.
        let (url, _) = server(vec![format!("{head}{body}").into_bytes(), Vec::new()]).await;
        answers.push(client.fetch(&Request::page(url.parse().unwrap())).await);
    }
    let [whole, half] = answers.try_into().unwrap();
    let body = whole.unwrap().body;
    assert!(body.truncated && body.decoded.starts_with(b"<p>a page"));
    assert_eq!(half.unwrap_err().verdict(), Verdict::Timeout, "the rest may come another time");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(9));
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

#[tokio::test]
async fn codings_are_undone_as_browsers_do_whatever_the_header_says() {
    let page =
        b"<!doctype html><p>The mill stands beside the river and grinds wheat for the village bakers. ".repeat(20);
    let (once, twice) = (gzip(&page), gzip(&gzip(&page)));
    let in_brotli = {
        let mut packed = Vec::new();
        brotli::BrotliCompress(&mut &once[..], &mut packed, &Default::default()).unwrap();
        packed
    };
    let cut = &once[..once.len() - 9];
    for (coding, body, whole) in [
        ("UTF-8", &page[..], true),
        ("binary", &page, true),
        ("gzip", &page, true),
        ("br", &page, true),
        ("deflate", &page, true),
        ("zstd", &page, true),
        ("gzip, gzip", &page, true),
        ("gzip, gzip", &once, true),
        ("gzip", &once, true),
        ("gzip, gzip", &twice, true),
        ("gzip, br", &in_brotli, true),
        ("gzip, none", &once, true),
        ("gzip", cut, false),
    ] {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer = [head.as_bytes(), body].concat();
        let response = get(FetchConfig::default(), FetchKind::Page, &answer).await.unwrap();
        let decoded = &response.body.decoded;
        let expected = if whole { decoded[..] == page } else { !decoded.is_empty() && page.starts_with(decoded) };
        assert!(expected && response.body.truncated != whole, "{coding}: {:?}", response.body);
        let limits = gristmill_fetch::DecodeLimits::default();
        let again = gristmill_fetch::decode_body(&response.body.wire, response.body.encoding, limits).unwrap();
        assert!(again == *decoded, "{coding}: what is carried on unpacks to the same");
        assert_eq!(response.wire_bytes, length as u64);
    }
}

#[tokio::test]
async fn every_answer_of_success_with_a_body_is_a_page() {
    for (status, verdict) in
        [(201, Verdict::Ok), (202, Verdict::Ok), (206, Verdict::Ok), (226, Verdict::Ok), (299, Verdict::Ok)]
    {
        let answer = [format!("HTTP/1.1 {status} Some\r\n").as_bytes(), &PAGE[17..]].concat();
        let response = get(FetchConfig::default(), FetchKind::Page, &answer).await.unwrap();
        assert_eq!((response.verdict(), &response.body.decoded[..]), (verdict, &b"<p>mill  "[..]), "{status}");
    }
}

#[tokio::test]
async fn no_more_connections_stay_open_than_there_is_room_for_whatever_the_number_of_hosts() {
    const ROOM: usize = 8;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (open, dialled) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (open.clone(), dialled.clone());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (open, dialled) = counts.clone();
            open.fetch_add(1, Ordering::SeqCst);
            dialled.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                let mut head = Vec::new();
                while stream.read_buf(&mut head).await.is_ok_and(|n| n > 0) {
                    if head.ends_with(b"\r\n\r\n") {
                        head.clear();
                        stream.write_all(PAGE).await.unwrap();
                    }
                }
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    let hosts: Vec<String> = (0..40).map(|host| format!("site{host}.test")).collect();
    let resolve = hosts.iter().map(|host| (host.clone(), address.to_string())).collect();
    let client = client(FetchConfig { max_connections: ROOM, resolve, ..FetchConfig::default() });
    let mut most = 0;
    for host in hosts {
        let url = format!("http://{host}/");
        // The second time over the connection that was kept, but for the host that ended the last client.
        for _ in 0..2 {
            client.fetch(&Request::page(url.parse().unwrap())).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        most = most.max(open.load(Ordering::SeqCst));
    }
    assert!((ROOM / 2..=ROOM + 1).contains(&most), "{most} were open at once");
    assert!((40..=50).contains(&dialled.load(Ordering::SeqCst)), "connections are kept for the next page");
}
