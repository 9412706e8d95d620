//! What is done of a dataset, so that a run that was killed goes on where it stopped.
//!
//! `journal.jsonl` has a head and then a line for each shard that is complete. At the end `manifest.json` takes its place.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::inputs::Input;
use super::pages::Position;

const JOURNAL: &str = "journal.jsonl";
const MANIFEST: &str = "manifest.json";

/// How many records ended how.
pub type Counts = BTreeMap<String, u64>;

/// What a dataset is made of; a run goes on only with the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub software: String,
    pub settings: serde_json::Value,
    pub inputs: Vec<Input>,
}

/// A shard that is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    pub file: String,
    pub rows: u64,
    pub bytes: u64,
    /// XXH3 of the file, 128 bits, hexadecimal.
    pub xxh3: String,
    /// The input that is read next, by its number, and where.
    pub input: usize,
    pub position: Position,
    /// Of all records up to there.
    pub counts: Counts,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    head: Head,
    rows: u64,
    counts: Counts,
    shards: Vec<Shard>,
}

/// The journal of one folder.
pub struct Journal {
    folder: PathBuf,
    file: File,
    head: Head,
    pub shards: Vec<Shard>,
}

/// What a folder says of the dataset in it.
pub enum State {
    /// It is complete: so many rows.
    Complete(u64),
    Open(Journal),
}

impl Journal {
    /// Begins a dataset, or goes on with it.
    ///
    /// # Errors
    /// A folder that cannot be written, or that holds a dataset of other inputs or settings.
    pub fn open(folder: &Path, head: Head) -> anyhow::Result<State> {
        let manifest = folder.join(MANIFEST);
        if let Ok(text) = std::fs::read_to_string(&manifest) {
            let known: Manifest =
                serde_json::from_str(&text).with_context(|| format!("`{}` is no manifest", manifest.display()))?;
            same(&known.head, &head, folder)?;
            return Ok(State::Complete(known.rows));
        }
        let path = folder.join(JOURNAL);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // A line that a kill cut off was not written.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        let mut shards = Vec::new();
        if let Some(first) = lines.next() {
            let known: Head =
                serde_json::from_str(first).with_context(|| format!("`{}` is no journal", path.display()))?;
            same(&known, &head, folder)?;
            for line in lines {
                let shard = serde_json::from_str(line);
                shards.push(shard.with_context(|| format!("`{}` has a line that is no shard", path.display()))?);
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("could not open `{}`", path.display()))?;
        file.set_len(whole.len() as u64)?;
        let mut journal = Journal { folder: folder.to_owned(), file, head, shards };
        if whole.is_empty() {
            let head = serde_json::to_string(&journal.head)?;
            journal.append(&head)?;
        }
        Ok(State::Open(journal))
    }

    fn append(&mut self, line: &str) -> anyhow::Result<()> {
        let mut write = || -> std::io::Result<()> {
            self.file.write_all(format!("{line}\n").as_bytes())?;
            self.file.sync_data()
        };
        write().with_context(|| format!("could not write `{}`", self.folder.join(JOURNAL).display()))
    }

    /// Notes a shard that lies in its place on the disk.
    pub fn add(&mut self, shard: Shard) -> anyhow::Result<()> {
        self.append(&serde_json::to_string(&shard)?)?;
        self.shards.push(shard);
        Ok(())
    }

    /// Ends the dataset: the manifest in the place of the journal.
    pub fn finish(self, counts: Counts) -> anyhow::Result<u64> {
        let rows = self.shards.iter().map(|shard| shard.rows).sum();
        let manifest = Manifest { head: self.head, rows, counts, shards: self.shards };
        let (path, new) = (self.folder.join(MANIFEST), self.folder.join("manifest.new"));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&new)?;
            file.write_all(format!("{:#}\n", serde_json::to_value(&manifest)?).as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, &path)?;
            std::fs::remove_file(self.folder.join(JOURNAL))
        };
        write().with_context(|| format!("could not write `{}`", path.display()))?;
        Ok(rows)
    }
}

fn same(known: &Head, head: &Head, folder: &Path) -> anyhow::Result<()> {
    let what = match () {
        () if known.inputs != head.inputs => "other archives (or they have changed)",
        () if known.settings != head.settings => "other settings",
        () if known.software != head.software => "another version of the program",
        () => return Ok(()),
    };
    anyhow::bail!("`{}` holds a dataset of {what}; name another folder with `--out`, or delete it", folder.display())
}
