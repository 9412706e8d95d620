//! The index beside an archive: made by reading the archive back, and read when the archiver starts.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use gristmill_warc::write::cdxj_line;
use gristmill_warc::{ReadLimits, ReaderItem, Truncation, WarcReader};
use serde_json::Value;

use crate::name::{ArchiveName, OPEN};
use crate::revisit_cache::RevisitCache;

/// Of a longer body the digest of its record counts, which the writer has computed.
const BODY_BYTES: usize = 1 << 20;

/// The lines of the index of the archive at `path`, sorted: all of the archive is read for it.
///
/// # Errors
/// The disk does not hold what was written.
pub(crate) fn lines(path: &Path, name: &ArchiveName) -> anyhow::Result<Vec<String>> {
    let cannot = || format!("cannot read `{}` back", path.display());
    let file = File::open(path).with_context(cannot)?;
    let length = file.metadata().with_context(cannot)?.len();
    let mut reader = WarcReader::new(file, ReadLimits { body_bytes: BODY_BYTES, ..ReadLimits::default() });
    let (mut lines, mut end, name) = (Vec::new(), 0, name.to_string());
    while let Some(entry) = reader.next().with_context(cannot)? {
        let record = match entry {
            ReaderItem::Record(record) => record,
            ReaderItem::Damage(damage) => anyhow::bail!("`{}` is damaged: {damage}", path.display()),
        };
        let is_damaged = matches!(record.truncated(), Some(Truncation::DataEnded | Truncation::Corrupt));
        anyhow::ensure!(!is_damaged, "`{}` is damaged in its record at {}", path.display(), record.offset());
        lines.extend(cdxj_line(&record, &name));
        end = record.end();
    }
    anyhow::ensure!(end == length, "`{}` is damaged: {end} of {length} bytes are records", path.display());
    lines.sort_unstable();
    Ok(lines)
}

/// What the finished archives in `folder` hold of a partition, as their indexes say; newer ones first, until enough is known.
///
/// * `committed`: position from which on captures come again. Archives that begin there or later do not count: they are written anew.
///
/// # Errors
/// The folder or an index cannot be read.
pub(crate) fn seen(folder: &Path, prefix: &str, partition: u32, committed: u64) -> anyhow::Result<RevisitCache> {
    let mut indexes = Vec::new();
    for file in std::fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
        let file = file?.file_name();
        let Some((name, text)) = file.to_str().and_then(|text| Some((ArchiveName::parse(text)?, text))) else {
            continue;
        };
        let is_index = name.index() == text && !text.ends_with(OPEN);
        if is_index && name.prefix == prefix && name.partition == partition && name.first < committed {
            indexes.push((name.timestamp.clone(), name.first, name));
        }
    }
    indexes.sort_unstable_by(|a, b| (&b.0, b.1).cmp(&(&a.0, a.1)));
    let mut seen = RevisitCache::default();
    for (_, _, name) in indexes {
        let path = folder.join(name.index());
        read(&path, &mut seen).with_context(|| format!("cannot read `{}`", path.display()))?;
        if seen.is_full() {
            break;
        }
    }
    Ok(seen)
}

fn read(path: &Path, seen: &mut RevisitCache) -> std::io::Result<()> {
    // The lines of a URL stand by time, and its last payload counts.
    let lines: Vec<String> = BufReader::new(File::open(path)?).lines().collect::<Result<_, _>>()?;
    for (url, digest, at) in lines.iter().rev().filter_map(|line| payload(line)) {
        if seen.is_full() {
            break;
        }
        seen.remember_earlier(&url, &digest, at);
    }
    Ok(())
}

/// URL, digest and time of a whole payload; `None` for all else. An index that somebody has changed only costs a revisit.
fn payload(line: &str) -> Option<(String, String, i64)> {
    let (timestamp, fields) = line.split_once(' ')?.1.split_once(' ')?;
    let fields: Value = serde_json::from_str(fields).ok()?;
    let text = |name: &str| fields[name].as_str();
    if text("status")? != "200" || text("mime")? == "warc/revisit" {
        return None;
    }
    let at = gristmill_warc::parse_date(timestamp)?;
    Some((text("url")?.to_owned(), format!("sha1:{}", text("digest")?), at))
}
