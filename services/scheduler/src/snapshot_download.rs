//! Making a frontier anew from a snapshot in the blob store.

use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use bytes::{Buf, Bytes};
use gristmill_blobs::{BlobDownload, BlobError};
use gristmill_frontier::{Frontier, FrontierConfig, FrontierError, FrontierRestore};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet, spawn_blocking};
use tracing::info;

use crate::snapshots::{AT_ONCE, PartBlob, SnapshotContents, SnapshotError, SnapshotId, SnapshotTransfer, Snapshots};

/// Pieces between the store and the unpacking thread at most.
const PIECES: usize = 4;

/// Longest part, unpacked or not, that memory is asked for.
const MAX_PART: u64 = 64 << 20;

impl Snapshots {
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
        let size = download.size();
        let (header, rest) = self.header(name, &mut download).await?;
        let bytes = if header.format == 1 {
            self.restore_stream(name, (rest, download), dir, config).await?;
            size
        } else {
            let contents = self.contents(name, rest, &mut download).await?;
            size + self.restore_contents(name, contents, dir, config).await?
        };
        info!(epoch = header.epoch, number = header.number, taken_at = header.taken_at, "frontier restored");
        Ok(SnapshotTransfer { bytes, took: begun.elapsed() })
    }

    /// Format 1: the frontier is one stream, of which `rest` came already.
    async fn restore_stream(
        &self,
        name: SnapshotId,
        (rest, download): (Bytes, BlobDownload),
        dir: &Path,
        config: &FrontierConfig,
    ) -> Result<(), SnapshotError> {
        let (input, sending) = received(rest, download);
        let (dir, config) = (dir.to_owned(), config.clone());
        let unpacking = spawn_blocking(move || Frontier::restore(&dir, &config, &mut unpacked(input)?).map(drop));
        self.outcome(name, unpacking, vec![sending]).await
    }

    /// Answers the bytes that were got.
    async fn restore_contents(
        &self,
        name: SnapshotId,
        contents: SnapshotContents,
        dir: &Path,
        config: &FrontierConfig,
    ) -> Result<u64, SnapshotError> {
        let restore = Arc::new(FrontierRestore::begin(dir).map_err(SnapshotError::Local)?);
        let (mut inputs, mut sending, mut bytes) = (Vec::new(), Vec::new(), 0);
        for layer in contents.layers {
            let download = self.store.download(&self.blob_key(name.epoch, layer.blob)).await;
            let download = download.map_err(|error| self.failed(name, error))?;
            bytes += download.size();
            let (input, sends) = received(Bytes::new(), download);
            inputs.push(input);
            sending.push(sends);
        }
        let (to, config_of) = (Arc::clone(&restore), config.clone());
        let unpacking = spawn_blocking(move || {
            let layers = inputs.into_iter().map(unpacked).collect::<Result<Vec<_>, _>>()?;
            to.tables(&config_of, layers).map(drop)
        });
        self.outcome(name, unpacking, sending).await?;
        bytes += self.restore_parts(name, &restore, contents.parts).await?;
        let config = config.clone();
        let finishing = spawn_blocking(move || Arc::into_inner(restore).map_or(Ok(()), |whole| whole.finish(&config)));
        self.outcome(name, finishing, Vec::new()).await?;
        Ok(bytes)
    }

    /// Answers the bytes that were got. Whatever comes of it, nothing is written after the answer.
    async fn restore_parts(
        &self,
        name: SnapshotId,
        restore: &Arc<FrontierRestore>,
        parts: Vec<PartBlob>,
    ) -> Result<u64, SnapshotError> {
        let (mut parts, mut getting, mut outcome) = (parts.into_iter(), JoinSet::new(), Ok(0));
        loop {
            while outcome.is_ok()
                && getting.len() < AT_ONCE
                && let Some(part) = parts.next()
            {
                getting.spawn(self.clone().restore_part(name, Arc::clone(restore), part));
            }
            let Some(got) = getting.join_next().await else { return outcome };
            outcome = outcome.and_then(|bytes| Ok(bytes + joined(got)?));
        }
    }

    /// Gets, unpacks and writes a part; answers its bytes as they were got.
    async fn restore_part(
        self,
        name: SnapshotId,
        restore: Arc<FrontierRestore>,
        PartBlob { part, checksum, blob }: PartBlob,
    ) -> Result<u64, SnapshotError> {
        let got = self.store.get(&self.blob_key(name.epoch, blob), MAX_PART).await;
        let packed = got.map_err(|error| self.failed(name, error))?;
        let bytes = packed.len() as u64;
        let writing = spawn_blocking(move || {
            let unpacked = zstd::bulk::decompress(&packed, part.length.min(MAX_PART) as usize);
            restore.part(&part, checksum, &unpacked.map_err(FrontierError::Snapshot)?)
        });
        self.outcome(name, writing, Vec::new()).await?;
        Ok(bytes)
    }

    /// What came of work on a thread. A download that broke off looks like a stream that was cut; the store's own error says what it was.
    async fn outcome(
        &self,
        name: SnapshotId,
        work: JoinHandle<Result<(), FrontierError>>,
        sending: Vec<JoinHandle<Result<(), BlobError>>>,
    ) -> Result<(), SnapshotError> {
        let done = joined(work.await);
        for sends in sending {
            joined(sends.await).map_err(|error| self.failed(name, error))?;
        }
        match done {
            Ok(()) => Ok(()),
            Err(error @ (FrontierError::Store(_) | FrontierError::Locked { .. })) => Err(SnapshotError::Local(error)),
            Err(error) => Err(self.damaged(name, error.into())),
        }
    }

    /// What a blob that cannot be had means for the snapshot that names it.
    fn failed(&self, name: SnapshotId, error: BlobError) -> SnapshotError {
        if error.passes() { error.into() } else { self.damaged(name, error.into()) }
    }
}

/// What a task came to, whose panic is ours.
fn joined<T>(task: Result<T, tokio::task::JoinError>) -> T {
    task.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// A download as what can be read on a thread, with the task that sends it there.
fn received(rest: Bytes, mut download: BlobDownload) -> (DownloadReader, JoinHandle<Result<(), BlobError>>) {
    let (sender, pieces) = mpsc::channel(PIECES);
    let sending = tokio::spawn(async move {
        while let Some(piece) = download.next().await? {
            if sender.send(piece).await.is_err() {
                break;
            }
        }
        Ok(())
    });
    (DownloadReader { pieces, now: rest }, sending)
}

type LayerReader = BufReader<zstd::Decoder<'static, BufReader<DownloadReader>>>;

fn unpacked(input: DownloadReader) -> Result<LayerReader, FrontierError> {
    let decoder = zstd::Decoder::new(input).map_err(FrontierError::Snapshot)?;
    Ok(BufReader::with_capacity(64 << 10, decoder))
}

/// Reads what comes from the store.
struct DownloadReader {
    pieces: mpsc::Receiver<Bytes>,
    now: Bytes,
}

impl Read for DownloadReader {
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
