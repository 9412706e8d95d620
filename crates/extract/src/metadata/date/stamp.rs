//! Dates as pages write them: ISO 8601, RFC 2822, Chinese, English, and the usual numeric forms.

use std::fmt;
use std::ops::Range;

use gristmill_text::is_cjk;
use time::Date;

use super::cursor::{Cursor, Time, plausible, ymd};

/// A date with as much time and zone as the page gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    date: Date,
    time: Option<Time>,
    /// Minutes east of UTC.
    zone: Option<i16>,
}

impl fmt::Display for Stamp {
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

/// Longest text that is searched.
const MAX_BYTES: usize = 600;

impl Stamp {
    /// Whether a time of day stands beside the date.
    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }
}

/// The date that a path of an address holds: `/2018/12/31/`, `/2018-12-31-…`, `/20181231/`.
pub(super) fn in_path(path: &str) -> Option<Stamp> {
    let mut rest = path;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = &rest[at..];
        let digits = from.bytes().take_while(u8::is_ascii_digit).count();
        let mut cursor = Cursor { rest: from };
        let date = match digits {
            8 => parse(&from[..8]).map(|stamp| stamp.date),
            4 => cursor.year_first(),
            _ => None,
        };
        if let Some(date) = date {
            return Some(Stamp { date, time: None, zone: None });
        }
        rest = &from[digits..];
    }
    None
}

/// The date that a declared value holds.
pub(super) fn parse(value: &str) -> Option<Stamp> {
    let value = value.trim();
    if let Some(stamp) = compact(value) {
        return Some(stamp);
    }
    if value.len() >= 10 && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return unix(value);
    }
    find(value)
}

/// `20181231`, `20181231101500`, `20181231T101500Z`
fn compact(value: &str) -> Option<Stamp> {
    let number = |at: Range<usize>| -> Option<u16> {
        value.get(at).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
    };
    let two = |at: usize| number(at..at + 2).map(|number| number as u8);
    let date = ymd(number(0..4)?.into(), two(4)?, two(6)?)?;
    let clock = 8 + usize::from(value[8..].starts_with('T'));
    if value.len() == 8 {
        return Some(Stamp { date, time: None, zone: None });
    }
    let time = (two(clock)?, two(clock + 2)?, two(clock + 4)?);
    let zone = &value[clock + 6..];
    let apart = zone.is_empty() || zone.starts_with(['Z', '+', '-']);
    let valid = time.0 < 24 && time.1 < 60 && time.2 < 61;
    (apart && valid).then(|| Stamp {
        date,
        time: Some((time.0, time.1, time.2.min(59))),
        zone: Cursor { rest: zone }.zone(),
    })
}

/// Seconds or milliseconds since 1970.
fn unix(digits: &str) -> Option<Stamp> {
    let n: i64 = digits.parse().ok()?;
    let seconds = if digits.len() == 13 { n / 1000 } else { n };
    let at = time::OffsetDateTime::from_unix_timestamp(seconds).ok().filter(|at| plausible(at.date()))?;
    Some(Stamp { date: at.date(), time: Some((at.hour(), at.minute(), at.second())), zone: Some(0) })
}

/// The first date in a text of up to 600 bytes, with the time that follows it.
pub(crate) fn find(text: &str) -> Option<Stamp> {
    find_from(text, 0).map(|(stamp, _)| stamp)
}

/// The first date that begins at a byte of a text or behind it, and where it stands with its time.
pub(super) fn find_from(text: &str, from: usize) -> Option<(Stamp, Range<usize>)> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    if !has_year(text.get(from..)?) {
        return None;
    }
    let mut before = ' ';
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < from) {
        let starts = match c {
            _ if c.is_ascii_digit() => !before.is_ascii_digit(),
            _ if c.is_alphabetic() => !before.is_alphanumeric() && !is_cjk(c),
            _ => false,
        };
        before = c;
        if !starts {
            continue;
        }
        let mut cursor = Cursor { rest: &text[at..] };
        if let Some(date) = cursor.date() {
            let (time, zone) = cursor.time();
            return Some((Stamp { date, time, zone }, at..text.len() - cursor.rest.len()));
        }
    }
    None
}

/// Whether four digits stand alone, as the year does in every form that [`Cursor`] knows.
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

/// `31.12.18` in a text that is known to hold a date.
pub(super) fn with_short_year(text: &str) -> Option<Stamp> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = &text.as_bytes()[start..(start + 8).min(text.len())];
    let two = |at: usize| -> Option<u8> {
        let (tens, ones) = (digits.get(at)?, digits.get(at + 1)?);
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + ones - b'0')
    };
    let (day, month, year) = (two(0)?, two(3)?, two(6)?);
    let next = text.as_bytes().get(start + 8).is_some_and(u8::is_ascii_digit);
    if digits.get(2) != Some(&b'.') || digits.get(5) != Some(&b'.') || next {
        return None;
    }
    let century = if year < 70 { 2000 } else { 1900 };
    Some(Stamp { date: ymd(century + i32::from(year), month, day)?, time: None, zone: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).map(|stamp| stamp.to_string()).as_deref(), Some(expected), "{text}");
        }
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
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn short_years_and_paths_are_read_where_a_date_is_known_to_be() {
        let text = |stamp: Option<Stamp>| stamp.map(|stamp| stamp.to_string());
        assert_eq!(text(with_short_year("am 23.09.22")).as_deref(), Some("2022-09-23"));
        assert_eq!(text(with_short_year("23.09.2022")), None);
        assert_eq!(text(in_path("/news/2012-06/04/content_25340717.htm")), None);
        assert_eq!(text(in_path("/2012/6/4/story-20130101.html")).as_deref(), Some("2012-06-04"));
        assert_eq!(text(in_path("/a/20130101/b")).as_deref(), Some("2013-01-01"));
        assert_eq!(text(in_path("/item/12345678")), None);
    }

    #[test]
    fn an_impossible_time_leaves_the_date() {
        assert_eq!(parse("2018-12-31 99:99").map(|stamp| stamp.to_string()).as_deref(), Some("2018-12-31"));
    }

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "[0-9年月日/:.TZ+ aDec,-]{0,40}|\\PC{0,40}") {
            let _ = parse(&text);
        }
    }
}
