//! A dataset of documents: rows, shards, journal, near-duplicates, card.
//!
//! A [`DatasetRow`] is one document, [`Columns`] say what is written of it and in which order, a [`DatasetWriter`] writes one file.
//! The output is anything that is `Write`, and the same rows give the same bytes. No clock, and no I/O but that of `output`, which
//! writes a dataset into a folder.
//!
//! ```
//! use gristmill_dataset::{Columns, FileFormat, DatasetLayout, WriterOptions, DatasetRow, DatasetWriter};
//!
//! let columns = Columns::choose(DatasetLayout::FineWeb, Some(&["url".into(), "text".into(), "title".into()]))?;
//! let mut writer = DatasetWriter::new(Vec::new(), FileFormat::JsonLines, &columns, WriterOptions::default())?;
//! writer.write(&DatasetRow { url: "https://example.org/".into(), text: "Hello.".into(), ..DatasetRow::default() })?;
//! let (bytes, summary) = writer.finish()?;
//! assert_eq!(bytes, b"{\"url\":\"https://example.org/\",\"text\":\"Hello.\",\"title\":null}\n");
//! assert_eq!((summary.rows, summary.bytes), (1, bytes.len() as u64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(feature = "output", feature = "pages"))]
pub mod archives;
#[cfg(feature = "arrow")]
mod batch;
pub mod cleaning;
mod column;
mod csv;
pub mod duplicates;
mod error;
mod format;
#[cfg(feature = "output")]
mod journal;
mod json;
mod language_codes;
mod layout;
mod options;
#[cfg(feature = "output")]
pub mod output;
#[cfg(feature = "pages")]
pub mod pages;
#[cfg(feature = "parquet")]
mod parquet;
pub mod quality;
mod row;
mod shape;
mod sink;
mod times;
mod writer;

#[cfg(feature = "arrow")]
pub use batch::RowBatch;
pub use column::{Column, ColumnType, ColumnValue, SCHEMA, WARC_FIELDS};
pub use csv::{cell_text, cell_texts};
pub use error::{Error, Result};
pub use format::{FileFormat, UnknownFormat};
#[cfg(feature = "output")]
pub use journal::Journal;
pub use layout::{Columns, DatasetLayout, UnknownColumn, UnknownLayout};
pub use options::WriterOptions;
pub use row::DatasetRow;
pub use shape::{RecordsJson, Shape};
pub use writer::{DatasetWriter, FileSummary, MAX_CELL_BYTES};
