//! Dates as pages write them: ISO 8601, RFC 2822, Chinese, English, and the usual numeric forms.

use std::fmt;

use gristmill_text::is_cjk;
use time::{Date, Month};

/// A date with as much time and zone as the page gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    date: Date,
    /// Hour, minute, second.
    time: Option<(u8, u8, u8)>,
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
        let mut scan = Scan { rest: from };
        let date = match digits {
            8 => parse(&from[..8]).map(|stamp| stamp.date),
            4 => scan.year_first(),
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
    if value.len() >= 10 && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return unix(value);
    }
    if value.len() == 8 && value.bytes().all(|byte| byte.is_ascii_digit()) {
        let date = ymd(value[..4].parse().ok()?, value[4..6].parse().ok()?, value[6..].parse().ok()?)?;
        return Some(Stamp { date, time: None, zone: None });
    }
    find(value)
}

/// Seconds or milliseconds since 1970.
fn unix(digits: &str) -> Option<Stamp> {
    let n: i64 = digits.parse().ok()?;
    let seconds = if digits.len() == 13 { n / 1000 } else { n };
    let at = time::OffsetDateTime::from_unix_timestamp(seconds).ok().filter(|at| plausible(at.date()))?;
    Some(Stamp { date: at.date(), time: Some((at.hour(), at.minute(), at.second())), zone: Some(0) })
}

/// The first date in a text of up to 600 bytes, with the time that follows it.
pub(super) fn find(text: &str) -> Option<Stamp> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    if !has_year(text) {
        return None;
    }
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let starts = match c {
            _ if c.is_ascii_digit() => !before.is_ascii_digit(),
            _ if c.is_alphabetic() => !before.is_alphanumeric() && !is_cjk(c),
            _ => false,
        };
        before = c;
        if !starts {
            continue;
        }
        let mut scan = Scan { rest: &text[at..] };
        if let Some(date) = scan.date() {
            let (time, zone) = scan.time();
            return Some(Stamp { date, time, zone });
        }
    }
    None
}

/// Whether four digits stand alone, as the year does in every form that [`Scan`] knows.
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

/// No page is older than the web by much, and none is from the far future.
fn plausible(date: Date) -> bool {
    (1970..=2100).contains(&date.year())
}

fn ymd(year: i32, month: u8, day: u8) -> Option<Date> {
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    plausible(date).then_some(date)
}

/// A cursor over one text; each step takes what it recognises or leaves all as it was.
struct Scan<'t> {
    rest: &'t str,
}

impl<'t> Scan<'t> {
    fn date(&mut self) -> Option<Date> {
        let start = self.rest;
        for form in [Scan::year_first, Scan::day_first, Scan::month_name_first, Scan::slashed] {
            self.rest = start;
            if let Some(date) = form(self) {
                return Some(date);
            }
        }
        self.rest = start;
        None
    }

    /// 2018-12-31, 2018/12/31, 2018.12.31, 2018年12月31日
    fn year_first(&mut self) -> Option<Date> {
        let year = self.number(4, 4)?;
        self.spaces();
        let separator = self.any(&["年", "-", "/", "."])?;
        self.spaces();
        let month = self.number(1, 2)?;
        self.spaces();
        self.any(if separator == "年" { &["月"] } else { std::slice::from_ref(&separator) })?;
        self.spaces();
        let day = self.number(1, 2)?;
        if separator == "年" {
            self.spaces();
            self.any(&["日", "号"])?;
        }
        ymd(year as i32, month as u8, day as u8)
    }

    /// 31 December 2018, 31. Dezember 2018, 31 de diciembre de 2018, 31st Dec, 2018
    fn day_first(&mut self) -> Option<Date> {
        let day = self.number(1, 2)?;
        self.any(&["st", "nd", "rd", "th", "."]);
        self.any(&["-"]);
        self.spaces();
        self.any(&["of ", "de ", "di "]);
        let month = self.month_name()?;
        self.any(&[".", ",", "-"]);
        self.spaces();
        self.any(&["de ", "del "]);
        let year = self.number(4, 4)?;
        ymd(year as i32, month, day as u8)
    }

    /// December 31, 2018; Mon Dec 31 2018 comes here at its second word
    fn month_name_first(&mut self) -> Option<Date> {
        // Few words are followed by a number: only those are looked up.
        let after = self.rest.trim_start_matches(char::is_alphabetic);
        let after = after.strip_prefix('.').unwrap_or(after).trim_start();
        if !after.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let month = self.month_name()?;
        self.any(&["."]);
        self.spaces();
        let day = self.number(1, 2)?;
        self.any(&["st", "nd", "rd", "th"]);
        self.any(&[","]);
        self.spaces();
        let year = self.number(4, 4)?;
        ymd(year as i32, month, day as u8)
    }

    /// 12/31/2018 or 31/12/2018, only where one of the two cannot be a month; 31.12.2018 is always day first
    fn slashed(&mut self) -> Option<Date> {
        let first = self.number(1, 2)? as u8;
        let separator = self.any(&["/", ".", "-"])?;
        let second = self.number(1, 2)? as u8;
        self.any(&[separator])?;
        let year = self.number(4, 4)? as i32;
        if self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return None; // a version number
        }
        match separator {
            "." => ymd(year, second, first),
            _ if first > 12 => ymd(year, second, first),
            _ if second > 12 => ymd(year, first, second),
            _ => None,
        }
    }

    /// What follows a date: 10:15, T10:15:00.000Z, 10时15分, 10:15 pm, +08:00
    fn time(&mut self) -> (Option<(u8, u8, u8)>, Option<i16>) {
        let start = self.rest;
        let Some(mut time) = self.clock() else {
            self.rest = start;
            return (None, None);
        };
        self.spaces();
        if let Some(half) = self.any(&["pm", "PM", "p.m.", "P.M.", "am", "AM", "a.m.", "A.M."]) {
            let afternoon = half.starts_with(['p', 'P']);
            time.0 = time.0 % 12 + if afternoon { 12 } else { 0 };
        }
        (Some(time), self.zone())
    }

    fn clock(&mut self) -> Option<(u8, u8, u8)> {
        self.any(&["T", "t"]);
        for _ in 0..3 {
            self.spaces();
            self.any(&[",", "|", "at ", "um ", "à ", "-", "–", "·", "•", "，", "/"]);
            if let Some(day) = self.rest.strip_prefix("星期").or_else(|| self.rest.strip_prefix("周")) {
                let mut day = day.chars();
                day.next();
                self.rest = day.as_str();
            }
        }
        let hour = self.number(1, 2)?;
        self.any(&[":", "：", "时", "点"])?;
        let minute = self.number(2, 2)?;
        self.any(&["分"]);
        let second = match self.any(&[":", "："]) {
            Some(_) => self.number(2, 2)?,
            None => 0,
        };
        if self.any(&["."]).is_some() {
            self.number(1, 9);
        }
        (hour < 24 && minute < 60 && second < 61).then_some((hour as u8, minute as u8, second.min(59) as u8))
    }

    fn zone(&mut self) -> Option<i16> {
        self.spaces();
        if self.any(&["Z", "z", "UTC", "GMT"]).is_some() && !self.rest.starts_with(['+', '-']) {
            return Some(0);
        }
        let sign = match self.any(&["+", "-", "−"])? {
            "+" => 1,
            _ => -1,
        };
        let hours = self.two_digits()?;
        self.any(&[":"]);
        let minutes = self.two_digits().unwrap_or(0);
        (hours <= 14 && minutes < 60).then_some(sign * (hours * 60 + minutes))
    }

    /// Exactly two digits, whatever follows: `0530` is two of them twice.
    fn two_digits(&mut self) -> Option<i16> {
        let digits = self.rest.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        self.rest = &self.rest[2..];
        digits.parse().ok()
    }

    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.rest.bytes().take(most + 1).take_while(u8::is_ascii_digit).count();
        if digits < least || digits > most {
            return None;
        }
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn month_name(&mut self) -> Option<u8> {
        let length: usize = self.rest.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum();
        if (3..=24).contains(&length) {
            let word = self.rest[..length].to_lowercase();
            if let Some(month) = super::months::month(&word) {
                self.rest = &self.rest[length..];
                return Some(month);
            }
        }
        self.english_month()
    }

    fn english_month(&mut self) -> Option<u8> {
        const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        const REST: [&str; 12] = ["uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember"];
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = self.rest[..letters].to_ascii_lowercase();
        let at = MONTHS.iter().position(|month| word.starts_with(month))?;
        let tail = &word[3..];
        if !(tail.is_empty() || tail == REST[at] || word == "sept") {
            return None;
        }
        self.rest = &self.rest[letters..];
        Some(at as u8 + 1)
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn any<'s>(&mut self, options: &[&'s str]) -> Option<&'s str> {
        let found = options.iter().find(|option| self.rest.starts_with(**option))?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }
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
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).map(|stamp| stamp.to_string()).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_left_alone() {
        for text in ["", "2018", "version 10.2.2018.4x", "3/4/2018", "2018-13-40", "Marching 4, 2018", "12345678901234"]
        {
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
