//! Sections of the seen set merged into one.

use crate::error::{FrontierError, disk};
use crate::fingerprint::SUFFIX;
use crate::seen_file::{ENTRY, SeenSection, damaged};

/// The entries of all sections of a range and of what is `newest`, ascending.
pub(crate) fn all_entries(
    number: usize,
    base: Option<&SeenSection>,
    recent: &[SeenSection],
    newest: Vec<u8>,
) -> Result<Vec<u8>, FrontierError> {
    let read = |section: &SeenSection| section.entries().map_err(disk)?.ok_or_else(|| damaged(number));
    // What is small is merged first.
    let mut newer = newest;
    for section in recent.iter().rev() {
        newer = merged(&read(section)?, &newer);
    }
    base.map_or(Ok(Vec::new()), read).map(|older| merged(&older, &newer))
}

/// The entries of both; where both have one, the newer.
fn merged(older: &[u8], newer: &[u8]) -> Vec<u8> {
    let mut entries = Vec::with_capacity(older.len() + newer.len());
    let ((mut older, _), (newer, _)) = (older.as_chunks::<ENTRY>(), newer.as_chunks::<ENTRY>());
    for entry in newer {
        let suffix = &entry[..SUFFIX];
        let (before, rest) = older.split_at(n_below(older, suffix));
        entries.extend_from_slice(before.as_flattened());
        older = rest;
        if let Some((same, rest)) = rest.split_first()
            && same[..SUFFIX] == *suffix
        {
            older = rest;
        }
        entries.extend_from_slice(entry);
    }
    entries.extend_from_slice(older.as_flattened());
    entries
}

/// How many entries are below `suffix`; there are few, so the first ones are looked at first.
fn n_below(entries: &[[u8; ENTRY]], suffix: &[u8]) -> usize {
    let is_below = |entry: &[u8; ENTRY]| entry[..SUFFIX] < *suffix;
    let mut end = 1;
    while entries.get(end - 1).is_some_and(is_below) {
        end *= 2;
    }
    let start = end / 2;
    start + entries[start..end.min(entries.len())].partition_point(is_below)
}
