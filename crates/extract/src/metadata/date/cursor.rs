//! A cursor that takes dates and times from a text, in the forms that pages write them.

use time::{Date, Month};

use super::months::{english_month, month};

/// Hour, minute, second.
pub(super) type Time = (u8, u8, u8);

/// A cursor over one text; each step takes what it recognises or leaves all as it was.
pub(super) struct Cursor<'t> {
    pub(super) rest: &'t str,
}

impl<'t> Cursor<'t> {
    pub(super) fn date(&mut self) -> Option<Date> {
        let start = self.rest;
        for form in
            [Cursor::year_first, Cursor::year_then_name, Cursor::day_first, Cursor::month_name_first, Cursor::slashed]
        {
            self.rest = start;
            if let Some(date) = form(self) {
                return Some(date);
            }
        }
        self.rest = start;
        None
    }

    /// 2018-12-31, 2018/12/31, 2018.12.31, 2018年12月31日, 2018년 12월 31일
    pub(super) fn year_first(&mut self) -> Option<Date> {
        let year = self.number(4, 4)?;
        self.spaces();
        let separator = self.any(&["年", "년", "-", "/", "."])?;
        self.spaces();
        let month = self.number(1, 2)?;
        self.spaces();
        let (next, last): (&[&str], &[&str]) = match separator {
            "年" => (&["月"], &["日", "号"]),
            "년" => (&["월"], &["일"]),
            _ => (std::slice::from_ref(&separator), &[]),
        };
        self.any(next)?;
        self.spaces();
        let day = self.number(1, 2)?;
        if !last.is_empty() {
            self.spaces();
            self.any(last)?;
        }
        ymd(year as i32, month as u8, day as u8)
    }

    /// 2018. december 31., 2018 m. gruodžio 31 d., 2018 December 31
    fn year_then_name(&mut self) -> Option<Date> {
        let year = self.number(4, 4)?;
        self.any(&[".", ","]);
        self.spaces();
        self.any(&["m. "]);
        let month = self.month_name()?;
        self.any(&["."]);
        self.spaces();
        let day = self.number(1, 2)?;
        ymd(year as i32, month, day as u8)
    }

    /// 31 December 2018, 1er janvier 2018, 1º de janeiro de 2018, 31. Dezember 2018, 31 de diciembre de 2018, 31st Dec, 2018
    fn day_first(&mut self) -> Option<Date> {
        let day = self.number(1, 2)?;
        self.any(&["st", "nd", "rd", "th", "er", "ro", "º", "°", "."]);
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

    /// Only in English: short names of other languages are words of it (`out 5 2018`, `Set 2 2019`).
    ///
    /// December 31, 2018; Mon Dec 31 2018 comes here at its second word
    fn month_name_first(&mut self) -> Option<Date> {
        // Few words are followed by a number: only those are looked up.
        let after = self.rest.trim_start_matches(char::is_alphabetic);
        let after = after.strip_prefix('.').unwrap_or(after).trim_start();
        if !after.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let month = self.english_month()?;
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
    pub(super) fn time(&mut self) -> (Option<Time>, Option<i16>) {
        let start = self.rest;
        let Some(mut time) = self.clock() else {
            self.rest = start;
            return (None, None);
        };
        // `2018-12-31T10:15` and `10:15:00` are written by programs, which know of zones and not of spans.
        let by_program =
            start.starts_with(['T', 't']) || start[..start.len() - self.rest.len()].matches(':').count() > 1;
        if !by_program && self.is_span(time) {
            return (Some(time), None);
        }
        self.spaces();
        if let Some(half) = self.any(&["pm", "PM", "p.m.", "P.M.", "am", "AM", "a.m.", "A.M."]) {
            let afternoon = half.starts_with(['p', 'P']);
            time.0 = time.0 % 12 + if afternoon { 12 } else { 0 };
        }
        (Some(time), self.zone())
    }

    /// Whether the end of a span follows a time: 10:15-11:30.
    fn is_span(&self, (hour, minute, _): Time) -> bool {
        let mut end = Cursor { rest: self.rest.trim_start() };
        let clock = end.any(&["-"]).and_then(|_| {
            end.spaces();
            let hour = end.number(1, 2)?;
            end.any(&[":"])?;
            Some((hour, end.number(2, 2)?))
        });
        clock.is_some_and(|clock| clock > (hour.into(), minute.into()))
    }

    fn clock(&mut self) -> Option<Time> {
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

    pub(super) fn zone(&mut self) -> Option<i16> {
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
            if let Some(month) = month(&word) {
                self.rest = &self.rest[length..];
                return Some(month);
            }
        }
        self.english_month()
    }

    fn english_month(&mut self) -> Option<u8> {
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let month = english_month(&self.rest[..letters].to_ascii_lowercase())?;
        self.rest = &self.rest[letters..];
        Some(month)
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

/// No page is older than the web by much, and none is from the far future.
pub(super) fn plausible(date: Date) -> bool {
    (1970..=2100).contains(&date.year())
}

pub(super) fn ymd(year: i32, month: u8, day: u8) -> Option<Date> {
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    plausible(date).then_some(date)
}
