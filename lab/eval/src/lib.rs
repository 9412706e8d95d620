//! Scores extraction systems on pages whose main text is known.
//!
//! ```text
//! Package ─▶ Document ─▶ System ─▶ text ─▶ Judge ─▶ Scores ─▶ Summary ─▶ TSV files, report
//!             html, gold   in process, a command, a proxy
//! ```
//!
//! ```
//! use gristmill_eval::{TextScorer, Measure, MeasureOptions};
//!
//! let gold = "Rye is a grass. It is grown for its grain.";
//! let extracted = "Home. Rye is a grass. It is grown for its grain. Imprint.";
//! let scores = TextScorer::new(Some(gold), &[], &[], MeasureOptions::default()).score(extracted);
//! let words = scores.get(Measure::Wcxb).unwrap();
//! assert_eq!((words.recall, words.precision), (1.0, 10.0 / 12.0));
//! ```
//!
//! [`Package::read`] reads a folder of test pages, and [`run()`] scores every [`System`] on every page. For product records,
//! [`records`] scores pairs instead of a text.
//!
//! The framework is that of Gottron, *Evaluating Content Extraction on HTML Documents*. Differences from the paper are
//! documented where they occur. The crate knows no extraction method: a system is anything that turns bytes into text or pairs.

mod package;

mod command;
mod proxy;
mod run;
mod strip;
mod system;

mod align;
mod extracted_metadata;
mod lcs;
mod licence;
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
pub use difference::{MIN_DOMAINS, PairedDifference, differences};
pub use extracted_metadata::FoundMetadata;
pub use lcs::{DEFAULT_CAP, lcs};
pub use licence::{PERMISSIVE, is_permissive};
pub use measures::{Measure, MeasureOptions, Prf, TextScorer, TextScores};
pub use normalise::{Normalisation, WordDefinition, words};
pub use package::{FLAGS_LEFT_OUT, GoldPage, MAX_FILE_BYTES, Package, PackageError, SkippedDocument, read_file};
pub use proxy::{Proxy, ProxyError};
pub use report::{ReportOptions, write_report};
pub use run::{EvalRun, ResultRow, RunOptions, run};
pub use stats::{Distribution, Interval, RESAMPLES, bootstrap_means, interval};
pub use strip::strip;
pub use summary::{EvalSummary, GOOD_SHARE, PageGroup, PrfSpread, SystemScore};
pub use system::{Answer, ExtractedAttribute, System, SystemOutput, guarded};
pub use tsv::write_tsv;
