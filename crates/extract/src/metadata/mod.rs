//! Who wrote a page, when, where, and what it says about itself.

mod author;
mod class_names;
mod context;
mod date;
mod items;
mod json_ld;
pub(crate) mod mail;
mod shapes;
pub(crate) mod sources;
pub(crate) mod value;

use std::cell::OnceCell;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::Page;
pub(crate) use gristmill_page::base;
use gristmill_robots::Directives;
use gristmill_text::collapse;
use serde::Serialize;
use url::Url;

pub(crate) use author::{leads_to_writer, person};
pub(crate) use date::{date_in, date_in_tip, date_of, without_dates};
pub(crate) use json_ld::DeclaredTexts;

use crate::headline::is_host;
use context::{MetadataContext, near_title, title_row};
use items::MetadataElements;
use json_ld::{JsonLdFields, read};
use sources::{SourcedValue, ValueProvenance, ValueSource, ValueSources};
use value::{MAX_VALUE_CHARS, SITE_KEYS, clean, first_meta, is_no_value, plain};

/// A feed that a page names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FeedLink {
    /// Its address, resolved when the page's own is known.
    pub url: String,
    /// Its title, empty when it has none.
    pub title: String,
}

/// Everything but title and text. Author and date are taken from the first of their sources that has one: the tables in
/// `author` and `date`.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are those of `Extraction`")]
pub struct Metadata {
    /// The page declares itself a product (schema.org `Product`, `og:type`).
    pub declares_product: bool,
    pub author: Option<String>,
    pub published: Option<String>,
    /// Of author and date.
    pub sources: ValueSources,
    pub site_name: Option<String>,
    pub description: Option<String>,
    pub canonical: Option<String>,
    pub image: Option<String>,
    pub keywords: Vec<String>,
    pub feeds: Vec<FeedLink>,
    pub noindex: bool,
    pub nofollow: bool,
    pub language_hint: Option<String>,
    pub(crate) bodies: DeclaredTexts,
    pub warnings: Vec<String>,
}

const MAX_KEYWORDS: usize = 50;
const MAX_FEEDS: usize = 50;

const DESCRIPTION_KEYS: &[&str] = &["og:description", "description", "twitter:description", "dc.description"];
const IMAGE_KEYS: &[&str] = &["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"];
/// Keys of pictures that may be small.
const OTHER_IMAGE_KEYS: &[&str] = &["image", "thumbnailurl", "thumbnail"];
const KEYWORD_KEYS: &[&str] = &["keywords", "news_keywords", "article:tag"];
/// Keys of single services, which hold more than readers see.
const SERVICE_KEYWORD_KEYS: &[&str] =
    &["sailthru.tags", "parsely-tags", "citation_keywords", "dc.subject", "dcterms.subject"];

impl Metadata {
    /// Gathers the metadata of a page. `title` says where to look for date and byline in the text; `url` resolves
    /// addresses; robots directives may name `agent`. O(page).
    pub fn new(page: &Page<'_>, title: Option<&str>, url: Option<&str>, agent: &str) -> Metadata {
        let doc = page.doc;
        let mut warnings = Vec::new();
        let facts = read(page, &mut warnings);
        let items = MetadataElements::new(page);
        let row = title_row(page, title);
        let context = MetadataContext {
            page,
            facts: &facts,
            items: &items,
            near: near_title(page, row),
            heading: row.map(|row| page.rows[row].block),
            style: date::style(page, &facts, url),
            url,
            relative: OnceCell::new(),
        };
        let address = url.and_then(|url| Url::parse(url).ok());
        let is_river = address.as_ref().is_some_and(is_first_page) && shows_many(doc, &items);
        let is_own = |source: ValueSource| !is_river || source.is_hidden();
        let author = author::author(&context).filter(|found| is_own(found.provenance.source));
        let published = date::published(&context).filter(|found| is_own(found.provenance.source));
        let (author, author_source) = SourcedValue::parts(author);
        let (published, date_source) = SourcedValue::parts(published);
        let base = base(doc, url);
        let asked = robots(doc, agent);
        Metadata {
            declares_product: declares_product(doc, &facts, &items),
            published: published.map(|date| date.to_string()),
            author,
            sources: ValueSources { title: None, author: author_source, published: date_source },
            site_name: site_name(page, &facts, address.as_ref()),
            description: description(doc, &facts),
            canonical: canonical(doc, base.as_ref()),
            image: image(doc, &facts).and_then(|image| resolve(base.as_ref(), &image)),
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

impl Metadata {
    /// Leaves out a writer whom a page without a date shows and does not declare: on a list it is that of an entry, or a link.
    pub(crate) fn drop_shown_author(&mut self) {
        use ValueSource::{ClassName, Label, NearTitle};
        let is_shown = self.sources.author.is_some_and(|author| matches!(author.source, ClassName | Label | NearTitle));
        if is_shown && self.published.is_none() {
            (self.author, self.sources.author) = (None, None);
        }
    }

    /// Whoever opened a thread, and when, where the page says neither.
    pub(crate) fn add_opener(&mut self, author: Option<String>, published: Option<String>) {
        const OPENER: ValueProvenance = ValueProvenance { source: ValueSource::FirstPost, confidence: 0.69 };
        if self.author.is_none() {
            self.sources.author = author.as_ref().map(|_| OPENER);
            self.author = author;
        }
        if self.published.is_none() {
            self.sources.published = published.as_ref().map(|_| OPENER);
            self.published = published;
        }
    }

    /// Leaves out a date of publication that the page shows and does not declare: on a product's page it is that of a review, of an
    /// offer or of the delivery.
    pub(crate) fn drop_shown_date(&mut self) {
        if self.sources.published.is_some_and(|found| !found.source.is_hidden()) {
            (self.published, self.sources.published) = (None, None);
        }
    }
}

/// Whether an address is that of the first page of its site.
pub(crate) fn is_first_page(url: &Url) -> bool {
    url.path() == "/" && url.query().is_none()
}

/// Whether a page shows so many stories that a writer or a date it shows is that of one of them.
fn shows_many(doc: &Doc, items: &MetadataElements) -> bool {
    const MANY: usize = 3;
    let mut stories = doc.ids().filter(|&id| doc.name(id) == LocalName::ARTICLE);
    items.times.len() >= MANY || stories.nth(MANY - 1).is_some()
}

fn declares_product(doc: &Doc, facts: &JsonLdFields, items: &MetadataElements) -> bool {
    let og = doc
        .meta("og:type")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("product") || kind.to_ascii_lowercase().starts_with("product."));
    facts.product || items.product || og
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

/// What the page calls its site, else who publishes it, else the part of its title that the host is named after.
fn site_name(page: &Page<'_>, facts: &JsonLdFields, address: Option<&Url>) -> Option<String> {
    let in_json_ld = || facts.publisher.clone().or_else(|| facts.site.clone());
    let items = || &page.embedded().items;
    let publishers = || items().items.iter().flat_map(|item| item.all("publisher"));
    let in_items = || publishers().find_map(|value| clean(items().get(value)?.text("name")?));
    let named = first_meta(page.doc, SITE_KEYS).or_else(in_json_ld).or_else(in_items).filter(|name| !is_no_value(name));
    named.or_else(|| in_title(&collapse(&page.doc.title()?), address?.host_str()?))
}

/// The first or last part of a title that is called like the host: `Storm hits coast | Mill Post` on `millpost.example`.
fn in_title(title: &str, host: &str) -> Option<String> {
    const SIGNS: [&str; 8] = [" | ", " - ", " – ", " — ", " · ", " :: ", " » ", " • "];
    let last = SIGNS.iter().filter_map(|sign| title.rsplit_once(sign)).map(|(_, last)| last);
    let first = SIGNS.iter().filter_map(|sign| title.split_once(sign)).map(|(first, _)| first);
    last.chain(first).find(|part| is_host(part, host)).and_then(clean)
}

/// What the page is about, in the first place that says it in words.
fn description(doc: &Doc, facts: &JsonLdFields) -> Option<String> {
    let declared = DESCRIPTION_KEYS.iter().filter_map(|key| first_meta(doc, &[key]));
    declared.chain(facts.description.clone()).find_map(plain)
}

/// The address of the picture that stands for the page, as written.
fn image(doc: &Doc, facts: &JsonLdFields) -> Option<String> {
    let linked = || {
        doc.links().find(|link| link.has_rel("image_src") && !link.href.is_empty()).and_then(|link| clean(link.href))
    };
    first_meta(doc, IMAGE_KEYS)
        .or_else(|| facts.image.clone())
        .or_else(linked)
        .or_else(|| first_meta(doc, OTHER_IMAGE_KEYS))
}

fn feeds(doc: &Doc, base: Option<&Url>) -> Vec<FeedLink> {
    let is_feed = |media_type: &str| {
        let essence = media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        matches!(essence.as_str(), "application/rss+xml" | "application/atom+xml" | "application/feed+json")
    };
    doc.links()
        .filter(|link| link.has_rel("alternate") && is_feed(link.media_type))
        .filter_map(|link| Some(FeedLink { url: resolve(base, link.href)?, title: collapse(link.title) }))
        .take(MAX_FEEDS)
        .collect()
}

fn keywords(doc: &Doc, facts: &JsonLdFields) -> Vec<String> {
    let keywords = each_once(in_metas(doc, KEYWORD_KEYS).chain(facts.keywords.iter().map(String::as_str)));
    if !keywords.is_empty() {
        return keywords;
    }
    let keywords = each_once(in_metas(doc, SERVICE_KEYWORD_KEYS));
    if keywords.is_empty() { tags(doc) } else { keywords }
}

/// The keywords of the `meta` elements with some keys.
fn in_metas<'d>(doc: &'d Doc, keys: &'static [&str]) -> impl Iterator<Item = &'d str> {
    let metas = doc.metas().filter(|meta| keys.iter().any(|key| meta.key.eq_ignore_ascii_case(key)));
    metas.flat_map(|meta| meta.content.split([',', '，', ';', '；', '、', '،']))
}

/// Keywords as they are kept, no more than a page may have.
fn each_once<'k>(all: impl Iterator<Item = &'k str>) -> Vec<String> {
    let mut keywords: Vec<String> = Vec::new();
    for keyword in all.take(10 * MAX_KEYWORDS).filter_map(clean) {
        if keywords.len() < MAX_KEYWORDS && keyword.chars().count() <= 80 && !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    keywords
}

/// What the links with `rel=tag` of a page say, where all stand together: several groups are those of several pages.
fn tags(doc: &Doc) -> Vec<String> {
    const MAX_ABOVE: usize = 3;
    let is_tag = |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("tag"));
    let links =
        doc.ids().filter(|&id| doc.name(id) == LocalName::A && doc.attr(id, LocalName::REL).is_some_and(is_tag));
    let links: Vec<NodeId> = links.take(MAX_KEYWORDS).collect();
    let Some(&first) = links.first() else { return Vec::new() };
    let are_together =
        doc.ancestors(first).take(MAX_ABOVE).any(|around| links.iter().all(|&link| doc.contains(around, link)));
    let texts = links.iter().filter_map(|&link| clean(&doc.text_content(link)));
    let mut tags: Vec<String> = texts.filter(|_| are_together).filter(|text| text.chars().count() <= 80).collect();
    let mut seen = std::collections::HashSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    tags
}

/// What the `meta` elements addressed to all robots or to us ask for.
fn robots(doc: &Doc, agent: &str) -> Directives {
    let ours = |key: &str| key.eq_ignore_ascii_case("robots") || key.eq_ignore_ascii_case(agent);
    let asked = doc.metas().filter(|meta| ours(meta.key)).map(|meta| Directives::from_meta(meta.content));
    asked.fold(Directives::default(), Directives::union)
}

#[cfg(test)]
mod tests;
