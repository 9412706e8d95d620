//! The view of a page that all extraction methods share: rows, leaves, elements, class words, tag paths, tokens, selections.
//! A *row* is the text between two block boundaries, a *leaf* is a text node.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_page::{Page, Selection};
//!
//! let doc = Doc::parse("<h1>Rye</h1><p>Rye is a <b>grass</b>.", &TreeLimits::default());
//! let page = Page::new(&doc);
//! assert_eq!(page.row_text(&page.rows[1]), "Rye is a grass.");
//! assert!(Selection::all(&page).keeps_whole(&page.rows[1]));
//! ```
//!
//! It also says what is hidden, which tables hold data, and where white space is part of the text. It knows no particular method
//! and no records.

mod abbreviations;
pub mod attribute_words;
mod base;
mod blocks;
pub mod class_words;
mod classifiers;
mod components;
mod converted;
pub mod declared;
pub mod dense;
mod elements;
mod extractor;
pub mod formulas;
pub mod hidden;
mod icons;
pub mod layout;
mod leftovers;
mod listings;
pub mod notes;
mod page;
mod page_type;
pub mod parameter;
pub mod paths;
mod quotes;
mod readable;
mod roles;
mod rows;
mod selection;
mod shadow_roots;
pub mod state;
mod table_feet;
pub mod tables;
mod tabs;
pub mod tokens;
mod trace;
mod unseen;
pub mod verbatim;

pub use base::base;
pub use blocks::{BlockRules, heading_rank, is_block, is_dropped, is_heading};
pub use elements::{ElementStats, SubtreeStats};
pub use extractor::{MainTextExtractor, MethodDescription, MethodInput, ScoredSelection, SelectionVariants};
pub use layout::{PageLayout, Rect, Sidecar, SidecarError, overlap_area, union_area};
pub use page::Page;
pub use page_type::{PageKind, PageType, PageTypes};
pub use parameter::{Parameter, ParameterError, ParameterValues};
pub use readable::text_of;
pub use rows::{Row, Rows, TextNode};
pub use selection::{KeptSpan, Selection};
pub use tokens::{StreamToken, TokenStream, WordUnit};
pub use trace::{Trace, TraceValue};
