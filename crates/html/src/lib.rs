//! HTML bytes in, a flat document out: charset, HTML5 tree, text, attributes.
//!
//! The only crate that knows the parser; everyone else sees [`Doc`]. No I/O, no clock, no recursion, and bounded
//! time and memory for any input.

mod builder;
mod charset;
mod doc;
mod guard;
mod head;
mod kinds;
mod limits;
mod long_tag;
mod name;
mod parse;
mod readable;
mod sink;
mod unescape;
mod without;

pub use builder::DocBuilder;
pub use charset::{Decoded, Hints, decode, decode_with, is_binary};
pub use doc::{Attribute, Children, Doc, NodeId};
pub use head::{Link, Meta};
pub use kinds::{BLOCKS, DROPPED};
pub use limits::{LimitHit, Limits};
pub use name::Name;
pub use unescape::unescape;
