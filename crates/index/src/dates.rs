//! Times, days, months and years as people write them, in seconds since 1970-01-01 UTC.

use time::{Date, Month, OffsetDateTime, Time};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// A stretch of time: from `start`, up to but not including `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First second.
    pub start: i64,
    /// The second behind the last one.
    pub end: i64,
}

/// Reads what [`parse_period`] does, and `today`, `yesterday` and `now`: days in UTC, and a second.
///
/// The caller says when now is, in seconds since 1970-01-01 UTC.
pub fn parse_period_at(text: &str, now: i64) -> Option<Period> {
    let today = now - now.rem_euclid(DAY);
    let day = |start| Some(Period { start, end: start + DAY });
    match text.trim().to_ascii_lowercase().as_str() {
        "today" => day(today),
        "yesterday" => day(today - DAY),
        "now" => Some(Period { start: now, end: now + 1 }),
        _ => parse_period(text),
    }
}

/// Reads `2024`, `2024-05` or `2024-05-31` (`/` and `.` part as well as `-`) as the year, month or day in UTC, and
/// `2024-05-31T10`, `2024-05-31T10:30` or `2024-05-31T10:30:05` as the hour, minute or second. Behind a time may stand `Z` or
/// how far its zone is ahead, `+02:00`; between day and time a space as well.
///
/// `None` for anything else, and for days that do not exist. Years 1 to 9999.
pub fn parse_period(text: &str) -> Option<Period> {
    let text = text.trim();
    match text.split_once(['T', 't', ' ']) {
        None => parse_day(text),
        Some((day, time)) => {
            let day = parse_day(day).filter(|day| day.end - day.start == DAY)?;
            let (after, length) = parse_time(time)?;
            Some(Period { start: day.start + after, end: day.start + after + length })
        }
    }
}

/// Seconds since midnight in UTC, and how many the time stands for.
fn parse_time(text: &str) -> Option<(i64, i64)> {
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(zone);
    let ahead = match zone {
        "" | "Z" | "z" => 0,
        zone => {
            let (ahead, _) = parse_clock(&zone[1..])?;
            if zone.starts_with('-') { -ahead } else { ahead }
        }
    };
    // Parts of a second say nothing here.
    let clock = clock.split_once('.').map_or(clock, |(clock, _)| clock);
    let (after, length) = parse_clock(clock)?;
    Some((after - ahead, length))
}

fn parse_clock(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split(':');
    let mut part = |below: u32| parts.next().map(|part| number(part, 2).filter(|number| *number < below));
    let (hour, minute, second) = (part(24)??, part(60), part(60));
    let length = if second.is_some() {
        1
    } else if minute.is_some() {
        60
    } else {
        HOUR
    };
    let (minute, second) = (minute.unwrap_or(Some(0))?, second.unwrap_or(Some(0))?);
    let none_left = parts.next().is_none();
    none_left.then(|| (i64::from(hour) * HOUR + i64::from(minute) * 60 + i64::from(second), length))
}

fn parse_day(text: &str) -> Option<Period> {
    let mut parts = text.split(['-', '/', '.']);
    let year = number(parts.next()?, 4)?;
    let month = parts.next().map(|part| number(part, 2));
    let day = parts.next().map(|part| number(part, 2));
    if parts.next().is_some() || year == 0 {
        return None;
    }
    let (start, end) = match (month, day) {
        (None, _) => (first_of(year, 1)?, first_of(year + 1, 1)),
        (Some(month), None) => (first_of(year, month?)?, first_of_next(year, month?)),
        (Some(month), Some(day)) => {
            let month = Month::try_from(u8::try_from(month?).ok()?).ok()?;
            let day = Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day?).ok()?).ok()?;
            (day, day.next_day())
        }
    };
    Some(Period { start: seconds(start), end: end.map_or(i64::MAX, seconds) })
}

/// A time as `2024-05-31 10:30` in UTC, one at midnight as its day alone, since most pages name only that.
pub fn format_minute(unix_seconds: i64) -> String {
    let day = format_day(unix_seconds);
    match unix_seconds.rem_euclid(DAY) {
        0 => day,
        _ if day.is_empty() => day,
        after => format!("{day} {:02}:{:02}", after / HOUR, after / 60 % 60),
    }
}

/// The day of a time as `2024-05-31` in UTC; empty outside of the years 0 to 9999.
pub fn format_day(unix_seconds: i64) -> String {
    match OffsetDateTime::from_unix_timestamp(unix_seconds) {
        Ok(time) if (0..=9999).contains(&time.year()) => {
            format!("{:04}-{:02}-{:02}", time.year(), u8::from(time.month()), time.day())
        }
        _ => String::new(),
    }
}

fn number(text: &str, max_digits: usize) -> Option<u32> {
    let plain = (1..=max_digits).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn first_of(year: u32, month: u32) -> Option<Date> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(year).ok()?, month, 1).ok()
}

fn first_of_next(year: u32, month: u32) -> Option<Date> {
    if month == 12 { first_of(year + 1, 1) } else { first_of(year, month + 1) }
}

fn seconds(day: Date) -> i64 {
    day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_a_month_and_a_year_are_read() {
        let day = parse_period("2024-02-29").unwrap();
        assert_eq!((format_day(day.start), day.end - day.start), ("2024-02-29".into(), DAY));
        let month = parse_period("2023/12").unwrap();
        assert_eq!((format_day(month.start), format_day(month.end)), ("2023-12-01".into(), "2024-01-01".into()));
        assert_eq!(parse_period("1970").unwrap(), Period { start: 0, end: 365 * DAY });
        assert_eq!(parse_period("9999-12-31").unwrap().end, i64::MAX);
    }

    #[test]
    fn times_of_day_are_read_in_their_zone() {
        let read =
            |text: &str| parse_period(text).map(|period| (format_minute(period.start), period.end - period.start));
        let cases = [
            ("2026-11-26T10:00", "2026-11-26 10:00", 60),
            ("2026-11-26 10", "2026-11-26 10:00", HOUR),
            ("2026/11/26T10:00:59Z", "2026-11-26 10:00", 1),
            ("2026-11-26T10:00:00.250+02:00", "2026-11-26 08:00", 1),
            ("2026-11-26T20:30-05:00", "2026-11-27 01:30", 60),
            ("2026-11-26T00:00", "2026-11-26", 60),
        ];
        for (text, time, length) in cases {
            assert_eq!(read(text), Some((time.to_owned(), length)), "{text}");
        }
        for text in [
            "2026-11T10:00",
            "2026-11-26T24:00",
            "2026-11-26T10:60",
            "2026-11-26T",
            "2026-11-26T10:00:00:00",
            "2026-11-26T10:00+",
            "T10:00",
            "10:00",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn today_and_yesterday_are_days_before_now() {
        let now = parse_period("2026-11-26T10:00").unwrap().start;
        let day =
            |text: &str| parse_period_at(text, now).map(|period| (format_day(period.start), period.end - period.start));
        assert_eq!(day("today"), Some(("2026-11-26".into(), DAY)));
        assert_eq!(day("Yesterday"), Some(("2026-11-25".into(), DAY)));
        assert_eq!(day("2024-05-31"), Some(("2024-05-31".into(), DAY)));
        assert_eq!((day("tomorrow"), parse_period("today")), (None, None));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in
            ["", "2023-02-29", "2024-13", "24-1-1-1", "year", "2024-", "-2024", "0000", "2024-05-31x", "２０２４"]
        {
            assert_eq!(parse_period(text), None, "{text}");
        }
    }
}
