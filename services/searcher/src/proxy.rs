//! An HTTP forward proxy that answers with the main text of the page alone.
//!
//! ```text
//! GET http://host/page ─▶ guard, fetch ─▶ decode, extract (on threads of their own) ─▶ a small HTML page
//! ```
//! It is the proxy of Gottron's framework (§4.2), so `gristmill-lab eval --proxy` can judge it like any other.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use gristmill_extract::ExtractOptions;
use gristmill_fetch::{Client, ConfigError, FetchConfig, Request as FetchRequest};
use gristmill_reading::{CharsetHints, PageReader};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method as Verb, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Connections at a time; more wait to be accepted.
const MAX_CONNECTIONS: usize = 128;

/// Longest wait for pages in flight when the proxy is to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Longest part of an address that an error page repeats.
const MAX_SHOWN_CHARS: usize = 300;

/// What the proxy does with pages.
struct Proxy {
    client: Client,
    reader: PageReader,
    /// Fall back when the method keeps nothing.
    never_empty: bool,
    /// One permit a core: pages beyond wait as bytes, which are small, not as trees.
    cores: Semaphore,
}

/// Answers requests for pages with their main text alone, until `stop`.
///
/// # Errors
/// Settings of the client that cannot be.
pub async fn serve_proxy(
    listener: TcpListener,
    reader: PageReader,
    never_empty: bool,
    fetch: &FetchConfig,
    stop: CancellationToken,
) -> Result<(), ConfigError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let proxy = Proxy { client: Client::new(fetch)?, reader, never_empty, cores: Semaphore::new(cores) };
    serve(listener, Arc::new(proxy), stop).await;
    Ok(())
}

async fn serve(listener: TcpListener, proxy: Arc<Proxy>, stop: CancellationToken) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let accept = async {
            let slot = slots.clone().acquire_owned().await.expect("nobody closes the semaphore");
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let (proxy, stop) = (proxy.clone(), stop.clone());
                connections.spawn(async move {
                    connection(stream, proxy, stop).await;
                    drop(slot);
                });
            }
            // Out of file handles, or a client that is gone again: neither ends the proxy.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    let _ = tokio::time::timeout(DRAIN, async { while connections.join_next().await.is_some() {} }).await;
}

async fn connection(stream: TcpStream, proxy: Arc<Proxy>, stop: CancellationToken) {
    let service = service_fn(|request| {
        let proxy = proxy.clone();
        async move { Ok::<_, Infallible>(answer(&proxy, &request).await) }
    });
    // The timer arms hyper's limit of 30 s on a head that does not come to its end.
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn answer(proxy: &Arc<Proxy>, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let url = match wanted(request) {
        Ok(url) => url,
        Err((status, reason)) => return explain(status, &reason),
    };
    let fetched = match proxy.client.fetch(&FetchRequest::page(url.clone())).await {
        Ok(fetched) => fetched,
        Err(error) => return explain(error.gateway_status(), &error.to_string()),
    };
    if let Some(target) = fetched.redirect_target() {
        return redirect(fetched.status, &target);
    }
    if fetched.status != 200 {
        let status = StatusCode::from_u16(fetched.status).unwrap_or(StatusCode::BAD_GATEWAY);
        return explain(status, &format!("the server of `{}` answered with status {status}", shown(url.as_str())));
    }
    let content_type = fetched.headers.content_type.clone();
    match cleaned(proxy, fetched.body.decoded, content_type, url).await {
        Some(html) => page(StatusCode::OK, html),
        None => explain(StatusCode::INTERNAL_SERVER_ERROR, "the extraction failed"),
    }
}

/// The address that is asked for, or what to say instead.
fn wanted(request: &Request<Incoming>) -> Result<Url, (StatusCode, String)> {
    if request.method() == Verb::CONNECT {
        let reason = "this proxy reads pages to clean them, so it opens no tunnels for `https`; a client that sends \
                      `GET https://host/path` to it is served";
        return Err((StatusCode::NOT_IMPLEMENTED, reason.to_owned()));
    }
    if request.method() != Verb::GET {
        return Err((StatusCode::METHOD_NOT_ALLOWED, format!("`{}` is not supported, only GET", request.method())));
    }
    if request.uri().scheme().is_none() {
        let reason = "this is a proxy: ask it for `GET http://host/path`, by naming it as the HTTP proxy of a browser";
        return Err((StatusCode::BAD_REQUEST, reason.to_owned()));
    }
    let url = request.uri().to_string();
    url.parse().map_err(|error| (StatusCode::BAD_REQUEST, format!("`{}` is no address: {error}", shown(&url))))
}

/// `None` when the extraction broke down.
async fn cleaned(proxy: &Arc<Proxy>, body: Bytes, content_type: Option<String>, url: Url) -> Option<String> {
    let _core = proxy.cores.acquire().await.ok()?;
    let proxy = proxy.clone();
    tokio::task::spawn_blocking(move || clean(&proxy, &body, content_type.as_deref(), url.as_str())).await.ok()
}

/// The main text as a page of its own.
fn clean(proxy: &Proxy, body: &[u8], content_type: Option<&str>, url: &str) -> String {
    let reader = &proxy.reader;
    let parsed = reader.parse(body, &CharsetHints { content_type, url: Some(url) });
    let reading = parsed.read(ExtractOptions { never_empty: proxy.never_empty, ..reader.options() });
    let language = reading.document.language.as_deref().unwrap_or_default();
    let title = reading.document.title.as_deref().unwrap_or_default();
    html(language, title, &reading.html())
}

fn html(language: &str, title: &str, body: &str) -> String {
    let (language, title) = (escape(language), escape(title));
    format!(
        "<!doctype html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n{body}</body></html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn page(status: StatusCode, html: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(html.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

fn explain(status: StatusCode, reason: &str) -> Response<Full<Bytes>> {
    page(status, html("en", status.as_str(), &format!("<p>gristmill: {}</p>\n", escape(reason))))
}

fn redirect(status: u16, target: &Url) -> Response<Full<Bytes>> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::FOUND);
    let mut response = explain(status, &format!("the page is at {}", shown(target.as_str())));
    if let Ok(target) = HeaderValue::from_str(target.as_str()) {
        response.headers_mut().insert(header::LOCATION, target);
    }
    response
}

fn shown(url: &str) -> String {
    url.chars().take(MAX_SHOWN_CHARS).collect()
}
