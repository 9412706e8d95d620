//! What makes elements alike: tag and first class word.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::Page;

/// No signature: the members are all there are.
pub(super) const SCATTERED: u64 = 0;

/// The signature of every node of a page: tag and name, digits left out, so that `post-17 odd` and `post-18 even` are alike.
pub(super) struct Signatures {
    of_node: Vec<u64>,
}

impl Signatures {
    /// O(nodes + names): a class is read once, however many elements have it.
    pub(super) fn new(page: &Page<'_>) -> Self {
        let (doc, named) = (page.doc, page.named());
        // By the number of a class; `Some(None)` of one without words.
        let mut of_class: Vec<Option<Option<u64>>> = vec![None; named.n_values()];
        let mut of = |id: NodeId| {
            let class = doc.attribute_range(id).find(|&at| doc.attribute_name(at) == LocalName::CLASS);
            let class = class.and_then(|at| Some((at, named.at(at)?)));
            let said = class.and_then(|(at, value)| {
                *of_class[value].get_or_insert_with(|| first_word(doc.attribute_value(at)).map(stripped))
            });
            let said = said.unwrap_or_else(|| stripped(counted(doc, id).unwrap_or("")));
            mixed(said, doc.name(id).index() as u64).max(SCATTERED + 1)
        };
        Self { of_node: doc.ids().map(|id| if doc.is_text(id) { SCATTERED } else { of(id) }).collect() }
    }

    pub(super) fn of(&self, id: NodeId) -> u64 {
        self.of_node[id.index()]
    }

    /// The elements of a signature in document order.
    pub(super) fn alike(&self, page: &Page<'_>, signature: u64) -> impl Iterator<Item = NodeId> {
        page.doc.ids().zip(&self.of_node).filter(move |(_, own)| **own == signature).map(|(id, _)| id)
    }
}

/// The first class word, else an id that counts: `post-17`.
pub(super) fn name<'d>(page: &Page<'d>, id: NodeId) -> Option<&'d str> {
    page.doc.attr(id, LocalName::CLASS).and_then(first_word).or_else(|| counted(page.doc, id))
}

/// The first word that says what an element is: `my-3` and `odd` say how it is set, on posts and on what holds them all.
fn first_word(class: &str) -> Option<&str> {
    class.split_ascii_whitespace().find(|word| !matches!(*word, "odd" | "even") && !is_spacing(word))
}

/// `m-2`, `px-4`, `mb-auto`
fn is_spacing(word: &str) -> bool {
    let parts = word.split_once('-').filter(|(sides, _)| matches!(sides.as_bytes(), [b'm' | b'p'] | [b'm' | b'p', _]));
    parts.is_some_and(|(_, size)| size == "auto" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

fn counted(doc: &Doc, id: NodeId) -> Option<&str> {
    doc.attr(id, LocalName::ID).filter(|id| id.bytes().any(|byte| byte.is_ascii_digit()))
}

/// The bytes that are no digits, hashed one by one (FNV-1a): names are short.
fn stripped(name: &str) -> u64 {
    let kept = name.bytes().filter(|byte| !byte.is_ascii_digit());
    kept.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn mixed(hash: u64, tag: u64) -> u64 {
    (hash.rotate_left(25) ^ tag).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
