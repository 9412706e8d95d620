//! The words of class, id and role attributes: one table, a column of groups for each reader.

use gristmill_text::{ByHash, hash};

/// A reader of class words: a column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassWordList {
    /// Whether text is main text.
    Best = 1,
    /// What kind of page it is.
    Kind = 2,
    /// Product records.
    Records = 3,
}

/// One word a line, the groups of each reader after it, between tabs.
static TABLE: &str = include_str!("class_words.tsv");

/// The groups of each word by its [`hash`]: bit n for the n-th of `groups`, the reader's own order, at most 64. O(table).
///
/// Panics when the table names a group that the reader does not know, which the first test of the reader would see.
pub fn class_words(column: ClassWordList, groups: &[&str]) -> ByHash<u64> {
    let mut bits = ByHash::default();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let word = fields.next().unwrap_or("");
        let own = fields.nth(column as usize - 1).unwrap_or("-");
        for group in own.split(',').filter(|group| *group != "-") {
            let bit = groups.iter().position(|known| *known == group);
            let bit =
                bit.unwrap_or_else(|| panic!("class_words.tsv: {column:?} knows no group `{group}` (word `{word}`)"));
            *bits.entry(hash(word.as_bytes())).or_default() |= 1 << bit;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute_words::each_spelling;

    #[test]
    fn the_table_is_sorted_and_each_of_its_words_is_one_that_readers_can_meet() {
        let lines: Vec<Vec<&str>> =
            TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
        assert!(lines.is_sorted_by(|a, b| a[0] < b[0]));
        for line in lines {
            let mut met = Vec::new();
            each_spelling(line[0], |word| met.push(word.to_vec()));
            assert_eq!((line.len(), &met[..]), (4, &[line[0].as_bytes().to_vec()][..]), "{line:?}");
            assert!(line[1..].iter().any(|groups| *groups != "-"), "{line:?} says nothing");
        }
    }
}
