//! When a page was published.

mod calendar;
mod clock;
mod cursor;
mod elements;
mod hours;
mod labels;
mod months;
mod prose;
mod scripts;
mod seen;
mod stamp;
mod style;
mod weekdays;
mod zones;

use std::ops::Range;

use gristmill_html::{Doc, LocalName, MetaElement, NodeId};
use gristmill_page::{Page, Row, text_of};
use gristmill_text::is_cjk;

use super::class_names::is_comment;
use super::context::MetadataContext;
use super::json_ld::JsonLdFields;
use super::mail;
use super::sources::{SourceRow, SourcedValue, ValueSource, first};
use super::value::parsely;
use crate::related::is_related;
use labels::{Label, MAX_ALONE, ShownDates, first_published, shown};
pub(super) use labels::{is_date_label, is_weekday, label_start};
pub(super) use months::month;
use prose::dateline;
pub(crate) use stamp::without_dates;
pub(super) use stamp::{DATE_SIGN, find};
use stamp::{PartialDateTime, find_from, in_path, parse};
pub(crate) use style::DateStyle;

/// Elements around a row among which a quotation is looked for.
const MAX_AROUND: usize = 6;

/// Elements whose numbers are no days of the page: quotations, code, what is said of a picture.
const QUOTES: [LocalName; 4] = [LocalName::BLOCKQUOTE, LocalName::CODE, LocalName::PRE, LocalName::FIGCAPTION];

type Find = fn(&MetadataContext<'_>) -> Option<PartialDateTime>;

/// The sources of a date: what is declared, what stands near the title, and whatever else tells.
const DATES: &[SourceRow<Find>] = &[
    (ValueSource::JsonLd, 0.91, in_json_ld),
    (ValueSource::Meta, 0.93, published_in_meta),
    (ValueSource::Microdata, 0.79, elements::microdata),
    (ValueSource::TimeElement, 0.84, elements::time_element),
    (ValueSource::NearTitle, 0.87, near_title),
    (ValueSource::ClassName, 0.72, elements::named),
    (ValueSource::Label, 0.75, labelled),
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
    "publish_date", "published", "pubdate", "publication_date", "dc.date.issued", "dcterms.issued", "dcterms.created",
    "parsely-pub-date", "sailthru.date", "citation_publication_date", "article.published", "og:release_date",
    "weibo: article:create_at", "weibo:article:create_at", "published_at", "citation_online_date",
];
/// Keys that say no more than that something happened then.
const DATED_KEYS: &[&str] = &["dc.date", "dcterms.date", "date"];
#[rustfmt::skip]
const MODIFIED_KEYS: &[&str] = &[
    "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "ms.date", "last-modified", "revised",
];

/// The day, and the time with its zone where given, that a page was published. O(page).
pub(super) fn published(context: &MetadataContext<'_>) -> Option<SourcedValue<PartialDateTime>> {
    let found = first(DATES, |find| find(context))?;
    // The day of an event, shown and declared as such.
    let mut others = context.facts.other_days.iter().filter_map(|day| parse(day, &context.style));
    if !found.provenance.source.is_hidden() && others.any(|other| other.date() == found.value.date()) {
        return None;
    }
    Some(SourcedValue { value: seen::as_seen(found.value, context), ..found })
}

/// How a page writes dates. O(page).
pub(super) fn style(page: &Page<'_>, facts: &JsonLdFields, url: Option<&str>) -> DateStyle {
    let declared = |fact: &Option<String>, keys: &[&str]| {
        let values = fact.as_deref().into_iter().chain(keys.iter().filter_map(|key| page.doc.meta(key)));
        let mut stamps = values.filter_map(|value| parse(value, &DateStyle::default()));
        stamps.next().map(|stamp| stamp.date())
    };
    let days = [declared(&facts.published, PUBLISHED_KEYS), declared(&facts.modified, MODIFIED_KEYS)];
    DateStyle::of(page, facts, url, days)
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
    let shown = || find(&text_of(doc, id), &style);
    stated.or_else(shown).or_else(|| elements::in_tip(doc, id, &style)).map(|date| date.to_string())
}

/// The date in the short tip of an element right around a text, such as `2 hours ago`.
pub(crate) fn date_in_tip(doc: &Doc, text: NodeId) -> Option<String> {
    const MAX_LEVELS: usize = 2;
    const LENGTH: std::ops::RangeInclusive<usize> = 8..=48;
    let tips = doc.ancestors(text).take(MAX_LEVELS).filter_map(|around| doc.attr(around, LocalName::TITLE));
    let dates = tips.filter(|tip| LENGTH.contains(&tip.len())).filter_map(|tip| parse(tip, &DateStyle::default()));
    dates.into_iter().next().map(|date| date.to_string())
}

/// Whether a short text is a day, or how it was changed or published then, and no more than a line of that.
pub(super) fn is_day_row(text: &str, style: &DateStyle) -> bool {
    let dates = labels::dates(text, style);
    text.chars().count() <= 2 * MAX_ALONE
        && !dates.is_empty()
        && !dates.iter().any(|(_, label)| *label == Some(Label::Unrelated))
}

/// The first date in a text.
pub(crate) fn date_in(text: &str) -> Option<String> {
    find(text, &DateStyle::default()).map(|date| date.to_string())
}

/// The first of these `meta` elements that holds a date.
fn meta(context: &MetadataContext<'_>, keys: &[&str]) -> Option<PartialDateTime> {
    let is_said =
        |key: &str, meta: &MetaElement<'_>| meta.key.eq_ignore_ascii_case(key) && !meta.content.trim().is_empty();
    let first = |key: &&str| metas(context, |meta| is_said(key, meta)).next();
    keys.iter().filter_map(first).find_map(|meta| parse(meta.content, &context.style))
}

/// The `meta` elements of a kind. Those in the microdata of a comment or a review say nothing of the page.
fn metas<'p>(
    context: &MetadataContext<'p>,
    is_kind: impl Fn(&MetaElement<'p>) -> bool,
) -> impl Iterator<Item = MetaElement<'p>> {
    let doc = context.page.doc;
    doc.metas().filter(is_kind).filter(|meta| !is_comment(doc, meta.id))
}

/// What JSON-LD says, unless the page shows that it has moved since.
fn in_json_ld(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let stamp = parse(context.facts.published.as_deref()?, &context.style)?;
    (!is_moved(context, stamp)).then_some(stamp)
}

/// The date in a known `meta` element, else the earliest of those whose keys speak of a time of publication.
fn published_in_meta(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let named = |key: &str| {
        let key = key.to_ascii_lowercase();
        let says = |word: &str| key.contains(word);
        says("publi") && (says("date") || says("time")) || ["pubdate", "pub_date", "pub-date"].into_iter().any(says)
    };
    let others = metas(context, |meta| named(meta.key));
    let earliest = || others.filter_map(|meta| parse(meta.content, &context.style)).min_by_key(PartialDateTime::date);
    let vague = || meta(context, DATED_KEYS).filter(|stamp| !shows_another(context, *stamp));
    let of_parsely = || parse(&parsely(context.page.doc, "pub_date")?, &context.style);
    let declared = meta(context, PUBLISHED_KEYS).or_else(of_parsely).or_else(vague).or_else(earliest);
    declared.filter(|stamp| !is_moved(context, *stamp))
}

/// Whether a row of its own near the title has another day than one of which nothing is declared but that it is a date.
fn shows_another(context: &MetadataContext<'_>, declared: PartialDateTime) -> bool {
    let near = shown_alone(context).filter(|(_, label)| !matches!(label, Some(Label::Updated | Label::Unrelated)));
    let day = seen::as_seen(declared, context).date();
    near.is_some_and(|(shown, _)| shown.date() != day)
}

/// Whether the page shows, in a row of its own, an earlier day than a declared one: near the title, or where it says to be that of
/// publication. What is declared of an old page that moved is later by more than a week. Where a program declares the same for
/// publication and change it wrote both at the change, and any earlier day tells.
fn is_moved(context: &MetadataContext<'_>, declared: PartialDateTime) -> bool {
    const MOST_DAYS: i64 = 7;
    let by_program = modified(context).is_some_and(|modified| modified.is_near(declared));
    let has_time = declared.has_time();
    let declared = seen::as_seen(declared, context).date();
    let is_earlier = |shown: PartialDateTime| {
        let days = (declared - shown.date()).whole_days();
        days > if by_program { 0 } else { MOST_DAYS }
    };
    let elsewhere = || said_published(context).or_else(|| near_title(context).filter(|_| !has_time));
    let of_page = |label: Option<Label>| matches!(label, None | Some(Label::Published));
    let near = || shown_alone(context).filter(|(_, label)| of_page(*label)).map(|(stamp, _)| stamp);
    near().is_some_and(is_earlier) || by_program && elsewhere().is_some_and(is_earlier)
}

/// The first date near the title, with what is said of it, where it stands in a row of its own.
fn shown_alone(context: &MetadataContext<'_>) -> Option<(PartialDateTime, Option<Label>)> {
    let mut before = None;
    for row in near_rows(context) {
        let dates = labels::dates(row, &context.style);
        let Some(&(stamp, own)) = dates.first() else {
            before = Some(row).filter(|row| row.chars().count() <= labels::MAX_LABEL);
            continue;
        };
        let label = own.or_else(|| before.and_then(labels::label));
        return (row.chars().count() <= MAX_ALONE && dates.len() == 1).then_some((stamp, label));
    }
    None
}

/// The day that rows of their own say to be that of publication, where all say the same.
fn said_published(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let rows = context.page.rows.iter().filter(|row| row.chars as usize <= MAX_ALONE && !is_aside(context, row));
    let dates = rows.flat_map(|row| labels::dates(context.page.row_text(row), &context.style));
    let mut said = dates.filter(|(_, label)| *label == Some(Label::Published)).map(|(stamp, _)| stamp);
    let first = said.next()?;
    said.all(|other| other.date() == first.date()).then_some(first)
}

/// When the page declares that it was changed.
fn modified(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let in_facts = context.facts.modified.as_deref().and_then(|value| parse(value, &context.style));
    in_facts.or_else(|| meta(context, MODIFIED_KEYS))
}

/// The first date that a row of the page says to be of its publication.
fn labelled(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let entry = || labels::of_entry(rows(context, 0..usize::MAX, 600), &context.style);
    let of_mail = || find(mail::header(context.page)?.sent()?, &context.style);
    shown(rows(context, 0..usize::MAX, 120), false, &context.style).published.or_else(entry).or_else(of_mail)
}

/// The first date in a short row below the title.
fn short_row(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let mut dates = own_dates(context, below_title(context), 40);
    if context.leaves_undated() { None } else { dates.next().map(|(_, stamp)| stamp) }
}

/// The first date of a row that is not said to be another's; one that is only read with its numbers spelled out counts, too.
fn own_date(row: &str, style: &DateStyle) -> Option<PartialDateTime> {
    let dates = labels::dates(row, style);
    if dates.is_empty() {
        return find(row, style).filter(|_| labels::label(row).is_none());
    }
    dates.into_iter().find(|(_, label)| *label != Some(Label::Unrelated)).map(|(stamp, _)| stamp)
}

fn in_attributes(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    if context.leaves_undated() {
        return None;
    }
    scripts::in_attributes(context.page.doc, &context.style, |id| elements::may_state(context, id))
}

impl MetadataContext<'_> {
    /// Whether the rows near the title say when the page was changed and nothing else: a date elsewhere of which nothing is said is
    /// then of another page.
    fn shows_only_change(&self) -> bool {
        let near = shown(near_rows(self), true, &self.style);
        near.published.is_none() && near.changed.is_some()
    }

    /// Whether the rows near the title have no day of a publication and say why: how long ago that was, or when a change was.
    fn leaves_undated(&self) -> bool {
        relative_row(self).is_some() || self.shows_only_change()
    }
}

/// The row near the title that says how long ago the page was published.
fn relative_row(context: &MetadataContext<'_>) -> Option<usize> {
    *context.relative.get_or_init(|| find_relative_row(context))
}

fn find_relative_row(context: &MetadataContext<'_>) -> Option<usize> {
    const BELOW: usize = 6;
    let page = context.page;
    let title = title_row(context)?;
    let below = title + 1..context.near.end.min(title + 1 + BELOW);
    let is_labelled = |row: &str| matches!(labels::label(row), Some(Label::Published | Label::Updated));
    let says_ago = |at: &usize| {
        let row = &page.rows[*at];
        let text = page.row_text(row);
        prose::is_relative(text, is_labelled) && find(text, &context.style).is_none() && !is_aside(context, row)
    };
    below.into_iter().find(says_ago)
}

/// The row of the title, among those near it.
fn title_row(context: &MetadataContext<'_>) -> Option<usize> {
    let near = context.near.clone();
    let own = |row: &Row| context.heading == Some(row.block);
    context.page.rows[near.clone()].iter().position(own).map(|at| near.start + at)
}

/// The first date with a time in a row of the page, else the first row that is a date and little more.
fn any_row(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let style = &context.style;
    if relative_row(context).is_some() {
        return None;
    }
    let dates = || own_dates(context, 0..usize::MAX, 80);
    let timed = dates().find(|(_, stamp)| stamp.has_time());
    let is_most =
        |row: &str| find_from(row, 0, style).is_some_and(|(_, range)| range.start <= 2 && 3 * range.len() >= row.len());
    let bare = || dates().find(|(row, _)| !row.contains('©') && is_most(row));
    timed.or_else(bare).map(|(_, stamp)| stamp)
}

/// When the page shows that it was changed.
fn shown_change(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let near = || shown(near_rows(context), true, &context.style).changed;
    near().or_else(|| shown(rows(context, 0..usize::MAX, 120), false, &context.style).changed)
}

/// What stands near the title, or a row that says to name the first of several days.
fn near_title(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let ShownDates { published, .. } = shown(near_rows(context), true, &context.style);
    let published = published.map(|published| below_bar(context).unwrap_or(published));
    let originally = || first_published(rows(context, 0..usize::MAX, 240), &context.style);
    let found = originally().filter(|first| published.is_none_or(|near| first.date() < near.date())).or(published);
    found.or_else(|| of_relative_row(context))
}

/// The day that the row near the title which says how long ago it was carries for its scripts.
fn of_relative_row(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let page = context.page;
    let leaves = page.row_leaves(&page.rows[relative_row(context)?]);
    leaves.iter().find_map(|leaf| elements::stated_beside(page.doc, leaf.node, &context.style))
}

/// The date in a row of its own below the title, where one of which nothing is said stands above it: a bar there has the day of the visit.
fn below_bar(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    const BELOW: usize = 4;
    let page = context.page;
    let near = context.near.clone();
    let title = title_row(context)?;
    let own = |row: &&Row| !is_aside(context, row) && row.chars as usize <= 2 * MAX_ALONE;
    let dates = |row: &Row| labels::dates(page.row_text(row), &context.style);
    let is_bare = |row: &Row| matches!(dates(row).first(), Some((_, None)));
    if !page.rows[near.start..title].iter().filter(own).any(is_bare) {
        return None;
    }
    let of_page = |row: &Row| {
        let dates = dates(row);
        let said = dates.iter().find(|(_, label)| *label == Some(Label::Published));
        let alone = || dates.first().filter(|(_, label)| label.is_none() && row.chars as usize <= MAX_ALONE);
        said.or_else(alone).map(|(stamp, _)| *stamp)
    };
    page.rows[title + 1..near.end.min(title + 1 + BELOW)].iter().filter(own).find_map(of_page)
}

/// The rows near the title that may hold its date, of longer ones a dateline: what stands in the title is of what it speaks of, and
/// what stands below a time such as `3 hours ago` is another page's.
fn near_rows<'p>(context: &'p MetadataContext<'_>) -> impl Iterator<Item = &'p str> {
    const MAX_CHARS: u32 = 160;
    let page = context.page;
    let in_title = |row: &&Row| context.heading.is_some_and(|heading| row.block == heading);
    let end = relative_row(context).unwrap_or(context.near.end);
    let near = page.rows[context.near.start..end].iter().filter(move |row| !in_title(row) && !is_aside(context, row));
    near.filter_map(|row| match page.row_text(row) {
        text if row.chars <= MAX_CHARS => Some(text),
        text => dateline(text, &context.style),
    })
}

fn is_aside(context: &MetadataContext<'_>, row: &Row) -> bool {
    let innermost = innermost(context.page, row);
    !elements::is_own(context, innermost)
        || elements::is_fact(context.page.doc, innermost)
        || is_teaser(context, row)
        || is_of_list(context, row)
}

/// Whether a row is a link with a day in it, as those beside it are: `Minutes of 1 March`, `Minutes of 2 March`.
fn is_of_list(context: &MetadataContext<'_>, row: &Row) -> bool {
    let page = context.page;
    let day = |row: &Row| {
        let text = page.row_text(row);
        let is_link = !row.in_heading && row.link_chars * 10 >= row.chars * 9;
        // A link that is a day alone may be the page's own.
        let says_more = || stamp::without_dates(text).contains(char::is_alphabetic);
        (is_link && says_more()).then(|| find(text, &context.style)).flatten().map(|stamp| stamp.date())
    };
    if row.link_chars == 0 || !may_date(page, row) {
        return false;
    }
    let at = index(page, row);
    let beside = page.rows[at.saturating_sub(1)..page.rows.len().min(at + 2)].iter();
    let Some(own) = day(row) else { return false };
    beside.filter_map(day).any(|other| other != own)
}

/// Whether a row is the name of another page, as a link, with its date.
fn is_teaser(context: &MetadataContext<'_>, row: &Row) -> bool {
    const LEAST_WORDS: usize = 5;
    const LEAST_CJK: usize = 10;
    // Beside a day, and in a link with it.
    const LEAST_BESIDE: usize = 4;
    let page = context.page;
    let is_long =
        |text: &str| text.split(' ').count() >= LEAST_WORDS || text.chars().filter(|&c| is_cjk(c)).count() >= LEAST_CJK;
    let names = |text: &str| is_long(text) && find(text, &context.style).is_none();
    let mut leaves = page.row_leaves(row).iter().filter(|leaf| leaf.in_link);
    let is_named = leaves.any(|leaf| names(page.leaf_text(leaf)));
    !row.in_heading && row.link_chars > 0 && (is_named || leads_to_another(page, row, &context.style, LEAST_BESIDE))
}

/// Whether a row is a link and nothing else, and says more than a day: `← Older: Sawmill reopens (2 April 2020)`.
fn leads_to_another(page: &Page<'_>, row: &Row, style: &DateStyle, least_words: usize) -> bool {
    let text = page.row_text(row);
    let is_link = !row.in_heading && row.link_chars > 0 && row.link_chars * 10 >= row.chars * 9;
    let says_more = || {
        let undated = stamp::without_dates(text);
        undated.split(' ').filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2).count() >= least_words
    };
    is_link && labels::label(text).is_none() && find(text, style).is_some() && says_more()
}

/// The block of a row, or what is around its only text: a row may be code and nothing else.
fn innermost(page: &Page<'_>, row: &Row) -> NodeId {
    match page.row_leaves(row) {
        [leaf] => page.doc.parent(leaf.node).unwrap_or(row.block),
        _ => row.block,
    }
}

/// The rows as [`rows`] has them that have a date, with it, without those of comments, teasers and boxes beside the text.
fn own_dates<'p>(
    context: &'p MetadataContext<'_>,
    range: Range<usize>,
    max_chars: u32,
) -> impl Iterator<Item = (&'p str, PartialDateTime)> {
    let page = context.page;
    let dated = short_rows(page, range, max_chars).filter(|row| may_date(page, row));
    let dated = dated.filter_map(|row| Some((row, own_date(page.row_text(row), &context.style)?)));
    // To look for a date costs less than to look at all that a row stands in.
    let leads = |row: &Row| leads_to_another(page, row, &context.style, 2);
    let is_own = move |row: &Row| !is_aside(context, row) && !leads(row) && !is_below_other_label(page, row);
    dated.filter(move |(row, _)| is_own(row)).map(|(row, stamp)| (page.row_text(row), stamp))
}

/// Whether the row above says that what follows is the day of something else: a cell `Deadline` beside one with a day.
fn is_below_other_label(page: &Page<'_>, row: &Row) -> bool {
    let above = index(page, row).checked_sub(1).map_or("", |above| page.row_text(&page.rows[above]));
    above.chars().count() <= labels::MAX_LABEL && labels::label(above) == Some(Label::Unrelated)
}

/// Which of the rows of the page it is.
fn index(page: &Page<'_>, row: &Row) -> usize {
    page.rows.partition_point(|other| other.first_leaf < row.first_leaf)
}

/// The rows of a range that have at most so many characters, but for those with numbers in quotations: a quoted message has a day of its
/// own.
fn rows<'p>(context: &'p MetadataContext<'_>, range: Range<usize>, max_chars: u32) -> impl Iterator<Item = &'p str> {
    let page = context.page;
    let is_own = move |row: &&Row| {
        let is_quote = |id| QUOTES.contains(&page.doc.name(id));
        let first = || innermost(page, row);
        let around = || std::iter::once(first()).chain(page.doc.ancestors(first())).take(MAX_AROUND);
        !may_date(page, row) || !around().any(is_quote)
    };
    short_rows(page, range, max_chars).filter(is_own).map(|row| page.row_text(row))
}

/// The rows of a range that have at most so many characters.
fn short_rows<'p>(page: &'p Page<'_>, range: Range<usize>, max_chars: u32) -> impl Iterator<Item = &'p Row> {
    let end = range.end.min(page.rows.len());
    page.rows[range.start..end].iter().filter(move |row| row.chars <= max_chars)
}

/// Whether a row may hold a date: most have no number.
fn may_date(page: &Page<'_>, row: &Row) -> bool {
    page.row_text(row).bytes().any(|byte| byte.is_ascii_digit() || !byte.is_ascii())
}

/// The rows near the title and some below them, up to a heading of other pages.
fn below_title(context: &MetadataContext<'_>) -> Range<usize> {
    const MORE: usize = 20;
    let (page, near) = (context.page, &context.near);
    let end = (near.end + MORE).min(page.rows.len());
    near.start..(near.end..end).find(|&row| is_related(page, &page.rows[row])).unwrap_or(end)
}

fn path(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    url[from..].find('/').map_or("", |at| &url[from + at..])
}

#[cfg(test)]
mod tests;
