//! The admin port: `/metrics`, `/livez`, `/readyz`, and what a process adds.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use gristmill_secrets::Secret;
use prometheus::{Encoder, Registry, TextEncoder};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::listen::Listen;
use crate::server_names::{ServerNames, guard};

/// Where operators look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdminConfig {
    /// Address of the admin port; port 0 takes a free one. It has no login: keep it on loopback or behind a firewall.
    /// Default: `"127.0.0.1:0"`.
    pub listen: Listen,
    /// Names under which it is asked, beside loopback ones and the one that `listen` names. Default: empty.
    pub hosts: Vec<String>,
    /// What `POST /control/…` of a crawl must carry as a bearer token. Default: empty, and the crawl makes one in its data directory.
    pub token: Secret,
}

impl Default for AdminConfig {
    fn default() -> Self {
        Self { listen: SocketAddr::from(([127, 0, 0, 1], 0)).into(), hosts: Vec::new(), token: Secret::default() }
    }
}

/// What each part of the process says of itself.
#[derive(Clone, Default)]
pub struct ProcessHealth {
    parts: Arc<Mutex<BTreeMap<&'static str, bool>>>,
}

impl ProcessHealth {
    /// Says whether `part` can work. A part that was never heard of does not count.
    pub fn set(&self, part: &'static str, ready: bool) {
        self.parts.lock().expect("no code panics while it holds this lock").insert(part, ready);
    }

    /// The parts that cannot work now.
    pub fn unready(&self) -> Vec<&'static str> {
        let parts = self.parts.lock().expect("no code panics while it holds this lock");
        parts.iter().filter(|(_, ready)| !**ready).map(|(part, _)| *part).collect()
    }
}

/// Serves the admin port until `stop`; returns the address that it listens on.
///
/// # Errors
/// The address is taken or not ours.
pub async fn serve(
    config: &AdminConfig,
    registry: Registry,
    health: ProcessHealth,
    extra: Router,
    stop: CancellationToken,
) -> anyhow::Result<SocketAddr> {
    let listener = config
        .listen
        .bind()
        .await
        .map_err(|error| anyhow::anyhow!("`admin.listen` cannot be bound at {}: {error}", config.listen))?;
    let address = listener.local_addr()?;
    let names = ServerNames::new(&config.listen, address, &config.hosts, "admin.hosts");
    let router = guard(router(registry, health).merge(extra), names);
    tokio::spawn(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "admin port failed");
        }
    });
    Ok(address)
}

fn router(registry: Registry, health: ProcessHealth) -> Router {
    let metrics = Router::new().route("/metrics", get(metrics)).with_state(registry);
    let ready = Router::new().route("/readyz", get(ready)).with_state(health);
    Router::new().route("/livez", get(|| async { "ok\n" })).merge(metrics).merge(ready)
}

async fn metrics(State(registry): State<Registry>) -> impl IntoResponse {
    let encoder = TextEncoder::new();
    let mut text = Vec::new();
    match encoder.encode(&registry.gather(), &mut text) {
        Ok(()) => (StatusCode::OK, [(header::CONTENT_TYPE, encoder.format_type().to_owned())], text),
        Err(error) => {
            let message = error.to_string().into_bytes();
            (StatusCode::INTERNAL_SERVER_ERROR, [(header::CONTENT_TYPE, "text/plain".to_owned())], message)
        }
    }
}

async fn ready(State(health): State<ProcessHealth>) -> impl IntoResponse {
    let unready = health.unready();
    if unready.is_empty() {
        (StatusCode::OK, "ready\n".to_owned())
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {}\n", unready.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn get(address: SocketAddr, path: &str) -> String {
        ask(address, path, &format!("Host: {address}\r\n")).await
    }

    async fn ask(address: SocketAddr, path: &str, fields: &str) -> String {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\n{fields}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn readiness_follows_the_parts_and_metrics_are_served() {
        let registry = Registry::new();
        let counter = prometheus::IntCounter::new("gristmill_test_total", "a test").unwrap();
        registry.register(Box::new(counter.clone())).unwrap();
        counter.inc_by(7);
        let (health, stop) = (ProcessHealth::default(), CancellationToken::new());
        health.set("indexer", false);
        let address =
            serve(&AdminConfig::default(), registry, health.clone(), Router::new(), stop.clone()).await.unwrap();
        assert!(get(address, "/livez").await.starts_with("HTTP/1.1 200"));
        let answer = get(address, "/readyz").await;
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("indexer"), "{answer}");
        health.set("indexer", true);
        assert!(get(address, "/readyz").await.starts_with("HTTP/1.1 200"));
        assert!(get(address, "/metrics").await.contains("gristmill_test_total 7"));
        for (fields, status) in [
            ("Host: evil.example\r\n", "421"),
            ("Host: localhost\r\nOrigin: http://evil.example\r\n", "421"),
            ("Host: localhost\r\nHost: evil.example\r\n", "421"),
            ("", "400"),
            ("Host: localhost\r\n", "200"),
        ] {
            let answer = ask(address, "/metrics", fields).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{fields}: {answer}");
            assert_eq!(answer.contains("gristmill_test_total"), status == "200");
        }
        let absolute = ask(address, "http://evil.example/metrics", "Host: localhost\r\n").await;
        assert!(absolute.starts_with("HTTP/1.1 421"), "{absolute}");
        stop.cancel();
    }
}
