//! Declarative shadow roots: what stands in them is drawn, unlike other templates.

use gristmill_html::{Doc, LocalName, NodeId};

/// Makes boxes of the templates that declare a shadow root. What an element has itself follows, wherever the root has its slots.
/// O(nodes) where a page has one.
pub(crate) fn write(doc: &mut Doc) {
    let Some(mode) = doc.find_name("shadowrootmode") else { return };
    let is_root = |id: &NodeId| doc.name(*id) == LocalName::TEMPLATE && doc.attr(*id, mode).is_some();
    let roots: Vec<NodeId> = doc.ids().filter(is_root).collect();
    roots.into_iter().for_each(|root| doc.set_name(root, LocalName::DIV));
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::Page;

    #[test]
    fn roots_are_text_and_other_templates_are_none() {
        let html = "<a-b><template shadowrootmode=open><p>One.</p></template><p>Two.</p></a-b><template><p>Three.</p></template>";
        let doc = Doc::parse(html, &TreeLimits::default());
        assert_eq!(Page::new(&doc).text.trim(), "Two.");
        let mut doc = doc;
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "One.\nTwo.");
    }
}
