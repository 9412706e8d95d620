//! The methods, one file or folder each.

mod cepr;
mod cetd;
mod crunch;
mod lori;
mod lqf;
mod mcstd;
mod plain;
mod sun;
mod twcem;
mod vsse;
mod wffte;

pub use cepr::{Cepr, Ratio, Smoothing};
pub use cetd::{Cetd, Hidden};
pub use crunch::{Crunch, LinkLists};
pub use lori::Lori;
pub use lqf::Lqf;
pub use mcstd::Mcstd;
pub(crate) use mcstd::densest_run;
pub use plain::Plain;
pub use sun::Sun;
pub use twcem::{Compared, Loops, Rows, StopWords, Twcem};
pub use vsse::{Aggregate, Distance, Refine, Unit, Vsse};
pub use wffte::{Base, Wffte};

use crate::method::Extractor;

/// In the order of `gristmill methods`. A new method is a file and a line here.
pub(crate) static METHODS: &[&dyn Extractor] = &[
    &Plain,
    &Crunch::PAPER,
    &Lqf::PAPER,
    &Twcem::NEWS,
    &Twcem::MICROBLOG,
    &Vsse::PAPER,
    &Vsse::TUNED,
    &Wffte::PAPER,
    &Lori::PAPER,
    &Sun::PAPER,
    &Cetd::COMPOSITE,
    &Cetd::PLAIN,
    &Cepr::PAPER,
    &Mcstd,
];
