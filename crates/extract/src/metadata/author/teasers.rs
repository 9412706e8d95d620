//! Bylines of other pages that a page leads to.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{heading_rank, text_of};
use gristmill_text::{collapse, is_cjk};

use crate::metadata::context::MetadataContext;

/// Whether an element stands below the title of another page, as a link, in the same small box: a teaser names who wrote that one. Only
/// where the title of the page is known to be its own.
pub(super) fn is_of_another_page(context: &MetadataContext<'_>, id: NodeId) -> bool {
    const MAX_ABOVE: usize = 4;
    const MAX_NODES: usize = 120;
    let doc = context.page.doc;
    let Some(heading) = context.heading.filter(|&heading| heading != id) else { return false };
    let is_box = |around: &NodeId| {
        let is_whole = matches!(doc.name(*around), LocalName::BODY | LocalName::HTML | LocalName::MAIN);
        doc.is_element(*around)
            && !is_whole
            && !doc.contains(*around, heading)
            && doc.end(*around) - around.index() <= MAX_NODES
    };
    let boxes = doc.ancestors(id).take(MAX_ABOVE).take_while(is_box);
    let leads = |around: NodeId| {
        let before = doc.subtree(around).take_while(|&node| node != id);
        let mut links =
            before.filter(|&node| doc.name(node) == LocalName::A && doc.attr(node, LocalName::HREF).is_some());
        links.any(|link| is_headed(context, link) || is_title(context, around, link))
    };
    boxes.into_iter().any(leads) && is_declared(context, heading)
}

/// Whether a link stands in a heading, or has one in it.
fn is_headed(context: &MetadataContext<'_>, link: NodeId) -> bool {
    let doc = context.page.doc;
    let is_heading = |id: NodeId| heading_rank(doc.name(id)).is_some();
    (doc.ancestors(link).take(2).any(is_heading) || doc.subtree(link).take(10).any(is_heading))
        && !text_of(doc, link).is_empty()
}

/// Whether a link is called in several words, and stands alone in its part of a box.
fn is_title(context: &MetadataContext<'_>, around: NodeId, link: NodeId) -> bool {
    const LEAST_WORDS: usize = 4;
    const LEAST_CJK: usize = 8;
    let doc = context.page.doc;
    let text = text_of(doc, link);
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let is_long = text.split(' ').filter(is_word).count() >= LEAST_WORDS
        || text.chars().filter(|&c| is_cjk(c)).count() >= LEAST_CJK;
    let part = std::iter::once(link).chain(doc.ancestors(link)).take_while(|&id| id != around).last();
    is_long && part.is_some_and(|part| text_of(doc, part) == text)
}

/// Whether the title that the page declares has the heading in it.
fn is_declared(context: &MetadataContext<'_>, heading: NodeId) -> bool {
    let doc = context.page.doc;
    let heading = text_of(doc, heading);
    let titles = [doc.title(), doc.meta("og:title").map(str::to_owned)];
    !heading.is_empty() && titles.into_iter().flatten().any(|title| collapse(&title).contains(&heading))
}
