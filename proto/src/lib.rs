//! The messages between services: plain structs, archived with rkyv in a checked envelope.
//!
//! ```
//! use gristmill_proto::{ProtoError, Reject, RejectCause, decode, encode};
//!
//! let reject = Reject {
//!     url: "https://mill.example/a.pdf".into(),
//!     stage: "extractor".into(),
//!     reason: RejectCause::NoPage.with("no HTML"),
//!     at: 1_795_219_200_000,
//! };
//! let mut bytes = encode(&reject);
//! assert_eq!(decode::<Reject>(&bytes).unwrap().url, reject.url);
//! *bytes.last_mut().unwrap() ^= 1;
//! assert_eq!(decode::<Reject>(&bytes).err(), Some(ProtoError::Checksum));
//! ```
//!
//! [`topics::TABLE`] says which message goes over which topic, who writes it and who reads it.
//!
//! Once a release has written a struct, its fields never change. A new field means a new [`Message::VERSION`], and a reader for
//! the old one beside it. `tests/golden.rs` holds the bytes of each version.

mod capture;
mod change;
mod control;
mod envelope;
mod fetching;
mod indexing;
mod notice;
mod page;
pub mod topics;

pub use capture::Capture;
pub use change::{Change, ChangeKind, PageState};
pub use control::{ControlAction, ControlCommand};
pub use envelope::{HEADER_LEN, MAGIC, Message, MessageKind, ProtoError, decode, encode, peek};
pub use fetching::{Epochs, FetchOrder, FetchOutcome, Instruction, Outlink, OutlinkBatch, PartitionClaim};
pub use gristmill_terms::{Cut, Departure, FetchKind, LinkSource, RejectCause, RejectReason, Verdict};
pub use indexing::{
    Comment, Document, DocumentChange, HeadingLine, LanguageShare, ProductAttribute, Reject, RenderInfo, Rights,
};
pub use notice::{Cookie, Fingerprint, News, Notice, Tie};
pub use page::{BodyRef, FetchedPage, RenderedPage, WireEncoding};
