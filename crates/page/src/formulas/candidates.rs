//! Which elements may draw a formula, told cheaply: most pages have none.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::hash;

use super::source;
use crate::by_hash::ByHash;

/// What the names and classes of a page say, each distinct class read once.
pub(super) struct Candidates {
    /// Whether a class is about formulas, by its hash.
    classes: ByHash<bool>,
    /// The class that was asked about last, which most siblings have.
    last: (u64, bool),
    /// The attributes that may hold TeX and occur on the page.
    attributes: Vec<LocalName>,
}

impl Candidates {
    pub(super) fn new(doc: &Doc) -> Candidates {
        let attributes = source::ATTRIBUTES.iter().filter_map(|(name, _)| doc.find_name(name)).collect();
        Candidates { classes: ByHash::default(), last: (0, false), attributes }
    }

    /// Whether an element has any sign of a formula or of code: only then it is worth a closer look. O(its attributes).
    pub(super) fn has(&mut self, doc: &Doc, id: NodeId) -> bool {
        const NAMES: [LocalName; 7] = [
            LocalName::SCRIPT,
            LocalName::IMG,
            LocalName::PRE,
            LocalName::CODE,
            LocalName::TEXTAREA,
            LocalName::SVG,
            LocalName::MATH,
        ];
        let name = doc.name(id);
        NAMES.contains(&name)
            || name.as_known_str().is_none()
            || doc.attribute_range(id).any(|at| match doc.attribute_name(at) {
                LocalName::CLASS => self.is_about_formulas(doc.attribute_value(at)),
                name => self.attributes.contains(&name),
            })
    }

    fn is_about_formulas(&mut self, class: &str) -> bool {
        let judge = || source::is_math(class) || source::draws(class) || source::is_root_class(class);
        let hash = hash(class.as_bytes());
        if self.last.0 != hash {
            self.last = (hash, *self.classes.entry(hash).or_insert_with(judge));
        }
        self.last.1
    }
}
