//! One call from the bytes of a page to everything that is known of it: main text, metadata, kind, product records, with the
//! rules of its site applied. Rust programs should depend on this crate.
//!
//! ```
//! use gristmill_reading::{CharsetHints, PageReader};
//!
//! let html = "<title>Rye</title><h1>Rye</h1><p>Rye is a <b>grass</b>, and it is grown for its grain.</p>";
//! let reader = PageReader::default();
//! let parsed = reader.parse(html.as_bytes(), &CharsetHints { url: Some("https://mill.example/rye"), ..CharsetHints::default() });
//! let reading = parsed.read(reader.options());
//! assert_eq!(reading.document.title.as_deref(), Some("Rye"));
//! assert_eq!(reading.markdown(), "# Rye\n\nRye is a **grass**, and it is grown for its grain.");
//! ```
//!
//! ```text
//! bytes, hints ─▶ PageReader::parse ─▶ ParsedPage ─▶ read ─▶ Reading ─▶ document, kind, records, Markdown, HTML
//!                 charset, tree, rules            text, metadata
//! ```
//! No I/O, no clock. Reading never fails: a poor page gives a poor reading. [`no_page`] says whether bytes are a page at all.

mod explain;
mod format;
mod json;
mod kind;
pub mod need;
mod no_page;
mod paged;
mod plain_text;
mod reader;
mod reading;
pub mod rights;
pub mod rules;

pub use format::OutputFormat;
pub use gristmill_html::CharsetHints;
pub use kind::{HOPELESS, KindDecision, confidence, is_offered, product_probability};
pub use no_page::no_page;
pub use paged::{OpenError, PagedText, PdfError, ReadPdf};
pub use reader::{PageReader, ParsedPage};
pub use reading::Reading;
pub use rights::{Rights, UsageHeaders};
