//! The chunked transfer coding (RFC 9112 §7.1), as it is found in archives.

/// What came of undoing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunkedResult {
    /// All chunks and the terminator were there.
    Whole,
    /// The data ends before the terminator.
    Cut,
    /// A chunk has another length than it says. What is between the chunk heads was kept.
    WrongSize,
    /// The decoded body would be longer than the limit.
    Limit,
    /// The body is not chunked, whatever the header says.
    Other,
}

/// Appends the data of all chunks to `out`, up to `max_bytes`.
///
/// Chunk extensions and trailers are dropped, lines may end with LF only, and the terminator may have any number of zeros. After a
/// chunk of the wrong length it goes on at the next line that can be a chunk's head. Linear time.
pub(crate) fn read_chunked(body: &[u8], max_bytes: usize, out: &mut Vec<u8>) -> ChunkedResult {
    if !is_chunked(body) {
        return ChunkedResult::Other;
    }
    let mut outcome = ChunkedResult::Whole;
    let mut rest = body;
    while let Some((size, head)) = chunk_head(rest) {
        rest = &rest[head..];
        if size == 0 {
            return outcome;
        }
        let mut length = usize::try_from(size).unwrap_or(usize::MAX);
        if length > rest.len() {
            length = rest.len();
            outcome = ChunkedResult::Cut;
        } else if line_end(&rest[length..]).is_none() && length < rest.len() {
            length += next_head(&rest[length..]);
            outcome = ChunkedResult::WrongSize;
        }
        let room = max_bytes - out.len();
        out.extend_from_slice(&rest[..length.min(room)]);
        if length > room {
            return ChunkedResult::Limit;
        }
        rest = &rest[length..];
        rest = &rest[line_end(rest).unwrap_or(0)..];
    }
    if outcome == ChunkedResult::Whole { ChunkedResult::Cut } else { outcome }
}

/// Whether the first chunk is one: a head, then data of its length with a line end behind, or the end.
///
/// A body that was decoded already may begin with a number on a line, so a head alone is not enough. A first chunk of the wrong
/// length counts if the body ends as a chunked one does.
fn is_chunked(body: &[u8]) -> bool {
    let Some((size, head)) = chunk_head(body) else { return false };
    let rest = &body[head..];
    let behind = usize::try_from(size).ok().and_then(|size| rest.get(size..));
    match behind {
        _ if size == 0 => rest.len() <= 4 || line_end(rest).is_some(),
        None => true,
        Some(behind) => behind.is_empty() || line_end(behind).is_some() || body.ends_with(b"\r\n0\r\n\r\n"),
    }
}

/// The size that a chunk's head says, and the length of the head with its line end.
fn chunk_head(bytes: &[u8]) -> Option<(u64, usize)> {
    const LONGEST: usize = 4_096;
    let n_digits = bytes.iter().take(LONGEST).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let digits = std::str::from_utf8(&bytes[..n_digits]).ok()?;
    let size = u64::from_str_radix(digits, 16).ok()?;
    let rest = &bytes[n_digits..bytes.len().min(LONGEST)];
    let length = memchr::memchr(b'\n', rest)?;
    let is_head = matches!(rest[..length].trim_ascii(), b"" | [b';', ..]);
    is_head.then_some((size, n_digits + length + 1))
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"\r\n") { Some(2) } else { bytes.starts_with(b"\n").then_some(1) }
}

/// How many bytes stand before the next line end with a chunk's head behind it; all of them if there is none.
fn next_head(bytes: &[u8]) -> usize {
    let found = memchr::memchr_iter(b'\n', bytes).find(|at| chunk_head(&bytes[at + 1..]).is_some());
    found.map_or(bytes.len(), |at| if at > 0 && bytes[at - 1] == b'\r' { at - 1 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> (ChunkedResult, String) {
        let mut out = Vec::new();
        let outcome = read_chunked(body.as_bytes(), 1_000, &mut out);
        (outcome, String::from_utf8(out).unwrap())
    }

    #[test]
    fn chunks_are_joined_whatever_is_wrong_with_them() {
        for (body, outcome, text) in [
            ("5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n", ChunkedResult::Whole, "hello world"),
            ("5\r\nhello\r\n00000000\r\nTrailer: x\r\n\r\n", ChunkedResult::Whole, "hello"),
            ("0005  \nhello\n0\n\n", ChunkedResult::Whole, "hello"),
            ("5\r\nhello\r\n", ChunkedResult::Cut, "hello"),
            ("ff\r\nhello", ChunkedResult::Cut, "hello"),
            ("5\r\nhello\r\n3\r\n world\r\n5\r\nagain\r\n0\r\n\r\n", ChunkedResult::WrongSize, "hello worldagain"),
            ("2\r\nhello\r\n0\r\n\r\n", ChunkedResult::WrongSize, "hello"),
            ("0\r\n\r\n", ChunkedResult::Whole, ""),
            ("5\r\nhello\r\nfffffffffffffffffffff\r\n", ChunkedResult::Cut, "hello"),
        ] {
            assert_eq!(read(body), (outcome, text.to_owned()), "{body:?}");
        }
    }

    #[test]
    fn a_body_that_is_no_chunks_is_told_from_one_that_is() {
        for body in
            ["<html>", "", "12\r\nmonths in a year, and this is longer than that", "feed the cat", "\r\n5\r\nhello"]
        {
            assert_eq!(read(body).0, ChunkedResult::Other, "{body:?}");
        }
    }

    #[test]
    fn a_limit_cuts_the_body() {
        let mut out = Vec::new();
        assert_eq!(read_chunked(b"5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n", 7, &mut out), ChunkedResult::Limit);
        assert_eq!(out, b"hellowo");
    }
}
