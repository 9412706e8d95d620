//! One file of a dataset, in any format.

use std::io::{self, Write};

use crate::csv::Csv;
use crate::error::{Error, Result};
use crate::format::FileFormat;
use crate::json::JsonLines;
use crate::layout::Columns;
use crate::options::WriterOptions;
#[cfg(feature = "parquet")]
use crate::parquet::Parquet;
use crate::row::DatasetRow;
use crate::sink::CompressedOutput;

/// The most bytes that one column may have in one row, 1 GiB: Parquet cannot store more than 2 GiB together.
pub const MAX_CELL_BYTES: usize = 1 << 30;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSummary {
    pub rows: u64,
    /// The size of the file, after compression.
    pub bytes: u64,
}

/// Writes rows as one file.
///
/// It does not have to be given a buffered output: bytes leave it in large pieces. A file is complete only after
/// [`DatasetWriter::finish`]. Dropped before, it leaves a file that readers refuse, or one that ends early.
pub struct DatasetWriter<W: Write + Send> {
    format: FileFormat,
    columns: Columns,
    encoder: Encoder<W>,
    rows: u64,
    /// A write failed, so part of a row may be missing.
    broken: bool,
}

enum Encoder<W: Write + Send> {
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet<W>>),
    JsonLines(JsonLines<W>),
    Csv(Csv<W>),
}

impl<W: Write + Send> DatasetWriter<W> {
    /// A writer of a file with these columns.
    ///
    /// # Errors
    ///
    /// The output fails, an option is out of its range, or this crate was built without the format.
    pub fn new(out: W, format: FileFormat, columns: &Columns, options: WriterOptions) -> Result<Self> {
        let failed = |cause| Error::Io { format, cause };
        let encoder = match format {
            #[cfg(feature = "parquet")]
            FileFormat::Parquet => Encoder::Parquet(Box::new(Parquet::new(out, columns, options)?)),
            #[cfg(not(feature = "parquet"))]
            FileFormat::Parquet => return Err(Error::Missing(format)),
            FileFormat::JsonLines | FileFormat::JsonLinesGzip | FileFormat::JsonLinesZstd => {
                let sink = CompressedOutput::new(out, format, &options).map_err(failed)?;
                Encoder::JsonLines(JsonLines::new(sink, columns))
            }
            FileFormat::Csv => Encoder::Csv(Csv::new(out, columns).map_err(failed)?),
        };
        Ok(Self { format, columns: columns.clone(), encoder, rows: 0, broken: false })
    }

    /// Writes one row.
    ///
    /// # Errors
    ///
    /// A column of the row has more than [`MAX_CELL_BYTES`]: no part of the row is written, and others can be. Or the
    /// output fails: then every later call fails too.
    pub fn write(&mut self, row: &DatasetRow) -> Result<()> {
        for column in self.columns.iter() {
            let bytes = column.value(row).bytes();
            if bytes > MAX_CELL_BYTES {
                return Err(Error::TooLong { column: column.name(), bytes, limit: MAX_CELL_BYTES });
            }
        }
        self.check()?;
        self.broken = true;
        let failed = |cause| Error::Io { format: self.format, cause };
        match &mut self.encoder {
            #[cfg(feature = "parquet")]
            Encoder::Parquet(parquet) => parquet.write(row)?,
            Encoder::JsonLines(lines) => lines.write(row).map_err(failed)?,
            Encoder::Csv(csv) => csv.write(row).map_err(failed)?,
        }
        self.broken = false;
        self.rows += 1;
        Ok(())
    }

    /// Bytes that the output took so far, after compression.
    ///
    /// Less than the rows take: Parquet keeps a row group back, the others up to some 100 kB.
    pub fn bytes_written(&self) -> u64 {
        match &self.encoder {
            #[cfg(feature = "parquet")]
            Encoder::Parquet(parquet) => parquet.bytes(),
            Encoder::JsonLines(lines) => lines.bytes(),
            Encoder::Csv(csv) => csv.bytes(),
        }
    }

    /// Rows that were written.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes what was kept back and the end of the file, flushes the output and gives it back.
    ///
    /// # Errors
    ///
    /// The output fails, or did at an earlier write.
    pub fn finish(self) -> Result<(W, FileSummary)> {
        self.check()?;
        let failed = |cause| Error::Io { format: self.format, cause };
        let (out, bytes) = match self.encoder {
            #[cfg(feature = "parquet")]
            Encoder::Parquet(parquet) => parquet.finish()?,
            Encoder::JsonLines(lines) => lines.finish().map_err(failed)?,
            Encoder::Csv(csv) => csv.finish().map_err(failed)?,
        };
        Ok((out, FileSummary { rows: self.rows, bytes }))
    }

    /// Refuses to go on after a failure: the file would look complete and lack rows.
    fn check(&self) -> Result<()> {
        if self.broken {
            return Err(Error::Io { format: self.format, cause: io::Error::other("an earlier write failed") });
        }
        Ok(())
    }
}

#[cfg(all(test, not(feature = "parquet")))]
mod tests {
    use super::*;
    use crate::layout::DatasetLayout;

    #[test]
    fn a_build_without_parquet_says_so() {
        let error = DatasetWriter::new(Vec::new(), FileFormat::Parquet, &Layout::Dclm.into(), WriterOptions::default())
            .err()
            .unwrap();
        assert_eq!(error.to_string(), "this program cannot write parquet, it was built without it");
    }
}
