//! Words in class names and phrases on buttons, by what they say of a page.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{
    attribute_words::{AttributeWords, each_word},
    class_words::{ClassWordList, class_words},
};
use gristmill_text::{ByHash, hash};

/// Groups of class and id words, in the order in which the model knows them; a bit each.
#[rustfmt::skip]
pub(super) const GROUPS: [&str; 24] = [
    "comment", "post", "user", "author", "article", "teaser", "product", "item", "price", "cart", "variant", "spec",
    "rating", "filter", "pages", "grid", "docs", "code", "service", "nav", "foot", "related", "gallery", "section",
];

/// Words in the class names of `html` and `body`, where site makers put the template of a page.
pub(super) const TEMPLATES: [&[&str]; 10] = [
    &["single", "post", "article", "story", "news", "entry", "blog", "blogpost"],
    &["archive", "category", "tag", "taxonomy", "search", "list", "listing", "index", "author"],
    &["home", "homepage", "front", "landing"],
    &["product", "products", "pdp", "item", "goods", "detail", "woocommerce", "sku"],
    &["collection", "plp", "catalog", "shop", "store", "tax", "department", "browse"],
    &["forum", "topic", "thread", "viewtopic", "viewthread", "question", "discourse", "community", "phpbb", "xenforo"],
    &["docs", "doc", "wiki", "mediawiki", "documentation", "reference", "api", "guide", "mdbook", "plugin"],
    &["page", "elementor", "service", "services", "solutions", "marketing", "about"],
    &["wp", "wordpress"],
    &["shopify", "magento", "bigcommerce", "prestashop", "catalogue"],
];

/// Groups of short texts of buttons, links and headings, by what they say; a group a line, its phrases between bars.
static PHRASES: &str = include_str!("phrases.tsv");
/// How many groups of phrases there are.
pub(super) const N_PHRASES: usize = 11;

fn phrase_groups() -> impl Iterator<Item = std::str::Split<'static, char>> {
    let lines = PHRASES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).map(|(_, phrases)| phrases.split('|'))
}

type Bits = ByHash<u64>;

fn by_word(groups: impl Iterator<Item = impl Iterator<Item = &'static str>>) -> Bits {
    let mut bits = Bits::default();
    for (bit, words) in groups.enumerate() {
        words.for_each(|word| *bits.entry(hash(word.as_bytes())).or_default() |= 1 << bit);
    }
    bits
}

static BY_WORD: LazyLock<Bits> = LazyLock::new(|| class_words(ClassWordList::Kind, &GROUPS));
static BY_TEMPLATE: LazyLock<Bits> = LazyLock::new(|| by_word(TEMPLATES.iter().map(|words| words.iter().copied())));
static BY_PHRASE: LazyLock<Bits> = LazyLock::new(|| by_word(phrase_groups()));

/// Lengths, as bits, of the phrases that begin with each byte: a glance that most rows fail.
static PHRASE_LENGTHS: LazyLock<[u64; 256]> = LazyLock::new(|| {
    let mut lengths = [0; 256];
    for phrase in phrase_groups().flatten() {
        lengths[usize::from(phrase.as_bytes()[0])] |= 1 << (phrase.len() % 64);
    }
    lengths
});

/// The group of a class word; panics for one that does not exist, which a test would see.
pub(super) const fn bit(name: &str) -> u32 {
    let mut n = 0;
    while n < GROUPS.len() {
        if same(GROUPS[n].as_bytes(), name.as_bytes()) {
            return 1 << n;
        }
        n += 1;
    }
    panic!("no such group")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// The groups of class and id values, and what they are called.
pub(super) struct ClassWords<'p> {
    named: &'p AttributeWords,
    groups: Vec<u32>,
}

/// What the attributes of one element say.
pub(super) struct ElementWords<'d> {
    /// The groups of `class` and `id`.
    pub(super) groups: u32,
    /// Hash of the class; 0 without one.
    pub(super) class: u64,
    /// `itemtype`.
    pub(super) item: Option<&'d str>,
}

impl<'p> ClassWords<'p> {
    pub(super) fn new(named: &'p AttributeWords) -> ClassWords<'p> {
        let bits = |word: u64| BY_WORD.get(&word).map_or(0, |&groups| groups as u32);
        ClassWords { named, groups: named.by_value(bits, |groups, bits| *groups |= bits) }
    }

    /// Reads the attributes of an element once.
    pub(super) fn of<'d>(&self, doc: &'d Doc, id: NodeId) -> ElementWords<'d> {
        let (mut groups, mut class, mut item) = (0, 0, None);
        for at in doc.attribute_range(id) {
            match (doc.attribute_name(at), self.named.at(at)) {
                (LocalName::CLASS, Some(value)) => {
                    class = self.named.hash(value);
                    groups |= self.groups[value];
                }
                (LocalName::ID, Some(value)) => groups |= self.groups[value],
                (LocalName::ITEMTYPE, _) => item = Some(doc.attribute_value(at)),
                _ => {}
            }
        }
        ElementWords { groups, class, item }
    }
}

/// The templates that the classes of `html` and `body` name.
pub(super) fn templates(doc: &Doc) -> u32 {
    let named = |id: NodeId| [LocalName::CLASS, LocalName::ID].into_iter().filter_map(move |name| doc.attr(id, name));
    let html = doc.children(NodeId::DOCUMENT).find(|&id| doc.name(id) == LocalName::HTML);
    let values = html.into_iter().chain(doc.body()).flat_map(named);
    values.fold(0, |groups, value| groups | groups_of(&value[..value.floor_char_boundary(2_000)], &BY_TEMPLATE))
}

/// The phrases that a row is, if it is one.
pub(super) fn phrases(row: &str) -> u32 {
    const MAX_BYTES: usize = 40;
    if row.len() > MAX_BYTES {
        return 0;
    }
    let mut lower = [0; MAX_BYTES];
    // Characters from U+3000 to U+9FFF have no capitals, either.
    let is_caseless = |byte: u8| byte < 0xC0 || matches!(byte, 0xE3..=0xE9);
    if row.is_ascii() || row.bytes().all(is_caseless) {
        let lower = &mut lower[..row.len()];
        lower.copy_from_slice(row.as_bytes());
        lower.make_ascii_lowercase();
        let lengths = lower.first().map_or(0, |&first| PHRASE_LENGTHS[usize::from(first)]);
        return if lengths >> lower.len() & 1 == 0 {
            0
        } else {
            BY_PHRASE.get(&hash(lower)).map_or(0, |&groups| groups as u32)
        };
    }
    BY_PHRASE.get(&hash(row.to_lowercase().as_bytes())).map_or(0, |&groups| groups as u32)
}

/// The groups whose words stand in `value` between boundaries.
fn groups_of(value: &str, words: &Bits) -> u32 {
    let mut groups = 0;
    each_word(value, |word| groups |= words.get(&word).map_or(0, |&groups| groups as u32));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Vec<&'static str> {
        let groups = groups_of(value, &BY_WORD);
        GROUPS.iter().enumerate().filter(|(bit, _)| groups >> bit & 1 == 1).map(|(_, name)| *name).collect()
    }

    #[test]
    fn words_are_matched_between_boundaries_only() {
        assert_eq!(names("post-author__name"), ["post", "author"]);
        assert_eq!(names("productPrice js-3"), ["product", "price"]);
        assert!(names("composting starting listingss").is_empty());
    }

    #[test]
    fn phrases_are_whole_rows_in_any_case_and_language() {
        for buy in ["Add to Cart", "加入购物车", "В КОРЗИНУ"] {
            assert_eq!(phrases(buy) & 1, 1, "{buy}");
        }
        assert_eq!(phrases("nobody would add to cart"), 0);
    }

    #[test]
    fn there_are_as_many_groups_of_phrases_as_the_model_counts() {
        assert_eq!(phrase_groups().count(), N_PHRASES);
    }
}
