//! What surrounds a candidate: tags, class words and headings of the page around it, as bits.

use std::sync::LazyLock;

use gristmill_html::LocalName;
use gristmill_page::class_words::{ClassWordList, class_words};
use gristmill_text::ByHash;

use crate::view::RecordView;

/// Groups of class words, in the order in which the model knows them.
#[rustfmt::skip]
pub(crate) const GROUPS: [&str; 25] = [
    "nav", "header", "footer", "aside", "related", "review", "size", "shipping", "spec", "detail", "product", "qa", "buy",
    "seller", "option", "cookie", "modal", "tab", "filter", "compare", "social", "article", "form", "main", "player",
];

static BY_WORD: LazyLock<ByHash<u64>> = LazyLock::new(|| class_words(ClassWordList::Records, &GROUPS));

pub(crate) fn group(name: &str) -> u32 {
    GROUPS.iter().position(|group| *group == name).map_or(0, |n| 1 << n)
}

/// Bits of the ancestors, computed when asked for and kept.
pub(crate) struct CandidateContext {
    /// Own bits of a node, `NONE` when not yet known.
    own: Vec<u32>,
    /// Bits of the node and all above it.
    all: Vec<u32>,
    /// The groups that the words of each distinct class, id or role name: `specTable-row_2` holds `spec`, `table`, `row`.
    of_value: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl CandidateContext {
    pub(crate) fn new(view: &RecordView) -> CandidateContext {
        let bits = |word: u64| BY_WORD.get(&word).map_or(0, |&groups| groups as u32);
        let of_value = view.page.named().by_value(bits, |all, bits| *all |= bits);
        CandidateContext { own: vec![NONE; view.doc.len()], all: vec![NONE; view.doc.len()], of_value }
    }

    fn own(&mut self, view: &RecordView, node: usize) -> u32 {
        if self.own[node] != NONE {
            return self.own[node];
        }
        let id = view.doc.id(node);
        let mut bits = match view.name(node) {
            LocalName::NAV | LocalName::MENU => group("nav"),
            LocalName::HEADER => group("header"),
            LocalName::FOOTER => group("footer"),
            LocalName::ASIDE => group("aside"),
            LocalName::FORM | LocalName::FIELDSET => group("form"),
            LocalName::ARTICLE => group("article"),
            LocalName::MAIN => group("main"),
            LocalName::DIALOG => group("modal"),
            _ => 0,
        };
        if !matches!(view.name(node), LocalName::HTML | LocalName::BODY | LocalName::DOCUMENT) {
            let names =
                |at: &usize| matches!(view.doc.attribute_name(*at), LocalName::CLASS | LocalName::ID | LocalName::ROLE);
            let values = view.doc.attribute_range(id).filter(names).filter_map(|at| view.page.named().at(at));
            bits |= values.fold(0, |bits, value| bits | self.of_value[value]);
        }
        self.own[node] = bits;
        bits
    }

    /// The bits of `node` and everything above it.
    pub(crate) fn all(&mut self, view: &RecordView, node: usize) -> u32 {
        let mut chain = Vec::new();
        let mut at = node;
        while self.all[at] == NONE && at != 0 {
            chain.push(at);
            at = view.parent(at);
        }
        let mut bits = if at == 0 { 0 } else { self.all[at] };
        for &node in chain.iter().rev() {
            bits |= self.own(view, node);
            self.all[node] = bits;
        }
        bits
    }

    /// The bits of `node` and the three elements above it.
    pub(crate) fn near(&mut self, view: &RecordView, node: usize) -> u32 {
        let mut bits = 0;
        let mut at = node;
        for _ in 0..4 {
            if at == 0 {
                break;
            }
            bits |= self.own(view, at);
            at = view.parent(at);
        }
        bits
    }
}

/// What a heading announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HeadingSection {
    Other,
    Detail,
    Spec,
    Noise,
}

static HEADINGS: &str = include_str!("../dictionary/headings.tsv");

type Phrases = crate::hash::Map<[u8; 2], Vec<(HeadingSection, &'static str)>>;

/// Phrases by their first two bytes, so that a heading is walked once.
static PHRASES: std::sync::LazyLock<Phrases> = std::sync::LazyLock::new(|| {
    let mut phrases = Phrases::default();
    for line in HEADINGS.lines().filter(|line| !line.starts_with('#')) {
        let Some((kind, list)) = line.split_once('\t') else { continue };
        let section = match kind {
            "spec" => HeadingSection::Spec,
            "detail" => HeadingSection::Detail,
            _ => HeadingSection::Noise,
        };
        for phrase in list.split('|').map(str::trim) {
            if let [a, b, ..] = *phrase.as_bytes() {
                phrases.entry([a, b]).or_default().push((section, phrase));
            }
        }
    }
    phrases
});

/// The kind of section that a heading announces; noise wins over the others.
pub(crate) fn section(heading: &str) -> HeadingSection {
    if heading.len() > 200 {
        return HeadingSection::Other;
    }
    let lower = heading.to_lowercase();
    let mut found = HeadingSection::Other;
    for (at, first) in lower.as_bytes().windows(2).enumerate() {
        for &(section, phrase) in PHRASES.get(first).into_iter().flatten() {
            if section > found && lower.as_bytes()[at..].starts_with(phrase.as_bytes()) {
                found = section;
            }
        }
    }
    found
}

/// The last heading before each row: the row it stands in and its section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading {
    pub(crate) row: u32,
    pub(crate) section: HeadingSection,
    /// 1 to 6, or 7 for captions and legends.
    pub(crate) level: u8,
}

/// All headings of the page in order.
pub(crate) fn headings(view: &RecordView) -> Vec<Heading> {
    let mut headings = Vec::new();
    for node in 0..view.doc.len() {
        let level = match view.name(node) {
            LocalName::H1 => 1,
            LocalName::H2 => 2,
            LocalName::H3 => 3,
            LocalName::H4 => 4,
            LocalName::H5 => 5,
            LocalName::H6 => 6,
            LocalName::CAPTION | LocalName::LEGEND | LocalName::SUMMARY => 7,
            _ => continue,
        };
        let (a, b) = view.leaf_range(node);
        if a < b {
            let row = view.leaves[a].row;
            headings.push(Heading { row, section: section(view.slice(view.span(a, b))), level });
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use super::*;

    #[test]
    fn class_words_are_matched_whole() {
        let bits = |class: &str| {
            let doc = Doc::parse(&format!("<div class='{class}'>x</div>"), &TreeLimits::default());
            let page = Page::new(&doc);
            let view = RecordView::new(&page);
            let div = doc.first(LocalName::DIV).unwrap().index();
            CandidateContext::new(&view).near(&view, div)
        };
        assert_eq!(bits("specTable-row_2 relatedItems"), group("spec") | group("related"));
        assert_eq!(bits("spectacular headers-less Subheadered"), 0);
    }

    #[test]
    fn headings_are_understood_in_many_languages() {
        assert_eq!(section("Technische Daten"), HeadingSection::Spec);
        assert_eq!(section("规格参数"), HeadingSection::Spec);
        assert_eq!(section("Customer Reviews of these specifications"), HeadingSection::Noise);
        assert_eq!(section("Lorem"), HeadingSection::Other);
    }
}
