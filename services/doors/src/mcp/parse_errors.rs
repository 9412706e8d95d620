//! What is no JSON is answered with the error that JSON-RPC 2.0 has for it (§5.1); the library passes over it, or answers without one.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::IgnoredAny;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

use super::MAX_REQUEST;

/// Bytes on their way to the server or from it.
const BUFFER: usize = 64 * 1024;

/// The error for what is no JSON; none for what is.
fn parse_error(text: &[u8]) -> Option<Vec<u8>> {
    let error = serde_json::from_slice::<IgnoredAny>(text).err()?;
    let message = format!("the message is no JSON: {error}");
    let answer = serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": message}});
    Some(answer.to_string().into_bytes())
}

/// Answers a body that is no JSON before the library sees it.
pub(super) async fn refuse(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_REQUEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, format!("the body exceeds {MAX_REQUEST} bytes\n")).into_response();
    };
    match parse_error(&body) {
        Some(answer) => (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        None => next.run(Request::from_parts(head, Body::from(body))).await,
    }
}

/// Standard input and output, of which only lines that are JSON reach the server; and the task that writes, which ends once the
/// server is gone.
pub(super) fn checked_stdio() -> (DuplexStream, JoinHandle<()>) {
    let (ours, server) = duplex(BUFFER);
    let (output, input) = split(ours);
    let (refused, answers) = channel(1);
    tokio::spawn(pass_in(input, refused));
    (server, tokio::spawn(pass_out(output, answers)))
}

async fn pass_in(mut server: WriteHalf<DuplexStream>, refused: Sender<Vec<u8>>) {
    let mut lines = BufReader::new(tokio::io::stdin()).split(b'\n');
    while let Ok(Some(mut line)) = lines.next_segment().await {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let passed = match parse_error(&line) {
            Some(answer) => refused.send(answer).await.is_ok(),
            None => {
                line.push(b'\n');
                server.write_all(&line).await.is_ok()
            }
        };
        if !passed {
            return;
        }
    }
    let _ = server.shutdown().await;
}

async fn pass_out(server: ReadHalf<DuplexStream>, mut answers: Receiver<Vec<u8>>) {
    let (mut lines, mut stdout) = (BufReader::new(server).split(b'\n'), tokio::io::stdout());
    loop {
        let mut line = tokio::select! {
            line = lines.next_segment() => match line {
                Ok(Some(line)) => line,
                _ => break,
            },
            Some(answer) = answers.recv() => answer,
        };
        line.push(b'\n');
        if stdout.write_all(&line).await.is_err() || stdout.flush().await.is_err() {
            return;
        }
    }
    while let Ok(mut line) = answers.try_recv() {
        line.push(b'\n');
        let _ = stdout.write_all(&line).await;
    }
    let _ = stdout.flush().await;
}
