//! Files that are there as a whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::Context;

/// Writes a file anew. It has its name only once it is on the disk.
pub fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let done = || -> anyhow::Result<()> {
        let file = File::create(&new)?;
        let mut out = BufWriter::new(&file);
        write(&mut out)?;
        out.flush()?;
        file.sync_all()?;
        Ok(std::fs::rename(&new, path)?)
    };
    done().with_context(|| format!("could not write `{}`", path.display()))
}

/// Opens a file that only grows, or makes it, and cuts it to the length that belongs to the dataset.
///
/// # Errors
/// A file that cannot be written, or is shorter.
pub fn open_cut(path: &Path, len: u64) -> anyhow::Result<BufWriter<File>> {
    let open = || -> std::io::Result<File> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        if file.metadata()?.len() < len {
            return Err(std::io::Error::other("it is shorter than the manifest says"));
        }
        file.set_len(len)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    Ok(BufWriter::new(open().with_context(|| format!("could not open `{}`", path.display()))?))
}

/// The text between two places of a file.
///
/// # Errors
/// Those of reading, and a file that ends before.
pub fn text_between(file: &File, start: u64, end: u64) -> std::io::Result<String> {
    let mut bytes = vec![0; end.saturating_sub(start) as usize];
    file.read_exact_at(&mut bytes, start)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
