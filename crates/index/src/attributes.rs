//! Names of attributes as the index has them, and the one attribute that is asked for most.

use std::collections::BTreeSet;

use crate::document::{IndexDocument, ProductAttribute};
use crate::folding::fold;

/// The common name of an attribute, or else its own.
fn common_name(attribute: &ProductAttribute) -> String {
    match attribute.canonical.as_str() {
        "" => attribute_name(&attribute.name),
        canonical => attribute_name(canonical),
    }
}

/// The first price with a number.
pub(crate) fn price_attribute(document: &IndexDocument) -> Option<&ProductAttribute> {
    let mut prices = document.attributes.iter().filter(|attribute| common_name(attribute) == "price");
    prices.find(|price| price.number.is_some_and(f64::is_finite))
}

/// The names of all attributes, each once.
pub(crate) fn common_names(document: &IndexDocument) -> BTreeSet<String> {
    document.attributes.iter().map(common_name).filter(|name| !name.is_empty()).collect()
}

/// The form of an attribute's name in the index: folded, blanks to `_`, at most 100 bytes.
pub(crate) fn attribute_name(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(fold).collect();
    head(&words.join("_"), 100).to_owned()
}

/// The longest beginning of `text` with at most `max_bytes` that ends between characters.
pub(crate) fn head(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}
