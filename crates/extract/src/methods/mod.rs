//! The methods, one file each.

mod blur;
mod bte;
mod ccb;
mod cetr;
mod dsc;
mod kmeans;
mod mcstd;
mod mss;
mod plain;
mod stream;
mod twcem;
mod vsse;

pub use bte::Bte;
pub use ccb::Ccb;
pub use cetr::{Cetr, CetrModel};
pub use dsc::Dsc;
pub(crate) use mcstd::densest_run;
pub use mss::{ModelError, Mss, MssLimits, MssModel, MssSupervised, MssTrainer};
pub use plain::Plain;
pub use twcem::Twcem;
pub use vsse::{Aggregate, Refine, Unit, Vsse};

use crate::method::Extractor;

/// In the order of `gristmill methods`. A new method is a file and a line here.
pub(crate) static METHODS: &[&dyn Extractor] = &[
    &Plain,
    &Bte::PAPER,
    &Dsc::PAPER,
    &Twcem::NEWS,
    &Twcem::MICROBLOG,
    &Vsse::PAPER,
    &Vsse::TUNED,
    &Cetr::TWO_D,
    &Cetr::K_MEANS,
    &Cetr::THRESHOLD,
    &Ccb::CCB,
    &Ccb::ACCB,
    &Mss::SIMPLE,
    &MssSupervised::SHIPPED,
];
