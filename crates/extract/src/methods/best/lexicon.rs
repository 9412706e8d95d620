//! Words in class, id and role attributes, by what they say of the text below them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use gristmill_text::hash;

pub(super) use crate::named::for_each_word;

/// Groups of class words; matched between boundaries only, so that `header` is not in `subheader`.
pub(super) const GROUPS: [(&str, &[&str]); 36] = [
    (
        "article",
        &[
            "article",
            "story",
            "artikel",
            "articulo",
            "noticia",
            "wenzhang",
            "zhengwen",
            "articlebody",
            "articletext",
            "articlecontent",
            "storybody",
            "newstext",
            "news",
            "blogpost",
            "endtext",
            "artibody",
        ],
    ),
    (
        "content",
        &[
            "content",
            "contents",
            "contenido",
            "inhalt",
            "contenu",
            "neirong",
            "maincontent",
            "pagecontent",
            "entrycontent",
            "postcontent",
            "richtext",
            "rte",
            "wysiwyg",
            "prose",
            "cms",
        ],
    ),
    ("body", &["body", "text", "txt", "paragraph", "copy", "texto", "texte", "bodytext", "detail", "details", "desc"]),
    ("main", &["main", "primary", "maincol", "page", "single", "hentry", "entry"]),
    (
        "post",
        &["post", "posts", "thread", "topic", "postbody", "message", "messages", "bbs", "floor", "tiezi", "viewthread"],
    ),
    ("answer", &["answer", "answers", "question", "questions", "faq", "accordion", "toggle", "qa"]),
    (
        "comment",
        &[
            "comment",
            "comments",
            "disqus",
            "respond",
            "reply",
            "replies",
            "pinglun",
            "huifu",
            "kommentar",
            "commentlist",
        ],
    ),
    (
        "user",
        &[
            "user",
            "username",
            "avatar",
            "member",
            "signature",
            "userinfo",
            "poster",
            "reputation",
            "profile",
            "usercard",
        ],
    ),
    (
        "byline",
        &[
            "author",
            "authors",
            "byline",
            "writer",
            "reporter",
            "dateline",
            "pubdate",
            "published",
            "timestamp",
            "date",
            "time",
            "meta",
            "metadata",
            "postmeta",
            "source",
            "laiyuan",
            "zuozhe",
            "info",
            "credit",
        ],
    ),
    (
        "tags",
        &["tags", "tag", "taglist", "category", "categories", "keywords", "topics", "label", "labels", "biaoqian"],
    ),
    ("title", &["title", "headline", "heading", "titles", "subtitle", "biaoti", "h1", "h2", "kicker", "eyebrow"]),
    (
        "lead",
        &[
            "lead",
            "intro",
            "summary",
            "abstract",
            "excerpt",
            "teaser",
            "standfirst",
            "dek",
            "lede",
            "snippet",
            "description",
            "preview",
        ],
    ),
    (
        "caption",
        &[
            "caption",
            "figcaption",
            "figure",
            "image",
            "photo",
            "img",
            "picture",
            "gallery",
            "carousel",
            "slider",
            "swiper",
            "slick",
            "thumbnail",
            "thumb",
            "media",
            "video",
        ],
    ),
    (
        "nav",
        &[
            "nav",
            "menu",
            "navbar",
            "navigation",
            "megamenu",
            "dropdown",
            "daohang",
            "submenu",
            "menubar",
            "navi",
            "topnav",
            "subnav",
            "tabs",
            "tab",
        ],
    ),
    ("breadcrumb", &["breadcrumb", "breadcrumbs", "crumb", "crumbs", "bread", "path", "location", "weizhi"]),
    ("header", &["header", "head", "masthead", "topbar", "top", "banner", "logo", "branding", "hd", "toolbar"]),
    ("footer", &["footer", "foot", "copyright", "bottom", "colophon", "legal", "ft", "imprint", "contentinfo"]),
    (
        "side",
        &[
            "sidebar",
            "side",
            "aside",
            "rail",
            "right",
            "left",
            "secondary",
            "complementary",
            "sidebox",
            "widget",
            "widgets",
        ],
    ),
    (
        "related",
        &[
            "related",
            "recommended",
            "recommendations",
            "recommend",
            "similar",
            "popular",
            "trending",
            "more",
            "upsell",
            "xiangguan",
            "tuijian",
            "recent",
            "latest",
            "hot",
            "morestories",
            "mostread",
            "readmore",
            "suggested",
            "outbrain",
            "taboola",
        ],
    ),
    (
        "share",
        &[
            "share",
            "sharing",
            "social",
            "facebook",
            "twitter",
            "fenxiang",
            "follow",
            "sns",
            "addthis",
            "sharethis",
            "socials",
            "print",
            "email",
            "like",
            "likes",
            "vote",
            "votes",
        ],
    ),
    (
        "promo",
        &[
            "ad",
            "ads",
            "advert",
            "advertisement",
            "adsbygoogle",
            "promo",
            "promotion",
            "sponsor",
            "sponsored",
            "banners",
            "guanggao",
            "gg",
            "dfp",
            "advertising",
            "werbung",
            "affiliate",
        ],
    ),
    (
        "newsletter",
        &[
            "newsletter",
            "subscribe",
            "subscription",
            "signup",
            "optin",
            "mailchimp",
            "paywall",
            "register",
            "membership",
            "donate",
        ],
    ),
    ("consent", &["cookie", "cookies", "consent", "gdpr", "onetrust", "privacy", "ccpa", "cmp", "disclaimer"]),
    (
        "popup",
        &[
            "popup",
            "modal",
            "dialog",
            "overlay",
            "lightbox",
            "tooltip",
            "alert",
            "notice",
            "notification",
            "toast",
            "drawer",
            "offcanvas",
        ],
    ),
    (
        "hidden",
        &[
            "hidden",
            "hide",
            "sr",
            "screenreader",
            "visuallyhidden",
            "srOnly",
            "offscreen",
            "invisible",
            "noscript",
            "skip",
        ],
    ),
    (
        "form",
        &[
            "form",
            "search",
            "login",
            "signin",
            "account",
            "input",
            "contact",
            "field",
            "searchform",
            "button",
            "btn",
            "select",
        ],
    ),
    (
        "product",
        &[
            "product",
            "products",
            "sku",
            "pdp",
            "goods",
            "shop",
            "store",
            "catalog",
            "woocommerce",
            "shangpin",
            "produkt",
            "producto",
            "produit",
        ],
    ),
    (
        "price",
        &[
            "price", "prices", "pricing", "amount", "cart", "basket", "checkout", "buy", "qty", "quantity", "wishlist",
            "sale", "variant", "variants", "swatch", "option", "options", "shipping", "delivery", "stock",
        ],
    ),
    (
        "spec",
        &[
            "spec",
            "specs",
            "specification",
            "specifications",
            "attributes",
            "params",
            "canshu",
            "properties",
            "feature",
            "features",
            "table",
            "ingredients",
        ],
    ),
    ("rating", &["rating", "ratings", "review", "reviews", "stars", "star", "score"]),
    ("filter", &["filter", "filters", "facet", "facets", "sort", "refine", "sorting", "sortby"]),
    (
        "pages",
        &["pagination", "pager", "paging", "pagenav", "loadmore", "paginator", "fenye", "prev", "next", "previous"],
    ),
    (
        "grid",
        &[
            "grid",
            "card",
            "cards",
            "tile",
            "tiles",
            "listing",
            "listings",
            "list",
            "results",
            "result",
            "archive",
            "collection",
            "item",
            "items",
            "row",
            "rows",
            "feed",
            "loop",
        ],
    ),
    (
        "toc",
        &[
            "toc",
            "anchor",
            "headerlink",
            "edit",
            "editsection",
            "version",
            "permalink",
            "navbox",
            "catlinks",
            "footnotes",
            "references",
            "infobox",
        ],
    ),
    (
        "code",
        &[
            "highlight",
            "codehilite",
            "hljs",
            "prism",
            "code",
            "codeblock",
            "shiki",
            "syntaxhighlighter",
            "linenos",
            "pre",
        ],
    ),
    (
        "section",
        &[
            "hero",
            "cta",
            "testimonial",
            "testimonials",
            "section",
            "block",
            "elementor",
            "column",
            "container",
            "wpb",
            "benefits",
            "services",
            "clients",
            "team",
            "about",
        ],
    ),
];

/// Hashes are keys as they are.
#[derive(Default, Clone, Copy)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash(bytes);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A map by hashes.
pub(super) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

static BY_WORD: LazyLock<ByHash<u64>> = LazyLock::new(|| {
    let mut bits = ByHash::default();
    for (bit, (_, words)) in GROUPS.iter().enumerate() {
        for word in *words {
            *bits.entry(hash(word.as_bytes())).or_default() |= 1 << bit;
        }
    }
    bits
});

/// The groups of a word.
pub(super) fn groups_of_word(word: u64) -> u64 {
    BY_WORD.get(&word).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(value: &str) -> Vec<&'static str> {
        let mut bits = 0;
        for_each_word(value, |word| bits |= groups_of_word(word));
        GROUPS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, (name, _))| *name).collect()
    }

    #[test]
    fn words_are_matched_between_boundaries_only() {
        assert_eq!(groups("articleBody"), ["article", "body"]);
        assert_eq!(groups("post-content__more"), ["content", "post", "related"]);
        assert!(groups("subheader read composting").is_empty());
        assert!(groups(&"x".repeat(10_000)).is_empty());
    }
}
