//! What a page is judged by: declarations, address, shape of the text, markup, words in class names.

use gristmill_html::{Doc, Name};
use url::Url;

use super::tokens::{GROUPS, count_groups};
use crate::page::Page;

/// How many features there are. The order is part of the model: a change needs a new training.
pub(super) const N_FEATURES: usize = DECLARED.len() + 3 + URL_WORDS.len() + 6 + 28 + 2 * GROUPS.len();

/// schema.org types by what they speak for.
const DECLARED: [&[&str]; 9] = [
    &["NewsArticle", "Article", "BlogPosting", "ReportageNewsArticle", "LiveBlogPosting"],
    &["TechArticle", "APIReference", "HowTo", "DefinedTerm"],
    &["Product", "ProductGroup", "IndividualProduct"],
    &["Offer", "AggregateOffer"],
    &["ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog"],
    &["DiscussionForumPosting", "QAPage", "Question", "Answer"],
    &["LocalBusiness", "Service", "SoftwareApplication", "FAQPage", "ProfessionalService"],
    &["Organization", "WebSite", "WebPage"],
    &["Person", "Review", "AggregateRating"],
];

/// Words of the path by what they speak for.
const URL_WORDS: [&[&str]; 7] = [
    &["news", "article", "articles", "blog", "story", "post", "posts", "stories"],
    &["docs", "doc", "documentation", "wiki", "reference", "guide", "manual", "api", "tutorial", "help", "learn"],
    &["product", "products", "p", "dp", "item", "itm", "shop", "store", "buy"],
    &[
        "forum",
        "forums",
        "thread",
        "threads",
        "topic",
        "t",
        "viewtopic",
        "questions",
        "discussion",
        "community",
        "comments",
    ],
    &["category", "categories", "collections", "collection", "c", "catalog", "department"],
    &["tag", "tags", "archive", "archives", "search", "list", "author", "page", "latest"],
    &["services", "service", "solutions", "about", "pricing", "features", "company", "industries"],
];

struct Features {
    values: Vec<f64>,
}

impl Features {
    fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    fn flag(&mut self, flag: bool) {
        self.push(f64::from(u8::from(flag)));
    }

    fn count(&mut self, count: u32) {
        self.push(f64::from(count).ln_1p());
    }

    fn share(&mut self, part: u32, whole: u32) {
        self.push(f64::from(part) / f64::from(whole.max(1)));
    }
}

/// All features of a page, finite. O(nodes + text).
pub(super) fn features(page: &Page<'_>, url: Option<&str>) -> Vec<f64> {
    let mut features = Features { values: Vec::with_capacity(N_FEATURES) };
    declared(page.doc, &mut features);
    address(page.doc, url, &mut features);
    shape(page, &mut features);
    markup(page, &mut features);
    let counts = count_groups(page.doc);
    let elements: u32 = counts.iter().sum();
    for count in counts {
        features.count(count);
        features.share(count, elements);
    }
    debug_assert_eq!(features.values.len(), N_FEATURES);
    features.values
}

fn declared(doc: &Doc, features: &mut Features) {
    const MAX_BYTES: usize = 200_000;
    let scripts: Vec<&str> = doc
        .ids()
        .filter(|&id| doc.name(id) == Name::SCRIPT)
        .filter(|&id| doc.attr(id, Name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json")))
        .filter_map(|id| doc.first_child(id))
        .map(|text| doc.text(text))
        .map(|text| &text[..text.floor_char_boundary(MAX_BYTES)])
        .take(20)
        .collect();
    let items: Vec<&str> = doc.ids().filter_map(|id| doc.attr(id, Name::ITEMTYPE)).take(500).collect();
    for types in DECLARED {
        let in_script = types.iter().any(|kind| scripts.iter().any(|script| has_type(script, kind)));
        let in_markup = types.iter().any(|kind| items.iter().any(|item| item.trim_end_matches('/').ends_with(kind)));
        features.flag(in_script || in_markup);
    }
    let og_type = doc.meta("og:type").unwrap_or("").to_ascii_lowercase();
    features.flag(og_type == "article");
    features.flag(og_type.contains("product"));
    features.flag(og_type == "website");
}

/// Whether `"kind"` stands in the text as a whole string, as the value of `@type` would.
fn has_type(json: &str, kind: &str) -> bool {
    json.match_indices(kind).any(|(at, _)| json[..at].ends_with('"') && json[at + kind.len()..].starts_with('"'))
}

fn address(doc: &Doc, url: Option<&str>, features: &mut Features) {
    let declared = doc.meta("og:url");
    let url = url.or(declared).and_then(|url| Url::parse(url).ok());
    let path = url.as_ref().map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
    let words: Vec<&str> = path.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for group in URL_WORDS {
        features.flag(words.iter().any(|word| group.contains(word)));
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or("");
    features.flag(url.is_some() && segments.is_empty());
    features.count(segments.len() as u32);
    features.count(last.split(['-', '_']).count() as u32);
    features.flag(words.iter().any(|word| word.len() == 4 && (word.starts_with("20") || word.starts_with("19"))));
    features.count(path.bytes().filter(u8::is_ascii_digit).count() as u32);
    features.flag(url.as_ref().is_some_and(|url| url.query().is_some()));
}

fn shape(page: &Page<'_>, features: &mut Features) {
    let rows = &page.rows;
    let n = rows.len() as u32;
    let chars: u32 = rows.iter().map(|row| row.chars).sum();
    let links: u32 = rows.iter().map(|row| row.link_chars).sum();
    let marks: u32 = rows.iter().map(|row| row.marks.all).sum();
    let long = |least: u32| rows.iter().filter(|row| row.chars >= least && !row.is_link()).count() as u32;
    let text_in_long: u32 = rows.iter().filter(|row| row.chars >= 100 && !row.is_link()).map(|row| row.chars).sum();
    let mut lengths: Vec<u32> = rows.iter().map(|row| row.chars).collect();
    lengths.sort_unstable();
    let top: u32 = lengths.iter().rev().take(5).sum();
    features.count(chars);
    features.count(n);
    features.share(links, chars);
    features.share(rows.iter().filter(|row| row.is_link()).count() as u32, n);
    features.share(chars, n * 100);
    features.count(long(100));
    features.count(long(300));
    features.share(text_in_long, chars);
    features.share(top, chars);
    features.share(marks, chars);
    features.share(rows.iter().filter(|row| row.marks.sentence > 0 && row.chars >= 40).count() as u32, n);
    let priced = rows.iter().filter(|row| row.chars <= 60 && has_price(page.row_text(row))).count() as u32;
    features.count(priced);
    features.share(priced, n);
    features.flag((1..=8).contains(&priced));
    let dated = rows.iter().filter(|row| row.chars <= 60 && has_year(page.row_text(row))).count() as u32;
    features.count(dated);
    features.count(most_repeated(page));
}

/// How often the most frequent pair of (block, its parent) classes repeats among rows.
fn most_repeated(page: &Page<'_>) -> u32 {
    let doc = page.doc;
    let mut signatures: Vec<u64> = page
        .rows
        .iter()
        .filter(|row| row.chars >= 15)
        .map(|row| {
            let parent = doc.parent(row.block).unwrap_or(row.block);
            let class = |id| gristmill_text::hash(doc.attr(id, Name::CLASS).unwrap_or("").as_bytes());
            let names = (doc.name(row.block).index() * 1009 + doc.name(parent).index()) as u64;
            class(row.block) ^ class(parent).rotate_left(17) ^ names.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
        .collect();
    signatures.sort_unstable();
    signatures.chunk_by(|a, b| a == b).map(|same| same.len() as u32).max().unwrap_or(0)
}

fn markup(page: &Page<'_>, features: &mut Features) {
    let doc = page.doc;
    let mut counts = [0u32; Name::TABLE_LEN];
    for id in doc.ids().filter(|&id| doc.is_element(id)) {
        if let Some(count) = counts.get_mut(doc.name(id).index()) {
            *count += 1;
        }
    }
    let elements: u32 = counts.iter().sum();
    let of = |names: &[Name]| -> u32 { names.iter().map(|name| counts[name.index()]).sum() };
    features.count(of(&[Name::P]));
    features.share(of(&[Name::P]), elements);
    features.count(of(&[Name::H2, Name::H3]));
    features.count(of(&[Name::PRE]));
    features.count(of(&[Name::CODE]));
    features.count(of(&[Name::TABLE]));
    features.share(of(&[Name::LI]), elements);
    features.share(of(&[Name::IMG]), elements);
    features.count(of(&[Name::INPUT, Name::SELECT, Name::TEXTAREA]));
    features.count(of(&[Name::BUTTON]));
    features.count(of(&[Name::TIME]));
    features.count(of(&[Name::ARTICLE]));
}

/// Whether a currency sign or code stands next to a number.
fn has_price(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.char_indices().any(|(at, c)| {
        let width = match c {
            '$' | '€' | '£' | '¥' | '￥' | '₹' | '₽' | '元' => c.len_utf8(),
            'U' | 'E' | 'C' | 'G' if ["USD", "EUR", "CHF", "GBP"].iter().any(|code| text[at..].starts_with(code)) => 3,
            _ => return false,
        };
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let after = bytes[at + width..].iter().find(|byte| **byte != b' ');
        let before = bytes[..at].iter().rev().find(|byte| **byte != b' ');
        digit(after) || digit(before)
    })
}

/// Whether a year from 1990 to 2039 stands there as a number of its own.
fn has_year(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_digit());
    words.into_iter().any(|word| word.len() == 4 && matches!(&word[..3], "199" | "200" | "201" | "202" | "203"))
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;

    use super::*;

    #[test]
    fn prices_and_years_are_told_from_other_numbers() {
        for price in ["$1,299.00", "1 299 €", "from £ 5", "￥5999", "EUR 30"] {
            assert!(has_price(price), "{price}");
        }
        assert!(!has_price("cost $ unknown 5") && !has_price("page 5"));
        assert!(has_year("3 May 2021") && has_year("2018年12月") && !has_year("20211") && !has_year("1850"));
    }

    #[test]
    fn every_page_has_all_features_and_all_are_finite() {
        for html in ["", "<p>x", "<script type=application/ld+json>{\"@type\":\"Product\"}</script><p>$5"] {
            let doc = Doc::parse(html, &Limits::default());
            let features = features(&Page::new(&doc), Some("https://a.example/shop/x-1?q"));
            assert_eq!(features.len(), N_FEATURES);
            assert!(features.iter().all(|value| value.is_finite()), "{features:?}");
        }
    }

    #[test]
    fn a_declared_type_counts_as_a_whole_string_only() {
        assert!(has_type(r#"{"@type": ["Product","x"]}"#, "Product"));
        assert!(!has_type(r#"{"@type":"ProductGroup"}"#, "Product") && !has_type("Product", "Product"));
    }
}
