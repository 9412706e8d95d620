//! When a page was published: declarations first, then what stands near the title, then whatever else tells.

use std::ops::Range;
use std::sync::LazyLock;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::collapse;
use memchr::memmem::{self, Finder};

use super::Items;
use super::byline::Shapes;
use super::date::{self, Stamp};
use super::json_ld::Facts;
use crate::page::{Page, Row};

const DATE_KEYS: &[&str] = &[
    "article:published_time",
    "og:published_time",
    "og:article:published_time",
    "datepublished",
    "publishdate",
    "publish_date",
    "published",
    "pubdate",
    "publication_date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "dcterms.created",
    "parsely-pub-date",
    "sailthru.date",
    "citation_publication_date",
    "article.published",
    "og:release_date",
    "weibo: article:create_at",
    "date",
];
const MODIFIED_KEYS: &[&str] = &[
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "ms.date",
    "last-modified",
    "revised",
];
/// Keys of a page's state.
const STATE_KEYS: &[&str] = &[
    "\"datePublished\":\"",
    "\"datePublished\": \"",
    "\"publishDate\":\"",
    "\"publishedAt\":\"",
    "\"published_at\":\"",
    "\"publishedDate\":\"",
    "\"pubDate\":\"",
    "\"date_published\":\"",
    "&quot;datePublished&quot;:&quot;",
];
/// One of these is in each of them: most scripts have neither.
const IN_STATE_KEYS: [&str; 2] = ["ublish", "\"pubDate"];
/// Words that stand before the date of a page, in lower case.
const LABELS: &[&str] = &[
    "published",
    "posted",
    "updated",
    "created",
    "written",
    "date:",
    "last modified",
    "last reviewed",
    "veröffentlicht",
    "erstellt",
    "aktualisiert",
    "stand:",
    "publié",
    "mis à jour",
    "publicado",
    "actualizado",
    "atualizado",
    "pubblicato",
    "aggiornato",
    "gepubliceerd",
    "publicerad",
    "opublikowano",
    "опубликовано",
    "yayınlanma",
    "güncelleme",
    "发布",
    "发表",
    "更新",
    "时间：",
    "时间:",
    "日期",
    "發布",
    "發表",
    "時間",
    "公開日",
    "投稿日",
    "入力",
    "등록",
    "نشر",
];

/// The day, and the time with its zone where given, that a page was published.
///
/// JSON-LD; `meta`; `itemprop`; `time`; rows near the title; elements whose class names a date; rows with a label such
/// as `Published` or `发布时间`; attributes and the page's state; the path of the address; when it was last changed; the
/// first date with a time of day in a short row. O(page).
pub(super) fn published(
    page: &Page<'_>,
    facts: &Facts,
    items: &Items,
    near: Range<usize>,
    url: Option<&str>,
) -> Option<Stamp> {
    let doc = page.doc;
    let meta = |keys: &[&str]| keys.iter().filter_map(|key| doc.meta(key)).find_map(date::parse);
    let published_meta = || {
        let named = |key: &str| {
            let key = key.to_ascii_lowercase();
            key.contains("publi") && (key.contains("date") || key.contains("time"))
        };
        doc.metas().filter(|meta| named(meta.key)).find_map(|meta| date::parse(meta.content))
    };
    let value = |&id: &NodeId| {
        let attribute = doc.attr(id, Name::DATETIME).or_else(|| doc.attr(id, Name::CONTENT));
        attribute.and_then(date::parse).or_else(|| date::find(&crate::title::text_of(doc, id)))
    };
    let time =
        || items.times.iter().filter(|id| doc.attr(**id, Name::PUBDATE).is_some()).chain(&items.times).find_map(value);
    let short = |most: u32| move |row: &&Row| row.chars <= most;
    let near_rows = || page.rows[near.clone()].iter().filter(short(160));
    let modified = || facts.modified.as_deref().and_then(date::parse).or_else(|| meta(MODIFIED_KEYS));
    let found = facts.published.as_deref().and_then(date::parse);
    let found = found.or_else(|| meta(DATE_KEYS)).or_else(published_meta);
    let found = found.or_else(|| items.dates.iter().find_map(value)).or_else(time);
    let found = found.or_else(|| near_rows().find_map(|row| date::find(page.row_text(row))));
    let found = found.or_else(|| items.dated.iter().find_map(|&id| named(doc, id)));
    let found = found.or_else(|| page.rows.iter().filter(short(120)).find_map(|row| labelled(page.row_text(row))));
    let after_title = near.start..(near.end + 20).min(page.rows.len());
    let brief = || page.rows[after_title].iter().filter(short(40)).find_map(|row| date::find(page.row_text(row)));
    let found = found.or_else(brief).or_else(|| attribute(doc)).or_else(|| state(doc));
    let found = found.or_else(|| url.and_then(|url| date::in_path(path(url))));
    let with_time = |row: &Row| date::find(page.row_text(row)).filter(Stamp::has_time);
    found.or_else(modified).or_else(|| page.rows.iter().filter(short(80)).find_map(with_time))
}

/// Words of classes and ids that name a date.
pub(super) const NAMES: [&str; 14] = [
    "date",
    "time",
    "dateline",
    "published",
    "pubdate",
    "pubtime",
    "publishtime",
    "timestamp",
    "datetime",
    "posted",
    "datum",
    "fecha",
    "riqi",
    "shijian",
];

/// Whether a class or id names a date, on token boundaries: `post-date` and `pubTime` do, `update-button` does not.
pub(super) fn is_date_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    const SHAPES: Shapes = Shapes::of(&NAMES);
    let is_name =
        |word: &[u8]| SHAPES.fits(word) && NAMES.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    let bytes = value.as_bytes();
    // A word ends before a capital; it begins after what is no letter or digit, and at a capital after a small letter.
    let mut start: Option<usize> = None;
    let mut before = b' ';
    for (at, &byte) in bytes.iter().enumerate() {
        let ends = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase();
        if ends && start.take().is_some_and(|start| is_name(&bytes[start..at])) {
            return true;
        }
        let follows_small = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        if byte.is_ascii_alphanumeric() && (!before.is_ascii_alphanumeric() || follows_small) {
            start = Some(at);
        }
        before = byte;
    }
    start.is_some_and(|start| is_name(&bytes[start..]))
}

fn named(doc: &Doc, id: NodeId) -> Option<Stamp> {
    const MOST: usize = 120;
    let text = crate::title::text_of(doc, id);
    if text.chars().count() > MOST { None } else { date::find(&text).or_else(|| date::with_short_year(&text)) }
}

fn labelled(text: &str) -> Option<Stamp> {
    date::find(text).filter(|_| {
        let lower = text.to_lowercase();
        LABELS.iter().any(|label| lower.contains(label))
    })
}

/// `datetime`, `data-date`, `…timestamp` and `ts` of any element, as components of pages have them.
fn attribute(doc: &Doc) -> Option<Stamp> {
    let is_time = |name: &str| {
        name.ends_with("timestamp") || matches!(name, "ts" | "datetime" | "data-date" | "data-time" | "data-published")
    };
    // The name decides for nearly all, and most names are known ones.
    let mut known = [None; Name::TABLE_LEN];
    let mut is_time = |name: Name| match known.get_mut(name.index()) {
        Some(known) => *known.get_or_insert_with(|| is_time(doc.name_str(name))),
        None => is_time(doc.name_str(name)),
    };
    let elements = doc.ids().filter(|&id| doc.is_element(id) && doc.name(id) != Name::META);
    elements
        .flat_map(|id| doc.attribute_range(id))
        .filter(|&at| is_time(doc.attribute_name(at)))
        .map(|at| doc.attribute_value(at))
        .filter(|value| value.len() >= 8 && value.len() <= 40)
        .find_map(date::parse)
}

/// The first date under a key of publication in the scripts, or in attributes that hold state.
fn state(doc: &Doc) -> Option<Stamp> {
    static FINDERS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| IN_STATE_KEYS.map(Finder::new));
    let scripts = doc.ids().filter(|&id| doc.name(id) == Name::SCRIPT).filter_map(|id| doc.first_child(id));
    let attributes = doc.ids().filter(|&id| doc.is_element(id)).flat_map(|id| doc.attributes(id));
    let attributes = attributes.map(|attribute| attribute.value).filter(|value| value.len() >= 200);
    for script in scripts.map(|text| doc.text(text)).chain(attributes) {
        if !FINDERS.iter().any(|part| part.find(script.as_bytes()).is_some()) {
            continue;
        }
        for key in STATE_KEYS {
            let Some(at) = memmem::find(script.as_bytes(), key.as_bytes()) else { continue };
            let value = &script[at + key.len()..];
            let value = &value[..value.floor_char_boundary(40)];
            let end = value.find(['"', '&', '\\']).unwrap_or(value.len());
            if let Some(stamp) = date::parse(&collapse(&value[..end])) {
                return Some(stamp);
            }
        }
    }
    None
}

fn path(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    url[from..].find('/').map_or("", |at| &url[from + at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_state_has_a_part_that_scripts_are_looked_through_for() {
        assert!(STATE_KEYS.iter().all(|key| IN_STATE_KEYS.iter().any(|part| key.contains(part))));
    }
}
