//! What classes and ids say about posts and comments: each distinct value is read once, for elements are asked time and again.

use gristmill_html::{Name, NodeId};
use gristmill_page::{Page, named::words};

use super::signs;

/// Lists of words, as bits.
pub(super) const AUTHOR: u16 = 1;
pub(super) const USERNAME: u16 = 1 << 1;
pub(super) const DATE: u16 = 1 << 2;
pub(super) const BODY: u16 = 1 << 3;
pub(super) const POST_BODY: u16 = 1 << 4;
pub(super) const BESIDE: u16 = 1 << 5;
pub(super) const POST: u16 = 1 << 6;
pub(super) const COMMENT: u16 = 1 << 7;
const UNREAD: u16 = 1 << 15;

const LISTS: [(u16, &[&str]); 8] = [
    (AUTHOR, signs::AUTHOR),
    (USERNAME, signs::USERNAME),
    (DATE, signs::DATE),
    (BODY, signs::BODY),
    (POST_BODY, signs::POST_BODY),
    (BESIDE, signs::BESIDE),
    (POST, signs::POST),
    (COMMENT, signs::COMMENT),
];

pub(super) struct Says<'p, 'd> {
    pub(super) page: &'p Page<'d>,
    /// By the number of the value: the lists that a word of it is in.
    of_value: Vec<u16>,
}

impl<'p, 'd> Says<'p, 'd> {
    /// O(attributes).
    pub(super) fn new(page: &'p Page<'d>) -> Self {
        let (doc, named) = (page.doc, page.named());
        let mut of_value = vec![UNREAD; named.n_values()];
        for at in (0..doc.n_attributes()).filter(|&at| is_asked(doc.attribute_name(at))) {
            if let Some(value) = named.at(at).filter(|&value| of_value[value] == UNREAD) {
                of_value[value] = lists(doc.attribute_value(at));
            }
        }
        Says { page, of_value }
    }

    /// Whether a class or id of the element has a word of one of these lists.
    pub(super) fn is_named(&self, id: NodeId, lists: u16) -> bool {
        let doc = self.page.doc;
        let mut asked = doc.attribute_range(id).filter(|&at| is_asked(doc.attribute_name(at)));
        asked.any(|at| self.page.named().at(at).is_some_and(|value| self.of_value[value] & lists != 0))
    }
}

fn is_asked(name: Name) -> bool {
    matches!(name, Name::CLASS | Name::ID)
}

fn lists(value: &str) -> u16 {
    let of_word = |word: &str| {
        let has = |list: &[&str]| list.iter().any(|own| own.eq_ignore_ascii_case(word));
        LISTS.iter().filter(|(_, list)| has(list)).fold(0, |bits, (bit, _)| bits | bit)
    };
    words(value).fold(0, |bits, word| bits | of_word(word))
}
