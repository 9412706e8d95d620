//! The text of PDFs, by `pdftotext` (poppler) in a process with limits: each document has one of its own, without rights, without a
//! network where the system allows that, and with little time and memory.
//!
//! ```text
//! bytes ─▶ unlinked file ─▶ setpriv unshare setpriv prlimit pdftotext ─▶ pipe, bounded ─▶ PagedText
//! ```
//! Of twenty PDFs of Debian packages this reads all, in half the time of the Rust crate `pdf-extract`, which panics at one.

mod output;
mod process;

use std::path::PathBuf;
use std::sync::Once;
use std::time::Duration;

use gristmill_reading::{PagedText, PdfError, ReadPdf};

pub use crate::output::parse;
use crate::process::{Limits, ProcessEnd};

/// What one document may cost.
const LIMITS: Limits =
    Limits { cpu_seconds: 10, wall: Duration::from_secs(60), memory: 512 << 20, output: 10 << 20, said: 2_000 };

/// `pdftotext` is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`extractor.pdf` needs the program `pdftotext`, which is in no folder of `PATH`: install the Debian package `poppler-utils`"
)]
pub struct NotInstalled;

/// `pdftotext` of this machine.
#[derive(Debug, Clone)]
pub struct PdfToText {
    program: PathBuf,
    user: Option<u32>,
    is_isolated: bool,
    limits: Limits,
}

impl PdfToText {
    /// Finds the program, and out what the system allows: some 10 ms. Warns once where there is no namespace without a network.
    ///
    /// # Errors
    /// The program is not there.
    pub fn find() -> Result<PdfToText, NotInstalled> {
        static WARNED: Once = Once::new();
        let program = gristmill_sandbox::find(&["pdftotext"]).ok_or(NotInstalled)?;
        let user = gristmill_sandbox::user(gristmill_sandbox::NOBODY);
        let probed = gristmill_sandbox::probe(user);
        if let Err(reason) = &probed {
            WARNED.call_once(|| tracing::warn!(reason, "PDFs are read without namespaces of their own"));
        }
        Ok(PdfToText { program, user, is_isolated: probed.is_ok(), limits: LIMITS })
    }

    /// The same with other limits, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_limits(self, cpu_seconds: u32, wall: Duration, output: usize) -> PdfToText {
        PdfToText { limits: Limits { cpu_seconds, wall, output, ..self.limits }, ..self }
    }

    /// The arguments of `setpriv`.
    fn words(&self) -> Vec<String> {
        let Limits { cpu_seconds, memory, .. } = self.limits;
        let mut words = gristmill_sandbox::wrapping(self.user, self.is_isolated);
        words.extend(["prlimit".to_owned(), format!("--cpu={cpu_seconds}"), format!("--as={memory}")]);
        // It writes into a pipe and nowhere else.
        words.extend(["--fsize=0", "--core=0", "--nofile=32"].map(str::to_owned));
        words.push(self.program.display().to_string());
        words.extend(["-enc", "UTF-8", "-htmlmeta", "-", "-"].map(str::to_owned));
        words
    }
}

impl ReadPdf for PdfToText {
    /// Blocks until the process has ended, at most a minute. What it says of damage counts only if it gives no text.
    fn read(&self, bytes: &[u8]) -> Result<PagedText, PdfError> {
        let failed = |error: std::io::Error| PdfError::Unreadable(format!("the PDF: `pdftotext` failed: {error}"));
        let Limits { cpu_seconds, wall, output, .. } = self.limits;
        match process::run(&self.words(), bytes, &self.limits).map_err(failed)? {
            ProcessEnd::Late => Err(PdfError::TooLarge(format!("the PDF: reading it took longer than {wall:?}"))),
            ProcessEnd::Long => Err(PdfError::TooLarge(format!("the PDF: its text has more than {output} bytes"))),
            ProcessEnd::Killed => Err(PdfError::TooLarge(format!(
                "the PDF: reading it was stopped, as after {cpu_seconds} s of work or without memory"
            ))),
            ProcessEnd::Failed { said } => Err(PdfError::Unreadable(reason(&said))),
            ProcessEnd::Done { text } => Ok(parse(&String::from_utf8_lossy(&text))),
        }
    }
}

/// Why `pdftotext` gave no text, by what it wrote last.
fn reason(said: &str) -> String {
    if said.contains("Incorrect password") {
        return "the PDF is encrypted, and wants a password".to_owned();
    }
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
    format!("the PDF: `pdftotext` could not read it: {last}")
}
