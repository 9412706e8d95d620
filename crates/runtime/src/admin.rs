//! The admin port: `/metrics`, `/livez`, `/readyz`, and what a process adds.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus::{Encoder, Registry, TextEncoder};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Where operators look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdminConfig {
    /// Address of the admin port; port 0 takes a free one. It has no login: keep it on loopback or behind a firewall.
    /// Default: `"127.0.0.1:0"`.
    pub listen: SocketAddr,
}

impl Default for AdminConfig {
    fn default() -> Self {
        Self { listen: SocketAddr::from(([127, 0, 0, 1], 0)) }
    }
}

/// What each part of the process says of itself.
#[derive(Clone, Default)]
pub struct Health {
    parts: Arc<Mutex<BTreeMap<&'static str, bool>>>,
}

impl Health {
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
    health: Health,
    extra: Router,
    stop: CancellationToken,
) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| anyhow::anyhow!("`admin.listen` cannot be bound at {}: {error}", config.listen))?;
    let address = listener.local_addr()?;
    let router = router(registry, health).merge(extra);
    tokio::spawn(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "admin port failed");
        }
    });
    Ok(address)
}

fn router(registry: Registry, health: Health) -> Router {
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

async fn ready(State(health): State<Health>) -> impl IntoResponse {
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
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n\r\n");
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
        let (health, stop) = (Health::default(), CancellationToken::new());
        health.set("indexer", false);
        let address =
            serve(&AdminConfig::default(), registry, health.clone(), Router::new(), stop.clone()).await.unwrap();
        assert!(get(address, "/livez").await.starts_with("HTTP/1.1 200"));
        let answer = get(address, "/readyz").await;
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("indexer"), "{answer}");
        health.set("indexer", true);
        assert!(get(address, "/readyz").await.starts_with("HTTP/1.1 200"));
        assert!(get(address, "/metrics").await.contains("gristmill_test_total 7"));
        stop.cancel();
    }
}
