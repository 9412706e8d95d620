//! Main text, title and metadata of a page: a parsed document in, values out.
//!
//! ```text
//! Doc ─▶ Page (rows, leaves, statistics; once) ─▶ Method::select ─▶ Selection ─▶ Document, Markdown, HTML
//! ```
//! No I/O, no clock, no recursion over the page, and everything after the parse costs less than the parse.

mod document;
mod elements;
mod labels;
mod metadata;
mod method;
mod methods;
mod page;
mod parameter;
mod paths;
mod render;
mod selection;
mod title;
mod tokens;
mod trace;

pub use document::{Document, Kind, Options, extract, extract_from};
pub use elements::Elements;
pub use labels::gold_rows;
pub use metadata::{Feed, Metadata};
pub use method::{About, Extractor, Method, MethodError, MethodInfo, Query, methods};
pub use methods::{Aggregate, Plain, Refine, Twcem, Unit, Vsse};
pub use page::{Leaf, Page, Row};
pub use parameter::{Parameter, ParameterError};
pub use render::{render_html, render_markdown, render_marked, render_text};
pub use selection::{Piece, Selection};
pub use tokens::{Token, Tokens};
pub use trace::{Trace, TraceValue};
