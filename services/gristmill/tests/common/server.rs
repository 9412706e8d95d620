//! A server of a few lines, for sites that the generated web has not: what it answers is a function.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

/// Status, further header lines (each with its line break), body.
pub type Answer = (&'static str, &'static str, String);

/// The header line of a page.
pub const HTML: &str = "Content-Type: text/html\r\n";

/// Answers every request with what `answer` gives for its host and path, each on a thread of its own, until the process ends.
pub fn serve(answer: impl Fn(&str, &str) -> Answer + Send + Sync + 'static) -> SocketAddr {
    serve_heads(move |head| answer(&field(head, "host"), path(head)))
}

/// As [`serve`], by the lines of the request's head.
pub fn serve_heads(answer: impl Fn(&[String]) -> Answer + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            std::thread::spawn(move || reply(&stream, answer.as_ref()));
        }
    });
    address
}

/// The value of a header field, empty where there is none.
pub fn field(head: &[String], name: &str) -> String {
    let is_it = |line: &&String| line.split(':').next().is_some_and(|known| known.eq_ignore_ascii_case(name));
    let value = head.iter().skip(1).find(is_it).and_then(|line| line.split_once(':'));
    value.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}

/// The path that is asked for.
pub fn path(head: &[String]) -> &str {
    head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default()
}

fn reply(mut stream: &TcpStream, answer: &dyn Fn(&[String]) -> Answer) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let (status, fields, body) = answer(&head);
    let head = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    // Who asked may be gone.
    let _ = stream.write_all((head + &body).as_bytes());
}
