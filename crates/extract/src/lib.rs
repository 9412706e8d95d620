//! Main text, title and metadata of a page: a parsed document in, values out.
//!
//! ```text
//! Doc ─▶ Page (rows, leaves, statistics; once) ─▶ Method::select ─▶ Selection ─▶ Document, Markdown, HTML
//! ```
//! No I/O, no clock, no recursion over the page, and everything after the parse costs less than the parse.

mod by_hash;
mod containers;
mod document;
mod elements;
mod headline;
mod hidden;
mod labels;
mod layout;
mod leftovers;
mod lines;
mod metadata;
mod method;
mod methods;
mod named;
mod page;
mod page_type;
mod parameter;
mod parts;
mod paths;
mod render;
mod rescue;
mod selection;
mod stop_words;
mod tables;
mod title;
mod tokens;
mod trace;
mod verbatim;

pub use document::{Document, Options, begins_with_title, extract, extract_from};
pub use elements::Elements;
pub use labels::gold_rows;
pub use layout::{Layout, Rect, Sidecar, SidecarError, overlap_area, union_area};
pub use metadata::{Feed, Metadata};
pub use method::{About, Extractor, Judged, Method, MethodError, MethodInfo, Query, layout_methods, methods};
pub use methods::{
    Aggregate, Base, Best, BestNode, Bte, Candidates, Ccb, Cepr, Cetd, Cetr, CetrModel, Clg, Compared, Crunch,
    Distance, Dsc, Hidden, LinkLists, Loops, Lori, Lqf, Mcstd, Mss, MssSupervised, Plain, Ratio, Refine, Rows,
    Smoothing, StopWords, Sun, Twcem, Unit, Vsse, Wffte,
};
pub use page::{Leaf, Page, Row};
pub use page_type::{CrossValidated, Kind, PageType, PageTypes, TypeTrainer, TypedPage, View};
pub use parameter::{Parameter, ParameterError};
pub use parts::{Item, Post};
pub use render::{
    Structure, render_html, render_html_with, render_markdown, render_markdown_with, render_marked, render_text,
};
pub use rescue::{Rescued, Source};
pub use selection::{Piece, Selection};
pub use title::heading;
pub use tokens::{Token, Tokens, WordUnit};
pub use trace::{Trace, TraceValue};

/// The method `best` row by row, and its training: what it sees, class words and trees.
pub mod best {
    pub use crate::methods::best::training::*;
    pub use crate::methods::best::{ExplainedRow, explain};
}

/// Training and judging of CLG: features, labels, models and areas.
pub mod clg {
    pub use crate::methods::clg::{
        AreaScore, Best, FEATURES, FEATURES_VERSION, Features, LAYOUT, LAYOUT_PROVENANCE, Label, Linear, Model, PSEUDO,
        PSEUDO_PROVENANCE, Package, Provenance, Scorer, Trained, Trainer, TrainingPage, area_score, fold_of,
        labels_of_clips, labels_of_text, train,
    };
}

/// Training of MSS: the model, its limits and its trainer.
pub mod mss {
    pub use crate::methods::mss::{ModelError, MssLimits as Limits, MssModel as Model, MssTrainer as Trainer};
}
