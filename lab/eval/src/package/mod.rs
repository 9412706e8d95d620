//! Test packages: a folder of pages, each with its gold text and what is known about it.
//!
//! ```text
//! <package>/package.json          optional: name and whatever else      <package>/description.txt   `key: value`
//! <package>/pages/<id>.html(.gz)  the page, bytes as they came          <package>/<id>.html(.gz)
//! <package>/pages/<id>.txt        gold main text, UTF-8                 <package>/<id>.txt
//! <package>/pages/<id>.json       url, page_type, with, without, …      <package>/<id>.meta         `key: value`
//! ```
//! On the right the layout of the paper (Gottron §4.1). Both are read alike: a folder `pages` is looked into when
//! there is one, and either kind of description may stand in either place.

mod about;
pub(crate) mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::extracted_metadata::FoundMetadata;
use about::PageAnnotations;
pub use file::{MAX_FILE_BYTES, read as read_file};

/// A page with its gold text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoldPage {
    /// Name of its package.
    pub package: String,
    /// Name of its files without the ending.
    pub id: String,
    /// The page, gzip-packed if the name ends in `.gz`.
    pub html: PathBuf,
    /// The main text as an expert has it.
    pub gold: String,
    /// Address of the page.
    pub url: Option<String>,
    /// What pages are clustered by in bootstraps: the given domain, else the host of `url`.
    pub domain: Option<String>,
    /// Code of the language.
    pub language: Option<String>,
    /// Article, forum, product …
    pub page_type: Option<String>,
    /// Snippets that a right extraction contains.
    pub with: Vec<String>,
    /// Snippets that a right extraction does not contain.
    pub without: Vec<String>,
    /// The gold text is a part of the main text only: judge by snippets, not against it.
    pub fragmented: bool,
    /// The page holds several articles.
    pub multi_article: bool,
    /// What the makers of the package remarked.
    pub flags: Vec<String>,
    /// Title, author, date and site as they have it; the language is that of the document.
    pub metadata: FoundMetadata,
}

/// Pages with one of these flags are measured but do not enter means: nothing can be extracted from them.
pub const FLAGS_LEFT_OUT: [&str; 2] = ["empty_gold", "gold_not_in_source"];

impl GoldPage {
    /// Whether its scores enter means.
    pub fn in_means(&self) -> bool {
        !self.flags.iter().any(|flag| FLAGS_LEFT_OUT.contains(&flag.as_str()))
    }

    /// The bytes of the page.
    ///
    /// # Errors
    /// When the file cannot be read, is no regular file, or has more than [`MAX_FILE_BYTES`].
    pub fn read_html(&self) -> Result<Vec<u8>, SkippedDocument> {
        file::read(&self.html)
    }
}

/// Why a document was left out; never a reason to stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}`: {message}", path.display())]
pub struct SkippedDocument {
    /// The file at fault.
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

impl SkippedDocument {
    pub(crate) fn new(path: &Path, message: impl Into<String>) -> SkippedDocument {
        SkippedDocument { path: path.to_owned(), message: message.into() }
    }
}

/// Why a folder is no test package.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// It could not be listed.
    #[error("could not read the folder `{}`", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no document in it, nor the rest of one.
    #[error("`{}` is no test package: neither it nor its folder `pages` has a file `<id>.html`, `<id>.html.gz` or `<id>.txt`", path.display())]
    NoDocuments {
        /// The folder.
        path: PathBuf,
    },
}

/// The documents of a folder, sorted by id.
#[derive(Debug, Clone, Default)]
pub struct Package {
    /// From the description file, else the name of the folder.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
    /// Every document that could be read.
    pub documents: Vec<GoldPage>,
    /// What was left out.
    pub problems: Vec<SkippedDocument>,
}

/// The files that bear one name.
#[derive(Default)]
struct Files {
    html: Option<PathBuf>,
    gold: Option<PathBuf>,
    json: Option<PathBuf>,
    meta: Option<PathBuf>,
}

impl Package {
    /// Reads gold texts and descriptions of all documents; pages are read when they are needed.
    ///
    /// A bad document becomes a [`SkippedDocument`]. Memory: all gold texts.
    ///
    /// # Errors
    /// [`PackageError`] when the folder cannot be listed or holds nothing that belongs to a document.
    pub fn read(path: &Path) -> Result<Package, PackageError> {
        let mut package = Package { path: path.to_owned(), ..Package::default() };
        package.name = package.described_name().unwrap_or_else(|| folder_name(path));
        let inner = path.join("pages");
        let folder = if inner.is_dir() { &inner } else { path };
        let files = package.list(folder)?;
        if !files.values().any(|files| files.html.is_some() || files.gold.is_some()) {
            return Err(PackageError::NoDocuments { path: path.to_owned() });
        }
        for (id, files) in files {
            match document(&package.name, &id, &files, folder) {
                Ok(Some(document)) => package.documents.push(document),
                Ok(None) => {}
                Err(problem) => package.problems.push(problem),
            }
        }
        Ok(package)
    }

    fn described_name(&mut self) -> Option<String> {
        let (json, text) = (self.path.join("package.json"), self.path.join("description.txt"));
        let about = match () {
            () if json.is_file() => PageAnnotations::from_json(&json),
            () if text.is_file() => PageAnnotations::from_lines(&text),
            () => return None,
        };
        match about {
            Ok(about) => about.name.filter(|name| !name.trim().is_empty()),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    fn list(&mut self, folder: &Path) -> Result<BTreeMap<String, Files>, PackageError> {
        let error = |source| PackageError::Folder { path: folder.to_owned(), source };
        let mut documents: BTreeMap<String, Files> = BTreeMap::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(error)? {
            paths.push(entry.map_err(error)?.path());
        }
        paths.sort();
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                self.problems.push(SkippedDocument::new(&path, "the name of the file is not UTF-8"));
                continue;
            };
            if folder == self.path && ["package.json", "description.txt"].contains(&name) {
                continue;
            }
            let ending = [".html.gz", ".html", ".txt", ".json", ".meta"].iter().find(|ending| name.ends_with(**ending));
            let Some(id) = ending.and_then(|ending| name.strip_suffix(ending)).filter(|id| !id.is_empty()) else {
                continue;
            };
            let files = documents.entry(id.to_owned()).or_default();
            let slot = match ending {
                Some(&".txt") => &mut files.gold,
                Some(&".json") => &mut files.json,
                Some(&".meta") => &mut files.meta,
                _ => &mut files.html,
            };
            slot.get_or_insert(path);
        }
        Ok(documents)
    }
}

/// `None` for a description that belongs to nothing, such as a stray `notes.json`.
fn document(package: &str, id: &str, files: &Files, folder: &Path) -> Result<Option<GoldPage>, SkippedDocument> {
    let (html, gold) = match (&files.html, &files.gold) {
        (Some(html), Some(gold)) => (html, gold),
        (Some(html), None) => {
            return Err(SkippedDocument::new(
                html,
                format!("no gold text `{}`", folder.join(format!("{id}.txt")).display()),
            ));
        }
        (None, Some(gold)) => {
            let page = folder.join(format!("{id}.html"));
            return Err(SkippedDocument::new(gold, format!("no page `{0}` or `{0}.gz`", page.display())));
        }
        (None, None) => return Ok(None),
    };
    let about = match (&files.json, &files.meta) {
        (Some(json), _) => PageAnnotations::from_json(json)?,
        (None, Some(meta)) => PageAnnotations::from_lines(meta)?,
        (None, None) => PageAnnotations::default(),
    };
    let domain = about.domain.or_else(|| host(about.url.as_deref()?));
    Ok(Some(GoldPage {
        package: package.to_owned(),
        id: id.to_owned(),
        html: html.clone(),
        gold: file::read_text(gold)?,
        domain,
        url: about.url,
        language: about.language,
        page_type: about.page_type,
        with: about.with.unwrap_or_default(),
        without: about.without.unwrap_or_default(),
        fragmented: about.fragmented.unwrap_or(false),
        multi_article: about.multi_article.unwrap_or(false),
        flags: about.flags.unwrap_or_default(),
        metadata: FoundMetadata {
            title: about.title,
            author: about.author.map(about::OneOrMany::joined),
            date: about.date,
            site: about.site_name,
            language: None,
        },
    }))
}

fn host(url: &str) -> Option<String> {
    Some(url::Url::parse(url).ok()?.host_str()?.trim_start_matches("www.").to_owned())
}

pub(crate) fn folder_name(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.file_name().map_or_else(|| "package".to_owned(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests;
