//! The page as a stream of tags and words, for the methods that were made for source text.

use gristmill_html::{LocalName, NodeId};
use gristmill_text::is_unspaced;

use crate::blocks::is_dropped;
use crate::choices;
use crate::rows::Rows;

/// One step of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamToken {
    /// A start tag, or a tag without content such as `br`.
    Open(NodeId),
    /// The end tag of an element, written or not.
    Close(NodeId),
    /// A word of a leaf: bytes `start..end` of [`Rows::text`].
    Word {
        /// Index of the leaf.
        leaf: u32,
        /// First byte.
        start: u32,
        /// One past the last byte.
        end: u32,
    },
}

impl StreamToken {
    /// Whether it is a tag.
    pub fn is_tag(self) -> bool {
        !matches!(self, StreamToken::Word { .. })
    }
}

/// What a word is in a script without spaces; elsewhere white space divides words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordUnit {
    /// Two characters, about the mean length of a Chinese word; no dictionary. The last may be one.
    Word,
    /// One character.
    Char,
}

choices!(WordUnit { Word "word", Char "char" });

/// The tags and words of `body` in document order; dropped subtrees give none.
///
/// Taken from the tree and not from the source, so that malformed markup cannot change it: every element has a
/// start and an end unless it is void. O(nodes + text).
#[derive(Debug, Clone)]
pub struct TokenStream {
    /// The stream.
    pub stream: Vec<StreamToken>,
}

const VOID: &[LocalName] = &[
    LocalName::BR,
    LocalName::COL,
    LocalName::EMBED,
    LocalName::HR,
    LocalName::IMG,
    LocalName::INPUT,
    LocalName::LINK,
    LocalName::META,
    LocalName::PARAM,
    LocalName::SOURCE,
    LocalName::TRACK,
    LocalName::WBR,
];

/// Whether the element has no end tag.
pub fn is_void(name: LocalName) -> bool {
    VOID.contains(&name)
}

impl TokenStream {
    /// The stream of a page. [`Page::tokens`] keeps the one with [`WordUnit::Word`].
    pub fn new(page: &Rows<'_>, unit: WordUnit) -> TokenStream {
        let mut stream = Vec::with_capacity(2 * page.doc.len() + page.text.len() / 6);
        for_each_step(page, |step| match step {
            MarkupEvent::Open(id) => stream.push(StreamToken::Open(id)),
            MarkupEvent::Close(id) => stream.push(StreamToken::Close(id)),
            MarkupEvent::Leaf(leaf) => words(page, leaf, unit, &mut stream),
            MarkupEvent::Blank(_) => {}
        });
        TokenStream { stream }
    }
}

/// What a reader of the source of `body` meets.
#[derive(Debug, Clone, Copy)]
pub enum MarkupEvent {
    /// A start tag, or a tag without content.
    Open(NodeId),
    /// The end tag of an element, written or not.
    Close(NodeId),
    /// A text node with visible characters, by its index among the leaves.
    Leaf(usize),
    /// A text node without.
    Blank(NodeId),
}

/// Calls `step` for the tags and texts of `body` in document order; dropped subtrees give none. O(nodes).
pub fn for_each_step(page: &Rows<'_>, mut step: impl FnMut(MarkupEvent)) {
    let doc = page.doc;
    let body = doc.body().unwrap_or(NodeId::DOCUMENT);
    let mut open: Vec<NodeId> = Vec::new();
    let mut leaf = page.leaves.partition_point(|leaf| leaf.node < body);
    let mut at = body.index() + 1;
    while at < doc.end(body) {
        while let Some(id) = open.pop_if(|id| doc.end(*id) <= at) {
            step(MarkupEvent::Close(id));
        }
        let id = doc.id(at);
        let name = doc.name(id);
        if is_dropped(name) {
            at = doc.end(id);
            continue;
        }
        if name != LocalName::TEXT {
            step(MarkupEvent::Open(id));
            if !is_void(name) {
                open.push(id);
            }
        } else if page.leaves.get(leaf).is_some_and(|next| next.node == id) {
            step(MarkupEvent::Leaf(leaf));
            leaf += 1;
        } else {
            step(MarkupEvent::Blank(id));
        }
        at += 1;
    }
    open.into_iter().rev().for_each(|id| step(MarkupEvent::Close(id)));
}

/// Appends the words of one leaf.
fn words(page: &Rows<'_>, index: usize, unit: WordUnit, stream: &mut Vec<StreamToken>) {
    let leaf = &page.leaves[index];
    let text = &page.text[leaf.start as usize..leaf.end as usize];
    let mut push = |from: usize, to: usize| {
        if from < to {
            let (start, end) = (leaf.start + from as u32, leaf.start + to as u32);
            stream.push(StreamToken::Word { leaf: index as u32, start, end });
        }
    };
    let per_token = if unit == WordUnit::Word { 2 } else { 1 };
    // How many characters of unspaced script the open word has; 0 in any other word.
    let (mut from, mut unspaced) = (0, 0);
    for (at, c) in text.char_indices() {
        if c == ' ' {
            push(from, at);
            (from, unspaced) = (at + 1, 0);
        } else if !c.is_ascii() && is_unspaced(c) {
            if unspaced == 0 || unspaced == per_token {
                push(from, at);
                (from, unspaced) = (at, 0);
            }
            unspaced += 1;
        } else if unspaced > 0 {
            push(from, at);
            (from, unspaced) = (at, 0);
        }
    }
    push(from, text.len());
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;
    use crate::blocks::BlockRules;

    fn stream(html: &str, unit: WordUnit) -> String {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Rows::new(&doc, BlockRules::TEXT);
        let show = |token: &StreamToken| match *token {
            StreamToken::Open(id) => format!("<{}>", doc.name_str(doc.name(id))),
            StreamToken::Close(id) => format!("</{}>", doc.name_str(doc.name(id))),
            StreamToken::Word { start, end, .. } => page.text[start as usize..end as usize].to_owned(),
        };
        TokenStream::new(&page, unit).stream.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tags_and_words_come_in_document_order_and_dropped_subtrees_do_not() {
        let html = "<title>t</title><body>a  b<br><p>c<b>d</b>e<script>x</script><!-- y --><p>f";
        assert_eq!(stream(html, WordUnit::Word), "a b <br> <p> c <b> d </b> e </p> <p> f </p>");
    }

    #[test]
    fn chinese_runs_are_cut_in_pairs_or_characters() {
        assert_eq!(stream("石磨豆腐店 tofu豆", WordUnit::Word), "石磨 豆腐 店 tofu 豆");
        assert_eq!(stream("石磨豆", WordUnit::Char), "石 磨 豆");
    }

    #[test]
    fn an_empty_page_has_no_tokens() {
        assert_eq!(stream("", WordUnit::Word), "");
    }
}
