//! Documents of pages that are no web pages, such as PDFs: their text as a page, read by somebody who may do I/O.

use std::fmt::Debug;

use gristmill_extract::{ValueProvenance, ValueSource};
use gristmill_html::{Doc, DocBuilder, LimitHit, TreeLimits};
use gristmill_text::is_cjk;

/// The text of a document that is set in pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagedText {
    /// As the document's information says; empty where it says none.
    pub title: String,
    /// The same of its author.
    pub author: String,
    /// What it is about.
    pub subject: String,
    /// Words for it.
    pub keywords: String,
    /// When it was made, as in ISO 8601.
    pub created: String,
    /// The text of each page, in lines; a blank line ends a paragraph.
    pub pages: Vec<String>,
}

/// Reads the text of PDFs. This crate does no I/O, so whoever builds a [`PageReader`] brings one.
pub trait ReadPdf: Debug + Send + Sync {
    /// The text of a PDF. May block.
    ///
    /// # Errors
    /// Why there is none.
    fn read(&self, bytes: &[u8]) -> Result<PagedText, PdfError>;
}

/// Why a PDF gives no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PdfError {
    /// It is damaged, encrypted, or the program that reads it failed.
    Unreadable(String),
    /// Reading it costs more than a limit allows.
    TooLarge(String),
}

/// Why bytes are not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// They are no page.
    NoPage(String),
    /// They are a PDF that gives no text.
    Pdf(PdfError),
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpenError::NoPage(reason) => f.write_str(reason),
            OpenError::Pdf(PdfError::Unreadable(reason) | PdfError::TooLarge(reason)) => f.write_str(reason),
        }
    }
}

/// A title that the rules do not give.
#[derive(Debug, Clone)]
pub(crate) struct PagedTitle {
    pub(crate) title: String,
    pub(crate) source: ValueSource,
}

impl PagedTitle {
    /// How sure it is: as sure as nothing that was measured.
    pub(crate) fn provenance(&self) -> ValueProvenance {
        ValueProvenance { source: self.source, confidence: 0.5 }
    }
}

/// What a file is called, without its ending.
pub(crate) fn file_name(path: &str) -> Option<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
    let stem = name.len().checked_sub(4).filter(|&at| name.is_char_boundary(at));
    let stem = stem.filter(|&at| name[at..].eq_ignore_ascii_case(".pdf")).map_or(&*name, |at| &name[..at]);
    let words = stem.split(|c: char| c == '_' || c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The document as a page: a section for each of its pages, in paragraphs.
pub(crate) fn page(text: &PagedText) -> Doc {
    let mut page = DocBuilder::new(&TreeLimits::default());
    // What exceeds a limit is left out, as of any page.
    let _ = write(&mut page, text);
    page.finish()
}

fn write(page: &mut DocBuilder, text: &PagedText) -> Result<(), LimitHit> {
    page.open("html", false, [])?;
    page.open("head", false, [])?;
    let metas = [
        ("author", &text.author),
        ("description", &text.subject),
        ("keywords", &text.keywords),
        ("article:published_time", &text.created),
    ];
    for (name, value) in metas.into_iter().filter(|(_, value)| !value.is_empty()) {
        page.open("meta", false, [("name", name), ("content", value)])?;
        page.close();
    }
    page.close();
    page.open("body", false, [])?;
    for lines in &text.pages {
        page.open("section", false, [])?;
        let mut block: Vec<&str> = Vec::new();
        for line in lines.split('\n').map(str::trim).chain([""]) {
            if !line.is_empty() {
                block.push(line);
            } else if !block.is_empty() {
                paragraph(page, &block)?;
                block.clear();
            }
        }
        page.close();
    }
    Ok(())
}

/// Whether no space stands beside a character: Chinese and Japanese, with their punctuation.
fn is_wide(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

/// The lines of a paragraph. One that is much shorter than the longest was broken on purpose, as in lists, verse and addresses; the
/// others were broken by the width of the column.
fn paragraph(page: &mut DocBuilder, lines: &[&str]) -> Result<(), LimitHit> {
    let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
    let widest = widths.iter().copied().max().unwrap_or_default();
    page.open("p", false, [])?;
    let mut joined = String::new();
    for (n, line) in lines.iter().enumerate() {
        joined.push_str(line);
        let Some(next) = lines.get(n + 1) else { break };
        if widths[n] * 3 < widest * 2 {
            page.text(&joined)?;
            joined.clear();
            page.open("br", false, [])?;
            page.close();
        } else if !(line.ends_with(is_wide) && next.starts_with(is_wide)) {
            joined.push(' ');
        }
    }
    page.text(&joined)?;
    page.close();
    Ok(())
}
