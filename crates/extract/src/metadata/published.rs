//! When a page was published: declarations first, then what stands near the title, then whatever else tells.

use std::ops::Range;
use std::sync::LazyLock;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{Page, Row};
use gristmill_text::collapse;
use memchr::memmem::{self, Finder};

use super::date::{self, Stamp};
use super::items::Items;
use super::json_ld::Facts;

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
/// Words that stand before the date of publication, in lower case.
#[rustfmt::skip]
const PUBLISHED: &[&str] = &[
    "published", "posted", "created", "written", "first published", "veröffentlicht", "erstellt", "publié", "publicado",
    "pubblicato", "gepubliceerd", "geplaatst", "publicerad", "publisert", "udgivet", "julkaistu", "opublikowano",
    "publikováno", "megjelent", "publicat", "опубликовано", "опубліковано", "публикувано", "δημοσιεύθηκε", "yayınlanma",
    "diterbitkan", "xuất bản", "发布", "发表", "發布", "發表", "公開日", "投稿日", "掲載日", "등록", "입력", "نشر",
];
/// Words that stand before the date of the last change.
#[rustfmt::skip]
const UPDATED: &[&str] = &[
    "updated", "last modified", "modified", "last reviewed", "edited", "aktualisiert", "geändert", "mis à jour",
    "actualizado", "atualizado", "aggiornato", "bijgewerkt", "uppdaterad", "oppdatert", "opdateret", "päivitetty",
    "zaktualizowano", "aktualizace", "aktualizováno", "frissítve", "actualizat", "обновлено", "оновлено", "ενημερώθηκε",
    "güncelleme", "güncellenme", "diperbarui", "cập nhật", "更新", "修改", "最終更新", "수정", "تحديث",
];
/// Words that stand before a date of either kind.
const DATED: &[&str] = &["date:", "stand:", "时间：", "时间:", "日期", "時間", "入力"];

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
        attribute.and_then(date::parse).or_else(|| date::find(&gristmill_page::text_of(doc, id)))
    };
    let time =
        || items.times.iter().filter(|id| doc.attr(**id, Name::PUBDATE).is_some()).chain(&items.times).find_map(value);
    let short = |most: u32| move |row: &&Row| row.chars <= most;
    let near_rows = || page.rows[near.clone()].iter().filter(short(160));
    let modified = || facts.modified.as_deref().and_then(date::parse).or_else(|| meta(MODIFIED_KEYS));
    let found = facts.published.as_deref().and_then(date::parse);
    let found = found.or_else(|| meta(DATE_KEYS)).or_else(published_meta);
    let found = found.or_else(|| items.dates.iter().find_map(value)).or_else(time);
    let found = found.or_else(|| choose(near_rows().map(|row| page.row_text(row)), true));
    let found = found.or_else(|| items.dated.iter().find_map(|&id| named(doc, id)));
    let found = found.or_else(|| choose(page.rows.iter().filter(short(120)).map(|row| page.row_text(row)), false));
    let after_title = near.start..(near.end + 20).min(page.rows.len());
    let brief = || page.rows[after_title].iter().filter(short(40)).find_map(|row| date::find(page.row_text(row)));
    let found = found.or_else(brief).or_else(|| attribute(doc)).or_else(|| state(doc));
    let found = found.or_else(|| url.and_then(|url| date::in_path(path(url))));
    let with_time = |row: &Row| date::find(page.row_text(row)).filter(Stamp::has_time);
    found.or_else(modified).or_else(|| page.rows.iter().filter(short(80)).find_map(with_time))
}

fn named(doc: &Doc, id: NodeId) -> Option<Stamp> {
    const MOST: usize = 120;
    let text = gristmill_page::text_of(doc, id);
    if text.chars().count() > MOST { None } else { date::find(&text).or_else(|| date::with_short_year(&text)) }
}

/// What is said of a date by the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Published,
    Updated,
    Other,
}

/// The first date of some rows; one that is labelled as published where the first is that of a change. `bare` dates
/// count without a label, too.
fn choose<'t>(rows: impl Iterator<Item = &'t str>, bare: bool) -> Option<Stamp> {
    let mut changed = None;
    for (stamp, label) in rows.flat_map(dates) {
        match label {
            Some(Label::Updated) => changed = changed.or(Some(stamp)),
            Some(Label::Published) => return Some(stamp),
            Some(Label::Other) | None if changed.is_none() && (bare || label.is_some()) => return Some(stamp),
            _ => {}
        }
    }
    changed
}

/// The dates of a row, each with what the words since the one before say of it; of the last one what stands behind
/// it may (`2018-12-31 发布`).
fn dates(text: &str) -> Vec<(Stamp, Option<Label>)> {
    let mut dates = Vec::new();
    let mut from = 0;
    while let Some((stamp, range)) = date::find_from(text, from) {
        dates.push((stamp, label(&text[from..range.start])));
        from = range.end;
    }
    if let Some((_, last @ None)) = dates.last_mut() {
        *last = label(&text[from..]);
    }
    dates
}

/// The label nearest to the end of some words.
fn label(words: &str) -> Option<Label> {
    let words = words.to_lowercase();
    let last = |labels: &[&str]| labels.iter().filter_map(|label| words.rfind(label)).max();
    let found = [(PUBLISHED, Label::Published), (UPDATED, Label::Updated), (DATED, Label::Other)];
    let found = found.into_iter().filter_map(|(labels, label)| Some((last(labels)?, label)));
    found.max_by_key(|&(at, _)| at).map(|(_, label)| label)
}

/// `datetime`, `data-date`, `…timestamp` and `ts` of any element, as components of pages have them.
fn attribute(doc: &Doc) -> Option<Stamp> {
    let is_time = |name: &str| {
        name.ends_with("timestamp") || matches!(name, "ts" | "datetime" | "data-date" | "data-time" | "data-published")
    };
    // The name decides for nearly all, and most names are known ones.
    let mut known = [None; Name::TABLE_LEN];
    let mut is_time = |at: usize| {
        let name = doc.attribute_name(at);
        match known.get_mut(name.index()) {
            Some(known) => *known.get_or_insert_with(|| is_time(doc.name_str(name))),
            None => is_time(doc.name_str(name)),
        }
    };
    // Most pages have none, which takes no walk through the elements to see.
    if !(0..doc.n_attributes()).any(&mut is_time) {
        return None;
    }
    let elements = doc.ids().filter(|&id| doc.is_element(id) && doc.name(id) != Name::META);
    elements
        .flat_map(|id| doc.attribute_range(id))
        .filter(|&at| is_time(at))
        .map(|at| doc.attribute_value(at))
        .filter(|value| value.len() >= 8 && value.len() <= 40)
        .find_map(date::parse)
}

/// The first date under a key of publication in the scripts, or in attributes that hold state.
fn state(doc: &Doc) -> Option<Stamp> {
    static FINDERS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| IN_STATE_KEYS.map(Finder::new));
    let scripts = doc.ids().filter(|&id| doc.name(id) == Name::SCRIPT).filter_map(|id| doc.first_child(id));
    let attributes = (0..doc.n_attributes()).map(|at| doc.attribute_value(at)).filter(|value| value.len() >= 200);
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
    fn of_several_dates_the_one_labelled_as_published_counts() {
        let of = |rows: &[&str]| choose(rows.iter().copied(), true).map(|stamp| stamp.to_string());
        let first = Some("2019-05-01".to_owned());
        assert_eq!(of(&["Updated 3 May 2021 | Published 1 May 2019"]), first);
        assert_eq!(of(&["Last updated: 3 May 2021", "Posted on 1 May 2019"]), first);
        assert_eq!(of(&["更新：2021-05-03 发布：2019-05-01"]), first);
        assert_eq!(of(&["1 May 2019 (updated 3 May 2021)"]), first);
        assert_eq!(of(&["2021-05-03 更新", "2019-05-01 发布"]), first);
        assert_eq!(of(&["Updated 1 May 2019", "3 May 2021"]), first, "nothing says what the other is");
        assert_eq!(
            choose(["3 May 2021", "Veröffentlicht am 1. Mai 2019"].into_iter(), false).unwrap().to_string(),
            "2019-05-01"
        );
    }

    #[test]
    fn every_key_of_a_state_has_a_part_that_scripts_are_looked_through_for() {
        assert!(STATE_KEYS.iter().all(|key| IN_STATE_KEYS.iter().any(|part| key.contains(part))));
    }
}
