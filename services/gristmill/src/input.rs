//! Bytes of files and of standard input, within a limit.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// Most bytes of a file or of standard input, unpacked.
const MAX_INPUT_BYTES: u64 = 64 << 20;
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Reads a file; one that begins as gzip does is unpacked, whatever its name.
pub fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_all(std::fs::File::open(path)?)
}

/// Reads to the end, and unpacks what begins as gzip does.
pub fn read_all(reader: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut reader = BufReader::new(reader);
    let packed = reader.fill_buf()?.starts_with(GZIP);
    if packed { limited(MultiGzDecoder::new(reader)) } else { limited(reader) }
}

/// Beginnings of files that are no pages, and what they are.
const FILES: [(&[u8], &str); 9] = [
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"PK\x03\x04", "a ZIP archive, or the document of an office program"),
    (b"\xd0\xcf\x11\xe0", "the document of an office program"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\0", "a database"),
];

/// Why these bytes are no page, so that nobody takes the letters of a picture for the words of one.
///
/// What begins as markup does is taken for a page even if there are NULs in it: some pages have them.
pub fn no_page(bytes: &[u8]) -> Option<String> {
    let named = FILES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, name)| *name);
    let markup = bytes.trim_ascii_start().starts_with(b"<");
    let what = named
        .or_else(|| (!markup && gristmill_html::is_binary(bytes)).then_some("a file of bytes that are no text"))?;
    Some(format!("this is {what}; pages are read, in HTML or plain text"))
}

fn limited(reader: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
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

    #[test]
    fn pictures_and_papers_are_no_pages() {
        assert!(no_page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap().contains("a picture"));
        assert!(no_page(b"%PDF-1.7\n1 0 obj").unwrap().contains("a PDF") && no_page(b"\x01\x02\0").is_some());
        assert!(no_page(b"<p>Rye</p>").is_none() && no_page(b"").is_none() && no_page(b"Rye").is_none());
        assert!(no_page(b"\xff\xfe<\0p\0>\0").is_none(), "UTF-16");
        assert!(no_page(b"\n<p>Rye\0</p>").is_none(), "a page with a NUL");
    }
}
