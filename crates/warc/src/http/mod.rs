//! The HTTP messages inside of records: their header, and their body without its codings.

mod chunked;
mod codings;
mod decode;
mod message;
#[cfg(test)]
mod tests;

pub(crate) use chunked::{ChunkedResult, read_chunked};
pub use decode::{CodingWarning, DecodeBuffers, DecodedBody, decode};
pub use message::{ContentType, HttpMessage, HttpParseError};
