//! Reads product and article packages: pages, gold pairs, sites and licences.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_html::{Doc, Limits, decode};
use gristmill_records::score::{normal_name, normal_value};
use serde_json::Value;

pub type Pairs = HashSet<(String, String)>;

/// A page of a package and what is known about it.
pub struct TestPage {
    pub package: String,
    pub id: String,
    /// Brand of the shop: `amazon.co.uk` and `amazon.com` are one.
    pub site: String,
    pub language: String,
    /// Whether its licence allows to train a model for release on it.
    pub permissive: bool,
    pub html: String,
    pub url: Option<String>,
    pub gold: Pairs,
    pub optional: Pairs,
    /// The gold as written.
    pub attributes: Vec<(String, String)>,
    pub is_product: bool,
}

impl TestPage {
    pub fn doc(&self) -> Doc {
        Doc::parse(&self.html, &Limits::default())
    }
}

const PERMISSIVE_PACKAGES: [&str; 5] =
    ["wcxb-product-dev", "inventory-hunter", "zyte-product-benchmark", "zh-mia", "zh-mogujie"];
/// Repositories under MIT or Apache-2.0 among those of the mixed packages.
const PERMISSIVE_SOURCES: [&str; 4] =
    ["microlinkhq/metascraper", "platonai/PulsarRPA", "platonai/pulsar", "pgrimaud/gibert-jeune"];

/// The brand of a shop: the label before the public suffix, sub-domains left out.
pub fn brand(site: &str) -> String {
    let labels: Vec<&str> = site.split('.').collect();
    let suffix = if labels.len() > 2 && matches!(labels[labels.len() - 2], "co" | "com" | "net") { 2 } else { 1 };
    labels.get(labels.len().saturating_sub(suffix + 1)).copied().unwrap_or(site).to_owned()
}

fn pairs(value: &Value) -> Vec<(String, String)> {
    let both = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
    value.as_array().map(|list| list.iter().filter_map(both).collect()).unwrap_or_default()
}

fn normal(pairs: &[(String, String)]) -> Pairs {
    pairs.iter().map(|(name, value)| (normal_name(name), normal_value(value))).collect()
}

pub fn read_html(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path)?).read_to_end(&mut bytes)?;
    Ok(decode(&bytes, None).text.into_owned())
}

/// All pages of a package, by name. Packages of articles give pages without gold; only those whose `page_type` is
/// in `types` are read.
pub fn load(folder: &Path, types: &[&str]) -> Result<Vec<TestPage>, Box<dyn std::error::Error>> {
    let package = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder.join("pages"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    let mut pages = Vec::new();
    for path in paths {
        let fact: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
        let is_product = fact.get("attributes").is_some() || fact.get("category").is_some();
        let kind = fact["page_type"].as_str().unwrap_or("article");
        if !is_product && !types.contains(&kind) {
            continue;
        }
        let text = |key: &str| fact[key].as_str().unwrap_or("").to_owned();
        let attributes = pairs(&fact["attributes"]);
        let source = fact["source"]["repo"].as_str().unwrap_or("");
        let site = if is_product { brand(&text("site")) } else { text("domain") };
        pages.push(TestPage {
            permissive: PERMISSIVE_PACKAGES.contains(&package.as_str())
                || PERMISSIVE_SOURCES.contains(&source)
                || package == "wcxb-dev",
            id: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
            site,
            language: text("language"),
            html: read_html(&path.with_extension("html.gz"))?,
            url: fact["url"].as_str().map(str::to_owned),
            gold: normal(&attributes),
            optional: normal(&pairs(&fact["optional_attributes"])),
            attributes,
            is_product,
            package: package.clone(),
        });
    }
    Ok(pages)
}
