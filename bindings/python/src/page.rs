//! A page as Python hands it over, borrowed, and parsed without the lock of the interpreter.

use std::borrow::Cow;
use std::sync::LazyLock;

use gristmill_html::{Doc, TreeLimits};
use gristmill_reading::{CharsetHints, PageReader, ParsedPage, no_page};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

use crate::errors::NoPage;
use crate::options::Options;

/// Without rules of a user, and the same for all pages: making one costs as much as a small page.
pub static READER: LazyLock<PageReader> = LazyLock::new(PageReader::default);

pub enum BorrowedPage<'a> {
    /// Decoded by the caller: what the page says of its charset has no meaning any more.
    Text(Cow<'a, str>),
    /// As a server sent it.
    Bytes(&'a [u8]),
}

/// Parses a page and calls `work` with it; other threads of Python run meanwhile. What is no URL as `url` helps nothing and
/// harms nothing.
///
/// # Errors
/// `TypeError` for anything but `str` and `bytes`, `NoPage` for a PDF, a picture and the like.
pub fn with_page<R: Send>(
    page: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyString>>,
    options: &Options,
    work: impl FnOnce(&ParsedPage<'_>) -> R + Send,
) -> PyResult<R> {
    let (py, page, url) = (page.py(), BorrowedPage::of(page)?, url.map(|url| url.to_string_lossy()));
    py.detach(|| {
        let parsed = page.parse(url.as_deref(), options).map_err(NoPage::new_err)?;
        Ok(work(&parsed))
    })
}

impl<'a> BorrowedPage<'a> {
    /// Lone surrogates become U+FFFD. A `bytearray` is refused, since it might change while it is read: Python copies it first.
    fn of(page: &'a Bound<'_, PyAny>) -> PyResult<BorrowedPage<'a>> {
        if let Ok(text) = page.cast::<PyString>() {
            return Ok(BorrowedPage::Text(text.to_string_lossy()));
        }
        if let Ok(bytes) = page.cast::<PyBytes>() {
            return Ok(BorrowedPage::Bytes(bytes.as_bytes()));
        }
        Err(PyTypeError::new_err(format!("a page is `str` or `bytes`, not `{}`", page.get_type().name()?)))
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            BorrowedPage::Text(text) => text.as_bytes(),
            BorrowedPage::Bytes(bytes) => bytes,
        }
    }

    /// # Errors
    /// Why it is no page.
    pub fn parse(&self, url: Option<&str>, options: &Options) -> Result<ParsedPage<'static>, String> {
        if let Some(reason) = no_page(self.bytes()) {
            return Err(reason);
        }
        Ok(match self {
            BorrowedPage::Text(text) => READER.parsed(Doc::parse(text, &TreeLimits::default()), url),
            BorrowedPage::Bytes(bytes) => {
                READER.parse(bytes, &CharsetHints { content_type: options.content_type(), url })
            }
        })
    }
}

/// A page that is kept while Python goes on: not copied but for a text with lone surrogates.
pub enum OwnedPage {
    Text(PyBackedStr),
    Mended(String),
    Bytes(PyBackedBytes),
}

impl OwnedPage {
    /// # Errors
    /// As of [`with_page`].
    pub fn of(page: &Bound<'_, PyAny>) -> PyResult<OwnedPage> {
        Ok(match BorrowedPage::of(page)? {
            BorrowedPage::Text(text) => {
                page.extract().map_or_else(|_| OwnedPage::Mended(text.into_owned()), OwnedPage::Text)
            }
            BorrowedPage::Bytes(_) => OwnedPage::Bytes(page.extract()?),
        })
    }

    pub fn borrow(&self) -> BorrowedPage<'_> {
        match self {
            OwnedPage::Text(text) => BorrowedPage::Text(Cow::Borrowed(text)),
            OwnedPage::Mended(text) => BorrowedPage::Text(Cow::Borrowed(text)),
            OwnedPage::Bytes(bytes) => BorrowedPage::Bytes(bytes),
        }
    }
}
