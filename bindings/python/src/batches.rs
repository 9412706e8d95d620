//! Pages as Arrow record batches, which other libraries take over without a copy (the Arrow C stream interface).
//!
//! ```text
//! archive, or pages of Python ─▶ some pages ─▶ rows, on several threads ─▶ RowBatch ─▶ the caller's stream
//! ```

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use gristmill_dataset::pages::{RowOrigin, domain_of, row_of, row_of_archived};
use gristmill_dataset::{Columns, DatasetLayout, DatasetRow, RowBatch};
use gristmill_warc::{ArchivedPage, Warcinfo};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString, PyTuple};

use crate::archive::{ArchiveReader, Tally};
use crate::errors::{GristmillError, InvalidOption};
use crate::options::{Format, Options};
use crate::page::{OwnedPage, READER};

/// A batch is made of so many pages, or of so many bytes of pages: it bounds what is held.
const BATCH_PAGES: usize = 256;
const BATCH_BYTES: usize = 16 << 20;

/// Record batches that are handed over once.
#[pyclass(frozen, module = "gristmill._gristmill")]
pub struct RecordBatches {
    schema: SchemaRef,
    stream: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
    tally: Tally,
}

/// What all batches are made by.
#[derive(FromPyObject)]
pub struct BatchOptions {
    #[pyo3(item(0))]
    options: Py<Options>,
    #[pyo3(item(1))]
    layout: String,
    #[pyo3(item(2))]
    columns: Option<Vec<String>>,
    #[pyo3(item(3))]
    threads: usize,
    #[pyo3(item(4))]
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl RecordBatches {
    /// The documents of an archive, as `gristmill dataset` writes them.
    #[staticmethod]
    fn of_archive(source: &Bound<'_, PyAny>, how: BatchOptions) -> PyResult<RecordBatches> {
        let tally = Tally::default();
        let reader = ArchiveReader::open(source, tally.clone())?;
        RecordBatches::new(ArchiveSource(reader), how, tally)
    }

    /// A row for each pair of a page and its address. An exception in the place of a page becomes the reason of its row, and so
    /// does a page of a wrong type where `returns_errors`.
    #[staticmethod]
    fn of_pages(pages: Py<PyAny>, returns_errors: bool, how: BatchOptions) -> PyResult<RecordBatches> {
        RecordBatches::new(PythonPages { pages, returns_errors }, how, Tally::default())
    }

    /// The Arrow C stream; `GristmillError` the second time. A schema that is asked for is not heeded, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take();
        let stream = stream.ok_or_else(|| GristmillError::new_err("these batches were handed over already"))?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(stream), c"arrow_array_stream")
    }

    /// The schema of all batches.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| GristmillError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// How many pages became rows, and how many records of an archive ended otherwise, so far.
    #[getter]
    fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.tally.counts()
    }

    /// What was wrong with the archive, so far.
    #[getter]
    fn damages(&self) -> Vec<String> {
        self.tally.damages()
    }
}

impl RecordBatches {
    fn new(source: impl RowSource + 'static, how: BatchOptions, tally: Tally) -> PyResult<RecordBatches> {
        let wrong = |error: &dyn std::error::Error| InvalidOption::new_err(error.to_string());
        let layout: DatasetLayout = how.layout.parse().map_err(|error| wrong(&error))?;
        let mut columns = Columns::choose(layout, how.columns.as_deref()).map_err(|error| wrong(&error))?;
        if how.options.get().has_variants() {
            columns = columns.with_variants(&["precision", "recall"]);
        }
        let batch = RowBatch::new(&columns);
        let schema = batch.schema();
        let with_markdown = columns.has("markdown");
        let stream = BatchStream { source, batch, with_markdown, how, tally: tally.clone(), read: 0, has_ended: false };
        Ok(RecordBatches { schema, stream: Mutex::new(Some(Box::new(stream))), tally })
    }
}

/// Where rows come from.
trait RowSource: Send {
    type Page: Send;

    /// The next page, and its bytes; none at the end.
    fn next(&mut self) -> PyResult<Option<(Self::Page, usize)>>;

    /// Its row, or why there is none.
    fn row(page: Self::Page, options: &Options, with_markdown: bool) -> Result<DatasetRow, &'static str>;
}

struct BatchStream<S> {
    source: S,
    batch: RowBatch,
    with_markdown: bool,
    how: BatchOptions,
    tally: Tally,
    read: u64,
    has_ended: bool,
}

impl<S: RowSource> BatchStream<S> {
    /// The next batch that has a row; none at the end.
    fn step(&mut self) -> PyResult<Option<RecordBatch>> {
        while self.batch.rows() == 0 {
            let pages = self.some_pages()?;
            if pages.is_empty() {
                return Ok(None);
            }
            self.read += pages.len() as u64;
            for row in self.rows(pages) {
                self.tally.count(row.as_ref().err().copied().unwrap_or("pages"));
                row.iter().for_each(|row| _ = self.batch.push(row));
            }
            if let Some(progress) = &self.how.progress {
                Python::attach(|py| progress.call1(py, (self.read,)))?;
            }
        }
        self.batch.take().map(Some).map_err(|error| GristmillError::new_err(error.to_string()))
    }

    fn some_pages(&mut self) -> PyResult<Vec<S::Page>> {
        let (mut pages, mut bytes) = (Vec::new(), 0);
        while pages.len() < BATCH_PAGES && bytes < BATCH_BYTES {
            let Some((page, len)) = self.source.next()? else { break };
            pages.push(page);
            bytes += len;
        }
        Ok(pages)
    }

    /// The rows of pages, in their order.
    fn rows(&self, pages: Vec<S::Page>) -> Vec<Result<DatasetRow, &'static str>> {
        let options = self.how.options.get();
        let with_markdown = self.with_markdown;
        in_parallel(self.how.threads, pages, &|page| {
            let row = || S::row(page, options, with_markdown);
            catch_unwind(AssertUnwindSafe(row)).unwrap_or(Err("panic"))
        })
    }
}

impl<S: RowSource> Iterator for BatchStream<S> {
    type Item = Result<RecordBatch, ArrowError>;

    /// Other threads of Python run meanwhile, whether the caller holds the lock of the interpreter or not.
    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let step = Python::attach(|py| py.detach(|| self.step()));
        self.has_ended = !matches!(step, Ok(Some(_)));
        step.map_err(|error| ArrowError::ExternalError(Box::new(error))).transpose()
    }
}

impl<S: RowSource> RecordBatchReader for BatchStream<S> {
    fn schema(&self) -> SchemaRef {
        self.batch.schema()
    }
}

/// Calls `work` with each item, on so many threads, and gives what it returns in the order of the items.
fn in_parallel<T: Send, R: Send>(threads: usize, items: Vec<T>, work: &(impl Fn(T) -> R + Sync)) -> Vec<R> {
    let todo = Mutex::new(items.into_iter().enumerate());
    let next = || todo.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || std::iter::from_fn(next).map(|(number, item)| (number, work(item))).collect::<Vec<_>>();
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        others.into_iter().for_each(|other| done.extend(other.join().unwrap_or_default()));
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The documents of an archive.
struct ArchiveSource(ArchiveReader);

/// A page, and what its record and its archive say beside it.
struct ArchiveEntry {
    page: ArchivedPage,
    fields: Vec<(String, String)>,
    warcinfo: Option<Arc<Warcinfo>>,
    name: Arc<str>,
}

impl RowSource for ArchiveSource {
    type Page = ArchiveEntry;

    fn next(&mut self) -> PyResult<Option<(Self::Page, usize)>> {
        let Some((page, fields)) = self.0.next_page()? else { return Ok(None) };
        let bytes = page.body.len();
        let (warcinfo, name) = (self.0.warcinfo.clone(), self.0.name.clone());
        Ok(Some((ArchiveEntry { page, fields, warcinfo, name }, bytes)))
    }

    fn row(entry: ArchiveEntry, options: &Options, with_markdown: bool) -> Result<DatasetRow, &'static str> {
        let ArchiveEntry { page, fields, warcinfo, name } = entry;
        let options = options.for_format(Format::Markdown, &READER);
        let mut row = row_of_archived(&READER, &options, page, with_markdown).map_err(|none| none.reason)?;
        RowOrigin { file: &name, fields, warcinfo: warcinfo.as_deref(), dump: None }.set(&mut row);
        Ok(row)
    }
}

/// Pages that Python gives.
struct PythonPages {
    pages: Py<PyAny>,
    returns_errors: bool,
}

/// A page with its address, or why there is none.
type PageOrReason = (Result<OwnedPage, String>, Option<String>);

impl RowSource for PythonPages {
    type Page = PageOrReason;

    fn next(&mut self) -> PyResult<Option<(PageOrReason, usize)>> {
        Python::attach(|py| {
            let Some(pair) = self.pages.bind(py).try_iter()?.next() else { return Ok(None) };
            let pair = pair?.cast_into::<PyTuple>()?;
            let (page, url) = (pair.get_item(0)?, pair.get_item(1)?);
            let url = url.cast::<PyString>().ok().map(|url| url.to_string_lossy().into_owned());
            if page.is_instance_of::<PyException>() {
                return Ok(Some(((Err(PyErr::from_value(page).to_string()), url), 0)));
            }
            match OwnedPage::of(&page) {
                Ok(page) => {
                    let bytes = page.borrow().bytes().len();
                    Ok(Some(((Ok(page), url), bytes)))
                }
                Err(error) if self.returns_errors => Ok(Some(((Err(error.to_string()), url), 0))),
                Err(error) => Err(error),
            }
        })
    }

    fn row((page, url): PageOrReason, options: &Options, with_markdown: bool) -> Result<DatasetRow, &'static str> {
        let row = page.and_then(|page| {
            let parsed = page.borrow().parse(url.as_deref(), options)?;
            Ok(row_of(parsed.read(options.for_format(Format::Markdown, parsed.reader)), with_markdown))
        });
        let row = row.unwrap_or_else(|reason| DatasetRow { reason: Some(reason), ..DatasetRow::default() });
        let url = url.unwrap_or_default();
        Ok(DatasetRow { domain: domain_of(&url), url, ..row })
    }
}
