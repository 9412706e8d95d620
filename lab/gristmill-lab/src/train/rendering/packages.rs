//! Pages of test packages, and what they would be if scripts drew a part of them.
//!
//! A page needs no browser where its gold text, or an attribute, is found without one. Each such page with scripts also gives two
//! that may need one: with an empty root in place of its body, and with an empty box in place of the part that has most of its text.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_eval::is_permissive;
use gristmill_html::{Doc, LocalName, NodeId, TreeLimits, decode};
use serde_json::Value;

use super::sample::{RenderSample, SampleOrigin, read};

pub fn samples(package: &Path) -> Vec<RenderSample> {
    let about = json(&package.join("package.json"));
    let licence = about["licence"].as_str().unwrap_or_default();
    let trains = is_permissive(licence);
    let licence = licence.split(" (").next().unwrap_or_default().to_owned();
    let name = about["name"].as_str().unwrap_or_default().to_owned();
    let pages = std::fs::read_dir(package.join("pages")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut pages: Vec<PathBuf> = pages.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    pages.sort();
    let of_page = |path: &PathBuf| {
        let page = json(path);
        let site = page["domain"].as_str().or(page["site"].as_str()).unwrap_or(&name).to_owned();
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let origin =
            SampleOrigin { name: format!("{name}/{file}"), site, source: (name.clone(), licence.clone()), trains };
        of_page(path, &page, &origin)
    };
    pages.iter().flat_map(of_page).collect()
}

fn json(path: &Path) -> Value {
    std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn of_page(path: &Path, about: &Value, origin: &SampleOrigin) -> Vec<RenderSample> {
    let mut bytes = Vec::new();
    let packed = std::fs::read(path.with_extension("html.gz")).unwrap_or_default();
    if flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).is_err() || about["fragmented"] == true {
        return Vec::new();
    }
    let doc = Doc::parse(&decode(&bytes, None).text, &TreeLimits::default());
    let url = about["url"].as_str();
    let flags = about["flags"].to_string();
    let page = read(doc.clone(), url);
    let found = match std::fs::read_to_string(path.with_extension("txt")) {
        Ok(gold) => recall(&gold, &page.text),
        Err(_) => f64::from(u8::from(page.amount.pairs > 0)),
    };
    let mut samples = Vec::new();
    if flags.contains("gold_not_in_source") {
        samples.push(origin.sample("page", true, &page));
    } else if found >= 0.8 || flags.contains("gold_only_in_scripts") {
        samples.push(origin.sample("page", false, &page));
    }
    if found < 0.8 || page.amount.chars < 200 && page.amount.pairs == 0 {
        return samples;
    }
    for (class, rest) in [("shell", shell(&doc)), ("hole", hole(&doc))] {
        let Some(rest) = rest else { continue };
        let left = read(rest, url);
        // What is left may be enough.
        if page.amount.adds_to(left.amount) {
            samples.push(origin.sample(class, true, &left));
        }
    }
    samples
}

/// The page without all of its body but the scripts and an element that may be where they draw.
fn shell(doc: &Doc) -> Option<Doc> {
    let body = doc.body()?;
    let scripts = |id: NodeId| doc.subtree(id).filter(|node| doc.name(*node) == LocalName::SCRIPT).count();
    let parts: Vec<NodeId> = doc.children(body).filter(|child| scripts(*child) == 0).collect();
    Some(doc.without(&parts)).filter(|rest| rest.len() < doc.len())
}

/// The page without what stands below the deepest element that has most of its text.
fn hole(doc: &Doc) -> Option<Doc> {
    let mut at = doc.body()?;
    let size = |id: NodeId| {
        doc.subtree(id).filter(|node| doc.is_text(*node)).map(|node| doc.text(node).trim().len()).sum::<usize>()
    };
    let all = size(at);
    while let Some(child) = doc.children(at).find(|child| doc.is_element(*child) && size(*child) * 10 >= all * 6) {
        at = child;
    }
    let parts: Vec<NodeId> = doc.children(at).collect();
    Some(doc.without(&parts)).filter(|_| Some(at) != doc.body())
}

/// The share of the gold's words that the text has.
fn recall(gold: &str, text: &str) -> f64 {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<HashSet<_>>();
    let (gold, text) = (words(gold), words(text));
    gold.intersection(&text).count() as f64 / gold.len().max(1) as f64
}
