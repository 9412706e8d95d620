//! Whether a page needs a browser, told from the page as it was sent and from what extraction got of it.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_reading::need::{ExtractionSignals, THRESHOLD, need};
//!
//! let shell = "<title>Shop</title><div id=root></div><script type=module src=/assets/index.js></script>";
//! assert!(need(&Doc::parse(shell, &TreeLimits::default()), &ExtractionSignals::default()).unwrap() > THRESHOLD);
//! let plain = "<title>Rye</title><p>Rye is a grass, and it is grown for its grain.</p>";
//! assert_eq!(need(&Doc::parse(plain, &TreeLimits::default()), &ExtractionSignals::default()), None, "no script could change it");
//! ```
//!
//! Boosted trees over a few numbers ([`RenderFeatures`]); no I/O, no clock, one walk over the tree.

mod content_size;
mod features;
mod mode;
mod model;
mod page_signals;

pub use content_size::ContentSize;
pub use features::{ExtractionSignals, N_FEATURES, NAMES, RenderFeatures};
pub use mode::RenderPolicy;
pub use model::{RenderModel, THRESHOLD, need};
