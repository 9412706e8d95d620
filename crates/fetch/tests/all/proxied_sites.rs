//! What a site is sent goes to no other host behind a proxy, and not to the proxy in the clear where the connection is encrypted.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use gristmill_fetch::{Client, FetchConfig, Request, SiteFetchConfig};
use gristmill_secrets::Secret;
use gristmill_urls::SitePattern;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The heads of requests, in lower case, as someone got to see them.
type Heads = Arc<Mutex<Vec<String>>>;

const TLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/");

async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return String::new(),
        }
    }
    String::from_utf8(head).unwrap().to_lowercase()
}

/// Answers each request on the stream, and sets a cookie.
async fn answer(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), heads: &Heads) {
    loop {
        let head = read_head(stream).await;
        if head.is_empty() {
            return;
        }
        heads.lock().unwrap().push(head);
        let answer =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: set=hunter2\r\nContent-Length: 4\r\n\r\n<p>x";
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

/// A server over TLS, whatever name it is called by.
async fn tls_server(heads: Heads) -> SocketAddr {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let chain = vec![CertificateDer::from_pem_file(format!("{TLS}leaf.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(format!("{TLS}leaf.key")).unwrap();
    let config = rustls::ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let heads = heads.clone();
            tokio::spawn(async move { answer(&mut stream, &heads).await });
        }
    });
    address
}

/// A proxy that opens tunnels to `server`, answers what comes in the clear itself, and writes all heads down that it can read.
async fn proxy(server: SocketAddr, heads: Heads) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let heads = heads.clone();
            tokio::spawn(async move {
                let mut first = [0; 7];
                if stream.peek(&mut first).await.is_err() || first != *b"CONNECT" {
                    return answer(&mut stream, &heads).await;
                }
                let head = read_head(&mut stream).await;
                heads.lock().unwrap().push(head);
                stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.unwrap();
                let mut inner = TcpStream::connect(server).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut inner).await;
            });
        }
    });
    address
}

fn site(host: &str) -> SiteFetchConfig {
    let pattern = SitePattern::new(&[host.to_owned()], None).unwrap();
    SiteFetchConfig { insecure: true, ..SiteFetchConfig::of(host, pattern) }
}

#[tokio::test]
async fn a_sites_headers_cookies_and_login_reach_no_other_host_through_a_proxy_nor_the_proxy_of_a_tunnel() {
    let (served, proxied) = (Heads::default(), Heads::default());
    let proxy = proxy(tls_server(served.clone()).await, proxied.clone()).await;
    let shop = SiteFetchConfig {
        headers: [("X-Token".to_owned(), Secret::new("hunter2"))].into(),
        cookies: Secret::new("plain=hunter2"),
        username: "me".to_owned(),
        password: Secret::new("hunter2"),
        user_agent: Some("hunter2/1".to_owned()),
        ..site("shop.test")
    };
    let names = ["shop.test", "spy.test", "shop.test.spy.test"];
    let config = FetchConfig {
        allow_private: true,
        proxy: Some(format!("http://{proxy}").as_str().into()),
        // Names that the proxy is asked for, so that none of them is looked up here.
        resolve: names.map(|name| (name.to_owned(), proxy.to_string())).into(),
        sites: vec![shop, site("spy.test"), site("shop.test.spy.test")],
        ..FetchConfig::default()
    };
    let client = Client::new(&config).unwrap();
    let secrets = ["hunter2", "bwu6ahvudgvymg"];
    let leaks = |head: &str| secrets.iter().any(|secret| head.contains(secret));
    for scheme in ["http", "https"] {
        for host in ["shop.test", "spy.test", "shop.test", "shop.test.spy.test"] {
            let request = Request::page(format!("{scheme}://{host}/").parse().unwrap());
            let response = client.fetch(&request).await.unwrap_or_else(|error| panic!("{scheme} {host}: {error}"));
            assert_eq!(response.status, 200);
        }
        let of_host = |heads: &[String], host: &str| -> Vec<String> {
            let is_of = |head: &&String| head.contains(&format!("\r\nhost: {host}\r\n"));
            heads.iter().filter(is_of).cloned().collect()
        };
        let seen = std::mem::take(&mut *if scheme == "http" { proxied.lock() } else { served.lock() }.unwrap());
        for host in names {
            let heads = of_host(&seen, host);
            assert!(!heads.is_empty(), "{scheme} {host}: {seen:?}");
            assert!(heads.iter().all(|head| leaks(head) == (host == "shop.test")), "{scheme} {host}: {heads:?}");
        }
        let shop = of_host(&seen, "shop.test").concat();
        assert!(secrets.iter().all(|secret| shop.contains(secret)), "{shop}");
    }
    let tunnels = proxied.lock().unwrap().clone();
    assert!(tunnels.len() >= 3 && tunnels.iter().all(|head| head.starts_with("connect ")), "{tunnels:?}");
    assert!(!tunnels.iter().any(|head| leaks(head)), "{tunnels:?}");
}
