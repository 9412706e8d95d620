//! When a page was published.

mod cursor;
mod labels;
mod months;
mod scripts;
mod stamp;

use std::ops::Range;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{Row, text_of};

use super::context::Context;
use super::sources::{Found, SourceRow, ValueSource, first};
use labels::choose;
pub(super) use months::month;
pub(super) use stamp::find;
use stamp::{Stamp, in_path, parse, with_short_year};

type Find = fn(&Context<'_>) -> Option<Stamp>;

/// The sources of a date: what is declared, what stands near the title, and whatever else tells.
const DATES: &[SourceRow<Find>] = &[
    (ValueSource::JsonLd, 0.91, |context| parse(context.facts.published.as_deref()?)),
    (ValueSource::Meta, 0.93, |context| published_in_meta(context.page.doc)),
    (ValueSource::Microdata, 0.79, |context| context.items.dates.iter().find_map(|&id| element(context.page.doc, id))),
    (ValueSource::TimeElement, 0.84, time_element),
    (ValueSource::NearTitle, 0.87, |context| choose(rows(context, context.near.clone(), 160), true)),
    (ValueSource::ClassName, 0.72, |context| context.items.dated.iter().find_map(|&id| named(context.page.doc, id))),
    (ValueSource::Label, 0.75, |context| choose(rows(context, 0..usize::MAX, 120), false)),
    (ValueSource::ShortRow, 0.50, |context| rows(context, below_title(context), 40).find_map(find)),
    (ValueSource::Attribute, 0.33, |context| scripts::in_attributes(context.page.doc)),
    (ValueSource::PageState, 0.67, |context| scripts::in_state(context.page.doc)),
    (ValueSource::Url, 0.50, |context| in_path(path(context.url?))),
    (ValueSource::Modified, 0.40, |context| modified(context)),
    (ValueSource::Row, 0.67, |context| rows(context, 0..usize::MAX, 80).filter_map(find).find(Stamp::has_time)),
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
pub(super) fn published(context: &Context<'_>) -> Option<Found<Stamp>> {
    first(DATES, |find| find(context))
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

/// The date in a known `meta` element, else in one whose key speaks of a time of publication.
fn published_in_meta(doc: &Doc) -> Option<Stamp> {
    let named = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.contains("publi") && (key.contains("date") || key.contains("time"))
    };
    let any = || doc.metas().filter(|meta| named(meta.key)).find_map(|meta| parse(meta.content));
    meta(doc, PUBLISHED_KEYS).or_else(any)
}

fn modified(context: &Context<'_>) -> Option<Stamp> {
    context.facts.modified.as_deref().and_then(parse).or_else(|| meta(context.page.doc, MODIFIED_KEYS))
}

/// `datetime` or `content` of an element, else the first date in its text.
fn element(doc: &Doc, id: NodeId) -> Option<Stamp> {
    let attribute = doc.attr(id, Name::DATETIME).or_else(|| doc.attr(id, Name::CONTENT));
    attribute.and_then(parse).or_else(|| find(&text_of(doc, id)))
}

/// In the first `time` element with `pubdate`, else in the first.
fn time_element(context: &Context<'_>) -> Option<Stamp> {
    let (doc, all) = (context.page.doc, &context.items.times);
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
fn rows<'p>(context: &'p Context<'_>, range: Range<usize>, max_chars: u32) -> impl Iterator<Item = &'p str> {
    let end = range.end.min(context.page.rows.len());
    let short = context.page.rows[range.start..end].iter().filter(move |row: &&Row| row.chars <= max_chars);
    short.map(|row| context.page.row_text(row))
}

/// The rows near the title and some below them.
fn below_title(context: &Context<'_>) -> Range<usize> {
    context.near.start..context.near.end + 20
}

fn path(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    url[from..].find('/').map_or("", |at| &url[from + at..])
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_sound() {
        super::super::sources::assert_is_sound(super::DATES);
    }
}
