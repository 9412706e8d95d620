//! Buttons that put a thing into the cart without saying so in a text.

use gristmill_html::{Doc, LocalName, NodeId};

use crate::features::is_buy;
use crate::stock;
use crate::view::RecordView;

/// Buttons that sell and do not say so in a text: in the value of an input, in the name of a picture of a basket, or in any language by what
/// programs call them and what their form does: `<button class="add-to-cart">`, `<form action="/cart/add">`.
///
/// O(nodes) the first time.
pub(crate) fn seller_buttons<'v>(view: &'v RecordView) -> impl Iterator<Item = NodeId> + 'v {
    view.seller_buttons.get_or_init(|| view.doc.ids().filter(|&id| sells(view, id)).collect()).iter().copied()
}

fn sells(view: &RecordView, id: NodeId) -> bool {
    let (doc, name) = (view.doc, view.doc.name(id));
    if !matches!(name, LocalName::INPUT | LocalName::BUTTON | LocalName::A) {
        return false;
    }
    let kind = doc.attr(id, LocalName::TYPE).unwrap_or_default();
    let is_input = ["submit", "button", "image"].iter().any(|button| kind.eq_ignore_ascii_case(button));
    let text = view.slice(view.span_of(id.index()));
    let said = match name {
        LocalName::INPUT if is_input => {
            doc.attr(id, LocalName::VALUE).or_else(|| doc.attr(id, LocalName::ALT)).unwrap_or_default()
        }
        LocalName::BUTTON if text.is_empty() => doc.attr(id, LocalName::ARIA_LABEL).unwrap_or_default(),
        LocalName::BUTTON | LocalName::A if !is_buy(text) => text,
        _ => return false,
    };
    let is_off = || attribute(doc, id, "disabled").is_some() || stock::said(said).is_some();
    is_buy(said) || is_called_seller(view, id) && !is_off()
}

fn attribute<'d>(doc: &'d Doc, id: NodeId, name: &str) -> Option<&'d str> {
    doc.attr(id, doc.find_name(name)?)
}

/// Whether a button, or the form that it sends, is called what puts a thing into the cart.
fn is_called_seller(view: &RecordView, id: NodeId) -> bool {
    const MAX_BYTES: usize = 200;
    const MAX_AROUND: usize = 8;
    const SELLS: [&str; 7] = ["addtocart", "cartadd", "addcart", "addtobasket", "basketadd", "addtobag", "buynow"];
    let doc = view.doc;
    let is_called = |name: &str| {
        let letters: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        name.len() <= MAX_BYTES && SELLS.iter().any(|word| letters.contains(word))
    };
    let own = [LocalName::CLASS, LocalName::ID, LocalName::NAME].into_iter().filter_map(|name| doc.attr(id, name));
    let form = || doc.ancestors(id).take(MAX_AROUND).find(|&around| doc.name(around) == LocalName::FORM);
    own.into_iter().any(is_called)
        || doc.name(id) != LocalName::A
            && !doc.attr(id, LocalName::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("button"))
            && form().and_then(|form| attribute(doc, form, "action")).is_some_and(is_called)
}
