//! Files that are there as a whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
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
