//! Messages on the debugging pipe: JSON, each ended by a zero byte.

use std::io::{BufRead, Read};

use serde_json::Value;

/// Longest message that is read. Snapshots of some megabytes are rare; what is beyond this is no page to learn from.
pub(crate) const MAX_MESSAGE: u64 = 64 << 20;

/// Why no further message comes.
#[derive(Debug)]
pub(crate) enum PipeError {
    /// The browser has ended.
    Ended,
    /// A message above [`MAX_MESSAGE`].
    TooLarge,
    /// Not the protocol.
    NoJson(String),
}

/// The next message.
pub(crate) fn next(pipe: &mut impl BufRead) -> Result<Value, PipeError> {
    let mut bytes = Vec::new();
    if pipe.take(MAX_MESSAGE).read_until(0, &mut bytes).is_err() {
        return Err(PipeError::Ended);
    }
    match bytes.pop() {
        Some(0) => serde_json::from_slice(&bytes).map_err(|error| PipeError::NoJson(error.to_string())),
        Some(_) if bytes.len() as u64 + 1 == MAX_MESSAGE => Err(PipeError::TooLarge),
        Some(_) | None => Err(PipeError::Ended),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_at_zero_bytes_and_a_cut_one_is_the_end() {
        let mut pipe = &b"{\"id\":1}\0{\"id\":"[..];
        assert_eq!(next(&mut pipe).unwrap()["id"], 1);
        assert!(matches!(next(&mut pipe), Err(PipeError::Ended)));
        assert!(matches!(next(&mut &b"yes\0"[..]), Err(PipeError::NoJson(_))));
    }
}
