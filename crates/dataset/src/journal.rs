//! Files of JSON lines that only grow by whole lines, so that a run that was killed goes on where it stopped.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::output::replace;

/// A journal whose lines are `L`, to be appended to.
pub struct Journal<L> {
    path: PathBuf,
    file: File,
    line: PhantomData<fn(&L)>,
}

impl<L: Serialize + DeserializeOwned> Journal<L> {
    /// The lines of a journal; none where there is no file. A line that a kill cut off was not written.
    ///
    /// # Errors
    /// A file that cannot be read, or a whole line that is damaged.
    pub fn read(path: &Path) -> anyhow::Result<Vec<L>> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.with_context(|| format!("could not read `{}`", path.display()))?,
        };
        let whole = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let parse = |(number, line)| {
            serde_json::from_slice(line).with_context(|| format!("line {number} of `{}` is damaged", path.display()))
        };
        (1..).zip(whole).map(parse).collect()
    }

    /// Begins a journal with these lines, in the place of one that is there.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn create(path: &Path, lines: &[L]) -> anyhow::Result<Journal<L>> {
        replace(path, |out| lines.iter().try_for_each(|line| Ok(out.write_all(&json_line(line)?)?)))?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.with_context(|| format!("could not open `{}`", path.display()))?;
        Ok(Journal { path: path.to_owned(), file, line: PhantomData })
    }

    /// Adds a line, which is on the disk then.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn append(&mut self, line: &L) -> anyhow::Result<()> {
        let line = json_line(line)?;
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("could not write `{}`", self.path.display()))
    }
}

fn json_line<L: Serialize>(line: &L) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_anywhere_was_not_written_and_a_damaged_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        assert_eq!(Journal::<String>::read(&path).unwrap(), Vec::<String>::new());
        let lines = ["one".to_owned(), "磨坊".to_owned()];
        let mut journal = Journal::create(&path, &lines[..1]).unwrap();
        journal.append(&lines[1]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let n_lines = usize::from(length >= first) + usize::from(length == whole.len());
            assert_eq!(Journal::<String>::read(&path).unwrap(), lines[..n_lines], "{length} bytes");
        }
        std::fs::write(&path, [b"{\n", &*whole].concat()).unwrap();
        let error = Journal::<String>::read(&path).unwrap_err().to_string();
        assert!(error.contains("line 1 of"), "{error}");
    }
}
