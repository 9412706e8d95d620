//! A ZIP on the network as a file that can be sought in: what its directory needs comes in blocks, each by a request of its own.

use std::io::{self, Read, Seek, SeekFrom};

use anyhow::Context;

use super::remote::RemoteArchive;

/// Bytes that come with one request.
const BLOCK: u64 = 1 << 16;

/// Opens the file at an offset, of a version if one is named.
type Open<'a> = Box<dyn Fn(u64, Option<u64>) -> anyhow::Result<RemoteArchive> + 'a>;

/// The file, of one version.
pub struct RemoteZip<'a> {
    open: Open<'a>,
    version: Option<u64>,
    length: u64,
    at: u64,
    /// The block that was read last, and where it begins.
    block: Vec<u8>,
    block_at: u64,
}

impl<'a> RemoteZip<'a> {
    /// # Errors
    /// The file cannot be opened, or the server does not tell its length.
    pub fn open(open: Open<'a>) -> anyhow::Result<RemoteZip<'a>> {
        let first = open(0, None)?;
        let length = first.length().context("the server does not tell its length")?;
        Ok(RemoteZip { version: first.version(), length, at: 0, block: Vec::new(), block_at: 0, open })
    }

    fn fill(&mut self, from: u64) -> anyhow::Result<()> {
        let remote = (self.open)(from, self.version)?;
        anyhow::ensure!(
            remote.has_ranges(),
            "the server gives no parts of files (ranges), which a WACZ needs: download it"
        );
        self.block.clear();
        remote.take(BLOCK).read_to_end(&mut self.block)?;
        self.block_at = from;
        Ok(())
    }
}

impl Read for RemoteZip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.length {
            return Ok(0);
        }
        let from = self.at - self.at % BLOCK;
        if self.block.is_empty() || self.block_at != from {
            self.fill(from).map_err(|error| io::Error::other(format!("{error:#}")))?;
        }
        let rest = self.block.get((self.at - from) as usize..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for RemoteZip<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte"))?;
        Ok(self.at)
    }
}
