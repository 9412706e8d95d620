//! The methods, one file each.

mod mcstd;
mod plain;
mod twcem;
mod vsse;

pub(crate) use mcstd::densest_run;
pub use plain::Plain;
pub use twcem::Twcem;
pub use vsse::{Aggregate, Refine, Unit, Vsse};

use crate::method::Extractor;

/// In the order of `gristmill methods`. A new method is a file and a line here.
pub(crate) static METHODS: &[&dyn Extractor] = &[&Plain, &Twcem::NEWS, &Twcem::MICROBLOG, &Vsse::PAPER, &Vsse::TUNED];
