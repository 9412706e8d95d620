//! The archives that a command line names: files, folders, patterns, lists of paths, standard input.

use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

/// Ends of names of archives, for folders.
const ENDINGS: [&str; 4] = [".warc", ".warc.gz", ".warc.zst", ".wacz"];
/// Most entries of a ZIP that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// One archive: a file, a part of a ZIP, or standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As users know it: the path, `PATH!ENTRY` for a part of a ZIP, `-` for standard input.
    pub name: String,
    path: PathBuf,
    /// Where it begins in its file; 0 but for a part of a ZIP.
    start: u64,
    /// Its length in bytes; none for standard input.
    pub len: Option<u64>,
}

impl Input {
    /// Whether it can be read only once.
    pub fn is_stream(&self) -> bool {
        self.len.is_none()
    }

    /// Its bytes from `offset` on.
    pub fn open(&self, offset: u64) -> anyhow::Result<Box<dyn Read + Send>> {
        let Some(len) = self.len else { return Ok(Box::new(std::io::stdin())) };
        let mut file = File::open(&self.path).with_context(|| format!("could not open `{}`", self.name))?;
        file.seek(SeekFrom::Start(self.start + offset))?;
        Ok(Box::new(file.take(len.saturating_sub(offset))))
    }
}

/// Every archive that is named, in the order of the command line, those of a folder or pattern by their names.
///
/// # Errors
/// A path that is not there, a folder or pattern without archives, a list that cannot be read, a ZIP without archives.
pub fn expand(named: &[String]) -> anyhow::Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for name in named {
        if let Some(list) = name.strip_prefix('@') {
            let lines = lines_of(list).with_context(|| format!("could not read the list `{list}`"))?;
            lines.iter().try_for_each(|line| one(line, &mut inputs))?;
        } else {
            one(name, &mut inputs)?;
        }
    }
    anyhow::ensure!(!inputs.is_empty(), "no archive is named");
    anyhow::ensure!(
        inputs.len() == 1 || !inputs.iter().any(Input::is_stream),
        "standard input (`-`) cannot be read together with other archives"
    );
    Ok(inputs)
}

/// Lines that are neither empty nor comments, of a file that may be gzip (`warc.paths.gz`).
fn lines_of(list: &str) -> anyhow::Result<Vec<String>> {
    let bytes = crate::input::read_file(Path::new(list))?;
    let lines: std::io::Result<Vec<String>> = bytes.lines().collect();
    let is_name = |line: &String| !line.trim().is_empty() && !line.starts_with('#');
    Ok(lines?.into_iter().filter(is_name).map(|line| line.trim().to_owned()).collect())
}

fn one(name: &str, inputs: &mut Vec<Input>) -> anyhow::Result<()> {
    let path = Path::new(name);
    if name == "-" {
        inputs.push(Input { name: name.to_owned(), path: PathBuf::new(), start: 0, len: None });
        return Ok(());
    }
    if path.is_dir() {
        let before = inputs.len();
        for file in files_below(path)? {
            add_file(&file, inputs)?;
        }
        anyhow::ensure!(
            inputs.len() > before,
            "no archive (*.warc, *.warc.gz, *.warc.zst, *.wacz) in the folder `{name}`"
        );
        return Ok(());
    }
    if !path.exists() && name.contains(['*', '?', '[']) {
        let found = glob::glob(name).with_context(|| format!("`{name}` is no pattern of paths"))?;
        let before = inputs.len();
        for file in found {
            add_file(&file?, inputs)?;
        }
        anyhow::ensure!(inputs.len() > before, "no file fits the pattern `{name}`");
        return Ok(());
    }
    add_file(path, inputs)
}

/// The archives below a folder, by their paths.
fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| format!("could not read `{}`", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            // Links to folders are not followed: they may lead in a circle.
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if ENDINGS.iter().any(|ending| entry.file_name().to_string_lossy().ends_with(ending)) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn add_file(path: &Path, inputs: &mut Vec<Input>) -> anyhow::Result<()> {
    let name = path.to_str().with_context(|| format!("the path `{}` is no UTF-8", path.display()))?;
    let mut file = File::open(path).with_context(|| format!("could not open `{name}`"))?;
    let mut magic = [0; 4];
    let n = file.read(&mut magic).with_context(|| format!("could not read `{name}`"))?;
    if magic[..n] == *b"PK\x03\x04" {
        return add_zip(name, file, inputs);
    }
    let len = file.metadata()?.len();
    inputs.push(Input { name: name.to_owned(), path: path.to_owned(), start: 0, len: Some(len) });
    Ok(())
}

/// The archives of a WACZ, which lie in its ZIP as they are.
fn add_zip(name: &str, file: File, inputs: &mut Vec<Input>) -> anyhow::Result<()> {
    let mut zip = zip::ZipArchive::new(file).with_context(|| format!("could not read the ZIP `{name}`"))?;
    let before = inputs.len();
    for at in 0..zip.len().min(MAX_ENTRIES) {
        let entry = zip.by_index_raw(at).with_context(|| format!("entry {at} of `{name}`"))?;
        let own = entry.name().with_context(|| format!("entry {at} of `{name}`"))?.into_owned();
        let is_archive = ENDINGS[..3].iter().any(|ending| own.ends_with(ending));
        if !is_archive {
            continue;
        }
        let whole = format!("{name}!{own}");
        anyhow::ensure!(
            entry.compression() == zip::CompressionMethod::Stored,
            "`{whole}` is compressed by the ZIP itself, which the WACZ format does not allow; unpack it first"
        );
        let start = entry.data_start().with_context(|| format!("`{whole}` has no data"))?;
        inputs.push(Input { name: whole, path: PathBuf::from(name), start, len: Some(entry.size()) });
    }
    anyhow::ensure!(inputs.len() > before, "the ZIP `{name}` holds no archive (archive/*.warc.gz)");
    Ok(())
}
