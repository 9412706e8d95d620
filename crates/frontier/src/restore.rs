//! Making a store anew from a snapshot: its layers of rows, merged, and its files, part by part.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::changed_rows::ChangedRows;
use crate::config::FrontierConfig;
use crate::error::{FrontierError, disk};
use crate::seen_file::create_folder;
use crate::snapshot::{FORMAT, MAGIC, PART, SnapshotPart};
use crate::snapshot_stream::{SnapshotStream, cut_off};
use crate::store::FrontierStore;
use crate::table::Entry;

/// What was read of a snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SnapshotSize {
    pub entries: u64,
    /// Bytes of streams, unpacked.
    pub bytes: u64,
}

/// A store that is being made beside the folder whose place it takes once it is whole. Dropped before, it leaves nothing behind.
pub struct FrontierRestore {
    dir: PathBuf,
    beside: PathBuf,
}

impl FrontierRestore {
    /// Begins to make the store of `dir` anew, which stays as it is until [`FrontierRestore::finish`].
    ///
    /// # Errors
    /// What an earlier one left cannot be removed.
    pub fn begin(dir: &Path) -> Result<Self, FrontierError> {
        let mut beside = dir.as_os_str().to_owned();
        beside.push(".restoring");
        let restore = Self { dir: dir.to_owned(), beside: beside.into() };
        remove(&restore.beside)?;
        Ok(restore)
    }

    /// Where it is made.
    pub(crate) fn folder(&self) -> &Path {
        &self.beside
    }

    /// Reads the layers, the oldest first, which has all rows. One entry of each is in memory, and its bits.
    ///
    /// # Errors
    /// A layer is damaged, cut off or of another format, or the store cannot be written.
    pub fn tables<R: Read>(&self, config: &FrontierConfig, layers: Vec<R>) -> Result<SnapshotSize, FrontierError> {
        let mut layers = layers.into_iter().map(SnapshotLayer::open).collect::<Result<Vec<_>, _>>()?;
        let has_all = |(n, layer): (usize, &SnapshotLayer<R>)| (n == 0) == layer.changed.is_none();
        if layers.is_empty() || !layers.iter().enumerate().all(has_all) {
            return Err(FrontierError::SnapshotDamaged("its layers do not follow one another"));
        }
        let store = FrontierStore::create(&self.beside, config)?;
        while let Some(name) = next_table(&mut layers)? {
            let (name, keyspace) = store.keyspace(&name)?;
            let mut ingestion = keyspace.start_ingestion()?;
            merge(name, &mut layers, |key, value| Ok(ingestion.write(key, value)?))?;
            ingestion.finish()?;
        }
        let mut size = SnapshotSize::default();
        for layer in &mut layers {
            layer.input.verify()?;
            size.entries += layer.input.entries;
            size.bytes += layer.input.bytes;
        }
        // What a new store would write is not committed: its key is that of the snapshot.
        store.persist()?;
        Ok(size)
    }

    /// Writes a part. Parts come in any order, and may on several threads.
    ///
    /// # Errors
    /// They are not those bytes, or no part of a store, or the disk does not take them.
    pub fn part(&self, part: &SnapshotPart, checksum: u64, bytes: &[u8]) -> Result<(), FrontierError> {
        let is_hex = |name: &str| name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let place =
            part.file.split_once('/').filter(|(folder, name)| matches!(*folder, "links" | "seen") && is_hex(name));
        let Some((folder, name)) = place.filter(|_| part.length <= PART && part.offset < u64::MAX / 2) else {
            return Err(FrontierError::SnapshotDamaged("a part of it belongs to no file"));
        };
        if bytes.len() as u64 != part.length || SnapshotPart::checksum(bytes) != checksum {
            return Err(FrontierError::SnapshotDamaged("a part of it is not as it was"));
        }
        let folder = self.beside.join(folder);
        create_folder(&folder).map_err(disk)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(name)).map_err(disk)?;
        file.write_all_at(bytes, part.offset).map_err(disk)?;
        file.sync_data().map_err(disk)
    }

    /// Lets the store take its place, if it has all that its rows name.
    ///
    /// # Errors
    /// It is not whole, or the disk does not take it.
    pub fn finish(self, config: &FrontierConfig) -> Result<(), FrontierError> {
        let store = FrontierStore::create(&self.beside, config)?;
        store.links.check_lengths()?;
        drop(store);
        for folder in ["links", "seen"] {
            match File::open(self.beside.join(folder)).and_then(|folder| folder.sync_all()) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(disk(error)),
                _ => {}
            }
        }
        remove(&self.dir)?;
        fs::rename(&self.beside, &self.dir).map_err(FrontierError::Snapshot)
    }
}

impl Drop for FrontierRestore {
    fn drop(&mut self) {
        // The first error says more than one of clearing up. After the end there is nothing.
        let _ = remove(&self.beside);
    }
}

fn remove(dir: &Path) -> Result<(), FrontierError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FrontierError::Snapshot(error)),
        _ => Ok(()),
    }
}

/// One layer as it is read.
struct SnapshotLayer<R> {
    input: SnapshotStream<R>,
    /// None where it has all rows.
    changed: Option<ChangedRows>,
    /// The entry that comes next in the table.
    next: Option<Entry>,
}

impl<R: Read> SnapshotLayer<R> {
    fn open(input: R) -> Result<Self, FrontierError> {
        let mut input = SnapshotStream::new(input);
        input.open(MAGIC, FORMAT)?;
        let changed = match input.array()? {
            [0] => None,
            [log] => {
                let changed = ChangedRows::read(log, &mut input).map_err(cut_off)?;
                Some(changed.ok_or(FrontierError::SnapshotDamaged("it has an impossible number of bits"))?)
            }
        };
        Ok(Self { input, changed, next: None })
    }

    /// Reads the next entry that no layer of `later` has in its place.
    fn advance(&mut self, table: &str, later: &[Self]) -> Result<(), FrontierError> {
        let mut last = self.next.take().map(|(key, _)| key).unwrap_or_default();
        while let Some((key, value)) = self.input.next_entry(&last)? {
            let is_replaced = |layer: &Self| layer.changed.as_ref().is_some_and(|changed| changed.has(table, &key));
            if !later.iter().any(is_replaced) {
                self.next = Some((key, value));
                break;
            }
            last = key;
        }
        Ok(())
    }
}

/// The name of the next table, which all layers must have; `None` at the end.
fn next_table<R: Read>(layers: &mut [SnapshotLayer<R>]) -> Result<Option<Vec<u8>>, FrontierError> {
    let mut name = None;
    for layer in layers {
        let [length] = layer.input.array()?;
        let own = layer.input.take_vec(length.into())?;
        if *name.get_or_insert_with(|| own.clone()) != own {
            return Err(FrontierError::SnapshotDamaged("its layers have different tables"));
        }
    }
    Ok(name.filter(|name| !name.is_empty()))
}

/// Hands on the rows of a table by ascending keys, each as the last layer has it.
fn merge<R: Read>(
    table: &str,
    layers: &mut [SnapshotLayer<R>],
    mut take: impl FnMut(Vec<u8>, Vec<u8>) -> Result<(), FrontierError>,
) -> Result<(), FrontierError> {
    let advance = |layers: &mut [SnapshotLayer<R>], at: usize| {
        let (own, later) = layers[at..].split_first_mut().expect("there is a layer of that number");
        own.advance(table, later)
    };
    (0..layers.len()).try_for_each(|at| advance(layers, at))?;
    let mut last = Vec::new();
    loop {
        let keys = layers.iter().enumerate().filter_map(|(at, layer)| Some((&layer.next.as_ref()?.0, at)));
        let Some((_, at)) = keys.min() else { return Ok(()) };
        let entry = layers[at].next.clone();
        advance(layers, at)?;
        let Some((key, value)) = entry else { return Ok(()) };
        if key <= last {
            return Err(FrontierError::SnapshotDamaged("two layers have one row"));
        }
        last.clone_from(&key);
        take(key, value)?;
    }
}
