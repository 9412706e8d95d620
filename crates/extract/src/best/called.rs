//! What an element says of itself: that it is the text of its page.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::attribute_words::words;

/// Words of a class that say of what a text is, those that say that it is one, and those that say both: data, not code.
const OF: &[&str] = &["entry", "post", "article", "story", "news", "blog", "wiki", "doc", "recipe"];
const TEXT: &[&str] = &["content", "contents", "body", "text", "copy", "markdown"];
const ALONE: &[&str] =
    &["prose", "markdown", "wysiwyg", "richtext", "articlebody", "articletext", "entrycontent", "postbody"];

/// Whether an element is called the text of its page, by its class, its id or microdata.
pub(super) fn is_called_text(doc: &Doc, id: NodeId) -> bool {
    let is = |word: &str, list: &[&str]| list.iter().any(|of| word.eq_ignore_ascii_case(of));
    let has = |name: &str, list: &[&str]| words(name).any(|word| is(word, list));
    let is_text = |name: &str| has(name, ALONE) || words(name).count() <= 4 && has(name, OF) && has(name, TEXT);
    let class = doc.attr(id, LocalName::CLASS).unwrap_or_default();
    let mut names = [class, doc.attr(id, LocalName::ID).unwrap_or_default()].into_iter();
    let prop = doc.attr(id, LocalName::ITEMPROP);
    names.any(|value| value.split_ascii_whitespace().any(is_text))
        || prop.is_some_and(|name| name.eq_ignore_ascii_case("articleBody"))
        || class.contains("mw-parser-output")
}
