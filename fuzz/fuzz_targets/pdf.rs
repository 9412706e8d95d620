//! Whatever `pdftotext` writes of a stranger's PDF is read as a page, and ends.

#![no_main]

use gristmill_html::CharsetHints;
use gristmill_reading::{PageReader, PagedText, PdfError, ReadPdf};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

/// Takes the bytes behind the sign of a PDF for what `pdftotext` wrote.
#[derive(Debug)]
struct PdfToTextOutput;

impl ReadPdf for PdfToTextOutput {
    fn read(&self, bytes: &[u8]) -> Result<PagedText, PdfError> {
        Ok(gristmill_pdf::parse(&String::from_utf8_lossy(&bytes[SIGN.len()..])))
    }
}

const SIGN: &[u8] = b"%PDF-1.7\n";

fuzz_target!(|bytes: &[u8]| {
    let reader = PageReader { pdf: Some(Arc::new(PdfToTextOutput)), ..PageReader::default() };
    let hints = CharsetHints { url: Some("https://mill.example/a_paper.pdf"), ..CharsetHints::default() };
    let parsed = reader.open(&[SIGN, bytes].concat(), &hints).expect("it is a PDF").of_file("a paper.pdf");
    let reading = parsed.read(reader.options());
    assert_eq!(reading.document.text.is_empty(), reading.document.reason.is_some());
});
