//! The seen set of stores and snapshots of older versions.

use crate::codec::RecordDecoder;
use crate::error::FrontierError;
use crate::fingerprint::SUFFIX;
use crate::seen::SeenSet;
use crate::seen_file::{ENTRY, damaged};
use crate::table::StoreTable;

/// Takes in the rows that snapshots of older versions have.
///
/// ```text
/// range u8            → merged up to (sequence), number of entries
/// range u8 | part u16 → entries
/// ```
///
/// Format 2 had these rows in a table of its own, with one part for each bucket, and more behind the number of entries.
#[derive(Default)]
pub(crate) struct SeenImport {
    /// The range that is being read: its number, up to where it is merged, how many entries it has, and those that came.
    range: Option<(u8, u64, u64, Vec<u8>)>,
}

impl SeenImport {
    /// Takes in the next row.
    ///
    /// # Errors
    /// It means nothing here, or the disk does not answer.
    pub(crate) fn row(
        &mut self,
        set: &mut SeenSet,
        rows: &mut StoreTable,
        (key, value): (&[u8], &[u8]),
    ) -> Result<(), FrontierError> {
        match (key, &mut self.range) {
            ([number], _) => {
                self.finish(set, rows)?;
                let mut reader = RecordDecoder(value);
                let head = reader.number().zip(reader.number());
                let (merged_to, n_entries) = head.ok_or_else(|| damaged(usize::from(*number)))?;
                self.range = Some((*number, merged_to, n_entries, Vec::new()));
                Ok(())
            }
            ([number, _, _], Some((of, _, n_entries, entries))) if number == of => {
                entries.extend_from_slice(value);
                let fits = value.len().is_multiple_of(ENTRY) && (entries.len() / ENTRY) as u64 <= *n_entries;
                if fits { Ok(()) } else { Err(damaged(usize::from(*number))) }
            }
            _ => Err(damaged(key.first().map_or(0, |number| usize::from(*number)))),
        }
    }

    /// After the last row of all.
    ///
    /// # Errors
    /// Entries are missing or do not ascend, or the disk does not answer.
    pub(crate) fn finish(&mut self, set: &mut SeenSet, rows: &mut StoreTable) -> Result<(), FrontierError> {
        let Some((number, merged_to, n_entries, entries)) = self.range.take() else { return Ok(()) };
        let (chunks, _) = entries.as_chunks::<ENTRY>();
        let ascend = chunks.windows(2).all(|pair| pair[0][..SUFFIX] < pair[1][..SUFFIX]);
        // A part less, and its URLs would be new once more.
        if !ascend || chunks.len() as u64 != n_entries {
            return Err(damaged(number.into()));
        }
        set.put_base(number.into(), merged_to, &entries, rows)
    }
}
