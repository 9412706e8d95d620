//! The whole page with the kept parts marked: what a person looks at to judge a method.

use gristmill_page::{Page, Selection};

use super::blocks::all_blocks;
use super::html::{escape, write};

const STYLE: &str = "
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: #8a8a8a; background: #fff }
mark { color: #111; background: #cdeed3 }
a { color: inherit }
header { border-bottom: 1px solid #ccc; margin-bottom: 1rem }
header mark { padding: 0 .3em }
td, th { border: 1px solid #ddd; padding: .2em .5em; vertical-align: top }
pre { overflow-x: auto }
@media (prefers-color-scheme: dark) {
  body { color: #777; background: #161616 }
  mark { color: #eee; background: #22502c }
}";

/// A complete HTML document with all text of the page, what `selection` keeps in `mark`, under a line that says
/// `heading` and how much is kept.
///
/// Made of the same small set of elements as [`render_html`](super::render_html): no script, style or image of the
/// page is in it. O(page).
pub fn render_marked(page: &Page<'_>, selection: &Selection, heading: &str) -> String {
    let characters = |kept: bool| -> u64 {
        let leaves = page.leaves.iter().enumerate().filter(|(at, _)| !kept || selection.keeps(*at));
        leaves.map(|(_, leaf)| u64::from(leaf.chars)).sum()
    };
    let mut out = String::from("<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>");
    escape(&mut out, heading);
    out.push_str(&format!("</title><style>{STYLE}\n</style></head><body>\n<header><p><b>"));
    escape(&mut out, heading);
    out.push_str(&format!(
        "</b> keeps <mark>{} of {} characters</mark></p></header>\n{}</body></html>\n",
        characters(true),
        characters(false),
        write(page, &all_blocks(page, selection), true)
    ));
    out
}
