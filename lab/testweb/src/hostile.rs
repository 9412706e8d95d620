//! Endpoints that misbehave, below `/hostile/` on every host.
//!
//! | Path | What happens |
//! |---|---|
//! | `bomb/gzip`, `bomb/br`, `bomb/zstd`, `bomb/deflate` | 100 MiB of spaces in a small packed body |
//! | `endless` | a page that goes on for a minute or a gigabyte |
//! | `endless-header` | header fields without end, likewise |
//! | `drip` | one byte every 200 ms for a minute |
//! | `silent` | no answer for a minute |
//! | `silent-body` | a header and half a page, then nothing for a minute |
//! | `reset` | connection reset in the middle of the body |
//! | `short` | `Content-Length` larger than the body, then a clean close |
//! | `long` | `Content-Length` smaller than the body |
//! | `huge-header` | one header field of 300 kB |
//! | `many-headers` | 2 000 header fields |
//! | `chunk-garbage` | a chunk size that is no number |
//! | `chunk-endless` | a chunk that claims 2⁶⁰ bytes, and a close |
//! | `no-http` | bytes that are no HTTP |
//! | `large` | 50 MB of valid page |
//! | `empty` | 0 bytes of `text/html` |
//! | `image` | a PNG named `text/html` |
//! | `pdf` | a PDF with its right type |
//! | `untyped-binary`, `untyped-html` | no `Content-Type` |
//! | `deep` | 100 000 nested elements |
//! | `loop/a` ⇄ `loop/b`, `self` | endless redirects |
//! | `chain/N` | redirect to `chain/N-1`; a page at 0 |
//! | `to-private` | redirect to `http://10.0.0.1/` |
//! | `cookie-wall` | redirect to itself until a cookie comes back, which it does |
//! | `session`, `sessions` | redirect to itself with a session id; one that another follows for ever |
//! | `broken-charset` | bytes that are valid in no character set, declared UTF-8 |
//! | `wrong-charset` | GBK declared as UTF-8 |
//! | `broken-gzip`, `false-gzip`, `stacked` | a cut gzip stream; plain text called gzip; gzip twice |
//! | `429`, `429-date`, `503` | with `Retry-After` 2, a date 2 s ahead, 1 |
//! | `status/N` | that status, 204, 206 and 999 among them |
//! | `cal?d=YYYY-MM` | a calendar that links to the months around it, for ever |
//! | `path/…` | a page that links one folder deeper, for ever |
//! | `shop` | a page whose links carry another session id at each visit |

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::answer::{RawAction, TestResponse, gzip};

/// Longest time that an endpoint which never ends keeps a connection.
const PATIENCE: Duration = Duration::from_secs(60);
const LARGE_BYTES: usize = 50 * 1024 * 1024;
const BOMB_BYTES: usize = 100 << 20;

/// Links to the endpoints that end by themselves within moments, and to the traps.
pub(crate) fn links() -> String {
    let mut html = "<ul class=\"hostile\">\n".to_owned();
    for path in [
        "bomb/gzip",
        "bomb/br",
        "bomb/zstd",
        "reset",
        "short",
        "huge-header",
        "many-headers",
        "chunk-garbage",
        "no-http",
        "large",
        "empty",
        "image",
        "pdf",
        "untyped-binary",
        "deep",
        "loop/a",
        "self",
        "chain/30",
        "to-private",
        "cookie-wall",
        "broken-charset",
        "broken-gzip",
        "false-gzip",
        "stacked",
        "status/999",
        "status/204",
        "cal?d=2024-01",
        "path/",
        "shop",
    ] {
        let _ = writeln!(html, "<li><a href=\"/hostile/{path}\">{path}</a></li>");
    }
    html.push_str("</ul>\n");
    html
}

/// Answers a path below `/hostile/`, its query still on it.
pub(crate) fn answer(path: &str, cookie: bool) -> TestResponse {
    let (name, query) = path.split_once('?').unwrap_or((path, ""));
    match name {
        "bomb/gzip" => bomb("gzip"),
        "bomb/br" => bomb("br"),
        "bomb/zstd" => bomb("zstd"),
        "bomb/deflate" => bomb("deflate"),
        "endless" | "endless-header" | "drip" | "silent" | "silent-body" => slow(name),
        "reset" | "short" | "long" | "chunk-garbage" | "chunk-endless" | "no-http" => broken_http(name),
        "huge-header" => page("big header").with("X-Filler", "x".repeat(300_000)),
        "many-headers" => (0..2000).fold(page("many headers"), |answer, n| answer.with(&format!("X-Field-{n}"), "v")),
        "large" => html(large()),
        "empty" => html(Vec::new()),
        "image" => html(png()),
        "pdf" => TestResponse::new(200, "application/pdf", b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n".to_vec()),
        "untyped-binary" => TestResponse::bare(200, b"\x00\x01\x02\x03 not a page".to_vec()),
        "untyped-html" => TestResponse::bare(200, b"<title>Untyped</title><p>A page without a type.".to_vec()),
        "deep" => html(deep()),
        "loop/a" => TestResponse::redirect(302, "/hostile/loop/b"),
        "loop/b" => TestResponse::redirect(302, "/hostile/loop/a"),
        "self" => TestResponse::redirect(301, "/hostile/self"),
        "to-private" => TestResponse::redirect(302, "http://10.0.0.1/secret"),
        "cookie-wall" if cookie => page("behind the wall"),
        "cookie-wall" => TestResponse::redirect(302, "/hostile/cookie-wall").with("Set-Cookie", "seen=1; Path=/"),
        "session" if !query.is_empty() => page("behind the session"),
        "session" => TestResponse::redirect(302, &format!("/hostile/session?sid={:032x}", 1)),
        "sessions" => {
            let next = query.len() + 1;
            TestResponse::redirect(302, &format!("/hostile/sessions?sid={:032x}", next * 77_777))
        }
        "broken-charset" => {
            let mut body =
                b"<title>Broken \xff\xfe\x80 text</title><p>caf\xe9 \xc3( \xf0\x9f\x98 \xed\xa0\x80 end".to_vec();
            body.extend((128..=255u8).cycle().take(2000));
            html(body)
        }
        "wrong-charset" => {
            html(encoding_rs::GBK.encode("<title>错误的编码</title><p>这一页其实是国标码。").0.into_owned())
        }
        "broken-gzip" => {
            let mut packed = gzip(&b"<p>some text that is cut off in the middle of the stream ".repeat(50));
            packed.truncate(packed.len() / 2);
            html(packed).with("Content-Encoding", "gzip")
        }
        "false-gzip" => page("not packed at all").with("Content-Encoding", "gzip"),
        "stacked" => html(gzip(&gzip(b"<p>twice"))).with("Content-Encoding", "gzip, gzip"),
        "429" => status(429).with("Retry-After", "2"),
        "429-date" => {
            let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(2));
            status(429).with("Retry-After", date)
        }
        "503" => status(503).with("Retry-After", "1"),
        "cal" => calendar(query),
        "shop" => shop(),
        _ => by_prefix(name),
    }
}

fn by_prefix(name: &str) -> TestResponse {
    if let Some(code) =
        name.strip_prefix("status/").and_then(|code| code.parse().ok()).filter(|code| (200..1000).contains(code))
    {
        return status(code);
    }
    if let Some(left) = name.strip_prefix("chain/").and_then(|left| left.parse::<u32>().ok()) {
        return match left {
            0 => page("the end of the chain"),
            left => TestResponse::redirect(302, &format!("/hostile/chain/{}", left - 1)),
        };
    }
    if name.starts_with("path") {
        return html(b"<title>Deeper</title><p>It goes on: <a href=\"path/\">deeper</a> <a href=\"../path/path/\">and deeper</a>".to_vec());
    }
    status(404)
}

fn html(body: Vec<u8>) -> TestResponse {
    TestResponse::new(200, "text/html; charset=utf-8", body)
}

fn page(text: &str) -> TestResponse {
    html(format!("<!DOCTYPE html><title>{text}</title><p>This page is about: {text}.").into_bytes())
}

fn status(code: u16) -> TestResponse {
    match code {
        204 | 304 => TestResponse::bare(code, Vec::new()),
        code => TestResponse::new(code, "text/html; charset=utf-8", format!("<p>status {code}").into_bytes()),
    }
}

fn bomb(encoding: &'static str) -> TestResponse {
    // Packed once: doing it again for each request would only slow the other answers down.
    static PACKED: Mutex<BTreeMap<&str, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut packed = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let body = packed.entry(encoding).or_insert_with(|| pack_spaces(encoding)).clone();
    html(body).with("Content-Encoding", encoding)
}

fn pack_spaces(encoding: &str) -> Vec<u8> {
    fn fill(mut writer: impl std::io::Write) {
        let spaces = [b' '; 1 << 16];
        for _ in 0..BOMB_BYTES >> 16 {
            writer.write_all(&spaces).expect("a Vec takes all writes");
        }
    }
    let mut packed = Vec::new();
    match encoding {
        "gzip" => fill(flate2::write::GzEncoder::new(&mut packed, flate2::Compression::best())),
        "deflate" => fill(flate2::write::ZlibEncoder::new(&mut packed, flate2::Compression::best())),
        "br" => fill(brotli::CompressorWriter::new(&mut packed, 1 << 16, 2, 22)),
        _ => fill(zstd::stream::write::Encoder::new(&mut packed, 1).expect("level 1 exists").auto_finish()),
    }
    packed
}

fn slow(name: &str) -> TestResponse {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
    let whole_head = [&head[..], b"\r\n<title>Slow</title><p>"].concat();
    TestResponse::raw(match name {
        "endless" => vec![
            RawAction::Send(whole_head),
            RawAction::Repeat {
                bytes: b"<p>and on and on ".repeat(1000),
                pause: Duration::ZERO,
                most: 1 << 30,
                time: PATIENCE,
            },
        ],
        "endless-header" => vec![
            RawAction::Send(head.to_vec()),
            RawAction::Repeat {
                bytes: b"X-More: and on\r\n".to_vec(),
                pause: Duration::ZERO,
                most: 1 << 30,
                time: PATIENCE,
            },
        ],
        "drip" => vec![
            RawAction::Send(whole_head),
            RawAction::Repeat {
                bytes: b"x".to_vec(),
                pause: Duration::from_millis(200),
                most: 1 << 20,
                time: PATIENCE,
            },
        ],
        "silent" => vec![RawAction::Sleep(PATIENCE)],
        _ => vec![RawAction::Send(whole_head), RawAction::Sleep(PATIENCE)],
    })
}

fn broken_http(name: &str) -> TestResponse {
    let head = |fields: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n").into_bytes();
    let body = b"<title>Broken</title><p>Some words of a page that will not end well. ".repeat(40);
    TestResponse::raw(match name {
        "reset" => vec![
            RawAction::Send(head("Content-Length: 100000\r\n")),
            RawAction::Send(body),
            RawAction::Sleep(Duration::from_millis(50)),
            RawAction::Reset,
        ],
        "short" => vec![RawAction::Send(head("Content-Length: 100000\r\n")), RawAction::Send(body)],
        "long" => vec![RawAction::Send(head("Content-Length: 100\r\nConnection: close\r\n")), RawAction::Send(body)],
        "chunk-garbage" => vec![
            RawAction::Send(head("Transfer-Encoding: chunked\r\n")),
            RawAction::Send(b"5\r\n<p>ab\r\nthis is no number\r\n".to_vec()),
        ],
        "chunk-endless" => vec![
            RawAction::Send(head("Transfer-Encoding: chunked\r\n")),
            RawAction::Send([b"1000000000000000\r\n".to_vec(), body].concat()),
        ],
        _ => vec![RawAction::Send(b"\x16\x03\x01\x02\x00 220 mail.test ESMTP ready\r\n\r\n".to_vec())],
    })
}

fn large() -> Vec<u8> {
    let mut body = b"<!DOCTYPE html><title>Large</title>\n".to_vec();
    let paragraph =
        b"<p>A paragraph of a page that somebody forgot to split into parts, and that goes on like this.</p>\n";
    while body.len() < LARGE_BYTES {
        body.extend_from_slice(paragraph);
    }
    body
}

fn deep() -> Vec<u8> {
    let levels = 100_000;
    ["<!DOCTYPE html><title>Deep</title>", &"<div>".repeat(levels), "<p>The ground.", &"</div>".repeat(levels)]
        .concat()
        .into_bytes()
}

/// The smallest picture: one pixel.
pub(crate) fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89".to_vec();
    bytes.extend_from_slice(b"\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82");
    bytes
}

fn calendar(query: &str) -> TestResponse {
    let month = query.strip_prefix("d=").and_then(|date| {
        let (year, month) = date.split_once('-')?;
        Some(year.parse::<u32>().ok()?.min(9999) * 12 + month.parse::<u32>().ok()?.clamp(1, 12) - 1)
    });
    let month = month.unwrap_or(2024 * 12);
    let link = |month: u32| format!("/hostile/cal?d={:04}-{:02}", month / 12, month % 12 + 1);
    let (before, after) = (link(month.saturating_sub(1)), link(month + 1));
    html(
        format!("<title>Calendar</title><p><a href=\"{before}\">before</a> No events. <a href=\"{after}\">after</a>")
            .into_bytes(),
    )
}

fn shop() -> TestResponse {
    static VISITS: AtomicU64 = AtomicU64::new(1);
    let visit = VISITS.fetch_add(1, Ordering::Relaxed);
    let mut body = "<title>Shop</title>\n".to_owned();
    for item in 1..=5 {
        let _ = writeln!(
            body,
            "<p><a href=\"/hostile/shop?item={item}&amp;PHPSESSID={:032x}\">Item {item}</a>",
            visit.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        );
    }
    html(body.into_bytes())
}
