//! What an element says by itself of whether it is seen.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::PhraseMatcher;

/// What classes are called, by widespread style sheets, that move text out of sight and leave it to screen readers.
const FOR_EARS: [&str; 18] = [
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
    "accesshide",
    "for-sr",
    "hiddenvisually",
    "reader-only",
    "screen-only",
];

/// Whether an element hides what is below it: by its attributes as [`hidden_elements`](crate::hidden::hidden_elements) has it, or by a
/// class for screen readers.
pub fn hides_text(doc: &Doc, id: NodeId) -> bool {
    is_hidden(doc, id) || doc.attr(id, LocalName::CLASS).is_some_and(is_for_ears) && !is_sign_of_fraction(doc, id)
}

/// Whether a class leaves what is below its element to screen readers.
pub(crate) fn is_for_ears(class: &str) -> bool {
    static FOUND: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(&FOR_EARS));
    FOUND.is_in(class) && !class.contains("focusable")
}

/// Whether it is the sign within a fraction, which the eye sees as a bar or a gap: without it `5+1⁄2` and `22/7` are other numbers.
fn is_sign_of_fraction(doc: &Doc, id: NodeId) -> bool {
    doc.end(id) == id.index() + 2
        && doc.first_child(id).is_some_and(|text| matches!(doc.text(text).trim(), "+" | "/" | "⁄" | "∕"))
}

/// Whether an element of the page may hide a text: else no row is looked at. O(attributes).
pub(crate) fn may_hide(doc: &Doc) -> bool {
    (0..doc.n_attributes()).any(|at| match doc.attribute_name(at) {
        LocalName::HIDDEN => true,
        LocalName::STYLE => {
            ["none", "hidden", "absolute", "fixed"].iter().any(|value| doc.attribute_value(at).contains(value))
        }
        // Parts of all the classes that are meant, in any case.
        LocalName::CLASS => [
            "idden", "eader", "sr-only", "sr_only", "nvisible", "ffscreen", "ssistive", "lipped", "hide", "-sr",
            "-only",
        ]
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

/// Whether an inline style makes its element invisible or moves it out of sight; of several declarations of a property the last one
/// counts.
pub fn hides(style: &str) -> bool {
    let (mut display, mut visibility, mut is_free, mut is_away) = (false, false, false, false);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.split('!').next().unwrap_or("").trim();
        match property.trim() {
            name if name.eq_ignore_ascii_case("display") => display = value.eq_ignore_ascii_case("none"),
            name if name.eq_ignore_ascii_case("visibility") => {
                visibility = value.eq_ignore_ascii_case("hidden") || value.eq_ignore_ascii_case("collapse");
            }
            name if name.eq_ignore_ascii_case("position") => {
                is_free = value.eq_ignore_ascii_case("absolute") || value.eq_ignore_ascii_case("fixed");
            }
            name if name.eq_ignore_ascii_case("left") || name.eq_ignore_ascii_case("top") => is_away |= is_far(value),
            _ => {}
        }
    }
    display || visibility || is_free && is_away
}

/// Whether a distance leads off the screen: `-9999px`.
fn is_far(value: &str) -> bool {
    const FAR: u32 = 900;
    let digits = value.strip_prefix('-').map(|value| &value[..value.bytes().take_while(u8::is_ascii_digit).count()]);
    digits.and_then(|digits| digits.parse().ok()).is_some_and(|distance: u32| distance >= FAR)
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn the_sign_of_a_fraction_stays_between_its_numbers() {
        let html = "<span>22<span class=sr-only>/</span>7</span><p>5<span class=sr-only>+</span>1&frasl;2<p>a<span class=sr-only>aloud</span>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let rows = crate::rows::Rows::new(&doc, crate::blocks::BlockRules::TEXT);
        assert_eq!(rows.text, "22/7\n5+1⁄2\na\n");
    }

    #[test]
    fn the_last_declaration_of_a_property_decides() {
        assert!(hides("color:red; DISPLAY : None !important"));
        assert!(hides("visibility:hidden"));
        assert!(
            hides("position:absolute; left: -9999px") && !hides("left:-9999px") && !hides("position:fixed;top:-80px")
        );
        assert!(!hides("display:none;display:block"));
        assert!(!hides("background:url(display:none)") && !hides("display") && !hides(""));
    }
}
