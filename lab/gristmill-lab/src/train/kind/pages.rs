//! Pages of article and product packages with their types, sites and licences.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_eval::is_permissive;
use gristmill_extract::{Page, PageType, TypedPage};
use gristmill_html::{Doc, TreeLimits};
use gristmill_reading::{confidence, is_offered};
use gristmill_records::{RecordOptions, records};
use serde_json::Value;

use crate::train::card::ModelCard;
use crate::train::pages::fnv;
use gristmill_eval::read_file;

/// What the report needs of a page beside its features.
pub struct KindReportPage {
    pub package: String,
    pub id: String,
    pub licence: String,
    /// The type as the package writes it.
    pub page_type: String,
    pub language: String,
    /// How sure `records` is of a product, and whether it is offered alone.
    pub by_records: f32,
    pub is_offered: bool,
    /// Of its bytes.
    pub hash: u64,
}

/// Reads all pages of the packages, each page once: a package may repeat pages of another.
pub fn read(folders: &[PathBuf]) -> anyhow::Result<Vec<(KindReportPage, TypedPage)>> {
    let mut files = Vec::new();
    for folder in folders {
        let about: Value = json(&folder.join("package.json"))?;
        let package = about["name"].as_str().unwrap_or_default().to_owned();
        let entries = std::fs::read_dir(folder.join("pages"))
            .with_context(|| format!("could not read `{}`", folder.display()))?;
        let mut described: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        described.sort();
        files.extend(described.into_iter().map(|path| (path, package.clone(), about["licence"].clone())));
    }
    let (first, second) = files.split_at(files.len() / 2);
    let read = |files: &[(PathBuf, String, Value)]| -> anyhow::Result<Vec<(KindReportPage, TypedPage)>> {
        let options = RecordOptions::default();
        files.iter().map(|(path, package, licence)| page(path, package, licence, &options)).collect()
    };
    let mut pages = std::thread::scope(|scope| -> anyhow::Result<_> {
        let first = scope.spawn(|| read(first));
        let second = read(second)?;
        let mut pages = first.join().map_err(|_| anyhow::anyhow!("reading a page panicked"))??;
        pages.extend(second);
        Ok(pages)
    })?;
    let mut seen = HashSet::new();
    pages.retain(|(asked, _)| seen.insert(asked.hash));
    Ok(pages)
}

fn json(path: &Path) -> anyhow::Result<Value> {
    let bytes = std::fs::read(path).with_context(|| format!("could not read `{}`", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("`{}` is no JSON", path.display()))
}

fn page(
    described: &Path,
    package: &str,
    licence: &Value,
    options: &RecordOptions,
) -> anyhow::Result<(KindReportPage, TypedPage)> {
    let about = json(described)?;
    let path =
        [described.with_extension("html.gz"), described.with_extension("html")].into_iter().find(|path| path.exists());
    let path = path.with_context(|| format!("`{}` has no page", described.display()))?;
    let bytes = read_file(&path).with_context(|| format!("could not read `{}`", path.display()))?;
    let doc = Doc::parse(&gristmill_html::decode(&bytes, None).text, &TreeLimits::default());
    let url = about["url"].as_str();
    let page_type = about["page_type"].as_str().unwrap_or("product");
    let label = PageType::ALL.into_iter().find(|known| known.as_str() == page_type);
    let licence = licence_of(licence, about["source"]["repo"].as_str());
    let id = described.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let site = about["domain"].as_str().or(about["site"].as_str()).unwrap_or(&id);
    let page = Page::new(&doc);
    let typed = TypedPage::new(&page, url, label, site, is_permissive(&licence));
    let found = records(&page, url, options);
    let asked = KindReportPage {
        package: package.to_owned(),
        id,
        page_type: page_type.to_owned(),
        language: about["language"].as_str().unwrap_or_default().to_owned(),
        by_records: confidence(&found),
        is_offered: is_offered(&found),
        hash: fnv(&bytes),
        licence,
    };
    Ok((asked, typed))
}

/// The licence of a page: of its package, or of the repository that it comes from.
fn licence_of(licence: &Value, repository: Option<&str>) -> String {
    let text = licence.as_str().or_else(|| licence[repository?].as_str()).unwrap_or("none stated");
    text.split(" (repository)").next().unwrap_or(text).to_owned()
}

/// What the model is made of.
pub fn card(asked: &[KindReportPage], typed: &[TypedPage]) -> ModelCard {
    let taught = asked.iter().zip(typed).filter(|(_, page)| page.trains && page.label.is_some());
    ModelCard::new(taught.map(|(asked, _)| (asked.package.as_str(), asked.licence.as_str(), asked.hash)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_mixed_licences_trains_with_the_pages_of_its_permissive_sources_only() {
        let licence = serde_json::json!({"a/x": "MIT", "b/y": "none stated"});
        assert!(is_permissive(&licence_of(&licence, Some("a/x"))));
        assert!(!is_permissive(&licence_of(&licence, Some("b/y"))) && !is_permissive(&licence_of(&licence, None)));
        let several = serde_json::json!("MIT (cx-extractor-python, repository), unstated (newsExtraction)");
        assert!(!is_permissive(&licence_of(&several, None)));
        assert!(is_permissive(&licence_of(&serde_json::json!("MIT (repository); texts remain"), None)));
    }
}
