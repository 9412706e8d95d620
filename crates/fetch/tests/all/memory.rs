//! Bodies of many downloads at once, over real sockets: together they never pass `fetch.max_bytes_in_flight`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use gristmill_fetch::{Client, FetchConfig, Request};

const MIB: usize = 1 << 20;

/// A server that answers every request with this body.
fn serve(coding: &'static str, body: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, body) = (stream.unwrap(), body.clone());
            std::thread::spawn(move || {
                _ = stream.read(&mut [0; 4096]).unwrap();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n",
                    body.len()
                );
                _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            });
        }
    });
    address
}

/// Words that pack as text does.
fn page(length: usize) -> Vec<u8> {
    let mut x = 88_172_645_463_325_252_u64;
    let mut page = String::from("<p>");
    while page.len() < length {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        page.push_str(&format!("{:x} ", x >> 40));
    }
    page.truncate(length);
    page.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Room for one body of the largest kind, and two steps beside it.
fn narrow() -> FetchConfig {
    FetchConfig {
        allow_private: true,
        connections_per_host: 100,
        max_wire_bytes: 2 * MIB,
        max_body_bytes: 2 * MIB,
        max_listing_bytes: MIB,
        max_bytes_in_flight: 4 * MIB + MIB / 2,
        ..FetchConfig::default()
    }
}

/// The same with time limits that a wait for memory would pass.
fn brisk() -> Client {
    let config = FetchConfig {
        total_timeout: Duration::from_secs(8),
        min_speed: 20_000,
        min_speed_after: Duration::from_secs(4),
        ..narrow()
    };
    Client::new(&config).unwrap()
}

fn request(address: SocketAddr) -> Request {
    Request::page(format!("http://{address}/").parse().unwrap())
}

#[tokio::test]
async fn large_bodies_wait_for_memory_beyond_any_time_limit_and_small_ones_pass_by() {
    let whole = page(2 * MIB - 1000);
    for (coding, body) in [("identity", whole.clone()), ("gzip", gzip(&whole))] {
        let (large, small) = (serve(coding, body), serve("identity", page(100_000)));
        let client = brisk();
        let first = client.fetch(&request(large)).await.unwrap();
        assert!(first.body.decoded == whole);
        let second = tokio::spawn({
            let client = client.clone();
            async move { client.fetch(&request(large)).await }
        });
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(9) {
            assert!(client.fetch(&request(small)).await.is_ok(), "a small body waits for a large one");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert!(!second.is_finished(), "{coding}: both bodies are in memory");
        drop(first);
        let second = tokio::time::timeout(Duration::from_secs(60), second).await.expect("it waits for ever").unwrap();
        assert!(second.unwrap().body.decoded == whole, "{coding}");
    }
}

#[tokio::test]
async fn a_hundred_large_bodies_at_once_all_come() {
    let whole = page(2 * MIB - 1000);
    let (address, client) = (serve("gzip", gzip(&whole)), Client::new(&narrow()).unwrap());
    let downloads = (0..100).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.fetch(&request(address)).await.map(|answer| answer.body.decoded.len()) })
    });
    for download in downloads.collect::<Vec<_>>() {
        let length = tokio::time::timeout(Duration::from_secs(60), download).await.expect("it waits for ever").unwrap();
        assert_eq!(length.unwrap(), whole.len());
    }
}
