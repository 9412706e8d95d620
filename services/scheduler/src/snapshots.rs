//! Snapshots of one part's frontier in the blob store: written, listed, read back.
//!
//! ```text
//! frontier/p0003/00000000000000000007-00000012             epoch, and number within it: the last by name is the newest
//! one line of JSON (SnapshotHeader) | one line of JSON (SnapshotContents), which names blobs of this snapshot and of earlier ones of
//! its epoch:
//! frontier/p0003/parts/00000000000000000007-00000011/000042          zstd of a part or a layer of the frontier
//! ```
//! So a snapshot puts what changed since the one before. It is there once its first blob is, which is put last. The name decides which is
//! the newest: a claimant's epoch is higher than that of everybody before it, so what a predecessor writes late never counts for more
//! than what the owner wrote. It names no blobs of another epoch, and deletes none of a later one, so that nobody takes away what another
//! is about to name. In format 1 the whole frontier followed behind the first line.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gristmill_blobs::{BlobDownload, BlobError, BlobStore};
use gristmill_frontier::{FrontierError, SnapshotPart};
use gristmill_log::Positions;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// 1: the whole frontier behind the first line.
pub(crate) const FORMAT: u32 = 2;

/// Longest first line: some 20,000 positions.
const MAX_HEADER: usize = 1 << 20;

/// Longest second line: a million parts.
const MAX_CONTENTS: usize = 256 << 20;

/// Parts that are packed and put, or got and unpacked, at once.
pub(crate) const AT_ONCE: usize = 4;

/// Which snapshot; the greatest is the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SnapshotId {
    pub epoch: u64,
    pub number: u32,
}

/// The first line of a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SnapshotHeader {
    pub(crate) format: u32,
    pub(crate) epoch: u64,
    pub(crate) number: u32,
    /// Unix milliseconds.
    pub(crate) taken_at: u64,
    /// Topic, partition, position of the next record to read.
    pub(crate) positions: Vec<(String, u32, u64)>,
}

/// The second line: which blobs there are of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SnapshotContents {
    /// The oldest first, which has all rows.
    pub(crate) layers: Vec<LayerBlob>,
    pub(crate) parts: Vec<PartBlob>,
}

/// One layer of rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LayerBlob {
    pub(crate) blob: BlobNumber,
    /// Packed.
    pub(crate) bytes: u64,
}

/// One part of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PartBlob {
    pub(crate) part: SnapshotPart,
    pub(crate) checksum: u64,
    pub(crate) blob: BlobNumber,
}

/// Number of the snapshot of the same epoch that put a blob, and the blob's number within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct BlobNumber(pub(crate) u32, pub(crate) u32);

/// Why a snapshot could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The same again may succeed.
    #[error(transparent)]
    Store(#[from] BlobError),
    /// It never will; an older snapshot may.
    #[error("the snapshot `{key}` is damaged")]
    Damaged { key: String, source: anyhow::Error },
    /// It may be sound, but there is no place for it here.
    #[error("a snapshot could not be restored")]
    Local(#[source] FrontierError),
}

/// How large a snapshot was, and how long it took.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotTransfer {
    /// Put into the store, or got from there.
    pub bytes: u64,
    pub took: Duration,
}

/// The snapshots of one part.
#[derive(Clone)]
pub struct Snapshots {
    pub(crate) store: BlobStore,
    pub(crate) folder: String,
    /// What the last one put, if the next may go on from there.
    pub(crate) last: Arc<Mutex<Option<LastSnapshot>>>,
}

/// A snapshot that was put.
pub(crate) struct LastSnapshot {
    pub(crate) epoch: u64,
    /// That of the frontier.
    pub(crate) number: u64,
    pub(crate) contents: SnapshotContents,
}

impl Snapshots {
    /// Those of `partition`, or of all partitions together.
    pub fn of(store: BlobStore, partition: Option<u32>) -> Self {
        let folder = partition.map_or("frontier/all".to_owned(), |number| format!("frontier/p{number:04}"));
        Self { store, folder, last: Arc::default() }
    }

    pub(crate) fn key(&self, name: SnapshotId) -> String {
        format!("{}/{name}", self.folder)
    }

    /// The key of a blob that a snapshot of `epoch` names.
    pub(crate) fn blob_key(&self, epoch: u64, BlobNumber(number, blob): BlobNumber) -> String {
        format!("{}/parts/{}/{blob:06}", self.folder, SnapshotId { epoch, number })
    }

    /// All that there are, the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn list(&self) -> Result<Vec<SnapshotId>, BlobError> {
        let blobs = self.store.list(&self.folder).await?;
        let mut names: Vec<SnapshotId> = blobs.iter().filter_map(|blob| self.name_of(&blob.key)).collect();
        names.sort_unstable_by(|a, b| b.cmp(a));
        Ok(names)
    }

    /// The snapshot whose first blob has that key.
    pub(crate) fn name_of(&self, key: &str) -> Option<SnapshotId> {
        SnapshotId::parse(key.strip_prefix(&self.folder)?.strip_prefix('/')?)
    }

    /// The snapshot that put the blob of that key.
    pub(crate) fn put_by(&self, key: &str) -> Option<SnapshotId> {
        SnapshotId::parse(key.strip_prefix(&self.folder)?.strip_prefix("/parts/")?.split_once('/')?.0)
    }

    /// The input positions that the snapshot `name` covers.
    ///
    /// # Errors
    /// As [`SnapshotError`].
    pub async fn positions(&self, name: SnapshotId) -> Result<Positions, SnapshotError> {
        let mut download = self.store.download(&self.key(name)).await?;
        let (header, _) = self.header(name, &mut download).await?;
        Ok(header.positions.into_iter().map(|(topic, part, at)| ((topic, part), at)).collect())
    }

    /// Reads the first line, and hands back what came with it of the rest.
    pub(crate) async fn header(
        &self,
        name: SnapshotId,
        download: &mut BlobDownload,
    ) -> Result<(SnapshotHeader, Bytes), SnapshotError> {
        let mut read = Vec::new();
        let end = loop {
            if let Some(end) = read.iter().position(|byte| *byte == b'\n') {
                break end;
            }
            match download.next().await? {
                Some(piece) if read.len() < MAX_HEADER => read.extend_from_slice(&piece),
                _ => return Err(self.damaged(name, anyhow::anyhow!("it has no first line"))),
            }
        };
        let rest = Bytes::from(read.split_off(end + 1));
        let header: SnapshotHeader = serde_json::from_slice(&read).map_err(|error| self.damaged(name, error.into()))?;
        if !(1..=FORMAT).contains(&header.format) || (header.epoch, header.number) != (name.epoch, name.number) {
            let found = format!("it is number {} of epoch {} in format {}", header.number, header.epoch, header.format);
            return Err(self.damaged(name, anyhow::anyhow!(found)));
        }
        Ok((header, rest))
    }

    /// Reads the second line, which begins with `rest`.
    pub(crate) async fn contents(
        &self,
        name: SnapshotId,
        rest: Bytes,
        download: &mut BlobDownload,
    ) -> Result<SnapshotContents, SnapshotError> {
        let mut read = rest.to_vec();
        while let Some(piece) = download.next().await? {
            read.extend_from_slice(&piece);
            if read.len() > MAX_CONTENTS {
                return Err(self.damaged(name, anyhow::anyhow!("its second line is too long")));
            }
        }
        serde_json::from_slice(&read).map_err(|error| self.damaged(name, error.into()))
    }

    pub(crate) fn damaged(&self, name: SnapshotId, source: anyhow::Error) -> SnapshotError {
        SnapshotError::Damaged { key: self.key(name), source }
    }
}

impl SnapshotId {
    fn parse(name: &str) -> Option<Self> {
        let (epoch, number) = name.split_once('-')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (digits(epoch) && digits(number)).then_some(())?;
        Some(Self { epoch: epoch.parse().ok()?, number: number.parse().ok()? })
    }
}

impl std::fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:020}-{:08}", self.epoch, self.number)
    }
}
