//! The containers of a page with what stands directly in each: the view of WFFTE and its relatives.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, TextNode, is_dropped};
use gristmill_text::{BigramSegmenter, for_each_word};

/// Elements that hold parts of a page; text in any other element belongs to the nearest of these around it.
pub(crate) fn is_container(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::DIV
            | LocalName::TABLE
            | LocalName::TD
            | LocalName::TH
            | LocalName::SECTION
            | LocalName::ARTICLE
            | LocalName::MAIN
            | LocalName::ASIDE
            | LocalName::HEADER
            | LocalName::FOOTER
            | LocalName::NAV
            | LocalName::FORM
            | LocalName::FIELDSET
            | LocalName::CENTER
    )
}

/// One container with its own text: that of nested containers is theirs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextContainer {
    /// The element; `body` for the first.
    pub(crate) id: NodeId,
    /// Index of the container around it; its own index for `body`.
    pub(crate) parent: u32,
    /// Position among the containers with the same parent, from 1; 0 for `body`.
    pub(crate) rank: u32,
    /// Containers on the way from `body` to it, itself included; 0 for `body`.
    pub(crate) level: u32,
    /// Containers directly inside of it.
    pub(crate) children: u32,
    /// Characters of own text.
    pub(crate) chars: u32,
    /// Own words outside of links (NC).
    pub(crate) plain_words: u32,
    /// Own words inside of links (HC).
    pub(crate) link_words: u32,
    /// Punctuation marks of own text.
    pub(crate) marks: u32,
}

/// The containers in document order, `body` first, and to which each leaf belongs.
#[derive(Debug, Clone)]
pub(crate) struct Containers {
    pub(crate) all: Vec<TextContainer>,
    pub(crate) of_leaf: Vec<u32>,
}

impl Containers {
    /// O(nodes + text). `word` is called with the container and the text of each word.
    pub(crate) fn new<'p>(page: &'p Page<'_>, mut word: impl FnMut(u32, &'p str)) -> Containers {
        let doc = page.doc;
        let body = doc.body().unwrap_or(NodeId::DOCUMENT);
        let mut all = vec![TextContainer::new(body)];
        let mut of_leaf = Vec::with_capacity(page.leaves.len());
        let mut open = vec![0u32];
        let mut leaf = page.leaves.partition_point(|leaf| leaf.node < body);
        of_leaf.resize(leaf, 0);
        let mut at = body.index() + 1;
        while at < doc.end(body) {
            let id = doc.id(at);
            let name = doc.name(id);
            at = if is_dropped(name) { doc.end(id) } else { at + 1 };
            let is_leaf = page.leaves.get(leaf).is_some_and(|leaf| leaf.node == id);
            if !is_leaf && !is_container(name) || is_dropped(name) {
                continue;
            }
            while open.len() > 1 && open.last().is_some_and(|&last| doc.end(all[last as usize].id) <= id.index()) {
                open.pop();
            }
            let around = *open.last().expect("the body stays open");
            if is_leaf {
                of_leaf.push(around);
                all[around as usize].add(page, &page.leaves[leaf], |text| word(around, text));
                leaf += 1;
            } else {
                let container = TextContainer::inside(&mut all, around, id);
                open.push(all.len() as u32);
                all.push(container);
            }
        }
        of_leaf.resize(page.leaves.len(), 0);
        Containers { all, of_leaf }
    }

    /// How many containers lie around both, `body` not counted, each container lying around itself. O(depth).
    pub(crate) fn shared(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            // The parent has the smaller index.
            if a > b {
                a = self.all[a as usize].parent;
            } else {
                b = self.all[b as usize].parent;
            }
        }
        self.all[a as usize].level
    }
}

impl TextContainer {
    fn new(id: NodeId) -> TextContainer {
        TextContainer {
            id,
            parent: 0,
            rank: 0,
            level: 0,
            children: 0,
            chars: 0,
            plain_words: 0,
            link_words: 0,
            marks: 0,
        }
    }

    fn inside(all: &mut [TextContainer], parent: u32, id: NodeId) -> TextContainer {
        let outer = &mut all[parent as usize];
        outer.children += 1;
        TextContainer { parent, rank: outer.children, level: outer.level + 1, ..TextContainer::new(id) }
    }

    fn add<'p>(&mut self, page: &'p Page<'_>, leaf: &TextNode, mut word: impl FnMut(&'p str)) {
        let mut words = 0;
        for_each_word(page.leaf_text(leaf), &BigramSegmenter, |text| {
            words += 1;
            word(text);
        });
        self.chars += leaf.chars;
        self.marks += leaf.marks.all;
        *(if leaf.in_link { &mut self.link_words } else { &mut self.plain_words }) += words;
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn text_belongs_to_the_nearest_container_and_ranks_count_siblings_of_any_tag() {
        let html = "<body>a<div>b, c<p>d <a href=x>e</a></p><svg><foreignObject><div>no</div></foreignObject></svg>
            <table><tr><td>f<td>g</table></div><section>h</section><div></div>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut words = Vec::new();
        let containers = Containers::new(&page, |container, word| words.push((container, word)));
        let show = |c: &TextContainer| (c.rank, c.level, c.children, c.chars, c.plain_words, c.link_words, c.marks);
        let all: Vec<_> = containers.all.iter().map(show).collect();
        // body, div, table, td, td, section, div
        assert_eq!(
            all,
            [
                (0, 0, 3, 1, 1, 0, 0),
                (1, 1, 1, 5, 3, 1, 1),
                (1, 2, 2, 0, 0, 0, 0),
                (1, 3, 0, 1, 1, 0, 0),
                (2, 3, 0, 1, 1, 0, 0),
                (2, 1, 0, 1, 1, 0, 0),
                (3, 1, 0, 0, 0, 0, 0),
            ]
        );
        assert_eq!(words, [(0, "a"), (1, "b"), (1, "c"), (1, "d"), (1, "e"), (3, "f"), (4, "g"), (5, "h")]);
        assert_eq!((containers.shared(3, 4), containers.shared(3, 5), containers.shared(2, 4)), (2, 0, 2));
    }
}
