//! What the sources of a page's author and date look at.

use std::ops::Range;

use gristmill_html::NodeId;
use gristmill_page::Page;

use super::date::DateStyle;
use super::items::MetadataElements;
use super::json_ld::JsonLdFields;

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
}

/// The row of the title.
pub(super) fn title_row(page: &Page<'_>, title: Option<&str>) -> Option<usize> {
    let at = title.and_then(|title| {
        let same = page.rows.iter().position(|row| row.in_heading && page.row_text(row) == title);
        same.or_else(|| page.rows.iter().position(|row| page.row_text(row) == title))
    });
    at.or_else(|| page.rows.iter().position(|row| row.in_heading))
}

/// Rows around the title where date and byline usually stand.
pub(super) fn near_title(page: &Page<'_>, title_row: Option<usize>) -> Range<usize> {
    let at = title_row.unwrap_or(0);
    at.saturating_sub(3)..(at + 12).min(page.rows.len())
}
