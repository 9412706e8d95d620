//! The files of a dataset, one after the other.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use xxhash_rust::xxh3::Xxh3;

use super::stats::DatasetStats;
use crate::{Columns, DatasetRow, DatasetWriter, FileFormat, WriterOptions};

/// Bytes of text from which on a shard is full, whatever its rows.
pub const MAX_TEXT_BYTES: u64 = 512 << 20;

/// A file with a running digest of what was written to it.
struct Hashed {
    file: BufWriter<File>,
    hash: Xxh3,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.hash.update(&bytes[..n]);
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// What a finished shard is.
pub struct FinishedShard {
    pub file: String,
    pub rows: u64,
    pub bytes: u64,
    pub xxh3: String,
    pub stats: DatasetStats,
}

/// How shards are written.
pub struct ShardOptions {
    pub format: FileFormat,
    pub columns: Columns,
    pub max_rows: u64,
}

/// The shard that is being written.
pub struct OpenShard {
    writer: DatasetWriter<Hashed>,
    folder: PathBuf,
    /// Its name below the folder of the dataset.
    name: String,
    max_rows: u64,
    text_bytes: u64,
    stats: DatasetStats,
}

impl OpenShard {
    /// Begins the shard of this number, under a name that is not its own yet.
    pub fn create(folder: &Path, number: usize, shape: &ShardOptions) -> anyhow::Result<OpenShard> {
        let name = format!("data/part-{number:05}.{}", shape.format.extension());
        let path = folder.join(format!("{name}.new"));
        let file = File::create(&path).with_context(|| format!("could not write `{}`", path.display()))?;
        let hashed = Hashed { file: BufWriter::with_capacity(1 << 20, file), hash: Xxh3::new(), bytes: 0 };
        let writer = DatasetWriter::new(hashed, shape.format, &shape.columns, WriterOptions::default())?;
        let (folder, max_rows) = (folder.to_owned(), shape.max_rows);
        Ok(OpenShard { writer, folder, name, max_rows, text_bytes: 0, stats: DatasetStats::default() })
    }

    pub fn is_full(&self) -> bool {
        self.writer.rows() >= self.max_rows || self.text_bytes >= MAX_TEXT_BYTES
    }

    pub fn write(&mut self, row: &DatasetRow) -> anyhow::Result<()> {
        self.text_bytes += row.text.len() as u64;
        self.stats.count(row);
        self.writer.write(row).with_context(|| format!("could not write `{}`", self.folder.join(&self.name).display()))
    }

    /// Ends the file, and gives it its name once it is on the disk.
    pub fn finish(mut self) -> anyhow::Result<FinishedShard> {
        let path = self.folder.join(&self.name);
        let rows = self.writer.rows();
        let end = || -> anyhow::Result<(u64, u128)> {
            let (hashed, _) = self.writer.finish()?;
            let (bytes, hash) = (hashed.bytes, hashed.hash.digest128());
            hashed.file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(self.folder.join(format!("{}.new", self.name)), &path)?;
            File::open(self.folder.join("data"))?.sync_all()?;
            Ok((bytes, hash))
        };
        let (bytes, hash) = end().with_context(|| format!("could not write `{}`", path.display()))?;
        self.stats.cut();
        Ok(FinishedShard { file: self.name, rows, bytes, xxh3: format!("{hash:032x}"), stats: self.stats })
    }
}
