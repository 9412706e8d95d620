//! A cursor that takes dates from a text, in the forms that pages write them.

use time::{Date, Month};

use super::calendar;
use super::clock::Clock;
use super::months::{english_month, month_at};
use super::style::DateStyle;
use super::weekdays::weekday_before;

/// A cursor over one text; each step takes what it recognises or leaves all as it was.
pub(super) struct TextCursor<'t> {
    pub(super) rest: &'t str,
    pub(super) style: &'t DateStyle,
    /// The time that stood within the date: `Aug 03 12:45:00 EDT 2015`.
    pub(super) within: Option<Clock>,
    /// What stands before the date, where a day of the week may: `Tue, 11/03/2026`.
    pub(super) before: &'t str,
}

impl<'t> TextCursor<'t> {
    pub(super) fn new(rest: &'t str, style: &'t DateStyle) -> TextCursor<'t> {
        TextCursor { rest, style, within: None, before: "" }
    }

    pub(super) fn date(&mut self) -> Option<Date> {
        let forms: [fn(&mut TextCursor<'t>) -> Option<Date>; 8] = [
            TextCursor::year_first,
            TextCursor::year_then_name,
            TextCursor::day_first,
            TextCursor::month_name_first,
            TextCursor::numeric,
            TextCursor::of_era,
            TextCursor::of_republic,
            TextCursor::jalali,
        ];
        self.first_of(&forms)
    }

    /// A date whose year has two digits, in a text that is known to hold a date.
    pub(super) fn short_date(&mut self) -> Option<Date> {
        self.first_of(&[TextCursor::short_numeric, TextCursor::day_first_short, TextCursor::month_first_short])
    }

    fn first_of(&mut self, forms: &[fn(&mut TextCursor<'t>) -> Option<Date>]) -> Option<Date> {
        let start = self.rest;
        for form in forms {
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
        self.month_and_day(year as i32)
    }

    /// What follows a year, with the sign between them.
    fn month_and_day(&mut self, year: i32) -> Option<Date> {
        self.spaces();
        let separator = self.any(&["年", "년", "-", "/", "."])?;
        self.spaces();
        let month = self.number(1, 2)?;
        self.spaces();
        let (next, last): (&[&str], &[&str]) = match separator {
            "年" => (&["月"], &["日", "号", "號"]),
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
        if separator == "." && self.rest.starts_with(". ") {
            self.any(&["."]);
        }
        if self.style.is_jalali && calendar::is_jalali_year(year) {
            return calendar::jalali(year, month as u8, day as u8);
        }
        ymd(calendar::common_year(year), month as u8, day as u8)
    }

    /// 令和6年5月3日, 平成元年1月8日, 民國107年4月5日, R6.5.3
    fn of_era(&mut self) -> Option<Date> {
        let before = match calendar::era(self.rest) {
            Some((before, length)) => {
                self.rest = &self.rest[length..];
                before
            }
            None => {
                let letter = self.rest.chars().next().filter(|_| self.style.counts_eras())?;
                self.rest = &self.rest[letter.len_utf8()..];
                calendar::era_letter(letter)?
            }
        };
        self.spaces();
        let of_era = if self.any(&["元"]).is_some() { 1 } else { self.number(1, 3)? as i32 };
        self.month_and_day(before + of_era)
    }

    /// 112-06-15, 112年6月15日 on pages of Taiwan
    fn of_republic(&mut self) -> Option<Date> {
        let year = self.number(3, 3).filter(|_| self.style.is_taiwanese)? as i32;
        self.month_and_day(calendar::year_of_republic(year)?)
    }

    /// 15 فروردین 1397, once its digits are plain
    fn jalali(&mut self) -> Option<Date> {
        let day = self.number(1, 2)?;
        self.spaces();
        let length = self.rest.char_indices().find(|(_, c)| !c.is_alphabetic()).map_or(self.rest.len(), |(at, _)| at);
        let month = calendar::jalali_month(&self.rest[..length])?;
        self.rest = &self.rest[length..];
        self.any(&["،", ","]);
        self.spaces();
        self.any(&["ماه "]);
        let year = self.number(4, 4)?;
        calendar::jalali(year as i32, month, day as u8)
    }

    /// 2018. december 31., 2018. gada 31. decembris, 2018 ж. 31 желтоқсан, 2018 m. gruodžio 31 d., 2018 December 31, 2018-abendua-31
    fn year_then_name(&mut self) -> Option<Date> {
        let year = self.number(4, 4)?;
        self.any(&["ko ", "eko ", ".", ",", "-"]);
        self.spaces();
        self.any(&["m. ", "оны "]);
        if self.any(&["gada ", "ж. ", "жылғы "]).is_some() {
            let day = self.number(1, 2)?;
            self.any(&["."]);
            self.spaces();
            return ymd(year as i32, self.month_name()?, day as u8);
        }
        let start = self.rest;
        // 2020 оны 9 сарын 8
        if let Some(month) = self.number(1, 2).filter(|_| self.any(&[" сарын ", " дугаар сарын "]).is_some())
        {
            return ymd(year as i32, month as u8, self.number(1, 2)? as u8);
        }
        self.rest = start;
        let month = self.month_name().or_else(|| self.roman_month())?;
        self.any(&[".", "-"]);
        self.spaces();
        let day = self.number(1, 2)?;
        ymd(year as i32, month, day as u8)
    }

    /// 31 December 2018, 1er janvier 2018, 1º de janeiro de 2018, 31. Dezember 2018, 31 de diciembre de 2018, 31st Dec, 2018,
    /// 5 أبريل 2018, 5 เมษายน 2561, 5 באפריל 2018, 5 tháng 4 năm 2018
    fn day_first(&mut self) -> Option<Date> {
        let (day, month) = self.day_and_month_name()?;
        let year = self.number(4, 4)?;
        if self.rest.starts_with("年") {
            return None;
        }
        ymd(calendar::common_year(year as i32), month, day)
    }

    fn day_and_month_name(&mut self) -> Option<(u8, u8)> {
        let day = self.number(1, 2)? as u8;
        self.any(&["st", "nd", "rd", "th", "er", "ro", "º", "°", ".", ","]);
        self.any(&["-", "/"]);
        self.spaces();
        self.any(&["of ", "de ", "di ", "d'", "d’", "ta' ", "ta’ "]);
        let month = self.month_name().or_else(|| self.roman_month())?;
        // Two names of the month are common in Arabic: أبريل / نيسان.
        let after = self.rest;
        self.spaces();
        if self.any(&["/", "("]).is_none() || {
            self.spaces();
            self.month_name()
        } != Some(month)
        {
            self.rest = after;
        }
        self.spaces();
        self.any(&[")", ".", ",", "-", "/", "،"]);
        self.spaces();
        self.any(&["de ", "del ", "năm ", "พ.ศ.", "ค.ศ.", "г.", "’", "'"]);
        self.spaces();
        Some((day, month))
    }

    /// December 31, 2018; 三月 12, 2021; Juli 12, 2017; Mon Dec 31 2018 and Mon Dec 31 10:15:00 EST 2018 come here at their second word
    fn month_name_first(&mut self) -> Option<Date> {
        let (month, day) = self.month_name_and_day()?;
        let after = self.rest;
        self.within = self.clock_within();
        if self.within.is_none() {
            self.rest = after;
        }
        let year = self.number(4, 4).filter(|_| !self.rest.starts_with(':'));
        if year.is_none() {
            self.within = None;
        }
        let year = year?;
        ymd(calendar::common_year(year as i32), month, day)
    }

    /// Short names of other languages than English are words of it (`out 5 2018`, `Set 2 2019`): they need a comma behind the day.
    fn month_name_and_day(&mut self) -> Option<(u8, u8)> {
        if let Some(month) = self.chinese_month() {
            let day = self.number(1, 2)? as u8;
            self.any(&[","])?;
            self.spaces();
            return Some((month, day));
        }
        // Few words are followed by a number: only those are looked up.
        let digit = self.rest.char_indices().take(24).find(|(_, c)| c.is_ascii_digit());
        digit.filter(|&(at, _)| self.rest[..at].ends_with([' ', '.', '-']))?;
        let start = self.rest;
        let english = self.english_month();
        let month = english.or_else(|| self.month_name())?;
        let is_short = start.len() - self.rest.len() <= 3;
        self.any(&["."]);
        // Feb-09-2020
        let hyphen = self.any(&["-"]);
        self.spaces();
        let day = self.number(1, 2)?;
        self.any(&["st", "nd", "rd", "th"]);
        let behind = self.rest;
        self.spaces();
        let comma = if hyphen.is_some() { Some(self.any(&["-"])?) } else { self.any(&[",", "،"]) };
        if comma.is_none() {
            self.rest = behind;
        }
        self.spaces();
        (english.is_some() || !is_short || comma.is_some()).then_some((month, day as u8))
    }

    /// 31/12/2018 or 12/31/2018. Where both may be the month the style of the page decides; 31.12.2018 is day first
    fn numeric(&mut self) -> Option<Date> {
        let (first, separator, second) = self.two_numbers()?;
        let written = self.number(4, 4)? as i32;
        let year = calendar::common_year(written);
        if self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return None; // a version number
        }
        if year != written {
            return ymd(year, second, first); // Thailand writes the day first
        }
        self.style.resolve(first, second, year, separator, weekday_before(self.before))
    }

    fn two_numbers(&mut self) -> Option<(u8, &'static str, u8)> {
        let first = self.number(1, 2)? as u8;
        let spaced = self.any(&[" "]).is_some();
        let separator = self.any(&["/", ".", "-"])?;
        if spaced || separator == "." {
            self.any(&[" "]);
        }
        let second = self.number(1, 2)? as u8;
        if spaced {
            self.any(&[" "])?;
        }
        // In Denmark and Norway some write `12/3-2021` and `12/3 2021`, with the day first.
        let between: &[&str] =
            if matches!(self.style.language, "da" | "no" | "nb" | "nn" | "sv") { &["-", " "] } else { &["-"] };
        let is_nordic = separator == "/" && self.any(between).is_some();
        let separator = if is_nordic { "." } else { self.any(&[separator])? };
        if spaced || separator == "." {
            self.any(&[" "]);
        }
        Some((first, separator, second))
    }

    /// 31.12.18, 12/31/18; 18.12.31 where the year comes first. `4.3.21` is a version but where dates are written so and none has a name
    /// before it.
    fn short_numeric(&mut self) -> Option<Date> {
        let start = self.rest;
        let (first, separator, second) = self.two_numbers()?;
        let third = self.number(2, 2)? as u8;
        let ends =
            !self.rest.starts_with(['.', '/', '-', ':']) || !self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        let two = |at: usize| start[at..].bytes().take(2).all(|byte| byte.is_ascii_digit());
        let begins = || {
            let before = self.before.trim_end();
            before.is_empty() || before.ends_with([',', '|', '·', '•', '–', '—'])
        };
        let is_day = || separator == "." && self.style.writes_dots() && begins();
        if !ends || separator != "/" && !two(0) && !is_day() {
            return None;
        }
        if self.style.is_year_first() {
            return ymd(century(first, self.style), second, third);
        }
        self.style.resolve(first, second, century(third, self.style), separator, weekday_before(self.before))
    }

    /// 31 Dec 18, 03-Aug-15, 5 เม.ย. 61
    fn day_first_short(&mut self) -> Option<Date> {
        let (day, month) = self.day_and_month_name()?;
        let year = self.short_year()?;
        ymd(year, month, day)
    }

    /// Dec 31, '18
    fn month_first_short(&mut self) -> Option<Date> {
        let (month, day) = self.month_name_and_day()?;
        self.any(&["'", "’"]);
        let year = self.short_year()?;
        ymd(year, month, day)
    }

    fn short_year(&mut self) -> Option<i32> {
        let year = self.number(2, 2)? as u8;
        let time = self.rest.starts_with([':', '.']) && self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        (!time).then(|| century(year, self.style))
    }

    pub(super) fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.rest.bytes().take(most + 1).take_while(u8::is_ascii_digit).count();
        if digits < least || digits > most {
            return None;
        }
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn month_name(&mut self) -> Option<u8> {
        if let Some((month, length)) = month_at(self.rest, self.style.language) {
            self.rest = &self.rest[length..];
            return Some(month);
        }
        // In Vietnamese months have numbers.
        if self.any(&["tháng ", "Tháng ", "thg ", "Thg "]).is_some() {
            return self.number(1, 2).map(|month| month as u8);
        }
        // In Hebrew a preposition is written in one with the name.
        let (month, length) = month_at(self.rest.strip_prefix('ב')?, self.style.language)?;
        self.rest = &self.rest['ב'.len_utf8() + length..];
        Some(month)
    }

    /// `12.XI.2013`, `5 III 2019`
    fn roman_month(&mut self) -> Option<u8> {
        const NUMBERS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
        let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let month = NUMBERS.iter().position(|own| *own == &self.rest[..length])? as u8 + 1;
        self.rest = &self.rest[length..];
        Some(month)
    }

    /// `3 月 ` and `三月 `, behind which WordPress writes the day.
    fn chinese_month(&mut self) -> Option<u8> {
        const NUMBERS: [&str; 12] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];
        const MAX_BYTES: usize = 9;
        let at = self.rest[..self.rest.floor_char_boundary(MAX_BYTES)].find('月')?;
        let (number, rest) = (self.rest[..at].trim_end(), &self.rest[at + '月'.len_utf8()..]);
        let month = number.parse().ok().or_else(|| Some(NUMBERS.iter().position(|own| *own == number)? as u8 + 1))?;
        self.rest = rest.strip_prefix(' ')?;
        (1..=12).contains(&month).then_some(month)
    }

    fn english_month(&mut self) -> Option<u8> {
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let month = english_month(&self.rest[..letters].to_ascii_lowercase())?;
        self.rest = &self.rest[letters..];
        Some(month)
    }

    pub(super) fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    pub(super) fn any<'s>(&mut self, options: &[&'s str]) -> Option<&'s str> {
        let found = options.iter().find(|option| self.rest.starts_with(**option))?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }
}

/// The year that two digits stand for: of this century up to 69, and Buddhist where a page counts so.
fn century(year: u8, style: &DateStyle) -> i32 {
    let year = i32::from(year);
    match (style.language, year) {
        ("th", 43..) => 2500 - 543 + year,
        (_, 70..) => 1900 + year,
        _ => 2000 + year,
    }
}

/// No page is older than the web by much, and none is from the far future.
pub(super) fn plausible(date: Date) -> bool {
    // The first second of Unix stands for no time.
    (1970..=2100).contains(&date.year()) && (date.year() > 1970 || date.ordinal() > 1)
}

pub(super) fn ymd(year: i32, month: u8, day: u8) -> Option<Date> {
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    plausible(date).then_some(date)
}
