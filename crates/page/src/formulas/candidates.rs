//! Which elements may draw a formula, told cheaply: most pages have none.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{ByHash, hash};

use super::source;
use crate::attribute_words::{RECENT, place};

/// The elements with any sign of a formula or of code, in order: only they are worth a closer look. Each distinct class is read once.
/// O(nodes + attributes).
pub(super) fn candidates(doc: &Doc) -> Vec<NodeId> {
    const NAMES: [LocalName; 7] = [
        LocalName::SCRIPT,
        LocalName::IMG,
        LocalName::PRE,
        LocalName::CODE,
        LocalName::TEXTAREA,
        LocalName::SVG,
        LocalName::MATH,
    ];
    // Those that may hold TeX and occur on the page.
    let attributes: Vec<LocalName> = source::ATTRIBUTES.iter().filter_map(|(name, _)| doc.find_name(name)).collect();
    let mut classes = Classes::new();
    let has_sign = |id: &NodeId| {
        let name = doc.name(*id);
        let mut range = doc.attribute_range(*id);
        doc.is_element(*id)
            && (NAMES.contains(&name)
                || name.as_known_str().is_none()
                || range.any(|at| match doc.attribute_name(at) {
                    LocalName::CLASS => classes.is_about_formulas(doc.attribute_value(at)),
                    name => attributes.contains(&name),
                }))
    };
    doc.ids().skip(1).filter(has_sign).collect()
}

/// Which classes are about formulas.
struct Classes<'d> {
    known: ByHash<bool>,
    /// Those that were asked about lately: most have the class of a sibling or cousin just before.
    recent: [(&'d str, bool); RECENT],
}

impl<'d> Classes<'d> {
    fn new() -> Classes<'d> {
        Classes { known: ByHash::default(), recent: [("", false); RECENT] }
    }

    fn is_about_formulas(&mut self, class: &'d str) -> bool {
        if class.is_empty() {
            return false;
        }
        let judge = || source::is_math(class) || source::draws(class) || source::is_root_class(class);
        let (same, is_about) = &mut self.recent[place(class.as_bytes())];
        if *same != class {
            (*same, *is_about) = (class, *self.known.entry(hash(class.as_bytes())).or_insert_with(judge));
        }
        *is_about
    }
}
