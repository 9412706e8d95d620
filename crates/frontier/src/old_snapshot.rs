//! Snapshots of older versions: the whole store as one stream, links and seen set unpacked.
//!
//! ```text
//! GMFR | format u32 | table… | end
//! ```
//! See `snapshot_stream.rs`. The link log is the table `links`, with the number of a block, big-endian, as its key; the seen set is the
//! table `seen`.

use std::io::Read;
use std::path::Path;

use crate::config::FrontierConfig;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::restore::{FrontierRestore, SnapshotSize};
use crate::seen_import::SeenImport;
use crate::snapshot_stream::{MAX_VALUE, SnapshotStream};
use crate::store::FrontierStore;

const MAGIC: [u8; 4] = *b"GMFR";

/// A stream of format 1 makes a store of format 1, which changes when it is opened; those of format 2 and 3 have the same tables.
const FORMAT: u32 = 3;

impl Frontier {
    /// Makes the store in `dir` anew from a stream as versions before [`FrontierRestore`] wrote it; what was in `dir` is gone then. Until
    /// the whole stream is read and found whole, `dir` stays as it was. One range of the seen set is in memory, no more.
    ///
    /// # Errors
    /// The stream is damaged, cut off or of another format, or the store cannot be written.
    pub fn restore(dir: &Path, config: &FrontierConfig, input: &mut impl Read) -> Result<SnapshotSize, FrontierError> {
        let restore = FrontierRestore::begin(dir)?;
        let size = fill(restore.folder(), config, input)?;
        restore.finish(config)?;
        Ok(size)
    }
}

/// Reads the stream into a new store.
fn fill(dir: &Path, config: &FrontierConfig, input: &mut impl Read) -> Result<SnapshotSize, FrontierError> {
    let mut store = FrontierStore::create(dir, config)?;
    let mut input = SnapshotStream::new(input);
    input.open(MAGIC, FORMAT)?;
    let mut import = SeenImport::default();
    loop {
        let [length] = input.array()?;
        if length == 0 {
            break;
        }
        let name = input.take_vec(length.into())?;
        match name.as_slice() {
            b"links" => input.entries(|key, block| {
                let number =
                    key.try_into().map_err(|_| FrontierError::SnapshotDamaged("a block of links has no number"))?;
                store.links.import(u64::from_be_bytes(number), &block);
                if store.links.n_unwritten() < MAX_VALUE { Ok(()) } else { store.links.write(&mut store.meta) }
            })?,
            b"seen" => {
                input.entries(|key, value| import.row(&mut store.seen, &mut store.meta, (key, &value)))?;
                import.finish(&mut store.seen, &mut store.meta)?;
            }
            name => {
                let (_, keyspace) = store.keyspace(name)?;
                let mut ingestion = keyspace.start_ingestion()?;
                input.entries(|key, value| Ok(ingestion.write(key, value)?))?;
                ingestion.finish()?;
            }
        }
    }
    input.verify()?;
    let size = SnapshotSize { entries: input.entries, bytes: input.bytes };
    // The seen set is of no use under another key. Streams of format 1 have neither.
    if store.meta.keyspace().get(b"key")?.is_some() {
        store.meta.leave(b"key");
    }
    // Tables of format 2 are files already.
    let (format, meta) = store.read_meta()?;
    if format == 1 { store.commit_pending() } else { store.commit(&meta) }?;
    store.persist()?;
    Ok(size)
}
