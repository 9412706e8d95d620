//! An HTTP proxy as a system: the architecture of the paper (Gottron §4.2).
//!
//! ```text
//!           GET http://127.0.0.1:port/…          GET /…
//! harness ───────────────────────────▶ proxy ─────────────▶ one-document server, serves once and ends
//!         ◀─────────────────────────── cleans ◀────────────
//!                  │ receiving ends                │ serving ends
//!                  └───────── the seconds ─────────┘
//! ```

mod client;
mod server;

use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

use crate::package::GoldPage;
use crate::strip::strip;
use crate::system::{Answer, System, SystemOutput};
use crate::{DEFAULT_TIMEOUT, MAX_OUTPUT_BYTES};
use client::ProxyFailure;
use server::OneShotServer;

/// A proxy that answers with the cleaned page.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// In tables.
    pub name: String,
    /// Where it listens.
    pub address: SocketAddr,
    /// Longest time for a page. Default: 60 s.
    pub timeout: Duration,
    /// Largest answer. Default: 64 MiB.
    pub max_output: usize,
}

/// Why a proxy cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no HTTP proxy: {reason}")]
pub struct ProxyError {
    given: String,
    reason: String,
}

impl Proxy {
    /// Reads `NAME=http://HOST:PORT` or `http://HOST:PORT`, which is then named by host and port.
    ///
    /// # Errors
    /// When it is no such URL, or the host has no address.
    pub fn parse(given: &str) -> Result<Proxy, ProxyError> {
        let error = |reason: String| ProxyError { given: given.to_owned(), reason };
        let (name, address) = match given.split_once('=') {
            Some((name, address)) if !name.is_empty() && !name.contains("://") => (Some(name), address),
            _ => (None, given),
        };
        let url = url::Url::parse(address).map_err(|cause| error(format!("{cause}, write `http://127.0.0.1:3128`")))?;
        let host =
            url.host_str().filter(|_| url.scheme() == "http").ok_or_else(|| error("not an `http` URL".into()))?;
        let port = url.port_or_known_default().unwrap_or(80);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let address = (host, port).to_socket_addrs().map_err(|cause| error(cause.to_string()))?.next();
        let address = address.ok_or_else(|| error("the host has no address".into()))?;
        let name = name.map_or_else(|| format!("{host}:{port}"), str::to_owned);
        Ok(Proxy { name, address, timeout: DEFAULT_TIMEOUT, max_output: MAX_OUTPUT_BYTES })
    }

    fn answer(&self, html: &[u8]) -> Answer {
        let deadline = Instant::now() + self.timeout;
        let server = OneShotServer::start(html.to_vec(), deadline).map_err(|error| format!("no server: {error}"))?;
        let url = format!("http://{}/page.html", server.address);
        let answer = client::get(self.address, &url, deadline, self.max_output);
        let received = Instant::now();
        let answer = answer.map_err(|failure| match failure {
            ProxyFailure::Late => format!("no answer within {:?}", self.timeout),
            ProxyFailure::Told(reason) => reason,
        })?;
        if answer.status != 200 {
            let body = gristmill_text::collapse(&strip(&answer.body, answer.content_type.as_deref()));
            let body: String = body.chars().take(200).collect();
            return Err(format!("status {}: {body}", answer.status));
        }
        let served = server.served().ok_or("the proxy answered without asking for the page")?;
        let seconds = received.saturating_duration_since(served).as_secs_f64();
        let text = strip(&answer.body, answer.content_type.as_deref());
        Ok(SystemOutput { text, seconds: Some(seconds), ..SystemOutput::default() })
    }
}

impl System for Proxy {
    fn names(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn extract(&self, _: &GoldPage, html: &[u8]) -> Vec<Answer> {
        vec![self.answer(html)]
    }
}

#[cfg(test)]
mod tests;
