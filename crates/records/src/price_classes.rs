//! What elements say of the amounts in them: that they are struck out, or called a price.

use gristmill_html::{LocalName, NodeId};

use crate::price_words::STRUCK;
use crate::view::RecordView;

/// Whether an element strikes out what is in it, by its name, its class or its style.
pub(crate) fn strikes(view: &RecordView, id: NodeId) -> bool {
    let by_style = || view.doc.attr(id, LocalName::STYLE).is_some_and(|style| style.contains("line-through"));
    matches!(view.doc.name(id), LocalName::DEL | LocalName::S | LocalName::STRIKE)
        || calls_struck(view, id)
        || by_style()
}

/// Whether classes say that an amount was paid before: by a word within one, or by one that is nothing but a short word for it. A box
/// that only has such an amount in it (`with-list-price`) is not one.
fn calls_struck(view: &RecordView, id: NodeId) -> bool {
    const WHOLE: [&str; 9] = ["was", "old", "before", "mrp", "compare", "eski", "antes", "ancien", "barre"];
    if !calls(view, id, &STRUCK) && view.doc.attr(id, LocalName::CLASS).is_none_or(|class| class.len() > 200) {
        return false;
    }
    let names = [LocalName::CLASS, LocalName::ID].into_iter().filter_map(|name| view.doc.attr(id, name));
    let names = names.chain(test_names(view, id));
    let is_struck = |name: &str| {
        let is_box = ["with-", "has-", "with_", "has_"].iter().any(|begin| name.starts_with(begin));
        !is_box && (STRUCK.is_in(name) || WHOLE.iter().any(|word| name.eq_ignore_ascii_case(word)))
    };
    names.flat_map(str::split_whitespace).any(is_struck)
}

/// Whether the class, identifier or property of an element, or the name that it has in tests of its site, holds one of the words.
pub(crate) fn calls(view: &RecordView, id: NodeId, words: &gristmill_text::PhraseMatcher) -> bool {
    const NAMES: [LocalName; 3] = [LocalName::CLASS, LocalName::ID, LocalName::ITEMPROP];
    let names = NAMES.iter().filter_map(|&name| view.doc.attr(id, name));
    let mut names = names.chain(test_names(view, id)).filter(|name| name.len() <= 200);
    names.any(|name| words.is_in(name))
}

/// What attributes of a site's own call an element, for its tests and scripts: they say more than classes that a program makes up. Wix
/// calls the price after a reduction `secondary`.
fn test_names<'v>(view: &'v RecordView, id: NodeId) -> impl Iterator<Item = &'v str> {
    const MAX_BYTES: usize = 60;
    let doc = view.doc;
    let is_own = |name: &str| name.starts_with("data-") && name != "data-hook";
    let named = doc.attributes(id).filter(move |attribute| {
        attribute.value.len() <= MAX_BYTES && attribute.value.contains("rice") && is_own(doc.name_str(attribute.name))
    });
    named.map(|attribute| attribute.value)
}
