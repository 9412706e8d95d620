//! Several dates in the rows of a page: which of them says when it was published.

use std::sync::LazyLock;

use gristmill_text::Phrases;

use super::stamp::{self, Stamp};

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

/// What is said of a date by the words before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Published,
    Updated,
    Other,
}

/// The first date of some rows; one that is labelled as published where the first is that of a change. `bare` dates
/// count without a label, too.
pub(super) fn choose<'t>(rows: impl Iterator<Item = &'t str>, bare: bool) -> Option<Stamp> {
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
    while let Some((stamp, range)) = stamp::find_from(text, from) {
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
    static LABELS: LazyLock<[(Phrases, Label); 3]> = LazyLock::new(|| {
        let lists = [(PUBLISHED, Label::Published), (UPDATED, Label::Updated), (DATED, Label::Other)];
        lists.map(|(labels, label)| (Phrases::new(labels), label))
    });
    let words = words.to_lowercase();
    let last = |labels: &Phrases| {
        let mut last = None;
        labels.find(&words, |_, at| {
            last = last.max(Some(at));
            false
        });
        last
    };
    let found = LABELS.iter().filter_map(|(labels, label)| Some((last(labels)?, *label)));
    found.max_by_key(|&(at, _)| at).map(|(_, label)| label)
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
}
