//! The archives that a command line names: files, folders, patterns, addresses, lists of these, standard input.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_runtime::read_input::read_all;
use serde::{Deserialize, Serialize};

use super::opener::{ArchiveOpener, bucket_and_key, is_remote, url_of};

/// Ends of names of archives, for folders.
pub const ENDINGS: [&str; 8] = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wet", ".wet.gz", ".wacz"];
/// Most entries of a ZIP that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// One archive: a file, a part of a ZIP, standard input, or an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveInput {
    /// As users know it: the path or address, `PATH!ENTRY` for a part of a ZIP, `-` for standard input.
    pub name: String,
    /// The file; of a part of a ZIP on the network its address; else nothing.
    pub path: PathBuf,
    /// Where it begins in its file; 0 but for a part of a ZIP.
    pub start: u64,
    /// Its length in bytes; none for standard input, and for an address that was not asked yet.
    pub len: Option<u64>,
}

impl ArchiveInput {
    /// An archive on the network.
    pub fn remote(name: String, len: Option<u64>) -> ArchiveInput {
        ArchiveInput { name, path: PathBuf::new(), start: 0, len }
    }

    /// The address of what is on the network.
    pub fn address(&self) -> &str {
        self.path.to_str().filter(|path| !path.is_empty()).unwrap_or(&self.name)
    }

    /// Whether it can be read only once.
    pub fn is_stream(&self) -> bool {
        self.name == "-"
    }
}

/// Every archive that is named, in the order of the command line, those of a folder or pattern by their names.
///
/// `base` is what stands before the relative lines of lists. Those of a list on the network stand behind its origin.
///
/// # Errors
/// A path that is not there, a folder or pattern without archives, a list that cannot be read, a ZIP without archives.
pub fn expand(named: &[String], base: Option<&str>, sources: &ArchiveOpener) -> anyhow::Result<Vec<ArchiveInput>> {
    let base = base.map(base_of).transpose()?;
    let mut inputs = Vec::new();
    for name in named {
        if let Some(list) = name.strip_prefix('@') {
            let lines = lines_of(list, sources).with_context(|| format!("could not read the list `{list}`"))?;
            let base = base.clone().or_else(|| origin_of(list));
            for line in lines {
                let name = name_of(&line, list, base.as_deref())?;
                one(&name, sources, &mut inputs)?;
            }
        } else {
            one(name, sources, &mut inputs)?;
        }
    }
    anyhow::ensure!(!inputs.is_empty(), "no archive is named");
    anyhow::ensure!(
        inputs.len() == 1 || !inputs.iter().any(ArchiveInput::is_stream),
        "standard input (`-`) cannot be read together with other archives"
    );
    Ok(inputs)
}

/// Lines that are neither empty nor comments, of a list that may be gzip (`warc.paths.gz`).
fn lines_of(list: &str, sources: &ArchiveOpener) -> anyhow::Result<Vec<String>> {
    let bytes = read_all(sources.list(list)?)?;
    let lines: std::io::Result<Vec<String>> = bytes.lines().collect();
    let is_name = |line: &String| !line.trim().is_empty() && !line.starts_with('#');
    Ok(lines?.into_iter().filter(is_name).map(|line| line.trim().to_owned()).collect())
}

fn base_of(base: &str) -> anyhow::Result<String> {
    anyhow::ensure!(is_remote(base), "`--base {base}` is no address: it begins with `https://`, `http://` or `s3://`");
    Ok(base.trim_end_matches('/').to_owned())
}

/// What stands before the lines of a list on the network: `https://host`, `s3://bucket`.
fn origin_of(list: &str) -> Option<String> {
    match bucket_and_key(list) {
        Some((bucket, _)) => Some(format!("s3://{bucket}")),
        None if is_remote(list) => url_of(list).ok().map(|url| url.origin().ascii_serialization()),
        None => None,
    }
}

/// The archive that a line of a list names. A list on the network names nothing of this machine, and a web server none of our
/// buckets.
fn name_of(line: &str, list: &str, base: Option<&str>) -> anyhow::Result<String> {
    let on_web = is_remote(list) && !list.starts_with("s3://");
    match base {
        _ if line.starts_with("s3://") && on_web => {
            anyhow::bail!(
                "the list `{list}` names `{line}`, which the list of a web server may not: it would be read with your credentials"
            )
        }
        _ if is_remote(line) => Ok(line.to_owned()),
        Some(base) => Ok(format!("{base}/{}", line.trim_start_matches('/'))),
        None => Ok(line.to_owned()),
    }
}

fn one(name: &str, sources: &ArchiveOpener, inputs: &mut Vec<ArchiveInput>) -> anyhow::Result<()> {
    if is_remote(name) {
        return add_remote(name, sources, inputs);
    }
    let path = Path::new(name);
    if name == "-" {
        inputs.push(ArchiveInput { name: name.to_owned(), path: PathBuf::new(), start: 0, len: None });
        return Ok(());
    }
    if path.is_dir() {
        let before = inputs.len();
        for file in files_below(path)? {
            add_file(&file, inputs)?;
        }
        anyhow::ensure!(
            inputs.len() > before,
            "no archive (*.warc, *.warc.gz, *.warc.zst, *.arc, *.arc.gz, *.wet, *.wet.gz, *.wacz) in the folder `{name}`"
        );
        return Ok(());
    }
    if !path.exists() && name.contains(['*', '?', '[']) {
        let found = glob::glob(name).with_context(|| format!("`{name}` is no pattern of paths"))?;
        let before = inputs.len();
        for file in found {
            let file = file?;
            if is_file(&file) {
                add_file(&file, inputs)?;
            }
        }
        anyhow::ensure!(inputs.len() > before, "no file fits the pattern `{name}`");
        return Ok(());
    }
    add_file(path, inputs)
}

fn add_remote(name: &str, sources: &ArchiveOpener, inputs: &mut Vec<ArchiveInput>) -> anyhow::Result<()> {
    if bucket_and_key(name).is_some_and(|(_, key)| key.is_empty() || key.ends_with('/')) {
        for (name, len) in sources.below(name)? {
            add_remote_file(name, Some(len), sources, inputs)?;
        }
        return Ok(());
    }
    if bucket_and_key(name).is_none() {
        url_of(name)?;
    }
    add_remote_file(name.to_owned(), None, sources, inputs)
}

/// A WACZ is known by its name: a list may have many thousand addresses, and none is asked before its turn.
fn add_remote_file(
    name: String,
    len: Option<u64>,
    sources: &ArchiveOpener,
    inputs: &mut Vec<ArchiveInput>,
) -> anyhow::Result<()> {
    let path = name.split(['?', '#']).next().unwrap_or_default();
    if path.ends_with(".wacz") {
        return add_zip(&name, BufReader::new(sources.remote_zip(&name)?), inputs);
    }
    inputs.push(ArchiveInput::remote(name, len));
    Ok(())
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
            } else if ENDINGS.iter().any(|ending| entry.file_name().to_string_lossy().ends_with(ending))
                && is_file(&entry.path())
            {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file, or what a link leads to, is one that has an end: a pipe waits for whoever writes into it.
fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

fn add_file(path: &Path, inputs: &mut Vec<ArchiveInput>) -> anyhow::Result<()> {
    let name = path.to_str().with_context(|| format!("the path `{}` is no UTF-8", path.display()))?;
    let mut file = File::open(path).with_context(|| format!("could not open `{name}`"))?;
    let mut magic = [0; 4];
    let n = file.read(&mut magic).with_context(|| format!("could not read `{name}`"))?;
    if magic[..n] == *b"PK\x03\x04" {
        return add_zip(name, file, inputs);
    }
    let len = file.metadata()?.len();
    inputs.push(ArchiveInput { name: name.to_owned(), path: path.to_owned(), start: 0, len: Some(len) });
    Ok(())
}

/// The archives of a WACZ, which lie in its ZIP as they are.
fn add_zip(name: &str, file: impl Read + Seek, inputs: &mut Vec<ArchiveInput>) -> anyhow::Result<()> {
    let mut zip = zip::ZipArchive::new(file).with_context(|| format!("could not read the ZIP `{name}`"))?;
    let before = inputs.len();
    for at in 0..zip.len().min(MAX_ENTRIES) {
        let own = zip.name_for_index(at).with_context(|| format!("`{name}` has no entry {at}"))?;
        let own = own.with_context(|| format!("entry {at} of `{name}`"))?.into_owned();
        let is_archive = ENDINGS[..7].iter().any(|ending| own.ends_with(ending));
        if !is_archive {
            continue;
        }
        let entry = zip.by_index_raw(at).with_context(|| format!("entry {at} of `{name}`"))?;
        let whole = format!("{name}!{own}");
        anyhow::ensure!(
            entry.compression() == zip::CompressionMethod::Stored,
            "`{whole}` is compressed by the ZIP itself, which the WACZ format does not allow; unpack it first"
        );
        let start = entry.data_start().with_context(|| format!("`{whole}` has no data"))?;
        inputs.push(ArchiveInput { name: whole, path: PathBuf::from(name), start, len: Some(entry.size()) });
    }
    anyhow::ensure!(inputs.len() > before, "the ZIP `{name}` holds no archive (archive/*.warc.gz)");
    Ok(())
}
