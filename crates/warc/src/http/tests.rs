//! Messages as archives have them.

use std::io::Write;

use super::*;

const TEXT: &str = "<html><body>A page, a page, a page that is long enough to be packed, a page, a page.</body></html>";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &params).unwrap();
    packed
}

fn deflate(bytes: &[u8], with_header: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 100);
    let mut encoder = flate2::Compress::new(flate2::Compression::default(), with_header);
    encoder.compress_vec(bytes, &mut out, flate2::FlushCompress::Finish).unwrap();
    out
}

/// The decoded body of a response with these fields, and its notes.
fn decoded(fields: &str, body: &[u8]) -> (Vec<u8>, Vec<CodingWarning>) {
    let message = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat();
    let message = HttpMessage::parse(&message).unwrap();
    let mut scratch = DecodeBuffers::default();
    let DecodedBody { bytes, notes } = decode(&message, 1 << 20, &mut scratch);
    (bytes.into_owned(), notes)
}

#[test]
fn odd_headers_are_read() {
    let bytes =
        b"HTTP/2 404\nServer : a\nno colon\nX-\xff: \xfe\nContent-Type: Text/HTML; x=y; Charset=\"UTF-8\"\n\nbody";
    let message = HttpMessage::parse(bytes).unwrap();
    assert_eq!(
        (message.status(), message.field("SERVER").as_deref(), message.body()),
        (Some(404), Some("a"), &b"body"[..])
    );
    let expected = ContentType { media_type: "text/html".into(), charset: Some("UTF-8".into()) };
    assert_eq!(message.content_type(), expected);
    for (bytes, status, body) in [
        ("HTTP/1.1 200 OK\r\nA: b\r\n<html>", Some(200), "<html>"),
        ("HTTP/1.1 200 OK", Some(200), ""),
        ("HTTP/1.1 OK\r\n\r\nx", None, "x"),
        ("ICY 200 OK\r\n\r\n", Some(200), ""),
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", None, ""),
        ("HTTP/1.0 200\r\nA: b\r\n\tc: d\r\n\r\n\r\n", Some(200), "\r\n"),
    ] {
        let message = HttpMessage::parse(bytes.as_bytes()).unwrap();
        assert_eq!((message.status(), message.body()), (status, body.as_bytes()), "{bytes:?}");
    }
    for bytes in ["", "\r\n", "<html>", "hello world", "GET", "Content-Type: x\r\n\r\n"] {
        assert_eq!(HttpMessage::parse(bytes.as_bytes()), Err(HttpParseError), "{bytes:?}");
    }
}

#[test]
fn all_codings_are_undone_alone_and_in_rows() {
    let text = TEXT.as_bytes();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let chunked = [format!("{:x}\r\n", gzip(text).len()).as_bytes(), &gzip(text), b"\r\n0\r\n\r\n"].concat();
    for (fields, body) in [
        ("", text.to_vec()),
        ("Content-Encoding: identity\r\n", text.to_vec()),
        ("Content-Encoding: gzip\r\n", gzip(text)),
        ("Content-Encoding: X-GZIP\r\n", [gzip(&text[..9]), gzip(&text[9..]), b"\0\0".to_vec()].concat()),
        ("Content-Encoding: deflate\r\n", deflate(text, true)),
        ("Content-Encoding: deflate\r\n", deflate(text, false)),
        ("Content-Encoding: br\r\n", brotli(text)),
        ("Content-Encoding: zstd\r\n", zstd(text)),
        ("Content-Encoding: gzip, br\r\n", brotli(&gzip(text))),
        ("Content-Encoding: gzip\r\nContent-Encoding: zstd\r\n", zstd(&gzip(text))),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked.clone()),
        ("Transfer-Encoding: gzip, chunked\r\n", chunked),
        ("X-Archive-Orig-Content-Encoding: gzip\r\n", gzip(text)),
    ] {
        assert_eq!(decoded(fields, &body), (text.to_vec(), vec![]), "{fields}");
    }
}

#[test]
fn a_body_that_is_decoded_already_is_kept() {
    let text = TEXT.as_bytes();
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let fields = format!("Content-Encoding: {coding}\r\nTransfer-Encoding: chunked\r\n");
        let notes = vec![CodingWarning::NotChunked, CodingWarning::NotCoded(coding.to_owned())];
        assert_eq!(decoded(&fields, text), (text.to_vec(), notes), "{coding}");
        let words = b"Plain words, without any markup in front of them, are no packed data either.";
        assert_eq!(decoded(&format!("Content-Encoding: {coding}\r\n"), words).0, words, "{coding}");
    }
    assert_eq!(decoded("Content-Encoding: sdch, gzip\r\n", text).1.len(), 2);
    assert_eq!(decoded("X-Crawler-Content-Encoding: gzip\r\n", &gzip(text)).0, gzip(text));
}

#[test]
fn broken_data_gives_what_came_before_the_break() {
    let text: String = (0..20_000).map(|n| format!("<p>{} is a number", n * 7_919 % 10_007)).collect();
    let text = text.as_bytes();
    let packed = [
        ("gzip", gzip(text)),
        ("deflate", deflate(text, true)),
        ("deflate", deflate(text, false)),
        ("br", brotli(text)),
    ];
    for (coding, body) in packed {
        let (bytes, notes) = decoded(&format!("Content-Encoding: {coding}\r\n"), &body[..body.len() / 2]);
        assert!(bytes.len() > text.len() / 6 && text.starts_with(&bytes), "{coding}: {}", bytes.len());
        assert_eq!(notes, [CodingWarning::Broken(coding.to_owned())]);
    }
}

#[test]
fn bombs_end_at_the_limit() {
    let zeros = vec![0; 8 << 20];
    let packed = [("gzip", gzip(&zeros)), ("br", brotli(&zeros)), ("zstd", zstd::encode_all(&zeros[..], 1).unwrap())];
    for (coding, body) in packed {
        let (bytes, notes) = decoded(&format!("Content-Encoding: {coding}\r\n"), &body);
        assert_eq!((bytes.len(), notes), (1 << 20, vec![CodingWarning::Limit]), "{coding}");
    }
    let names = "gzip,".repeat(1_000);
    assert!(decoded(&format!("Content-Encoding: {names}\r\n"), TEXT.as_bytes()).1.contains(&CodingWarning::Limit));
}
