//! Days, months and years as people write them, in seconds since 1970-01-01 UTC.

use time::{Date, Month, OffsetDateTime, Time};

/// A stretch of time: from `start`, up to but not including `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First second.
    pub start: i64,
    /// The second behind the last one.
    pub end: i64,
}

/// Reads `2024`, `2024-05` or `2024-05-31` (`/` and `.` part as well as `-`) as the year, month or day in UTC.
///
/// `None` for anything else, and for days that do not exist. Years 1 to 9999.
pub fn parse_period(text: &str) -> Option<Period> {
    let mut parts = text.trim().split(['-', '/', '.']);
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

    const DAY: i64 = 86_400;

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
    fn what_is_no_day_is_refused() {
        for text in
            ["", "2023-02-29", "2024-13", "24-1-1-1", "year", "2024-", "-2024", "0000", "2024-05-31x", "２０２４"]
        {
            assert_eq!(parse_period(text), None, "{text}");
        }
    }
}
