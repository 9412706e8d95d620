//! The time of day that stands beside a date.

use super::cursor::TextCursor;
use super::zones::zone_at;

/// Hour, minute, second.
pub(super) type Time = (u8, u8, u8);
/// A time, and the minutes east of UTC where they are told.
pub(super) type Clock = (Time, Option<i16>);

/// Words before hours that count to twelve, and whether they are those after noon.
const HALVES_BEFORE: [(&str, bool); 6] =
    [("上午", false), ("下午", true), ("오전", false), ("오후", true), ("午前", false), ("午後", true)];
const HALVES: [&str; 8] = ["pm", "PM", "p.m.", "P.M.", "am", "AM", "a.m.", "A.M."];

impl TextCursor<'_> {
    /// What follows a date: 10:15, T10:15:00.000Z, 10时15分, 10:15 pm, +08:00
    pub(super) fn time(&mut self) -> Option<Clock> {
        if self.within.is_some() {
            return self.within;
        }
        let start = self.rest;
        let Some(mut time) = self.clock() else {
            self.rest = start;
            return None;
        };
        // `2018-12-31T10:15` and `10:15:00` are written by programs, which know of zones and not of spans.
        let by_program =
            start.starts_with(['T', 't']) || start[..start.len() - self.rest.len()].matches(':').count() > 1;
        if !by_program && self.is_span(time) {
            return Some((time, None));
        }
        self.spaces();
        if let Some(half) = self.any(&HALVES) {
            time.0 = in_half(time.0, half.starts_with(['p', 'P']));
        }
        Some((time, self.zone()))
    }

    /// `12:45:00 EDT ` between the day and the year, as programs write the time.
    pub(super) fn clock_within(&mut self) -> Option<Clock> {
        let time = self.digits_of_time(false)?;
        let zone = self.zone();
        self.spaces();
        Some((time, zone))
    }

    /// Whether the end of a span follows a time: 10:15-11:30.
    fn is_span(&self, (hour, minute, _): Time) -> bool {
        let mut end = TextCursor::new(self.rest.trim_start(), self.style);
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
        let mut dotted = false;
        for _ in 0..3 {
            self.spaces();
            dotted |= self.any(&["kl. ", "kl ", "klo ", "um ", "ore ", "alle "]).is_some();
            self.any(&[
                ",",
                "|",
                "at ",
                "à ",
                "às ",
                "as ",
                "a las ",
                "om ",
                "o ",
                "о ",
                "в ",
                "v ",
                "ora ",
                "-",
                "–",
                "·",
                "•",
                "，",
                "/",
                "เวลา ",
            ]);
            self.weekday();
        }
        let half = HALVES_BEFORE.iter().find(|(word, _)| self.any(&[word]).is_some());
        self.spaces();
        let mut time = self.digits_of_time(dotted)?;
        if let Some(&(_, afternoon)) = half {
            time.0 = in_half(time.0, afternoon);
        }
        Some(time)
    }

    /// 星期一, 周一, (金), (Fri)
    fn weekday(&mut self) {
        const MAX_BYTES: usize = 16;
        if let Some(day) = self.rest.strip_prefix("星期").or_else(|| self.rest.strip_prefix("周")) {
            let mut day = day.chars();
            day.next();
            self.rest = day.as_str();
        }
        if let Some(day) = self.rest.strip_prefix(['(', '（'])
            && let Some((at, c)) = day.char_indices().take(MAX_BYTES).find(|(_, c)| matches!(c, ')' | '）'))
            && day[..at].chars().all(|c| c.is_alphabetic() || c == '.')
        {
            self.rest = &day[at + c.len_utf8()..];
        }
    }

    /// Behind a word for the hour a dot may stand within it.
    fn digits_of_time(&mut self, dotted: bool) -> Option<Time> {
        let hour = self.number(1, 2)?;
        let dot = if dotted { self.any(&["."]) } else { None };
        dot.or_else(|| self.any(&[":", "：", "时", "時", "点", "시 ", "시", "h", "H", " h "]))?;
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
        if self.any(&["Z", "z"]).is_some() {
            return Some(0);
        }
        if let Some((minutes, length)) = zone_at(self.rest) {
            self.rest = &self.rest[length..];
            if !self.rest.starts_with(['+', '-']) {
                return Some(minutes);
            }
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
}

fn in_half(hour: u8, afternoon: bool) -> u8 {
    hour % 12 + if afternoon { 12 } else { 0 }
}
