//! The messages that travel between services: plain structs, archived with rkyv behind a checked envelope.
//!
//! ```text
//! topic       message    key                    written by        read by
//! orders      Order      registrable domain     scheduler         fetcher, scheduler (after a crash)
//!             Claim      any of its partition   scheduler         the same
//! outcomes    Outcome    registrable domain     fetcher           scheduler, fetcher (after a crash)
//! links       Links      domain of the targets  fetcher           scheduler
//! pages       Page       registrable domain     fetcher           extractor
//! documents   Document   URL key                extractor         indexer, sink
//! documents-json  JSON   URL key                sink              other engines
//! rejects     Reject     registrable domain     extractor, …      people, `gristmill explain`
//! ```
//!
//! A struct here never changes its fields once a release wrote it: a new field means a new
//! [`Message::VERSION`] and a reader for the old one ([`Message::read_old`]). `tests/golden.rs` holds the bytes of each version.

mod envelope;
mod fetching;
mod indexing;

pub use envelope::{HEADER_LEN, Kind, MAGIC, Message, ProtoError, decode, encode, peek};
pub use fetching::{
    Body, Claim, Epochs, FetchKind, Instruction, Link, LinkSource, Links, Order, Outcome, Page, Verdict, WireEncoding,
};
pub use indexing::{Attribute, Change, Document, Reject};

/// Names of the topics, in the order in which a page meets them.
pub mod topics {
    /// What to fetch, keyed by registrable domain.
    pub const ORDERS: &str = "orders";
    /// What became of each order, keyed by registrable domain.
    pub const OUTCOMES: &str = "outcomes";
    /// Links found, keyed by the registrable domain of their targets.
    pub const LINKS: &str = "links";
    /// Downloaded bodies, keyed by registrable domain.
    pub const PAGES: &str = "pages";
    /// Cleaned documents, keyed by URL key.
    pub const DOCUMENTS: &str = "documents";
    /// The same as JSON for other engines, keyed by URL key: no message of ours.
    pub const DOCUMENTS_JSON: &str = "documents-json";
    /// What could not be handled, with the reason.
    pub const REJECTS: &str = "rejects";
    /// Every topic of the pipeline.
    pub const ALL: [&str; 7] = [ORDERS, OUTCOMES, LINKS, PAGES, DOCUMENTS, DOCUMENTS_JSON, REJECTS];
}
