//! Bytes of files and of standard input, within a limit.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// Most bytes of a file or of standard input, unpacked.
const MAX_INPUT_BYTES: u64 = 64 << 20;
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Reads a file; one that begins as gzip does is unpacked, whatever its name.
///
/// # Errors
/// A file that cannot be read, or has more than 64 MiB.
pub fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let size = file.metadata()?.len();
    let mut first = [0; GZIP.len()];
    let n = file.read(&mut first)?;
    let read = (&first[..n]).chain(file);
    if first == *GZIP {
        return read_all(read);
    }
    // With room for all of it: one that grows leaves megabytes behind.
    limited(read, size.min(MAX_INPUT_BYTES) as usize)
}

/// Reads to the end, and unpacks what begins as gzip does.
///
/// # Errors
/// Those of reading, and more than 64 MiB.
pub fn read_all(reader: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut reader = BufReader::new(reader);
    let packed = reader.fill_buf()?.starts_with(GZIP);
    if packed { limited(MultiGzDecoder::new(reader), 0) } else { limited(reader, 0) }
}

fn limited(reader: impl Read, room: usize) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(room);
    reader.take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes)?;
    anyhow::ensure!(bytes.len() as u64 <= MAX_INPUT_BYTES, "more than {MAX_INPUT_BYTES} bytes");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn gzip_is_known_by_its_first_bytes() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(b"<p>Rye</p>").unwrap();
        assert_eq!(read_all(&packed.finish().unwrap()[..]).unwrap(), b"<p>Rye</p>");
        assert_eq!(read_all(&b"<p>Rye</p>"[..]).unwrap(), b"<p>Rye</p>");
        assert_eq!(read_all(&b""[..]).unwrap(), b"");
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let error = read_all(std::io::repeat(b' ')).unwrap_err().to_string();
        assert!(error.contains("67108864 bytes"), "{error}");
    }
}
