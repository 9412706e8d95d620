//! The Model Context Protocol: tools for agents, over standard input and output or over HTTP.

mod answer;
mod arguments;
mod corpus;
mod pages;
mod parse_errors;
mod passage;
mod server;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn;
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::service::DoorService;
use server::McpServer;

/// Pause between two signs of life on an answer that takes its time; shorter than any silence that ends a connection.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// Most bytes of a request.
const MAX_REQUEST: usize = 1 << 20;
/// Longest time that answers take to be written once the client is gone.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Adds `/mcp` to the routes. Names and tokens are checked by the server around it.
pub fn with_mcp(routes: Router, service: &DoorService, stop: &CancellationToken) -> Router {
    let server = McpServer::new(service.clone());
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_sse_keep_alive(Some(KEEP_ALIVE))
        .with_max_request_body_bytes(MAX_REQUEST)
        .with_cancellation_token(stop.child_token())
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    routes.merge(Router::new().route_service("/mcp", service).layer(from_fn(parse_errors::refuse)))
}

/// Speaks with the one client on standard input and output, until it goes or `stop`.
///
/// # Errors
/// The client does not speak the protocol.
pub async fn serve_stdio(service: &DoorService, stop: CancellationToken) -> anyhow::Result<()> {
    let server = McpServer::new(service.clone());
    let (stdio, written) = parse_errors::checked_stdio();
    let running = server.serve_with_ct(tokio::io::split(stdio), stop).await?;
    running.waiting().await?;
    // The last answers are on their way out.
    let _ = tokio::time::timeout(LAST_ANSWERS, written).await;
    Ok(())
}
