//! Words in class and id attributes that say what a part of a page is.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_html::{Doc, Name};
use gristmill_text::hash;

/// Groups of words; a bit each in [`Groups`].
pub(super) const GROUPS: [(&str, &[&str]); 14] = [
    ("comment", &["comment", "comments", "disqus", "respond", "reply", "replies", "评论", "回复"]),
    ("post", &["post", "posts", "thread", "topic", "forum", "message", "messages", "answer", "question", "viewtopic"]),
    ("user", &["user", "username", "avatar", "member", "signature", "userinfo", "poster", "reputation", "karma"]),
    ("author", &["author", "byline", "writer", "reporter", "dateline", "pubdate", "published", "timestamp"]),
    ("article", &["article", "entry", "story", "blog", "news", "headline", "excerpt", "teaser"]),
    ("product", &["product", "products", "sku", "pdp", "item", "goods", "shop", "store", "catalog", "merchandise"]),
    ("price", &["price", "prices", "pricing", "amount", "currency", "discount", "sale", "offer", "msrp"]),
    ("cart", &["cart", "basket", "checkout", "buy", "buybox", "addtocart", "wishlist", "qty", "quantity", "bag"]),
    ("rating", &["rating", "ratings", "review", "reviews", "stars", "star", "score"]),
    ("filter", &["filter", "filters", "facet", "facets", "sort", "refine", "sorting", "toolbar"]),
    ("pages", &["pagination", "pager", "paging", "pagenav", "pagenation", "loadmore", "infinite"]),
    ("grid", &["grid", "card", "cards", "tile", "tiles", "list", "listing", "results", "result", "archive"]),
    (
        "docs",
        &["toc", "docs", "doc", "documentation", "highlight", "admonition", "sidebar", "codehilite", "wiki", "api"],
    ),
    (
        "service",
        &["hero", "cta", "testimonial", "testimonials", "features", "feature", "plans", "faq", "banner", "solutions"],
    ),
];

static BY_WORD: LazyLock<HashMap<u64, u16>> = LazyLock::new(|| {
    let mut groups: HashMap<u64, u16> = HashMap::new();
    for (bit, (_, words)) in GROUPS.iter().enumerate() {
        for word in *words {
            *groups.entry(hash(word.as_bytes())).or_default() |= 1 << bit;
        }
    }
    groups
});

/// How many elements have a word of each group in `class` or `id`. Values that occur again are looked up whole.
pub(super) fn count_groups(doc: &Doc) -> [u32; GROUPS.len()] {
    let mut counts = [0; GROUPS.len()];
    let mut known: HashMap<u64, u16> = HashMap::new();
    for id in doc.ids().filter(|&id| doc.is_element(id)) {
        let mut groups = 0;
        for attribute in doc.attributes(id) {
            if matches!(attribute.name, Name::CLASS | Name::ID) && !attribute.value.is_empty() {
                let value = head(attribute.value);
                groups |= *known.entry(hash(value.as_bytes())).or_insert_with(|| groups_of(value));
            }
        }
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += u32::from(groups >> bit & 1);
        }
    }
    counts
}

/// Longer values are made by programs and say nothing.
fn head(value: &str) -> &str {
    &value[..value.floor_char_boundary(300)]
}

/// The groups whose words stand in `value` between boundaries: anything but letters, and a capital after a small letter.
fn groups_of(value: &str) -> u16 {
    let mut groups = 0;
    let mut word = String::new();
    let mut before = ' ';
    for c in value.chars().chain([' ']) {
        let boundary = !c.is_alphabetic() || (before.is_lowercase() && c.is_uppercase());
        if boundary && !word.is_empty() {
            groups |= BY_WORD.get(&hash(word.as_bytes())).copied().unwrap_or(0);
            word.clear();
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Vec<&'static str> {
        let groups = groups_of(value);
        GROUPS.iter().enumerate().filter(|(bit, _)| groups >> bit & 1 == 1).map(|(_, (name, _))| *name).collect()
    }

    #[test]
    fn words_are_matched_between_boundaries_only() {
        assert_eq!(names("post-author__name"), ["post", "author"]);
        assert_eq!(names("productPrice js-3"), ["product", "price"]);
        assert!(names("composting starting listings").is_empty());
    }
}
