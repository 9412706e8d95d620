//! Pages of a web archive, one after the other.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use gristmill_warc::http::DecodeBuffers;
use gristmill_warc::{ArchivedPage, ReadLimits, ReaderItem, WarcReader, page_of};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Longest body of a page in bytes, as in `gristmill extract --out`.
const MAX_PAGE_BYTES: usize = 16 << 20;
/// Damages that are kept as texts; all are counted.
const MAX_DAMAGES: usize = 1_000;

/// Names and values of the header fields of a record.
type Fields = Vec<(String, String)>;
/// Address, date, record ID, content type, body, fields, whether it is cut.
type Page<'py> = (String, String, String, Option<String>, Bound<'py, PyBytes>, Fields, bool);

/// An archive that is being read. One thread at a time reads; others wait.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub struct Archive {
    state: Mutex<State>,
}

struct State {
    reader: WarcReader<File>,
    scratch: DecodeBuffers,
    counts: BTreeMap<&'static str, u64>,
    damages: Vec<String>,
}

impl State {
    /// The next page; what is none is counted on the way.
    fn next_page(&mut self) -> std::io::Result<Option<(ArchivedPage, Fields)>> {
        while let Some(entry) = self.reader.next()? {
            let what = match entry {
                ReaderItem::Damage(damage) => {
                    if self.damages.len() < MAX_DAMAGES {
                        self.damages.push(damage.to_string());
                    }
                    "damaged"
                }
                ReaderItem::Record(record) => match page_of(&record, MAX_PAGE_BYTES, &mut self.scratch) {
                    Ok(page) => {
                        *self.counts.entry("pages").or_default() += 1;
                        return Ok(Some((page, record.owned_fields())));
                    }
                    Err(reason) => reason,
                },
            };
            *self.counts.entry(what).or_default() += 1;
        }
        Ok(None)
    }
}

#[pymethods]
impl Archive {
    /// Opens a file; `OSError` where that fails.
    #[new]
    fn new(path: PathBuf) -> PyResult<Archive> {
        let limits = ReadLimits { body_bytes: MAX_PAGE_BYTES, ..ReadLimits::default() };
        let reader = WarcReader::new(File::open(path)?, limits);
        let state = State { reader, scratch: DecodeBuffers::default(), counts: BTreeMap::new(), damages: Vec::new() };
        Ok(Archive { state: Mutex::new(state) })
    }

    /// The next page, or `None` at the end. `OSError` where the file cannot be read.
    fn next_page<'py>(&self, py: Python<'py>) -> PyResult<Option<Page<'py>>> {
        let next = || self.state.lock().unwrap_or_else(PoisonError::into_inner).next_page();
        let Some((page, fields)) = py.detach(next)? else { return Ok(None) };
        let body = PyBytes::new(py, &page.body);
        Ok(Some((page.url, page.date, page.id, page.content_type, body, fields, page.is_cut)))
    }

    /// How many records ended how, so far.
    fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).counts.clone()
    }

    /// What was wrong with the archive, so far.
    fn damages(&self) -> Vec<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).damages.clone()
    }
}
