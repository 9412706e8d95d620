//! Elements of AMP that hold advertisements, and what it asks readers before they read.

use gristmill_html::{Doc, NodeId};

const NO_TEXT: [&str; 6] =
    ["amp-ad", "amp-consent", "amp-embed", "amp-sticky-ad", "amp-user-notification", "amp-web-push-widget"];

/// Empties them. O(nodes) where a page has one.
pub(crate) fn write(doc: &mut Doc) {
    let names: Vec<_> = NO_TEXT.iter().filter_map(|name| doc.find_name(name)).collect();
    if names.is_empty() {
        return;
    }
    let elements: Vec<NodeId> = doc.ids().filter(|&id| names.contains(&doc.name(id))).collect();
    let mut end = 0;
    for id in elements {
        if id.index() >= end {
            end = doc.end(id);
            doc.clear(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::Page;

    #[test]
    fn advertisements_and_questions_of_amp_are_no_text() {
        let html = "<p>One.</p><amp-ad><div placeholder>Ad</div></amp-ad><amp-accordion><section><h4>Why?</h4><p>So.</section></amp-accordion><amp-consent><amp-ad>x</amp-ad>Cookies</amp-consent>";
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "One.\nWhy?\nSo.");
    }
}
