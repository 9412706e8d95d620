//! The titles of what is folded.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};

use super::section::{Sections, is_said_once};

impl Sections<'_> {
    /// The titles of what is folded where one of the first rows of that is kept: code may begin with the name of its language.
    pub(super) fn summaries(&self, area: NodeId) -> Vec<Range<usize>> {
        const FIRST: usize = 2;
        let is_kept = |(title, folded): &(Range<usize>, Range<usize>)| {
            let mut first = (title.end..folded.end).take(FIRST);
            folded.start <= title.end && first.any(|row| self.decision.keep[row]) && self.is_title(title)
        };
        self.folded(area).into_iter().filter(is_kept).map(|(title, _)| title).collect()
    }

    /// Of a title of several rows the method knows better: it has the signature of a function, and since when there is one.
    fn is_title(&self, title: &Range<usize>) -> bool {
        let says = |row: usize| self.page.row_text(&self.page.rows[row]).contains(char::is_alphabetic);
        title.len() == 1 && says(title.start) && is_said_once(self.facts, title.start)
    }

    /// Titles with what they unfold: `summary`, and what says whether it is unfolded and which element that is. O(nodes).
    fn folded(&self, area: NodeId) -> Vec<(Range<usize>, Range<usize>)> {
        let doc = self.page.doc;
        let rows = |id: NodeId| self.facts.context.rows(self.page, id);
        let (expanded, controls) = (doc.find_name("aria-expanded"), doc.find_name("aria-controls"));
        let mut by_id: HashMap<&str, NodeId> = HashMap::new();
        if expanded.is_some() && controls.is_some() {
            by_id.extend(doc.subtree(area).filter_map(|id| Some((doc.attr(id, LocalName::ID)?, id))));
        }
        let folded = |id: NodeId| match doc.name(id) {
            LocalName::SUMMARY => doc.parent(id),
            _ => doc.attr(id, expanded?).and(doc.attr(id, controls?)).and_then(|id| by_id.get(id).copied()),
        };
        doc.subtree(area).filter_map(|id| Some((rows(id), rows(folded(id)?)))).collect()
    }
}
