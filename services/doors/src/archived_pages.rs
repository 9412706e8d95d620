//! The pages of a crawl, out of the archives that it wrote.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use gristmill_warc::http::DecodeBuffers;
use gristmill_warc::{ArchivedPage, ReadLimits, ReaderItem, WarcReader, page_of};

/// Most bytes of a page's body.
const MAX_BODY: usize = 16 << 20;

/// Hands each page of the finished archives in `folder` that are not `done` to `take`, file by file in the order of their names, until
/// that says no.
///
/// # Errors
/// A file that cannot be read, or what `take` fails with.
pub(crate) fn each_page(
    folder: &Path,
    done: &mut BTreeSet<PathBuf>,
    mut take: impl FnMut(ArchivedPage) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let limits = ReadLimits { body_bytes: MAX_BODY, ..ReadLimits::default() };
    let mut buffers = DecodeBuffers::default();
    for file in archives(folder)? {
        if !done.insert(file.clone()) {
            continue;
        }
        let input: Box<dyn Read + Send> = Box::new(BufReader::new(File::open(file)?));
        let mut reader = WarcReader::new(input, limits);
        while let Some(item) = reader.next()? {
            let ReaderItem::Record(record) = item else { continue };
            let Ok(page) = page_of(&record, MAX_BODY, &mut buffers) else { continue };
            if !take(page)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn archives(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".warc.gz"));
    files.sort();
    Ok(files)
}
