//! `pdftotext` on documents as they come, and on hostile ones.

mod hostile;
mod text;
pub mod writer;

/// The program, where it is installed.
fn reader() -> Option<gristmill_pdf::PdfToText> {
    let found = gristmill_pdf::PdfToText::find();
    found.inspect_err(|_| eprintln!("SKIPPED: Debian's package `poppler-utils` is absent")).ok()
}
