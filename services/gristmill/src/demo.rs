//! The small site that Gristmill carries with it, served on loopback for a first crawl without network.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

static SITE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../examples/site");

/// A fixed port, so that a second run meets the same URLs; any free one when it is taken.
const PORT: u16 = 4711;

/// How the files are to be served, `site.toml`.
#[derive(Deserialize)]
struct Manifest {
    substitute: Vec<String>,
    redirects: BTreeMap<String, String>,
}

struct Site {
    manifest: Manifest,
    base: String,
}

/// Serves the site until `stop`; returns the URL of its home page.
///
/// # Errors
/// No port on loopback can be had.
pub async fn serve(stop: CancellationToken) -> anyhow::Result<String> {
    let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let listener = match TcpListener::bind(address(PORT)).await {
        Ok(listener) => listener,
        Err(_) => TcpListener::bind(address(0)).await?,
    };
    let base = format!("http://{}", listener.local_addr()?);
    let manifest = SITE.get_file("site.toml").and_then(|file| file.contents_utf8()).unwrap_or_default();
    let site = Arc::new(Site { manifest: toml::from_str(manifest)?, base: base.clone() });
    let router = Router::new().fallback(answer).with_state(site);
    tokio::spawn(async move {
        let served = axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await;
        if let Err(error) = served {
            tracing::error!(%error, "the built-in site could not be served");
        }
    });
    Ok(format!("{base}/"))
}

async fn answer(State(site): State<Arc<Site>>, uri: Uri) -> Response {
    let path = uri.path();
    if let Some(target) = site.manifest.redirects.get(path) {
        return (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, target.clone())]).into_response();
    }
    let name = path.trim_start_matches('/');
    let name = if name.is_empty() || name.ends_with('/') { format!("{name}index.html") } else { name.to_owned() };
    let media_type = match name.rsplit_once('.').map(|(_, extension)| extension) {
        // No charset: one page says in its head only that it is GBK.
        Some("html") => "text/html",
        Some("xml") => "application/xml",
        Some("css") => "text/css",
        Some("txt") => "text/plain",
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let Some(file) = SITE.get_file(&name) else { return StatusCode::NOT_FOUND.into_response() };
    let body = match file.contents_utf8() {
        Some(text) if site.manifest.substitute.contains(&name) => text.replace("{{base}}", &site.base).into_bytes(),
        _ => file.contents().to_vec(),
    };
    ([(header::CONTENT_TYPE, media_type)], body).into_response()
}
