//! One selection as plain text, Markdown or HTML; all three hold the same words.

mod blocks;
mod html;
mod images;
mod markdown;
mod marked;
mod structure;

pub use html::{render_html, render_html_with};
pub use markdown::{render_markdown, render_markdown_with};
pub use marked::render_marked;
pub use structure::Structure;

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
            for piece in selection.kept(page, row) {
                if before.is_some_and(|end| end != piece.start) {
                    collapser.space();
                }
                before = Some(piece.end);
                collapser.push(&mut out, &page.text[piece.start as usize..piece.end as usize]);
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
    for piece in selection.kept(page, row) {
        if piece.is_whole() {
            raw.push_str(page.doc.text(piece.leaf.node));
        } else {
            raw.push_str(&page.text[piece.start as usize..piece.end as usize]);
            raw.push(' ');
        }
    }
    push_lines(out, &raw);
}

/// The lines of preformatted text without empty ones, white space at their ends and control characters.
fn push_lines(out: &mut String, raw: &str) {
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
