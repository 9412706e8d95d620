//! Pages of other origins that may ask from a browser: those of `searcher.cors`, and no others.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// For how long a browser may remember the answer, in seconds.
const MAX_AGE: &str = "600";

/// Answers what a browser asks before a request of another origin, and marks the answers that its page may read.
pub(crate) async fn allow(State(origins): State<Arc<Vec<String>>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let origin = origin.filter(|origin| origins.iter().any(|known| known.as_bytes() == origin.as_bytes()));
    let Some(origin) = origin else { return next.run(request).await };
    let asks_before =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match asks_before {
        true => (StatusCode::NO_CONTENT, preflight()).into_response(),
        false => next.run(request).await,
    };
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    response
}

fn preflight() -> HeaderMap {
    let fields = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ];
    fields.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}
