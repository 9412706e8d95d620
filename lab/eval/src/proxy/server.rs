//! A web server for one document and one request.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Longest head of a request.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// How often a server that waits looks at its deadline.
const PAUSE: Duration = Duration::from_micros(500);

/// Runs until it has served its document, or until its deadline.
pub(super) struct OneShotServer {
    pub address: SocketAddr,
    served: Receiver<Instant>,
}

impl OneShotServer {
    /// Listens on a free port of 127.0.0.1.
    pub fn start(html: Vec<u8>, deadline: Instant) -> io::Result<OneShotServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        // A blocking accept could not be called off.
        listener.set_nonblocking(true)?;
        let (send, served) = channel();
        std::thread::Builder::new().spawn(move || {
            while Instant::now() < deadline {
                match listener.accept() {
                    Ok((stream, _)) => {
                        // A proxy may open connections that it does not use: only a request counts.
                        if let Ok(at) = serve(stream, &html, deadline) {
                            let _ = send.send(at);
                            return;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
                    Err(_) => return,
                }
            }
        })?;
        Ok(OneShotServer { address, served })
    }

    /// When the last byte was handed to the system, if a request came.
    pub fn served(&self) -> Option<Instant> {
        self.served.recv_timeout(Duration::from_secs(1)).ok()
    }
}

fn serve(mut stream: TcpStream, html: &[u8], deadline: Instant) -> io::Result<Instant> {
    stream.set_nonblocking(false)?;
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    stream.set_read_timeout(Some(left))?;
    stream.set_write_timeout(Some(left))?;
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let n = stream.read(&mut buffer)?;
        head.extend_from_slice(&buffer[..n]);
        if n == 0 || head.len() > MAX_HEAD_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        html.len()
    );
    stream.write_all(answer.as_bytes())?;
    if !head.starts_with(b"HEAD ") {
        stream.write_all(html)?;
    }
    stream.flush()?;
    let at = Instant::now();
    stream.shutdown(Shutdown::Write)?;
    // Closing while the other side still writes would reset the connection and lose the page.
    let _ = stream.read(&mut buffer);
    Ok(at)
}
