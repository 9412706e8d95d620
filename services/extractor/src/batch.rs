//! Pages without a log: requests in JSON in, JSON lines out, in the same order.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Instant;

use cpu_time::ThreadTime;
use gristmill_extract::{ExtractOptions, Structure};
use gristmill_reading::{CharsetHints, OutputFormat, PageReader};
use gristmill_runtime::ordered_workers::in_order;
use gristmill_runtime::read_input::read_file;
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of requests that are read at once.
const BUFFER: usize = 64 << 10;

/// Longest request line; one may hold a page.
const MAX_LINE_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct Request {
    id: Value,
    /// A file with the page.
    path: Option<String>,
    /// The page itself.
    html: Option<String>,
    /// In which form the page is given back beside its text; else that of the command line.
    format: Option<OutputFormat>,
    url: Option<String>,
    anchor_title: Option<String>,
    /// Look for posts, comments and items.
    #[serde(default)]
    parts: bool,
}

/// Reads the pages of requests; what all requests share.
pub struct BatchExtractor {
    pub reader: PageReader,
    /// What of the structure of pages the texts keep.
    pub structure: Structure,
    /// The form in which pages are given back beside their texts, where a request names none.
    pub format: OutputFormat,
    /// Whether pictures are described.
    pub describe: bool,
    /// Of what the method is less sure comes without text.
    pub min_confidence: Option<f32>,
}

impl BatchExtractor {
    /// Answers every request of standard input on standard output; a request that fails is answered with an `error`.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn run(&self, threads: usize) -> std::io::Result<()> {
        let (mut input, mut out) = (BufReader::with_capacity(BUFFER, std::io::stdin()), std::io::stdout());
        let write = |line: &[u8]| out.write_all(line).and_then(|()| out.flush());
        in_order(threads, || next_line(&mut input), |line| answer_line(line, self), write)
    }
}

/// What a file is by its name, if that is no HTML.
pub fn type_of_file(name: &str) -> Option<&'static str> {
    match Path::new(name).extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "txt" => Some("text/plain"),
        "md" | "markdown" => Some("text/markdown"),
        _ => None,
    }
}

/// The next request that is not empty, whatever bytes it holds: one object behind the other, on one line or many. Of one that is too
/// long as much as tells it is.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    loop {
        match next_request(input)? {
            Some(line) if line.trim_ascii().is_empty() => {}
            line => return Ok(line),
        }
    }
}

/// All up to the end of an object, or to a line end outside of one; none at the end of the input.
///
/// An object that never ends takes no other with it: a line that begins with `{`, as none within a request does, is the next request,
/// and so is the line behind one that ends within a string.
fn next_request(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let (mut request, mut object, mut goes_on) = (Vec::new(), Object::default(), false);
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(Some(request).filter(|request| !request.is_empty()));
        }
        if goes_on && bytes[0] == b'{' {
            return Ok(Some(request));
        }
        let end = object.end_in(bytes);
        let n = end.unwrap_or(bytes.len());
        let room = (MAX_LINE_BYTES + 1).saturating_sub(request.len());
        request.extend_from_slice(&bytes[..n.min(room)]);
        goes_on = object.is_open() && bytes[n - 1] == b'\n';
        input.consume(n);
        if end.is_some() && !goes_on {
            return Ok(Some(request));
        }
    }
}

/// How deep in an object the bytes are that went by.
#[derive(Default)]
struct Object {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Object {
    /// Whether white space may follow.
    fn is_open(&self) -> bool {
        self.depth > 0 && !self.in_string
    }

    /// Takes bytes up to the end of their line or of the outermost object, whichever comes first, and tells how many; `None` if all
    /// were taken and neither came.
    fn end_in(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            // A page is one long string: to its next quote nothing can happen.
            if self.in_string && !self.is_escaped {
                at += memchr::memchr3(b'"', b'\\', b'\n', &bytes[at..])?;
            }
            if bytes[at] == b'\n' || self.ends_with(bytes[at]) {
                return Some(at + 1);
            }
            at += 1;
        }
        None
    }

    /// Takes the next byte; whether the outermost object ends with it.
    fn ends_with(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// The answer to a request as a line.
fn answer_line(line: Vec<u8>, context: &BatchExtractor) -> Vec<u8> {
    let mut line = answer(line, context).to_string().into_bytes();
    line.push(b'\n');
    line
}

/// All that is known of the page of a request, under its `id`; or why nothing is.
fn answer(line: Vec<u8>, context: &BatchExtractor) -> Value {
    let mut request = match request(&line) {
        Ok(request) => request,
        Err((id, error)) => return json!({"id": id, "error": error}),
    };
    // It may hold a page of megabytes, which the request has now.
    drop(line);
    let html = request.html.take();
    let is_inline = html.is_some();
    let bytes = match (html, &request.path) {
        (Some(html), None) => Ok(html.into_bytes()),
        (None, Some(path)) => read_file(Path::new(path)).map_err(|error| format!("could not read `{path}`: {error:#}")),
        _ => Err("not a request: it needs the page, either as `html` or as the `path` of a file".to_owned()),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return json!({"id": request.id, "error": error}),
    };
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    // What came in JSON is UTF-8, whatever the page says of itself.
    let of_file = || request.path.as_deref().and_then(type_of_file);
    let content_type = if is_inline { Some("text/html; charset=utf-8") } else { of_file() };
    let parsed = match context.reader.open(&bytes, &CharsetHints { content_type, url: request.url.as_deref() }) {
        Ok(parsed) => request.path.iter().fold(parsed, |parsed, path| parsed.of_file(path)),
        Err(error) => return json!({"id": request.id, "text": "", "reason": error.to_string()}),
    };
    drop(bytes);
    let reading = parsed.read(ExtractOptions {
        structure: context.structure,
        describe: context.describe,
        anchor_title: request.anchor_title.as_deref(),
        min_confidence: context.min_confidence,
        parts: request.parts,
        ..context.reader.options()
    });
    let mut answer = reading.json_with(request.format.unwrap_or(context.format));
    answer["id"] = request.id;
    answer["seconds"] = wall.elapsed().as_secs_f64().into();
    answer["cpu_seconds"] = cpu.elapsed().as_secs_f64().into();
    answer
}

/// What a line asks for; else its `id`, if it has one, and what is wrong with it.
fn request(line: &[u8]) -> Result<Request, (Value, String)> {
    if line.len() > MAX_LINE_BYTES {
        return Err((Value::Null, format!("not a request: the line is longer than {MAX_LINE_BYTES} bytes")));
    }
    serde_json::from_slice(line).map_err(|error| {
        let mut rest: Value = serde_json::from_slice(line).unwrap_or_default();
        let id = rest.get_mut("id").map_or(Value::Null, Value::take);
        (id, format!("not a request: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> BatchExtractor {
        let reader = PageReader::default();
        BatchExtractor {
            reader,
            structure: Structure::default(),
            format: OutputFormat::Text,
            describe: false,
            min_confidence: None,
        }
    }

    fn lines_of(mut input: &[u8]) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn answers_keep_the_order_and_a_bad_request_does_not_stop_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        let lines: Vec<Vec<u8>> = (0..40)
            .map(|i| {
                let path = dir.path().join(format!("{i}.html"));
                let text =
                    format!("<h1>Page {i}</h1><p>Sentence number {i}, with a comma, and an end. More of it.</p>");
                std::fs::write(&path, text).unwrap();
                match i {
                    7 => b"\xff\xfe{".to_vec(),
                    8 => br#"{"id":8}"#.to_vec(),
                    _ => serde_json::json!({"id": i, "path": path}).to_string().into_bytes(),
                }
            })
            .collect();
        let mut input = lines.into_iter();
        let mut answers: Vec<Value> = Vec::new();
        in_order(
            4,
            || Ok(input.next()),
            |line| answer_line(line, &context()),
            |line| {
                answers.push(serde_json::from_slice(line)?);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(answers.len(), 40);
        for (i, answer) in answers.iter().enumerate() {
            if i != 7 {
                assert_eq!(answer["id"], i);
            }
            if i == 7 || i == 8 {
                assert!(answer["error"].as_str().unwrap().contains("not a request"));
            } else {
                assert!(answer["text"].as_str().unwrap().contains(&format!("Sentence number {i},")), "{answer}");
            }
        }
    }

    #[test]
    fn parts_come_with_the_answer_to_a_request_that_asks_for_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("page.html");
        let comment = |name: &str, text: &str| {
            format!(
                "<div class=comment><b class=author>{name}</b><span class=date>2020-01-02</span><p>{text}</p></div>"
            )
        };
        let text = "<p>Rye is a grass, and it is grown for its grain, which mills grind.</p>".repeat(5);
        let comments = [comment("Ann", "I like rye bread."), comment("Bo", "So do I, with butter.")].concat();
        let html = format!("<h1>Rye</h1><article>{text}</article><div id=comments>{comments}</div>");
        std::fs::write(&path, html).unwrap();
        let answer = |parts: bool| {
            let line = serde_json::json!({"id": 1, "path": path, "parts": parts}).to_string();
            answer(line.into_bytes(), &context())
        };
        // Whether they are posts or comments is for the page type to say.
        let authors = |answer: &Value| -> Vec<Value> {
            let parts = ["posts", "comments"].iter().filter_map(|name| answer.get(name)?.as_array());
            parts.flatten().map(|part| part["author"].clone()).collect()
        };
        assert_eq!(authors(&answer(true)), ["Ann", "Bo"]);
        let unasked = answer(false);
        assert!(unasked.get("posts").is_none() && unasked.get("items").is_none(), "{unasked}");
    }

    #[test]
    fn a_shop_page_is_a_product_with_its_pairs() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mill.html");
        let rows = [("Brand", "Steinhauer"), ("Weight", "1.2 kg"), ("Material", "Cast iron"), ("Colour", "Black")];
        let rows: String =
            rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>")).collect();
        let html = format!("<h1>Hand mill</h1><p>$49.00</p><button>Add to cart</button><table>{rows}</table>");
        std::fs::write(&path, html).unwrap();
        let line = serde_json::json!({"id": 1, "path": path}).to_string();
        let answer = answer(line.into_bytes(), &context());
        assert_eq!(answer["kind"], "product");
        let record = &answer["records"][0];
        let attributes = record["attributes"].as_array().unwrap();
        let is_weight = |pair: &Value| pair["name"] == "Weight" && pair["value"] == "1.2 kg";
        assert!(attributes.iter().any(is_weight), "{attributes:?}");
        assert_eq!(record["price"]["amount"], "49.00");
    }

    #[test]
    fn a_page_comes_inline_and_goes_back_in_the_format_asked_for() {
        let html = "<meta charset=iso-8859-1><h1>Rye</h1><p>Rye is a gräss, and <b>mills</b> grind it, day and night, in the valley.</p>";
        let answer = |format: &str| {
            let line = serde_json::json!({"id": 1, "html": html, "format": format}).to_string();
            answer(line.into_bytes(), &context())
        };
        let markdown = answer("markdown");
        assert!(markdown["text"].as_str().unwrap().contains("gräss, and mills"), "{markdown}");
        assert!(markdown["markdown"].as_str().unwrap().contains("**mills**"), "{markdown}");
        assert!(answer("html")["html"].as_str().unwrap().contains("<p>Rye is"), "{}", answer("html"));
        assert!(answer("marked")["marked"].as_str().unwrap().starts_with("<!doctype html>"));
        assert!(answer("text").get("markdown").is_none());
        assert!(answer("word")["error"].as_str().unwrap().contains("unknown variant `word`"));
    }

    #[test]
    fn a_request_without_a_page_or_with_two_says_what_is_wrong() {
        let error = |line: &str| answer(line.as_bytes().to_vec(), &context())["error"].as_str().unwrap().to_owned();
        assert!(error(r#"{"id":1}"#).contains("`html`") && error(r#"{"id":1}"#).contains("`path`"));
        assert!(error(r#"{"id":1,"path":"a","html":"b"}"#).contains("either"));
        let answer = answer(br#"{"id":1,"html":"%PDF-1.7"}"#.to_vec(), &context());
        assert!(answer["text"] == "" && answer["reason"].as_str().unwrap().contains("a PDF"));
    }

    #[test]
    fn a_missing_file_is_named_in_the_answer() {
        let answer = answer(br#"{"id":"x","path":"/nowhere/page.html"}"#.to_vec(), &context());
        assert_eq!(answer["id"], "x");
        assert!(answer["error"].as_str().unwrap().contains("/nowhere/page.html"));
    }

    #[test]
    fn a_line_that_is_too_long_is_answered_in_its_place() {
        let long =
            [b"{\"id\":1,\"path\":\"".to_vec(), vec![b'x'; 2 * MAX_LINE_BYTES], b"\"}\n\n{}\n".to_vec()].concat();
        let lines = lines_of(&long);
        assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [MAX_LINE_BYTES + 1, 2]);
        let answers: Vec<Value> = lines.into_iter().map(|line| answer(line, &context())).collect();
        assert!(answers[0]["error"].as_str().unwrap().contains("longer than 16777216 bytes"));
        assert!(answers[1]["error"].as_str().unwrap().contains("missing field `id`"));
    }

    #[test]
    fn requests_may_stand_one_behind_the_other_and_a_broken_one_costs_its_line() {
        let input = br#"{"id":{"a":1},"html":"<p>} \" {"}{"id":2} {"id":3}
not } json
{"id":"unended
{"id":4}"#;
        let requests = lines_of(input);
        let requests: Vec<&str> = requests.iter().map(|line| std::str::from_utf8(line).unwrap().trim()).collect();
        let first = r#"{"id":{"a":1},"html":"<p>} \" {"}"#;
        assert_eq!(
            requests,
            [first, r#"{"id":2}"#, r#"{"id":3}"#, "not }", "json", r#"{"id":"unended"#, r#"{"id":4}"#]
        );
    }

    #[test]
    fn what_is_less_sure_than_asked_for_comes_without_text_and_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("page.html");
        std::fs::write(&path, "<h1>Rye</h1><p>Rye is a grass, and mills grind it.</p>").unwrap();
        let line = serde_json::json!({"id": 1, "path": path}).to_string().into_bytes();
        let answer = answer(line, &BatchExtractor { min_confidence: Some(1.0), ..context() });
        assert!(answer["text"] == "" && answer["reason"].as_str().unwrap().contains("confidence"));
    }
}
