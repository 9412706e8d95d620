//! The head of an answer as it is written: what is true of the bytes that follow.

use std::borrow::Cow;

use gristmill_proto::Capture;

/// Stands before the names of fields that are not true of the body in the archive.
const ORIGINAL: &str = "x-crawler-";

/// Status line and fields of `capture`, with the empty line, before a body of `n_bytes`.
///
/// The HTTP client has undone the chunked coding, so that `transfer-encoding` would be wrong; a `content-length` may be wrong where
/// the body was cut. Both keep their values under names of their own, as other crawlers do it.
pub(crate) fn head(capture: &Capture, n_bytes: usize) -> Vec<u8> {
    let version = if capture.protocol == "http/1.0" { "1.0" } else { "1.1" };
    let mut head = format!("HTTP/{version} {} ", capture.status).into_bytes();
    head.extend_from_slice(&capture.reason);
    head.extend_from_slice(b"\r\n");
    let has_body = !matches!(capture.status, 100..=199 | 204 | 304);
    let length = n_bytes.to_string();
    let mut is_told = !has_body;
    for (name, value) in &capture.fields {
        let name = match name.as_str() {
            "transfer-encoding" => Cow::Owned(format!("{ORIGINAL}{name}")),
            "content-length" if has_body && (is_told || value != length.as_bytes()) => {
                Cow::Owned(format!("{ORIGINAL}{name}"))
            }
            "content-length" => {
                is_told = true;
                Cow::Borrowed(name)
            }
            _ => Cow::Borrowed(name),
        };
        field(&mut head, &name, value);
    }
    if !is_told {
        field(&mut head, "content-length", length.as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}

fn field(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}

#[cfg(test)]
pub(crate) mod tests {
    use gristmill_proto::{BodyRef, FetchKind};

    use super::*;

    pub(crate) fn capture(url: &str, status: u16, fields: &[(&str, &str)], body: &[u8]) -> Capture {
        let field = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
        Capture {
            order_id: 1,
            url: url.into(),
            kind: FetchKind::Page,
            started_at: 1_700_000_000_350,
            ip: Some("192.0.2.7".into()),
            protocol: "http/1.1".into(),
            request: b"GET / HTTP/1.1\r\nhost: a.test\r\n\r\n".to_vec(),
            status,
            reason: b"Fine".to_vec(),
            fields: fields.iter().map(field).collect(),
            body: BodyRef::Inline(body.to_vec()),
            cut: None,
            resource: None,
        }
    }

    fn told(status: u16, fields: &[(&str, &str)], n_bytes: usize) -> String {
        String::from_utf8(head(&capture("http://a.test/", status, fields, b""), n_bytes)).unwrap()
    }

    #[test]
    fn fields_that_are_not_true_of_the_body_keep_their_values_under_other_names() {
        assert_eq!(
            told(200, &[("transfer-encoding", "chunked"), ("content-encoding", "gzip")], 7),
            "HTTP/1.1 200 Fine\r\nx-crawler-transfer-encoding: chunked\r\ncontent-encoding: gzip\r\ncontent-length: 7\r\n\r\n"
        );
        assert_eq!(
            told(200, &[("content-length", "9"), ("server", "x")], 7),
            "HTTP/1.1 200 Fine\r\nx-crawler-content-length: 9\r\nserver: x\r\ncontent-length: 7\r\n\r\n"
        );
        assert_eq!(told(200, &[("content-length", "7")], 7), "HTTP/1.1 200 Fine\r\ncontent-length: 7\r\n\r\n");
        assert_eq!(
            told(304, &[("content-length", "9")], 0),
            "HTTP/1.1 304 Fine\r\ncontent-length: 9\r\n\r\n",
            "that of the page that was not sent"
        );
    }
}
