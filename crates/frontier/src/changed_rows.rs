//! Which rows of the tables changed since a snapshot, about: one bit for all rows with one hash.
//!
//! So it is of one size whatever changes, and no row that is gone need be told: what a later snapshot has of a bit replaces all that
//! earlier ones have of it.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Bits at least and at most, as powers of two: 16 KiB to 16 MiB.
const LEAST: u32 = 17;
const MOST: u32 = 27;

pub(crate) struct ChangedRows(Vec<u64>);

impl ChangedRows {
    /// With some bits for each of so many rows.
    pub(crate) fn for_rows(n_rows: u64) -> Self {
        let log = n_rows.max(1).ilog2() + 1;
        Self::of_log(log.clamp(LEAST, MOST))
    }

    fn of_log(log: u32) -> Self {
        Self(vec![0; 1 << log.saturating_sub(u64::BITS.ilog2())])
    }

    /// Word and bit of a row.
    fn place(&self, table: &str, key: &[u8]) -> (usize, u64) {
        let hash = xxh3_64_with_seed(key, xxh3_64(table.as_bytes()));
        ((hash >> u64::BITS.ilog2()) as usize & (self.0.len() - 1), 1 << (hash % u64::from(u64::BITS)))
    }

    pub(crate) fn note(&mut self, table: &str, key: &[u8]) {
        let (word, bit) = self.place(table, key);
        self.0[word] |= bit;
    }

    /// Whether the row may have changed; never wrong when it says no.
    pub(crate) fn has(&self, table: &str, key: &[u8]) -> bool {
        let (word, bit) = self.place(table, key);
        self.0[word] & bit != 0
    }

    /// Writes log₂ of the bits as one byte, and the bits.
    pub(crate) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&[self.0.len().ilog2() as u8 + u64::BITS.ilog2() as u8])?;
        self.0.iter().try_for_each(|word| output.write_all(&word.to_le_bytes()))
    }

    /// The bits after that byte, `log`; `None` where no set has so many.
    pub(crate) fn read(log: u8, input: &mut impl Read) -> io::Result<Option<Self>> {
        if !(LEAST..=MOST).contains(&log.into()) {
            return Ok(None);
        }
        let mut rows = Self::of_log(log.into());
        for word in &mut rows.0 {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        Ok(Some(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_there_and_little_else_also_after_the_disk() {
        let mut rows = ChangedRows::for_rows(1_000_000);
        (0..10_000_u32).for_each(|n| rows.note("urls", &n.to_le_bytes()));
        let mut bytes = Vec::new();
        rows.write(&mut bytes).unwrap();
        assert_eq!((bytes[0], bytes.len()), (20, 1 + (1 << 17)));
        let rows = ChangedRows::read(bytes[0], &mut &bytes[1..]).unwrap().unwrap();
        assert!((0..10_000_u32).all(|n| rows.has("urls", &n.to_le_bytes())));
        let others = (0..10_000_u32).filter(|n| rows.has("hosts", &n.to_le_bytes())).count();
        assert!(others < 150, "{others}");
        assert!(ChangedRows::read(16, &mut &bytes[..]).unwrap().is_none());
        assert!(ChangedRows::read(20, &mut &bytes[..100]).is_err());
        assert_eq!(ChangedRows::for_rows(u64::MAX).0.len(), 1 << 21);
    }
}
