//! What an element says by itself of whether it is seen.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::PhraseMatcher;

/// What classes are called, by widespread style sheets, that move text out of sight and leave it to screen readers.
const FOR_EARS: [&str; 13] = [
    "sr-only",
    "sr_only",
    "visually-hidden",
    "visuallyhidden",
    "hidden-visually",
    "screen-reader",
    "screenreader",
    "a11y-hidden",
    "accessibly-hidden",
    "offscreen",
    "element-invisible",
    "assistive-text",
    "clipped-text",
];

/// Whether an element hides what is below it: by its attributes as [`hidden_elements`](crate::hidden::hidden_elements) has it, or by a class for screen readers.
pub fn hides_text(doc: &Doc, id: NodeId) -> bool {
    static FOUND: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(&FOR_EARS));
    let for_ears = |class: &str| FOUND.is_in(class) && !class.contains("focusable");
    is_hidden(doc, id) || doc.attr(id, LocalName::CLASS).is_some_and(for_ears)
}

/// Whether an element of the page may hide a text: else no row is looked at. O(attributes).
pub(crate) fn may_hide(doc: &Doc) -> bool {
    (0..doc.n_attributes()).any(|at| match doc.attribute_name(at) {
        LocalName::HIDDEN => true,
        LocalName::STYLE => ["none", "hidden"].iter().any(|value| doc.attribute_value(at).contains(value)),
        // Parts of all the classes that are meant, in any case.
        LocalName::CLASS => ["idden", "eader", "sr-only", "sr_only", "nvisible", "ffscreen", "ssistive", "lipped"]
            .iter()
            .any(|part| doc.attribute_value(at).contains(part)),
        _ => false,
    })
}

pub(crate) fn is_hidden(doc: &Doc, id: NodeId) -> bool {
    doc.attributes(id).any(|attribute| match attribute.name {
        LocalName::HIDDEN => !attribute.value.eq_ignore_ascii_case("until-found"),
        LocalName::STYLE => hides(attribute.value),
        _ => false,
    })
}

/// Whether an inline style makes its element invisible; of several declarations of a property the last one counts.
pub fn hides(style: &str) -> bool {
    let (mut display, mut visibility) = (false, false);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.split('!').next().unwrap_or("").trim();
        match property.trim() {
            name if name.eq_ignore_ascii_case("display") => display = value.eq_ignore_ascii_case("none"),
            name if name.eq_ignore_ascii_case("visibility") => {
                visibility = value.eq_ignore_ascii_case("hidden") || value.eq_ignore_ascii_case("collapse");
            }
            _ => {}
        }
    }
    display || visibility
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_declaration_of_a_property_decides() {
        assert!(hides("color:red; DISPLAY : None !important"));
        assert!(hides("visibility:hidden"));
        assert!(!hides("display:none;display:block"));
        assert!(!hides("background:url(display:none)") && !hides("display") && !hides(""));
    }
}
