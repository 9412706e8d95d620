//! What a page declares itself to be: schema.org types, OpenGraph, and the program that made it.

use gristmill_page::Page;
use gristmill_page::declared::Item;

use super::numbers::{FeatureMask, FeatureVector};

/// schema.org types by what they speak for.
const TYPES: [&[&str]; 11] = [
    &["NewsArticle", "Article", "ReportageNewsArticle", "LiveBlogPosting", "OpinionNewsArticle", "AnalysisNewsArticle"],
    &["BlogPosting"],
    &["TechArticle", "APIReference", "HowTo", "DefinedTerm", "LearningResource"],
    &["Product", "ProductGroup", "IndividualProduct", "Book", "Vehicle", "Car"],
    &["Offer", "AggregateOffer"],
    &["ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog", "ListItem"],
    &["DiscussionForumPosting", "QAPage", "Question", "Answer", "Comment"],
    &["LocalBusiness", "Service", "SoftwareApplication", "FAQPage", "ProfessionalService", "WebApplication"],
    &["Organization", "WebSite", "WebPage", "AboutPage"],
    &["Person"],
    &["Review", "AggregateRating"],
];

/// Programs by the pages that they make, as `meta name=generator` begins.
const GENERATORS: [&[&str]; 4] = [
    &["discourse", "phpbb", "xenforo", "vbulletin", "discuz", "mybb", "vanilla", "flarum", "nodebb", "invision"],
    &[
        "docusaurus",
        "mkdocs",
        "sphinx",
        "docutils",
        "mediawiki",
        "hugo",
        "gitbook",
        "vitepress",
        "vuepress",
        "jekyll",
        "mdbook",
        "antora",
        "javadoc",
        "doxygen",
        "starlight",
        "astro",
        "mintlify",
    ],
    &["woocommerce", "shopify", "magento", "prestashop", "opencart", "bigcommerce", "shopware"],
    &["wordpress", "elementor", "wix", "squarespace", "webflow", "drupal", "joomla"],
];

/// Meta names whose presence alone says something.
const METAS: [&[&str]; 4] = [
    &["article:published_time", "publishdate", "pubdate", "parsely-pub-date", "datepublished", "article:modified_time"],
    &["product:price:amount", "og:price:amount", "product:availability", "product:brand", "product:retailer_item_id"],
    &["author", "article:author", "byl", "parsely-author", "sailthru.author"],
    &["article:section", "article:tag", "news_keywords"],
];

/// Programs that make reference documentation and nothing else.
const REFERENCE: [&str; 14] = [
    "antora",
    "asciidoctor",
    "docutils",
    "doxygen",
    "javadoc",
    "jsdoc",
    "makeinfo",
    "mdbook",
    "mkdocs",
    "nbconvert",
    "rustdoc",
    "sphinx",
    "typedoc",
    "vitepress",
];

/// Whether the program that made a page makes documentation and nothing else.
pub(super) fn is_reference(page: &Page<'_>) -> bool {
    let generator = page.doc.meta("generator").unwrap_or_default();
    let generator: String = generator.chars().take(40).flat_map(char::to_lowercase).collect();
    !generator.is_empty() && REFERENCE.iter().any(|name| generator.contains(name))
}

/// Whether a page declares itself an article with a time of publication, or one such article and no other.
pub(super) fn is_story(page: &Page<'_>) -> bool {
    let is_article = page.doc.meta("og:type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("article"));
    let is_kind = |kind: &String| kind.ends_with("Article") || kind == "BlogPosting";
    let is_dated = |item: &&Item| item.types.iter().any(is_kind) && item.text("datePublished").is_some();
    let only = || page.json_ld().items.items.iter().filter(is_dated).take(2).count() == 1;
    is_article && page.doc.meta("article:published_time").is_some_and(|time| !time.trim().is_empty()) || only()
}

/// Where the types that a page declares are counted.
pub(super) fn add(page: &Page<'_>, seen: &FeatureMask<'_>, items: &[u32; N_TYPES], features: &mut FeatureVector) {
    let doc = page.doc;
    let mut scripts = [0; N_TYPES];
    if seen.scripts {
        let types = page.json_ld().items.items.iter().flat_map(|item| &item.types);
        types.for_each(|kind| add_type(kind, &mut scripts));
    }
    for (in_script, in_markup) in scripts.iter().zip(items) {
        features.count(*in_script.max(in_markup));
    }
    features.flag(scripts.iter().any(|&count| count > 0));
    let (mut og_type, mut generator) = ("", "");
    let mut present = [false; METAS.len()];
    let mut n_tags = 0;
    for meta in doc.metas().take(500) {
        let is = |key: &str| meta.key.eq_ignore_ascii_case(key);
        if is("og:type") {
            og_type = meta.content.trim();
        } else if is("generator") {
            generator = meta.content.trim();
        }
        n_tags += u32::from(is("article:tag"));
        for (present, keys) in present.iter_mut().zip(METAS) {
            *present |= keys.iter().any(|key| is(key)) && !meta.content.trim().is_empty();
        }
    }
    let og = |kind: &str| {
        og_type.len() >= kind.len() && og_type.as_bytes()[..kind.len()].eq_ignore_ascii_case(kind.as_bytes())
    };
    for kind in ["article", "product", "website", "object"] {
        features.flag(og(kind));
    }
    features.flag(og("og:product"));
    features.count(n_tags);
    present.into_iter().for_each(|present| features.flag(present));
    let generator: String = generator.chars().take(40).flat_map(char::to_lowercase).collect();
    for names in GENERATORS {
        features.flag(!generator.is_empty() && names.iter().any(|name| generator.contains(name)));
    }
    features.flag(
        doc.links().take(500).any(|link| link.media_type.ends_with("rss+xml") || link.media_type.ends_with("atom+xml")),
    );
    features.flag(doc.links().take(500).any(|link| link.has_rel("next") || link.has_rel("prev")));
}

pub(super) const N_TYPES: usize = TYPES.len();

/// Adds the type that an `itemtype` names.
pub(super) fn count_item(item: &str, items: &mut [u32; N_TYPES]) {
    let kind = item.trim().trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or("");
    add_type(kind, items);
}

fn add_type(kind: &str, counts: &mut [u32; N_TYPES]) {
    for (count, kinds) in counts.iter_mut().zip(TYPES) {
        *count += u32::from(kinds.contains(&kind));
    }
}
