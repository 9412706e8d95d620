//! One peer as a batch command: JSON lines in, JSON lines out (docs/evaluation.md): `rust-peers dom-smoothie|rs-trafilatura`.
//!
//! The clock runs from the bytes to the text, charset included; reading the file does not count.

use std::error::Error;
use std::io::{BufRead, Read, Write};
use std::time::Instant;

use cpu_time::ProcessTime;
use serde_json::{Value, json};

type Extract = fn(&str, Option<&str>) -> Result<String, Box<dyn Error>>;

fn dom_smoothie(html: &str, url: Option<&str>) -> Result<String, Box<dyn Error>> {
    let config = dom_smoothie::Config { text_mode: dom_smoothie::TextMode::Formatted, ..Default::default() };
    Ok(dom_smoothie::Readability::new(html, url, Some(config))?.parse()?.text_content.to_string())
}

fn rs_trafilatura(html: &str, url: Option<&str>) -> Result<String, Box<dyn Error>> {
    let options = rs_trafilatura::Options { url: url.map(str::to_owned), ..Default::default() };
    Ok(rs_trafilatura::extract_with_options(html, &options)?.content_text)
}

fn read(path: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = std::fs::read(path)?;
    if path.ends_with(".gz") {
        let mut inflated = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..]).take(64 << 20).read_to_end(&mut inflated)?;
        bytes = inflated;
    }
    Ok(bytes)
}

/// As UTF-8: by byte order mark, by a `charset=` in the first 1,024 bytes, else UTF-8.
fn decode(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let label = head.split_once("charset=").map(|(_, rest)| rest.trim_start_matches(['"', '\'']));
    let label = label.map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').next().unwrap_or(""));
    let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(encoding_rs::UTF_8).decode(bytes).0.into_owned()
}

fn answer(extract: Extract, request: &Value) -> Result<Value, Box<dyn Error>> {
    let bytes = read(request["path"].as_str().ok_or("no `path`")?)?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let text = extract(&decode(&bytes), request["url"].as_str())?;
    let (seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    Ok(json!({"id": request["id"], "text": text, "seconds": seconds, "cpu_seconds": cpu_seconds}))
}

fn main() -> Result<(), Box<dyn Error>> {
    let extract: Extract = match std::env::args().nth(1).as_deref() {
        Some("dom-smoothie") => dom_smoothie,
        Some("rs-trafilatura") => rs_trafilatura,
        _ => return Err("usage: rust-peers dom-smoothie|rs-trafilatura".into()),
    };
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        // Whatever a library does with a page, a panic included, is its result for that page.
        let outcome = std::panic::catch_unwind(|| answer(extract, &request).map_err(|error| error.to_string()));
        let reply = outcome.unwrap_or_else(|_| Err("it panicked".to_owned()));
        let reply = reply.unwrap_or_else(|error| json!({"id": request["id"], "error": error}));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}
