//! What class names, ids and roles say of an element to Readability: parts of names, in any case.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::PhraseMatcher;

/// Parts of names of what is unlikely to hold an article.
static UNLIKELY: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::in_any_case(&[
        "-ad-",
        "ai2html",
        "banner",
        "breadcrumbs",
        "combx",
        "comment",
        "community",
        "cover-wrap",
        "disqus",
        "extra",
        "footer",
        "gdpr",
        "header",
        "legends",
        "menu",
        "related",
        "remark",
        "replies",
        "rss",
        "shoutbox",
        "sidebar",
        "skyscraper",
        "social",
        "sponsor",
        "supplemental",
        "ad-break",
        "agegate",
        "pagination",
        "pager",
        "popup",
        "yom-remote",
    ])
});
/// Parts of names that speak against that.
static MAYBE: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::in_any_case(&["and", "article", "body", "column", "content", "main", "mathjax", "shadow"])
});
/// Parts of names that make an element's score larger, and smaller.
static POSITIVE: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::in_any_case(&[
        "article",
        "body",
        "content",
        "entry",
        "hentry",
        "h-entry",
        "main",
        "page",
        "pagination",
        "post",
        "text",
        "blog",
        "story",
    ])
});
static NEGATIVE: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::in_any_case(&[
        "-ad-",
        "hidden",
        "banner",
        "combx",
        "comment",
        "com-",
        "contact",
        "footer",
        "gdpr",
        "masthead",
        "media",
        "meta",
        "outbrain",
        "promo",
        "related",
        "scroll",
        "share",
        "shoutbox",
        "sidebar",
        "skyscraper",
        "sponsor",
        "shopping",
        "tags",
        "widget",
    ])
});
/// Roles of what is no article.
const ROLES: &[&str] = &["menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"];

/// What a name that is found weighs.
const WEIGHT: f64 = 25.0;

/// Names are longer only where programs made them.
fn names<'d>(doc: &'d Doc, id: NodeId) -> impl Iterator<Item = &'d str> + Clone {
    const MAX_BYTES: usize = 500;
    let cut = |name: &'d str| &name[..name.floor_char_boundary(MAX_BYTES)];
    [LocalName::CLASS, LocalName::ID].into_iter().filter_map(move |name| doc.attr(id, name)).map(cut)
}

/// Whether class and id say that an element is not of the article.
pub(super) fn is_unlikely(doc: &Doc, id: NodeId) -> bool {
    let names = names(doc, id);
    names.clone().any(|name| UNLIKELY.is_in(name)) && !names.clone().any(|name| MAYBE.is_in(name))
}

/// Whether the role says so.
pub(super) fn has_unlikely_role(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, LocalName::ROLE).is_some_and(|role| ROLES.contains(&role))
}

/// 25 for each of class and id that speaks for an element, -25 for each that speaks against it.
pub(super) fn class_weight(doc: &Doc, id: NodeId) -> f64 {
    let weigh = |name| f64::from(u8::from(POSITIVE.is_in(name))) - f64::from(u8::from(NEGATIVE.is_in(name)));
    names(doc, id).map(weigh).sum::<f64>() * WEIGHT
}

/// Whether an element offers to share the page.
pub(super) fn shares(doc: &Doc, id: NodeId) -> bool {
    let words =
        |name: &str| name.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "share" | "sharedaddy"));
    names(doc, id).any(words)
}
