//! How much of the white space of `pre` comes out as it stands in the page.
//!
//! ```sh
//! cargo run --release -p gristmill-extract --example preformatted /usr/share/doc/python3.11/html
//! ```
//!
//! Takes folders, and all `*.html` and `*.html.gz` below them. Of each `pre` the text nodes, `br` and ends of blocks below it are put
//! together as they stand, without invisible characters, and looked for in the text, in the fences of the Markdown and in
//! the `pre` of the HTML; once in renderings of the whole page and once of what `best` keeps. A block all of which is
//! kept and that is found without its white space only has lost it. Names the pages that lost some.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gristmill_extract::{ExtractOptions, Page, Selection, extract_from, render_html, render_markdown, render_text};
use gristmill_html::{BLOCKS, Doc, LocalName, NodeId, TreeLimits, decode};

#[path = "pages/mod.rs"]
mod pages;

#[derive(Default)]
struct Counts {
    blocks: usize,
    characters: usize,
    kept_characters: usize,
    /// Blocks whose white space is lost, in text, Markdown, HTML.
    lost: [usize; 3],
    pages_with_loss: BTreeSet<PathBuf>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths = Vec::new();
    for folder in std::env::args().skip(1) {
        paths.extend(pages::below(Path::new(&folder))?);
    }
    let (mut with_code, mut whole, mut best) = (0, Counts::default(), Counts::default());
    for path in &paths {
        let doc = Doc::parse(&decode(&pages::read(path)?, None).text, &TreeLimits::default());
        let blocks = preformatted(&doc);
        if blocks.is_empty() {
            continue;
        }
        with_code += 1;
        let page = Page::new(&doc);
        compare(path, &page, &Selection::all(&page), &blocks, &mut whole);
        let options = ExtractOptions { attach_title: false, rescue: false, ..ExtractOptions::default() };
        compare(path, &page, &extract_from(&page, &options).1, &blocks, &mut best);
    }
    println!("{} pages, {with_code} with `pre`", paths.len());
    print("whole page", &whole);
    print("best", &best);
    for path in whole.pages_with_loss.union(&best.pages_with_loss) {
        println!("{}", path.display());
    }
    Ok(())
}

fn print(name: &str, counts: &Counts) {
    println!(
        "{name}: white space lost on {} pages; of {} blocks {} in text, {} in Markdown, {} in HTML; characters kept {:.4}",
        counts.pages_with_loss.len(),
        counts.blocks,
        counts.lost[0],
        counts.lost[1],
        counts.lost[2],
        counts.kept_characters as f64 / counts.characters.max(1) as f64,
    );
}

fn compare(path: &Path, page: &Page<'_>, selection: &Selection, blocks: &[(NodeId, String)], counts: &mut Counts) {
    let text = render_text(page, selection);
    let fences = markdown_code(&render_markdown(page, selection));
    let html = Doc::parse(&render_html(page, selection), &TreeLimits::default());
    let html = preformatted(&html).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n\n");
    let outputs = [text, fences, html];
    let squeezed = outputs.each_ref().map(|output| squeeze(output));
    for (pre, block) in blocks {
        let visible = squeeze(block);
        let own = |at: &usize| page.doc.contains(*pre, page.leaves[*at].node);
        let kept = (0..page.leaves.len()).filter(own).all(|leaf| selection.keeps(leaf));
        counts.blocks += 1;
        counts.characters += visible.len();
        counts.kept_characters += if kept { visible.len() } else { 0 };
        for (n, output) in outputs.iter().enumerate() {
            if kept && squeezed[n].contains(&visible) && !output.contains(block.as_str()) {
                counts.lost[n] += 1;
                counts.pages_with_loss.insert(path.to_owned());
            }
        }
    }
}

/// The contents of fences, as a reader of Markdown has them.
fn markdown_code(markdown: &str) -> String {
    let mut code = String::new();
    let mut within = false;
    for event in pulldown_cmark::Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES) {
        match event {
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::CodeBlock(_)) => within = true,
            pulldown_cmark::Event::End(pulldown_cmark::TagEnd::CodeBlock) => within = false,
            pulldown_cmark::Event::Text(text) if within => code.push_str(&text),
            _ => {}
        }
    }
    code
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text of each `pre` that has some, without blank lines before and white space after it.
fn preformatted(doc: &Doc) -> Vec<(NodeId, String)> {
    let all = doc.ids().filter(|&id| doc.name(id) == LocalName::PRE).map(|id| (id, text_of(doc, id)));
    all.filter(|(_, text)| !text.trim().is_empty()).collect()
}

fn text_of(doc: &Doc, pre: NodeId) -> String {
    let mut text = String::new();
    let mut before = pre;
    for id in doc.subtree(pre) {
        let block = doc.ancestors(id).find(|&id| BLOCKS.contains(&doc.name(id))).unwrap_or(pre);
        match doc.name(id) {
            LocalName::BR => text.push('\n'),
            LocalName::TEXT => {
                // Lines that are elements.
                if block != before && !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(doc.text(id));
                before = block;
            }
            _ => {}
        }
    }
    let text: String = text.replace('\u{a0}', " ").chars().filter(|&c| !gristmill_text::is_invisible(c)).collect();
    let visible = text.len() - text.trim_start().len();
    let line = text[..visible].rfind('\n').map_or(0, |at| at + 1);
    text[line..].trim_end().to_owned()
}
