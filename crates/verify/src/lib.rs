//! Finds wrong bytes in the files of a fjall database: tables by the checksums that they were written with, journals by their batches;
//! and makes new ones as a whole or not at all.
//!
//! ```
//! use fjall::{Database, KeyspaceCreateOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let database = Database::builder(folder.path()).open()?;
//! let words = database.keyspace("words", KeyspaceCreateOptions::default)?;
//! words.insert("rye", "a grass")?;
//! words.rotate_memtable_and_wait()?; // writes the table
//!
//! let checked = gristmill_verify::tables([("words", words)])?;
//! assert_eq!((checked.files, checked.damaged.len()), (1, 0));
//! # Ok(())
//! # }
//! ```
//!
//! fjall checks a block when it reads it. Damage that nobody reads stays unnoticed until a compaction reaches it, and then all
//! writing ends. Each table was written with a checksum of its whole file, which is in the list of tables. [`tables`] compares the
//! two. When fjall opens a journal with a broken batch in the middle, it may cut off all that follows, and with debug assertions
//! it may panic. [`broken_batch`] finds such a batch before.

mod creation;
mod journal;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fjall::{AbstractTree, Keyspace};
use xxhash_rust::xxh3::Xxh3Default;

pub use creation::open_whole;
pub use journal::{BrokenBatch, broken_batch};

/// What [`tables`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableCheckReport {
    /// Files that were read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Those that are missing, or whose checksum is another, with the name of their keyspace.
    pub damaged: Vec<(String, PathBuf)>,
}

/// Bytes read at once.
const PIECE: usize = 1 << 20;

/// Reads every table file of `keyspaces`, each with the name under which it is reported, and compares checksums.
///
/// Each keyspace must be open, and nobody may write to it: files of tables that were merged meanwhile would be missing.
///
/// # Errors
/// The disk does not answer. Damage is no error here.
pub fn tables<'a>(keyspaces: impl IntoIterator<Item = (&'a str, Keyspace)>) -> io::Result<TableCheckReport> {
    let mut checked = TableCheckReport::default();
    for (name, keyspace) in keyspaces {
        let folder = keyspace.path().join("tables");
        for table in keyspace.tree.current_version().iter_tables() {
            let path = folder.join(table.id().to_string());
            checked.files += 1;
            match checksum(&path) {
                Ok((bytes, found)) => {
                    checked.bytes += bytes;
                    if found != table.checksum().into_u128() {
                        checked.damaged.push((name.to_owned(), path));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    checked.damaged.push((name.to_owned(), path));
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(checked)
}

/// Whether an error of a store tells of wrong bytes, which stay wrong, and not of a disk that does not answer.
#[must_use]
pub fn is_damage(error: &fjall::Error) -> bool {
    use io::ErrorKind::{InvalidData, UnexpectedEof};
    match error {
        fjall::Error::Storage(fjall::LsmError::Io(io)) | fjall::Error::Io(io) => {
            matches!(io.kind(), InvalidData | UnexpectedEof)
        }
        fjall::Error::Storage(_) | fjall::Error::Decompress(_) | fjall::Error::InvalidTag(_) => true,
        fjall::Error::InvalidVersion(None)
        | fjall::Error::InvalidTrailer
        | fjall::Error::JournalRecovery(_)
        | fjall::Error::Unrecoverable => true,
        _ => false,
    }
}

/// Length and XXH3-128 of a file.
fn checksum(path: &Path) -> io::Result<(u64, u128)> {
    let (mut file, mut hasher, mut piece) = (File::open(path)?, Xxh3Default::new(), vec![0; PIECE]);
    let mut bytes = 0;
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok((bytes, hasher.digest128()));
        }
        hasher.update(&piece[..read]);
        bytes += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use fjall::{Database, KeyspaceCreateOptions};

    use super::*;

    fn open(dir: &Path) -> (Database, Keyspace) {
        let database = Database::builder(dir).open().unwrap();
        let keyspace = database.keyspace("words", KeyspaceCreateOptions::default).unwrap();
        (database, keyspace)
    }

    #[test]
    fn every_flipped_bit_of_a_table_is_found_and_the_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (database, keyspace) = open(dir.path());
        for n in 0..5_000u32 {
            keyspace.insert(n.to_be_bytes(), format!("value {n}")).unwrap();
        }
        keyspace.rotate_memtable_and_wait().unwrap();
        let calm = tables([("words", keyspace.clone())]).unwrap();
        assert!(calm.damaged.is_empty() && calm.files == 1 && calm.bytes > 1_000, "{calm:?}");
        let path = keyspace.path().join("tables").join("0");
        let path = if path.exists() {
            path
        } else {
            std::fs::read_dir(path.parent().unwrap()).unwrap().next().unwrap().unwrap().path()
        };
        let whole = std::fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 40) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            std::fs::write(&path, &flipped).unwrap();
            let found = tables([("words", keyspace.clone())]).unwrap();
            assert_eq!(found.damaged, [("words".to_owned(), path.clone())], "byte {at}");
        }
        std::fs::write(&path, whole).unwrap();
        drop(database);
    }
}
