//! What can go wrong with an index, told by what the caller can do about it.

use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use tantivy::directory::error::{Incompatibility, OpenReadError};

use crate::sums::FileDamage;

/// Why the index could not be opened, written or read.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// There is nothing to read yet: wait for the first commit.
    #[error("no index in `{}` yet; `gristmill crawl` or `gristmill import` makes one", dir.display())]
    Missing {
        /// The directory that was looked at.
        dir: PathBuf,
    },
    /// The directory could not be made or opened.
    #[error("could not open the index directory `{}`", dir.display())]
    Directory {
        /// The directory that was asked for.
        dir: PathBuf,
        /// What the operating system or tantivy said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process holds the writer's lock: end it, or use another directory.
    #[error("another process is writing the index in `{}`; only one may", dir.display())]
    Locked {
        /// The directory that is being written.
        dir: PathBuf,
    },
    /// The files were written with other fields: index anew into an empty directory.
    #[error(
        "the index in `{}` was built by another version, with other fields; `gristmill reindex` builds it anew",
        dir.display()
    )]
    OtherSchema {
        /// The directory whose schema differs.
        dir: PathBuf,
    },
    /// The commit payload is not one of ours, so the input positions are unknown.
    #[error("the commit payload of the index in `{}` is not readable", dir.display())]
    Payload {
        /// The directory whose payload is unreadable.
        dir: PathBuf,
        /// What was wrong with the JSON.
        #[source]
        source: serde_json::Error,
    },
    /// The setting is outside of what tantivy accepts.
    #[error("`index.heap_bytes` must be between {min} and {max}, got {got}")]
    HeapBytes {
        /// Smallest value accepted.
        min: u64,
        /// Largest value accepted.
        max: u64,
        /// The value that was set.
        got: u64,
    },
    /// The key is empty or longer than a term may be.
    #[error("document key `{key}` must have 1 to 200 bytes")]
    Key {
        /// The first characters of the key.
        key: String,
    },
    /// The disk is full; the last commit is still readable. Make room, then open a new writer.
    #[error("no space left for the index in `{}`; the last commit is intact", dir.display())]
    DiskFull {
        /// The directory on the full disk.
        dir: PathBuf,
        /// What tantivy said.
        #[source]
        source: TantivyError,
    },
    /// The writer failed and takes nothing more; the last commit is still readable. Open a new writer and
    /// go on from its positions.
    #[error("the writer of the index in `{}` failed; the last commit is intact", dir.display())]
    Writer {
        /// The directory being written.
        dir: PathBuf,
        /// What tantivy said.
        #[source]
        source: TantivyError,
    },
    /// The writer failed earlier, and this call did nothing. Open a new writer.
    #[error("the writer of the index in `{}` failed before; open it again", dir.display())]
    Dead {
        /// The directory being written.
        dir: PathBuf,
    },
    /// The files are not as they were written: build the index anew.
    #[error(
        "the index in `{}` is damaged: {what}; `gristmill check` names the damaged files, `gristmill reindex` builds the \
         index anew",
        dir.display()
    )]
    Damaged {
        /// The directory of the index.
        dir: PathBuf,
        /// Which file is wrong, or what failed.
        what: String,
    },
    /// A read failed.
    #[error("could not read the index")]
    Read(#[from] TantivyError),
}

impl IndexError {
    /// Whether opening a new writer can help: the one thing the indexer asks.
    pub fn reopen(&self) -> bool {
        matches!(self, Self::Writer { .. } | Self::Dead { .. } | Self::DiskFull { .. })
    }

    /// Tells the true cause of an error of tantivy, met on the index in `dir`.
    pub(crate) fn in_dir(self, dir: &Path) -> Self {
        match self {
            Self::Read(source) => match damage(&source) {
                Some(what) => Self::Damaged { dir: dir.to_owned(), what },
                None => Self::Read(source),
            },
            other => other,
        }
    }
}

/// What is wrong with the files, if `error` tells of damage and not of a disk or of rights.
pub(crate) fn damage(error: &TantivyError) -> Option<String> {
    use std::io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    let of_bytes = |error: &std::io::Error| matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof);
    match error {
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file)) => {
            Some(format!("the file `{}` is missing", file.display()))
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
            if io_error.get_ref().is_some_and(|cause| cause.is::<FileDamage>()) =>
        {
            Some(io_error.to_string())
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath }) if of_bytes(io_error) => {
            Some(format!("the file `{}` does not end as it should", filepath.display()))
        }
        TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(found))
        | TantivyError::IncompatibleIndex(found) => Some(incompatible(found)),
        TantivyError::IoError(error) if error.get_ref().is_some_and(|cause| cause.is::<FileDamage>()) => {
            Some(error.to_string())
        }
        TantivyError::IoError(error) if of_bytes(error) => Some(format!("a block cannot be read ({error})")),
        TantivyError::DataCorruption(corruption) => Some(format!("{corruption:?}")),
        TantivyError::DeserializeError(error) => Some(format!("a stored document cannot be read ({error})")),
        TantivyError::SystemError(text) if text.contains("panicked") => Some(text.clone()),
        _ => None,
    }
}

/// A file that names a format that we do not read was written by another version; of one that has our own index beside it,
/// the name itself is damaged.
fn incompatible(found: &Incompatibility) -> String {
    format!("a file names a format that this version does not read ({found:?})")
}

/// Tells whether `error` comes from a full disk, quota or file-size limit.
///
/// tantivy passes some failures on as text only (those of its indexing thread), hence the second look.
pub(crate) fn is_disk_full(error: &TantivyError) -> bool {
    if let TantivyError::IoError(io) = error {
        use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        return matches!(io.kind(), StorageFull | QuotaExceeded | FileTooLarge);
    }
    let text = error.to_string();
    let signs = ["StorageFull", "no storage space", "No space left on device", "quota exceeded", "File too large"];
    signs.iter().any(|sign| text.contains(sign))
}
