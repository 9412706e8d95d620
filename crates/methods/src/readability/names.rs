//! What class names, ids and roles say of an element to Readability: parts of names, in any case.

use gristmill_html::{Doc, LocalName, NodeId};

/// Parts of names of what is unlikely to hold an article.
const UNLIKELY: &[&str] = &[
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
];
/// Parts of names that speak against that.
const MAYBE: &[&str] = &["and", "article", "body", "column", "content", "main", "mathjax", "shadow"];
/// Parts of names that make an element's score larger, and smaller.
const POSITIVE: &[&str] = &[
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
];
const NEGATIVE: &[&str] = &[
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
];
/// Roles of what is no article.
const ROLES: &[&str] = &["menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog"];

/// What a name that is found weighs.
const WEIGHT: f64 = 25.0;

fn has(name: &str, parts: &[&str]) -> bool {
    let name = name.as_bytes();
    parts.iter().any(|part| name.windows(part.len()).any(|at| at.eq_ignore_ascii_case(part.as_bytes())))
}

/// Names are longer only where programs made them.
fn names<'d>(doc: &'d Doc, id: NodeId) -> impl Iterator<Item = &'d str> + Clone {
    const MAX_BYTES: usize = 500;
    let cut = |name: &'d str| &name[..name.floor_char_boundary(MAX_BYTES)];
    [LocalName::CLASS, LocalName::ID].into_iter().filter_map(move |name| doc.attr(id, name)).map(cut)
}

/// Whether class and id say that an element is not of the article.
pub(super) fn is_unlikely(doc: &Doc, id: NodeId) -> bool {
    let names = names(doc, id);
    names.clone().any(|name| has(name, UNLIKELY)) && !names.clone().any(|name| has(name, MAYBE))
}

/// Whether the role says so.
pub(super) fn has_unlikely_role(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, LocalName::ROLE).is_some_and(|role| ROLES.contains(&role))
}

/// 25 for each of class and id that speaks for an element, -25 for each that speaks against it.
pub(super) fn class_weight(doc: &Doc, id: NodeId) -> f64 {
    let weigh = |name| f64::from(u8::from(has(name, POSITIVE))) - f64::from(u8::from(has(name, NEGATIVE)));
    names(doc, id).map(weigh).sum::<f64>() * WEIGHT
}

/// Whether an element offers to share the page.
pub(super) fn shares(doc: &Doc, id: NodeId) -> bool {
    let words =
        |name: &str| name.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "share" | "sharedaddy"));
    names(doc, id).any(words)
}
