//! What runs by default on a parsed page: main text by `best`, title, metadata, page kind, parts, and output formats.
//!
//! ```
//! use gristmill_extract::{ExtractOptions, extract};
//! use gristmill_html::{Doc, TreeLimits};
//!
//! let doc = Doc::parse("<h1>Rye bread</h1><p>Rye is a grass, and it is grown for its grain.", &TreeLimits::default());
//! assert_eq!(extract(&doc, &ExtractOptions::default()).title.as_deref(), Some("Rye bread"));
//! ```
//!
//! ```text
//! Doc ─▶ Page (rows, leaves, statistics; once) ─▶ Method::select ─▶ Selection ─▶ Document, Markdown, HTML
//! ```
//! No I/O, no clock, no recursion over the page.

pub mod best;
mod document;
mod fallback;
mod headline;
mod main_text;
mod metadata;
mod method;
mod page_type;
mod parts;
mod related;
mod render;
mod title;

pub use document::{ExtractOptions, Extraction, TextVariants, begins_with_title, extract, extract_from};
pub use fallback::{FallbackText, TextSource};
pub use gristmill_page::formulas::spell_out;
pub use gristmill_page::{
    KeptSpan, MainTextExtractor, MethodDescription, MethodInput, Page, PageKind, PageLayout, PageType, PageTypes,
    Parameter, Row, ScoredSelection, Selection, Sidecar, SidecarError, TextNode, Trace, TraceValue,
};
pub use metadata::sources::{ValueProvenance, ValueSource, ValueSources};
pub use metadata::{FeedLink, Metadata};
pub use method::{Method, MethodError, MethodInfo, layout_methods, methods};
pub use page_type::{FeatureView, OutOfFoldPredictions, TypeTrainer, TypedPage, types_of};
pub use parts::{ListEntry, Post};
pub use render::{
    HeadingLine, Structure, render_html, render_html_with, render_markdown, render_markdown_with, render_marked,
    render_text,
};
pub use title::heading;
