//! The messages that travel between services: plain structs, archived with rkyv behind a checked envelope.
//!
//! What goes over which topic, who writes and who reads it, stands in [`topics::TABLE`].
//!
//! A struct here never changes its fields once a release wrote it: a new field means a new
//! [`Message::VERSION`] and a reader for the old one ([`Message::read_old`]). `tests/golden.rs` holds the bytes of each version.

mod envelope;
mod fetching;
mod indexing;
mod old_documents;
pub mod topics;

pub use envelope::{HEADER_LEN, Kind, MAGIC, Message, ProtoError, decode, encode, peek};
pub use fetching::{Body, Claim, Epochs, Instruction, Link, Links, Order, Outcome, Page, WireEncoding};
pub use gristmill_terms::{FetchKind, LinkSource, Verdict};
pub use indexing::{Attribute, Change, Comment, Document, Reject};
