//! Steps that wait on the disk: rows of which is not known yet whether they are duplicates.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rkyv::rancor::Error as RkyvError;
use rkyv::util::AlignedVec;

use super::source_item::SourceItem;

/// A file of steps, which is written once and then read.
pub struct RowSpool {
    folder: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
}

impl RowSpool {
    /// A file without a name, which is gone with its reader.
    pub fn create(folder: &Path) -> anyhow::Result<RowSpool> {
        Self::of(folder, tempfile::tempfile_in(folder))
    }

    /// A file that stays, in the place of one of this name.
    pub fn named(path: &Path) -> anyhow::Result<RowSpool> {
        Self::of(path, OpenOptions::new().create(true).truncate(true).read(true).write(true).open(path))
    }

    fn of(path: &Path, file: std::io::Result<File>) -> anyhow::Result<RowSpool> {
        let out = file.and_then(|file| zstd::Encoder::new(BufWriter::new(file), 1));
        let out = out.with_context(|| format!("could not write into `{}`", path.display()))?;
        Ok(RowSpool { folder: path.to_owned(), out })
    }

    pub fn push(&mut self, step: &SourceItem) -> anyhow::Result<()> {
        let bytes = rkyv::to_bytes::<RkyvError>(step)?;
        let written = self.out.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| self.out.write_all(&bytes));
        written.with_context(|| format!("could not write into `{}`", self.folder.display()))
    }

    /// Ends the file, which is then on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let folder = self.folder.clone();
        self.end()?.sync_all().with_context(|| format!("could not write into `{}`", folder.display()))
    }

    fn end(self) -> anyhow::Result<File> {
        let end = || self.out.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error);
        end().with_context(|| format!("could not write into `{}`", self.folder.display()))
    }

    /// All steps, in their order.
    pub fn read(self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<SourceItem>>> {
        let folder = self.folder.clone();
        let mut file = self.end()?;
        file.rewind()?;
        read_spool(file, folder)
    }
}

/// The steps of a file that was finished. `path` is told with errors.
pub fn read_spool(file: File, path: PathBuf) -> anyhow::Result<impl Iterator<Item = anyhow::Result<SourceItem>>> {
    let mut input = BufReader::new(zstd::Decoder::new(file)?);
    let mut next = move || -> anyhow::Result<Option<SourceItem>> {
        let mut len = [0; 8];
        match input.read_exact(&mut len) {
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let len = u64::from_le_bytes(len) as usize;
        let mut bytes = AlignedVec::<16>::with_capacity(len);
        bytes.resize(len, 0);
        input.read_exact(&mut bytes)?;
        Ok(Some(rkyv::from_bytes::<SourceItem, RkyvError>(&bytes)?))
    };
    let next = move || {
        next().with_context(|| format!("could not read back what was written into `{}`", path.display())).transpose()
    };
    Ok(std::iter::from_fn(next))
}
