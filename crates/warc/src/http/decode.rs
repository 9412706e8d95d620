//! The body of a message without its codings, where header and bytes agree about them.

use std::borrow::Cow;

use super::chunked::{ChunkedResult, read_chunked};
use super::codings::{Coding, DecodeEnd};
use super::message::HttpMessage;

/// Codings that are undone at most, one after the other.
const MOST_CODINGS: usize = 8;

/// Buffers that [`decode`] uses again for each message.
#[derive(Debug, Default)]
pub struct DecodeBuffers {
    now: Vec<u8>,
    next: Vec<u8>,
}

/// A body without its codings.
#[derive(Debug, PartialEq)]
pub struct DecodedBody<'a> {
    /// Borrowed from the message if there was nothing to undo, else from the [`DecodeBuffers`].
    pub bytes: Cow<'a, [u8]>,
    /// What was odd, in the order in which it was met.
    pub notes: Vec<CodingWarning>,
}

/// What was odd about the codings of a body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodingWarning {
    /// The header says `chunked`, the body is not. It was kept as it is.
    #[error("not chunked, though the header says so")]
    NotChunked,
    /// The chunks end without a terminator.
    #[error("the last chunk is missing")]
    ChunksCut,
    /// A chunk has another length than it says.
    #[error("wrong length of a chunk")]
    ChunkSize,
    /// The header names this coding, the body is not in it. It was kept as it is.
    #[error("not in the coding `{0}`, though the header says so")]
    NotCoded(String),
    /// The data of this coding ends too soon or is wrong. The bytes before are here.
    #[error("broken data in the coding `{0}`")]
    Broken(String),
    /// A coding that cannot be undone. It and all below it were kept.
    #[error("unknown coding `{0}`")]
    Unknown(String),
    /// The body is longer than `max_bytes`, or has too many codings.
    #[error("the body is beyond the limit")]
    Limit,
}

/// Undoes the transfer codings of a body and then its content codings, the last one first.
///
/// A coding is undone only where the header names it and the bytes agree, by their magic or because they can be decoded. For
/// crawlers often store the decoded body beside the header as it was sent. If the header has no Content-Encoding, the one that
/// the Wayback Machine keeps as `X-Archive-Orig-…` counts. `X-Crawler-…` does not: its bodies are decoded already.
///
/// * `max_bytes`: no more are made. A body without codings is cut there, too.
/// * Never fails: broken data gives what came before the break, with a note.
pub fn decode<'a>(message: &HttpMessage<'a>, max_bytes: usize, scratch: &'a mut DecodeBuffers) -> DecodedBody<'a> {
    let mut work = Work { body: message.body(), is_coded: false, max_bytes, scratch, notes: Vec::new() };
    let codings = [list(message, "Transfer-Encoding"), list(message, "Content-Encoding")];
    let all = codings.iter().flat_map(|list| list.iter().rev());
    for name in all.clone().take(MOST_CODINGS) {
        let goes_on = if name == "chunked" { work.undo_chunks() } else { work.undo(name) };
        if !goes_on {
            break;
        }
    }
    if all.count() > MOST_CODINGS {
        work.note(CodingWarning::Limit);
    }
    let Work { body, is_coded, scratch, mut notes, .. } = work;
    let bytes = if is_coded { &scratch.now[..] } else { body };
    if bytes.len() > max_bytes && !notes.contains(&CodingWarning::Limit) {
        notes.push(CodingWarning::Limit);
    }
    DecodedBody { bytes: Cow::Borrowed(&bytes[..bytes.len().min(max_bytes)]), notes }
}

fn list(message: &HttpMessage<'_>, name: &str) -> Vec<String> {
    let list = message.list(name);
    if list.is_empty() { message.list(&format!("X-Archive-Orig-{name}")) } else { list }
}

struct Work<'a> {
    body: &'a [u8],
    /// Whether the present bytes are those of the scratch.
    is_coded: bool,
    max_bytes: usize,
    scratch: &'a mut DecodeBuffers,
    notes: Vec<CodingWarning>,
}

impl Work<'_> {
    fn note(&mut self, note: CodingWarning) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Runs a step from the present bytes to the next; takes its bytes if it says so.
    fn step<T>(&mut self, run: impl FnOnce(&[u8], usize, &mut Vec<u8>) -> (T, bool)) -> T {
        let DecodeBuffers { now, next } = &mut *self.scratch;
        next.clear();
        let (outcome, is_taken) = run(if self.is_coded { now } else { self.body }, self.max_bytes, next);
        if is_taken {
            std::mem::swap(now, next);
            self.is_coded = true;
        }
        outcome
    }

    /// Whether to go on with the next coding.
    fn undo_chunks(&mut self) -> bool {
        let outcome = self.step(|bytes, max_bytes, out| {
            let outcome = read_chunked(bytes, max_bytes, out);
            (outcome, outcome != ChunkedResult::Other)
        });
        match outcome {
            ChunkedResult::Whole => {}
            ChunkedResult::Other => self.note(CodingWarning::NotChunked),
            ChunkedResult::Cut => self.note(CodingWarning::ChunksCut),
            ChunkedResult::WrongSize => self.note(CodingWarning::ChunkSize),
            ChunkedResult::Limit => self.note(CodingWarning::Limit),
        }
        true
    }

    fn undo(&mut self, name: &str) -> bool {
        let Some(coding) = Coding::of(name) else {
            self.note(CodingWarning::Unknown(name.to_owned()));
            return false;
        };
        let Some(coding) = coding else { return true };
        let ending = self.step(|bytes, max_bytes, out| {
            let ending = coding.undo(bytes, max_bytes, out);
            (ending, ending != DecodeEnd::Other)
        });
        match ending {
            DecodeEnd::Whole => {}
            DecodeEnd::Broken => self.note(CodingWarning::Broken(name.to_owned())),
            DecodeEnd::Limit => self.note(CodingWarning::Limit),
            DecodeEnd::Other => self.note(CodingWarning::NotCoded(name.to_owned())),
        }
        true
    }
}
