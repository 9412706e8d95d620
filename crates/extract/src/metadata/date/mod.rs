//! When a page was published.

mod cursor;
mod labels;
mod months;
mod scripts;
mod stamp;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{Row, text_of};

use super::Context;
use super::sources::{Found, SourceRow, ValueSource, first};
use labels::choose;
pub(super) use months::month;
pub(super) use stamp::find;
use stamp::{Stamp, in_path, parse, with_short_year};

/// The sources of a date: what is declared, what stands near the title, and whatever else tells.
const DATES: &[SourceRow<fn(&Context<'_>) -> Option<Stamp>>] = &[
    (ValueSource::JsonLd, 0.5, |of| parse(of.facts.published.as_deref()?)),
    (ValueSource::Meta, 0.5, |of| meta(of.page.doc, PUBLISHED_KEYS).or_else(|| publication(of.page.doc))),
    (ValueSource::Microdata, 0.5, |of| of.items.dates.iter().find_map(|&id| element(of.page.doc, id))),
    (ValueSource::TimeElement, 0.5, time_element),
    (ValueSource::NearTitle, 0.5, |of| choose(rows(of, of.near.clone(), 160), true)),
    (ValueSource::ClassName, 0.5, |of| of.items.dated.iter().find_map(|&id| named(of.page.doc, id))),
    (ValueSource::Label, 0.5, |of| choose(rows(of, 0..usize::MAX, 120), false)),
    (ValueSource::ShortRow, 0.5, |of| rows(of, of.near.start..of.near.end + 20, 40).find_map(find)),
    (ValueSource::Attribute, 0.5, |of| scripts::in_attributes(of.page.doc)),
    (ValueSource::PageState, 0.5, |of| scripts::in_state(of.page.doc)),
    (ValueSource::Url, 0.5, |of| in_path(path(of.url?))),
    (ValueSource::Modified, 0.5, |of| modified(of)),
    (ValueSource::Row, 0.5, |of| rows(of, 0..usize::MAX, 80).filter_map(find).find(Stamp::has_time)),
];

#[rustfmt::skip]
const PUBLISHED_KEYS: &[&str] = &[
    "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "publishdate",
    "publish_date", "published", "pubdate", "publication_date", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date",
    "dcterms.created", "parsely-pub-date", "sailthru.date", "citation_publication_date", "article.published",
    "og:release_date", "weibo: article:create_at", "date",
];
#[rustfmt::skip]
const MODIFIED_KEYS: &[&str] = &[
    "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "ms.date", "last-modified", "revised",
];

/// The day, and the time with its zone where given, that a page was published. O(page).
pub(super) fn published(of: &Context<'_>) -> Option<Found<Stamp>> {
    first(DATES, |find| find(of))
}

/// The date that an element states, in an attribute or its text.
pub(crate) fn date_of(doc: &Doc, id: NodeId) -> Option<String> {
    let attributes = doc.attributes(id).filter(|attribute| attribute.value.len() <= 60);
    let stated = attributes
        .filter(|attribute| {
            let name = doc.name_str(attribute.name);
            matches!(name, "datetime" | "content" | "title" | "ts") || name.starts_with("data-")
        })
        .find_map(|attribute| parse(attribute.value));
    stated.or_else(|| find(&text_of(doc, id))).map(|date| date.to_string())
}

/// The first date in a text.
pub(crate) fn date_in(text: &str) -> Option<String> {
    find(text).map(|date| date.to_string())
}

/// The first of these `meta` elements that holds a date.
fn meta(doc: &Doc, keys: &[&str]) -> Option<Stamp> {
    keys.iter().filter_map(|key| doc.meta(key)).find_map(parse)
}

/// A date in a `meta` element whose key speaks of a time of publication.
fn publication(doc: &Doc) -> Option<Stamp> {
    let named = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.contains("publi") && (key.contains("date") || key.contains("time"))
    };
    doc.metas().filter(|meta| named(meta.key)).find_map(|meta| parse(meta.content))
}

fn modified(of: &Context<'_>) -> Option<Stamp> {
    of.facts.modified.as_deref().and_then(parse).or_else(|| meta(of.page.doc, MODIFIED_KEYS))
}

/// `datetime` or `content` of an element, else the first date in its text.
fn element(doc: &Doc, id: NodeId) -> Option<Stamp> {
    let attribute = doc.attr(id, Name::DATETIME).or_else(|| doc.attr(id, Name::CONTENT));
    attribute.and_then(parse).or_else(|| find(&text_of(doc, id)))
}

/// In the first `time` element with `pubdate`, else in the first.
fn time_element(of: &Context<'_>) -> Option<Stamp> {
    let (doc, all) = (of.page.doc, &of.items.times);
    let published = all.iter().filter(|id| doc.attr(**id, Name::PUBDATE).is_some());
    published.chain(all).find_map(|&id| element(doc, id))
}

/// In a short element whose class names a date.
fn named(doc: &Doc, id: NodeId) -> Option<Stamp> {
    const MAX_CHARS: usize = 120;
    let text = Some(text_of(doc, id)).filter(|text| text.chars().count() <= MAX_CHARS)?;
    find(&text).or_else(|| with_short_year(&text))
}

/// The rows of a range that have at most so many characters.
fn rows<'p>(of: &'p Context<'_>, range: std::ops::Range<usize>, max_chars: u32) -> impl Iterator<Item = &'p str> {
    let end = range.end.min(of.page.rows.len());
    let short = of.page.rows[range.start..end].iter().filter(move |row: &&Row| row.chars <= max_chars);
    short.map(|row| of.page.row_text(row))
}

fn path(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    url[from..].find('/').map_or("", |at| &url[from + at..])
}
