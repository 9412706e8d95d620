//! Steps that wait on the disk: rows of which is not known yet whether they are duplicates.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rkyv::rancor::Error as RkyvError;
use rkyv::util::AlignedVec;

use super::source_item::SourceItem;

/// A file of steps without a name, which is written once and read once.
pub struct RowSpool {
    folder: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
}

impl RowSpool {
    pub fn create(folder: &Path) -> anyhow::Result<RowSpool> {
        let create = || zstd::Encoder::new(BufWriter::new(tempfile::tempfile_in(folder)?), 1);
        let out = create().with_context(|| format!("could not write into `{}`", folder.display()))?;
        Ok(RowSpool { folder: folder.to_owned(), out })
    }

    pub fn push(&mut self, step: &SourceItem) -> anyhow::Result<()> {
        let bytes = rkyv::to_bytes::<RkyvError>(step)?;
        let written = self.out.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| self.out.write_all(&bytes));
        written.with_context(|| format!("could not write into `{}`", self.folder.display()))
    }

    /// All steps, in their order.
    pub fn read(self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<SourceItem>>> {
        let folder = self.folder;
        let open = || -> std::io::Result<_> {
            let mut file = self.out.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(BufReader::new(zstd::Decoder::new(file)?))
        };
        let mut input = open().with_context(|| format!("could not write into `{}`", folder.display()))?;
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
            next()
                .with_context(|| format!("could not read back what was written into `{}`", folder.display()))
                .transpose()
        };
        Ok(std::iter::from_fn(next))
    }
}
