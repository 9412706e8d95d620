//! Who wrote a page, when, where, and what it says about itself.

mod author;
mod byline;
mod class_names;
mod credit;
mod date;
mod items;
mod json_ld;
mod months;
mod published;
mod scan;
mod shapes;
mod value;

use gristmill_html::{Doc, NodeId};
use gristmill_page::Page;
use gristmill_robots::Directives;
use gristmill_text::collapse;
use serde::Serialize;
use url::Url;

pub(crate) use json_ld::Bodies;

use items::Items;
use json_ld::{Facts, read};
use value::{MAX_VALUE_CHARS, SITE_KEYS, clean, first_meta};

/// A feed that a page names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Feed {
    /// Its address, resolved when the page's own is known.
    pub url: String,
    /// Its title, empty when it has none.
    pub title: String,
}

/// Everything but title and text. Structured sources first: JSON-LD, then OpenGraph and meta, then microdata and
/// `time`, then patterns in the text near the title.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are those of `Document`")]
pub struct Metadata {
    /// The page declares itself a product (schema.org `Product`, `og:type`).
    pub declares_product: bool,
    pub author: Option<String>,
    pub published: Option<String>,
    pub site_name: Option<String>,
    pub description: Option<String>,
    pub canonical: Option<String>,
    pub image: Option<String>,
    pub keywords: Vec<String>,
    pub feeds: Vec<Feed>,
    pub noindex: bool,
    pub nofollow: bool,
    pub language_hint: Option<String>,
    pub(crate) bodies: Bodies,
    pub warnings: Vec<String>,
}

const MAX_KEYWORDS: usize = 50;
const MAX_FEEDS: usize = 50;

const DESCRIPTION_KEYS: &[&str] = &["og:description", "description", "twitter:description", "dc.description"];
const IMAGE_KEYS: &[&str] = &["og:image", "og:image:url", "twitter:image", "twitter:image:src"];
const KEYWORD_KEYS: &[&str] = &["keywords", "news_keywords", "article:tag"];

impl Metadata {
    /// Gathers the metadata of a page. `title` says where to look for date and byline in the text; `url` resolves
    /// addresses; robots directives may name `agent`. O(page).
    pub fn new(page: &Page<'_>, title: Option<&str>, url: Option<&str>, agent: &str) -> Metadata {
        let doc = page.doc;
        let mut warnings = Vec::new();
        let facts = read(doc, &mut warnings);
        let items = Items::new(page);
        let near = near_title(page, title);
        let base = base(doc, url);
        let asked = robots(doc, agent);
        Metadata {
            declares_product: declares_product(doc, &facts, &items),
            published: published::published(page, &facts, &items, near.clone(), url).map(|date| date.to_string()),
            author: author::author(doc, &facts, &items, page, near),
            site_name: first_meta(doc, SITE_KEYS).or_else(|| facts.publisher.clone()),
            description: first_meta(doc, DESCRIPTION_KEYS).or_else(|| facts.description.clone()),
            canonical: canonical(doc, base.as_ref()),
            image: first_meta(doc, IMAGE_KEYS)
                .or_else(|| facts.image.clone())
                .and_then(|image| resolve(base.as_ref(), &image)),
            keywords: keywords(doc, &facts),
            feeds: feeds(doc, base.as_ref()),
            noindex: asked.noindex,
            nofollow: asked.nofollow,
            language_hint: doc
                .lang()
                .map(str::to_owned)
                .or_else(|| first_meta(doc, &["content-language", "og:locale", "language"]))
                .or(facts.language),
            bodies: facts.bodies,
            warnings,
        }
    }
}

/// The date that an element states, in an attribute or its text.
pub(crate) fn date_of(doc: &Doc, id: NodeId) -> Option<String> {
    let attributes = doc.attributes(id).filter(|attribute| attribute.value.len() <= 60);
    let stated = attributes
        .filter(|attribute| {
            let name = doc.name_str(attribute.name);
            matches!(name, "datetime" | "content" | "title" | "ts") || name.starts_with("data-")
        })
        .find_map(|attribute| date::parse(attribute.value));
    stated.or_else(|| date::find(&gristmill_page::text_of(doc, id))).map(|date| date.to_string())
}

/// The first date in a text.
pub(crate) fn date_in(text: &str) -> Option<String> {
    date::find(text).map(|date| date.to_string())
}

/// The name in an element that stands for the writer of a post: handles, too, but no dates and no markup.
pub(crate) fn person(doc: &Doc, id: NodeId) -> Option<String> {
    let name = byline::of_item(doc, id).filter(|name| date::find(name).is_none())?;
    // A handle may be mostly digits; a count has a word behind them.
    let count = name.contains(' ') && name.chars().filter(char::is_ascii_digit).count() * 2 > name.len();
    (!name.contains(':') && !count).then(|| byline::without_verb(&name).to_owned())
}

/// Rows around the title where date and byline usually stand.
fn near_title(page: &Page<'_>, title: Option<&str>) -> std::ops::Range<usize> {
    let at = title.and_then(|title| {
        let same = page.rows.iter().position(|row| row.in_heading && page.row_text(row) == title);
        same.or_else(|| page.rows.iter().position(|row| page.row_text(row) == title))
    });
    let at = at.or_else(|| page.rows.iter().position(|row| row.in_heading)).unwrap_or(0);
    at.saturating_sub(3)..(at + 12).min(page.rows.len())
}

fn declares_product(doc: &Doc, facts: &Facts, items: &Items) -> bool {
    let og = doc
        .meta("og:type")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("product") || kind.to_ascii_lowercase().starts_with("product."));
    facts.product || items.product || og
}

/// Against what the addresses of a page are resolved: its `base`, else `url`; `None` when neither is absolute.
pub(crate) fn base(doc: &Doc, url: Option<&str>) -> Option<Url> {
    let page = url.and_then(|url| Url::parse(url).ok());
    match doc.base_href() {
        Some(href) => Url::options().base_url(page.as_ref()).parse(href).ok().or(page),
        None => page,
    }
}

/// The absolute address; as written when the page's own address is unknown; `None` for anything but http(s).
pub(crate) fn resolve(base: Option<&Url>, href: &str) -> Option<String> {
    if href.len() > MAX_VALUE_CHARS {
        return None;
    }
    match Url::options().base_url(base).parse(href) {
        Ok(url) => matches!(url.scheme(), "http" | "https").then(|| url.into()),
        Err(url::ParseError::RelativeUrlWithoutBase) => clean(href),
        Err(_) => None,
    }
}

fn canonical(doc: &Doc, base: Option<&Url>) -> Option<String> {
    let link = doc.links().find(|link| link.has_rel("canonical") && !link.href.is_empty()).map(|link| link.href);
    resolve(base, link.or_else(|| doc.meta("og:url"))?)
}

fn feeds(doc: &Doc, base: Option<&Url>) -> Vec<Feed> {
    let is_feed = |media_type: &str| {
        let essence = media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        matches!(essence.as_str(), "application/rss+xml" | "application/atom+xml" | "application/feed+json")
    };
    doc.links()
        .filter(|link| link.has_rel("alternate") && is_feed(link.media_type))
        .filter_map(|link| Some(Feed { url: resolve(base, link.href)?, title: collapse(link.title) }))
        .take(MAX_FEEDS)
        .collect()
}

fn keywords(doc: &Doc, facts: &Facts) -> Vec<String> {
    let metas = doc
        .metas()
        .filter(|meta| KEYWORD_KEYS.iter().any(|key| meta.key.eq_ignore_ascii_case(key)))
        .flat_map(|meta| meta.content.split([',', '，', ';', '；', '、']));
    let mut keywords: Vec<String> = Vec::new();
    for keyword in metas.chain(facts.keywords.iter().map(String::as_str)).take(10 * MAX_KEYWORDS).filter_map(clean) {
        if keywords.len() < MAX_KEYWORDS && keyword.chars().count() <= 80 && !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    keywords
}

/// What the `meta` elements addressed to all robots or to us ask for.
fn robots(doc: &Doc, agent: &str) -> Directives {
    let ours = |key: &str| key.eq_ignore_ascii_case("robots") || key.eq_ignore_ascii_case(agent);
    let asked = doc.metas().filter(|meta| ours(meta.key)).map(|meta| Directives::from_meta(meta.content));
    asked.fold(Directives::default(), Directives::union)
}

#[cfg(test)]
mod tests;
