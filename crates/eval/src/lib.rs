//! Judges extraction systems on test packages.
//!
//! ```text
//! Package ─▶ Document ─▶ System ─▶ text ─▶ Judge ─▶ Scores ─▶ Summary ─▶ TSV files, report
//!             html, gold   in process, a command, a proxy
//! ```
//! Product records are judged by their pairs instead of a text: [`records`].
//!
//! The framework is that of Gottron, *Evaluating Content Extraction on HTML Documents*; what differs from the paper is
//! said where it does. It knows no extraction method: a system is whatever turns bytes into text or pairs.

mod package;

mod command;
mod proxy;
mod run;
mod strip;
mod system;

mod align;
mod found;
mod lcs;
mod measures;
pub mod metadata;
mod normalise;
mod stats;

mod difference;
pub mod records;
mod report;
mod summary;
mod tsv;

pub use align::{MAX_TABLE_BYTES, align};
pub use command::{BatchCommand, CommandError, CommandLine, DEFAULT_TIMEOUT, MAX_OUTPUT_BYTES, SingleCommand};
pub use difference::{Difference, MIN_DOMAINS, differences};
pub use found::FoundMetadata;
pub use lcs::{DEFAULT_CAP, lcs};
pub use measures::{Judge, Measure, Prf, Scores, Settings};
pub use normalise::{Normalisation, Tokens, words};
pub use package::{Document, FLAGS_LEFT_OUT, MAX_FILE_BYTES, Package, PackageError, Problem};
pub use proxy::{Proxy, ProxyError};
pub use report::{ReportOptions, write_report};
pub use run::{Row, Run, RunOptions, run};
pub use stats::{Interval, RESAMPLES, Spread, bootstrap_means, interval};
pub use strip::strip;
pub use summary::{Cell, GOOD_SHARE, Group, PrfSpread, Summary};
pub use system::{Answer, FoundPair, Output, System, guarded};
pub use tsv::write_tsv;
