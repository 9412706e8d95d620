//! ARC files, the form of web archives before WARC, as the WARC that they would be.
//!
//! Source: "ARC File Format" of the Internet Archive, versions 1 and 2. A record is a line with address, IP address, date, media type
//! and length (version 2 has more between the last two), and the bytes. A date of 14 digits is what every line has; addresses with
//! blanks are not rare.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

/// Longest line of a record; what is longer is none.
const MAX_LINE: u64 = 16 << 10;

/// Whether a file is an ARC by its name.
#[must_use]
pub fn is_arc(name: &str) -> bool {
    [".arc", ".arc.gz"].iter().any(|ending| name.ends_with(ending))
}

/// Reads an ARC, plain or gzip, as WARC: the same bytes for the same file, so that offsets hold.
///
/// A record of the protocol HTTP becomes a `response`, others a `resource`, the first one, which describes the file, a `warcinfo`. Lines
/// that are no records are passed over. Where the gzip stream is damaged the file ends, with a line that a reader tells as damage. Memory:
/// a line. Time: linear in what the file unpacks to.
pub struct FromArc {
    input: Box<dyn BufRead + Send>,
    /// Bytes of the header, or of the end, of a record that are still to be given.
    pending: Vec<u8>,
    given: usize,
    /// Bytes of the record's block that are still to be read.
    left: u64,
    /// Whether nothing more can be unpacked.
    is_broken: bool,
}

/// What ends a record.
const END: &[u8] = b"\r\n\r\n";

/// What stands for the rest of a damaged file.
const DAMAGE: &[u8] = b"\nthe rest cannot be unpacked\n";

impl FromArc {
    /// Begins at the first byte of the file.
    ///
    /// # Errors
    /// Those of the input.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Self> {
        let mut input = BufReader::new(input);
        let is_gzip = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead + Send> =
            if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(input))) } else { Box::new(input) };
        Ok(Self { input, pending: Vec::new(), given: 0, left: 0, is_broken: false })
    }

    fn read_some(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if self.given < self.pending.len() {
                let n = out.len().min(self.pending.len() - self.given);
                out[..n].copy_from_slice(&self.pending[self.given..self.given + n]);
                self.given += n;
                return Ok(n);
            }
            if self.left > 0 {
                return self.read_block(out);
            }
            if self.is_broken || !self.next_record()? {
                break;
            }
        }
        Ok(0)
    }

    /// Some of the block of a record. Where the file ends in it, the reader of the WARC tells that the record is cut.
    fn read_block(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n = self.input.read(&mut out[..most])?;
        self.left = if n == 0 { 0 } else { self.left - n as u64 };
        if n > 0 && self.left == 0 {
            (self.pending, self.given) = (END.to_vec(), 0);
        }
        Ok(n)
    }

    /// Makes the header of the next record; `false` at the end.
    fn next_record(&mut self) -> io::Result<bool> {
        loop {
            let mut line = Vec::new();
            if self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(false);
            }
            let Some(record) = Line::read(&String::from_utf8_lossy(&line)) else { continue };
            self.left = record.length;
            (self.pending, self.given) = (record.header().into_bytes(), 0);
            if self.left == 0 {
                self.pending.extend_from_slice(END);
            }
            return Ok(true);
        }
    }
}

impl Read for FromArc {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.read_some(out) {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof
                ) =>
            {
                (self.pending, self.given, self.left, self.is_broken) = (DAMAGE.to_vec(), 0, 0, true);
                self.read_some(out)
            }
            read => read,
        }
    }
}

/// The line of a record.
#[derive(Debug, PartialEq)]
struct Line {
    url: String,
    ip: String,
    date: String,
    media_type: String,
    length: u64,
}

impl Line {
    fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_date = |word: &&str| (12..=17).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
        let date = words.iter().rposition(is_date).filter(|at| *at >= 2 && at + 2 < words.len())?;
        let url = words[..date - 1].join("%20");
        if !url.contains(':') {
            return None;
        }
        Some(Self {
            url,
            ip: words[date - 1].to_owned(),
            date: words[date].to_owned(),
            media_type: words[date + 1].to_owned(),
            length: words.last()?.parse().ok()?,
        })
    }

    fn header(&self) -> String {
        let (kind, media_type) = match self.url.split(':').next().unwrap_or_default() {
            "filedesc" => ("warcinfo", "application/warc-fields"),
            "http" | "https" => ("response", "application/http; msgtype=response"),
            _ => ("resource", self.media_type.as_str()),
        };
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\nWARC-IP-Address: {}\r\n\
             Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
            self.url, self.date, self.ip, self.length
        )
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::http::DecodeBuffers;
    use crate::{ReadLimits, ReaderItem, WarcReader, page_of};

    const ANSWER: &str = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Rye";

    fn archive(packed: bool) -> Vec<u8> {
        let pack = |text: String| {
            if !packed {
                return text.into_bytes();
            }
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        let about = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n";
        let length = ANSWER.len();
        [
            pack(format!("filedesc://x.arc 0.0.0.0 20080501000000 text/plain {}\n{about}\n", about.len())),
            pack(format!("http://a.test/a b 1.2.3.4 20080501000001 text/html {length}\n{ANSWER}\n")),
            pack("dns:a.test 1.2.3.4 20080501000001 text/dns 4\nx.y.\n".to_owned()),
            pack(format!("http://a.test/2 1.2.3.4 20080501000002 text/html 200 - - 77 x.arc.gz {length}\n{ANSWER}\n")),
        ]
        .concat()
    }

    fn pages(bytes: Vec<u8>) -> Vec<(String, Option<i64>, Vec<u8>)> {
        let mut reader = WarcReader::new(FromArc::new(io::Cursor::new(bytes)).unwrap(), ReadLimits::default());
        let mut pages = Vec::new();
        while let Some(entry) = reader.next().unwrap() {
            if let ReaderItem::Record(record) = entry
                && let Ok(page) = page_of(&record, 1_000, &mut DecodeBuffers::default())
            {
                pages.push((page.url, page.seconds, page.body));
            }
        }
        pages
    }

    #[test]
    fn pages_of_both_versions_are_read_plain_and_packed() {
        for packed in [false, true] {
            let found = pages(archive(packed));
            let urls: Vec<&str> = found.iter().map(|(url, ..)| url.as_str()).collect();
            assert_eq!(urls, ["http://a.test/a%20b", "http://a.test/2"]);
            assert_eq!(found[0].1, Some(1_209_600_001));
            assert!(found.iter().all(|(.., body)| body == b"<p>Rye"));
        }
    }

    #[test]
    fn damage_in_a_packed_file_is_told_and_what_came_before_is_read() {
        let mut bytes = archive(true);
        let at = bytes.len() - 60;
        bytes[at..at + 20].fill(0xff);
        let mut reader = WarcReader::new(FromArc::new(io::Cursor::new(bytes)).unwrap(), ReadLimits::default());
        let (mut n_records, mut n_damages) = (0, 0);
        while let Some(entry) = reader.next().unwrap() {
            match entry {
                ReaderItem::Record(_) => n_records += 1,
                ReaderItem::Damage(_) => n_damages += 1,
            }
        }
        assert!(n_records >= 3 && n_damages >= 1, "{n_records} records, {n_damages} damages");
    }

    #[test]
    fn a_file_that_ends_early_or_is_none_gives_what_there_is() {
        let bytes = archive(false);
        assert_eq!(pages(bytes[..bytes.len() - 5].to_vec()).len(), 2);
        assert_eq!(pages(b"no archive\n".repeat(1_000)).len(), 0);
        assert_eq!(pages(vec![b'x'; 100_000]).len(), 0);
        assert_eq!(Line::read("http://a.test/ 1.2.3.4 20080501000001 text/html x\n"), None);
    }
}
