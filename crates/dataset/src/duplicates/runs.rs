//! Sorted runs: the keys of some documents in their order, in a file that is read by ranges of keys.
//!
//! ```text
//! magic │ documents, sections │ entries and fences of each section │ ranks │ parents │ fences │ entries of each section
//! ```
//! All numbers are little-endian. An entry is a key and the number of a document within the run, 12 bytes; a fence is the
//! key of every 512th entry, so that a range is found without searching the file.

use std::io::{self, Write};

use super::clusters::ClusterForest;

const MAGIC: &[u8; 8] = b"gmkeys1\n";
/// Bytes of an entry.
const ENTRY: usize = 12;
/// Entries from one fence to the next.
const FENCE: usize = 512;

/// Something that can be read at any place, by several threads.
pub trait ReadAt: Sync {
    /// Fills `bytes` from `offset` on.
    ///
    /// # Errors
    /// Those of reading, and an end before all are filled.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;
}

impl ReadAt for Vec<u8> {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let piece = start.checked_add(bytes.len()).and_then(|end| self.get(start..end));
        bytes.copy_from_slice(piece.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A key, and the number of a document.
pub(super) type KeyEntry = (u64, u32);

/// Collects the keys of documents, to be written as one run. Memory: 16 bytes a key.
pub struct KeyRunBuilder {
    sections: Vec<Vec<KeyEntry>>,
    ranks: Vec<u64>,
    is_linked: bool,
}

impl KeyRunBuilder {
    /// A run of documents that have one key in each of so many sections. Documents of one key are linked, and one of them
    /// stands for all in the file: a text that comes a million times is one entry.
    pub fn linked(sections: usize) -> Self {
        Self { sections: vec![Vec::new(); sections], ranks: Vec::new(), is_linked: true }
    }

    /// A run of documents that have any number of keys in one section, each counted once.
    pub fn plain() -> Self {
        Self { sections: vec![Vec::new()], ranks: Vec::new(), is_linked: false }
    }

    /// Documents so far.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Adds a document: its rank ([`rank`](super::rank)) and its keys, in a linked run one for each section or none.
    pub fn push(&mut self, rank: u64, keys: &[u64]) {
        let number = self.ranks.len() as u32;
        self.ranks.push(rank);
        if self.is_linked {
            self.sections.iter_mut().zip(keys).for_each(|(section, key)| section.push((*key, number)));
        } else {
            self.sections[0].extend(keys.iter().map(|key| (*key, number)));
        }
    }

    /// Writes the run.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(mut self, mut out: impl Write) -> io::Result<()> {
        let mut forest = ClusterForest::new(std::mem::take(&mut self.ranks));
        for section in &mut self.sections {
            section.sort_unstable();
            section.dedup();
            if self.is_linked {
                section.dedup_by(|later, first| {
                    let is_same = later.0 == first.0;
                    if is_same {
                        forest.join(first.1, later.1);
                    }
                    is_same
                });
            }
        }
        out.write_all(MAGIC)?;
        out.write_all(&(forest.ranks.len() as u64).to_le_bytes())?;
        out.write_all(&(self.sections.len() as u64).to_le_bytes())?;
        for section in &self.sections {
            out.write_all(&(section.len() as u64).to_le_bytes())?;
        }
        forest.ranks.iter().try_for_each(|rank| out.write_all(&rank.to_le_bytes()))?;
        forest.parents.iter().try_for_each(|parent| out.write_all(&parent.to_le_bytes()))?;
        for section in &self.sections {
            section.iter().step_by(FENCE).try_for_each(|(key, _)| out.write_all(&key.to_le_bytes()))?;
        }
        let mut bytes = Vec::with_capacity(FENCE * ENTRY);
        for piece in self.sections.iter().flat_map(|section| section.chunks(FENCE)) {
            bytes.clear();
            for (key, number) in piece {
                bytes.extend_from_slice(&key.to_le_bytes());
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            out.write_all(&bytes)?;
        }
        Ok(())
    }
}

/// A run that was written.
pub struct KeyRun<R> {
    file: R,
    documents: u64,
    sections: Vec<Section>,
}

struct Section {
    /// Where the entries begin in the file.
    offset: u64,
    entries: u64,
    fences: Vec<u64>,
}

impl<R: ReadAt> KeyRun<R> {
    /// Reads the head of a run.
    ///
    /// # Errors
    /// Those of reading; bytes that are no run.
    pub fn open(file: R) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "no run of keys");
        let mut head = [0; 24];
        file.read_exact_at(&mut head, 0)?;
        let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap_or_default());
        let (documents, n_sections) = (number(8), number(16));
        if head[..8] != *MAGIC || documents > u64::from(u32::MAX) || n_sections > 256 {
            return Err(wrong());
        }
        let lens = numbers(&file, 24, n_sections)?;
        let mut at = 24 + 8 * n_sections + 12 * documents;
        let mut sections = Vec::new();
        for entries in lens {
            let fences = numbers(&file, at, entries.div_ceil(FENCE as u64))?;
            at += 8 * fences.len() as u64;
            sections.push(Section { offset: 0, entries, fences });
        }
        for section in &mut sections {
            section.offset = at;
            at += ENTRY as u64 * section.entries;
        }
        Ok(Self { file, documents, sections })
    }

    /// How many documents it is of.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    pub(super) fn sections(&self) -> usize {
        self.sections.len()
    }

    pub(super) fn entries(&self, section: usize) -> u64 {
        self.sections[section].entries
    }

    /// The rank of each document.
    pub(super) fn ranks(&self) -> io::Result<Vec<u64>> {
        numbers(&self.file, 24 + 8 * self.sections.len() as u64, self.documents)
    }

    /// What each document is linked to within the run.
    pub(super) fn parents(&self) -> io::Result<Vec<u32>> {
        let mut bytes = vec![0; 4 * self.documents as usize];
        self.file.read_exact_at(&mut bytes, 24 + 8 * (self.sections.len() as u64 + self.documents))?;
        Ok(bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap_or_default())).collect())
    }

    /// Gives the entries of a section whose keys are from `first` to `last`, in their order.
    pub(super) fn range(
        &self,
        section: usize,
        first: u64,
        last: u64,
        mut take: impl FnMut(KeyEntry),
    ) -> io::Result<()> {
        let section = &self.sections[section];
        let start = section.fences.partition_point(|fence| *fence < first).saturating_sub(1) as u64 * FENCE as u64;
        let end = section.fences.partition_point(|fence| *fence <= last) as u64 * FENCE as u64;
        let end = end.min(section.entries);
        let mut bytes = vec![0; ENTRY * end.saturating_sub(start) as usize];
        self.file.read_exact_at(&mut bytes, section.offset + ENTRY as u64 * start)?;
        let entry = |bytes: &[u8]| {
            let key = u64::from_le_bytes(bytes[..8].try_into().unwrap_or_default());
            (key, u32::from_le_bytes(bytes[8..].try_into().unwrap_or_default()))
        };
        bytes.chunks_exact(ENTRY).map(entry).filter(|(key, _)| (first..=last).contains(key)).for_each(&mut take);
        Ok(())
    }
}

/// So many numbers of 64 bits at a place.
fn numbers(file: &impl ReadAt, offset: u64, n: u64) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    let mut bytes = vec![0; 1 << 16];
    while (numbers.len() as u64) < n {
        let piece = (n - numbers.len() as u64).min(1 << 13) as usize;
        let bytes = &mut bytes[..8 * piece];
        file.read_exact_at(bytes, offset + 8 * numbers.len() as u64)?;
        numbers.extend(bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default())));
    }
    Ok(numbers)
}
