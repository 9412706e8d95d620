//! How files are written.

/// How files are written. The defaults suit text of the web that others will download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterOptions {
    /// A row group of Parquet ends with the row that brings it to this many bytes before compression; 100 MB.
    /// This bounds the memory of the writer: less than twice as much, and the longest row.
    pub group_bytes: usize,
    /// A row group of Parquet ends with this many rows, 100,000.
    pub group_rows: usize,
    /// The level of zstd, 1 to 22, in Parquet and JSON lines; 3.
    pub zstd_level: i32,
    /// The level of gzip, 0 to 9; 6.
    pub gzip_level: u32,
    /// Names and values that go into the footer of Parquet: the software, its version, its settings. The other formats
    /// have no place for them.
    pub metadata: Vec<(String, String)>,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self { group_bytes: 100_000_000, group_rows: 100_000, zstd_level: 3, gzip_level: 6, metadata: Vec::new() }
    }
}
