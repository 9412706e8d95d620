//! Routes, headers that hold for every answer, and the socket.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use gristmill_runtime::server_names::{ServerNames, guard};
use gristmill_secrets::Secret;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::access::{self, AccessRules, OpenDoors};
use crate::client::Client;
use crate::config::SearcherConfig;
use crate::connections::{ConnectionPermit, Connections};
use crate::extract::{self, ExtractService};
use crate::searcher::Searcher;
use crate::{api, cors, descriptions, feed, pages};

/// How long requests under way may take after the end was called.
const DRAIN: Duration = Duration::from_secs(5);

/// Pause after a connection that could not be taken.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// What a connection hears for which there is no place.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Nothing but our own style sheet and icon: no scripts, frames, fonts or pictures, whatever a page slips in.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
                                       base-uri 'none'; frame-ancestors 'none'";

/// Further ways in, behind the same checks of names, tokens and numbers.
#[derive(Default)]
pub struct Doors {
    /// Their routes, below `/mcp`, `/v2` and `/.well-known`, of which the last are open to all; each request has its [`Client`] and [`ScopeSet`](crate::ScopeSet) as extensions.
    pub routes: Router,
    /// Which of them there are.
    pub open: OpenDoors,
    /// A token for them alone, beside `searcher.tokens`.
    pub token: Option<Secret>,
}

/// The web pages and the API, under `names`; pages are extracted if `extraction` is there.
fn router(searcher: Searcher, extraction: Option<ExtractService>, doors: Option<Doors>, names: ServerNames) -> Router {
    let extract = post(extract::extract).fallback(extract::only_post).with_state(extraction);
    let api = Router::new()
        .route("/search", get(api::search))
        .route("/document/{key}", get(api::document))
        .route("/status", get(api::status))
        .route("/extract", extract.clone())
        .route("/openapi.json", get(description))
        .fallback(api::unknown)
        .method_not_allowed_fallback(api::not_allowed);
    let routes = Router::new()
        .route("/", get(pages::start))
        .route("/search", get(pages::search))
        .route("/feed", get(feed::feed))
        .route("/document/{key}", get(pages::document))
        .route("/status", get(pages::status))
        .route("/style.css", get(pages::style))
        .route("/icon.svg", get(pages::icon))
        .route("/opensearch.xml", get(descriptions::opensearch))
        .route("/llms.txt", get(descriptions::llms))
        .route("/extract", extract)
        .nest("/api/v1", api)
        .route("/api/v1/", get(api::unknown))
        .fallback(pages::unknown);
    let Doors { routes: further, open, token } = doors.unwrap_or_default();
    let config = searcher.config();
    let (rules, origins) = (AccessRules::new(config, open, token), Arc::new(config.cors.clone()));
    let routes = routes.with_state(searcher.clone()).merge(further);
    let routes = routes.layer(middleware::from_fn_with_state(rules, access::check));
    let routes = routes.layer(middleware::from_fn_with_state(origins, cors::allow));
    guard(routes, names).layer(middleware::from_fn_with_state(searcher, finish))
}

/// Answers requests on `listener` until `stop`, then lets those under way end, for five seconds at most.
///
/// # Errors
/// A setting that breaks a rule.
pub async fn serve(
    listener: TcpListener,
    searcher: Searcher,
    extraction: Option<ExtractService>,
    stop: CancellationToken,
) -> std::io::Result<()> {
    serve_with(listener, searcher, extraction, None, stop).await
}

/// As [`serve`], with further ways in.
///
/// # Errors
/// A setting that breaks a rule.
pub async fn serve_with(
    listener: TcpListener,
    searcher: Searcher,
    extraction: Option<ExtractService>,
    doors: Option<Doors>,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let config = searcher.config().clone();
    config.check().map_err(|problem| std::io::Error::new(std::io::ErrorKind::InvalidInput, problem))?;
    let metrics = searcher.metrics().clone();
    let connections = Connections::new(config.max_connections, config.max_connections_per_client, metrics);
    let names = ServerNames::new(&config.listen, listener.local_addr()?, &config.hosts, "searcher.hosts");
    let names = names.with_origins(&config.cors);
    let (router, mut running) = (router(searcher, extraction, doors, names), JoinSet::new());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = running.join_next() => continue,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, address)) => {
                let Some(seat) = connections.seat(address.ip()) else {
                    turn_away(stream);
                    continue;
                };
                let client = Client(address.ip());
                running.spawn(connection(stream, client, seat, router.clone(), config.clone(), stop.clone()));
            }
            // Out of file handles, or a client that is gone again: neither ends the server.
            Err(error) => {
                tracing::debug!(%error, "a connection could not be taken");
                connections.make_room();
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    let drained = async { while running.join_next().await.is_some() {} };
    // Those that are still there are cut off.
    let _ = tokio::time::timeout(DRAIN, drained).await;
    Ok(())
}

/// Says that the server is busy, as far as that takes no time, and closes the connection.
fn turn_away(stream: TcpStream) {
    let Ok(mut stream) = stream.into_std() else { return };
    // What lies unread when a connection is closed may cost the client the answer. Neither call waits.
    let _ = stream.read(&mut [0; 8192]);
    let _ = stream.write(BUSY);
}

/// Answers the requests of one connection.
async fn connection(
    stream: TcpStream,
    client: Client,
    seat: ConnectionPermit,
    router: Router,
    config: SearcherConfig,
    stop: CancellationToken,
) {
    // An answer is one write; without this the last piece of a long one may wait for the client's acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let answer = service_fn(|mut request: hyper::Request<Incoming>| {
        seat.begin(!is_open_ended(request.uri().path()));
        request.extensions_mut().insert(client);
        let answered = service.call(request);
        async {
            let answer = answered.await;
            seat.end();
            answer
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(config.header_timeout)
        .serve_connection(TokioIo::new(seat.watched(stream, config.idle_timeout)), answer);
    let mut served = std::pin::pin!(served);
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = seat.place.lost.cancelled() => return,
        () = seat.overdue(config.answer_timeout) => return,
        () = stop.cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Whether the answer may go on for as long as its client listens: agents are told how a crawl goes on.
fn is_open_ended(path: &str) -> bool {
    path == "/mcp"
}

/// Adds the headers that make a browser careful, and counts the answer.
async fn finish(State(searcher): State<Searcher>, request: Request, next: Next) -> Response {
    let route = route(request.uri());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 5] = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let status = response.status();
    searcher.metrics().requests.with_label_values(&[route, status.as_str()]).inc();
    response
}

/// The route as a label: a closed set, whatever is asked for.
fn route(uri: &Uri) -> &'static str {
    match uri.path() {
        "/" => "start",
        "/search" => "search",
        "/feed" => "feed",
        "/status" => "status",
        "/style.css" | "/icon.svg" | "/opensearch.xml" | "/llms.txt" => "asset",
        "/api/v1/search" => "api_search",
        "/api/v1/status" => "api_status",
        "/extract" | "/api/v1/extract" => "api_extract",
        "/api/v1/openapi.json" => "api_description",
        "/mcp" => "mcp",
        path if path.starts_with("/v2/") => "firecrawl",
        path if path.starts_with("/document/") => "document",
        path if path.starts_with("/api/v1/document/") => "api_document",
        _ => "other",
    }
}

/// `GET /api/v1/openapi.json`: the API, described for programs.
async fn description() -> Response {
    asset("application/json", include_str!("../../../docs/openapi.json"))
}

/// A file that came with the program.
pub(crate) fn asset(kind: &'static str, content: &'static str) -> Response {
    let cached = (header::CACHE_CONTROL, "public, max-age=3600");
    ([(header::CONTENT_TYPE, kind), cached], content).into_response()
}
