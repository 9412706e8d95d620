//! One GET through an HTTP proxy, under a deadline and a cap.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Longest head of an answer.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// What came back.
pub(super) struct ProxyReply {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProxyFailure {
    Late,
    Told(String),
}

/// How the end of a body is told (RFC 9112 §6.3).
#[derive(Debug, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
    ToTheEnd,
}

pub(super) fn get(proxy: SocketAddr, url: &str, deadline: Instant, limit: usize) -> Result<ProxyReply, ProxyFailure> {
    let told = |what: &str, error: std::io::Error| match error.kind() {
        std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock => ProxyFailure::Late,
        _ => ProxyFailure::Told(format!("{what}: {error}")),
    };
    let host = url.trim_start_matches("http://").split('/').next().unwrap_or_default();
    let mut stream = TcpStream::connect_timeout(&proxy, left(deadline)?)
        .map_err(|error| told(&format!("could not reach the proxy at {proxy}"), error))?;
    let request = format!(
        "GET {url} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n"
    );
    let could_not = |error| told("could not use the proxy", error);
    stream.set_write_timeout(Some(left(deadline)?)).map_err(could_not)?;
    stream.write_all(request.as_bytes()).map_err(could_not)?;
    let mut reader = Reader { stream, deadline, bytes: Vec::new(), limit };
    loop {
        let (status, framing, content_type) = reader.head()?;
        if (100..200).contains(&status) {
            continue;
        }
        let body = reader.body(&framing)?;
        return Ok(ProxyReply { status, content_type, body });
    }
}

fn left(deadline: Instant) -> Result<Duration, ProxyFailure> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ProxyFailure::Late) } else { Ok(left) }
}

/// Bytes that arrived and were not used yet.
struct Reader<S> {
    stream: S,
    deadline: Instant,
    bytes: Vec<u8>,
    limit: usize,
}

/// A stream whose reads can be bounded in time.
trait Timed: Read {
    fn bound(&mut self, time: Duration) -> std::io::Result<()>;
}

impl Timed for TcpStream {
    fn bound(&mut self, time: Duration) -> std::io::Result<()> {
        self.set_read_timeout(Some(time))
    }
}

impl<S: Timed> Reader<S> {
    /// Reads some more; 0 at the end.
    fn more(&mut self) -> Result<usize, ProxyFailure> {
        let mut buffer = [0; 16 << 10];
        self.stream.bound(left(self.deadline)?).map_err(|error| ProxyFailure::Told(error.to_string()))?;
        let n = loop {
            match self.stream.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let n = match n {
            Ok(n) => n,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock) => {
                return Err(ProxyFailure::Late);
            }
            Err(error) => return Err(ProxyFailure::Told(format!("the answer broke off: {error}"))),
        };
        self.bytes.extend_from_slice(&buffer[..n]);
        Ok(n)
    }

    fn head(&mut self) -> Result<(u16, Framing, Option<String>), ProxyFailure> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; 100];
            let mut answer = httparse::Response::new(&mut headers);
            let parsed = answer.parse(&self.bytes).map_err(|error| ProxyFailure::Told(format!("not HTTP: {error}")))?;
            if let httparse::Status::Complete(length) = parsed {
                let status = answer.code.unwrap_or(0);
                let value = |name: &str| {
                    let found = answer.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
                    found.map(|header| String::from_utf8_lossy(header.value).trim().to_owned())
                };
                let framing = framing(status, value("transfer-encoding"), value("content-length"))?;
                let content_type = value("content-type");
                self.bytes.drain(..length);
                return Ok((status, framing, content_type));
            }
            if self.bytes.len() > MAX_HEAD_BYTES {
                return Err(ProxyFailure::Told(format!("a head of more than {MAX_HEAD_BYTES} bytes")));
            }
            if self.more()? == 0 {
                return Err(ProxyFailure::Told("the proxy closed the connection without an answer".to_owned()));
            }
        }
    }

    fn body(&mut self, framing: &Framing) -> Result<Vec<u8>, ProxyFailure> {
        match framing {
            Framing::Chunked => self.chunks(),
            Framing::Length(length) => {
                self.check(*length)?;
                self.fill(*length)?;
                self.bytes.truncate(*length);
                Ok(std::mem::take(&mut self.bytes))
            }
            Framing::ToTheEnd => {
                loop {
                    self.check(self.bytes.len())?;
                    if self.more()? == 0 {
                        break;
                    }
                }
                Ok(std::mem::take(&mut self.bytes))
            }
        }
    }

    fn chunks(&mut self) -> Result<Vec<u8>, ProxyFailure> {
        let mut body = Vec::new();
        loop {
            let (start, size) = loop {
                let parsed = httparse::parse_chunk_size(&self.bytes);
                match parsed.map_err(|_| ProxyFailure::Told("the size of a chunk cannot be read".to_owned()))? {
                    httparse::Status::Complete((start, size)) => break (start, size as usize),
                    httparse::Status::Partial => self.fill(self.bytes.len() + 1)?,
                }
            };
            if size == 0 {
                return Ok(body);
            }
            self.check(body.len().saturating_add(size))?;
            self.fill(start + size + 2)?;
            body.extend_from_slice(&self.bytes[start..start + size]);
            self.bytes.drain(..start + size + 2);
        }
    }

    /// Reads until there are `length` bytes.
    fn fill(&mut self, length: usize) -> Result<(), ProxyFailure> {
        while self.bytes.len() < length {
            if self.more()? == 0 {
                return Err(ProxyFailure::Told("the answer broke off".to_owned()));
            }
        }
        Ok(())
    }

    fn check(&self, length: usize) -> Result<(), ProxyFailure> {
        let limit = self.limit;
        if length > limit { Err(ProxyFailure::Told(format!("an answer of more than {limit} bytes"))) } else { Ok(()) }
    }
}

fn framing(status: u16, transfer: Option<String>, length: Option<String>) -> Result<Framing, ProxyFailure> {
    if matches!(status, 100..=199 | 204 | 304) {
        return Ok(Framing::Length(0));
    }
    match (transfer, length) {
        (Some(transfer), _) if transfer.to_ascii_lowercase().ends_with("chunked") => Ok(Framing::Chunked),
        (Some(_), _) | (None, None) => Ok(Framing::ToTheEnd),
        (None, Some(length)) => match length.parse() {
            Ok(length) => Ok(Framing::Length(length)),
            Err(_) => Err(ProxyFailure::Told(format!("`Content-Length: {length}` is no number"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Timed for &[u8] {
        fn bound(&mut self, _: Duration) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn read(answer: &[u8]) -> Result<(u16, Vec<u8>), ProxyFailure> {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut reader = Reader { stream: answer, deadline, bytes: Vec::new(), limit: 1000 };
        let (status, framing, _) = reader.head()?;
        Ok((status, reader.body(&framing)?))
    }

    #[test]
    fn a_body_ends_by_length_by_chunks_or_with_the_connection() {
        let of = |answer: &str| read(answer.as_bytes()).map(|(_, body)| String::from_utf8(body).unwrap());
        assert_eq!(of("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcde").unwrap(), "abc");
        assert_eq!(of("HTTP/1.1 200 OK\r\n\r\nabcde").unwrap(), "abcde");
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        assert_eq!(of(chunked).unwrap(), "abcde");
    }

    #[test]
    fn a_broken_or_too_long_answer_is_told() {
        let told = |answer: &str| match read(answer.as_bytes()) {
            Err(ProxyFailure::Told(reason)) => reason,
            other => panic!("{:?}", other.map(|(status, body)| (status, body.len()))),
        };
        assert!(told("").contains("without an answer"));
        assert!(told("SSH-2.0\r\n\r\n").contains("not HTTP"));
        assert!(told("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").contains("broke off"));
        assert!(told("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n").contains("more than 1000 bytes"));
        assert!(told("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n").contains("is no number"));
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert!(told(&format!("{chunked}ffffffffff\r\nabc")).contains("more than 1000 bytes"));
        assert!(told(&format!("{chunked}zz\r\nabc")).contains("size of a chunk"));
        assert!(told(&format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(2000))).contains("more than 1000 bytes"));
    }

    proptest! {
        #[test]
        fn no_bytes_can_bring_it_down(start in "(HTTP/1.1 200 OK\r\n(Transfer-Encoding: chunked\r\n)?\r\n)?", rest: Vec<u8>) {
            let _ = read(&[start.as_bytes(), &rest].concat());
        }
    }
}
