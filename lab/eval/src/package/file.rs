//! Files of a package, read whole and under a cap.

use std::io::Read;
use std::path::Path;

use super::SkippedDocument;

/// Largest file of a package, also after unpacking.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The bytes of a file; one whose name ends in `.gz` is unpacked.
///
/// # Errors
/// What cannot be read, is no regular file, or holds more than [`MAX_FILE_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>, SkippedDocument> {
    let io = |error: std::io::Error| SkippedDocument::new(path, format!("could not read it: {error}"));
    let about = std::fs::metadata(path).map_err(io)?;
    // A named pipe would block for ever.
    if !about.is_file() {
        return Err(SkippedDocument::new(path, "not a regular file"));
    }
    let file = std::fs::File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    let packed = path.extension().is_some_and(|ending| ending == "gz");
    let read = if packed {
        flate2::read::MultiGzDecoder::new(file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    } else {
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(SkippedDocument::new(path, format!("more than {MAX_FILE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// As [`read`], as text without a byte order mark.
pub(crate) fn read_text(path: &Path) -> Result<String, SkippedDocument> {
    let text = String::from_utf8(read(path)?).map_err(|error| {
        SkippedDocument::new(path, format!("not UTF-8 from byte {} on", error.utf8_error().valid_up_to()))
    })?;
    Ok(text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text))
}
