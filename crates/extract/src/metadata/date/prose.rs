//! Rows that speak of days and do not date the page: sentences, spans of days, and how long ago something was.

use std::ops::Range;
use std::sync::LazyLock;

use gristmill_text::{PhraseMatcher, is_cjk, is_unspaced};

use super::months::month_at;
use super::stamp::find_from;
use super::style::DateStyle;

/// Signs that end a sentence.
const STOPS: [char; 10] = ['.', '!', '?', '…', '。', '！', '？', '।', '۔', '؟'];
/// What closes a quotation or a bracket behind a sentence.
const CLOSING: [char; 8] = [')', '"', '”', '’', '»', '）', '」', '*'];
/// Signs and words between the ends of a span of days.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "-", "–", "—", "−", "~", "～", "〜", "/", "&", "to", "and", "till", "until", "through", "bis", "und", "au", "et", "al", "hasta", "y",
    "a", "e", "até", "tot", "t/m", "en", "till och med", "och", "og", "til", "do", "aż do", "i", "по", "до", "и", "ile",
    "đến", "sampai", "hingga", "至", "到", "から", "부터",
];
/// Words that stand beside a number and say how long ago something was.
#[rustfmt::skip]
const AGO: &[&str] = &[
    "ago", "vor", "il y a", "hace", "há", "fa", "geleden", "sedan", "siden", "sitten", "temu", "před", "pred", "prije", "назад", "тому",
    "преди", "πριν", "önce", "ezelőtt", "lalu", "trước", "în urmă", "acum", "منذ", "قبل", "לפני", "پیش", "پہلے", "पहले", "আগে",
    "ที่แล้ว", "ที่ผ่านมา", "tagasi", "prieš", "pirms", "síðan", "전",
];
/// Days that only who knows today can name.
#[rustfmt::skip]
const RELATIVE_DAYS: &[&str] = &[
    "just now", "today", "yesterday", "heute", "gestern", "aujourd'hui", "aujourd’hui", "hier", "hoy", "ayer", "avui", "ahir", "oggi",
    "ieri", "hoje", "ontem", "vandaag", "gisteren", "idag", "i dag", "igår", "i går", "tänään", "eilen", "dziś", "dzisiaj", "wczoraj",
    "dnes", "včera", "danas", "jučer", "juče", "данас", "јуче", "ma", "tegnap", "azi", "astăzi", "сегодня", "вчера", "сьогодні", "вчора",
    "днес", "σήμερα", "χθες", "bugün", "dün", "hari ini", "kemarin", "hôm nay", "hôm qua", "täna", "eile", "šodien", "vakar",
    "šiandien", "í dag", "í gær", "今天", "昨天", "今日", "昨日", "前天", "刚刚", "剛剛", "오늘", "어제", "방금", "اليوم", "أمس", "היום", "אתמול", "امروز",
    "دیروز", "आज", "कल", "วันนี้", "เมื่อวาน",
];
/// Spans of time before 前 and 전.
#[rustfmt::skip]
const SPANS: &[&str] = &[
    "秒", "分", "分钟", "分鐘", "小时", "小時", "時間", "天", "日", "周", "週", "週間", "个月", "個月", "か月", "ヶ月", "カ月", "年",
    "초", "분", "시간", "일", "주", "개월", "년",
];

/// Place and day that a text begins with: `Berlin, 29. November 2022 – The …`, `HULL, March 3, 2026 /Newswire/ -- The …`.
pub(super) fn dateline<'t>(text: &'t str, style: &DateStyle) -> Option<&'t str> {
    const MAX_BYTES: usize = 60;
    const MAX_PLACE: usize = 30;
    let start = &text[..text.floor_char_boundary(MAX_BYTES)];
    let (_, range) = find_from(start, 0, style)?;
    let (place, rest) = (start[..range.start].trim_end(), text[range.end..].trim_start());
    let quotes = place.is_empty() && rest.starts_with(['„', '“', '«', '"', '「']);
    let ends = (quotes || rest.starts_with(['.', ':', '–', '—', '-', '|', ')', '/'])) && place.len() <= MAX_PLACE;
    let is_place = place.is_empty() || place.ends_with([',', '(']) && !place.contains('.');
    (ends && is_place).then(|| &text[..range.end])
}

/// Whether a row with a date in it is a sentence, or a note of where something was written, and not a line that dates the page:
/// `On 12 March 2019, the old pier burned down.` What begins with a place and the day does, and so does a day that a text follows.
pub(super) fn is_sentence(row: &str, date: &Range<usize>, style: &DateStyle) -> bool {
    let (before, after) = (row[..date.start].trim(), row[date.end..].trim());
    let goes_on = after.trim_start_matches([')', ',', ' ']).starts_with(char::is_lowercase);
    if !goes_on && (before.is_empty() || dateline(row, style).is_some()) {
        return false;
    }
    let end = row.trim_end_matches(CLOSING);
    let stops = end.ends_with(STOPS);
    let own = CaseCounts::of(before).plus(&CaseCounts::of(after));
    if after.trim_matches(['.', ')', ' ']).is_empty() {
        return stops && (is_citation(before) || own.small > 3) || own.says_much();
    }
    stops && !ends_short(end) && own.is_clause() || own.says_much()
}

/// Whether the last word is an abbreviation: `10 p.m.`
fn ends_short(text: &str) -> bool {
    let last = text.rsplit(' ').next().unwrap_or_default();
    last.trim_end_matches('.').contains('.') || last.chars().count() <= 2
}

/// `Pier Daily. "Boats".`: sentences before the day, the first of which ends in a whole word.
fn is_citation(before: &str) -> bool {
    let ends_whole = |at: usize| before[..at].chars().rev().take(3).filter(|c| c.is_lowercase()).count() == 3;
    before.match_indices(". ").any(|(at, _)| ends_whole(at)) || before.contains(['"', '“', '„', '«'])
}

/// What tells a clause from a line of names.
#[derive(Default)]
struct CaseCounts {
    /// Words of two letters and more that begin small.
    small: usize,
    /// Words of scripts without capitals.
    caseless: usize,
    /// Characters of scripts without spaces.
    cjk: usize,
}

impl CaseCounts {
    fn of(text: &str) -> CaseCounts {
        let mut words = CaseCounts { cjk: text.chars().filter(|&c| is_cjk(c)).count(), ..CaseCounts::default() };
        for word in text.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphabetic());
            let Some(first) = word.chars().next().filter(|_| word.chars().nth(1).is_some()) else { continue };
            words.small += usize::from(first.is_lowercase());
            words.caseless += usize::from(!first.is_lowercase() && !first.is_uppercase() && !is_cjk(first));
        }
        words
    }

    fn plus(mut self, other: &CaseCounts) -> CaseCounts {
        self.small += other.small;
        self.caseless += other.caseless;
        self.cjk += other.cjk;
        self
    }

    /// Enough for a sentence that ends in a stop.
    fn is_clause(&self) -> bool {
        self.small >= 3 || self.caseless >= 4 || self.cjk >= 8
    }

    /// Enough for a sentence without one.
    fn says_much(&self) -> bool {
        self.small >= 8 || self.caseless >= 10 || self.cjk >= 30
    }
}

/// Whether a date is the end of a span of days, of whose beginning only the day is said: `12-13 December 2026`.
pub(super) fn ends_span(before: &str, day: u8) -> bool {
    let Some(first) = without_between(before.trim_end()) else { return false };
    let (first, is_stopped) = first.strip_suffix('.').map_or((first, false), |first| (first.trim_end(), true));
    let word = first.rsplit(' ').next().unwrap_or_default();
    if month_at(&word.to_lowercase(), "").is_some_and(|(_, length)| length == word.len()) {
        return first[..first.len() - word.len()]
            .trim_end()
            .trim_end_matches('.')
            .ends_with(|c: char| c.is_ascii_digit());
    }
    let digits = first.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (left, number) = first.split_at(first.len() - digits);
    let is_clock = left.ends_with(':') || left.ends_with(['.', '/', '-']) && !is_stopped;
    let number: u8 = number.parse().unwrap_or(0);
    (1..=2).contains(&digits) && !is_clock && number >= 1 && (number < day || is_stopped)
}

/// Whether what stands between two dates makes them the ends of a span.
pub(super) fn is_between(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    BETWEEN.contains(&words.as_str())
}

/// A text without the word at its end that stands within a span.
fn without_between(text: &str) -> Option<&str> {
    let ends = |word: &&&str| {
        let left = text.strip_suffix(**word);
        left.is_some_and(|left| {
            !word.starts_with(char::is_alphabetic) || left.ends_with(char::is_whitespace) || !word.is_ascii()
        })
    };
    let word = BETWEEN.iter().filter(ends).max_by_key(|word| word.len())?;
    Some(text[..text.len() - word.len()].trim_end())
}

/// Whether a row says how long ago something was, and no day: `3 hours ago`, `Publicerad idag 14:30`. `is_labelled` says that it has a
/// word of publication or change.
pub(super) fn is_relative(row: &str, is_labelled: impl Fn(&str) -> bool) -> bool {
    const MAX_CHARS: usize = 45;
    const MAX_WORDS: usize = 7;
    if row.chars().count() > MAX_CHARS || row.split_whitespace().count() > MAX_WORDS {
        return false;
    }
    static AGO_WORDS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(AGO));
    static DAY_WORDS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(RELATIVE_DAYS));
    let row = row.to_lowercase();
    let has =
        |matcher: &PhraseMatcher, words: &[&str]| matcher.find(&row, |word, at| stands_free(&row, words[word], at));
    let has_number = row.contains(|c: char| c.is_numeric());
    let is_time = || {
        let clock =
            row.split_whitespace().any(|word| word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()));
        clock || is_labelled(&row) || RELATIVE_DAYS.iter().any(|day| row.trim_matches(['.', ' ']) == *day)
    };
    has_number && (has(&AGO_WORDS, AGO) || is_span_ago(&row)) || has(&DAY_WORDS, RELATIVE_DAYS) && is_time()
}

/// `3時間前`, `3시간 전`
fn is_span_ago(row: &str) -> bool {
    let before = row.match_indices(['前', '전']).map(|(at, _)| row[..at].trim_end());
    let is_span = |before: &str| {
        let spans = SPANS.iter().filter_map(|span| before.strip_suffix(span));
        spans.into_iter().any(|left| left.trim_end().ends_with(char::is_numeric))
    };
    before.into_iter().any(is_span)
}

/// Whether a word stands by itself in a text; words of scripts without spaces do anywhere.
fn stands_free(text: &str, word: &str, at: usize) -> bool {
    let is_free = |c: Option<char>| c.is_none_or(|c| !c.is_alphabetic());
    let around = || is_free(text[..at].chars().next_back()) && is_free(text[at + word.len()..].chars().next());
    word.starts_with(is_unspaced) || around()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tells(row: &str) -> bool {
        let (_, range) = find_from(row, 0, &DateStyle::DAY_FIRST).expect(row);
        is_sentence(row, &range, &DateStyle::DAY_FIRST)
    }

    #[test]
    fn sentences_and_notes_speak_of_days_and_lines_of_names_date_the_page() {
        for row in [
            "On 12 March 2019, the old pier burned down.",
            "Am 12. März 2019 brannte die alte Mole ab.",
            "The next meeting will be held on 12 March 2027 at 7 pm in the town hall.",
            "The next meeting of the committee will be held on 12 March 2027 in the old hall of the town",
            "Pier Daily. \"Boats\". 12 March 2019.",
            "John Pier (12 March 1979) was a harbour master.",
            "Ang lumang pier ay nasunog noong 12 March 2019.",
            "旧码头于2019年3月12日在大火中被烧毁，无人受伤。",
            "옛 부두는 2019년 3월 12일 큰 불로 모두 타 버렸다.",
        ] {
            assert!(tells(row), "{row}");
        }
        for row in [
            "PARIS, 3 Nov 2026 – The ferry company will run an additional boat.",
            "Berlin, 3. November 2026. Die Reederei setzt ein weiteres Schiff ein.",
            "3 November 2026 The ferry company will run an additional boat.",
            "By Jane Doe, Nov 3, 2026 at 10:15 p.m.",
            "Von Jana Döhl, dpa, 3. Mai 2020, 10.15 Uhr.",
            "Madrid, 5 de mayo de 2018.",
            "Less than a minute to read · 3 May 2020 · 5 comments",
            "2018年12月31日 10:15 来源：海港晚报",
        ] {
            assert!(!tells(row), "{row}");
        }
    }

    #[test]
    fn spans_of_days_are_told_from_times_and_numbers() {
        for before in [
            "12-",
            "Du 12 au",
            "12.–",
            "12. bis",
            "12.12. -",
            "December 12 -",
            "12 December -",
            "12 and",
            "12 y",
            "12 до",
        ] {
            assert!(ends_span(before, 13), "{before}");
        }
        for before in ["", "14:30 -", "14.30 -", "Number 20 -", "By Jane Doe -", "Vol. 2026-12 -", "Rome and"] {
            assert!(!ends_span(before, 13), "{before}");
        }
    }

    #[test]
    fn how_long_ago_it_was_is_told_in_many_languages() {
        let labelled = |row: &str| row.contains("publicerad");
        for row in [
            "3 hours ago",
            "vor 3 Stunden",
            "il y a 3 heures",
            "hace 3 horas",
            "3 uur geleden",
            "för 3 timmar sedan",
            "3 ore fa",
            "há 3 horas",
            "3 tuntia sitten",
            "3 godz. temu",
            "3 часа назад",
            "3 години тому",
            "3 saat önce",
            "3 jam lalu",
            "3 giờ trước",
            "منذ 3 ساعات",
            "לפני 3 שעות",
            "3時間前",
            "3小时前",
            "3시간 전",
            "Publicerad idag 14:30",
            "Today, 14:30",
            "Gestern",
            "今天 10:15",
        ] {
            assert!(is_relative(row, labelled), "{row}");
        }
        for row in [
            "5 min read",
            "Today in the harbour",
            "The 10 favourites",
            "Seat 3, faster",
            "前5名",
            "The pier burned 3 years ago and nobody knows who did it",
        ] {
            assert!(!is_relative(row, labelled), "{row}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "(\\PC|[0-9. -]){0,40}2018-12-31(\\PC| ){0,40}") {
            let _ = (ends_span(&text, 13), is_relative(&text, |_| false), is_between(&text));
            if let Some((_, range)) = find_from(&text, 0, &DateStyle::DAY_FIRST) {
                let _ = is_sentence(&text, &range, &DateStyle::DAY_FIRST);
            }
        }
    }
}
