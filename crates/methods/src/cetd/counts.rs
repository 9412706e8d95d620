//! Characters and tags of every element, and which of them are link characters and link tags.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{
    Page,
    hidden::{hidden_elements, leaves_below},
};

use super::{Cetd, Density, HiddenPolicy};

/// Sums of one element; nothing for text nodes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) chars: u32,
    pub(super) link_chars: u32,
    pub(super) tags: u32,
    pub(super) link_tags: u32,
}

pub(super) struct TagCounts {
    of_node: Vec<Count>,
    /// For each node, how many characters that count come before it; one more at the end.
    chars_before: Vec<u32>,
    visible: Vec<bool>,
    /// For each node, whether it stays in the tree; what lies below one that does not has no text either.
    displayed: Vec<bool>,
}

impl TagCounts {
    /// O(nodes + text).
    pub(super) fn new(page: &Page<'_>, body: NodeId, cetd: &Cetd) -> TagCounts {
        let doc = page.doc;
        let gone = match cetd.hidden {
            HiddenPolicy::Keep => Vec::new(),
            HiddenPolicy::Drop => hidden_elements(page, false),
        };
        let hidden = leaves_below(page, &gone);
        // Text outside of the body belongs to no element that is looked at.
        let visible: Vec<bool> =
            page.leaves.iter().zip(hidden).map(|(leaf, hidden)| !hidden && leaf.node > body).collect();
        let ignored = (cetd.density == Density::Plain).then(|| linked(page));
        let chars_before =
            chars_before(page, |leaf| visible[leaf] && ignored.as_ref().is_none_or(|ignored| !ignored[leaf]));
        let mut displayed: Vec<bool> = doc.ids().map(|id| !is_never_displayed(doc.name(id))).collect();
        gone.iter().for_each(|id| displayed[id.index()] = false);
        let mut counts = TagCounts { of_node: vec![Count::default(); doc.len()], chars_before, visible, displayed };
        counts.sum(page, body);
        counts
    }

    pub(super) fn of(&self, id: NodeId) -> Count {
        self.of_node[id.index()]
    }

    pub(super) fn is_visible(&self, leaf: usize) -> bool {
        self.visible[leaf]
    }

    pub(super) fn is_displayed(&self, id: NodeId) -> bool {
        self.displayed[id.index()]
    }

    /// Where the text below a node starts and ends, in characters from the start of the page.
    pub(super) fn span(&self, page: &Page<'_>, id: NodeId) -> (u32, u32) {
        (self.chars_before[id.index()], self.chars_before[page.doc.end(id)])
    }

    /// Bottom-up: a descendant has the larger number, so each element is complete when its turn comes.
    fn sum(&mut self, page: &Page<'_>, body: NodeId) {
        let doc = page.doc;
        for id in doc.subtree(body).rev().filter(|&id| doc.is_element(id)) {
            let mut count = self.of_node[id.index()];
            let (start, end) = self.span(page, id);
            count.chars = end - start;
            let is_link = is_link(doc.name(id));
            if is_link {
                (count.link_chars, count.link_tags) = (count.chars, count.tags);
            }
            count.link_chars = count.link_chars.min(count.chars);
            self.of_node[id.index()] = count;
            let Some(parent) = doc.parent(id).filter(|_| id != body && self.is_displayed(id)) else { continue };
            let all_linked = count.link_tags > 0 && count.link_tags == count.tags && count.chars == count.link_chars;
            let above = &mut self.of_node[parent.index()];
            above.link_chars += count.link_chars;
            above.tags += count.tags + 1;
            above.link_tags += count.link_tags + u32::from(is_link || all_linked);
        }
    }
}

/// Elements that a browser does not display, so that they do not count as tags; other dropped ones (`svg`, `video`)
/// do.
fn is_never_displayed(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::SCRIPT
            | LocalName::STYLE
            | LocalName::TEMPLATE
            | LocalName::HEAD
            | LocalName::META
            | LocalName::LINK
            | LocalName::TITLE
    )
}

fn is_link(name: LocalName) -> bool {
    matches!(name, LocalName::A | LocalName::BUTTON | LocalName::SELECT)
}

/// One flag per leaf: whether it lies under an element that CETD takes for a link.
fn linked(page: &Page<'_>) -> Vec<bool> {
    let doc = page.doc;
    let links = doc.ids().filter(|&id| is_link(doc.name(id)));
    // Links inside of links add nothing.
    let mut end = 0;
    let outermost: Vec<NodeId> = links
        .filter(|id| {
            let outside = id.index() >= end;
            end = end.max(doc.end(*id));
            outside
        })
        .collect();
    leaves_below(page, &outermost)
}

/// For each node, and for the end, the characters without white space of the leaves before it that count.
fn chars_before(page: &Page<'_>, counts: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut before = Vec::with_capacity(page.doc.len() + 1);
    let mut sum = 0;
    for (at, leaf) in page.leaves.iter().enumerate() {
        before.resize(leaf.node.index() + 1, sum);
        sum += if counts(at) { leaf.chars } else { 0 };
    }
    before.resize(page.doc.len() + 1, sum);
    before
}
