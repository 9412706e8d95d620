//! What an archive says of itself.

use crate::record::{RecordKind, WarcRecord};

/// Bytes of the text that are kept; those of known crawlers have less than a thousandth of it.
const MAX_BYTES: usize = 64 << 10;

/// A record of the type `warcinfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warcinfo {
    /// Its block, at most the first 64 KiB: lines of names and values such as `software: Nutch 1.6 (CC)`.
    pub text: String,
    /// The crawl that the archive belongs to: its `isPartOf`, or else its file name, WARC-Filename.
    pub dump: Option<String>,
}

impl Warcinfo {
    /// What a record says; none if it is of another type.
    #[must_use]
    pub fn of(record: &WarcRecord<'_>) -> Option<Warcinfo> {
        if record.kind() != RecordKind::Warcinfo {
            return None;
        }
        let block = &record.body()[..record.body().len().min(MAX_BYTES)];
        let text = String::from_utf8_lossy(block).into_owned();
        let value = |wanted: &str| {
            let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
            let found = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let file = || record.field("WARC-Filename").map(|name| name.into_owned());
        let dump = value("isPartOf").or_else(file);
        Some(Warcinfo { text, dump })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadLimits, ReaderItem, WarcReader};

    fn of(fields: &str, block: &str) -> Option<Warcinfo> {
        let archive = format!("WARC/1.0\r\n{fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
        let mut reader = WarcReader::new(archive.as_bytes(), ReadLimits::default());
        let Ok(Some(ReaderItem::Record(record))) = reader.next() else { panic!("no record in {archive}") };
        Warcinfo::of(&record)
    }

    #[test]
    fn the_crawl_is_what_the_archive_is_part_of_or_else_its_file_name() {
        let fields = "WARC-Type: warcinfo\r\nWARC-Filename: a.warc.gz\r\n";
        let dump = |block| of(fields, block).unwrap().dump;
        assert_eq!(dump("software: x\r\nispartof: CC-MAIN-2026-04\r\n").as_deref(), Some("CC-MAIN-2026-04"));
        assert_eq!(dump("software: x\r\n").as_deref(), Some("a.warc.gz"));
        assert_eq!(of("WARC-Type: warcinfo\r\n", "isPartOf:\r\n").unwrap().dump, None);
        assert_eq!(of("WARC-Type: metadata\r\n", "isPartOf: x\r\n"), None);
    }

    #[test]
    fn a_huge_block_is_cut() {
        assert_eq!(of("WARC-Type: warcinfo\r\n", &"a: b\n".repeat(100_000)).unwrap().text.len(), MAX_BYTES);
    }
}
