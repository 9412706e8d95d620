//! What attributes say about posts and comments: each element and each distinct class is read once, for elements are asked time
//! and again.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, attribute_words::words};
use gristmill_text::{ByHash, hash};

use super::class_words;

/// Lists of words, as bits.
pub(super) const AUTHOR: u32 = 1;
pub(super) const USERNAME: u32 = 1 << 1;
pub(super) const DATE: u32 = 1 << 2;
pub(super) const BODY: u32 = 1 << 3;
pub(super) const POST_BODY: u32 = 1 << 4;
pub(super) const BESIDE: u32 = 1 << 5;
pub(super) const POST: u32 = 1 << 6;
pub(super) const COMMENT: u32 = 1 << 7;
/// Of the element itself: `itemprop`s, an `itemtype` that is a comment, a date that is declared, a link to somebody.
pub(super) const OF_AUTHOR: u32 = 1 << 8;
pub(super) const OF_COMMENT: u32 = 1 << 9;
pub(super) const OF_TEXT: u32 = 1 << 10;
pub(super) const OF_DATE: u32 = 1 << 11;
pub(super) const COMMENT_ITEM: u32 = 1 << 12;
pub(super) const DECLARED_DATE: u32 = 1 << 13;
pub(super) const TO_PERSON: u32 = 1 << 14;
pub(super) const SIGNATURE: u32 = 1 << 15;
const UNREAD: u32 = 1 << 31;

const LISTS: [(u32, &[&str]); 9] = [
    (AUTHOR, class_words::AUTHOR),
    (USERNAME, class_words::USERNAME),
    (DATE, class_words::DATE),
    (BODY, class_words::BODY),
    (POST_BODY, class_words::POST_BODY),
    (BESIDE, class_words::BESIDE),
    (POST, class_words::POST),
    (COMMENT, class_words::COMMENT),
    (SIGNATURE, class_words::SIGNATURE),
];

static LISTS_BY_WORD: LazyLock<ByHash<u32>> = LazyLock::new(|| {
    let mut lists = ByHash::default();
    for (bit, words) in LISTS {
        words.iter().for_each(|word| *lists.entry(hash(word.as_bytes())).or_insert(0) |= bit);
    }
    lists
});

pub(super) struct ClassSignals<'p, 'd> {
    pub(super) page: &'p Page<'d>,
    of_node: Vec<u32>,
}

impl<'p, 'd> ClassSignals<'p, 'd> {
    /// O(attributes).
    pub(super) fn new(page: &'p Page<'d>) -> Self {
        let (doc, named) = (page.doc, page.named());
        // By the number of a class or id: the lists that a word of it is in.
        let mut of_value = vec![UNREAD; named.n_values()];
        let mut of_name = |at: usize| match named.at(at) {
            None => 0,
            Some(value) => {
                if of_value[value] == UNREAD {
                    of_value[value] = lists(doc.attribute_value(at));
                }
                of_value[value]
            }
        };
        let mut of = |id: NodeId| {
            let own = if doc.name(id) == LocalName::TIME { DECLARED_DATE } else { 0 };
            doc.attribute_range(id).fold(own, |said, at| {
                said | match doc.attribute_name(at) {
                    LocalName::CLASS | LocalName::ID => of_name(at),
                    LocalName::ITEMPROP => of_property(doc.attribute_value(at)),
                    LocalName::ITEMTYPE if class_words::is_comment_item(doc.attribute_value(at)) => COMMENT_ITEM,
                    LocalName::DATETIME => DECLARED_DATE,
                    LocalName::HREF if leads_to_person(doc, id, at) => TO_PERSON,
                    _ => 0,
                }
            })
        };
        ClassSignals { page, of_node: doc.ids().map(&mut of).collect() }
    }

    /// Whether a class or id of the element has a word of one of these lists, or one of these is true of the element itself.
    #[inline]
    pub(super) fn is_named(&self, id: NodeId, lists: u32) -> bool {
        self.of_node[id.index()] & lists != 0
    }
}

fn leads_to_person(doc: &Doc, id: NodeId, at: usize) -> bool {
    doc.name(id) == LocalName::A && class_words::is_profile(doc.attribute_value(at))
}

fn of_property(name: &str) -> u32 {
    if class_words::DATE_PROPS.iter().any(|date| name.eq_ignore_ascii_case(date)) {
        return OF_DATE | DECLARED_DATE;
    }
    match name {
        "text" | "commentText" | "articleBody" => OF_TEXT,
        _ if name.eq_ignore_ascii_case("author") => OF_AUTHOR,
        _ if name.eq_ignore_ascii_case("comment") => OF_COMMENT | COMMENT_ITEM,
        _ => 0,
    }
}

fn lists(value: &str) -> u32 {
    /// No word of a list is longer.
    const MOST: usize = 24;
    words(value).filter(|word| word.len() <= MOST).fold(0, |bits, word| {
        let mut lower = [0; MOST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        bits | LISTS_BY_WORD.get(&hash(lower)).copied().unwrap_or(0)
    })
}
