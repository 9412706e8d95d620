//! Main text, title and metadata of a page: a parsed document in, values out.
//!
//! ```text
//! Doc ─▶ Page (rows, leaves, statistics; once) ─▶ Method::select ─▶ Selection ─▶ Document, Markdown, HTML
//! ```
//! No I/O, no clock, no recursion over the page, and everything after the parse costs less than the parse.

mod dense;
mod document;
mod metadata;
mod method;
mod page;
mod path;
mod plain;
mod render;
mod selection;
mod title;
mod trace;
mod twcem;
mod vsse;

pub use document::{Document, Kind, Options, extract, extract_from};
pub use metadata::{Feed, Metadata};
pub use method::{Extractor, Method, MethodInfo, Query, UnknownMethod, methods};
pub use page::{Leaf, Page, Row};
pub use render::{render_html, render_markdown, render_text};
pub use selection::Selection;
pub use trace::{Trace, TraceValue};
pub use twcem::Twcem;
pub use vsse::{Aggregate, Refine, Unit, Vsse};
