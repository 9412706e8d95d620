//! An archive that was opened, wherever it is.

use std::io::Read;

/// The bytes of an archive.
pub struct ArchiveStream {
    pub bytes: Box<dyn Read + Send>,
    /// Its length in bytes, if that is known.
    pub len: Option<u64>,
    /// Which version of it this is; none for a file, and where a server does not tell.
    pub version: Option<u64>,
}
