//! What stands around each row: tags and class words of its ancestors, each by how much of the page it holds.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, is_dropped};

use super::lexicon::{GROUPS, for_each_word, groups_of_word};
use super::model::TokenTable;

/// Tags whose presence around a row counts.
pub(super) const TAGS: [(&str, &[LocalName]); 27] = [
    ("main", &[LocalName::MAIN]),
    ("article", &[LocalName::ARTICLE]),
    ("nav", &[LocalName::NAV]),
    ("aside", &[LocalName::ASIDE]),
    ("header", &[LocalName::HEADER]),
    ("footer", &[LocalName::FOOTER]),
    ("form", &[LocalName::FORM, LocalName::FIELDSET]),
    ("table", &[LocalName::TABLE]),
    ("cell", &[LocalName::TD, LocalName::TH]),
    ("li", &[LocalName::LI]),
    ("list", &[LocalName::UL, LocalName::OL, LocalName::MENU, LocalName::DIR]),
    ("p", &[LocalName::P]),
    ("h1", &[LocalName::H1]),
    ("h2", &[LocalName::H2]),
    ("h3", &[LocalName::H3]),
    ("h4-6", &[LocalName::H4, LocalName::H5, LocalName::H6]),
    ("blockquote", &[LocalName::BLOCKQUOTE, LocalName::Q]),
    ("pre", &[LocalName::PRE, LocalName::CODE]),
    ("figure", &[LocalName::FIGURE, LocalName::PICTURE]),
    ("figcaption", &[LocalName::FIGCAPTION, LocalName::CAPTION]),
    ("dl", &[LocalName::DL, LocalName::DT, LocalName::DD]),
    (
        "control",
        &[
            LocalName::SELECT,
            LocalName::OPTION,
            LocalName::TEXTAREA,
            LocalName::BUTTON,
            LocalName::LABEL,
            LocalName::LEGEND,
        ],
    ),
    ("section", &[LocalName::SECTION]),
    ("details", &[LocalName::DETAILS, LocalName::SUMMARY]),
    ("a", &[LocalName::A]),
    ("noscript", &[LocalName::NOSCRIPT]),
    ("strong", &[LocalName::STRONG, LocalName::B, LocalName::EM]),
];

const HIDDEN: usize = TAGS.len();
const FIRST_GROUP: usize = HIDDEN + 1;
const FIRST_SCORE: usize = FIRST_GROUP + GROUPS.len();
/// Names of the features that learnt words give.
pub(super) const SCORES: [&str; 6] = ["nearest", "most", "least", "sum", "least specific", "most specific"];
/// Numbers of a row.
pub(super) const WIDTH: usize = FIRST_SCORE + SCORES.len();

static CHANNEL: [u8; LocalName::TABLE_LEN] = {
    let mut table = [u8::MAX; LocalName::TABLE_LEN];
    let mut at = 0;
    while at < TAGS.len() {
        let mut n = 0;
        while n < TAGS[at].1.len() {
            table[TAGS[at].1[n].index()] = at as u8;
            n += 1;
        }
        at += 1;
    }
    table
};

/// For each row [`WIDTH`] numbers, and for each node how many rows begin before it.
pub(super) struct RowContext {
    pub(super) values: Vec<f32>,
    pub(super) rows_before: Vec<u32>,
}

/// What the words of an attribute's value stand for.
#[derive(Clone, Copy, Default)]
struct Meaning {
    groups: u64,
    /// The learnt score farthest from 0.
    score: f32,
}

impl Meaning {
    fn and(&mut self, other: &Meaning) {
        self.groups |= other.groups;
        if other.score.abs() > self.score.abs() {
            self.score = other.score;
        }
    }
}

struct Walk {
    values: [f32; WIDTH],
    /// (node after the element, channel, value outside of it)
    undo: Vec<(u32, u8, f32)>,
    /// By the number of the attribute's value.
    said: Vec<Meaning>,
}

impl Walk {
    fn set(&mut self, end: usize, channel: usize, value: f32) {
        self.undo.push((end as u32, channel as u8, self.values[channel]));
        self.values[channel] = value;
    }

    fn restore(&mut self, at: usize) {
        while let Some((_, channel, value)) = self.undo.pop_if(|(end, ..)| *end as usize <= at) {
            self.values[usize::from(channel)] = value;
        }
    }

    fn element(&mut self, page: &Page<'_>, id: NodeId, specific: f32) {
        let end = page.doc.end(id);
        let name = page.doc.name(id);
        let channel = CHANNEL.get(name.index()).copied().unwrap_or(u8::MAX);
        if channel != u8::MAX {
            self.set(end, usize::from(channel), specific);
        }
        let mut said = Meaning::default();
        let (doc, named) = (page.doc, page.named());
        for at in doc.attribute_range(id) {
            if let Some(value) = named.at(at) {
                said.and(&self.said[value]);
                continue;
            }
            match doc.attribute_name(at) {
                LocalName::HIDDEN => self.set(end, HIDDEN, specific),
                LocalName::ARIA_HIDDEN if doc.attribute_value(at) == "true" => self.set(end, HIDDEN, specific),
                LocalName::STYLE if gristmill_page::hidden::hides(doc.attribute_value(at)) => {
                    self.set(end, HIDDEN, specific)
                }
                _ => {}
            }
        }
        let mut groups = said.groups;
        while groups != 0 {
            self.set(end, FIRST_GROUP + groups.trailing_zeros() as usize, specific);
            groups &= groups - 1;
        }
        if said.score != 0.0 {
            self.scores(end, said.score, specific);
        }
    }

    fn scores(&mut self, end: usize, score: f32, specific: f32) {
        let old: [f32; SCORES.len()] = std::array::from_fn(|n| self.values[FIRST_SCORE + n]);
        let new = [
            score,
            old[1].max(score),
            old[2].min(score),
            old[3] + score * specific,
            old[4].min(score * specific),
            old[5].max(score * specific),
        ];
        for (n, (new, old)) in new.into_iter().zip(old).enumerate() {
            if new != old {
                self.set(end, FIRST_SCORE + n, new);
            }
        }
    }
}

/// For each node how many rows begin before it. O(nodes).
pub(super) fn rows_before(page: &Page<'_>) -> Vec<u32> {
    let mut before = vec![0; page.doc.len() + 1];
    let mut filled = 0;
    for (row, first) in page.rows.iter().map(|row| page.leaves[row.first_leaf as usize].node.index()).enumerate() {
        before[filled..=first].fill(row as u32);
        filled = first + 1;
    }
    before[filled..].fill(page.rows.len() as u32);
    before
}

/// O(nodes + attributes).
pub(super) fn context(page: &Page<'_>, tokens: &TokenTable) -> RowContext {
    let doc = page.doc;
    let elements = page.elements();
    let total = elements.below(doc.body().unwrap_or(NodeId::DOCUMENT)).chars.max(1) as f32;
    let word = |word| Meaning { groups: groups_of_word(word), score: tokens.score(word) };
    let said = page.named().by_value(word, Meaning::and);
    let mut walk = Walk { values: [0.0; WIDTH], undo: Vec::new(), said };
    let mut context =
        RowContext { values: Vec::with_capacity(page.rows.len() * WIDTH), rows_before: rows_before(page) };
    let mut row = 0;
    let mut at = 1;
    while at < doc.len() {
        let id = doc.id(at);
        walk.restore(at);
        if page.rows.get(row).is_some_and(|row| page.leaves[row.first_leaf as usize].node == id) {
            context.values.extend_from_slice(&walk.values);
            row += 1;
        } else if doc.is_element(id) {
            let chars = elements.below(id).chars;
            if chars == 0 || is_dropped(doc.name(id)) {
                at = doc.end(id);
                continue;
            }
            walk.element(page, id, (1.0 - chars as f32 / total).max(0.02));
        }
        at += 1;
    }
    context
}

/// Calls `each` with an element's class words and the rows below it, for all elements that have both.
pub(super) fn for_each_said(page: &Page<'_>, rows_before: &[u32], mut each: impl FnMut(u64, std::ops::Range<usize>)) {
    let doc = page.doc;
    let body = doc.body().unwrap_or(NodeId::DOCUMENT);
    for id in doc.subtree(body) {
        let rows = rows_before[id.index()] as usize..rows_before[doc.end(id)] as usize;
        if rows.is_empty() || !doc.is_element(id) {
            continue;
        }
        for attribute in doc.attributes(id) {
            if matches!(
                attribute.name,
                LocalName::CLASS | LocalName::ID | LocalName::ROLE | LocalName::ITEMPROP | LocalName::ARIA_LABEL
            ) {
                for_each_word(attribute.value, |word| each(word, rows.clone()));
            }
        }
    }
}

impl RowContext {
    pub(super) fn is_in_noscript(&self, row: usize) -> bool {
        self.values[row * WIDTH + usize::from(CHANNEL[LocalName::NOSCRIPT.index()])] > 0.0
    }

    /// The rows that begin at these nodes.
    pub(super) fn rows_between(&self, nodes: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        self.rows_before[nodes.start] as usize..self.rows_before[nodes.end] as usize
    }

    /// The rows that begin below an element.
    #[inline]
    pub(super) fn rows(&self, page: &Page<'_>, id: NodeId) -> std::ops::Range<usize> {
        self.rows_before[id.index()] as usize..self.rows_before[page.doc.end(id)] as usize
    }
}
