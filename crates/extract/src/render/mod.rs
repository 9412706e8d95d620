//! One selection as plain text, Markdown or HTML; all three hold the same words.

mod blocks;
mod html;
mod markdown;

pub use html::render_html;
pub use markdown::render_markdown;

use gristmill_html::Name;

use crate::page::{Page, Row};
use crate::selection::Selection;
use gristmill_text::Collapser;

/// The kept rows, one a line; the lines of preformatted text as they stand in the page.
pub fn render_text(page: &Page<'_>, selection: &Selection) -> String {
    let mut out = String::new();
    for row in &page.rows {
        let start = out.len();
        if is_preformatted(page, row) {
            push_verbatim(&mut out, page, row, selection);
        } else if selection.keeps_whole(row) {
            out.push_str(page.row_text(row));
        } else {
            let mut collapser = Collapser::default();
            let mut before: Option<u32> = None;
            for leaf in selection.kept(page, row) {
                if before.is_some_and(|end| end != leaf.start) {
                    collapser.space();
                }
                before = Some(leaf.end);
                collapser.push(&mut out, &page.text[leaf.start as usize..leaf.end as usize]);
            }
        }
        if out.len() > start {
            out.push('\n');
        }
    }
    out.pop();
    out
}

pub(crate) fn is_preformatted(page: &Page<'_>, row: &Row) -> bool {
    page.doc.name(row.block) == Name::PRE
}

fn push_verbatim(out: &mut String, page: &Page<'_>, row: &Row, selection: &Selection) {
    let mut raw = String::new();
    for leaf in selection.kept(page, row) {
        raw.push_str(page.doc.text(leaf.node));
    }
    let lines = raw.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty());
    for (n, line) in lines.enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.extend(line.chars().filter(|c| !c.is_control() || *c == '\t'));
    }
}

#[cfg(test)]
mod tests;
