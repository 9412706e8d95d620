//! The methods, one file or folder each.

pub(crate) mod best;
mod blur;
mod bte;
mod ccb;
mod cepr;
mod cetd;
mod cetr;
pub(crate) mod clg;
mod crunch;
mod dsc;
mod kmeans;
mod lori;
mod lqf;
mod mcstd;
pub(crate) mod mss;
mod plain;
mod stream;
mod sun;
mod twcem;
mod vsse;
mod wffte;

pub use best::Best;
pub use bte::Bte;
pub use ccb::Ccb;
pub use cepr::{Cepr, Ratio, Smoothing};
pub use cetd::{Cetd, Hidden};
pub use cetr::{Cetr, CetrModel};
pub(crate) use clg::Measures;
pub use clg::{BestNode, Candidates, Clg};
pub use crunch::{Crunch, LinkLists};
pub use dsc::Dsc;
pub use lori::Lori;
pub use lqf::Lqf;
pub use mcstd::Mcstd;
pub(crate) use mcstd::densest_run;
pub use mss::{Mss, MssSupervised};
pub use plain::Plain;
pub use sun::Sun;
pub use twcem::{Compared, Loops, Rows, StopWords, Twcem};
pub use vsse::{Aggregate, Distance, Refine, Unit, Vsse};
pub use wffte::{Base, Wffte};

use crate::method::Extractor;

/// Those that work on where a browser put things, and on nothing else.
pub(crate) static LAYOUT_METHODS: &[&dyn Extractor] =
    &[&Clg::LAYOUT, &Candidates::LR_LAYOUT, &BestNode::LR_LAYOUT, &Candidates::SVM_LAYOUT, &BestNode::SVM_LAYOUT];

/// In the order of `gristmill methods`. A new method is a file and a line here.
pub(crate) static METHODS: &[&dyn Extractor] = &[
    &Best::SHIPPED,
    &Plain,
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
    &Candidates::LR_NO_LAYOUT,
    &BestNode::LR_NO_LAYOUT,
    &Candidates::SVM_NO_LAYOUT,
    &BestNode::SVM_NO_LAYOUT,
];
