//! Packages of product pages: a page and the pairs that a reader sees on it, under one name.
//!
//! ```text
//! <package>/package.json            optional: name, licence (one for all, or one for each source repository)
//! <package>/pages/<id>.html(.gz)    the page, bytes as they came
//! <package>/pages/<id>.json         attributes [[name, value], …], optional_attributes, url, language, site, source.repo
//! ```
//! A page without `attributes` is a negative: one of a package of articles, whose gold text does not matter here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::measure::{normal_name, normal_value};
use crate::package::{GoldPage, PackageError, SkippedDocument, file, folder_name};

/// A page with its gold pairs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordPage {
    /// Where the page is and what is known about it; without a gold text.
    pub document: GoldPage,
    /// Brand of the shop, or domain of the article.
    pub site: String,
    /// Of the repository that the page was taken from, in the words of the package; `unstated` where it says nothing.
    pub licence: String,
    /// The pairs of the product, as written.
    pub gold: Vec<(String, String)>,
    /// Pairs that are neither right nor wrong.
    pub optional: Vec<(String, String)>,
    /// The layout in which each gold pair stands, by whoever can tell; empty, or one for each pair.
    pub layouts: Vec<Option<String>>,
    /// Whether the package gives pairs for the page, be it none.
    pub is_product: bool,
}

impl RecordPage {
    /// Whether the pair, in whatever spelling the measure does not see, is gold (`Some(true)`), optional (`None`) or
    /// neither (`Some(false)`).
    pub fn is_right(&self, name: &str, value: &str) -> Option<bool> {
        let key = (normal_name(name), normal_value(value));
        let is_in = |pairs: &[(String, String)]| {
            pairs.iter().any(|(name, value)| normal_name(name) == key.0 && normal_value(value) == key.1)
        };
        if is_in(&self.gold) {
            Some(true)
        } else if is_in(&self.optional) {
            None
        } else {
            Some(false)
        }
    }
}

/// The pages of a folder, sorted by id.
#[derive(Debug, Clone, Default)]
pub struct RecordPackage {
    /// From the description file, else the name of the folder.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
    /// Every page that could be read.
    pub pages: Vec<RecordPage>,
    /// What was left out.
    pub problems: Vec<SkippedDocument>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PackageFacts {
    name: Option<String>,
    licence: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PageFacts {
    url: Option<String>,
    domain: Option<String>,
    language: Option<String>,
    page_type: Option<String>,
    site: Option<String>,
    attributes: Option<Vec<(String, String)>>,
    optional_attributes: Vec<(String, String)>,
    source: Value,
}

impl RecordPackage {
    /// Reads the descriptions of all pages; the pages themselves are read when they are needed.
    ///
    /// A page whose description cannot be read becomes a [`SkippedDocument`].
    ///
    /// # Errors
    /// [`PackageError`] when the folder cannot be listed or holds no page.
    pub fn read(path: &Path) -> Result<RecordPackage, PackageError> {
        let mut package = RecordPackage { path: path.to_owned(), ..RecordPackage::default() };
        let facts = package.facts(&path.join("package.json"));
        package.name = facts.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| folder_name(path));
        let inner = path.join("pages");
        let folder = if inner.is_dir() { &inner } else { path };
        let error = |source| PackageError::Folder { path: folder.to_owned(), source };
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(error)? {
            let path = entry.map_err(error)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let id = [".html.gz", ".html"].iter().find_map(|ending| name.strip_suffix(ending));
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                let id = id.to_owned();
                found.entry(id).or_insert(path);
            }
        }
        if found.is_empty() {
            return Err(PackageError::NoDocuments { path: path.to_owned() });
        }
        for (id, html) in found {
            match page(&package.name, &facts.licence, folder, id, html) {
                Ok(page) => package.pages.push(page),
                Err(problem) => package.problems.push(problem),
            }
        }
        Ok(package)
    }

    fn facts(&mut self, path: &Path) -> PackageFacts {
        if !path.is_file() {
            return PackageFacts::default();
        }
        let read = file::read_text(path).and_then(|text| {
            serde_json::from_str(&text)
                .map_err(|error| SkippedDocument::new(path, format!("not the JSON of a description: {error}")))
        });
        read.unwrap_or_else(|problem| {
            self.problems.push(problem);
            PackageFacts::default()
        })
    }
}

fn page(
    package: &str,
    licence: &Value,
    folder: &Path,
    id: String,
    html: PathBuf,
) -> Result<RecordPage, SkippedDocument> {
    let json = folder.join(format!("{id}.json"));
    let text = file::read_text(&json)?;
    let facts: PageFacts = serde_json::from_str(&text)
        .map_err(|error| SkippedDocument::new(&json, format!("not the JSON of a description: {error}")))?;
    let repository = facts.source["repo"].as_str().unwrap_or_default();
    let licence = licence.as_str().or_else(|| licence[repository].as_str()).unwrap_or("unstated").to_owned();
    let is_product = facts.attributes.is_some();
    let site = match &facts.site {
        Some(site) if is_product => brand(site),
        _ => facts.domain.clone().unwrap_or_default(),
    };
    let document = GoldPage {
        package: package.to_owned(),
        id,
        html,
        url: facts.url,
        domain: facts.domain,
        language: facts.language,
        page_type: facts.page_type,
        ..GoldPage::default()
    };
    Ok(RecordPage {
        document,
        site,
        licence,
        gold: facts.attributes.unwrap_or_default(),
        optional: facts.optional_attributes,
        layouts: Vec::new(),
        is_product,
    })
}

/// The brand of a shop, the label before the public suffix: `amazon.co.uk` and `amazon.com` are one shop, and a
/// method that has seen one of them has seen the other.
pub fn brand(site: &str) -> String {
    let labels: Vec<&str> = site.split('.').collect();
    let second_level = labels.len() > 2 && matches!(labels[labels.len() - 2], "co" | "com" | "net");
    let suffix = if second_level { 2 } else { 1 };
    labels.get(labels.len().saturating_sub(suffix + 1)).copied().unwrap_or(site).to_owned()
}
