//! What surrounds a candidate: tags, class words and headings of the page around it, as bits.

use gristmill_html::Name;

use crate::view::View;

/// Groups of class and id words, and of sectioning tags. One bit each.
pub(crate) const GROUPS: [(&str, &[&str]); 25] = [
    (
        "nav",
        &[
            "nav",
            "menu",
            "navigation",
            "navbar",
            "breadcrumb",
            "breadcrumbs",
            "crumb",
            "crumbs",
            "sidebar",
            "topbar",
            "toolbar",
            "dropdown",
            "megamenu",
            "submenu",
        ],
    ),
    ("header", &["header", "masthead", "topnav"]),
    ("footer", &["footer", "copyright", "legal", "foot", "bottom"]),
    ("aside", &["aside", "widget", "ad", "ads", "advert", "sponsored", "promo", "promotion", "banner"]),
    (
        "related",
        &[
            "related",
            "similar",
            "recommend",
            "recommended",
            "recommendation",
            "recommendations",
            "upsell",
            "cross",
            "crosssell",
            "carousel",
            "slider",
            "recently",
            "viewed",
            "suggestion",
            "suggestions",
            "swiper",
            "also",
            "bought",
            "bundle",
            "bundles",
            "accessories",
        ],
    ),
    (
        "review",
        &[
            "review",
            "reviews",
            "rating",
            "ratings",
            "comment",
            "comments",
            "feedback",
            "testimonial",
            "testimonials",
            "histogram",
            "stars",
            "star",
            "customer",
            "customers",
            "ugc",
            "evaluate",
        ],
    ),
    ("size", &["size", "sizes", "sizechart", "sizeguide", "sizing", "chart"]),
    (
        "shipping",
        &[
            "shipping",
            "delivery",
            "return",
            "returns",
            "payment",
            "payments",
            "policy",
            "policies",
            "ship",
            "warranty",
            "service",
            "services",
            "guarantee",
        ],
    ),
    (
        "spec",
        &[
            "spec",
            "specs",
            "specification",
            "specifications",
            "attribute",
            "attributes",
            "attr",
            "attrs",
            "parameter",
            "parameters",
            "param",
            "params",
            "tech",
            "technical",
            "techspecs",
            "property",
            "properties",
            "prop",
            "props",
            "characteristics",
            "characteristic",
            "feature",
            "features",
            "facts",
            "ptable",
            "datasheet",
            "sheet",
            "additional",
            "prodspec",
        ],
    ),
    (
        "detail",
        &[
            "detail",
            "details",
            "description",
            "desc",
            "info",
            "information",
            "overview",
            "about",
            "summary",
            "content",
            "bullets",
            "bullet",
            "highlights",
        ],
    ),
    ("product", &["product", "item", "goods", "prod", "pdp", "productpage", "sku"]),
    ("qa", &["qa", "question", "questions", "answer", "answers", "faq", "faqs", "ask", "forum", "discussion"]),
    (
        "buy",
        &[
            "cart",
            "buy",
            "buybox",
            "price",
            "prices",
            "pricing",
            "offer",
            "offers",
            "purchase",
            "checkout",
            "basket",
            "addtocart",
            "stock",
            "availability",
            "quantity",
            "qty",
        ],
    ),
    (
        "seller",
        &["seller", "vendor", "store", "shop", "merchant", "stores", "company", "contact", "address", "location"],
    ),
    (
        "option",
        &[
            "option",
            "options",
            "variant",
            "variants",
            "variation",
            "variations",
            "swatch",
            "swatches",
            "select",
            "selector",
            "picker",
            "choice",
            "choose",
            "configurator",
        ],
    ),
    ("cookie", &["cookie", "cookies", "consent", "gdpr", "privacy", "onetrust"]),
    (
        "modal",
        &[
            "modal",
            "popup",
            "overlay",
            "dialog",
            "popover",
            "lightbox",
            "tooltip",
            "drawer",
            "hidden",
            "login",
            "signin",
            "account",
            "newsletter",
        ],
    ),
    ("tab", &["tab", "tabs", "accordion", "panel", "collapse", "collapsible", "tabpanel", "pane"]),
    (
        "filter",
        &[
            "filter",
            "filters",
            "facet",
            "facets",
            "sort",
            "pagination",
            "search",
            "results",
            "category",
            "categories",
            "list",
            "listing",
            "grid",
            "tile",
            "tiles",
            "card",
            "cards",
        ],
    ),
    ("compare", &["compare", "comparison", "compared", "versus"]),
    ("social", &["share", "social", "follow", "author", "byline", "meta", "tag", "tags", "date", "published"]),
    ("article", &["article", "post", "entry", "blog", "news", "story", "wiki", "docs", "code"]),
    ("form", &["form", "input", "field", "fieldset", "checkbox", "radio", "register"]),
    ("main", &["main", "primary"]),
    (
        "player",
        &["player", "video", "audio", "vjs", "media", "gallery", "zoom", "viewer", "controls", "control", "progress"],
    ),
];

pub(crate) fn group(name: &str) -> u32 {
    GROUPS.iter().position(|(group, _)| *group == name).map_or(0, |n| 1 << n)
}

/// The words of [`GROUPS`] by their hash, for one look-up a token.
pub(crate) struct Tokens {
    words: crate::hash::Map<u64, u32>,
}

static TOKENS: std::sync::LazyLock<Tokens> = std::sync::LazyLock::new(|| {
    let mut words = crate::hash::Map::default();
    for (n, (_, group)) in GROUPS.iter().enumerate() {
        for word in *group {
            *words.entry(hash(word.bytes())).or_insert(0) |= 1 << n;
        }
    }
    Tokens { words }
});

fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The groups named by the words of a class or id: `specTable-row_2` holds `spec`, `table`, `row`.
fn token_bits(value: &str) -> u32 {
    let value = &value[..value.floor_char_boundary(300)];
    let bytes = value.as_bytes();
    let mut bits = 0;
    let mut start = 0;
    for at in 0..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphabetic()
            || at > 0 && bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase();
        if !ends {
            continue;
        }
        if at - start >= 2 {
            let word = bytes[start..at].iter().map(u8::to_ascii_lowercase);
            bits |= TOKENS.words.get(&hash(word)).copied().unwrap_or(0);
        }
        start = if at < bytes.len() && bytes[at].is_ascii_alphabetic() { at } else { at + 1 };
    }
    bits
}

/// Bits of the ancestors, computed when asked for and kept.
pub(crate) struct Context {
    /// Own bits of a node, `NONE` when not yet known.
    own: Vec<u32>,
    /// Bits of the node and all above it.
    all: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Context {
    pub(crate) fn new(view: &View) -> Context {
        Context { own: vec![NONE; view.doc.len()], all: vec![NONE; view.doc.len()] }
    }

    fn own(&mut self, view: &View, node: usize) -> u32 {
        if self.own[node] != NONE {
            return self.own[node];
        }
        let id = view.doc.id(node);
        let mut bits = match view.name(node) {
            Name::NAV | Name::MENU => group("nav"),
            Name::HEADER => group("header"),
            Name::FOOTER => group("footer"),
            Name::ASIDE => group("aside"),
            Name::FORM | Name::FIELDSET => group("form"),
            Name::ARTICLE => group("article"),
            Name::MAIN => group("main"),
            Name::DIALOG => group("modal"),
            _ => 0,
        };
        if !matches!(view.name(node), Name::HTML | Name::BODY | Name::DOCUMENT) {
            for name in [Name::CLASS, Name::ID, Name::ROLE] {
                bits |= view.doc.attr(id, name).map_or(0, token_bits);
            }
        }
        self.own[node] = bits;
        bits
    }

    /// The bits of `node` and everything above it.
    pub(crate) fn all(&mut self, view: &View, node: usize) -> u32 {
        let mut chain = Vec::new();
        let mut at = node;
        while self.all[at] == NONE && at != 0 {
            chain.push(at);
            at = view.parent(at);
        }
        let mut bits = if at == 0 { 0 } else { self.all[at] };
        for &node in chain.iter().rev() {
            bits |= self.own(view, node);
            self.all[node] = bits;
        }
        bits
    }

    /// The bits of `node` and the three elements above it.
    pub(crate) fn near(&mut self, view: &View, node: usize) -> u32 {
        let mut bits = 0;
        let mut at = node;
        for _ in 0..4 {
            if at == 0 {
                break;
            }
            bits |= self.own(view, at);
            at = view.parent(at);
        }
        bits
    }
}

/// What a heading announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Other,
    Detail,
    Spec,
    Noise,
}

static HEADINGS: &str = include_str!("../dictionary/headings.tsv");

type Phrases = crate::hash::Map<[u8; 2], Vec<(Section, &'static str)>>;

/// Phrases by their first two bytes, so that a heading is walked once.
static PHRASES: std::sync::LazyLock<Phrases> = std::sync::LazyLock::new(|| {
    let mut phrases = Phrases::default();
    for line in HEADINGS.lines().filter(|line| !line.starts_with('#')) {
        let Some((kind, list)) = line.split_once('\t') else { continue };
        let section = match kind {
            "spec" => Section::Spec,
            "detail" => Section::Detail,
            _ => Section::Noise,
        };
        for phrase in list.split('|').map(str::trim) {
            if let [a, b, ..] = *phrase.as_bytes() {
                phrases.entry([a, b]).or_default().push((section, phrase));
            }
        }
    }
    phrases
});

/// The kind of section that a heading announces; noise wins over the others.
pub(crate) fn section(heading: &str) -> Section {
    if heading.len() > 200 {
        return Section::Other;
    }
    let lower = heading.to_lowercase();
    let mut found = Section::Other;
    for (at, first) in lower.as_bytes().windows(2).enumerate() {
        for &(section, phrase) in PHRASES.get(first).into_iter().flatten() {
            if section > found && lower.as_bytes()[at..].starts_with(phrase.as_bytes()) {
                found = section;
            }
        }
    }
    found
}

/// The last heading before each row: the row it stands in and its section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading {
    pub(crate) row: u32,
    pub(crate) section: Section,
    /// 1 to 6, or 7 for captions and legends.
    pub(crate) level: u8,
}

/// All headings of the page in order.
pub(crate) fn headings(view: &View) -> Vec<Heading> {
    let mut headings = Vec::new();
    for node in 0..view.doc.len() {
        let level = match view.name(node) {
            Name::H1 => 1,
            Name::H2 => 2,
            Name::H3 => 3,
            Name::H4 => 4,
            Name::H5 => 5,
            Name::H6 => 6,
            Name::CAPTION | Name::LEGEND | Name::SUMMARY => 7,
            _ => continue,
        };
        let (a, b) = view.leaf_range(node);
        if a < b {
            let row = view.leaves[a].row;
            headings.push(Heading { row, section: section(view.slice(view.span(a, b))), level });
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_words_are_matched_whole() {
        let bits = token_bits("specTable-row_2 relatedItems");
        assert_eq!(bits, group("spec") | group("related"));
        assert_eq!(token_bits("spectacular headers-less Subheadered"), 0);
    }

    #[test]
    fn headings_are_understood_in_many_languages() {
        assert_eq!(section("Technische Daten"), Section::Spec);
        assert_eq!(section("规格参数"), Section::Spec);
        assert_eq!(section("Customer Reviews of these specifications"), Section::Noise);
        assert_eq!(section("Lorem"), Section::Other);
    }
}
