//! Names of files: `PREFIX-TIMESTAMP-SERIAL-PARTITION.warc.gz`.

use std::fmt;

/// What a file that is not finished ends with, behind its name.
pub(crate) const OPEN: &str = ".open";

const WARC: &str = ".warc.gz";
const CDXJ: &str = ".cdxj";

/// The name of an archive. It is told by its first capture, so the same captures make the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArchiveName {
    pub prefix: String,
    /// Of the first capture: `YYYYMMDDhhmmss`, UTC.
    pub timestamp: String,
    /// Position of the first capture in its partition.
    pub first: u64,
    pub partition: u32,
}

impl ArchiveName {
    /// The name of an archive or of its index, finished or not; `None` for others.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let name = name.strip_suffix(OPEN).unwrap_or(name);
        let stem = name.strip_suffix(WARC).or_else(|| name.strip_suffix(CDXJ))?;
        let (rest, partition) = stem.rsplit_once("-p")?;
        let (rest, first) = rest.rsplit_once('-')?;
        let (prefix, timestamp) = rest.rsplit_once('-')?;
        let partition = partition.parse().ok()?;
        let parsed = Self { prefix: prefix.into(), timestamp: timestamp.into(), first: first.parse().ok()?, partition };
        (parsed.stem() == stem).then_some(parsed)
    }

    fn stem(&self) -> String {
        let Self { prefix, timestamp, first, partition } = self;
        format!("{prefix}-{timestamp}-{first:010}-p{partition:04}")
    }

    /// The name of the index.
    pub(crate) fn index(&self) -> String {
        self.stem() + CDXJ
    }
}

impl fmt::Display for ArchiveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{WARC}", self.stem())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_and_others_are_none() {
        let name =
            ArchiveName { prefix: "my-crawl".into(), timestamp: "20261123224826".into(), first: 17, partition: 3 };
        assert_eq!(name.to_string(), "my-crawl-20261123224826-0000000017-p0003.warc.gz");
        for told in [name.to_string(), name.index(), format!("{name}{OPEN}"), name.index() + OPEN] {
            assert_eq!(ArchiveName::parse(&told).as_ref(), Some(&name), "{told}");
        }
        for other in
            ["", "a.warc.gz", "a-1-2-p3.warc.gz", "my-crawl-20261123224826-0000000017-p0003.warc", "x-p0001.cdxj"]
        {
            assert_eq!(ArchiveName::parse(other), None, "{other}");
        }
    }
}
