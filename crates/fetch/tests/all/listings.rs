//! Sitemaps as servers send them: long, packed, and under any media type.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

use gristmill_fetch::{Client, FetchConfig, FetchError, FetchKind, Request, Response};

/// A server that answers each request with `body` of the type `media`, and its length unless `chunked`.
fn serve(media: &'static str, body: Vec<u8>, chunked: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            _ = stream.read(&mut [0; 4096]).unwrap();
            let length = if chunked { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n{length}Connection: close\r\n\r\n");
            // The client hangs up on what it does not want.
            _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

async fn fetch(kind: FetchKind, address: SocketAddr, limits: FetchConfig) -> Result<Response, FetchError> {
    let client = Client::new(&FetchConfig { allow_private: true, ..limits }).unwrap();
    client.fetch(&Request::of_kind(format!("http://{address}/sitemap.xml").parse().unwrap(), kind)).await
}

fn limits(max_listing_bytes: usize) -> FetchConfig {
    FetchConfig { max_listing_bytes, max_body_bytes: 1_000, max_wire_bytes: 1_000, ..FetchConfig::default() }
}

fn sitemap(n_entries: usize) -> Vec<u8> {
    let entries: String = (0..n_entries).map(|n| format!("<url><loc>http://h/{}</loc></url>", n * 7_919)).collect();
    format!("<urlset>{entries}</urlset>").into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

#[tokio::test]
async fn a_listing_has_a_limit_of_its_own_and_is_cut_there() {
    let body = sitemap(1_000);
    for chunked in [false, true] {
        let address = serve("application/xml", body.clone(), chunked);
        let whole = fetch(FetchKind::Sitemap, address, limits(100_000)).await.unwrap().body;
        assert!(whole.decoded == body && !whole.truncated, "the limits of a page do not count");
        for kind in [FetchKind::Sitemap, FetchKind::Feed] {
            let cut = fetch(kind, address, limits(10_000)).await.unwrap().body;
            assert!(cut.decoded == body[..10_000] && cut.truncated);
        }
        let error = fetch(FetchKind::Page, address, limits(10_000)).await.unwrap_err();
        assert!(error.to_string().contains("`fetch.max_"), "{error}");
    }
}

#[tokio::test]
async fn a_packed_listing_is_cut_before_and_after_unpacking() {
    let body = sitemap(2_000);
    let packed = gzip(&body);
    let address = serve("application/x-gzip", packed.clone(), false);
    assert!(packed.len() > 5_000 && body.len() > 50_000);
    for limit in [5_000, 50_000] {
        let cut = fetch(FetchKind::Sitemap, address, limits(limit)).await.unwrap().body;
        assert!(cut.truncated && !cut.decoded.is_empty() && body.starts_with(&cut.decoded), "{limit}");
    }
    let whole = fetch(FetchKind::Sitemap, address, limits(1 << 20)).await.unwrap().body;
    assert!(whole.decoded == body && !whole.truncated);
}

#[tokio::test]
async fn types_that_say_nothing_are_judged_by_the_bytes() {
    let body = sitemap(3);
    for media in ["binary/octet-stream", "application/x-gzip-compressed", "application/octet-stream"] {
        for sent in [body.clone(), gzip(&body)] {
            let answer = fetch(FetchKind::Sitemap, serve(media, sent, false), limits(10_000)).await.unwrap();
            assert_eq!(answer.body.decoded, body, "{media}");
        }
        let picture = serve(media, b"\x89PNG\r\n\x1a\n\0\0".to_vec(), false);
        assert!(fetch(FetchKind::Sitemap, picture, limits(10_000)).await.is_err(), "{media}");
    }
}

#[tokio::test]
async fn a_packed_listing_that_breaks_off_gives_what_came_and_a_packed_robots_txt_its_rules() {
    let body = sitemap(2_000);
    let packed = gzip(&body);
    let mut broken = packed.clone();
    broken[packed.len() / 2..].fill(0xff);
    for sent in [&packed[..packed.len() / 2], &broken] {
        let address = serve("application/x-gzip", sent.to_vec(), false);
        let cut = fetch(FetchKind::Sitemap, address, limits(1 << 20)).await.unwrap().body;
        assert!(cut.truncated && body[..1_000] == cut.decoded[..1_000]);
        let strict = FetchConfig { allow_truncated: false, ..limits(1 << 20) };
        let address = serve("application/x-gzip", sent.to_vec(), false);
        assert!(fetch(FetchKind::Sitemap, address, strict).await.is_err());
    }
    let rules = b"User-agent: *\nDisallow: /x\n";
    let address = serve("text/plain", gzip(rules), false);
    assert_eq!(&fetch(FetchKind::Robots, address, limits(1 << 20)).await.unwrap().body.decoded[..], rules);
}

#[tokio::test]
async fn a_refused_type_is_told_with_what_would_do() {
    let error = fetch(FetchKind::Sitemap, serve("image/png", sitemap(1), false), limits(10_000)).await.unwrap_err();
    assert!(
        error.to_string().ends_with("is of type `image/png`, not XML, text or gzip as a sitemap must be"),
        "{error}"
    );
    let error = fetch(FetchKind::Page, serve("image/png", sitemap(1), false), limits(10_000)).await.unwrap_err();
    assert!(error.to_string().ends_with("is of type `image/png`, not one of `fetch.accept`"), "{error}");
}
