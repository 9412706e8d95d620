//! Checksums of the pieces of a file, behind what tantivy writes: damage is seen where it is first read, without reading the rest.
//!
//! ```text
//! content │ XXH3-64 of each piece of 16 KiB, u64 LE │ length of the content, u64 LE │ XXH3-64 of these numbers, u64 LE │ GRISTSUM
//! ```
//! tantivy has a checksum of a whole file behind its content, which costs a reading of all of it. It never sees ours.

use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::HasLen;
use tantivy::directory::error::OpenReadError;
use tantivy::directory::{AntiCallToken, FileHandle, OwnedBytes, TerminatingWrite, WritePtr};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const PIECE: usize = 16 * 1024;
const MAGIC: &[u8; 8] = b"GRISTSUM";
/// Length, checksum and magic.
const END: usize = 24;

/// A writer that adds checksums to what is written through it.
pub(crate) struct ChecksumWriter {
    inner: WritePtr,
    piece: Xxh3,
    in_piece: usize,
    length: u64,
    sums: Vec<u8>,
}

impl ChecksumWriter {
    pub(crate) fn over(inner: WritePtr) -> Self {
        Self { inner, piece: Xxh3::new(), in_piece: 0, length: 0, sums: Vec::new() }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(PIECE - self.in_piece));
            self.piece.update(now);
            self.in_piece += now.len();
            bytes = rest;
            if self.in_piece == PIECE {
                self.end_piece();
            }
        }
    }

    fn end_piece(&mut self) {
        self.sums.extend(self.piece.digest().to_le_bytes());
        self.piece.reset();
        self.in_piece = 0;
    }
}

impl Write for ChecksumWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.take(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl TerminatingWrite for ChecksumWriter {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        if self.in_piece > 0 {
            self.end_piece();
        }
        self.sums.extend(self.length.to_le_bytes());
        let sum = xxh3_64(&self.sums);
        self.sums.extend(sum.to_le_bytes());
        self.inner.write_all(&self.sums)?;
        self.inner.write_all(MAGIC)?;
        self.inner.terminate_ref(token)
    }
}

/// A piece of a file is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileDamage {
    file: PathBuf,
    bytes: Range<usize>,
}

impl fmt::Display for FileDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, bytes } = self;
        write!(f, "the file `{}` is not as it was written, at bytes {} to {}", file.display(), bytes.start, bytes.end)
    }
}

impl std::error::Error for FileDamage {}

/// The first damage that was met, also where tantivy passed over the error.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstDamage(Arc<Mutex<Option<FileDamage>>>);

impl FirstDamage {
    fn note(&self, damage: &FileDamage) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| damage.clone());
    }

    pub(crate) fn get(&self) -> Option<FileDamage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets it, when other files are read.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A file without its checksums, of which each piece is compared with its own when it is first read.
pub(crate) struct ChecksumFile {
    handle: Arc<dyn FileHandle>,
    file: PathBuf,
    length: usize,
    /// Empty where nothing is compared.
    sums: OwnedBytes,
    /// A bit for each piece that was compared.
    compared: Vec<AtomicU64>,
    damage: FirstDamage,
}

impl ChecksumFile {
    /// Reads the end of a file.
    ///
    /// # Errors
    /// It is not what [`ChecksumWriter`] writes.
    pub(crate) fn open(path: &Path, handle: Arc<dyn FileHandle>, damage: FirstDamage) -> Result<Self, OpenReadError> {
        let end = ending(handle.as_ref()).map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        let Some((length, sums)) = end else {
            let error = io::Error::new(io::ErrorKind::InvalidData, "the checksums at its end are gone");
            return Err(OpenReadError::wrap_io_error(error, path.to_owned()));
        };
        let compared = (0..(sums.len() / 8).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { handle, file: path.to_owned(), length, sums, compared, damage })
    }

    /// The same of a file that may be damaged, to save what can be read of it: nothing is compared.
    pub(crate) fn open_damaged(path: &Path, handle: Arc<dyn FileHandle>) -> Self {
        let length = ending(handle.as_ref()).ok().flatten().map_or_else(|| likely_length(handle.as_ref()), |end| end.0);
        let (sums, compared, damage) = (OwnedBytes::empty(), Vec::new(), FirstDamage::default());
        Self { handle, file: path.to_owned(), length, sums, compared, damage }
    }

    /// Compares the first and the last of so many bytes with their checksums, or all if there are no more.
    pub(crate) fn compare(&self, bytes: usize) -> io::Result<()> {
        let half = bytes.min(self.length).div_ceil(2);
        self.compare_range(0..half)?;
        self.compare_range(self.length - half..self.length)
    }

    fn compare_range(&self, range: Range<usize>) -> io::Result<()> {
        if self.sums.is_empty() || range.is_empty() {
            return Ok(());
        }
        for piece in range.start / PIECE..range.end.div_ceil(PIECE) {
            let (bits, bit) = (&self.compared[piece / 64], 1 << (piece % 64));
            if bits.load(Ordering::Relaxed) & bit == 0 {
                self.compare_piece(piece)?;
                bits.fetch_or(bit, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn compare_piece(&self, piece: usize) -> io::Result<()> {
        let bytes = piece * PIECE..((piece + 1) * PIECE).min(self.length);
        let sum = xxh3_64(&self.handle.read_bytes(bytes.clone())?).to_le_bytes();
        if self.sums[piece * 8..piece * 8 + 8] == sum {
            return Ok(());
        }
        let damage = FileDamage { file: self.file.clone(), bytes };
        self.damage.note(&damage);
        Err(io::Error::new(io::ErrorKind::InvalidData, damage))
    }
}

/// The length of the content and the checksums of its pieces, if the end of the file is whole.
fn ending(handle: &dyn FileHandle) -> io::Result<Option<(usize, OwnedBytes)>> {
    let Some(last) = handle.len().checked_sub(END) else { return Ok(None) };
    let end = handle.read_bytes(last..handle.len())?;
    let length = usize::try_from(u64::from_le_bytes(end[..8].try_into().expect("eight bytes"))).unwrap_or(usize::MAX);
    let n_sums = length.div_ceil(PIECE);
    let fits = n_sums.checked_mul(8).and_then(|bytes| bytes.checked_add(length)) == Some(last);
    if &end[16..] != MAGIC || !fits {
        return Ok(None);
    }
    let numbers = handle.read_bytes(length..last + 8)?;
    let whole = xxh3_64(&numbers).to_le_bytes() == end[8..16];
    Ok(whole.then(|| (length, numbers.slice(0..n_sums * 8))))
}

/// The length of the content where the numbers at the end are damaged: that which the size of the file tells. A file that
/// does not even end nearly as ours do is an earlier version's, which has no checksums.
fn likely_length(handle: &dyn FileHandle) -> usize {
    let magic = handle.len().checked_sub(MAGIC.len()).and_then(|at| handle.read_bytes(at..handle.len()).ok());
    let alike = magic.is_some_and(|magic| magic.iter().zip(MAGIC).filter(|(a, b)| a == b).count() > MAGIC.len() / 2);
    if !alike {
        return handle.len();
    }
    let rest = handle.len().saturating_sub(END);
    rest.saturating_sub(rest.div_ceil(PIECE + 8) * 8)
}

impl FileHandle for ChecksumFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.end > self.length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "reads behind the end of the content"));
        }
        self.compare_range(range.clone())?;
        self.handle.read_bytes(range)
    }
}

impl HasLen for ChecksumFile {
    fn len(&self) -> usize {
        self.length
    }
}

impl fmt::Debug for ChecksumFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Summed({})", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::Directory;
    use tantivy::directory::RamDirectory;

    fn written(content: &[u8]) -> Vec<u8> {
        let (directory, path) = (RamDirectory::create(), Path::new("a.idx"));
        let mut writer = ChecksumWriter::over(directory.open_write(path).unwrap());
        content.chunks(1000).for_each(|chunk| writer.write_all(chunk).unwrap());
        let writer: WritePtr = io::BufWriter::new(Box::new(writer));
        writer.terminate().unwrap();
        directory.open_read(path).unwrap().read_bytes().unwrap().to_vec()
    }

    fn open(bytes: &[u8]) -> Result<ChecksumFile, OpenReadError> {
        ChecksumFile::open(Path::new("a.idx"), Arc::new(OwnedBytes::new(bytes.to_vec())), FirstDamage::default())
    }

    #[test]
    fn content_of_any_length_comes_back() {
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5] {
            let content: Vec<u8> = (0..length).map(|n| (n % 251) as u8).collect();
            let file = open(&written(&content)).unwrap();
            assert_eq!((file.len(), file.read_bytes(0..length).unwrap().as_slice()), (length, content.as_slice()));
            for flipped in [0, 1, 9, 17, 23] {
                let mut bytes = written(&content);
                let at = bytes.len() - 1 - flipped;
                bytes[at] ^= 1;
                assert_eq!(ChecksumFile::open_damaged(Path::new("a"), Arc::new(OwnedBytes::new(bytes))).len(), length);
            }
            assert_eq!(likely_length(&OwnedBytes::new(written(&content))), length);
            assert_eq!(likely_length(&OwnedBytes::new(content)), length, "an earlier version's file");
        }
    }

    #[test]
    fn damage_is_seen_in_the_piece_that_is_read_and_at_the_end_when_the_file_is_opened() {
        let content = vec![7; 2 * PIECE + 10];
        let whole = written(&content);
        for at in [0, PIECE - 1, PIECE, 2 * PIECE + 9] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            let file = open(&bytes).unwrap();
            for piece in 0..3 {
                let range = piece * PIECE..piece * PIECE + 5;
                let error = file.read_bytes(range).err();
                assert_eq!(error.is_some(), at / PIECE == piece, "byte {at}, piece {piece}");
                assert!(error.is_none_or(|error| error.to_string().contains("`a.idx`")));
            }
            assert_eq!(file.damage.get().map(|damage| damage.bytes.start), Some(at / PIECE * PIECE));
            assert!(file.compare(usize::MAX).is_err() && file.compare(0).is_ok());
        }
        for at in content.len()..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            assert!(open(&bytes).is_err(), "byte {at}");
        }
        for length in [0, 10, END, content.len(), whole.len() - 1] {
            assert!(open(&whole[..length]).is_err(), "{length} bytes");
        }
    }
}
