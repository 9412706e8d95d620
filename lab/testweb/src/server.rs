//! The server: HTTP/1.1 by hand, so that it can break the protocol wherever an endpoint has to.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::answer::{RawAction, TestResponse};
use crate::log::{LogEntry, unix_ms};
use crate::route::{RequestParts, answer};
use crate::site::TestSite;

const MAX_HEAD_BYTES: usize = 32 * 1024;
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A running web, on a thread of its own. Stops when it is dropped.
pub struct TestWeb {
    site: TestSite,
    addresses: Vec<SocketAddr>,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    site: TestSite,
    log: Mutex<Vec<LogEntry>>,
    /// Also written to a file, line by line, when there is one.
    file: Option<Mutex<std::fs::File>>,
    n_connections: AtomicU64,
}

impl TestWeb {
    /// Serves a web on loopback until it is dropped.
    ///
    /// # Errors
    /// When no port can be bound or no thread started.
    pub fn start(site: TestSite) -> io::Result<TestWeb> {
        Self::start_with_log(site, None)
    }

    /// The same, and appends each request to a file once it is answered, in the form of [`LogEntry::to_line`].
    ///
    /// # Errors
    /// As [`TestWeb::start`].
    pub fn start_with_log(site: TestSite, file: Option<std::fs::File>) -> io::Result<TestWeb> {
        let mut listeners = Vec::new();
        let mut port = site.config().port;
        for number in 0..site.config().n_addresses.clamp(1, 250) {
            let ip = if number == 0 { Ipv4Addr::LOCALHOST } else { Ipv4Addr::new(127, 0, 1, number as u8) };
            let listener = std::net::TcpListener::bind((ip, port))?;
            listener.set_nonblocking(true)?;
            port = listener.local_addr()?.port();
            listeners.push(listener);
        }
        let addresses = listeners.iter().map(std::net::TcpListener::local_addr).collect::<io::Result<_>>()?;
        let shared = Arc::new(Shared {
            site: site.clone(),
            log: Mutex::default(),
            file: file.map(Mutex::new),
            n_connections: AtomicU64::new(0),
        });
        let (stop, stopped) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let serving = serve(listeners, Arc::clone(&shared), stopped);
        let thread = std::thread::Builder::new().name("testweb".to_owned()).spawn(move || {
            if let Err(error) = runtime.block_on(serving) {
                eprintln!("the test web stopped: {error}");
            }
        })?;
        Ok(TestWeb { site, addresses, shared, stop, thread: Some(thread) })
    }

    /// The plan that is served.
    pub fn site(&self) -> &TestSite {
        &self.site
    }

    /// The first address, on 127.0.0.1.
    pub fn addr(&self) -> SocketAddr {
        self.addresses[0]
    }

    /// Host name → `IP:PORT`, for `fetch.resolve`: the hosts of the plan, spread over its addresses.
    pub fn resolve_map(&self) -> BTreeMap<String, String> {
        let addresses = self.addresses.iter().cycle();
        self.site.hosts().into_iter().zip(addresses).map(|(host, address)| (host, address.to_string())).collect()
    }

    /// Every request so far, in the order in which they began.
    pub fn log(&self) -> Vec<LogEntry> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets the requests so far; those still running are lost with them. Only between two crawls.
    pub fn clear_log(&self) {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Stops the server and closes its connections; returns when that is done.
    pub fn shutdown(mut self) {
        self.stop_now();
    }

    fn stop_now(&mut self) {
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for TestWeb {
    fn drop(&mut self) {
        self.stop_now();
    }
}

async fn serve(
    listeners: Vec<std::net::TcpListener>,
    shared: Arc<Shared>,
    mut stopped: watch::Receiver<bool>,
) -> io::Result<()> {
    for listener in listeners {
        let listener = TcpListener::from_std(listener)?;
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            loop {
                // A failed accept is the client's loss, or a moment without file handles.
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                };
                let number = shared.n_connections.fetch_add(1, Ordering::Relaxed);
                let shared = Arc::clone(&shared);
                // A broken connection ends with its client; there is no one to tell.
                tokio::spawn(async move { drop(connection(stream, &shared, number).await) });
            }
        });
    }
    // A closed channel means that the handle is gone, which is a stop as well.
    let _ = stopped.wait_for(|stop| *stop).await;
    Ok(())
}

/// Serves the requests of one connection in turn.
async fn connection(mut stream: TcpStream, shared: &Shared, number: u64) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    loop {
        let Ok(ask) = tokio::time::timeout(IDLE_TIMEOUT, read_ask(&mut stream, &mut buffer)).await else {
            return Ok(());
        };
        let Some(ask) = ask? else { return Ok(()) };
        let index = shared.begin(&ask, number);
        pause(shared.site.config().delay).await;
        let answer = answer(&shared.site, &ask);
        pause(answer.pause).await;
        let status = if answer.raw.is_some() { 0 } else { answer.status };
        let mut sent = Sent { stream: &mut stream, n_bytes: 0, last: Instant::now() };
        let result = send(&mut sent, answer, &ask).await;
        let (n_bytes, finished) = (sent.n_bytes, sent.last);
        shared.end(index, status, n_bytes, finished, result.is_ok());
        if !result? || ask.close {
            stream.shutdown().await?;
            return Ok(());
        }
    }
}

/// Even a sleep of no time gives the turn to others.
async fn pause(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

impl Shared {
    fn begin(&self, ask: &RequestParts, connection: u64) -> usize {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.push(LogEntry {
            host: ask.host.split(':').next().unwrap_or_default().to_ascii_lowercase(),
            path: ask.path.clone(),
            status: 0,
            started: Instant::now(),
            finished: None,
            started_ms: unix_ms(),
            finished_ms: 0,
            complete: false,
            n_bytes: 0,
            user_agent: ask.user_agent.clone(),
            if_none_match: ask.if_none_match.clone(),
            if_modified_since: ask.if_modified_since.clone(),
            connection,
        });
        log.len() - 1
    }

    fn end(&self, index: usize, status: u16, n_bytes: u64, finished: Instant, complete: bool) {
        let line = {
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            // None after `clear_log`.
            let Some(entry) = log.get_mut(index) else { return };
            entry.finished = Some(finished);
            entry.finished_ms = unix_ms().saturating_sub(finished.elapsed().as_millis() as u64);
            (entry.status, entry.n_bytes, entry.complete) = (status, n_bytes, complete);
            self.file.is_some().then(|| entry.to_line() + "\n")
        };
        if let (Some(file), Some(line)) = (&self.file, line)
            && let Err(error) = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
        {
            eprintln!("could not write to the log: {error}");
        }
    }
}

/// Reads one request header; `None` when the client has closed or sends nonsense.
async fn read_ask(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<Option<RequestParts>> {
    loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head: Vec<u8> = buffer.drain(..end + 4).collect();
            return Ok(parse(&String::from_utf8_lossy(&head)));
        }
        if buffer.first().is_some_and(|byte| !byte.is_ascii_uppercase()) {
            // A TLS greeting, say. Real servers answer in plain text, too.
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await?;
            return Ok(None);
        }
        if buffer.len() > MAX_HEAD_BYTES || stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

fn parse(head: &str) -> Option<RequestParts> {
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let mut ask =
        RequestParts { method: first.next()?.to_owned(), path: first.next()?.to_owned(), ..RequestParts::default() };
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => ask.host = value.to_ascii_lowercase(),
            "user-agent" => ask.user_agent = value.to_owned(),
            "accept-encoding" => ask.accept_encoding = value.to_ascii_lowercase(),
            "if-none-match" => ask.if_none_match = Some(value.to_owned()),
            "if-modified-since" => ask.if_modified_since = Some(value.to_owned()),
            "cookie" => ask.cookie = true,
            "connection" => ask.close = value.eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    // A proxy's client names the whole URL.
    if let Some((host, path)) = ask.path.strip_prefix("http://").map(|rest| rest.split_once('/').unwrap_or((rest, "")))
    {
        (ask.host, ask.path) = (host.to_ascii_lowercase(), format!("/{path}"));
    }
    ask.path.starts_with('/').then_some(ask)
}

struct Sent<'a> {
    stream: &'a mut TcpStream,
    n_bytes: u64,
    /// When the last bytes were about to be written. Taken before, since a client can have them, and wait for its whole
    /// pause, before this thread runs again.
    last: Instant,
}

impl Sent<'_> {
    async fn all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.stream.writable().await?;
            self.last = Instant::now();
            match self.stream.try_write(bytes) {
                Ok(n) => {
                    self.n_bytes += n as u64;
                    bytes = &bytes[n..];
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Sends an answer; whether the connection may be used again.
async fn send(sent: &mut Sent<'_>, answer: TestResponse, ask: &RequestParts) -> io::Result<bool> {
    if let Some(steps) = answer.raw {
        for step in steps {
            take_step(sent, step).await?;
        }
        return Ok(false);
    }
    let has_body = !matches!(answer.status, 204 | 304);
    let mut head = format!("HTTP/1.1 {} {}\r\n", answer.status, if answer.status == 200 { "OK" } else { "Status" });
    for (name, value) in &answer.fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match (has_body, answer.chunked) {
        (true, true) => head.push_str("Transfer-Encoding: chunked\r\n\r\n"),
        (true, false) => head.push_str(&format!("Content-Length: {}\r\n\r\n", answer.body.len())),
        (false, _) => head.push_str("\r\n"),
    }
    let mut bytes = head.into_bytes();
    if has_body && ask.method != "HEAD" {
        if answer.chunked {
            for chunk in answer.body.chunks(1500) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
        } else {
            bytes.extend_from_slice(&answer.body);
        }
    }
    sent.all(&bytes).await?;
    Ok(true)
}

async fn take_step(sent: &mut Sent<'_>, step: RawAction) -> io::Result<()> {
    match step {
        RawAction::Send(bytes) => sent.all(&bytes).await,
        RawAction::Sleep(time) => {
            let waited = watch_while(sent.stream, time).await;
            sent.last = Instant::now();
            waited
        }
        RawAction::Reset => {
            sent.stream.set_zero_linger()?;
            Err(io::Error::new(io::ErrorKind::ConnectionAborted, "reset on purpose"))
        }
        RawAction::Repeat { bytes, pause, most, time } => {
            let begun = Instant::now();
            let mut n_bytes = 0;
            while n_bytes < most && begun.elapsed() < time {
                sent.all(&bytes).await?;
                n_bytes += bytes.len();
                if !pause.is_zero() {
                    tokio::time::sleep(pause).await;
                }
            }
            Ok(())
        }
    }
}

/// Waits, but not for a client that has gone.
async fn watch_while(stream: &mut TcpStream, time: Duration) -> io::Result<()> {
    let mut one = [0];
    match tokio::time::timeout(time, stream.read(&mut one)).await {
        Err(_) => Ok(()),
        Ok(_) => Err(io::Error::new(io::ErrorKind::ConnectionAborted, "the client has gone")),
    }
}
