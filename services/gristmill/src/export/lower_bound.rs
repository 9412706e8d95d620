//! What `--since` asks for.

use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_dataset::output::Manifest;
use gristmill_index::{SortedDocuments, parse_period};

use super::export_snapshot;

/// From when on documents are wanted.
pub enum ExportSince {
    All,
    /// Fetched at this second or later.
    Time(i64),
    /// Not as this ledger has it.
    Ledger(PathBuf),
}

impl ExportSince {
    /// # Errors
    /// Neither `last` nor a date nor a manifest of an export.
    pub fn parse(since: Option<&str>, out: &Path) -> anyhow::Result<ExportSince> {
        match since {
            None => Ok(ExportSince::All),
            Some("last") => match Manifest::read(out)? {
                None => Ok(ExportSince::All),
                Some(manifest) => Self::behind(&manifest, out),
            },
            Some(since) => {
                if let Some(period) = parse_period(since) {
                    return Ok(ExportSince::Time(period.start));
                }
                let folder = Path::new(since).parent().filter(|_| since.ends_with(".json"));
                let folder = folder.with_context(|| {
                    format!("`--since {since}` is none of `last`, a date such as 2024-05-31, and the path of a `manifest.json`")
                })?;
                let manifest = Manifest::read(folder)?.with_context(|| format!("could not find `{since}`"))?;
                Self::behind(&manifest, folder)
            }
        }
    }

    fn behind(manifest: &Manifest, folder: &Path) -> anyhow::Result<ExportSince> {
        let last = manifest.history.last().and_then(|part| part.more["ledger"].as_str());
        let name =
            last.with_context(|| format!("the dataset in `{}` is not one of `gristmill export`", folder.display()))?;
        Ok(ExportSince::Ledger(folder.join(name)))
    }

    /// The numbers of the documents that are wanted, and the keys of those that are gone.
    pub fn wanted(&self, documents: &SortedDocuments<'_>) -> anyhow::Result<(Vec<usize>, Vec<String>)> {
        let all = 0..documents.len();
        let mut gone = Vec::new();
        let wanted = match self {
            ExportSince::All => all.collect(),
            ExportSince::Time(time) => all.filter(|&n| documents.fetched_at(n) >= *time).collect(),
            ExportSince::Ledger(path) => {
                let content = |number| export_snapshot::content_of(documents, number);
                export_snapshot::compare(path, documents, content, |key| {
                    gone.push(key);
                    Ok(())
                })?
            }
        };
        Ok((wanted, gone))
    }
}
