//! What lies below each element, without what was taken out.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, is_heading};

/// Counts of what lies below an element, itself left out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) chars: u32,
    /// Characters of links; of those that lead to a place of the page a part.
    pub(super) link_chars: f64,
    pub(super) commas: u32,
    pub(super) heading_chars: u32,
    pub(super) list_chars: u32,
    pub(super) paragraphs: u32,
    pub(super) images: u32,
    pub(super) items: u32,
    pub(super) inputs: u32,
    pub(super) embeds: u32,
    /// Elements that stand as blocks.
    pub(super) blocks: u32,
}

impl Totals {
    pub(super) fn link_density(&self) -> f64 {
        if self.chars == 0 { 0.0 } else { self.link_chars / f64::from(self.chars) }
    }

    pub(super) fn add(&mut self, other: &Totals) {
        self.chars += other.chars;
        self.link_chars += other.link_chars;
        self.commas += other.commas;
        self.heading_chars += other.heading_chars;
        self.list_chars += other.list_chars;
        self.paragraphs += other.paragraphs;
        self.images += other.images;
        self.items += other.items;
        self.inputs += other.inputs;
        self.embeds += other.embeds;
        self.blocks += other.blocks;
    }

    fn add_element(&mut self, name: LocalName, own: &Totals) {
        match name {
            LocalName::P => self.paragraphs += 1,
            LocalName::IMG => self.images += 1,
            LocalName::LI => self.items += 1,
            LocalName::INPUT => self.inputs += 1,
            LocalName::OBJECT | LocalName::EMBED | LocalName::IFRAME => self.embeds += 1,
            name if is_heading(name) => self.heading_chars += own.chars,
            LocalName::UL | LocalName::OL => self.list_chars += own.chars,
            _ => {}
        }
        self.blocks += u32::from(is_block(name));
    }
}

fn is_block(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::BLOCKQUOTE
            | LocalName::DL
            | LocalName::DIV
            | LocalName::IMG
            | LocalName::OL
            | LocalName::P
            | LocalName::PRE
            | LocalName::TABLE
            | LocalName::UL
    )
}

/// What each text node holds; 0 for other nodes. O(nodes + text).
pub(super) fn of_texts(page: &Page<'_>) -> Vec<Totals> {
    /// What a link to a place of its page counts.
    const WITHIN: f64 = 0.3;
    let doc = page.doc;
    let mut totals = vec![Totals::default(); doc.len()];
    for leaf in &page.leaves {
        let text = page.leaf_text(leaf);
        let chars = text.chars().count() as u32;
        let own = &mut totals[leaf.node.index()];
        (own.chars, own.commas) = (chars, text.chars().filter(|c| COMMAS.contains(c)).count() as u32);
        if leaf.in_link {
            let link = doc.ancestors(leaf.node).find(|&id| doc.name(id) == LocalName::A);
            let href = link.and_then(|link| doc.attr(link, LocalName::HREF)).unwrap_or("");
            own.link_chars = f64::from(chars) * if href.len() > 1 && href.starts_with('#') { WITHIN } else { 1.0 };
        }
    }
    totals
}

/// Commas of all scripts.
const COMMAS: [char; 9] = [',', '،', '﹐', '︐', '︑', '⁏', '⸴', '，', '、'];

/// Sums below all elements from the end of the page to its begin, so that what `takes_out` says of an element knows what was taken out of
/// it. What it takes out is marked with all that is below it. O(nodes).
pub(super) fn below(
    doc: &Doc,
    texts: &[Totals],
    removed: &mut [bool],
    mut takes_out: impl FnMut(NodeId, &Totals) -> bool,
) -> Vec<Totals> {
    let mut totals = texts.to_vec();
    for id in doc.ids().skip(1).rev() {
        if removed[id.index()] {
            continue;
        }
        let own = totals[id.index()];
        if doc.is_element(id) && takes_out(id, &own) {
            removed[id.index()..doc.end(id)].fill(true);
            continue;
        }
        if let Some(parent) = doc.parent(id) {
            totals[parent.index()].add(&own);
            totals[parent.index()].add_element(doc.name(id), &own);
        }
    }
    totals
}
