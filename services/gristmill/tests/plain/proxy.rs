//! `gristmill serve --proxy` against what the library reads, and what it refuses.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};

use common::gristmill;
use gristmill_eval::{GoldPage, Normalisation, Proxy, System};

/// Some text around a story.
fn page(n: usize) -> String {
    format!(
        "<html><head><title>Storm {n} hits the coast</title><style>p{{}}</style></head><body>\
         <ul class=nav><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About us</a></ul>\
         <article><h1>Storm {n} hits the coast</h1><p>The storm number {n} reached the coast at night, people said, and \
         <a href=x>nobody</a> slept. It was loud, it was wet, and it went on.</p><p>In the morning, the sun came &amp; the \
         sea was calm; boats lay on the streets, and the children climbed on them.<br>Then it rained.</p>\
         <pre>wind  {n}\n  rain</pre><ol><li>one, two.<li>three, four.</ol></article>\
         <footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer></body></html>"
    )
}

/// `gristmill serve --proxy`, ended when dropped.
struct Serving {
    child: Child,
    address: SocketAddr,
}

impl Serving {
    fn start(arguments: &[&str]) -> Serving {
        let mut command = gristmill();
        command.args(["serve", "--proxy", "127.0.0.1:0"]).args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Serving { address: address.unwrap_or_else(|| panic!("no address in `{line}`")).parse().unwrap(), child }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(format!("{request}\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers every request with the same bytes, until the test ends.
fn upstream(answer: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer);
        }
    });
    address
}

#[test]
fn through_the_proxy_comes_the_very_text_of_the_direct_way() {
    let mut pages: Vec<Vec<u8>> = (0..3).map(|n| page(n).into_bytes()).collect();
    pages.extend([b"".to_vec(), vec![0, 255, 60, 112, 62, 200, 65], b"<frameset><frame src=a></frameset>".to_vec()]);
    pages.push("<meta charset=gbk><p>".bytes().chain(*b"\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7\xa1\xa3").collect());
    pages.push(b"<table><tr><td>a<td>b<tr><td>c, d.</table><ul><li>x<ul><li>y</ul>z</ul>w<b>or</b>d &lt;b&gt; <code>a  b</code>".to_vec());
    pages.extend(real_pages());
    for method in ["plain", "twcem", "vsse-tuned"] {
        let serving = Serving::start(&["--method", method, "--allow-private"]);
        let proxy = Proxy::parse(&format!("http://{}", serving.address)).unwrap();
        for (n, html) in pages.iter().enumerate() {
            let decoded = gristmill_html::decode(html, None);
            let mut doc = gristmill_html::Doc::parse(&decoded.text, &gristmill_html::TreeLimits::default());
            gristmill_extract::spell_out(&mut doc);
            // Footnotes have their labels in HTML, and the text has those of the page.
            if !gristmill_extract::Page::new(&doc).notes().is_empty() {
                continue;
            }
            let through = proxy
                .extract(&GoldPage::default(), html)
                .remove(0)
                .unwrap_or_else(|error| panic!("{method} {n}: {error}"));
            let options = gristmill_extract::ExtractOptions {
                method: method.parse().unwrap(),
                never_empty: false,
                attach_title: false,
                ..Default::default()
            };
            let direct = gristmill_extract::extract(&doc, &options).text;
            let normal = Normalisation::default();
            assert_eq!(normal.text(&through.text), normal.text(&on_the_line(&direct)), "{method} on page {n}");
        }
    }
}

/// What comes is HTML, where exponents and indices are elements.
fn on_the_line(text: &str) -> String {
    let digit =
        |c: char| ["⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"].iter().find_map(|digits| digits.chars().position(|digit| digit == c));
    text.chars().map(|c| digit(c).and_then(|n| char::from_digit(n as u32, 10)).unwrap_or(c)).collect()
}

/// Frames of films come as links, whose titles are no words of the text.
fn without_frames(html: Vec<u8>) -> Vec<u8> {
    let mut html = html;
    for name in ["<iframe", "<video", "<audio"] {
        while let Some(at) = html.windows(name.len()).position(|part| part.eq_ignore_ascii_case(name.as_bytes())) {
            html[at + 1..at + name.len()].fill(b'x');
        }
    }
    html
}

/// Some pages of two real packages, if they are there.
fn real_pages() -> Vec<Vec<u8>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::path::PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()));
    let mut pages = Vec::new();
    for (package, step) in [("wcxb-dev", 40), ("zh-handcrafted", 7)] {
        match gristmill_eval::Package::read(&data.join("articles").join(package)) {
            Ok(package) => pages
                .extend(package.documents.iter().step_by(step).map(|page| without_frames(page.read_html().unwrap()))),
            Err(_) => eprintln!("SKIPPED: no package {package} below {}", data.display()),
        }
    }
    pages
}

#[test]
fn the_proxy_says_what_it_does_not_do() {
    let serving = Serving::start(&["--allow-private"]);
    let status = |answer: &str| answer.split(' ').nth(1).unwrap_or_default().to_owned();
    let tunnel = serving.ask("CONNECT example.org:443 HTTP/1.1");
    assert!(status(&tunnel) == "501" && tunnel.contains("opens no tunnels"), "{tunnel}");
    assert_eq!(status(&serving.ask("POST http://example.org/ HTTP/1.1")), "405");
    assert_eq!(status(&serving.ask("GET /page HTTP/1.1")), "400");
    let image =
        upstream(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
    let answer = serving.ask(&format!("GET http://{image}/x.png HTTP/1.1"));
    assert!(status(&answer) == "415" && answer.contains("image/png"), "{answer}");
    let gone =
        upstream(b"HTTP/1.1 410 Gone\r\nContent-Type: text/html\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
    assert_eq!(status(&serving.ask(&format!("GET http://{gone}/ HTTP/1.1"))), "410");
    let moved = upstream(b"HTTP/1.1 301 Moved\r\nLocation: /there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let answer = serving.ask(&format!("GET http://{moved}/ HTTP/1.1"));
    assert!(status(&answer) == "301" && answer.contains(&format!("location: http://{moved}/there")), "{answer}");
    // Itself: no loop, since what it asks for is no request to a proxy.
    assert_eq!(status(&serving.ask(&format!("GET http://{}/ HTTP/1.1", serving.address))), "400");
}

#[test]
fn without_leave_the_proxy_reaches_no_private_address() {
    let serving = Serving::start(&[]);
    let inside = upstream(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nsecret");
    let answer = serving.ask(&format!("GET http://{inside}/ HTTP/1.1"));
    assert!(answer.starts_with("HTTP/1.1 403") && !answer.contains("secret"), "{answer}");
}
