//! The seen set as it was at one moment, for snapshots.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

#[cfg(test)]
use crate::codec::RecordEncoder;
use crate::error::{FrontierError, disk};
use crate::seen_file::{ENTRY, SeenFile, SeenPlace, SeenSection, damaged};
use crate::seen_merge::all_entries;

/// The sections of one moment, whatever is merged later.
pub(crate) struct SeenMoment(pub(crate) Vec<Vec<HeldSection>>);

/// A section, and its file, which stays as long as it is held.
pub(crate) type HeldSection = (Arc<SeenFile>, SeenPlace);

impl SeenMoment {
    /// The names of all files, with their lengths.
    pub(crate) fn lengths(&self) -> Result<Vec<(String, u64)>, FrontierError> {
        let held = self.0.iter().flatten();
        let files: BTreeMap<u64, &Arc<SeenFile>> = held.map(|(file, _)| (file.number, file)).collect();
        files.into_iter().map(|(number, file)| Ok((format!("{number:016x}"), file.length().map_err(disk)?))).collect()
    }

    /// Counts all entries, or names the first range of which they cannot be read. O(the set); one range is in memory.
    pub(crate) fn check(&self) -> Result<u64, FrontierError> {
        (0..self.0.len()).try_fold(0, |before, number| Ok(before + (self.entries(number)?.len() / ENTRY) as u64))
    }

    fn entries(&self, number: usize) -> Result<Vec<u8>, FrontierError> {
        let open = |(file, place): &HeldSection| SeenSection::open(Arc::clone(file), *place);
        let sections = self.0[number].iter().map(open).collect::<io::Result<Option<Vec<_>>>>().map_err(disk)?;
        let sections = sections.ok_or_else(|| damaged(number))?;
        let (base, recent) = sections.split_at(sections.len().min(1));
        all_entries(number, base.first(), recent, Vec::new())
    }

    /// Hands on the rows that format 2 had of a set, all ranges of which are merged up to `merged_to`.
    #[cfg(test)]
    pub(crate) fn rows(&self, merged_to: u64, mut take: impl FnMut(Vec<u8>, Vec<u8>)) {
        for number in 0..self.0.len() {
            let entries = self.entries(number).unwrap();
            let mut writer = RecordEncoder::default();
            writer.number(merged_to).number((entries.len() / ENTRY) as u64);
            take(vec![number as u8], writer.0);
            for (part, entries) in entries.chunks(4_096 * ENTRY).enumerate() {
                take(vec![number as u8, 0, part as u8], entries.to_vec());
            }
        }
    }
}
