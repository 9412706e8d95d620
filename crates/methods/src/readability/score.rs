//! Which element Readability takes for the article: the one whose paragraphs score most.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, is_block, is_heading};

use super::Flags;
use super::names::class_weight;
use super::totals::Totals;

/// Shorter paragraphs score nothing.
const MIN_CHARS: u32 = 25;
/// Elements around a paragraph that it scores for.
const LEVELS: usize = 5;

/// The scores of elements; those without one have no paragraph near.
pub(super) struct Scores {
    of_node: Vec<Option<f64>>,
    /// In the order in which they first scored.
    scored: Vec<NodeId>,
}

impl Scores {
    /// O(nodes).
    pub(super) fn new(page: &Page<'_>, below: &[Totals], removed: &[bool], flags: Flags) -> Scores {
        let doc = page.doc;
        let mut scores = Scores { of_node: vec![None; doc.len()], scored: Vec::new() };
        for id in doc.ids().skip(1).filter(|&id| !removed[id.index()] && doc.is_element(id)) {
            let own = &below[id.index()];
            match doc.name(id) {
                LocalName::SECTION
                | LocalName::H2
                | LocalName::H3
                | LocalName::H4
                | LocalName::H5
                | LocalName::H6
                | LocalName::P
                | LocalName::TD
                | LocalName::PRE => scores.add(doc, parent(doc, id, own), own, flags),
                LocalName::DIV if own.blocks == 0 => scores.add(doc, parent(doc, id, own), own, flags),
                LocalName::DIV => {
                    for run in runs(doc, id, below, removed) {
                        scores.add(doc, Some(id), &run, flags);
                    }
                }
                _ => {}
            }
        }
        for &id in &scores.scored {
            let score = &mut scores.of_node[id.index()];
            *score = score.map(|score| score * (1.0 - below[id.index()].link_density()));
        }
        scores
    }

    /// Adds what a paragraph scores to the elements around it: all to the first, half to the second, a third of the level to others.
    fn add(&mut self, doc: &Doc, first: Option<NodeId>, own: &Totals, flags: Flags) {
        if own.chars < MIN_CHARS {
            return;
        }
        let score = 2.0 + f64::from(own.commas) + f64::from((own.chars / 100).min(3));
        let around = first.into_iter().flat_map(|id| std::iter::once(id).chain(doc.ancestors(id)));
        for (level, id) in around.take(LEVELS).take_while(|id| doc.is_element(*id)).enumerate() {
            let share = match level {
                0 => 1.0,
                1 => 2.0,
                level => level as f64 * 3.0,
            };
            if self.of_node[id.index()].is_none() {
                self.scored.push(id);
            }
            *self.of_node[id.index()].get_or_insert_with(|| first_score(doc, id, flags)) += score / share;
        }
    }

    pub(super) fn of(&self, id: NodeId) -> Option<f64> {
        self.of_node[id.index()]
    }

    /// The article: the best element, or what holds it and others nearly as good. `None` where nothing scores.
    pub(super) fn best(&self, doc: &Doc, candidates: usize) -> Option<NodeId> {
        let mut best: Vec<NodeId> = self.scored.clone();
        best.sort_by(|a, b| self.of(*b).unwrap_or(0.0).total_cmp(&self.of(*a).unwrap_or(0.0)));
        best.truncate(candidates);
        let top = *best.first()?;
        let top = self.shared(doc, top, &best[1..]);
        Some(alone(doc, self.larger(doc, top)))
    }

    /// The innermost element around three others that score three quarters as much, if there are so many.
    fn shared(&self, doc: &Doc, top: NodeId, others: &[NodeId]) -> NodeId {
        const ALIKE: f64 = 0.75;
        const LEAST: usize = 3;
        let score = self.of(top).unwrap_or(0.0);
        let is_alike = |id: &&NodeId| self.of(**id).unwrap_or(0.0) >= ALIKE * score;
        let alike: Vec<NodeId> = others.iter().filter(is_alike).copied().collect();
        let holds = |around: &NodeId| alike.iter().filter(|id| doc.contains(*around, **id) && around != *id).count();
        let found = inner_ancestors(doc, top).find(|around| alike.len() >= LEAST && holds(around) >= LEAST);
        found.unwrap_or(top)
    }

    /// An element around it that scores more, unless scores fall below a third on the way.
    fn larger(&self, doc: &Doc, top: NodeId) -> NodeId {
        let mut last = self.of(top).unwrap_or(0.0);
        let least = last / 3.0;
        for around in inner_ancestors(doc, top) {
            let Some(score) = self.of(around) else { continue };
            if score < least {
                break;
            }
            if score > last {
                return around;
            }
            last = score;
        }
        top
    }
}

/// Elements around one, up to the body.
fn inner_ancestors(doc: &Doc, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    doc.ancestors(id).take_while(|&id| doc.is_element(id) && !matches!(doc.name(id), LocalName::BODY | LocalName::HTML))
}

/// The outermost element that holds nothing but this one.
fn alone(doc: &Doc, top: NodeId) -> NodeId {
    let is_alone = |around: &NodeId| doc.children(*around).filter(|&child| doc.is_element(child)).count() == 1;
    inner_ancestors(doc, top).take_while(is_alone).last().unwrap_or(top)
}

fn first_score(doc: &Doc, id: NodeId, flags: Flags) -> f64 {
    let of_tag = match doc.name(id) {
        LocalName::DIV => 5.0,
        LocalName::PRE | LocalName::TD | LocalName::BLOCKQUOTE => 3.0,
        LocalName::ADDRESS
        | LocalName::OL
        | LocalName::UL
        | LocalName::DL
        | LocalName::DD
        | LocalName::DT
        | LocalName::LI
        | LocalName::FORM => -3.0,
        LocalName::TH => -5.0,
        name if is_heading(name) => -5.0,
        _ => 0.0,
    };
    of_tag + if flags.weigh_names { class_weight(doc, id) } else { 0.0 }
}

/// The element that a paragraph scores for first: the one around it, or around that where it holds nothing else.
fn parent(doc: &Doc, id: NodeId, own: &Totals) -> Option<NodeId> {
    const FEW_LINKS: f64 = 0.25;
    let parent = doc.parent(id)?;
    let is_wrapper = || {
        doc.name(parent) == LocalName::DIV
            && doc.name(id) == LocalName::P
            && own.link_density() < FEW_LINKS
            && doc.children(parent).all(|child| child == id || doc.is_text(child) && doc.text(child).trim().is_empty())
    };
    if is_wrapper() { doc.parent(parent) } else { Some(parent) }
}

/// Stretches of text and elements within a line between the blocks of an element, which browsers show as paragraphs.
fn runs(doc: &Doc, id: NodeId, below: &[Totals], removed: &[bool]) -> Vec<Totals> {
    let mut runs = vec![Totals::default()];
    for child in doc.children(id).filter(|child| !removed[child.index()]) {
        let own = &below[child.index()];
        let is_inline = doc.is_text(child) || own.blocks == 0 && !is_block(doc.name(child));
        match runs.last_mut() {
            Some(run) if is_inline => run.add(own),
            _ => runs.push(Totals::default()),
        }
    }
    runs
}

/// The article with the siblings that belong to it, as nodes: those that score a fifth of it, and paragraphs with few links.
pub(super) fn with_siblings(doc: &Doc, top: NodeId, scores: &Scores, below: &[Totals]) -> Vec<Range<usize>> {
    const SHARE: f64 = 0.2;
    const LEAST: f64 = 10.0;
    const LONG: u32 = 80;
    let score = scores.of(top).unwrap_or(0.0);
    let least = LEAST.max(SHARE * score);
    let class = doc.attr(top, LocalName::CLASS).filter(|class| !class.is_empty());
    let belongs = |id: NodeId| {
        let own = &below[id.index()];
        let alike = class.is_some() && doc.attr(id, LocalName::CLASS) == class;
        let bonus = if alike { SHARE * score } else { 0.0 };
        let density = own.link_density();
        let is_sentence = || {
            let text = doc.text_content(id);
            text.trim_end().ends_with('.') || text.contains(". ")
        };
        let is_paragraph = doc.name(id) == LocalName::P
            && (own.chars > LONG && density < 0.25
                || own.chars < LONG && own.chars > 0 && own.link_chars == 0.0 && is_sentence());
        id == top || scores.of(id).is_some_and(|score| score + bonus >= least) || is_paragraph
    };
    let parent = doc.parent(top).unwrap_or(top);
    let children = doc.children(parent).filter(|&id| doc.is_element(id) && belongs(id));
    children.map(|id| id.index()..doc.end(id)).collect()
}
