//! The published methods that separate main text from the rest of a page, one file or folder each, with their trainers.
//! [`METHODS`] lists them.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_methods::Cetd;
//! use gristmill_page::{MainTextExtractor, Page, MethodInput, Trace};
//!
//! let doc = Doc::parse("<ul><li><a href=/>Home</a></ul><p>A long row of text, and a sentence.", &TreeLimits::default());
//! let page = Page::new(&doc);
//! let kept = Cetd::COMPOSITE.select(&page, &MethodInput::default(), &mut Trace::default());
//! assert!(kept.keeps_whole(&page.rows[1]));
//! ```

mod blur;
mod bte;
mod ccb;
mod cepr;
mod cetd;
mod cetr;
pub mod clg;
mod containers;
mod crunch;
mod dsc;
mod kmeans;
mod labels;
mod lines;
mod lori;
mod lqf;
mod mcstd;
pub mod mss;
mod plain;
mod readability;
mod stop_words;
mod stream;
mod sun;
mod twcem;
mod vsse;
mod wffte;

pub use bte::Bte;
pub use ccb::Ccb;
pub use cepr::{Cepr, PathRatio, Smoothing};
pub use cetd::{Cetd, HiddenPolicy};
pub use cetr::{Cetr, CetrModel};
pub use clg::{BestNode, Clg, ThresholdBaseline};
pub use crunch::{Crunch, LinkLists};
pub use dsc::Dsc;
pub use labels::gold_rows;
pub use lori::Lori;
pub use lqf::Lqf;
pub use mcstd::Mcstd;
pub use mss::{Mss, MssSupervised};
pub use plain::KeepAll;
pub use readability::Readability;
pub use sun::Sun;
pub use twcem::{ComparisonUnit, LoopBounds, RowUnit, StopWords, Twcem};
pub use vsse::{RefineRule, ScoringUnit, SeedAggregation, SimilarityThreshold, Vsse};
pub use wffte::{WeightBase, Wffte};

use gristmill_page::MainTextExtractor;

/// Those that work on where a browser put things, and on nothing else.
pub static LAYOUT_METHODS: &[&dyn MainTextExtractor] = &[
    &Clg::LAYOUT,
    &ThresholdBaseline::LR_LAYOUT,
    &BestNode::LR_LAYOUT,
    &ThresholdBaseline::SVM_LAYOUT,
    &BestNode::SVM_LAYOUT,
];

/// In the order of `gristmill-lab methods`, after ours. A new method is a file and a line here.
pub static METHODS: &[&dyn MainTextExtractor] = &[
    &KeepAll,
    &Crunch::PAPER,
    &Bte::PAPER,
    &Dsc::PAPER,
    &Lqf::PAPER,
    &Twcem::NEWS,
    &Twcem::MICROBLOG,
    &Vsse::PAPER,
    &Vsse::TUNED,
    &Wffte::PAPER,
    &Lori::PAPER,
    &Sun::PAPER,
    &Readability::BROWSERS,
    &Cetr::TWO_D,
    &Cetr::K_MEANS,
    &Cetr::THRESHOLD,
    &Cetd::COMPOSITE,
    &Cetd::PLAIN,
    &Cepr::PAPER,
    &Mcstd,
    &Ccb::CCB,
    &Ccb::ACCB,
    &Mss::SIMPLE,
    &MssSupervised::SHIPPED,
    &Clg::NO_LAYOUT,
    &ThresholdBaseline::LR_NO_LAYOUT,
    &BestNode::LR_NO_LAYOUT,
    &ThresholdBaseline::SVM_NO_LAYOUT,
    &BestNode::SVM_NO_LAYOUT,
];
