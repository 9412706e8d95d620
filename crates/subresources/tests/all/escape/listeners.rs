//! Listeners that must hear nothing, and the site whose pages try to reach them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What arrived where nothing may.
pub struct Listeners {
    pub tcp: u16,
    pub udp: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Listeners {
    /// On all addresses of this machine, for connections and for packets; they end with the process.
    pub fn start() -> Listeners {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let tcp = TcpListener::bind("[::]:0").unwrap();
        let udp = UdpSocket::bind("[::]:0").unwrap();
        let ports = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
        let notes = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in tcp.incoming().map_while(Result::ok) {
                let notes = Arc::clone(&notes);
                std::thread::spawn(move || notes.lock().unwrap().push(first_line(stream)));
            }
        });
        let notes = Arc::clone(&heard);
        std::thread::spawn(move || {
            let mut packet = [0; 2048];
            while let Ok((n, from)) = udp.recv_from(&mut packet) {
                notes.lock().unwrap().push(format!("a packet of {n} bytes from {from}"));
            }
        });
        Listeners { tcp: ports.0, udp: ports.1, heard }
    }

    /// What was heard since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.lock().unwrap())
    }
}

fn first_line(stream: TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let mut line = Vec::new();
    let _ = BufReader::new(stream.take(200)).read_until(b'\n', &mut line);
    format!("a connection: {}", String::from_utf8_lossy(&line).trim())
}

/// The site of the pages: `/echo?X` is the script X, `/redirect?X` leads to X, all else is the page.
pub struct Site {
    pub address: SocketAddr,
    page: Arc<Mutex<String>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub fn start() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (page, asked) = (Arc::new(Mutex::new(String::new())), Arc::new(Mutex::new(Vec::new())));
        let (served, log) = (Arc::clone(&page), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (served, log) = (Arc::clone(&served), Arc::clone(&log));
                std::thread::spawn(move || answer(&stream, &served, &log));
            }
        });
        Site { address, page, asked }
    }

    pub fn show(&self, page: &str) {
        page.clone_into(&mut self.page.lock().unwrap());
        self.asked.lock().unwrap().clear();
    }

    /// Request lines since the last page.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: &TcpStream, page: &Mutex<String>, asked: &Mutex<Vec<String>>) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let line = head.first().cloned().unwrap_or_default();
    asked.lock().unwrap().push(line.clone());
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let (status, field, body) = if let Some(script) = path.strip_prefix("/echo?") {
        let script = script.replace("%22", "\"").replace("%20", " ").replace("%27", "'");
        ("200 OK", "Content-Type: text/javascript".to_owned(), script)
    } else if let Some(target) = path.strip_prefix("/redirect?") {
        ("302 Found", format!("Location: {target}"), String::new())
    } else if path == "/robots.txt" {
        ("404 Not Found", "Content-Type: text/plain".to_owned(), String::new())
    } else {
        ("200 OK", "Content-Type: text/html".to_owned(), page.lock().unwrap().clone())
    };
    let head = format!("HTTP/1.1 {status}\r\n{field}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all((head + &body).as_bytes());
}

/// An address of this machine that is not loopback, if it has one: the one that the system would send from.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // No packet goes out: it only chooses a route.
    socket.connect("192.0.2.77:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}
