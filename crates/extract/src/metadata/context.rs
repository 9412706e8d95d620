//! What the sources of a page's author and date look at.

use std::cell::OnceCell;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Row};
use gristmill_text::lower_letters;

use super::date::DateStyle;
use super::items::MetadataElements;
use super::json_ld::JsonLdFields;
use crate::related::is_related;

/// A page, with what is scanned once for all sources.
pub(super) struct MetadataContext<'p> {
    pub(super) page: &'p Page<'p>,
    pub(super) facts: &'p JsonLdFields,
    pub(super) items: &'p MetadataElements,
    /// Rows near the title.
    pub(super) near: Range<usize>,
    /// The block of the title.
    pub(super) heading: Option<NodeId>,
    /// How the page writes dates.
    pub(super) style: DateStyle,
    pub(super) url: Option<&'p str>,
    /// The row near the title that says how long ago it was, once it was looked for.
    pub(super) relative: OnceCell<Option<usize>>,
}

/// The row of the title: a heading that is it or has it in it, else a row that is it, else the only heading of the
/// first rank, else the first heading. Signs between words do not count.
pub(super) fn title_row(page: &Page<'_>, title: Option<&str>) -> Option<usize> {
    let find = |is: &dyn Fn(&Row) -> bool| page.rows.iter().position(is);
    let is_first_rank = |row: &Row| page.doc.name(row.block) == LocalName::H1;
    let at = title.and_then(|title| {
        let letters: String = lower_letters(title).collect();
        let n = letters.chars().count();
        let is_as_long = |row: &Row| (n..=2 * n + 10).contains(&(row.chars as usize)) && n > 0;
        let is = |row: &Row| is_as_long(row) && lower_letters(page.row_text(row)).eq(letters.chars());
        let is_in = |row: &Row| is_first_rank(row) && lower_letters(page.row_text(row)).take(n).eq(letters.chars());
        find(&|row| row.in_heading && (is(row) || is_in(row))).or_else(|| find(&is))
    });
    let only = || {
        let mut first_rank = (0..page.rows.len()).filter(|&row| is_first_rank(&page.rows[row]));
        first_rank.next().filter(|_| first_rank.next().is_none())
    };
    at.or_else(only).or_else(|| find(&|row| row.in_heading))
}

/// Rows around the title where date and byline usually stand: those below a heading of other pages are these pages'.
pub(super) fn near_title(page: &Page<'_>, title_row: Option<usize>) -> Range<usize> {
    let at = title_row.unwrap_or(0);
    let end = (at + 12).min(page.rows.len());
    let others = (at + 1..end).find(|&row| is_related(page, &page.rows[row]));
    at.saturating_sub(3)..others.unwrap_or(end)
}
