//! Judges product records: attribute–value pairs against the pairs that a reader sees on the page.
//!
//! ```text
//! RecordPackage ─▶ RecordPage ─▶ System ─▶ pairs ─▶ Score ─▶ RecordSummary ─▶ TSV files, report
//!                  html, gold pairs    in process, a batch command
//! ```
//! Pages of other packages (articles) stand beside them as negatives: whatever is found there is false.

mod measure;
mod package;
mod report;
mod run;
mod summary;
mod tsv;

pub use measure::{Score, compare, normal_name, normal_set, normal_value};
pub use package::{RecordPackage, RecordPage, brand};
pub use report::{RecordReportOptions, write_record_report};
pub use run::{RecordRow, RecordRun, WrongPair, run_records};
pub use summary::{GroupKey, NegativePages, RecordGroup, RecordSummary};
pub use tsv::write_record_tsv;

#[cfg(test)]
mod tests;
