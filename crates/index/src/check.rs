//! Whether the files of an index are as they were written.

use std::path::{Path, PathBuf};

use tantivy::directory::error::OpenReadError;
use tantivy::{Directory, Index};

use crate::checksum_directory;
use crate::directory::Trust;
use crate::error::{IndexError, damage};
use crate::panics::guarded;
use crate::reader::open_to_read;
use crate::shards::folders;
use crate::sums::FileDamage;

/// What [`check`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexCheckReport {
    /// Files that were read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those that are not as they should be.
    pub damaged: Vec<DamagedFile>,
}

/// A file that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// Where it is, or should be.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// Reads every file of the index in `dir`, or of the indexes in its folders, and compares checksums: those of its pieces, CRC32,
/// which tantivy writes at the end of each, and that of the list of segments, which stands in it. Writes nothing; a writer may be at work.
///
/// # Errors
/// `Missing` if nothing was ever written there; `Read` if the disk does not answer. Damage is no error here.
pub fn check(dir: &Path) -> Result<IndexCheckReport, IndexError> {
    let folders = folders(dir);
    if folders.is_empty() {
        return Err(IndexError::Missing { dir: dir.to_owned() });
    }
    let mut checked = IndexCheckReport::default();
    for folder in folders {
        match guarded(&folder, || Ok(open_to_read(&folder, Trust::Compared(Default::default()))?)) {
            Ok(index) => checked.index(&index, &folder)?,
            Err(IndexError::Damaged { what, .. }) => checked.damaged(folder.join(checksum_directory::LIST), what),
            Err(error) => return Err(error),
        }
    }
    checked.damaged.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(checked)
}

impl IndexCheckReport {
    fn damaged(&mut self, path: PathBuf, what: impl Into<String>) {
        self.damaged.push(DamagedFile { path, what: what.into() });
    }

    fn index(&mut self, index: &Index, folder: &Path) -> Result<(), IndexError> {
        let metas = match index.load_metas() {
            Ok(metas) => metas,
            Err(error) => {
                self.damaged(folder.join(checksum_directory::LIST), damage(&error).ok_or(error)?);
                return Ok(());
            }
        };
        match index.directory().atomic_read(Path::new(checksum_directory::LIST)) {
            Ok(list) if checksum_directory::is_intact(&list) => {
                self.files += 1;
                self.bytes += list.len() as u64;
            }
            Ok(_) => self.damaged(folder.join(checksum_directory::LIST), "its checksum does not fit its content"),
            Err(error) => return Err(tantivy::TantivyError::from(error).into()),
        }
        let without_deletions: Vec<String> =
            metas.segments.iter().filter(|segment| !segment.has_deletes()).map(|s| s.id().uuid_string()).collect();
        for file in metas.list_segment_files() {
            let path = folder.join(&file);
            let name = file.to_string_lossy();
            let optional = name.ends_with(".temp")
                || name.ends_with(".del") && without_deletions.iter().any(|segment| name.starts_with(segment));
            let length = path.metadata().map(|metadata| metadata.len()).ok();
            if length.is_none() && optional {
                continue;
            }
            self.files += 1;
            self.bytes += length.unwrap_or(0);
            match guarded(folder, || Ok(index.directory().validate_checksum(&file))) {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => self.damaged(path, "its checksum does not fit its content"),
                Ok(Err(OpenReadError::FileDoesNotExist(_))) => self.damaged(path, "it is missing"),
                Ok(Err(OpenReadError::IoError { io_error, .. }))
                    if io_error.get_ref().is_some_and(|cause| cause.is::<FileDamage>()) =>
                {
                    self.damaged(path, "its checksum does not fit its content");
                }
                Ok(Err(error)) => {
                    let error = error.into();
                    let what = damage(&error).map(|_| "its end, with the checksum, cannot be read");
                    self.damaged(path, what.ok_or(error)?);
                }
                Err(_) => self.damaged(path, "its end, with the checksum, cannot be read"),
            }
        }
        Ok(())
    }
}
