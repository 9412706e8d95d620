//! The marks of a page: what its rows are, by the guide (docs/labelling.md). One small JSON file a page.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use gristmill_eval::read_file;
use gristmill_extract::Page;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the guide that the marks follow, as the guide states it.
const GUIDE: u32 = 1;
/// Characters of a mark's text that are kept for people.
const BEGINNING: usize = 20;

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// What the page is for.
    Main,
    /// Belongs to it, and conventions disagree: captions, notes, bylines, product panels.
    Aside,
    /// What readers wrote about it.
    Comment,
    /// All the rest, which is not written down.
    #[default]
    Boilerplate,
}

/// Rows `first..=last` of [`Page::rows`] are of one kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowMark {
    kind: RowKind,
    first: usize,
    last: usize,
    /// How their text begins.
    #[serde(default)]
    begins: String,
    /// XXH3 of their text, one row a line.
    #[serde(default)]
    hash: String,
}

/// The marks of one page, in the order of rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageMarks {
    /// Version of the guide; 0 before they are written.
    #[serde(default)]
    guide: u32,
    /// What the page is: a page type, as in test packages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
    pub marks: Vec<RowMark>,
}

impl PageMarks {
    /// With the digests of the rows of `page`, and without what is not written down. O(text).
    ///
    /// # Errors
    /// Marks out of order, or of rows that the page has not.
    pub fn digested(mut self, page: &Page<'_>) -> anyhow::Result<PageMarks> {
        let mut free = 0;
        for mark in &mut self.marks {
            let (first, last) = (mark.first, mark.last);
            let text = text(page, mark).with_context(|| format!("no rows {first} to {last} of {}", page.rows.len()))?;
            ensure!(first >= free, "rows {first} to {last} are marked twice, or out of order");
            free = last + 1;
            mark.begins = text.lines().next().unwrap_or_default().chars().take(BEGINNING).collect();
            mark.hash = hash(text);
        }
        self.marks.retain(|mark| mark.kind != RowKind::Boilerplate);
        Ok(PageMarks { guide: GUIDE, ..self })
    }

    /// The kind of each row of `page`.
    ///
    /// # Errors
    /// Another guide, or rows that are not those that were marked.
    pub fn kinds(&self, page: &Page<'_>) -> anyhow::Result<Vec<RowKind>> {
        let guide = self.guide;
        ensure!(guide == GUIDE || self.marks.is_empty(), "marked by guide {guide}, not {GUIDE}");
        let mut kinds = vec![RowKind::default(); page.rows.len()];
        for mark in &self.marks {
            let RowMark { first, last, begins, .. } = mark;
            let same = text(page, mark).is_some_and(|text| mark.hash == hash(text));
            ensure!(same, "rows {first} to {last} are not those that were marked (`{begins}`)");
            kinds[*first..=*last].fill(mark.kind);
        }
        Ok(kinds)
    }

    /// # Errors
    /// What cannot be read, and what is no such file.
    pub fn read(path: &Path) -> anyhow::Result<PageMarks> {
        serde_json::from_slice(&read_file(path)?).with_context(|| format!("`{}` has no marks", path.display()))
    }

    /// Replaces the file as a whole; a mark a line.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let marks: Vec<String> = self.marks.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let bare = serde_json::to_string(&PageMarks { marks: Vec::new(), ..self.clone() })?;
        let text = bare.replacen("[]", &format!("[\n{}\n]", marks.join(",\n")), 1) + "\n";
        let (part, could_not) = (path.with_extension("part"), || format!("could not write `{}`", path.display()));
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).with_context(could_not)?;
        std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path)).with_context(could_not)
    }
}

fn text<'p>(page: &'p Page<'_>, mark: &RowMark) -> Option<&'p str> {
    let (first, last) = (page.rows.get(mark.first)?, page.rows.get(mark.last)?);
    page.text.get(first.start as usize..last.end as usize)
}

fn hash(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// The name of a package's folder.
pub fn package_name(package: &Path) -> anyhow::Result<String> {
    let full = package.canonicalize().with_context(|| format!("could not read `{}`", package.display()))?;
    Ok(full.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

/// Where the marks of a package are: below a folder by the name of the package's, else in its folder `labels`.
pub fn folder(package: &Path, labels: Option<&Path>) -> anyhow::Result<PathBuf> {
    Ok(match labels {
        Some(labels) => labels.join(package_name(package)?),
        None => package.join("labels"),
    })
}
