//! Asking a running crawl on its admin port.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::settings::Settings;

/// Longest answer.
const MAX_BYTES: usize = 64 << 20;

/// Longest wait for one.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The admin port of the crawl in a data directory.
pub struct AdminClient<'s> {
    address: String,
    settings: &'s Settings,
}

impl<'s> AdminClient<'s> {
    /// That of the crawl that runs now; `None` where none does.
    pub fn of_running(settings: &'s Settings) -> Option<Self> {
        let lock = std::fs::File::open(settings.data.join("lock")).ok()?;
        // Whoever can take the lock is alone.
        if lock.try_lock_shared().is_ok() {
            return None;
        }
        let status = settings.last_status()?;
        Some(Self { address: status["admin"].as_str()?.to_owned(), settings })
    }

    /// The answer to a question; `None` where the crawl does not answer, or not with success.
    pub async fn get(&self, path: &str, pairs: &[(&str, &str)]) -> Option<Bytes> {
        let answer = tokio::time::timeout(LONGEST_WAIT, self.send(Method::GET, path, pairs, "")).await.ok()?;
        answer.ok().filter(|(status, _)| status.is_success()).map(|(_, body)| body)
    }

    /// Sends a command.
    ///
    /// # Errors
    /// The crawl does not answer, or refuses.
    pub async fn post(&self, path: &str, pairs: &[(&str, &str)]) -> anyhow::Result<()> {
        let said = format!("Bearer {}", token(self.settings)?);
        let answer = tokio::time::timeout(LONGEST_WAIT, self.send(Method::POST, path, pairs, &said)).await;
        let (status, said) = answer.context("the crawl does not answer")??;
        anyhow::ensure!(status.is_success(), "the crawl refuses: {}", String::from_utf8_lossy(&said).trim());
        Ok(())
    }

    /// * `authorization`: what only commands need.
    async fn send(
        &self,
        method: Method,
        path: &str,
        pairs: &[(&str, &str)],
        authorization: &str,
    ) -> anyhow::Result<(StatusCode, Bytes)> {
        let stream = TcpStream::connect(&self.address).await;
        let stream = stream.with_context(|| format!("the crawl does not answer at {}", self.address))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let request = Request::builder()
            .method(method)
            .uri(format!("{path}?{query}"))
            .header(header::HOST, &self.address)
            .header(header::AUTHORIZATION, authorization)
            .body(Body::empty())?;
        let answer = sender.send_request(request).await?;
        Ok((answer.status(), to_bytes(Body::new(answer.into_body()), MAX_BYTES).await?))
    }
}

/// The token of the admin port: that of the settings, else one of the data directory, made when it is first asked for.
///
/// # Errors
/// The file cannot be written or read.
pub fn token(settings: &Settings) -> anyhow::Result<String> {
    if !settings.admin.token.is_empty() {
        return Ok(settings.admin.token.reveal().to_owned());
    }
    let path = settings.data.join("admin.token");
    made_token(&path).with_context(|| format!("cannot make or read the token of the admin port, `{}`", path.display()))
}

/// The token of the doors of `gristmill serve`, made in the data directory when it is first asked for.
///
/// # Errors
/// The file cannot be written or read.
pub fn door_token(settings: &Settings) -> anyhow::Result<String> {
    let path = door_token_file(settings);
    made_token(&path).with_context(|| format!("cannot make or read the token of the doors, `{}`", path.display()))
}

/// Where it is.
pub fn door_token_file(settings: &Settings) -> PathBuf {
    settings.data.join("doors.token")
}

fn made_token(path: &Path) -> std::io::Result<String> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let mut options = std::fs::OpenOptions::new();
    match options.write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => {
            let mut random = [0; 16];
            std::fs::File::open("/dev/urandom")?.read_exact(&mut random)?;
            let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
            file.write_all(token.as_bytes())?;
            file.sync_all()?;
            Ok(token)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => std::fs::read_to_string(path),
        Err(error) => Err(error),
    }
}
