//! Putting a snapshot into the blob store: what changed since the one before, and the list of all.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use bytes::Bytes;
use gristmill_blobs::BlobError;
use gristmill_frontier::{FrontierSnapshot, SnapshotPart};
use gristmill_runtime::clock::now_ms;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, spawn_blocking};

use crate::snapshots::{
    AT_ONCE, BlobNumber, FORMAT, LastSnapshot, LayerBlob, PartBlob, SnapshotContents, SnapshotError, SnapshotHeader,
    SnapshotId, SnapshotTransfer, Snapshots,
};

/// Snapshots that stay: the newest, and the one before it should that be damaged.
const KEPT: usize = 2;

/// Most layers of rows: each is open while a snapshot is read.
const MOST_LAYERS: usize = 16;

/// Packing of rows: zstd's own default, half the bytes of none at half the speed of the disk.
const LEVEL: i32 = 3;

/// Packing of parts, which are links packed already, and hashes.
const PART_LEVEL: i32 = 1;

/// Bytes that go from the packing thread to the store at once, and pieces between the two at most.
const PIECE: usize = 1 << 20;
const PIECES: usize = 4;

impl Snapshots {
    /// Writes a snapshot under `name`: what is not in the store since the one before, if that was of the same frontier and epoch. Then
    /// deletes all but the newest two, and what none of them names. Memory does not grow with the snapshot but for the list of its parts.
    ///
    /// # Errors
    /// The frontier or the store failed; the snapshot may be there all the same. The next one is whole.
    pub async fn write(&self, name: SnapshotId, snapshot: FrontierSnapshot) -> anyhow::Result<SnapshotTransfer> {
        let begun = Instant::now();
        let mut last = self.last.lock().await;
        let goes_on = |last: &LastSnapshot| last.epoch == name.epoch && snapshot.follows() == Some(last.number);
        let before = last.take().filter(goes_on).map(|last| last.contents).unwrap_or_default();
        let positions = snapshot.positions().iter().map(|((topic, part), at)| (topic.clone(), *part, *at)).collect();
        let SnapshotId { epoch, number } = name;
        let header = SnapshotHeader { format: FORMAT, epoch, number, taken_at: now_ms(), positions };
        let frontier_number = snapshot.number();
        let snapshot = Arc::new(snapshot);
        let (layers, layer_bytes) = self.put_layer(name, &snapshot, before.layers).await?;
        let (parts, part_bytes) = self.put_parts(name, &snapshot, before.parts).await?;
        drop(snapshot);
        let contents = SnapshotContents { layers, parts };
        let text = format!("{}\n{}\n", serde_json::to_string(&header)?, serde_json::to_string(&contents)?);
        let bytes = layer_bytes + part_bytes + text.len() as u64;
        self.store.put(&self.key(name), Bytes::from(text)).await?;
        *last = Some(LastSnapshot { epoch, number: frontier_number, contents });
        self.prune(name).await?;
        Ok(SnapshotTransfer { bytes, took: begun.elapsed() })
    }

    /// Puts the rows that changed behind the layers there are, or all rows where these have become many or large.
    async fn put_layer(
        &self,
        name: SnapshotId,
        snapshot: &Arc<FrontierSnapshot>,
        mut layers: Vec<LayerBlob>,
    ) -> anyhow::Result<(Vec<LayerBlob>, u64)> {
        let later: u64 = layers.iter().skip(1).map(|layer| layer.bytes).sum();
        let only_changed = layers.first().is_some_and(|all| later < all.bytes / 2 && layers.len() < MOST_LAYERS);
        if !only_changed {
            layers.clear();
        }
        let blob = BlobNumber(name.number, 0);
        let mut upload = self.store.upload(&self.blob_key(name.epoch, blob)).await?;
        let (sender, mut pieces) = mpsc::channel(PIECES);
        let snapshot = Arc::clone(snapshot);
        let packing = spawn_blocking(move || pack(&snapshot, only_changed, sender));
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
        layers.push(LayerBlob { blob, bytes });
        Ok((layers, bytes))
    }

    /// Puts the parts that are not among those of `before`; answers all, and the bytes that were put.
    async fn put_parts(
        &self,
        name: SnapshotId,
        snapshot: &Arc<FrontierSnapshot>,
        before: Vec<PartBlob>,
    ) -> anyhow::Result<(Vec<PartBlob>, u64)> {
        let mut known: HashMap<SnapshotPart, PartBlob> =
            before.into_iter().map(|known| (known.part.clone(), known)).collect();
        let of = Arc::clone(snapshot);
        let (mut parts, mut bytes, mut n_new, mut putting) = (Vec::new(), 0, 0, JoinSet::new());
        let mut take = |put: anyhow::Result<(PartBlob, u64)>| {
            let (part, length) = put?;
            bytes += length;
            parts.push(part);
            anyhow::Ok(())
        };
        for part in spawn_blocking(move || of.parts()).await?? {
            if let Some(known) = known.remove(&part) {
                take(Ok((known, 0)))?;
                continue;
            }
            // The layer has the first number.
            n_new += 1;
            let blob = BlobNumber(name.number, n_new);
            if putting.len() >= AT_ONCE
                && let Some(put) = putting.join_next().await
            {
                take(put?)?;
            }
            putting.spawn(self.clone().put_part(name.epoch, Arc::clone(snapshot), part, blob));
        }
        while let Some(put) = putting.join_next().await {
            take(put?)?;
        }
        parts.sort_unstable_by(|one, other| one.part.cmp(&other.part));
        Ok((parts, bytes))
    }

    /// Reads, packs and puts a part; answers the bytes that were put.
    async fn put_part(
        self,
        epoch: u64,
        snapshot: Arc<FrontierSnapshot>,
        part: SnapshotPart,
        blob: BlobNumber,
    ) -> anyhow::Result<(PartBlob, u64)> {
        let packing = spawn_blocking(move || {
            let bytes = snapshot.read(&part)?;
            let packed = zstd::bulk::compress(&bytes, PART_LEVEL)?;
            anyhow::Ok((PartBlob { checksum: SnapshotPart::checksum(&bytes), part, blob }, packed))
        });
        let (part, packed) = packing.await??;
        let length = packed.len() as u64;
        self.store.put(&self.blob_key(epoch, blob), packed.into()).await?;
        Ok((part, length))
    }

    /// Deletes old snapshots, and blobs that no other one names. What a later epoch put is left alone, and so is what an earlier one put
    /// as long as one of its snapshots stays: its owner may be about to name it.
    async fn prune(&self, own: SnapshotId) -> Result<(), BlobError> {
        let blobs = self.store.list(&self.folder).await?;
        let mut names: Vec<SnapshotId> = blobs.iter().filter_map(|blob| self.name_of(&blob.key)).collect();
        names.sort_unstable_by(|a, b| b.cmp(a));
        let old = names.split_off(names.len().min(KEPT));
        // Before what it names.
        for name in old {
            self.store.delete(&self.key(name)).await?;
        }
        let (Some(oldest), Some(named)) = (names.last().copied(), self.named_by(&names).await?) else { return Ok(()) };
        for blob in blobs {
            let Some(by) = self.put_by(&blob.key).filter(|by| *by <= own && !named.contains(&blob.key)) else {
                continue;
            };
            if by.epoch == own.epoch || by.epoch < oldest.epoch {
                self.store.delete(&blob.key).await?;
            }
        }
        Ok(())
    }

    /// The keys of all blobs that these snapshots name; none where one of them cannot be read.
    async fn named_by(&self, names: &[SnapshotId]) -> Result<Option<HashSet<String>>, BlobError> {
        let mut named = HashSet::new();
        for name in names {
            let contents = match self.stored_contents(*name).await {
                Ok(contents) => contents,
                Err(SnapshotError::Store(error)) if error.passes() => return Err(error),
                Err(_) => return Ok(None),
            };
            let blobs =
                contents.layers.iter().map(|layer| layer.blob).chain(contents.parts.iter().map(|part| part.blob));
            named.extend(blobs.map(|blob| self.blob_key(name.epoch, blob)));
        }
        Ok(Some(named))
    }

    /// What a snapshot names; nothing where it is of format 1.
    async fn stored_contents(&self, name: SnapshotId) -> Result<SnapshotContents, SnapshotError> {
        let mut download = self.store.download(&self.key(name)).await?;
        let (header, rest) = self.header(name, &mut download).await?;
        if header.format == 1 {
            Ok(SnapshotContents::default())
        } else {
            self.contents(name, rest, &mut download).await
        }
    }
}

/// Packs a layer on a thread that may wait for the store.
fn pack(snapshot: &FrontierSnapshot, only_changed: bool, sender: mpsc::Sender<Vec<u8>>) -> anyhow::Result<()> {
    let mut encoder = zstd::Encoder::new(Pieces { sender, waiting: Vec::new() }, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut output = BufWriter::with_capacity(64 << 10, encoder);
    snapshot.write_tables(only_changed, &mut output)?;
    let encoder = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    encoder.finish()?.flush()?;
    Ok(())
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
