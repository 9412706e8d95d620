//! When a page was published.

mod calendar;
mod clock;
mod cursor;
mod elements;
mod labels;
mod months;
mod scripts;
mod seen;
mod stamp;
mod style;
mod zones;

use std::borrow::Cow;
use std::ops::Range;

use gristmill_html::{Doc, NodeId};
use gristmill_page::{Page, Row, text_of};

use super::context::MetadataContext;
use super::json_ld::JsonLdFields;
use super::sources::{SourceRow, SourcedValue, ValueSource, first};
use labels::{ShownDates, first_published, shown};
pub(super) use months::month;
pub(super) use stamp::find;
use stamp::{PartialDateTime, find_from, in_path, parse};
pub(crate) use style::DateStyle;

type Find = fn(&MetadataContext<'_>) -> Option<PartialDateTime>;

/// The sources of a date: what is declared, what stands near the title, and whatever else tells.
const DATES: &[SourceRow<Find>] = &[
    (ValueSource::JsonLd, 0.91, in_json_ld),
    (ValueSource::Meta, 0.93, published_in_meta),
    (ValueSource::Microdata, 0.79, elements::microdata),
    (ValueSource::TimeElement, 0.84, elements::time_element),
    (ValueSource::NearTitle, 0.87, near_title),
    (ValueSource::ClassName, 0.72, elements::named),
    (ValueSource::Label, 0.75, |context| shown(rows(context, 0..usize::MAX, 120), false, &context.style).published),
    (ValueSource::ShortRow, 0.50, short_row),
    (ValueSource::PageState, 0.67, |context| scripts::in_state(context.page.doc, &context.style)),
    (ValueSource::Url, 0.50, |context| in_path(path(context.url?))),
    (ValueSource::Modified, 0.40, |context| modified(context).or_else(|| shown_change(context))),
    (ValueSource::Attribute, 0.33, in_attributes),
    (ValueSource::Row, 0.67, any_row),
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
pub(super) fn published(context: &MetadataContext<'_>) -> Option<SourcedValue<PartialDateTime>> {
    let found = first(DATES, |find| find(context))?;
    Some(SourcedValue { value: seen::as_seen(found.value, context), ..found })
}

/// How a page writes dates. O(page).
pub(super) fn style(page: &Page<'_>, facts: &JsonLdFields, url: Option<&str>) -> DateStyle {
    let values = facts.modified.as_deref().into_iter().chain(MODIFIED_KEYS.iter().filter_map(|key| page.doc.meta(key)));
    let mut changes = values.filter_map(|value| parse(value, &DateStyle::default()));
    DateStyle::of(page, facts, url, changes.next().map(|stamp| stamp.date()))
}

/// The date that an element states, in an attribute or its text.
pub(crate) fn date_of(doc: &Doc, id: NodeId) -> Option<String> {
    let style = DateStyle::default();
    let attributes = doc.attributes(id).filter(|attribute| attribute.value.len() <= 60);
    let stated = attributes
        .filter(|attribute| {
            let name = doc.name_str(attribute.name);
            matches!(name, "datetime" | "content" | "title" | "ts") || name.starts_with("data-")
        })
        .find_map(|attribute| parse(attribute.value, &style));
    stated.or_else(|| find(&text_of(doc, id), &style)).map(|date| date.to_string())
}

/// The first date in a text.
pub(crate) fn date_in(text: &str) -> Option<String> {
    find(text, &DateStyle::default()).map(|date| date.to_string())
}

/// A line with its dates and times as signs between its parts: `Jane DoeApril 3, 2020` names somebody and a day.
pub(super) fn without_dates(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let style = DateStyle::DAY_FIRST;
    let mut parts = String::new();
    let mut from = 0;
    while let Some((_, range)) = find_from(text, from, &style) {
        parts.push_str(&text[from..range.start]);
        parts.push_str(" | ");
        from = range.end;
    }
    parts.push_str(&text[from..]);
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(parts) }
}

/// The first of these `meta` elements that holds a date.
fn meta(context: &MetadataContext<'_>, keys: &[&str]) -> Option<PartialDateTime> {
    keys.iter().filter_map(|key| context.page.doc.meta(key)).find_map(|value| parse(value, &context.style))
}

/// What JSON-LD says. Where it names the same day for publication and change and no time, a program wrote both at the change: an
/// earlier day near the title is that of the publication. So is one that stands there by itself, whatever is declared: the page has
/// moved since.
fn in_json_ld(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let declared = context.facts.published.as_deref()?;
    let stamp = parse(declared, &context.style)?;
    let by_program = !stamp.has_time() && context.facts.modified.as_deref() == Some(declared);
    let shown = || near_title(context);
    let is_later = || by_program && seen::is_shown_before(stamp.date(), shown());
    (!is_moved(context, stamp) && !is_later()).then_some(stamp)
}

/// The date in a known `meta` element, else the earliest of those whose keys speak of a time of publication.
fn published_in_meta(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let named = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.contains("publi") && (key.contains("date") || key.contains("time"))
    };
    let others = context.page.doc.metas().filter(|meta| named(meta.key));
    let earliest = || others.filter_map(|meta| parse(meta.content, &context.style)).min_by_key(PartialDateTime::date);
    meta(context, PUBLISHED_KEYS).or_else(earliest).filter(|stamp| !is_moved(context, *stamp))
}

/// Whether the first date near the title stands in a row of its own, and is earlier than a declared one by more than a week.
fn is_moved(context: &MetadataContext<'_>, declared: PartialDateTime) -> bool {
    const MAX_BYTES: usize = 45;
    const MOST_DAYS: i64 = 7;
    let shown = near_rows(context).find_map(|row| {
        let dates = labels::dates(row, &context.style);
        let first = *dates.first()?;
        Some((row.len() <= MAX_BYTES && dates.len() == 1, first))
    });
    shown.is_some_and(|(alone, (shown, label))| {
        let of_page = matches!(label, None | Some(labels::Label::Published));
        alone && of_page && (declared.date() - shown.date()).whole_days() > MOST_DAYS
    })
}

/// When the page declares that it was changed.
fn modified(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let in_facts = context.facts.modified.as_deref().and_then(|value| parse(value, &context.style));
    in_facts.or_else(|| meta(context, MODIFIED_KEYS))
}

/// The first date in a short row below the title.
fn short_row(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let mut rows = rows(context, below_title(context), 40);
    if context.shows_only_change() { None } else { rows.find_map(|row| find(row, &context.style)) }
}

fn in_attributes(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    if context.shows_only_change() { None } else { scripts::in_attributes(context.page.doc, &context.style) }
}

impl MetadataContext<'_> {
    /// Whether the rows near the title say when the page was changed and nothing else: a date elsewhere of which nothing is said is
    /// then of another page.
    fn shows_only_change(&self) -> bool {
        let near = shown(near_rows(self), true, &self.style);
        near.published.is_none() && near.changed.is_some()
    }
}

/// The first date with a time in a row of the page, else the first row that is a date and little more.
fn any_row(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let style = &context.style;
    let timed = rows(context, 0..usize::MAX, 80).filter_map(|row| find(row, style)).find(PartialDateTime::has_time);
    let is_most = |row: &str, range: &Range<usize>| range.start <= 2 && 3 * range.len() >= row.len();
    let mut bare = rows(context, 0..usize::MAX, 80).filter(|row| !row.contains('©'));
    timed.or_else(|| {
        bare.find_map(|row| find_from(row, 0, style).filter(|(_, range)| is_most(row, range)).map(|(stamp, _)| stamp))
    })
}

/// When the page shows that it was changed.
fn shown_change(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let near = || shown(near_rows(context), true, &context.style).changed;
    near().or_else(|| shown(rows(context, 0..usize::MAX, 120), false, &context.style).changed)
}

/// What stands near the title, or a row that says to name the first of several days.
fn near_title(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let ShownDates { published, .. } = shown(near_rows(context), true, &context.style);
    let originally = || first_published(rows(context, 0..usize::MAX, 240), &context.style);
    originally().filter(|first| published.is_none_or(|near| first.date() < near.date())).or(published)
}

/// The rows near the title that may hold its date: what stands in the title is of what it speaks of.
fn near_rows<'p>(context: &'p MetadataContext<'_>) -> impl Iterator<Item = &'p str> {
    let page = context.page;
    let in_title = |row: &&Row| context.heading.is_some_and(|heading| row.block == heading);
    let near = page.rows[context.near.clone()].iter().filter(|row| row.chars <= 160);
    near.filter(move |row| !in_title(row) && !is_aside(context, row)).map(|row| page.row_text(row))
}

fn is_aside(context: &MetadataContext<'_>, row: &Row) -> bool {
    !elements::is_own(context, row.block)
}

/// The rows of a range that have at most so many characters.
fn rows<'p>(context: &'p MetadataContext<'_>, range: Range<usize>, max_chars: u32) -> impl Iterator<Item = &'p str> {
    let end = range.end.min(context.page.rows.len());
    let short = context.page.rows[range.start..end].iter().filter(move |row: &&Row| row.chars <= max_chars);
    short.map(|row| context.page.row_text(row))
}

/// The rows near the title and some below them.
fn below_title(context: &MetadataContext<'_>) -> Range<usize> {
    context.near.start..context.near.end + 20
}

fn path(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    url[from..].find('/').map_or("", |at| &url[from + at..])
}

#[cfg(test)]
mod tests;
