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
mod style;
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
    RenderedText::new(page, selection).text
}

/// A line of a text that is a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadingLine {
    /// Which line of the text, from 0.
    pub line: u32,
    /// 1 to 6, as `h1` to `h6`.
    pub level: u8,
}

/// Most headings of a text that are told; those behind are lines as others.
const MAX_HEADINGS: usize = 10_000;

/// A text, and which of its lines are headings.
#[derive(Debug, Clone, Default)]
pub(crate) struct RenderedText {
    pub(crate) text: String,
    pub(crate) headings: Vec<HeadingLine>,
}

impl RenderedText {
    /// As [`render_text`].
    pub(crate) fn new(page: &Page<'_>, selection: &Selection) -> RenderedText {
        let selection = &readable(page, selection);
        let has_raised = raised::is_in(page.doc);
        let mut out = RenderedText::default();
        let mut lines = 0;
        for unit in units(page) {
            let start = out.text.len();
            out.push(page, unit, selection, has_raised);
            if out.text.len() > start {
                out.text.push('\n');
                if let OutputUnit::Row(row) = unit
                    && row.in_heading
                    && out.headings.len() < MAX_HEADINGS
                {
                    out.headings.push(HeadingLine { line: lines, level: page.row_rank(row) });
                }
                lines += out.text.as_bytes()[start..].iter().filter(|&&byte| byte == b'\n').count() as u32;
            }
        }
        out.text.pop();
        out
    }

    fn push(&mut self, page: &Page<'_>, unit: OutputUnit<'_>, selection: &Selection, has_raised: bool) {
        match unit {
            OutputUnit::Row(row) => push_row(&mut self.text, page, row, selection, has_raised),
            OutputUnit::Code(block, rows) => {
                code(page, block, rows, selection, false).iter().for_each(|(run, _)| self.text.push_str(run));
            }
        }
    }
}

#[cfg(test)]
mod leftovers_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod verbatim_tests;
