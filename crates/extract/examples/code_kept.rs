//! How much of the preformatted text of documentation pages is kept: by folder, and the pages that lose most.
//!
//! ```sh
//! scripts/setup bench
//! cargo run --release -p gristmill-extract --example code_kept -- ../shared/data/articles/wcxb-dev/pages \
//!     /usr/share/doc/python3/html /usr/share/doc/postgresql-doc-15/html /usr/share/doc/debian-handbook/html/en-US
//! ```
//!
//! Takes folders, searched through, of `*.html` or `*.html.gz`. Of a test package only pages of the type `documentation` count. Main
//! area is `main`, `role=main` or the only `article`, else the smallest element with four fifths of the page's text outside of links,
//! `nav`, `header`, `footer` and `aside`. What holds digits alone is the numbering of lines, and no code.

use std::path::{Path, PathBuf};

use gristmill_extract::{ExtractOptions, Page, Selection, extract_from};
use gristmill_html::{Doc, LocalName, NodeId, TreeLimits, decode};

#[path = "pages/mod.rs"]
mod pages;

/// Pages that are named because they lose most.
const WORST: usize = 8;

#[derive(Default)]
struct Count {
    pages: usize,
    with_code: usize,
    chars: u64,
    kept: u64,
    worst: Vec<(u64, u64, PathBuf)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        return Err("which folders of pages?".into());
    }
    println!("| folder | pages | with `pre` | characters | kept | share |\n|---|---:|---:|---:|---:|---:|");
    let mut worst = Vec::new();
    for folder in &folders {
        let mut count = Count::default();
        for path in pages::below(folder)? {
            if is_documentation(&path) {
                count.add(&path)?;
            }
        }
        let share = count.kept as f64 / count.chars.max(1) as f64;
        let Count { pages, with_code, chars, kept, .. } = count;
        println!("| `{}` | {pages} | {with_code} | {chars} | {kept} | {share:.4} |", folder.display());
        count.worst.sort_unstable_by_key(|(lost, ..)| std::cmp::Reverse(*lost));
        worst.extend(count.worst.into_iter().take(WORST));
    }
    println!();
    worst.iter().for_each(|(lost, of, path)| println!("{lost} of {of} lost: {}", path.display()));
    Ok(())
}

/// Whether a page of a test package is documentation; others are.
fn is_documentation(path: &Path) -> bool {
    let about = path.to_string_lossy().trim_end_matches(".gz").trim_end_matches(".html").to_owned() + ".json";
    let about: Option<serde_json::Value> =
        std::fs::read(about).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    about.is_none_or(|about| about["page_type"] == "documentation")
}

impl Count {
    fn add(&mut self, path: &Path) -> std::io::Result<()> {
        let doc = Doc::parse(&decode(&pages::read(path)?, None).text, &TreeLimits::default());
        let page = Page::new(&doc);
        let (_, selection) = extract_from(&page, &ExtractOptions::default());
        let (chars, kept) = code(&page, &selection);
        self.pages += 1;
        self.with_code += usize::from(chars > 0);
        self.chars += chars;
        self.kept += kept;
        if kept < chars {
            self.worst.push((chars - kept, chars, path.to_owned()));
        }
        Ok(())
    }
}

/// Characters of preformatted text in the main area, and those that are kept.
fn code(page: &Page<'_>, selection: &Selection) -> (u64, u64) {
    let doc = page.doc;
    let (mut all, mut kept) = (0, 0);
    let Some(area) = main_area(page) else { return (0, 0) };
    let mut end = 0;
    for pre in doc.subtree(area).filter(|&id| doc.name(id) == LocalName::PRE) {
        // One within another counts once.
        if pre.index() < end || doc.text_content(pre).bytes().all(|byte| byte.is_ascii_digit() || byte == b' ') {
            continue;
        }
        end = doc.end(pre);
        let leaves = page.leaves.iter().enumerate().filter(|(_, leaf)| doc.contains(pre, leaf.node));
        for (at, leaf) in leaves {
            all += u64::from(leaf.chars);
            kept += if selection.keeps(at) { u64::from(leaf.chars) } else { 0 };
        }
    }
    (all, kept)
}

fn main_area(page: &Page<'_>) -> Option<NodeId> {
    let doc = page.doc;
    let role = |id: &NodeId| doc.name(*id) == LocalName::MAIN || doc.attr(*id, LocalName::ROLE) == Some("main");
    let articles: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::ARTICLE).collect();
    let marked = doc.ids().find(|id| doc.is_element(*id) && role(id));
    let only = match articles[..] {
        [article] => Some(article),
        _ => None,
    };
    // One that is empty is filled by scripts.
    let with_text = |id: &NodeId| page.elements().below(*id).chars > 0;
    marked.filter(with_text).or_else(|| only.filter(with_text)).or_else(|| smallest(page))
}

/// The smallest element with four fifths of the text that may be content.
fn smallest(page: &Page<'_>) -> Option<NodeId> {
    let doc = page.doc;
    let mut sums = vec![0u64; doc.len()];
    for leaf in page.leaves.iter().filter(|leaf| !leaf.in_link) {
        let frame = [LocalName::NAV, LocalName::HEADER, LocalName::FOOTER, LocalName::ASIDE];
        if !doc.ancestors(leaf.node).any(|id| frame.contains(&doc.name(id))) {
            doc.ancestors(leaf.node).for_each(|id| sums[id.index()] += u64::from(leaf.chars));
        }
    }
    let most = doc.body().map_or(0, |body| sums[body.index()]);
    doc.ids().filter(|&id| doc.is_element(id) && sums[id.index()] * 5 >= most * 4).max_by_key(|&id| doc.depth(id))
}
