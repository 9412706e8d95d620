//! The store at one moment, for a copy of it elsewhere, of which the next one needs little more than what changed.
//!
//! Links and seen set are files that only grow or never change: they go as *parts* of a fixed length, and a part that was copied once is
//! not copied again. The tables go as *layers*: one with all rows, and later ones with the rows that changed since the one before, by the
//! bits of [`ChangedRows`]. What a layer has of a bit replaces all that earlier layers have of it.
//!
//! ```text
//! layer: GMFT | format u32 | 0 u8, or log₂ of the bits u8 and the bits | table… | end
//! ```
//! See `snapshot_stream.rs`.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;

use fjall::Readable;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::Positions;
use crate::changed_rows::ChangedRows;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::snapshot_stream::SnapshotStream;
use crate::store::StoreMoment;

pub(crate) const MAGIC: [u8; 4] = *b"GMFT";
pub(crate) const FORMAT: u32 = 1;

/// Bytes of a part, but for the last of a file.
pub(crate) const PART: u64 = if cfg!(test) { 1 << 10 } else { 4 << 20 };

/// The store at the moment of a commit, readable on any thread while the frontier goes on.
///
/// While it lives the store keeps what is deleted from it.
pub struct FrontierSnapshot {
    moment: StoreMoment,
    positions: Positions,
    number: u64,
    /// The rows that changed since the snapshot before.
    changed: Option<ChangedRows>,
}

/// A piece of a file of the store. What was written of it once never changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SnapshotPart {
    /// Folder and name.
    pub file: String,
    /// Bytes.
    pub offset: u64,
    pub length: u64,
}

impl Frontier {
    /// The store as of the last commit. Costs nothing by itself; from the first one on, changed rows are noted.
    #[must_use]
    pub fn snapshot(&mut self) -> FrontierSnapshot {
        let n_urls = self.stats().pages.known;
        let changed = self.store.changed.replace(ChangedRows::for_rows(n_urls / 2));
        let number = self.next_snapshot;
        self.next_snapshot += 1;
        FrontierSnapshot { moment: self.store.moment(), positions: self.positions().clone(), number, changed }
    }
}

impl FrontierSnapshot {
    /// The input positions of its moment.
    #[must_use]
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Its number. They are of no meaning but that no two are the same, of whatever frontier.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The number of the snapshot since which it knows what changed; none where it is the first since the frontier was opened.
    #[must_use]
    pub fn follows(&self) -> Option<u64> {
        self.changed.as_ref().map(|_| self.number - 1)
    }

    /// The parts that it is made of, beside its tables.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn parts(&self) -> Result<Vec<SnapshotPart>, FrontierError> {
        let files = self.moment.links.lengths()?.into_iter().map(|(name, length)| (format!("links/{name}"), length));
        let seen = self.moment.seen.lengths()?.into_iter().map(|(name, length)| (format!("seen/{name}"), length));
        let parts = |(file, length): (String, u64)| {
            (0..length.div_ceil(PART)).map(move |n| {
                let offset = n * PART;
                SnapshotPart { file: file.clone(), offset, length: PART.min(length - offset) }
            })
        };
        Ok(files.chain(seen).flat_map(parts).collect())
    }

    /// Reads a part; at most 4 MiB.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(&self, part: &SnapshotPart) -> Result<Vec<u8>, FrontierError> {
        let mut bytes = vec![0; part.length as usize];
        let file = File::open(self.moment.dir.join(&part.file)).map_err(FrontierError::Snapshot)?;
        file.read_exact_at(&mut bytes, part.offset).map_err(FrontierError::Snapshot)?;
        Ok(bytes)
    }

    /// Writes a layer: all rows of the tables, or those that changed since the snapshot before (`only_changed`). Reads all rows either way.
    ///
    /// # Errors
    /// The store cannot be read, or `output` not written; or nobody noted what changed, as it is the first.
    pub fn write_tables(&self, only_changed: bool, output: &mut impl Write) -> Result<(), FrontierError> {
        let changed = if only_changed {
            Some(self.changed.as_ref().ok_or(FrontierError::SnapshotDamaged("no other one went before it"))?)
        } else {
            None
        };
        let mut output = SnapshotStream::new(output);
        output.put(&MAGIC)?;
        output.put(&FORMAT.to_le_bytes())?;
        match changed {
            Some(changed) => changed.write(&mut output).map_err(FrontierError::Snapshot)?,
            None => output.put(&[0])?,
        }
        for (name, keyspace) in &self.moment.keyspaces {
            output.begin(name)?;
            for entry in self.moment.tables.iter(keyspace) {
                let (key, value) = entry.into_inner()?;
                if changed.is_none_or(|changed| changed.has(name, &key)) {
                    output.entry(&key, &value)?;
                }
            }
            output.end()?;
        }
        output.finish()
    }
}

impl SnapshotPart {
    /// A checksum of its bytes.
    #[must_use]
    pub fn checksum(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }
}
