//! Dates as pages write them: ISO 8601, RFC 2822, Chinese, English, and the usual numeric forms.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use gristmill_text::is_cjk;
use time::{Date, Duration, PrimitiveDateTime};

use super::calendar;
use super::clock::Time;
use super::cursor::{TextCursor, plausible, ymd};
use super::months::english_month;
use super::style::DateStyle;

/// A date with as much time and zone as the page gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartialDateTime {
    date: Date,
    time: Option<Time>,
    /// Minutes east of UTC.
    zone: Option<i16>,
}

impl fmt::Display for PartialDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = (self.date.year(), u8::from(self.date.month()), self.date.day());
        write!(f, "{year:04}-{month:02}-{day:02}")?;
        let Some((hour, minute, second)) = self.time else { return Ok(()) };
        write!(f, "T{hour:02}:{minute:02}:{second:02}")?;
        match self.zone {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(zone) => {
                let sign = if zone < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60)
            }
        }
    }
}

/// What stands for a date in a line without dates.
pub(crate) const DATE_SIGN: &str = " | ";
/// Longest text that is searched.
const MAX_BYTES: usize = 600;

impl PartialDateTime {
    /// A day without a time.
    fn day(date: Date) -> PartialDateTime {
        PartialDateTime { date, time: None, zone: None }
    }

    pub(super) fn date(&self) -> Date {
        self.date
    }

    /// Whether a time of day stands beside the date.
    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// Minutes east of UTC, as far as told.
    pub(super) fn zone(&self) -> Option<i16> {
        self.zone
    }

    /// Day and time as clocks show them.
    pub(super) fn clock(&self) -> Option<PrimitiveDateTime> {
        let (hour, minute, second) = self.time?;
        self.date.with_hms(hour, minute, second).ok()
    }

    /// Whether two differ by a minute at most; without a time, not at all.
    pub(super) fn is_near(&self, other: PartialDateTime) -> bool {
        let apart = self.utc().zip(other.utc()).map(|(own, other)| (own - other).abs());
        apart.map_or(*self == other, |apart| apart <= Duration::MINUTE)
    }

    /// Day and time in UTC; without a zone, as clocks show them.
    fn utc(&self) -> Option<PrimitiveDateTime> {
        self.clock()?.checked_sub(Duration::minutes(self.zone.unwrap_or(0).into()))
    }

    /// The same instant, of a time in UTC, as clocks show it so many minutes east.
    pub(super) fn east(&self, minutes: i16) -> Option<PartialDateTime> {
        let there = self.clock()?.checked_add(Duration::minutes(minutes.into()))?;
        let time = (there.hour(), there.minute(), there.second());
        Some(PartialDateTime { date: there.date(), time: Some(time), zone: Some(minutes) })
    }
}

/// The date that a path of an address holds: `/2018/12/31/`, `/2018-12-31-…`, `/20181231/`.
pub(super) fn in_path(path: &str) -> Option<PartialDateTime> {
    let style = DateStyle::default();
    let mut rest = path;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = &rest[at..];
        let digits = from.bytes().take_while(u8::is_ascii_digit).count();
        let date = match digits {
            8 => compact(&from[..8]).map(|stamp| stamp.date),
            4 => TextCursor::new(from, &style).year_first().or_else(|| with_month_name(from)),
            _ => None,
        };
        if let Some(date) = date {
            return Some(PartialDateTime::day(date));
        }
        rest = &from[digits..];
    }
    None
}

/// `2021/mar/04/`, as the parts of a path.
fn with_month_name(path: &str) -> Option<Date> {
    let mut parts = path.split('/');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_day = (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit());
    ymd(year.parse().ok()?, english_month(month)?, day.parse().ok().filter(|_| is_day)?)
}

/// The date that a declared value holds.
pub(super) fn parse(value: &str, style: &DateStyle) -> Option<PartialDateTime> {
    let value = value.trim();
    if let Some(stamp) = compact(value) {
        return Some(stamp);
    }
    if value.len() >= 10 && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return unix(value);
    }
    find(value, style)
}

/// `20181231`, `20181231101500`, `20181231T101500Z`
fn compact(value: &str) -> Option<PartialDateTime> {
    let number = |at: Range<usize>| -> Option<u16> {
        value.get(at).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
    };
    let two = |at: usize| number(at..at + 2).map(|number| number as u8);
    let date = ymd(number(0..4)?.into(), two(4)?, two(6)?)?;
    let clock = 8 + usize::from(value[8..].starts_with('T'));
    if value.len() == 8 {
        return Some(PartialDateTime::day(date));
    }
    let time = (two(clock)?, two(clock + 2)?, two(clock + 4)?);
    let zone = &value[clock + 6..];
    let apart = zone.is_empty() || zone.starts_with(['Z', '+', '-']);
    let style = DateStyle::default();
    let valid = time.0 < 24 && time.1 < 60 && time.2 < 61;
    (apart && valid).then(|| PartialDateTime {
        date,
        time: Some((time.0, time.1, time.2.min(59))),
        zone: TextCursor::new(zone, &style).zone(),
    })
}

/// Seconds or milliseconds since 1970.
fn unix(digits: &str) -> Option<PartialDateTime> {
    let n: i64 = digits.parse().ok()?;
    let seconds = if digits.len() == 13 { n / 1000 } else { n };
    let at = time::OffsetDateTime::from_unix_timestamp(seconds).ok().filter(|at| plausible(at.date()))?;
    Some(PartialDateTime { date: at.date(), time: Some((at.hour(), at.minute(), at.second())), zone: Some(0) })
}

/// The first date in a text of up to 600 bytes, with the time that follows it.
pub(crate) fn find(text: &str, style: &DateStyle) -> Option<PartialDateTime> {
    find_from(&plain_numbers(&plain_digits(text)), 0, &style.of_text(text)).map(|(stamp, _)| stamp)
}

/// The first date that begins at a byte of a text with plain digits or behind it, and where it stands with its time.
pub(super) fn find_from(text: &str, from: usize, style: &DateStyle) -> Option<(PartialDateTime, Range<usize>)> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let rest = text.get(from..)?;
    let may_be = has_year(rest) || !rest.is_ascii() && rest.contains('年') || style.counts_eras() || style.is_taiwanese;
    may_be.then(|| first_at(text, from, style, TextCursor::date)).flatten()
}

/// A line with its dates and times as signs between its parts: `Jane DoeApril 3, 2020` names somebody and a day.
pub(crate) fn without_dates(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_numeric) {
        return Cow::Borrowed(text);
    }
    let style = DateStyle::DAY_FIRST;
    let plain = plain_digits(text);
    let mut parts = String::new();
    let mut from = 0;
    while let Some((_, range)) = find_from(&plain, from, &style) {
        parts.push_str(&plain[from..range.start]);
        parts.push_str(DATE_SIGN);
        from = range.end;
    }
    parts.push_str(&plain[from..]);
    if from == 0 { Cow::Borrowed(text) } else { Cow::Owned(parts) }
}

/// The first date with a year of two digits (`31.12.18`), in a text that is known to hold a date.
pub(super) fn find_short(text: &str, style: &DateStyle) -> Option<PartialDateTime> {
    let text = plain_digits(text);
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    first_at(text, 0, style, TextCursor::short_date).map(|(stamp, _)| stamp)
}

fn first_at<'t>(
    text: &'t str,
    from: usize,
    style: &'t DateStyle,
    form: fn(&mut TextCursor<'t>) -> Option<Date>,
) -> Option<(PartialDateTime, Range<usize>)> {
    let mut before = ' ';
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < from) {
        let starts = match c {
            // `12.10.2.2018` is a version.
            _ if c.is_ascii_digit() => !before.is_ascii_digit() && !in_version(&text[..at]),
            // Where the space between a word and a month was lost.
            _ if c.is_uppercase() => !before.is_alphanumeric() || before.is_lowercase(),
            _ if is_cjk(c) => {
                calendar::era(&text[at..]).is_some() || is_chinese_number(c) && !is_chinese_number(before)
            }
            _ if c.is_alphabetic() => !before.is_alphanumeric(),
            _ => false,
        };
        before = c;
        if !starts {
            continue;
        }
        let mut cursor = TextCursor::new(&text[at..], style);
        cursor.before = &text[..at];
        if let Some(date) = form(&mut cursor) {
            let (time, zone) = cursor.time().map_or((None, None), |(time, zone)| (Some(time), zone));
            return Some((PartialDateTime { date, time, zone }, at..text.len() - cursor.rest.len()));
        }
    }
    None
}

fn is_chinese_number(c: char) -> bool {
    "一二三四五六七八九十".contains(c)
}

/// Whether a text ends with a digit and a full stop.
fn in_version(before: &str) -> bool {
    before.strip_suffix('.').is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
}

/// First digits of scripts that have their own.
const ZEROS: [char; 8] = ['٠', '۰', '०', '০', '๐', '၀', '០', '０'];

/// The text with the digits of other scripts as those of ASCII.
pub(super) fn plain_digits(text: &str) -> Cow<'_, str> {
    let digit = |c: char| {
        let zero = ZEROS.iter().find(|&&zero| (zero..=char::from_u32(zero as u32 + 9).unwrap_or(zero)).contains(&c))?;
        char::from_digit(c as u32 - *zero as u32, 10)
    };
    if text.is_ascii() || !text.chars().any(|c| !c.is_ascii() && digit(c).is_some()) {
        return Cow::Borrowed(text);
    }
    // Marks of the direction of text stand among such digits.
    let shown = text.chars().filter(|c| !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'));
    Cow::Owned(shown.map(|c| if c.is_ascii() { c } else { digit(c).unwrap_or(c) }).collect())
}

/// The text with Chinese numbers before the signs of a date as digits: `二〇一六年十一月八日`, `平成三十年四月二日`.
fn plain_numbers(text: &str) -> Cow<'_, str> {
    const UNITS: [char; 4] = ['年', '月', '日', '号'];
    let is_number = |c: char| is_chinese_number(c) || matches!(c, '〇' | '○' | '零');
    if text.is_ascii() || !text.contains('年') || !text.contains(is_number) {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(is_number) {
        let end = rest[at..].find(|c| !is_number(c)).map_or(rest.len(), |length| at + length);
        plain.push_str(&rest[..at]);
        match chinese_number(&rest[at..end]).filter(|_| rest[end..].starts_with(UNITS)) {
            Some(number) => plain.push_str(&number.to_string()),
            None => plain.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    Cow::Owned(plain + rest)
}

/// A year by its four digits, or a number below a hundred: `二〇一六`, `二十三`.
fn chinese_number(text: &str) -> Option<u32> {
    let digit = |c: char| match c {
        '〇' | '○' | '零' => Some(0),
        _ => "一二三四五六七八九".chars().position(|own| own == c).map(|at| at as u32 + 1),
    };
    let number = |text: &str| text.chars().try_fold(0, |number: u32, c| Some(number.checked_mul(10)? + digit(c)?));
    match text.split_once('十') {
        Some((tens, ones)) if tens.chars().count() <= 1 && ones.chars().count() <= 1 => {
            Some(if tens.is_empty() { 10 } else { 10 * number(tens)? } + number(ones)?)
        }
        Some(_) => None,
        None => number(text),
    }
}

/// Whether four digits stand alone, as the year does in every form that [`Cursor`] knows but those of eras.
fn has_year(text: &str) -> bool {
    let mut digits = 0;
    for byte in text.bytes() {
        if byte.is_ascii_digit() {
            digits += 1;
        } else if digits == 4 {
            return true;
        } else {
            digits = 0;
        }
    }
    digits == 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<String> {
        parse(text, &DateStyle::default()).map(|stamp| stamp.to_string())
    }

    #[test]
    fn dates_are_read_in_the_forms_that_pages_use() {
        let cases = [
            ("2018-12-31T10:15:30+08:00", "2018-12-31T10:15:30+08:00"),
            ("2018-12-31T10:15:30.123Z", "2018-12-31T10:15:30Z"),
            ("2018-12-31 10:15", "2018-12-31T10:15:00"),
            ("Mon, 31 Dec 2018 10:15:00 GMT", "2018-12-31T10:15:00Z"),
            ("Mon, 31 Dec 2018 10:15:00 -0530", "2018-12-31T10:15:00-05:30"),
            ("发布时间：2018年12月31日 10:15 来源", "2018-12-31T10:15:00"),
            ("2018年1月2日", "2018-01-02"),
            ("二〇一六年十一月八日", "2016-11-08"),
            ("平成三十年四月二日", "2018-04-02"),
            ("昭和六十三年十二月二十三日", "1988-12-23"),
            ("Pubblicato il 12.XI.2013", "2013-11-12"),
            ("5 III 2019", "2019-03-05"),
            ("2019. III. 5.", "2019-03-05"),
            ("发布于 三月 12, 2018", "2018-03-12"),
            ("12 月 1, 2018", "2018-12-01"),
            ("十一月 3, 2018 by admin", "2018-11-03"),
            ("2/3-2018 kl. 10.15", "2018-03-02T10:15:00"),
            ("Posted 2018/12/31", "2018-12-31"),
            ("December 31, 2018", "2018-12-31"),
            ("Updated Sept. 3rd, 2018 at 10:15 pm", "2018-09-03T22:15:00"),
            ("31st of May 2018", "2018-05-31"),
            ("12/31/2018", "2018-12-31"),
            ("31.12.2018", "2018-12-31"),
            ("20181231", "2018-12-31"),
            ("am 31. Dezember 2018 um 10:15 Uhr", "2018-12-31T10:15:00"),
            ("publié le 31 décembre 2018", "2018-12-31"),
            ("31 de diciembre de 2018", "2018-12-31"),
            ("31 декабря 2018, 10:15", "2018-12-31T10:15:00"),
            ("31 Aralık 2018", "2018-12-31"),
            ("2018年12月31日 星期一 10:15", "2018-12-31T10:15:00"),
            ("1546251300", "2018-12-31T10:15:00Z"),
            ("1er janvier 2019", "2019-01-01"),
            ("1º de janeiro de 2019", "2019-01-01"),
            ("31 augusti 2018", "2018-08-31"),
            ("31. desember 2018", "2018-12-31"),
            ("31 Maret 2018", "2018-03-31"),
            ("31 Agustus 2018", "2018-08-31"),
            ("2018년 12월 31일 10:15", "2018-12-31T10:15:00"),
            ("2018. december 31.", "2018-12-31"),
            ("2018 m. gruodžio 31 d.", "2018-12-31"),
            ("20190501T101500Z", "2019-05-01T10:15:00Z"),
            ("20190501T101500+0200", "2019-05-01T10:15:00+02:00"),
            ("20190501101500", "2019-05-01T10:15:00"),
            ("31 December 2018, 10:15-11:30", "2018-12-31T10:15:00"),
            ("2018-12-31 10:15:00-05:00", "2018-12-31T10:15:00-05:00"),
            ("2018-12-31T10:15-11:30", "2018-12-31T10:15:00-11:30"),
            ("Mon Aug 03 12:45:00 EDT 2015", "2015-08-03T12:45:00-04:00"),
            ("Mon Aug 03 12:45:00 2015", "2015-08-03T12:45:00"),
            ("Mon Aug 3 2015 12:45:00 GMT+0200 (CEST)", "2015-08-03T12:45:00+02:00"),
            ("August 3, 2015 8:05 PM EST", "2015-08-03T20:05:00-05:00"),
            ("03.08.2015, 12:45 Uhr", "2015-08-03T12:45:00"),
            ("3. 8. 2015 v 12:45", "2015-08-03T12:45:00"),
            ("15 травня 2020 о 08:30", "2020-05-15T08:30:00"),
            ("04.25.2018", "2018-04-25"),
            ("25 / 04 / 2018", "2018-04-25"),
            ("Juli 12, 2017", "2017-07-12"),
            ("Mai 5, 2018", "2018-05-05"),
            ("5 d'abril de 2018", "2018-04-05"),
            ("5 de abril del 2018", "2018-04-05"),
            ("5 sierpnia 2018 r.", "2018-08-05"),
            ("2018. gada 5. aprīlis", "2018-04-05"),
            ("2018ko apirilaren 5a", "2018-04-05"),
            ("2021eko apirilaren 5a", "2021-04-05"),
            ("5 апреля 2018 г.", "2018-04-05"),
            ("5 tháng 4 năm 2018", "2018-04-05"),
            ("Tháng Mười Hai 5, 2018", "2018-12-05"),
            ("5 Tháng Tư, 2018", "2018-04-05"),
            ("5 अप्रैल 2018", "2018-04-05"),
            ("०५ अप्रैल २०१८", "2018-04-05"),
            ("5 เมษายน 2561", "2018-04-05"),
            ("วันที่ ๕ เม.ย. พ.ศ. ๒๕๖๑ เวลา 10:15", "2018-04-05T10:15:00"),
            ("05/04/2561", "2018-04-05"),
            ("5 أبريل 2018", "2018-04-05"),
            ("٥ ابريل ٢٠١٨", "2018-04-05"),
            ("5 أبريل/نيسان 2018", "2018-04-05"),
            ("الخميس 5 نيسان 2018", "2018-04-05"),
            ("5 تشرين الثاني 2018", "2018-11-05"),
            ("5 غشت 2018", "2018-08-05"),
            ("5 באפריל 2018", "2018-04-05"),
            ("5 אפריל, 2018", "2018-04-05"),
            ("۱۶ فروردین ۱۳۹۷", "2018-04-05"),
            ("شنبه 16 فروردين 1397", "2018-04-05"),
            ("۱۳۹۷/۰۱/۱۶", "2018-04-05"),
            ("۵ آوریل ۲۰۱۸", "2018-04-05"),
            ("令和6年5月3日", "2024-05-03"),
            ("平成30年4月5日（木）10時15分", "2018-04-05T10:15:00"),
            ("令和元年5月1日", "2019-05-01"),
            ("民國107年4月5日", "2018-04-05"),
            ("２０１８年４月５日", "2018-04-05"),
            ("2018年4月5日 下午3:20", "2018-04-05T15:20:00"),
            ("2018. 4. 5. 오후 3:20", "2018-04-05T15:20:00"),
            ("By Jane DoeApril 5, 2018", "2018-04-05"),
            ("Tue, 11/03/2026 - 14:30", "2026-11-03T14:30:00"),
            ("Dienstag, 03/04/2018", "2018-04-03"),
            ("November 3 , 2026", "2026-11-03"),
            ("03 نومبر ، 2026", "2026-11-03"),
            ("2026 ж. 3 қараша, 14:30", "2026-11-03T14:30:00"),
            ("2026-azaroa-03", "2026-11-03"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn years_of_the_republic_are_read_on_pages_of_taiwan_alone() {
        let of = |is_taiwanese: bool, text: &str| {
            let mut style = DateStyle::DAY_FIRST;
            style.is_taiwanese = is_taiwanese;
            find(text, &style).map(|stamp| stamp.to_string())
        };
        for text in ["發布日期：112-06-15", "112/06/15", "112年06月15日"] {
            assert_eq!(of(true, text).as_deref(), Some("2023-06-15"), "{text}");
            assert_eq!(of(false, text), None, "{text}");
        }
        assert_eq!(of(true, "212-06-15"), None);
    }

    #[test]
    fn what_is_no_date_is_left_alone() {
        for text in [
            "",
            "2018",
            "version 10.2.2018.4x",
            "3/4/2018",
            "2018-13-40",
            "Marching 4, 2018",
            "12345678901234",
            "iPad Pro Gen 3 2018",
            "Rolling out 5 2018",
            "Set 2 2019",
            "20190501999999",
            "1397/01/16",
            "Room 5 marching 2018",
            "chapter 3: 12.10.2.2018",
            "1 in 5 2018",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn short_years_and_paths_are_read_where_a_date_is_known_to_be() {
        let text = |stamp: Option<PartialDateTime>| stamp.map(|stamp| stamp.to_string());
        let style = DateStyle::default();
        assert_eq!(text(find_short("am 23.09.22", &style)).as_deref(), Some("2022-09-23"));
        assert_eq!(text(find_short("23.09.2022", &style)), None);
        assert_eq!(text(in_path("/news/2012-06/04/content_25340717.htm")), None);
        assert_eq!(text(in_path("/2012/6/4/story-20130101.html")).as_deref(), Some("2012-06-04"));
        assert_eq!(text(in_path("/a/20130101/b")).as_deref(), Some("2013-01-01"));
        assert_eq!(text(in_path("/item/12345678")), None);
        assert_eq!(text(in_path("/world/2021/mar/04/ferry")).as_deref(), Some("2021-03-04"));
        assert_eq!(text(in_path("/2021/mar/ferry-04")), None);
    }

    #[test]
    fn an_impossible_time_leaves_the_date() {
        assert_eq!(read("2018-12-31 99:99").as_deref(), Some("2018-12-31"));
    }

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "[0-9年月日/:.TZ+ aDec,-]{0,40}|\\PC{0,40}") {
            let _ = (read(&text), find_short(&text, &DateStyle::default()));
        }
    }
}
