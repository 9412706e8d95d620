//! Readability: paragraphs score for the elements around them, and the one with the best score is the article.
//!
//! ```text
//! unlikely elements out ─▶ paragraphs score ─▶ best element ─▶ its siblings ─▶ parts that are no text out ─▶ enough? else again, less strict
//! ```

mod clean;
mod names;
mod score;
mod totals;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, hidden::hidden_elements,
    parameters,
};

use score::{Scores, with_siblings};
use totals::Totals;

/// The algorithm of Arc90's bookmarklet as the reader view of browsers has it today.
///
/// An attempt with less text than `min_chars` is made again without the test of unlikely names, then without weights of names, then
/// without the test of parts; when all have too little, the longest counts. A page without text gives nothing. O(nodes + text).
///
/// Source: Arc90's Readability (2009) by its public behaviour in browsers; there is no paper. We differ in what renders alike: elements
/// stay what they are, so a stretch of text between blocks is a paragraph without being made one; bylines are not taken out.
#[derive(Debug, Clone, Copy)]
pub struct Readability {
    /// Characters that an article has.
    pub min_chars: u32,
    /// Elements with the best scores that are compared.
    pub candidates: u32,
}

impl Readability {
    /// As browsers set it.
    pub const BROWSERS: Readability = Readability { min_chars: 500, candidates: 5 };
}

/// How strict an attempt is.
#[derive(Debug, Clone, Copy)]
struct Flags {
    drop_unlikely: bool,
    weigh_names: bool,
    judge_parts: bool,
}

/// From strict to lenient.
const ATTEMPTS: [Flags; 4] = [
    Flags { drop_unlikely: true, weigh_names: true, judge_parts: true },
    Flags { drop_unlikely: false, weigh_names: true, judge_parts: true },
    Flags { drop_unlikely: false, weigh_names: false, judge_parts: true },
    Flags { drop_unlikely: false, weigh_names: false, judge_parts: false },
];

impl MainTextExtractor for Readability {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "readability", paper: "Arc90's Readability, 2009, as browsers keep it", cost: "O(n)" }
    }

    parameters! {
        "min_chars" min_chars in 0..=1_000_000, "characters of an article: with fewer the next, less strict attempt is made";
        "candidates" candidates in 1..=1000, "elements with the best scores that are compared";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let texts = totals::of_texts(page);
        let hidden = hidden_elements(page, true);
        let mut best: (usize, Vec<usize>) = (0, Vec::new());
        for (n, flags) in ATTEMPTS.into_iter().enumerate() {
            let leaves = self.attempt(page, &texts, &hidden, flags);
            let chars = leaves.iter().map(|&leaf| texts[page.leaves[leaf].node.index()].chars as usize).sum();
            if best.1.is_empty() || chars > best.0 {
                best = (chars, leaves);
            }
            if chars >= self.min_chars as usize {
                trace.note("attempt", || TraceValue::Number(n as f64 + 1.0));
                break;
            }
        }
        let mut selection = Selection::none(page);
        best.1.into_iter().for_each(|leaf| selection.keep_leaf(leaf));
        selection
    }
}

impl Readability {
    /// The leaves of the article.
    fn attempt(&self, page: &Page<'_>, texts: &[Totals], hidden: &[NodeId], flags: Flags) -> Vec<usize> {
        let doc = page.doc;
        let mut removed = unlikely(page.doc, hidden, flags);
        let below = totals::below(doc, texts, &mut removed, |_, _| false);
        let scores = Scores::new(page, &below, &removed, flags);
        let body = doc.body().unwrap_or(NodeId::DOCUMENT);
        let ranges = match scores.best(doc, self.candidates as usize) {
            Some(top) if top != body => with_siblings(doc, top, &scores, &below),
            _ => std::iter::once(body.index()..doc.end(body)).collect(),
        };
        clean::clean(page, texts, flags, &mut removed);
        let mut ranges = ranges.into_iter().peekable();
        let mut kept = Vec::new();
        for (at, leaf) in page.leaves.iter().enumerate() {
            let node = leaf.node.index();
            while ranges.next_if(|range| range.end <= node).is_some() {}
            if ranges.peek().is_some_and(|range| range.contains(&node)) && !removed[node] {
                kept.push(at);
            }
        }
        kept
    }
}

/// What is no candidate: what is hidden, what scripts stand for, and by their names and roles what is unlikely.
fn unlikely(doc: &Doc, hidden: &[NodeId], flags: Flags) -> Vec<bool> {
    let mut removed = vec![false; doc.len()];
    hidden.iter().for_each(|&id| removed[id.index()..doc.end(id)].fill(true));
    // The end of the table or code that is open: names within say nothing.
    let mut inside = 0;
    let mut at = doc.body().map_or(0, NodeId::index) + 1;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        let name = doc.name(id);
        if matches!(name, LocalName::TABLE | LocalName::CODE) {
            inside = inside.max(doc.end(id));
        }
        let by_name = flags.drop_unlikely && (id.index() >= inside || name == LocalName::TABLE) && name != LocalName::A;
        let is_unlikely = doc.is_element(id)
            && (name == LocalName::NOSCRIPT
                || by_name && (names::is_unlikely(doc, id) || names::has_unlikely_role(doc, id)));
        if is_unlikely {
            removed[id.index()..doc.end(id)].fill(true);
            at = doc.end(id);
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    const LONG: &str =
        "The mill by the river ground rye, oats and wheat for the villages around, and the miller kept a book of it. ";

    fn select(min_chars: u32, html: &str) -> String {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let method = Readability { min_chars, ..Readability::BROWSERS };
        let selection = method.select(&page, &MethodInput::default(), &mut Trace::default());
        let kept = page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at));
        kept.map(|(_, leaf)| page.leaf_text(leaf).trim().to_owned()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn the_element_with_the_paragraphs_is_the_article() {
        let p = format!("<p>{LONG}</p>");
        let html = format!(
            "<div class=menu><a href=/>Home</a></div><div class=text>{}<div><a href=/a>More</a> <a href=/b>news</a></div></div>
             <div class=sidebar>{p}</div>",
            p.repeat(3)
        );
        assert_eq!(select(100, &html), [LONG.trim(); 3].join("|"));
    }

    #[test]
    fn text_between_blocks_is_a_paragraph_and_siblings_belong() {
        let html = format!("<body><div>{LONG}<br>{LONG}<img src=x></div><p>{LONG}</p><p><a href=/>{LONG}</a></p>");
        assert_eq!(select(100, &html), [LONG.trim(); 3].join("|"));
    }

    #[test]
    fn an_attempt_that_finds_too_little_is_made_less_strict() {
        let html = format!("<div class=comment><p>{LONG}<p>{LONG}</div><div><p>{LONG}</div>");
        assert_eq!(select(50, &html), LONG.trim());
        assert_eq!(select(1_000, &html).matches('|').count(), 1, "the longest of all attempts");
        assert_eq!(select(500, ""), "");
    }

    #[test]
    fn a_long_page_of_nested_elements_takes_linear_time() {
        let html = format!("{}{LONG}{}", "<div>".repeat(4_000), "<div>x, y".repeat(50_000));
        assert!(!select(500, &html).is_empty());
    }
}
