//! Snapshots of one part's frontier in the blob store: written, listed, read back.
//!
//! ```text
//! frontier/p0003/00000000000000000007-00000012       epoch, and number within it: the last by name is the newest
//! one line of JSON (Header) | zstd of the frontier's own stream
//! ```
//! The name decides which is the newest: a claimant's epoch is higher than that of everybody before it, so what a
//! predecessor writes late never counts for more than what the owner wrote.

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::{Buf, Bytes};
use gristmill_blobs::{BlobDownload, BlobError, BlobStore};
use gristmill_frontier::{Frontier, FrontierConfig, FrontierError, FrontierSnapshot};
use gristmill_log::Positions;
use gristmill_runtime::clock::now_ms;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tracing::info;

/// Snapshots that stay: the newest, and the one before it should that be damaged.
const KEPT: usize = 2;

/// Raised when older snapshots cannot be read any more.
const FORMAT: u32 = 1;

/// Longest first line: some 20,000 positions.
const MAX_HEADER: usize = 1 << 20;

/// Packing, zstd's own default: half the bytes of none at half the speed of the disk.
const LEVEL: i32 = 3;

/// Bytes that go from the packing thread to the store at once, and pieces between the two at most.
const PIECE: usize = 1 << 20;
const PIECES: usize = 4;

/// Which snapshot; the greatest is the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SnapshotId {
    pub epoch: u64,
    pub number: u32,
}

/// The first line of a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    format: u32,
    epoch: u64,
    number: u32,
    /// Unix milliseconds.
    taken_at: u64,
    /// Topic, partition, position of the next record to read.
    positions: Vec<(String, u32, u64)>,
}

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
    /// In the store.
    pub bytes: u64,
    pub took: Duration,
}

/// The snapshots of one part.
#[derive(Clone)]
pub struct Snapshots {
    store: BlobStore,
    folder: String,
}

impl Snapshots {
    /// Those of `partition`, or of all partitions together.
    pub fn of(store: BlobStore, partition: Option<u32>) -> Self {
        let folder = partition.map_or("frontier/all".to_owned(), |number| format!("frontier/p{number:04}"));
        Self { store, folder }
    }

    fn key(&self, name: SnapshotId) -> String {
        format!("{}/{:020}-{:08}", self.folder, name.epoch, name.number)
    }

    /// All that there are, the newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn list(&self) -> Result<Vec<SnapshotId>, BlobError> {
        let blobs = self.store.list(&self.folder).await?;
        let mut names: Vec<SnapshotId> = blobs.iter().filter_map(|blob| name_of(&blob.key)).collect();
        names.sort_unstable_by(|a, b| b.cmp(a));
        Ok(names)
    }

    /// Writes a snapshot under `name`, then deletes all but the newest two. Memory does not grow with the snapshot.
    ///
    /// # Errors
    /// The frontier or the store failed; the snapshot may be there all the same.
    pub async fn write(&self, name: SnapshotId, snapshot: FrontierSnapshot) -> anyhow::Result<SnapshotTransfer> {
        let begun = Instant::now();
        let header = Header {
            format: FORMAT,
            epoch: name.epoch,
            number: name.number,
            taken_at: now_ms(),
            positions: snapshot.positions().iter().map(|((topic, part), at)| (topic.clone(), *part, *at)).collect(),
        };
        let mut upload = self.store.upload(&self.key(name)).await?;
        let (sender, mut pieces) = mpsc::channel(PIECES);
        let packing = tokio::task::spawn_blocking(move || pack(&snapshot, sender));
        upload.write(format!("{}\n", serde_json::to_string(&header)?).as_bytes()).await?;
        let mut sent = Ok(());
        while let Some(piece) = pieces.recv().await {
            sent = upload.write(&piece).await;
            if sent.is_err() {
                break;
            }
        }
        drop(pieces);
        let packed = packing.await.context("the thread that packs a snapshot failed")?;
        if let Err(error) = sent.map_err(anyhow::Error::new).and(packed) {
            // The first error says more than one of clearing up.
            let _ = upload.abort().await;
            return Err(error);
        }
        let bytes = upload.finish().await?;
        self.prune().await?;
        Ok(SnapshotTransfer { bytes, took: begun.elapsed() })
    }

    async fn prune(&self) -> Result<(), BlobError> {
        for name in self.list().await?.into_iter().skip(KEPT) {
            self.store.delete(&self.key(name)).await?;
        }
        Ok(())
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

    /// Makes the frontier in `dir` anew from the snapshot `name`; until that is read whole, what is in `dir` stays.
    ///
    /// # Errors
    /// As [`SnapshotError`].
    pub async fn restore(
        &self,
        name: SnapshotId,
        dir: &Path,
        config: &FrontierConfig,
    ) -> Result<SnapshotTransfer, SnapshotError> {
        let begun = Instant::now();
        let mut download = self.store.download(&self.key(name)).await?;
        let bytes = download.size();
        let (header, rest) = self.header(name, &mut download).await?;
        let (sender, pieces) = mpsc::channel(PIECES);
        let (dir, config) = (dir.to_owned(), config.clone());
        let unpacking = tokio::task::spawn_blocking(move || unpack(pieces, &dir, &config));
        let (mut piece, mut broken) = (Ok(Some(rest)), None);
        while let Ok(Some(bytes)) = piece {
            if sender.send(bytes).await.is_err() {
                break;
            }
            piece = download.next().await.map_err(|error| broken = Some(error));
        }
        // A download that broke off looks like a stream that was cut; the store's own error says what it was.
        drop(sender);
        let unpacked = unpacking.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        if let Some(error) = broken {
            return Err(error.into());
        }
        match unpacked {
            Ok(()) => {}
            Err(error @ (FrontierError::Store(_) | FrontierError::Locked { .. })) => {
                return Err(SnapshotError::Local(error));
            }
            Err(error) => return Err(self.damaged(name, error.into())),
        }
        info!(epoch = header.epoch, number = header.number, taken_at = header.taken_at, "frontier restored");
        Ok(SnapshotTransfer { bytes, took: begun.elapsed() })
    }

    /// Reads the first line, and hands back what came with it of the rest.
    async fn header(&self, name: SnapshotId, download: &mut BlobDownload) -> Result<(Header, Bytes), SnapshotError> {
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
        let header: Header = serde_json::from_slice(&read).map_err(|error| self.damaged(name, error.into()))?;
        if header.format != FORMAT || (header.epoch, header.number) != (name.epoch, name.number) {
            let found = format!("it is number {} of epoch {} in format {}", header.number, header.epoch, header.format);
            return Err(self.damaged(name, anyhow::anyhow!(found)));
        }
        Ok((header, rest))
    }

    fn damaged(&self, name: SnapshotId, source: anyhow::Error) -> SnapshotError {
        SnapshotError::Damaged { key: self.key(name), source }
    }
}

fn name_of(key: &str) -> Option<SnapshotId> {
    let (epoch, number) = key.rsplit('/').next()?.split_once('-')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(epoch) && digits(number)).then_some(())?;
    Some(SnapshotId { epoch: epoch.parse().ok()?, number: number.parse().ok()? })
}

/// Packs a snapshot on a thread that may wait for the store.
fn pack(snapshot: &FrontierSnapshot, sender: mpsc::Sender<Vec<u8>>) -> anyhow::Result<()> {
    let mut encoder = zstd::Encoder::new(Pieces { sender, waiting: Vec::new() }, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut output = BufWriter::with_capacity(64 << 10, encoder);
    snapshot.write(&mut output)?;
    let encoder = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    encoder.finish()?.flush()?;
    Ok(())
}

fn unpack(pieces: mpsc::Receiver<Bytes>, dir: &Path, config: &FrontierConfig) -> Result<(), FrontierError> {
    let input = Received { pieces, now: Bytes::new() };
    let decoder = zstd::Decoder::new(input).map_err(FrontierError::Snapshot)?;
    Frontier::restore(dir, config, &mut io::BufReader::with_capacity(64 << 10, decoder)).map(drop)
}

/// Gathers bytes into pieces that are worth sending.
struct Pieces {
    sender: mpsc::Sender<Vec<u8>>,
    waiting: Vec<u8>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.waiting);
        self.sender.blocking_send(piece).map_err(|_| io::Error::other("the store takes no more"))
    }
}

/// Reads what comes from the store.
struct Received {
    pieces: mpsc::Receiver<Bytes>,
    now: Bytes,
}

impl Read for Received {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.now.is_empty() {
            match self.pieces.blocking_recv() {
                Some(piece) => self.now = piece,
                None => return Ok(0),
            }
        }
        let length = into.len().min(self.now.len());
        self.now.copy_to_slice(&mut into[..length]);
        Ok(length)
    }
}
