//! Short boxes within a text that look like what stands around texts: facts beside it, notes on what was wrong, questions with their
//! answers, captions.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{PageType, Row};

use super::block::BlockNames;
use super::plain::LINKS;
use super::section::{Sections, is_said_once, sum};

impl Sections<'_> {
    /// Boxes without links and controls between kept rows of the element that holds them: an `aside`, what is called a callout, and what is
    /// called a correction or says that it is a note, which may be the last. O(nodes).
    pub(super) fn boxes(&self, area: NodeId, names: &BlockNames) -> Vec<Range<usize>> {
        const MAX_ROWS: usize = 30;
        const LEAST_OF_CALLOUT: f32 = 0.15;
        const LEAST_OF_LAST: f32 = 0.2;
        let doc = self.page.doc;
        // Manuals name other pages in all that they say.
        let is_manual = self.facts.types.best().0 == PageType::Documentation;
        let most_links = if is_manual { 0.6 } else { LINKS };
        let ends_section =
            |rows: &Range<usize>| is_manual && sum(&self.main, rows) >= LEAST_OF_LAST * sum(&self.words, rows);
        let of_text = |id: NodeId| {
            let is_note = names.is_note(self.page, id) || doc.attr(id, LocalName::ROLE) == Some("note");
            let is_callout = names.is_box(self.page, id);
            (is_note || is_callout || doc.name(id) == LocalName::ASIDE).then_some(())?;
            let rows = self.facts.context.rows(self.page, id);
            let is_likely = || sum(&self.main, &rows) >= LEAST_OF_CALLOUT * sum(&self.words, &rows);
            (is_note || !is_callout || is_likely()).then_some(())?;
            let around = self.facts.context.rows(self.page, doc.parent(id)?);
            let fits = (1..=MAX_ROWS).contains(&rows.len())
                && self.kept_before[rows.start] > around.start
                && (is_note
                    || self.kept_after[rows.end] < around.end
                    || self.ends_text(id, &rows)
                    || ends_section(&rows))
                && sum(&self.kept, &rows) <= 0.0
                && !self.is_unwanted(id, &rows, most_links);
            fits.then_some(rows)
        };
        doc.subtree(area).filter(|&id| doc.is_element(id)).filter_map(of_text).collect()
    }

    /// What stands in boxes of which the title is kept and nothing else: a bare `Warning` says nothing. O(nodes).
    pub(super) fn bodies(&self, area: NodeId, names: &BlockNames) -> Vec<Range<usize>> {
        const ROWS: std::ops::RangeInclusive<usize> = 2..=12;
        let doc = self.page.doc;
        let body = |id: NodeId| {
            let rows = self.facts.context.rows(self.page, id);
            let is_titled = ROWS.contains(&rows.len()) && self.decision.keep[rows.start];
            let body = rows.start + 1..rows.end.max(rows.start + 1);
            let is_lost = is_titled && sum(&self.kept, &body) <= 0.0;
            (is_lost
                && !self.is_of_links(&body, 0.5)
                && !self.page.rows[body.clone()].iter().any(|row| self.is_control(row)))
            .then_some(body)
        };
        let boxes = doc.subtree(area).filter(|&id| doc.is_element(id) && names.is_box(self.page, id));
        boxes.filter_map(body).collect()
    }

    /// Questions with their answers, several of which follow one another and are built alike. O(nodes).
    pub(super) fn questions(&self, area: NodeId) -> Vec<Range<usize>> {
        const MOST: usize = 200;
        let doc = self.page.doc;
        let class = |id: NodeId| (doc.name(id), doc.attr(id, LocalName::CLASS));
        let next = |&id: &NodeId| doc.elements_behind(id).next();
        let mut added: Vec<Range<usize>> = Vec::new();
        let mut done = 0;
        for first in doc.subtree(area).filter(|&id| doc.is_element(id)) {
            if first.index() < done || !self.is_question(first) {
                continue;
            }
            let is_alike = |id: &NodeId| class(*id) == class(first) && self.is_question(*id);
            let run = std::iter::successors(Some(first), next).take_while(is_alike).take(MOST);
            let (n, last) = run.fold((0, first), |(n, _), id| (n + 1, id));
            let rows = |id| self.facts.context.rows(self.page, id);
            if n > 1 || self.is_folded_question(first, &rows(first)) {
                done = doc.end(last);
                added.push(rows(first).start..rows(last).end);
            }
        }
        added
    }

    /// Whether an element is called what folds an answer, and stands among the paragraphs of a text.
    fn is_folded_question(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const LEAST: f32 = 0.15;
        is_named(self.page.doc, id, &["toggle", "accordion", "faq", "expander", "collapsible", "spoiler"])
            && sum(&self.main, rows) >= LEAST * sum(&self.words, rows)
            && !self.page.rows[rows.clone()].iter().any(Row::is_link)
            && self.is_amid(id, rows)
    }

    /// Whether an element is a question, and the few rows of its answer.
    fn is_question(&self, id: NodeId) -> bool {
        const ROWS: std::ops::RangeInclusive<usize> = 2..=12;
        let rows = self.facts.context.rows(self.page, id);
        let row = |at: usize| &self.page.rows[at];
        ROWS.contains(&rows.len())
            && self.page.row_text(row(rows.start)).trim_end().ends_with(['?', '？', '؟'])
            && !row(rows.start + 1).is_link()
            && !self.is_of_links(&rows, 0.3)
            // A question is often a button; what is pressed below it belongs to a quiz.
            && !self.page.rows[rows.start + 1..rows.end].iter().any(|row| self.is_control(row))
    }

    /// Captions of pictures between kept rows, between the title and the first of them, or behind the last, that say more than whom the
    /// picture is from. O(nodes).
    pub(super) fn captions(&self, area: NodeId) -> Vec<Range<usize>> {
        const MAX_ROWS: usize = 3;
        const LEAST_CHARS: f32 = 30.0;
        let doc = self.page.doc;
        let captions = doc.subtree(area).filter(|&id| doc.name(id) == LocalName::FIGCAPTION);
        let is_paragraph = |&row: &usize| self.decision.keep[row] && self.page.row_rank(&self.page.rows[row]) == 0;
        let begin = (0..self.page.rows.len()).find(is_paragraph).unwrap_or(0);
        let says = |row: usize| {
            let row = &self.page.rows[row];
            row.chars as f32 * self.facts.scale >= LEAST_CHARS && !is_credit(self.page.row_text(row))
        };
        let mut added: Vec<Range<usize>> = Vec::new();
        for id in captions {
            let rows = self.facts.context.rows(self.page, id);
            let fits = (1..=MAX_ROWS).contains(&rows.len())
                && says(rows.start)
                && !self.is_of_links(&rows, 0.3)
                && is_said_once(self.facts, rows.start);
            // The pictures of a gallery follow one another.
            let before = added.last().map_or(0, |last| last.end).max(self.kept_before[rows.start]);
            if fits && (self.is_amid(id, &rows) || self.is_at_end(id, &rows, begin, before)) {
                added.push(rows);
            }
        }
        added
    }

    /// Whether some rows stand between the title and the first kept paragraph, which is `begin`, or close behind the kept row `before` in the
    /// element that holds it.
    fn is_at_end(&self, id: NodeId, rows: &Range<usize>, begin: usize, before: usize) -> bool {
        const LEAST: f32 = 0.05;
        const NEAR: usize = 8;
        const LEVELS: usize = 3;
        let is_title = |row: usize| self.page.row_rank(&self.page.rows[row]) == 1;
        let below_title = || (rows.start.saturating_sub(NEAR)..rows.start).any(is_title);
        let is_in = |id: NodeId| self.facts.context.rows(self.page, id).start < before;
        let is_last = || {
            (1..=rows.start).contains(&before)
                && rows.start - before <= NEAR
                && self.page.doc.ancestors(id).take(LEVELS).any(is_in)
        };
        sum(&self.main, rows) >= LEAST * sum(&self.words, rows) && (rows.end <= begin && below_title() || is_last())
    }

    /// Whether an element around has kept rows before and behind some rows.
    fn is_amid(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const LEVELS: usize = 5;
        self.page.doc.ancestors(id).take(LEVELS).any(|id| {
            let around = self.facts.context.rows(self.page, id);
            self.kept_before[rows.start] > around.start && self.kept_after[rows.end] < around.end
        })
    }
}

/// Whether a caption says no more than whom the picture is from: `Photo: Ann Lee`, `Image courtesy of the mill`.
pub(super) fn is_credit(text: &str) -> bool {
    const PICTURES: [&str; 20] = [
        "image",
        "images",
        "photo",
        "photos",
        "photograph",
        "picture",
        "source",
        "credit",
        "credits",
        "foto",
        "fotos",
        "bild",
        "bilder",
        "quelle",
        "crédit",
        "crédits",
        "fotografía",
        "fotografia",
        "zdjęcie",
        "фото",
    ];
    const FROM: [&str; 8] = ["credit", "credits", "courtesy", "by", "via", "source", "von", "par"];
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let begins = PICTURES.contains(&first.trim_end_matches([':', '：']));
    let next = words.next().unwrap_or_default().to_lowercase();
    text.contains('©') || begins && (first.ends_with([':', '：']) || FROM.contains(&next.trim_end_matches(':')))
}

#[cfg(test)]
mod tests {
    use super::is_credit;

    #[test]
    fn credits_are_told_from_captions() {
        for credit in [
            "Photo: Ann Lee / Valley Post",
            "Image courtesy of the mill",
            "Photo by Ann Lee",
            "© Valley Post",
            "Quelle: dpa",
        ] {
            assert!(is_credit(credit), "{credit}");
        }
        for caption in
            ["Photo of the wheel in the year of the flood", "The wheel. Photo: Ann Lee", "Sources of the river"]
        {
            assert!(!is_credit(caption), "{caption}");
        }
    }
}
