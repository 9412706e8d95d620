//! Trust in TLS connections, and HTTP/2 over them.
//!
//! `tests/tls/` holds an authority known to nobody else, and two certificates of `tls.test` that it signed: one valid
//! from 2020 to 2120, one that expired in 2020; and three that `tls.test` made itself, of which one expired and one names it in the subject
//! alone. The keys guard nothing but this test.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use gristmill_fetch::{Client, FetchConfig, Request, Retry, SiteFetchConfig, Verdict};
use gristmill_urls::SitePattern;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

fn file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls")).join(name)
}

/// Serves one page over TLS, in the protocol that the handshake settles on, for as long as the test runs.
async fn serve(certificate: &str, protocols: &[&str]) -> SocketAddr {
    serve_with(certificate, "leaf.key", protocols).await
}

async fn serve_with(certificate: &str, key: &str, protocols: &[&str]) -> SocketAddr {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let chain = vec![CertificateDer::from_pem_file(file(certificate)).unwrap()];
    let key = PrivateKeyDer::from_pem_file(file(key)).unwrap();
    let mut config = rustls::ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else { continue };
            let is_h2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            let service = service_fn(|request: hyper::Request<hyper::body::Incoming>| async move {
                let body = format!("<p>over {:?}", request.version());
                Ok::<_, Infallible>(
                    hyper::Response::builder()
                        .header("content-type", "text/html")
                        .header(
                            "x-filler",
                            if request.uri().path() == "/big" { "x".repeat(100_000) } else { String::new() },
                        )
                        .body(Full::new(Bytes::from(body)))
                        .unwrap(),
                )
            });
            let io = TokioIo::new(stream);
            tokio::spawn(async move {
                if is_h2 {
                    let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                        .serve_connection(io, service)
                        .await;
                } else {
                    let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
                }
            });
        }
    });
    address
}

fn config(address: SocketAddr) -> FetchConfig {
    FetchConfig {
        allow_private: true,
        resolve: [("tls.test".to_owned(), address.to_string()), ("other.test".to_owned(), address.to_string())].into(),
        ca_file: Some(file("ca.pem")),
        ..FetchConfig::default()
    }
}

async fn fetch(config: &FetchConfig, url: &str) -> Result<String, (Verdict, Retry, String)> {
    match Client::new(config).unwrap().fetch(&Request::page(url.parse().unwrap())).await {
        Ok(response) => Ok(String::from_utf8(response.body.decoded.to_vec()).unwrap()),
        Err(error) => Err((error.verdict(), error.retry(), error.to_string())),
    }
}

#[tokio::test]
async fn an_authority_of_the_operator_is_trusted() {
    let address = serve("leaf.pem", &["http/1.1"]).await;
    assert_eq!(fetch(&config(address), "https://tls.test/").await.unwrap(), "<p>over HTTP/1.1");
}

#[tokio::test]
async fn http_2_is_spoken_where_it_is_offered_and_switched_on() {
    let address = serve("leaf.pem", &["h2", "http/1.1"]).await;
    assert_eq!(fetch(&config(address), "https://tls.test/").await.unwrap(), "<p>over HTTP/2.0");
    let without = FetchConfig { http2: false, ..config(address) };
    assert_eq!(fetch(&without, "https://tls.test/").await.unwrap(), "<p>over HTTP/1.1");
}

#[tokio::test]
async fn headers_are_limited_in_http_2_as_well() {
    let address = serve("leaf.pem", &["h2"]).await;
    let (kind, _, message) = fetch(&config(address), "https://tls.test/big").await.unwrap_err();
    assert_eq!(kind, Verdict::HeaderTooLarge, "{message}");
}

#[tokio::test]
async fn wrong_certificates_are_told_apart_from_other_faults() {
    let address = serve("leaf.pem", &[]).await;
    let unknown = FetchConfig { ca_file: None, ..config(address) };
    let expired = config(serve("expired.pem", &[]).await);
    for (config, url, words) in [
        (unknown, "https://tls.test/", "UnknownIssuer"),
        (config(address), "https://other.test/", "not valid for name"),
        (expired, "https://tls.test/", "expired"),
    ] {
        let (kind, retry, message) = fetch(&config, url).await.unwrap_err();
        assert_eq!((kind, retry), (Verdict::Tls, Retry::Later), "{message}");
        assert!(message.contains(words) && message.contains(url), "{message}");
    }
}

#[tokio::test]
async fn a_host_that_is_named_for_it_needs_no_good_certificate_and_others_do() {
    let address = serve("expired.pem", &[]).await;
    let pattern = SitePattern::new(&["TLS.test".to_owned()], None).unwrap();
    let site = SiteFetchConfig { insecure: true, ..SiteFetchConfig::of("sites[0]", pattern) };
    let config = FetchConfig { ca_file: None, sites: vec![site], ..config(address) };
    assert!(fetch(&config, "https://tls.test/").await.is_ok());
    assert_eq!(fetch(&config, "https://other.test/").await.unwrap_err().0, Verdict::Tls);
}

#[tokio::test]
async fn a_certificate_that_a_server_made_itself_is_trusted_where_the_file_holds_it() {
    for (certificate, key) in [("own.pem", "own.key"), ("own-named.pem", "own.key")] {
        let address = serve_with(certificate, key, &["h2", "http/1.1"]).await;
        let own = FetchConfig { ca_file: Some(file(certificate)), ..config(address) };
        assert_eq!(fetch(&own, "https://tls.test/").await.unwrap(), "<p>over HTTP/2.0", "{certificate}");
        let (kind, _, message) = fetch(&config(address), "https://tls.test/").await.unwrap_err();
        assert_eq!(kind, Verdict::Tls, "{certificate} is of another file: {message}");
    }
    let address = serve_with("own-named.pem", "own.key", &[]).await;
    let own = FetchConfig { ca_file: Some(file("own-named.pem")), ..config(address) };
    let (kind, _, message) = fetch(&own, "https://other.test/").await.unwrap_err();
    assert!(kind == Verdict::Tls && message.contains("not valid for name"), "{message}");
    let address = serve_with("own-expired.pem", "own.key", &[]).await;
    let own = FetchConfig { ca_file: Some(file("own-expired.pem")), ..config(address) };
    let (kind, _, message) = fetch(&own, "https://tls.test/").await.unwrap_err();
    assert!(kind == Verdict::Tls && message.contains("expired"), "{message}");
}
