//! HTML bytes in, a flat document out: charset, HTML5 tree, text, attributes.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits, LocalName, decode};
//!
//! let decoded = decode(b"<title>Caf\xe9</title><p>Open <b>daily</b>", Some("text/html; charset=iso-8859-1"));
//! let doc = Doc::parse(&decoded.text, &TreeLimits::default());
//! assert_eq!(doc.text_content(doc.first(LocalName::TITLE).unwrap()), "Café");
//! assert_eq!(doc.text_content(doc.body().unwrap()), "Open daily");
//! ```
//!
//! This is the only crate that parses HTML into a tree; the others see [`Doc`]. It does no I/O, reads no clock, and does not
//! recurse. Time and memory are bounded for any input.

mod buffer_reuse;
mod builder;
mod charset;
mod doc;
mod element_classes;
mod formula;
mod head;
mod limits;
mod markdown;
mod name;
mod parse;
mod readable;
mod rearrange;
mod remove_subtrees;
mod store;
#[cfg(test)]
mod test_data;
mod tokenizer;
mod tree;
mod unescape;

pub use builder::DocBuilder;
pub use charset::{CharsetHints, DecodedText, decode, decode_with, is_binary, is_pdf};
pub use doc::{Attribute, Children, Doc, NodeId};
pub use element_classes::{BLOCKS, DROPPED};
pub use formula::FormulaStyle;
pub use head::{LinkElement, MetaElement};
pub use limits::{LimitHit, TreeLimits};
pub use markdown::{is_markdown, markdown_to_html};
pub use name::LocalName;
pub use unescape::unescape;
