//! The pages that `best` is trained on and judged by, with what every look needs of them.

use std::path::PathBuf;

use gristmill_eval::{GoldPage, Package, is_permissive};
use gristmill_extract::best::{WordStats, domain_hash, word_stats};
use gristmill_extract::{ExtractOptions, Method, MethodInput, Page, PageType, TypedPage, extract_from, heading};
use gristmill_html::{Doc, TreeLimits};
use gristmill_methods::gold_rows;
use serde_json::Value;

use super::disguise::disguised;
use super::labels::aligned_rows;
use crate::threads::in_threads;
use crate::train::held_out_sites::is_held_out;
use crate::train::pages::fnv;

/// Folds by domain.
pub const FOLDS: u64 = 5;

/// A page with its gold.
pub struct FoldPage {
    pub document: GoldPage,
    pub doc: Doc,
    pub domain: String,
    /// Pages of one domain are in one fold.
    pub fold: usize,
    /// Whether its licence lets a model be made of it.
    pub trains: bool,
    pub licence: String,
    title: Option<String>,
    description: String,
    pub typed: TypedPage,
    /// Whether what each row says stands in the gold text, once or more often.
    pub said: Vec<bool>,
    /// Whether each row is main text.
    pub labels: Vec<bool>,
    pub stats: WordStats,
    pub hash: u64,
    /// Whether it is another page of these as another template would write it, which teaches and is not judged.
    pub disguised: bool,
}

impl FoldPage {
    /// Whether a model without one fold learns from the page; without none it is the shipped model, which knows no page of held-out
    /// sites.
    pub fn teaches(&self, without: Option<usize>) -> bool {
        self.trains && without.map_or(!is_held_out(&self.domain), |fold| fold != self.fold)
    }

    pub fn query(&self) -> MethodInput<'_> {
        MethodInput { title: self.title.as_deref(), description: &self.description, ..MethodInput::default() }
    }
}

/// Reads all pages, and behind them those that teach once more in disguise. What cannot be read is told and left out.
pub fn read(folders: &[PathBuf], any_licence: bool, disguise: bool) -> anyhow::Result<Vec<FoldPage>> {
    let mut documents = Vec::new();
    for folder in folders {
        let package = Package::read(folder)?;
        package.problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
        let about = json(&folder.join("package.json"));
        let licence = about["licence"].as_str().unwrap_or("unstated").to_owned();
        for document in package.documents {
            let own = json(&folder.join("pages").join(format!("{}.json", document.id)));
            let licence = licence_of(&licence, own["source_repo"].as_str().unwrap_or_default());
            documents.push((document, licence));
        }
    }
    let inputs = in_threads(&documents, |(document, licence)| input(document, licence, any_licence));
    let mut inputs: Vec<FoldPage> = inputs.into_iter().flatten().collect();
    let teaching: Vec<&FoldPage> = inputs.iter().filter(|input| input.trains && disguise).collect();
    let disguised = in_threads(&teaching, |input| in_disguise(input));
    inputs.extend(disguised);
    Ok(inputs)
}

fn json(path: &std::path::Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The licence of a page: of a package with several, the part that names its repository.
fn licence_of(licence: &str, repository: &str) -> String {
    let name = repository.rsplit('/').next().unwrap_or_default();
    let mut parts = licence.split([',', ';']).map(str::trim);
    let part = parts.find(|part| !name.is_empty() && part.contains(name)).unwrap_or(licence);
    part.split(" (").next().unwrap_or(part).to_owned()
}

fn input(document: &GoldPage, licence: &str, any_licence: bool) -> Option<FoldPage> {
    let bytes = document.read_html().map_err(|problem| eprintln!("left out: {problem}")).ok()?;
    let doc = Doc::parse(&gristmill_html::decode(&bytes, None).text, &TreeLimits::default());
    // Nothing can be learnt from a page that lacks its gold; that a page has none is worth learning.
    let lacks = document.fragmented || document.flags.iter().any(|flag| flag == "gold_not_in_source");
    let trains = (any_licence || is_permissive(licence)) && !lacks;
    Some(fold_page(document, doc, licence, trains, fnv(&bytes)))
}

fn fold_page(document: &GoldPage, doc: Doc, licence: &str, trains: bool, hash: u64) -> FoldPage {
    let page = Page::new(&doc);
    let options = ExtractOptions { method: Method::SUN, url: document.url.as_deref(), ..ExtractOptions::default() };
    let (about, _) = extract_from(&page, &options);
    let domain = document.domain.clone().unwrap_or_else(|| document.id.clone());
    let label = PageType::ALL.into_iter().find(|kind| Some(kind.as_str()) == document.page_type.as_deref());
    let typed = TypedPage::new(&page, document.url.as_deref(), label, &domain, trains);
    let said = gold_rows(&page, &document.gold);
    let labels = aligned_rows(&page, &document.gold);
    let weights: Vec<f32> = page.rows.iter().map(|row| row.chars as f32).collect();
    let stats = word_stats(&page, &said, &weights);
    drop(page);
    let title = heading(&doc, None);
    FoldPage {
        document: document.clone(),
        doc,
        fold: (domain_hash(&domain) % FOLDS) as usize,
        domain,
        trains,
        licence: licence.to_owned(),
        title,
        description: about.description.unwrap_or_default(),
        typed,
        said,
        labels,
        stats,
        hash,
        disguised: false,
    }
}

fn in_disguise(input: &FoldPage) -> FoldPage {
    let doc = disguised(&input.doc, input.hash);
    let mut page = fold_page(&input.document, doc, &input.licence, true, input.hash);
    page.disguised = true;
    // The types of pages are learnt from pages as they are.
    page.typed.trains = false;
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_several_sources_teaches_with_the_pages_of_its_permissive_ones_only() {
        let mixed = "GPL-3.0 (GeneralNewsExtractor), Apache-2.0 (GerapyAutoExtractor), MIT (newspaper4k): licences of \
                     the repositories";
        let permits = |repository: &str| is_permissive(&licence_of(mixed, repository));
        assert!(permits("github.com/Gerapy/GerapyAutoExtractor") && permits("github.com/AndyTheFactory/newspaper4k"));
        assert!(!permits("github.com/GeneralNewsExtractor/GeneralNewsExtractor") && !permits(""));
        let mixed = "MIT (cx-extractor-python, repository), unstated (newsExtraction); page texts remain";
        assert_eq!(licence_of(mixed, "github.com/chrislinan/cx-extractor-python"), "MIT");
        assert_eq!(licence_of(mixed, "github.com/rcy17/newsExtraction"), "unstated");
    }
}
