//! Agreement with published outputs of CETD and Crunch, page by page: word F1 of ours against theirs.
//!
//! Needs the test data (`GRISTMILL_DATA`, default `../shared/data` beside the workspace); says so when it is missing.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_extract::{ExtractOptions, Method, Page, extract_from};
use gristmill_html::{Doc, LocalName, TreeLimits, decode};

/// One published implementation, the method that should agree with it, and the least mean word F1.
struct Reference {
    folder: &'static str,
    method: &'static str,
    least: f64,
}

/// What the authors' code does removes hidden elements; the default does not, and agrees a little less.
const CETD: [Reference; 2] = [
    Reference { folder: "cetd-ctd", method: "cetd", least: 0.95 },
    Reference { folder: "cetd-ctd", method: "cetd(hidden=drop)", least: 0.97 },
];
const CETD_TD: [Reference; 2] = [
    Reference { folder: "cetd-td-variant", method: "cetd-td", least: 0.95 },
    Reference { folder: "cetd-td-variant", method: "cetd-td(hidden=drop)", least: 0.98 },
];
/// Only ASCII words, because the original read every page as ISO-8859-1.
const CRUNCH: Reference = Reference { folder: "crunch-psl", method: "crunch(containers=td)", least: 0.94 };

#[test]
fn composite_text_density_agrees_with_its_authors() {
    CETD.iter().for_each(|reference| agree(reference, words, |_| String::new()));
}

#[test]
fn plain_text_density_agrees_with_its_authors() {
    CETD_TD.iter().for_each(|reference| agree(reference, words, |_| String::new()));
}

#[test]
fn crunch_of_2003_agrees_with_its_authors() {
    agree(&CRUNCH, ascii_words, alternative_texts);
}

/// `extra`: what the original prints besides text of the page.
fn agree(reference: &Reference, bag: fn(&str) -> HashMap<String, i64>, extra: fn(&Doc) -> String) {
    let Some(pages) = pages(reference.folder) else { return };
    let method: Method = reference.method.parse().expect("a method of the list");
    let (mut sum, mut n) = (0.0, 0);
    for (id, html, expected) in pages {
        let decoded = decode(&html, None);
        let doc = Doc::parse(&decoded.text, &TreeLimits::default());
        let page = Page::new(&doc);
        let options = ExtractOptions {
            method: method.clone(),
            never_empty: false,
            attach_title: false,
            ..ExtractOptions::default()
        };
        let (document, _) = extract_from(&page, &options);
        let score = f1(&bag(&(document.text + "\n" + &extra(&doc))), &bag(&expected));
        if score < 0.8 {
            println!("{} {id}: {score:.3} by `{}`", reference.folder, reference.method);
        }
        (sum, n) = (sum + score, n + 1);
    }
    let mean = sum / f64::from(n);
    println!("{}: mean word F1 {mean:.4} of `{}` over {n} pages", reference.folder, reference.method);
    assert!(mean >= reference.least, "`{}`: {mean:.4} is below {}", reference.method, reference.least);
}

/// Id, HTML and published output of every page; `None`, said loudly, without the data.
fn pages(folder: &str) -> Option<Vec<(String, Vec<u8>, String)>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()));
    let outputs = data.join("reference-outputs").join(folder);
    let Ok(entries) = std::fs::read_dir(&outputs) else {
        println!("SKIPPED: no published outputs in {}", outputs.display());
        return None;
    };
    let texts = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "txt"));
    let mut pages: Vec<_> = texts
        .filter_map(|path| {
            let id = path.file_stem()?.to_str()?.to_owned();
            let html = unpacked(&data.join(format!("articles/wcxb-dev/pages/{id}.html.gz")))?;
            Some((id, html, std::fs::read_to_string(path).ok()?))
        })
        .collect();
    pages.sort();
    assert!(pages.len() > 20, "only {} pages of {} could be read", pages.len(), outputs.display());
    Some(pages)
}

fn unpacked(path: &Path) -> Option<Vec<u8>> {
    let mut html = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).ok()?).read_to_end(&mut html).ok()?;
    Some(html)
}

fn words(text: &str) -> HashMap<String, i64> {
    let mut bag = HashMap::new();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.for_each(|word| *bag.entry(word.to_lowercase()).or_insert(0) += 1);
    bag
}

fn ascii_words(text: &str) -> HashMap<String, i64> {
    let mut bag = HashMap::new();
    let words = text.split(char::is_whitespace).filter(|word| word.is_ascii());
    for word in words.flat_map(|word| word.split(|c: char| !c.is_ascii_alphanumeric())).filter(|word| !word.is_empty())
    {
        *bag.entry(word.to_ascii_lowercase()).or_insert(0) += 1;
    }
    bag
}

/// Crunch prints the alternative text of images that are not links.
fn alternative_texts(doc: &Doc) -> String {
    let mut texts = String::new();
    for id in doc.ids().filter(|&id| doc.name(id) == LocalName::IMG) {
        let linked = doc.parent(id).is_some_and(|parent| doc.name(parent) == LocalName::A);
        if let (false, Some(text), Some(_)) = (linked, doc.attr(id, LocalName::ALT), doc.attr(id, LocalName::SRC)) {
            texts.push_str(text);
            texts.push('\n');
        }
    }
    texts
}

fn f1(ours: &HashMap<String, i64>, theirs: &HashMap<String, i64>) -> f64 {
    let total: i64 = ours.values().sum::<i64>() + theirs.values().sum::<i64>();
    let shared: i64 = ours.iter().map(|(word, n)| n.min(theirs.get(word).unwrap_or(&0))).sum();
    if total == 0 { 1.0 } else { 2.0 * shared as f64 / total as f64 }
}
