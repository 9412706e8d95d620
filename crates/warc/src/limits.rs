//! What one archive may cost, however it was made.

/// Bounds of a [`WarcReader`](crate::Reader).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// Longest body that is kept, in bytes. Of a longer one the head is kept and the rest is passed over.
    pub body_bytes: usize,
    /// Longest record header, in bytes; it counts as damage beyond.
    pub header_bytes: usize,
    /// How many times its compressed size a member may have when decoded, beyond the first 64 MiB or [`ReadLimits::body_bytes`].
    /// Deflate ends at 1,032, zstd near 30,000; archives have 3 to 20.
    pub ratio: u64,
    /// Largest zstd dictionary, packed or not, in bytes.
    pub dictionary_bytes: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits { body_bytes: 64 << 20, header_bytes: 256 << 10, ratio: 200, dictionary_bytes: 16 << 20 }
    }
}

impl ReadLimits {
    /// Whether a member of `read` bytes that made `made` is a bomb.
    pub(crate) fn is_bomb(&self, read: u64, made: u64) -> bool {
        const FREE: u64 = 64 << 20;
        made > FREE.max(self.body_bytes as u64).saturating_add(read.saturating_mul(self.ratio))
    }
}
