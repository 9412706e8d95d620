//! File formats, by name.

use std::fmt;
use std::str::FromStr;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileFormat {
    /// Apache Parquet, compressed with zstd. Needs the feature `parquet` of this crate, which is on by default.
    #[default]
    Parquet,
    /// One JSON object a line, with all columns in their order; what is not known is `null`.
    JsonLines,
    /// JSON lines in one gzip member.
    JsonLinesGzip,
    /// JSON lines in one zstd frame with a checksum.
    JsonLinesZstd,
    /// CSV of RFC 4180 in UTF-8, with a header and lines that end in CRLF. Null and the empty text look the same.
    Csv,
}

impl FileFormat {
    pub const ALL: [Self; 5] = [Self::Parquet, Self::JsonLines, Self::JsonLinesGzip, Self::JsonLinesZstd, Self::Csv];

    /// The name that [`FileFormat::from_str`] reads, and the ending of a file name, without a dot before it.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::JsonLines => "jsonl",
            Self::JsonLinesGzip => "jsonl.gz",
            Self::JsonLinesZstd => "jsonl.zst",
            Self::Csv => "csv",
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// No format has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{0}`, known are parquet, jsonl, jsonl.gz, jsonl.zst and csv")]
pub struct UnknownFormat(pub String);

impl FromStr for FileFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.extension() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_read_by_its_extension_and_others_are_refused_by_name() {
        for format in FileFormat::ALL {
            assert_eq!(format.extension().parse(), Ok(format));
        }
        let error = "xlsx".parse::<FileFormat>().unwrap_err().to_string();
        assert_eq!(error, "unknown format `xlsx`, known are parquet, jsonl, jsonl.gz, jsonl.zst and csv");
    }
}
