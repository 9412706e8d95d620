//! One selection as plain text, Markdown or HTML; all three hold the same words.

mod addresses;
mod block;
mod blocks;
mod escape;
mod formulas;
mod frames;
mod grid;
mod html;
mod images;
mod markdown;
mod marked;
mod nesting;
mod raised;
mod spans;
mod structure;
mod units;

pub use html::{render_html, render_html_with};
pub use markdown::{render_markdown, render_markdown_with};
pub use marked::render_marked;
pub use structure::Structure;
pub(crate) use structure::{CAPTION, is_caption};

use gristmill_page::{Page, Selection, verbatim::code};

use spans::push_row;
use units::{OutputUnit, readable, units};

/// The kept rows, one a line; code, and what else is laid out with spaces, as it stands in the page.
///
/// What is for no reader is left out: permalink signs, line numbers of code, shortcodes, serialised state.
pub fn render_text(page: &Page<'_>, selection: &Selection) -> String {
    let selection = &readable(page, selection);
    let has_raised = raised::is_in(page.doc);
    let mut out = String::new();
    for unit in units(page) {
        let start = out.len();
        match unit {
            OutputUnit::Row(row) => push_row(&mut out, page, row, selection, has_raised),
            OutputUnit::Code(block, rows) => {
                code(page, block, rows, selection, false).iter().for_each(|(run, _)| out.push_str(run));
            }
        }
        if out.len() > start {
            out.push('\n');
        }
    }
    out.pop();
    out
}

#[cfg(test)]
mod leftovers_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod verbatim_tests;
