//! How far each archive is imported: a file of lines (`import.jsonl`), of which the last one of an archive counts.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use gristmill_archiver::source::ArchiveInput;
use gristmill_dataset::Journal;
use gristmill_dataset::output::ArchiveOffset;
use serde::{Deserialize, Serialize};

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
    journal: Journal<ImportProgress>,
    places: BTreeMap<String, ImportProgress>,
}

impl ImportJournal {
    /// Reads what earlier runs noted, and leaves one line for each archive.
    ///
    /// # Errors
    /// The file cannot be read or written, or is damaged before its last line.
    pub fn open(path: &Path) -> anyhow::Result<ImportJournal> {
        let noted = Journal::<ImportProgress>::read(path);
        let noted = noted.context("delete the file to import all archives once more")?;
        let places: BTreeMap<_, _> = noted.into_iter().map(|place| (place.archive.clone(), place)).collect();
        let lines: Vec<ImportProgress> = places.values().cloned().collect();
        Ok(ImportJournal { journal: Journal::create(path, &lines)?, places })
    }

    /// How far an archive is; none if nothing is known of it as it is now.
    pub fn of(&self, input: &ArchiveInput) -> Option<ImportProgress> {
        self.places.get(&input.name).filter(|place| place.len == input.len).cloned()
    }

    /// Notes how far an archive is, once its pages are in the log.
    pub fn note(&mut self, place: &ImportProgress) -> anyhow::Result<()> {
        self.journal.append(place)?;
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
