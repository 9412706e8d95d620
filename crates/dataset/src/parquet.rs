//! Parquet: row groups of bounded size, compressed with zstd, with the page index and content-defined chunks.

use std::io::Write;

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{CdcOptions, EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::batch::RowBatch;
use crate::column::ColumnEncoding;
use crate::error::Result;
use crate::layout::Columns;
use crate::options::WriterOptions;
use crate::row::DatasetRow;
use crate::sink::CountingWriter;

/// Rows are encoded and compressed when there are this many, or this many bytes: it bounds what is held uncompressed.
const BATCH_ROWS: usize = 1024;
const BATCH_BYTES: usize = 8 << 20;

/// Writes rows as Parquet.
pub struct Parquet<W: Write + Send> {
    writer: ArrowWriter<CountingWriter<W>>,
    batch: RowBatch,
    options: WriterOptions,
    group_rows: usize,
    group_bytes: usize,
}

impl<W: Write + Send> Parquet<W> {
    pub fn new(out: W, columns: &Columns, options: WriterOptions) -> Result<Self> {
        let batch = RowBatch::new(columns);
        let properties = properties(columns, &options)?;
        let writer = ArrowWriter::try_new(CountingWriter::new(out), batch.schema(), Some(properties))?;
        Ok(Self { writer, batch, options, group_rows: 0, group_bytes: 0 })
    }

    pub fn write(&mut self, row: &DatasetRow) -> Result<()> {
        self.group_bytes += self.batch.push(row);
        self.group_rows += 1;
        let full = self.group_rows >= self.options.group_rows || self.group_bytes >= self.options.group_bytes;
        if full || self.batch.rows() >= BATCH_ROWS || self.batch.bytes() >= BATCH_BYTES {
            self.write_batch()?;
        }
        if full {
            self.writer.flush()?;
            (self.group_rows, self.group_bytes) = (0, 0);
        }
        Ok(())
    }

    fn write_batch(&mut self) -> parquet::errors::Result<()> {
        self.writer.write(&self.batch.take()?)
    }

    pub fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    pub fn finish(mut self) -> Result<(W, u64)> {
        self.write_batch()?;
        let mut out = self.writer.into_inner()?;
        out.flush().map_err(parquet::errors::ParquetError::from)?;
        Ok(out.into_parts())
    }
}

/// The limits of row groups are ours: those of the crate count bytes after compression.
fn properties(columns: &Columns, options: &WriterOptions) -> Result<WriterProperties> {
    let metadata = options.metadata.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone()));
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(options.zstd_level)?))
        .set_max_row_group_row_count(None)
        .set_max_row_group_bytes(None)
        .set_content_defined_chunking(Some(CdcOptions::default()))
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata.collect()));
    for column in columns.iter() {
        let path = ColumnPath::from(column.name());
        properties = match column.storage() {
            ColumnEncoding::Label => properties.set_column_dictionary_enabled(path, true),
            ColumnEncoding::Unique => properties,
            ColumnEncoding::Long => properties.set_column_statistics_enabled(path, EnabledStatistics::None),
        };
    }
    Ok(properties.build())
}
