//! Elements that hold dates: `time`, microdata, and those whose class says so.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{heading_rank, text_of};
use gristmill_text::collapse;

use super::labels::{Label, dates, is_date_word, label};
use super::stamp::{PartialDateTime, find_short, parse, without_dates};
use super::style::DateStyle;
use crate::metadata::class_names::{holds_most, is_comment};
use crate::metadata::context::MetadataContext;

/// Elements around a date that are looked at.
const MAX_AROUND: usize = 12;
/// Words of classes and ids of what stands beside the text of a page, or shows another page in it.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "sidebar", "widget", "related", "recommended", "recent", "popular", "tweet", "embed", "newsticker", "ticker", "breaking",
    "carousel", "slider", "promo", "mostread", "events", "upcoming",
];
/// Words of classes of what shows another page in short, and of the parts of it.
const TEASERS: &[&str] = &["teaser", "teasers"];
/// Words of classes of what shows a page: with a heading within, another one.
const CARDS: &[&str] = &["card", "tile"];
/// Of these the words that page builders have in the classes of every box, and what such classes begin with: there they say nothing.
const OF_ANY_BOX: &[&str] = &["widget", "embed"];
const BUILDERS: &[&str] =
    &["elementor-", "hs_cos_", "widget-span", "widget-type-", "w-embed", "w-widget", "wixui-", "widget-manage"];
/// Words of classes of what has such boxes in it.
const ARRANGES: &[&str] = &["layout", "with", "has", "no", "container", "page", "grid"];
/// Words of classes of a change.
const CHANGED: &[&str] = &["updated", "modified", "changed", "lastmod", "update", "edited"];
/// Words of classes of a publication.
const PUBLISHED: &[&str] = &["published", "publish", "pubdate", "created", "publication", "posted", "issued"];

/// The date of the first `time` element that is the page's own: of those that say published, else of those right below the title, else
/// of any that is not a change. One that may be another page's does not stand for a date near the title.
pub(super) fn time_element(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let doc = context.page.doc;
    let times = &context.items.times;
    let of_change = |id: &NodeId| kind(doc, *id) == Some(Label::Updated);
    let own: Vec<NodeId> = times.iter().copied().filter(|&id| is_own(context, id) && !of_change(&id)).collect();
    let published = own.iter().filter(|&&id| kind(doc, id) == Some(Label::Published));
    let near = near_nodes(context);
    let below = own.iter().filter(|id| near.contains(&id.index()));
    let any = times.iter().filter(|id| !is_another(context, **id) && !of_change(id));
    let read = |id: &NodeId| stated(doc, *id, &context.style);
    // Above the title stands what day it is today.
    let shown = super::near_title(context);
    let head = context.heading.map_or(0, |_| first_node(context));
    let other = own.iter().filter(|id| shown.is_none() || doc.end(**id) > head);
    let found = published.chain(below).chain(other).find_map(read);
    found.or_else(|| shown.is_none().then(|| any.into_iter().find_map(read)).flatten())
}

/// The first node of the rows near the title.
fn first_node(context: &MetadataContext<'_>) -> usize {
    let page = context.page;
    let first = page.rows[context.near.clone()].first();
    first.map_or(0, |row| page.leaves[row.first_leaf as usize].node.index())
}

/// The nodes between the title and the end of the rows near it.
fn near_nodes(context: &MetadataContext<'_>) -> std::ops::Range<usize> {
    let page = context.page;
    let last = page.rows[context.near.clone()].last();
    let end = last.map_or(0, |row| page.leaves[row.end_leaf as usize - 1].node.index() + 1);
    context.heading.map_or(0..0, |heading| page.doc.end(heading)..end)
}

/// The date of the first microdata of a publication, else of a creation.
pub(super) fn microdata(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    let doc = context.page.doc;
    let items = context.items;
    let own = |id: &&NodeId| is_own(context, **id);
    let published = items.dates.iter().filter(own).chain(items.created.iter().filter(own));
    let any = items.dates.iter().filter(|id| !is_comment(doc, **id));
    published.chain(any).find_map(|&id| stated(doc, id, &context.style))
}

/// The date of the first short element whose class names a date. Where the page shows near its title only that it was changed, such a
/// date is that of another page.
pub(super) fn named(context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    const MAX_CHARS: usize = 120;
    if context.shows_only_change() {
        return None;
    }
    let doc = context.page.doc;
    let is_short = |id: &&NodeId| doc.end(**id) - id.index() <= 60 && text_of(doc, **id).chars().count() <= MAX_CHARS;
    let dated: Vec<NodeId> = context.items.dated.iter().filter(is_short).copied().collect();
    let in_text = |id: NodeId| {
        let text = text_of(doc, id);
        let of_page =
            |(_, label): &(PartialDateTime, Option<Label>)| !matches!(label, Some(Label::Updated | Label::Unrelated));
        let first = dates(&text, &context.style).into_iter().find(of_page).map(|(stamp, _)| stamp);
        let said = label(&text);
        let short = || find_short(&text, &context.style).filter(|_| said != Some(Label::Updated));
        // `20190904`
        let in_one_number = || parse(&text, &context.style).filter(|_| text.len() == "20190904".len());
        first
            .or_else(short)
            .or_else(in_one_number)
            .or_else(|| in_tip(doc, id, &context.style).filter(|_| said != Some(Label::Unrelated)))
    };
    let may_be = |id: &NodeId| kind(doc, *id) != Some(Label::Updated);
    let own = dated.iter().copied().filter(|&id| is_own(context, id) && may_be(&id));
    let any = dated.iter().copied().filter(|&id| !is_another(context, id) && may_be(&id));
    own.chain(any).find_map(in_text)
}

/// The days that `time` elements and elements named after a date show to readers.
pub(super) fn shown_days(context: &MetadataContext<'_>) -> Vec<PartialDateTime> {
    const MOST: usize = 5;
    let doc = context.page.doc;
    let items = context.items;
    let ids = items.times.iter().take(MOST).chain(items.dated.iter().take(MOST));
    let own = ids.filter(|&&id| is_own(context, id) && kind(doc, id) != Some(Label::Updated));
    own.filter_map(|&id| of_page(&short_text(doc, id)?, &context.style)).collect()
}

/// The date of an element: in its text where that says published, else in its attribute, else in its text. Where both name a day and
/// neither is the other's neighbour, what readers see counts.
pub(super) fn stated(doc: &Doc, id: NodeId, style: &DateStyle) -> Option<PartialDateTime> {
    let attribute = doc.attr(id, LocalName::DATETIME).or_else(|| doc.attr(id, LocalName::CONTENT));
    let attribute = attribute.and_then(|value| parse(value, style));
    let text = text_of(doc, id);
    let of_text = || of_page(&text, style);
    let short = text.len() <= 200;
    match attribute {
        Some(stamp) if !short => Some(stamp),
        Some(stamp) => {
            let other = of_text().filter(|shown| (shown.date() - stamp.date()).whole_days().abs() > 1);
            Some(other.unwrap_or(stamp))
        }
        None => of_text().or_else(|| find_short(&text, style)),
    }
}

/// The date that shows when one points at a text such as `2 hours ago`.
pub(super) fn in_tip(doc: &Doc, id: NodeId, style: &DateStyle) -> Option<PartialDateTime> {
    const MAX_NODES: usize = 10;
    doc.subtree(id).take(MAX_NODES).find_map(|id| parse(doc.attr(id, LocalName::TITLE)?, style))
}

/// The date that an attribute within or right around a text states, such as `2 hours ago`, which shows when one points at it.
pub(super) fn stated_beside(doc: &Doc, text: NodeId, style: &DateStyle) -> Option<PartialDateTime> {
    const MAX_ABOVE: usize = 2;
    let is_date = |name: &str| {
        let ends = ["date", "time", "timestamp", "published"].iter().any(|end| name.ends_with(end));
        matches!(name, "title" | "datetime" | "ts" | "content") || name.starts_with("data-") && ends
    };
    let attributes = doc.ancestors(text).take(MAX_ABOVE).flat_map(|around| doc.attributes(around));
    let stated = attributes.filter(|attribute| (8..=60).contains(&attribute.value.len()));
    stated.filter(|attribute| is_date(doc.name_str(attribute.name))).find_map(|attribute| parse(attribute.value, style))
}

/// The date of a text that says published, else the first of which it does not say that it is another's.
fn of_page(text: &str, style: &DateStyle) -> Option<PartialDateTime> {
    let dates = dates(text, style);
    let published = dates.iter().find(|(_, label)| *label == Some(Label::Published));
    let any = dates.iter().find(|(_, label)| !matches!(label, Some(Label::Updated | Label::Unrelated)));
    published.or(any).map(|(stamp, _)| *stamp)
}

fn short_text(doc: &Doc, id: NodeId) -> Option<String> {
    const MAX_NODES: usize = 30;
    (doc.end(id) - id.index() <= MAX_NODES).then(|| text_of(doc, id))
}

/// Whether an element is called the date of a publication or of a change: by its classes, or by words within it or right before it.
fn kind(doc: &Doc, id: NodeId) -> Option<Label> {
    let is = |name: LocalName, value: &str| doc.attr(id, name).is_some_and(|own| own.eq_ignore_ascii_case(value));
    let classed = |words: &[&str]| has_word(doc, id, words);
    if doc.attr(id, LocalName::PUBDATE).is_some() || is(LocalName::ITEMPROP, "datePublished") || classed(PUBLISHED) {
        return Some(Label::Published);
    }
    if is(LocalName::ITEMPROP, "dateModified") || classed(CHANGED) {
        return Some(Label::Updated);
    }
    let own = short_text(doc, id).unwrap_or_default();
    let said = match dates(&own, &DateStyle::default()).first() {
        Some((_, label)) => *label,
        None => label(&own),
    };
    said.or_else(|| label(&before(doc, id)))
}

/// The words in the same small element right before an element.
fn before(doc: &Doc, id: NodeId) -> String {
    const MAX_NODES: usize = 40;
    const MAX_ABOVE: usize = 3;
    for around in doc.ancestors(id).take(MAX_ABOVE) {
        if doc.end(around) - around.index() > MAX_NODES || !doc.is_element(around) {
            break;
        }
        let texts = doc.subtree(around).take_while(|&node| node != id).filter(|&node| doc.is_text(node));
        let words = collapse(&texts.map(|node| doc.text(node)).collect::<Vec<_>>().join(" "));
        if !words.is_empty() {
            // What another date stands behind is said of that.
            let end = words.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
            return words[end..].to_owned();
        }
    }
    String::new()
}

/// Whether a class or id of an element has one of these words.
fn has_word(doc: &Doc, id: NodeId, words: &[&str]) -> bool {
    let values = [LocalName::CLASS, LocalName::ID].into_iter().filter_map(|name| doc.attr(id, name));
    values.filter(|value| value.len() <= 300).any(|value| {
        let mut parts = value.split(|c: char| !c.is_ascii_alphanumeric());
        parts.any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
    })
}

/// Whether a class or id of an element has a word of what stands beside the text, or of a teaser that shows another page: one
/// without is the line at the title that says who wrote this page and when.
fn is_named_beside(doc: &Doc, id: NodeId) -> bool {
    has_word(doc, id, TEASERS) && shows_page(doc, id) || is_called_beside(doc, id)
}

/// Whether an element has or is in a link of several words, or has a heading of more than a day.
fn shows_page(doc: &Doc, id: NodeId) -> bool {
    const MAX_NODES: usize = 60;
    const LEAST_WORDS: usize = 4;
    let is_long = |id: NodeId| text_of(doc, id).split_ascii_whitespace().take(LEAST_WORDS).count() == LEAST_WORDS;
    let shows = |id: NodeId| match doc.name(id) {
        LocalName::A => is_long(id),
        name => heading_rank(name).is_some() && without_dates(&text_of(doc, id)).contains(char::is_alphabetic),
    };
    doc.ancestors(id).take(3).any(|around| doc.name(around) == LocalName::A)
        || doc.subtree(id).take(MAX_NODES).filter(|&id| doc.is_element(id)).any(shows)
}

fn is_called_beside(doc: &Doc, id: NodeId) -> bool {
    has_word(doc, id, BESIDE) && {
        let is_said = |name: &str| {
            let of_builder = BUILDERS.iter().any(|start| name.starts_with(start));
            let says = |part: &str| {
                let word = BESIDE.iter().find(|word| part.eq_ignore_ascii_case(word));
                word.is_some_and(|word| !of_builder || !OF_ANY_BOX.contains(word))
            };
            name.split(|c: char| !c.is_ascii_alphanumeric()).any(says)
        };
        let values = [LocalName::CLASS, LocalName::ID].into_iter().filter_map(|name| doc.attr(id, name));
        values.filter(|value| value.len() <= 300).any(|value| value.split_ascii_whitespace().any(is_said))
    }
}

/// Whether what an element holds is said of the page: it stands in no comment, quotation, navigation or side box, and in no teaser of
/// another page.
pub(super) fn is_own(context: &MetadataContext<'_>, id: NodeId) -> bool {
    let doc = context.page.doc;
    let heads = |around: NodeId| context.heading.is_some_and(|heading| doc.contains(around, heading));
    let beside = |around: NodeId| match doc.name(around) {
        LocalName::NAV | LocalName::ASIDE => true,
        LocalName::FOOTER => !doc.ancestors(around).any(|id| doc.name(id) == LocalName::ARTICLE),
        LocalName::BLOCKQUOTE | LocalName::CODE | LocalName::PRE | LocalName::FIGCAPTION => true,
        LocalName::HEADER => holds(doc, around, |name| name == LocalName::NAV),
        LocalName::ARTICLE | LocalName::LI => {
            context.heading.is_some()
                && holds(doc, around, |name| heading_rank(name).is_some())
                && !holds_most(doc, around)
        }
        LocalName::BODY | LocalName::HTML | LocalName::MAIN => false,
        _ if has_word(doc, around, CARDS) => {
            context.heading.is_some() && holds(doc, around, |name| heading_rank(name).is_some())
        }
        _ => is_named_beside(doc, around) && !has_word(doc, around, ARRANGES),
    };
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND).filter(|&id| doc.is_element(id));
    !is_comment(doc, id) && !around.any(|around| !heads(around) && beside(around))
}

/// Whether an element belongs to a comment, to the site, or to a box or a teaser beside the text.
fn is_another(context: &MetadataContext<'_>, id: NodeId) -> bool {
    let doc = context.page.doc;
    let is_aside = || is_beside(doc, id) && !is_in_side_of_article(context, id);
    is_comment(doc, id) || is_in_footer(doc, id) || is_aside() || is_in_card(context, id)
}

/// Whether an element stands in a bar that is called no more than one, beside the text of the article that the title heads.
fn is_in_side_of_article(context: &MetadataContext<'_>, id: NodeId) -> bool {
    const SIDE: &str = "sidebar";
    let (doc, Some(heading)) = (context.page.doc, context.heading) else { return false };
    let others: Vec<&str> = BESIDE.iter().chain(TEASERS).copied().filter(|word| *word != SIDE).collect();
    let within = |around: &NodeId| doc.is_element(*around) && !doc.contains(*around, heading);
    let mut bar = doc.ancestors(id).take(MAX_AROUND).take_while(within);
    let is_plain = bar.all(|around| doc.name(around) != LocalName::ASIDE && !has_word(doc, around, &others));
    let mut around = doc.ancestors(id).take(MAX_AROUND).filter(|&around| doc.contains(around, heading));
    is_plain
        && around
            .next()
            .is_some_and(|around| doc.ancestors(around).chain([around]).any(|id| doc.name(id) == LocalName::ARTICLE))
}

/// Whether an element stands in a card that is headed by a link and has no part in the title: it shows another page.
fn is_in_card(context: &MetadataContext<'_>, id: NodeId) -> bool {
    let doc = context.page.doc;
    let Some(heading) = context.heading else { return false };
    let mut around = doc.ancestors(id).take(MAX_AROUND).filter(|&around| doc.is_element(around));
    around
        .any(|around| has_word(doc, around, CARDS) && !doc.contains(around, heading) && has_linked_heading(doc, around))
}

/// Whether a heading within an element is a link, or stands in one.
fn has_linked_heading(doc: &Doc, id: NodeId) -> bool {
    const MAX_NODES: usize = 200;
    const MAX_WITHIN: usize = 10;
    let is_link = |id: &NodeId| doc.name(*id) == LocalName::A;
    let mut headings = doc.subtree(id).take(MAX_NODES).filter(|&id| heading_rank(doc.name(id)).is_some());
    headings.any(|heading| {
        let within = doc.subtree(heading).take(MAX_WITHIN);
        within.chain(doc.ancestors(heading).take(3)).any(|id| is_link(&id))
    })
}

/// Whether an attribute of an element may be of the page: it is none of a component that shows another one. What stands before the
/// title is the page's.
pub(super) fn may_state(context: &MetadataContext<'_>, id: NodeId) -> bool {
    let doc = context.page.doc;
    let is_before = context.heading.is_some_and(|heading| id.index() < heading.index());
    let is_beside = || is_in_footer(doc, id) || is_beside(doc, id) && !is_before;
    !is_comment(doc, id) && !is_beside() && !has_word(doc, id, CARDS) && !is_in_card(context, id)
}

/// Whether an element stands in the cell of a table beside a heading that does not speak of a publication: `Opened | 12 March 2019`; or
/// beside cells with other days, as in calendars and timetables.
pub(super) fn is_fact(doc: &Doc, id: NodeId) -> bool {
    const MAX_CELLS: usize = 4;
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND);
    let Some(cell) = around.find(|&around| doc.name(around) == LocalName::TD) else { return false };
    let Some(row) = doc.parent(cell).filter(|&row| doc.name(row) == LocalName::TR) else { return false };
    let cells =
        doc.subtree(row).skip(1).filter(|&id| doc.parent(id) == Some(row) && doc.is_element(id)).take(MAX_CELLS);
    let cells: Vec<NodeId> = cells.collect();
    let is_dated = |cell: &&NodeId| {
        let text = short_text(doc, **cell).filter(|text| text.len() <= 60);
        text.is_some_and(|text| !dates(&text, &DateStyle::default()).is_empty())
    };
    if cells.iter().filter(is_dated).take(2).count() == 2 {
        return true;
    }
    let head = cells.into_iter().find(|&cell| doc.name(cell) == LocalName::TH).and_then(|head| short_text(doc, head));
    head.is_some_and(|head| matches!(label(&head), None | Some(Label::Unrelated)) && !is_date_word(&head))
}

/// Whether an element stands in a box beside the text, or in the navigation.
fn is_beside(doc: &Doc, id: NodeId) -> bool {
    let mut around = doc.ancestors(id).take(MAX_AROUND).filter(|&around| doc.is_element(around));
    around.any(|around| {
        let is_named = || is_named_beside(doc, around) && !has_word(doc, around, ARRANGES);
        match doc.name(around) {
            LocalName::ASIDE | LocalName::NAV => true,
            LocalName::BODY | LocalName::HTML | LocalName::MAIN => false,
            _ => is_named(),
        }
    })
}

/// What a footer holds is said of the whole site, at most.
fn is_in_footer(doc: &Doc, id: NodeId) -> bool {
    let is_footer =
        |around: NodeId| doc.name(around) == LocalName::FOOTER || has_word(doc, around, &["footer", "colophon"]);
    let footers = doc.ancestors(id).filter(|&around| doc.is_element(around) && is_footer(around));
    let mut of_page = footers.map(|footer| doc.ancestors(footer).any(|around| doc.name(around) == LocalName::ARTICLE));
    of_page.any(|of_article| !of_article)
}

fn holds(doc: &Doc, id: NodeId, wanted: impl Fn(LocalName) -> bool) -> bool {
    const MAX_NODES: usize = 200;
    doc.subtree(id).take(MAX_NODES).any(|id| wanted(doc.name(id)))
}
