//! The HTTP messages inside of records: their header, and their body without its codings.

mod chunked;
mod codings;
mod decode;
mod message;
#[cfg(test)]
mod tests;

pub(crate) use chunked::{Chunked, read_chunked};
pub use decode::{Decoded, Note, Scratch, decode};
pub use message::{ContentType, Message, NotHttp};
