//! Several dates in the rows of a page: which of them says when it was published.

use std::sync::LazyLock;

use gristmill_text::PhraseMatcher;

use super::stamp::{self, PartialDateTime};
use super::style::DateStyle;

/// Words that stand before the date of publication, in lower case.
#[rustfmt::skip]
const PUBLISHED: &[&str] = &[
    "published", "posted", "created", "written", "first published", "veröffentlicht", "erstellt", "gepostet", "publié", "publicado",
    "pubblicato", "gepubliceerd", "geplaatst", "publicerad", "publisert", "udgivet", "julkaistu", "opublikowano",
    "publikováno", "megjelent", "publicat", "опубликовано", "опубліковано", "публикувано", "δημοσιεύθηκε", "yayınlanma",
    "giriş tarihi", "yayın tarihi", "diterbitkan", "xuất bản", "发布", "发表", "發布", "發表", "公開日", "投稿日", "掲載日", "등록", "입력", "نشر",
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
/// How the sentence below an entry begins that says when it was published, and where it was filed.
#[rustfmt::skip]
const THIS_ENTRY: &[&str] = &[
    "this entry was", "this post was", "this article was", "dieser eintrag wurde", "dieser beitrag wurde", "dieser artikel wurde",
    "esta entrada fue", "este artículo fue", "cet article a été", "cette entrée a été", "ce billet a été", "questo articolo è stato",
    "questo post è stato", "esta entrada foi", "este artigo foi", "este post foi", "dit bericht is", "dit bericht werd",
    "detta inlägg", "det här inlägget", "dette indlæg", "dette innlegget", "ten wpis został", "wpis został", "tento článek byl",
    "tento příspěvek byl", "tämä artikkeli", "ez a bejegyzés", "acest articol a fost", "запись опубликована", "эта запись",
    "bu yazı", "この投稿は", "この記事は",
];
/// Words that say of a date that it is the first of several days of publication.
#[rustfmt::skip]
const FIRST: &[&str] = &[
    "originally published", "first published", "originally posted", "originally appeared", "first posted",
    "zuerst veröffentlicht", "erstmals veröffentlicht", "erstveröffentlichung", "ursprünglich veröffentlicht",
    "initialement publié", "publié initialement", "publicado originalmente", "publicado por primera vez", "首发于", "初出",
];
/// Words that stand before days of other things: of the founding of a firm, a birth, an end; or before numbers like days.
#[rustfmt::skip]
const UNRELATED: &[&str] = &[
    "founded", "established", "expires", "expiry", "expiration", "valid until", "valid from", "born", "died", "copyright", "©",
    "phone", "fax", "registration", "offer ends", "sale ends", "ends on", "back in stock", "best before", "use by", "available from",
    "first available", "delivery", "delivered", "get it by", "arrives", "apply by", "apply until", "apply before", "deadline",
    "closing date", "when:", "doors open", "member since", "joined", "order date", "ordered on", "order placed", "taken on", "pictured",
    "photographed",
    "gültig bis", "gültig ab", "geboren", "gestorben", "telefon", "anmeldeschluss", "bewerbungsfrist", "frist", "lieferung", "lieferbar ab",
    "verfügbar ab", "wann:", "einlass", "erstzulassung", "né le", "née le", "décédé", "date limite", "valable", "livraison", "quand :",
    "téléphone", "nacido", "nacida", "fallecido", "válido", "fecha límite", "plazo", "entrega", "cuándo", "teléfono", "nato il", "nata il",
    "morto", "scadenza", "valido", "consegna", "quando:", "telefono", "telefone", "prazo", "geldig", "levering", "wanneer", "ważne do",
    "dostawa", "termin", "срок", "доставка", "родился", "родилась", "телефон", "son başvuru", "teslimat", "有效期", "截止", "到货", "生产日期",
    "release date", "release date:", "start date:", "event date:", "launch date:", "starts", "releases on", "launch date", "in cinemas", "premieres on", "course starts", "course start", "start date",
    "event date", "next date", "generated on", "page generated", "släpps", "lanseras", "erscheint am", "erscheinungstermin",
    "kursbeginn", "kursstart", "sortie le", "date de sortie", "début du cours", "fecha de lanzamiento", "fecha de estreno", "inicio del curso",
    "data di uscita", "inizio corso", "data de lançamento", "início do curso", "releasedatum", "startdatum", "дата выхода", "дата релиза",
    "начало курса", "发售日", "上映", "発売日", "発売", "출시일", "개봉",
    "期限", "締切", "開催", "お届け", "마감", "유효기간", "배송",
];

/// Longest row that is a label of the next, in bytes.
pub(super) const MAX_LABEL: usize = 40;

/// What is said of a date by the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Published,
    Updated,
    Other,
    /// Not of the page.
    Unrelated,
}

/// The dates that some rows show.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShownDates {
    /// The first that is labelled as published or not labelled.
    pub(super) published: Option<PartialDateTime>,
    /// The first that is labelled as that of a change.
    pub(super) changed: Option<PartialDateTime>,
}

/// The dates of some rows: one that is labelled as published where the first is that of a change. `bare` dates count without a label,
/// too.
pub(super) fn shown<'t>(rows: impl Iterator<Item = &'t str>, bare: bool, style: &DateStyle) -> ShownDates {
    let mut found = ShownDates::default();
    for (stamp, label) in labelled(rows, style) {
        match label {
            Some(Label::Updated) => found.changed = found.changed.or(Some(stamp)),
            Some(Label::Published) => {
                // A publication goes before a date of which nothing is said only where that may be the change.
                found.published = Some(stamp);
                return found;
            }
            Some(Label::Other) | None if found.changed.is_none() && (bare || label.is_some()) => {
                found.published = found.published.or(Some(stamp));
                return found;
            }
            _ => {}
        }
    }
    found
}

/// The day that a row says to be the first of several.
pub(super) fn first_published<'t>(
    mut rows: impl Iterator<Item = &'t str>,
    style: &DateStyle,
) -> Option<PartialDateTime> {
    static LEADS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(FIRST));
    rows.find_map(|row| says(&LEADS, row).then(|| stamp::find(row, style)).flatten())
}

/// The day of the sentence that says of the entry above it when it was published.
pub(super) fn of_entry<'t>(mut rows: impl Iterator<Item = &'t str>, style: &DateStyle) -> Option<PartialDateTime> {
    static LEADS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(THIS_ENTRY));
    const MAX_START: usize = 60;
    let starts = |row: &str| says(&LEADS, &row[..row.floor_char_boundary(MAX_START)]);
    let mut dates = rows.by_ref().filter(|row| starts(row)).flat_map(|row| dates(row, style).into_iter().take(1));
    dates.find(|(_, label)| !matches!(label, Some(Label::Updated))).map(|(stamp, _)| stamp)
}

fn says(leads: &PhraseMatcher, row: &str) -> bool {
    if row.is_ascii() { leads.is_in(row) } else { leads.is_in(&row.to_lowercase()) }
}

/// The dates of rows with what is said of them; a row that is a label and no more says it of the next.
fn labelled<'t>(
    rows: impl Iterator<Item = &'t str>,
    style: &DateStyle,
) -> impl Iterator<Item = (PartialDateTime, Option<Label>)> {
    let mut before = None;
    rows.flat_map(move |row| {
        let mut dates = dates(row, style);
        let lead = std::mem::take(&mut before);
        match dates.first_mut() {
            Some((_, own)) => *own = own.or_else(|| lead.and_then(label)),
            None => before = Some(row).filter(|row| row.len() <= MAX_LABEL),
        }
        dates
    })
}

/// The dates of a row, each with what the words since the one before say of it; of the last one what stands behind
/// it may (`2018-12-31 发布`).
pub(super) fn dates(text: &str, style: &DateStyle) -> Vec<(PartialDateTime, Option<Label>)> {
    const MAX_SHORT: usize = 60;
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let style = style.of_text(text);
    let text = &*stamp::plain_digits(text);
    let mut dates = Vec::new();
    let mut from = 0;
    while let Some((stamp, range)) = stamp::find_from(text, from, &style) {
        dates.push((stamp, label(&text[from..range.start])));
        from = range.end;
    }
    if dates.is_empty() && text.len() <= MAX_SHORT {
        dates.extend(stamp::find_short(text, &style).map(|stamp| (stamp, label(text))));
    }
    if let Some((_, last @ None)) = dates.last_mut() {
        *last = label(&text[from..]);
    }
    dates
}

/// The label nearest to the end of some words.
pub(super) fn label(words: &str) -> Option<Label> {
    static LABELS: LazyLock<[(PhraseMatcher, &[&str], Label); 4]> = LazyLock::new(|| {
        let lists: [(&[&str], Label); 4] = [
            (PUBLISHED, Label::Published),
            (UPDATED, Label::Updated),
            (DATED, Label::Other),
            (UNRELATED, Label::Unrelated),
        ];
        lists.map(|(labels, label)| (PhraseMatcher::new(labels), labels, label))
    });
    if words.trim().is_empty() {
        return None;
    }
    if crate::parts::is_joined(words) {
        return Some(Label::Unrelated);
    }
    let words = words.to_lowercase();
    // Of two that end at once the longer: `release date:` is no `date:`.
    let last = |matcher: &PhraseMatcher, labels: &[&str]| {
        let mut last = None;
        matcher.find(&words, |number, at| {
            last = last.max(Some((at + labels[number].len(), labels[number].len())));
            false
        });
        last
    };
    let found = LABELS.iter().filter_map(|(matcher, labels, label)| Some((last(matcher, labels)?, *label)));
    found.max_by_key(|&(at, _)| at).map(|(_, label)| label)
}

/// Where the first label of a date begins behind another word.
pub(crate) fn label_start(text: &str) -> Option<usize> {
    static LABELS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(&[PUBLISHED, UPDATED].concat()));
    let lower = text.to_lowercase();
    let mut first = None;
    // Where letters change their length, nothing is told.
    if lower.len() == text.len() {
        LABELS.find(&lower, |_, at| {
            let begins = at > 0 && text.is_char_boundary(at) && text[..at].ends_with(' ');
            first = Some(at).filter(|_| begins);
            begins
        });
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_dates_the_one_labelled_as_published_counts() {
        let style = DateStyle::default();
        let of = |rows: &[&str]| {
            let shown = shown(rows.iter().copied(), true, &style);
            shown.published.or(shown.changed).map(|stamp| stamp.to_string())
        };
        let first = Some("2019-05-01".to_owned());
        assert_eq!(of(&["Updated 3 May 2021 | Published 1 May 2019"]), first);
        assert_eq!(of(&["Last updated: 3 May 2021", "Posted on 1 May 2019"]), first);
        assert_eq!(of(&["更新：2021-05-03 发布：2019-05-01"]), first);
        assert_eq!(of(&["1 May 2019 (updated 3 May 2021)"]), first);
        assert_eq!(of(&["2021-05-03 更新", "2019-05-01 发布"]), first);
        assert_eq!(of(&["Updated 1 May 2019", "3 May 2021"]), first, "nothing says what the other is");
        assert_eq!(
            shown(["3 May 2021", "Veröffentlicht am 1. Mai 2019"].into_iter(), false, &style)
                .published
                .unwrap()
                .to_string(),
            "2019-05-01"
        );
        assert_eq!(of(&["Last Updated", "3 May 2021", "Published on", "1 May 2019"]), first);
        assert_eq!(of(&["Release date: 3 May 2027", "Starts Tuesday 4 May 2027", "1 May 2019"]), first);
        assert_eq!(of(&["Joined: 3 May 2012", "Founded 4 May 2012", "1 May 2019"]), first);
    }
}
