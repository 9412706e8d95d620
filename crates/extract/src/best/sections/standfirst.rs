//! The standfirst of a text: what stands between its title and its first paragraph, and says what it is about.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{PageType, Row};
use gristmill_text::lower_letters;

use super::section::Sections;

/// Words of the classes and ids of one.
#[rustfmt::skip]
const STANDFIRST: &[&str] = &[
    "standfirst", "dek", "deck", "subtitle", "subheadline", "subhead", "subheading", "subhed", "lede", "lead", "leadin", "intro",
    "introduction", "summary", "excerpt", "chapo", "chapeau", "abstract", "description", "sapo", "sommario", "entradilla", "bajada",
    "ingress", "manchet", "perex", "vorspann", "teaser", "preamble", "strapline",
];

/// What it never stands in.
const AROUND: [LocalName; 6] =
    [LocalName::NAV, LocalName::ASIDE, LocalName::FORM, LocalName::BUTTON, LocalName::FIGURE, LocalName::A];

impl Sections<'_> {
    /// The rows between the title and the first kept paragraph that are named as a standfirst, or that the page describes itself with.
    /// O(rows).
    pub(super) fn standfirst(&self) -> Vec<Range<usize>> {
        const NEAR: usize = 14;
        const PARAGRAPH: f32 = 100.0;
        const LEVELS: usize = 12;
        const DASHES: [char; 3] = ['-', '–', '—'];
        const CHARS: std::ops::RangeInclusive<u32> = 20..=600;
        let rows = &self.page.rows;
        let rank = |row: usize| self.page.row_rank(&rows[row]);
        let is_long = |row: &Row| row.chars as f32 * self.facts.scale >= PARAGRAPH;
        let is_paragraph = |&row: &usize| self.decision.keep[row] && rank(row) == 0 && is_long(&rows[row]);
        let Some(first) = (0..rows.len()).find(is_paragraph) else { return Vec::new() };
        let title = (first.saturating_sub(NEAR)..first).rev().find(|&row| rank(row) == 1);
        let Some(title) = title else { return Vec::new() };
        let description = self.page.doc.meta("og:description").or_else(|| self.page.doc.meta("description"));
        let is_said = |row: &Row| description.is_some_and(|said| is_beginning(self.page.row_text(row), said));
        // `NAME`, and below it `mill - grinds grain`
        let is_manual = self.facts.types.best().0 == PageType::Documentation;
        let is_name = |at: usize| {
            is_manual && at == title + 2 && rank(at - 1) == 2 && self.page.row_text(&rows[at]).contains(DASHES)
        };
        let fits = |at: &usize| {
            let row = &rows[*at];
            !self.decision.keep[*at]
                && CHARS.contains(&row.chars)
                && 4 * row.link_chars <= row.chars
                && !self.around(row, LEVELS).any(|id| AROUND.contains(&self.page.doc.name(id)))
                && (is_said(row)
                    || is_name(*at)
                    || self.around(row, 2).any(|id| is_named(self.page.doc, id, STANDFIRST)))
        };
        (title + 1..first).filter(fits).map(|row| row..row + 1).collect()
    }

    /// The elements around the first text of a row, from inside.
    fn around(&self, row: &Row, levels: usize) -> impl Iterator<Item = NodeId> {
        self.page.doc.ancestors(self.page.leaves[row.first_leaf as usize].node).take(levels)
    }
}

/// Whether one of two texts begins with the first words of the other.
fn is_beginning(text: &str, said: &str) -> bool {
    const COMPARED: usize = 40;
    const LEAST_BYTES: usize = 20;
    let letters = |text: &str| lower_letters(text).take(COMPARED).collect::<String>();
    let (text, said) = (letters(text), letters(said));
    text.len().min(said.len()) >= LEAST_BYTES && (text.starts_with(&said) || said.starts_with(&text))
}

#[cfg(test)]
mod tests {
    use super::is_beginning;

    #[test]
    fn a_description_that_was_cut_is_the_same() {
        let text = "The line will close for six weekends this autumn, and nobody has said why.";
        assert!(is_beginning(text, "The line will close for six weekends this autumn…"));
        assert!(!is_beginning(text, "The Fen Herald: news of the county") && !is_beginning("The line", "The line"));
    }
}
