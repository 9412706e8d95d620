//! Pages of a web archive, one after the other.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use gristmill_warc::http::DecodeBuffers;
use gristmill_warc::{ArchivedPage, ReadLimits, ReaderItem, WarcReader, Warcinfo, page_of};
use pyo3::exceptions::PyTypeError;
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
    reader: Mutex<ArchiveReader>,
    tally: Tally,
}

/// What was met so far: how many records ended how, and what was wrong.
///
/// Its lock is held for moments only and never by who asks for that of the interpreter, so that they cannot wait for one another.
#[derive(Clone, Default)]
pub struct Tally(Arc<Mutex<TallyState>>);

#[derive(Default)]
struct TallyState {
    counts: BTreeMap<&'static str, u64>,
    damages: Vec<String>,
    offset: u64,
}

impl Tally {
    fn with<R>(&self, work: impl FnOnce(&mut TallyState) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn count(&self, what: &'static str) {
        self.with(|state| *state.counts.entry(what).or_default() += 1);
    }

    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.with(|state| state.counts.clone())
    }

    pub fn damages(&self) -> Vec<String> {
        self.with(|state| state.damages.clone())
    }

    fn damaged(&self, damage: &impl ToString) {
        self.count("damaged");
        self.with(|state| {
            if state.damages.len() < MAX_DAMAGES {
                state.damages.push(damage.to_string());
            }
        });
    }
}

/// Reads the pages of an archive; what is none is counted on the way.
pub struct ArchiveReader {
    reader: WarcReader<Box<dyn Read + Send>>,
    scratch: DecodeBuffers,
    tally: Tally,
    /// What the archive says of itself.
    pub warcinfo: Option<Arc<Warcinfo>>,
    /// Its path or name; empty where it has none.
    pub name: Arc<str>,
}

impl ArchiveReader {
    /// Opens a path, or takes a file that is open for reading bytes.
    ///
    /// # Errors
    /// `OSError` where that fails, `TypeError` for anything else.
    pub fn open(source: &Bound<'_, PyAny>, tally: Tally) -> PyResult<ArchiveReader> {
        let (bytes, name): (Box<dyn Read + Send>, String) = if source.hasattr("read")? {
            let name = source.getattr("name").ok().and_then(|name| name.extract().ok());
            (Box::new(PythonFile { file: source.clone().unbind() }), name.unwrap_or_default())
        } else {
            let path: PathBuf = source.extract()?;
            (Box::new(File::open(&path)?), path.display().to_string())
        };
        let limits = ReadLimits { body_bytes: MAX_PAGE_BYTES, ..ReadLimits::default() };
        let reader = WarcReader::new(bytes, limits);
        Ok(ArchiveReader { reader, scratch: DecodeBuffers::default(), tally, warcinfo: None, name: name.into() })
    }

    /// The next page with the fields of its record; none at the end. Asks for the lock of the interpreter where the archive is a
    /// file of Python.
    ///
    /// # Errors
    /// Those of reading.
    pub fn next_page(&mut self) -> io::Result<Option<(ArchivedPage, Fields)>> {
        while let Some(entry) = self.reader.next()? {
            match entry {
                ReaderItem::Damage(damage) => self.tally.damaged(&damage),
                ReaderItem::Record(record) => {
                    self.tally.with(|state| state.offset = record.end());
                    if record.offset() == 0 && record.ordinal() == 0 {
                        self.warcinfo = Warcinfo::of(&record).map(Arc::new);
                    }
                    match page_of(&record, MAX_PAGE_BYTES, &mut self.scratch) {
                        Ok(page) => return Ok(Some((page, record.owned_fields()))),
                        Err(reason) => self.tally.count(reason),
                    }
                }
            }
        }
        Ok(None)
    }
}

/// A file of Python that is open for reading bytes.
struct PythonFile {
    file: Py<PyAny>,
}

impl Read for PythonFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.file.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = read.cast::<PyBytes>().map_err(|_| PyTypeError::new_err("an archive is a file of bytes"))?;
            let bytes = bytes.as_bytes();
            let room = buffer.get_mut(..bytes.len()).ok_or_else(|| io::Error::other("`read` gave too much"))?;
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

#[pymethods]
impl Archive {
    /// Opens a path or an open file; `OSError` where that fails.
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Archive> {
        let tally = Tally::default();
        Ok(Archive { reader: Mutex::new(ArchiveReader::open(source, tally.clone())?), tally })
    }

    /// The next page, or `None` at the end. `OSError` where the file cannot be read.
    fn next_page<'py>(&self, py: Python<'py>) -> PyResult<Option<Page<'py>>> {
        let next = || self.reader.lock().unwrap_or_else(PoisonError::into_inner).next_page();
        let Some((page, fields)) = py.detach(next)? else { return Ok(None) };
        self.tally.count("pages");
        let body = PyBytes::new(py, &page.body);
        Ok(Some((page.url, page.date, page.id, page.content_type, body, fields, page.is_cut)))
    }

    /// How many records ended how, so far.
    fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.tally.counts()
    }

    /// What was wrong with the archive, so far.
    fn damages(&self) -> Vec<String> {
        self.tally.damages()
    }

    /// Bytes of the archive up to the end of the record that was read last.
    fn offset(&self) -> u64 {
        self.tally.with(|state| state.offset)
    }
}
