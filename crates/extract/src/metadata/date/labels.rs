//! Several dates in the rows of a page: which of them says when it was published.

use std::ops::Range;
use std::sync::LazyLock;

use gristmill_text::PhraseMatcher;

use super::hours;
use super::prose;
use super::stamp::{self, PartialDateTime};
use super::style::DateStyle;
use super::weekdays::weekday_before;

/// Words that stand before the date of publication, in lower case.
#[rustfmt::skip]
const PUBLISHED: &[&str] = &[
    "published", "posted", "created", "written", "first published", "publication date", "date of publication",
    "veröffentlicht", "erstellt", "gepostet", "erschienen", "publiziert", "veröffentlichung", "veröffentlichungsdatum", "erscheinungsdatum",
    "publié", "mis en ligne", "mise en ligne", "date de publication", "paru le", "posté le", "créé le", "rédigé le",
    "publicado", "publicada", "creado", "creada", "publicación", "fecha de publicación", "publicat", "publicació", "publicação", "data de publicação", "postado",
    "criado em", "pubblicato", "pubblicata", "pubblicazione", "data di pubblicazione", "creato il", "inserito il",
    "gepubliceerd", "geplaatst", "publicatiedatum", "gepost op", "publicerad", "publicerat", "publicerades", "publiceringsdatum", "skapad",
    "publisert", "opprettet", "skrevet", "udgivet", "offentliggjort", "publiceret", "oprettet", "julkaistu", "julkaistiin", "julkaisupäivä",
    "luotu", "birt ", "birtist", "opublikowano", "opublikowany", "opublikowane", "data publikacji", "data dodania", "dodano", "utworzono",
    "publikováno", "zveřejněno", "vydáno", "vytvořeno", "vloženo", "publikované", "zverejnené", "uverejnené", "vytvorené", "vydané",
    "megjelent", "megjelenés", "közzétéve", "publikálva", "létrehozva", "postat", "data publicării", "adăugat",
    "objavljeno", "objavljen", "objavljena", "datum objave", "objava:", "објављено", "објављен", "датум објаве", "објавено",
    "опубликовано", "опубликован", "опубликована", "дата публикации", "публикация", "размещено", "добавлено", "создано", "дата создания",
    "опубліковано", "дата публікації", "розміщено", "створено", "апублікавана", "публикувано", "публикувана", "дата на публикуване",
    "δημοσιεύθηκε", "δημοσιεύτηκε", "δημοσίευση", "ημερομηνία δημοσίευσης", "αναρτήθηκε", "yayınlanma", "yayınlandı", "yayımlanma",
    "giriş tarihi", "giriş:", "yayın tarihi", "oluşturulma", "dərc", "avaldatud", "postitatud", "publicēts", "publicēta", "ievietots",
    "paskelbta", "paskelbimo", "publikuota", "sukurta", "publikuar", "botuar", "argitaratua", "argitaratze", "cyhoeddwyd", "foilsithe",
    "diterbitkan", "dipublikasikan", "diposting", "disiarkan", "diunggah", "xuất bản", "ngày đăng", "đăng ngày", "đăng lúc", "inilathala",
    "nailathala", "imechapishwa", "e'lon qilingan", "chop etilgan", "жарияланған", "жарияланды", "нийтэлсэн", "нийтлэгдсэн",
    "გამოქვეყნ", "հրապարակվ", "פורסם", "פרסום", "نشر", "انتشار", "منتشر", "تاریخ درج", "شائع", "اشاعت", "प्रकाशित", "প্রকাশ", "પ્રકાશિત",
    "ਪ੍ਰਕਾਸ਼ਿਤ", "வெளியிடப்பட்ட", "ప్రచురణ", "ప్రచురించ", "ಪ್ರಕಟ", "പ്രസിദ്ധീകരിച്ച", "เผยแพร่", "โพสต์", "ផ្សាយ", "ເຜີຍແຜ່", "ထုတ်ဝေ",
    "发布", "发表", "發布", "發佈", "發表", "刊登", "出版日期", "公開日", "投稿日", "掲載日", "掲載", "配信", "発行日", "発表日", "作成日",
    "등록", "입력", "게시일", "작성일", "발행일", "게재일", "송고",
];
/// Words that stand before the date of the last change.
#[rustfmt::skip]
const UPDATED: &[&str] = &[
    "updated", "last modified", "modified", "last reviewed", "edited", "revised", "last changed", "last change", "last update",
    "aktualisiert", "geändert", "letzte änderung", "aktualisierung", "überarbeitet", "zuletzt bearbeitet", "mis à jour", "mise à jour",
    "modifié", "actualisé", "actualizado", "actualizada", "actualización", "modificado", "modificación", "actualitzat", "actualitzada",
    "actualització", "modificat", "atualizado", "atualizada", "atualização", "modificação", "alterado em", "alteração",
    "aggiornato", "aggiornata", "aggiornamento", "ultima modifica", "modificato", "bijgewerkt", "gewijzigd", "laatste wijziging",
    "laatste update", "aangepast", "uppdaterad", "uppdaterades", "uppdaterat", "ändrad", "ändrades", "oppdatert", "endret", "opdateret",
    "ændret", "päivitetty", "päivitys", "muokattu", "uppfært", "zaktualizowano", "aktualizacja", "zmodyfikowano", "ostatnia zmiana",
    "modyfikacja", "zmieniono", "aktualizace", "aktualizováno", "poslední změna", "upraveno", "aktualizované", "aktualizácia",
    "posledná zmena", "upravené", "frissítve", "frissítés", "frissült", "módosítva", "utolsó módosítás", "actualizare", "ultima actualizare",
    "ažurirano", "osvježeno", "izmijenjeno", "zadnja izmjena", "posodobljeno", "spremenjeno", "zadnja sprememba", "ажурирано", "измењено",
    "обновлено", "обновлён", "обновлена", "изменено", "изменён", "дата обновления", "дата изменения", "отредактировано",
    "оновлено", "змінено", "абноўлена", "обновена", "актуализирано", "последна промяна", "ενημερώθηκε", "ενημέρωση", "τροποποιήθηκε",
    "güncelleme", "güncellenme", "güncellendi", "yenilənib", "uuendatud", "muudetud", "atjaunots", "atjaunināts", "atjaunota", "atnaujinta",
    "atnaujintas", "pakeista", "përditësuar", "eguneratua", "eguneratze", "diweddarwyd", "diperbarui", "diperbaharui", "diubah", "dikemas kini",
    "na-update", "imesasishwa", "cập nhật", "sửa đổi", "жаңартылған", "жаңартылды", "განახლ", "թարմացվ", "עודכן", "עדכון", "تحديث",
    "به‌روزرسانی", "بروزرسانی", "به روز رسانی", "ویرایش", "اپ ڈیٹ", "अपडेट", "अद्यतन", "আপডেট", "হালনাগাদ", "અપડેટ", "புதுப்பிக்கப்பட்ட",
    "నవీకరించ", "അപ്ഡേറ്റ്", "อัปเดต", "อัพเดต", "แก้ไข", "ปรับปรุง", "更新", "修改", "修订", "最終更新", "修正", "改訂", "수정", "업데이트",
];
/// Words that stand before a date of either kind.
const DATED: &[&str] = &["date:", "stand:", "时间：", "时间:", "日期", "時間", "入力"];
/// Most bytes between such a word and another that says what it is: `发布时间：`, `Closing date:`.
const MAX_BESIDE: usize = 3;
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
    "date of birth", "birth date", "birthday", "dob", "geburtsdatum", "date de naissance", "fecha de nacimiento", "data di nascita",
    "data de nascimento", "geboortedatum", "data urodzenia", "datum narození", "data nașterii", "születési", "syntymäaika", "födelsedatum",
    "fødselsdato", "дата рождения", "дата народження", "ημερομηνία γέννησης", "doğum tarihi", "تاريخ الميلاد", "تاریخ تولد", "ngày sinh",
    "tanggal lahir", "生年月日", "出生日期", "생년월일",
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
    "event date", "next date", "generated on", "page generated", "last build", "build date", "släpps", "lanseras", "erscheint am", "erscheinungstermin",
    "kursbeginn", "kursstart", "sortie le", "date de sortie", "début du cours", "fecha de lanzamiento", "fecha de estreno", "inicio del curso",
    "data di uscita", "inizio corso", "data de lançamento", "início do curso", "releasedatum", "startdatum", "дата выхода", "дата релиза",
    "начало курса", "发售日", "上映", "発売日", "発売", "출시일", "개봉",
    "期限", "締切", "開催", "お届け", "마감", "유효기간", "배송",
    // Until when one may apply, and when an event is.
    "application deadline", "applications close", "closes on", "closes:", "due date", "end date", "ends:", "takes place on", "will be held",
    "beginn:", "beginn am", "start:", "starts:", "début :", "début:", "inizio:", "inicio:", "início:", "aanvang:", "začátek:", "začiatok:",
    "początek:", "kezdés:", "начало:", "початок:", "începe", "başlangıç:",
    // What day it is for the visitor.
    "today is", "today's date", "heute ist", "nous sommes le", "hoy es", "oggi è", "hoje é", "vandaag is het", "сегодня:", "今天是",
    "it is currently", "current time", "the time now is", "last visit", "aktuelle zeit", "es ist jetzt", "letzter besuch", "heure actuelle",
    "fecha actual", "hora actual", "ora corrente", "ora attuale", "agora são", "data atual", "huidige tijd", "aktualny czas", "dzisiaj jest",
    "právě je", "pontos idő", "klockan är nu", "текущее время", "сейчас:", "поточний час", "şu an", "当前时间", "现在时间",
    "現在時刻", "현재 시간",
    "check-in", "check-out", "check in", "check out", "anreise", "abreise", "next meeting", "next event", "nächste sitzung",
    "nächster termin", "prochaine réunion", "próxima reunión", "prossimo incontro", "próxima reunião", "następne spotkanie",
    "opening on", "opens on", "opening:", "eröffnung am", "ouverture le", "apertura el", "apertura il",
    "opened", "date and time", "bewerbungsschluss", "bewerbungsende", "bewerben bis", "anmeldung bis", "einsendeschluss", "eröffnet",
    "clôture", "date de l'événement", "date de l’événement", "candidatures avant", "fecha de cierre", "fecha del evento",
    "inscripciones hasta", "data dell'evento", "data dell’evento", "iscrizioni entro", "entro il", "data do evento", "inscrições até", "sluitingsdatum",
    "uiterlijk", "sista ansökningsdag", "ansök senast", "sista dag", "søknadsfrist", "ansøgningsfrist", "tilmeldingsfrist", "hakuaika",
    "haku päättyy", "uzávěrka", "datum konání", "uzávierka", "határidő", "időpont", "termen limită", "data limită", "прием заявок", "приём заявок",
    "дата проведения", "термін", "дата проведення", "προθεσμία", "son tarih", "son gün", "etkinlik tarihi", "آخر موعد", "الموعد النهائي",
    "מועד אחרון", "مهلت", "hạn nộp", "hạn chót", "thời gian tổ chức", "batas waktu", "batas akhir", "หมดเขต", "ปิดรับ", "अंतिम तिथि",
    "活动日期", "活動日期", "开始日期", "開始日期", "结束日期", "結束日期", "报名日期", "報名日期", "開始時間", "展期", "演出日期", "課程日期",
    "报名时间", "報名時間", "活动时间", "活動時間", "开始时间", "結束時間", "结束时间", "会议时间", "會議時間", "比赛时间", "演出时间", "举办时间", "举行时间",
    "日時", "会期", "応募期間", "受付期間", "申込", "접수기간", "신청기간", "행사일", "일시",
    // When journals got a paper.
    "received", "accepted", "eingegangen", "angenommen", "reçu", "accepté", "recibido", "aceptado", "recepción", "aceptación", "recebido",
    "aceito", "aceite", "ricevuto", "accettato", "otrzymano", "przyjęto", "wpłynęło", "поступила", "получена", "принята", "надійшла",
    "прийнята", "geliş tarihi", "kabul tarihi", "diterima", "收稿", "修回", "录用", "接受日期", "受理", "採録", "투고일", "접수일", "심사완료일",
    "게재확정일",
];

/// Longest row that is a date and little more, in characters.
pub(super) const MAX_ALONE: usize = 45;
/// Longest row that is a label of the next, in characters.
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

/// The dates of some rows: one that is labelled as published where the first is that of a change, or stands behind words that may say
/// so. `bare` dates count without a label, too.
pub(super) fn shown<'t>(rows: impl Iterator<Item = &'t str>, bare: bool, style: &DateStyle) -> ShownDates {
    let mut found = ShownDates::default();
    for LabelledDate { stamp, label, row } in labelled(rows, style) {
        match label {
            Some(Label::Updated) => found.changed = found.changed.or(Some(stamp)),
            Some(Label::Published) if found.published.is_none() || row.chars().count() <= MAX_ALONE => {
                // A publication goes before a date of which nothing is said only where that may be the change.
                found.published = Some(stamp);
                return found;
            }
            Some(Label::Other) | None if found.changed.is_none() && (bare || label.is_some()) => {
                found.published = found.published.or(Some(stamp));
                if label.is_some() || !says_more(row) {
                    return found;
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a row has words besides its dates.
fn says_more(row: &str) -> bool {
    stamp::without_dates(row).contains(char::is_alphabetic)
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

/// A date with what is said of it, and its row.
struct LabelledDate<'t> {
    stamp: PartialDateTime,
    label: Option<Label>,
    row: &'t str,
}

/// The dates of rows with what is said of them; a row that is a label and no more says it of the next.
fn labelled<'t>(rows: impl Iterator<Item = &'t str>, style: &DateStyle) -> impl Iterator<Item = LabelledDate<'t>> {
    let mut before = None;
    rows.flat_map(move |row| {
        let mut dates = dates(row, style);
        let lead = std::mem::take(&mut before);
        match dates.first_mut() {
            Some((_, own)) => *own = own.or_else(|| lead.and_then(|lead| label(lead).or_else(|| date_word(lead)))),
            None => before = Some(row).filter(|row| row.chars().count() <= MAX_LABEL),
        }
        dates.into_iter().map(move |(stamp, label)| LabelledDate { stamp, label, row })
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
    let mut found: Vec<(PartialDateTime, Range<usize>)> = Vec::new();
    while let Some(next) = stamp::find_from(text, found.last().map_or(0, |(_, range)| range.end), &style) {
        found.push(next);
    }
    if found.is_empty() && text.len() <= MAX_SHORT {
        return stamp::find_short(text, &style).map(|stamp| (stamp, label(text))).into_iter().collect();
    }
    let of_date = |at: usize| {
        let (from, to) = (at.checked_sub(1).map_or(0, |before| found[before].1.end), found[at].1.start);
        let behind = || label(&text[found[at].1.end..]).filter(|_| at + 1 == found.len());
        let said = label(&text[from..to]).or_else(behind);
        said.or_else(|| is_of_other(text, &found, at, &style).then_some(Label::Unrelated))
    };
    (0..found.len()).map(|at| (found[at].0, of_date(at))).collect()
}

/// Whether one of the dates of a text, of which no word says what it is, is the end of a span of days, told of in a sentence, or that of
/// an event from one hour to another.
fn is_of_other(text: &str, dates: &[(PartialDateTime, Range<usize>)], at: usize, style: &DateStyle) -> bool {
    let (stamp, range) = &dates[at];
    let before = at.checked_sub(1).map_or(0, |before| dates[before].1.end);
    let joins = |from: usize, to: usize| prose::is_between(&text[from..to]);
    at > 0 && joins(before, range.start)
        || dates.get(at + 1).is_some_and(|(_, next)| joins(range.end, next.start))
        || prose::ends_span(&text[before..range.start], stamp.date().day())
        || prose::is_sentence(text, range, style)
        || hours::follow(&text[range.end..], stamp.has_time())
        // `Leeds, 4 March 2024, 9°C`
        || text[range.end..].contains("°C") || text[range.end..].contains("°F")
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
    let last = |(matcher, labels, label): &(PhraseMatcher, &[&str], Label)| {
        let mut last = None;
        matcher.find(&words, |number, at| {
            last = last.max(Some((at + labels[number].len(), labels[number].len())));
            false
        });
        last.map(|(end, length)| (end, length, *label))
    };
    let nearest = |found: &[Option<(usize, usize, Label)>]| {
        found.iter().flatten().copied().max_by_key(|&(end, length, _)| (end, length))
    };
    let [published, updated, dated, other] = LABELS.each_ref().map(last);
    let said = nearest(&[published, updated, other]);
    let is_own =
        |(end, length, _): &(usize, usize, Label)| said.is_none_or(|(said, ..)| said + length + MAX_BESIDE < *end);
    dated.filter(is_own).or(said).map(|(.., label)| label)
}

fn date_word(text: &str) -> Option<Label> {
    is_date_word(text).then_some(Label::Other)
}

/// Whether a text is a word for a date and no more.
pub(super) fn is_date_word(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "date",
        "datum",
        "fecha",
        "data",
        "dato",
        "dátum",
        "dată",
        "дата",
        "tarih",
        "pvm",
        "päivämäärä",
        "ημερομηνία",
        "日付",
        "日期",
        "날짜",
        "التاريخ",
    ];
    let text = text.trim_matches([' ', ':', '：']).to_lowercase();
    WORDS.contains(&text.as_str())
}

/// Whether a text is what is said of a date, or the name of a day of the week.
pub(crate) fn is_date_label(text: &str) -> bool {
    let is_own = |text: &str| matches!(label(text), Some(Label::Published | Label::Updated | Label::Other));
    is_own(text) || is_own(&format!("{text}:")) || is_date_word(text) || weekday_before(text).is_some()
}

/// Whether a word is the name of a day of the week.
pub(crate) fn is_weekday(word: &str) -> bool {
    weekday_before(word).is_some()
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
