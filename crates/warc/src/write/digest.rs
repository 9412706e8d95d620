//! Digests as archives write them: SHA-1 in base 32.

use sha1::{Digest, Sha1};

use crate::http::{ChunkedResult, HttpMessage, read_chunked};

/// `sha1:` and the SHA-1 of all parts in one, in base 32 (RFC 4648 §6): 37 characters.
#[must_use]
pub fn sha1_digest(parts: &[&[u8]]) -> String {
    let mut hash = Sha1::new();
    parts.iter().for_each(|part| hash.update(part));
    format!("sha1:{}", base32(&hash.finalize()))
}

/// The digest of the payload of an HTTP message: of its body, without the chunked coding, with the content coding.
///
/// The standard (WARC 1.1 §5.9) wants the transfer coding undone; some tools hash the chunks all the same. Where the header says
/// `chunked` and the body is not, both agree.
#[must_use]
pub fn payload_digest(message: &[u8]) -> Option<String> {
    let message = HttpMessage::parse(message).ok()?;
    let mut payload = Vec::new();
    let is_chunked = message.list("Transfer-Encoding").last().is_some_and(|coding| coding == "chunked");
    let outcome =
        if is_chunked { read_chunked(message.body(), usize::MAX, &mut payload) } else { ChunkedResult::Other };
    Some(sha1_digest(&[if outcome == ChunkedResult::Other { message.body() } else { &payload }]))
}

/// For lengths that are multiples of five bytes, so without padding.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let digits = bytes.chunks(5).flat_map(|group| {
        let value = group.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        (0..8).rev().map(move |place| char::from(ALPHABET[(value >> (5 * place) & 31) as usize]))
    });
    digits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_other_tools() {
        assert_eq!(sha1_digest(&[]), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(sha1_digest(&[b"ab", b"c"]), "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    }

    #[test]
    fn the_payload_is_the_body_without_its_chunks() {
        let expected = Some(sha1_digest(&[b"hello"]));
        assert_eq!(payload_digest(b"HTTP/1.1 200 OK\r\n\r\nhello"), expected);
        let fields = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(payload_digest(format!("{fields}5\r\nhello\r\n0\r\n\r\n").as_bytes()), expected);
        assert_eq!(payload_digest(format!("{fields}hello").as_bytes()), expected);
        assert_eq!(payload_digest(b"no message"), None);
    }
}
