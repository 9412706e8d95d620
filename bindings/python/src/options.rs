//! How a page is to be read, checked once, and the formats in which it is given back.

use encoding_rs::Encoding;
use gristmill_extract::{Method, MethodError, Structure, render_markdown_with};
use gristmill_reading::{PageReader, Reading};
use pyo3::prelude::*;

use crate::errors::{InvalidOption, UnknownCharset, UnknownFormat, UnknownMethod};

/// A form of the main text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One row a line.
    Text,
    /// CommonMark with tables.
    Markdown,
    /// The kept parts alone.
    Html,
    /// All that is known.
    Json,
}

impl Format {
    const ALL: [Format; 4] = [Format::Text, Format::Markdown, Format::Html, Format::Json];

    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Json => "json",
        }
    }

    /// # Errors
    /// `UnknownFormat`.
    pub fn named(name: &str) -> PyResult<Format> {
        let error = || {
            let known = Format::ALL.map(|format| format!("`{}`", format.name())).join(", ");
            UnknownFormat::new_err(format!("no format `{name}`; there are {known}"))
        };
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(error)
    }
}

/// How pages are to be read. Made once for many pages; the meaning of each field is in `gristmill.extract`.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub struct Options {
    method: Method,
    min_confidence: Option<f32>,
    content_type: Option<String>,
    comments: bool,
    title: bool,
    describe: bool,
    structure: Structure,
    variants: bool,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, method, min_confidence, charset, comments, title, describe, headings, lists, tables, code,
        quotes, captions, notes, links, images, variants))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python, all by name")]
    fn new(
        method: &str,
        min_confidence: Option<f32>,
        charset: Option<&str>,
        comments: bool,
        title: bool,
        describe: bool,
        headings: bool,
        lists: bool,
        tables: bool,
        code: bool,
        quotes: bool,
        captions: bool,
        notes: bool,
        links: bool,
        images: bool,
        variants: bool,
    ) -> PyResult<Options> {
        if let Some(least) = min_confidence.filter(|least| !(0.0..=1.0).contains(least)) {
            return Err(InvalidOption::new_err(format!("`min_confidence` is a number from 0 to 1, not `{least}`")));
        }
        let method = method.parse().map_err(|error: MethodError| UnknownMethod::new_err(error.to_string()))?;
        let structure = Structure { headings, lists, tables, code, quotes, captions, notes, links, images };
        let content_type = charset.map(content_type).transpose()?;
        Ok(Options { method, min_confidence, content_type, comments, title, describe, structure, variants })
    }
}

impl Options {
    /// Whether the text at other working points is asked for, too.
    pub fn has_variants(&self) -> bool {
        self.variants
    }

    /// What a server might have said of the bytes.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// What a reading is given: `gristmill extract --format` gives the same.
    pub fn for_format<'a>(&'a self, format: Format, reader: &'a PageReader) -> gristmill_extract::ExtractOptions<'a> {
        gristmill_extract::ExtractOptions {
            method: self.method.clone(),
            min_confidence: self.min_confidence,
            comments: self.comments,
            describe: self.describe,
            structure: self.structure,
            attach_title: self.title && format == Format::Text,
            parts: format == Format::Json,
            variants: self.variants,
            ..reader.options()
        }
    }

    /// The main text in a form; the text for JSON.
    pub fn form(&self, reading: &Reading<'_>, format: Format) -> String {
        match format {
            Format::Text | Format::Json => reading.document.text.clone(),
            Format::Html => reading.html(),
            Format::Markdown if self.title => reading.markdown(),
            Format::Markdown => {
                let url = reading.parsed.url.as_deref();
                reading.on_its_page(|page, kept| render_markdown_with(page, kept, &self.structure, url))
            }
        }
    }
}

/// The header of an answer in this charset.
fn content_type(label: &str) -> PyResult<String> {
    let encoding = Encoding::for_label(label.as_bytes());
    let encoding = encoding.ok_or_else(|| UnknownCharset::new_err(format!("no charset is called `{label}`")))?;
    Ok(format!("text/html; charset={}", encoding.name()))
}
