//! How far each archive is imported: a file of lines (`import.jsonl`), of which the last one of an archive counts.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::archives::inputs::ArchiveInput;
use crate::dataset::ArchiveOffset;

/// How many records ended how.
pub type Counts = BTreeMap<String, u64>;

/// How far an archive is imported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportProgress {
    /// Its name.
    pub archive: String,
    /// Its length when it was named; a file of another length is another archive.
    len: Option<u64>,
    pub is_done: bool,
    pub position: ArchiveOffset,
    /// Of all records up to there.
    pub counts: Counts,
}

impl ImportProgress {
    /// The beginning of an archive.
    pub fn of(input: &ArchiveInput) -> ImportProgress {
        ImportProgress { archive: input.name.clone(), len: input.len, ..ImportProgress::default() }
    }

    pub fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    pub fn pages(&self) -> u64 {
        self.counts.get("pages").copied().unwrap_or(0)
    }
}

/// The journal of one data directory.
pub struct ImportJournal {
    path: PathBuf,
    file: File,
    places: BTreeMap<String, ImportProgress>,
}

impl ImportJournal {
    /// Reads what earlier runs noted, and leaves one line for each archive.
    ///
    /// # Errors
    /// The file cannot be read or written, or is damaged before its last line.
    pub fn open(path: &Path) -> anyhow::Result<ImportJournal> {
        let path = path.to_owned();
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.with_context(|| format!("could not read `{}`", path.display()))?,
        };
        // A line that a kill cut off was not written.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut places = BTreeMap::new();
        for (number, line) in (1..).zip(whole.lines()) {
            let place: ImportProgress = serde_json::from_str(line).with_context(|| {
                format!(
                    "line {number} of `{}` is damaged; delete the file to import all archives once more",
                    path.display()
                )
            })?;
            places.insert(place.archive.clone(), place);
        }
        let new = path.with_extension("jsonl.new");
        let write = || -> anyhow::Result<File> {
            let lines: Vec<String> = places.values().map(serde_json::to_string).collect::<Result<_, _>>()?;
            let mut file = File::create(&new)?;
            file.write_all(lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, &path)?;
            Ok(OpenOptions::new().append(true).open(&path)?)
        };
        let file = write().with_context(|| format!("could not write `{}`", path.display()))?;
        Ok(ImportJournal { path, file, places })
    }

    /// How far an archive is; none if nothing is known of it as it is now.
    pub fn of(&self, input: &ArchiveInput) -> Option<ImportProgress> {
        self.places.get(&input.name).filter(|place| place.len == input.len).cloned()
    }

    /// Notes how far an archive is, once its pages are in the log.
    pub fn note(&mut self, place: &ImportProgress) -> anyhow::Result<()> {
        let line = serde_json::to_string(place)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| format!("could not write `{}`", self.path.display()))?;
        self.places.insert(place.archive.clone(), place.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_of_an_archive_counts() {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("import.jsonl");
        let input = ArchiveInput::remote("https://a.test/a.warc.gz".to_owned(), Some(7));
        let mut place = ImportProgress::of(&input);
        let mut journal = ImportJournal::open(&path).unwrap();
        assert_eq!(journal.of(&input), None);
        for offset in [10, 20] {
            place.position.offset = offset;
            place.count("pages");
            journal.note(&place).unwrap();
        }
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"archive\":\"cut").unwrap();
        let journal = ImportJournal::open(&path).unwrap();
        assert_eq!(journal.of(&input), Some(place));
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
        assert_eq!(journal.of(&ArchiveInput::remote(input.name, Some(8))), None, "another length is another archive");
    }
}
