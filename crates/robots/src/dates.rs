//! Dates as sitemaps and feeds write them, as Unix seconds.

const DAY: i64 = 86_400;

/// Reads a W3C date (the profile of ISO 8601 that sitemaps and Atom use): `2026`, `2026-11`, `2026-11-21`,
/// `2026-11-21T08:30Z`, `2026-11-21 08:30:15.25+08:00`. Missing parts are the earliest; a missing zone is UTC.
/// `None` for anything else, and for years outside 1000–9999. O(n).
#[must_use]
pub fn parse_w3c(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, clock) = match text.find(['T', 't', ' ']) {
        Some(place) => (&text[..place], &text[place + 1..]),
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |month| digits(month, 2))?;
    let day = parts.next().map_or(Some(1), |day| digits(day, 2))?;
    if parts.next().is_some() {
        return None;
    }
    let days = days_from_civil(year, month, day)?;
    if clock.is_empty() {
        return Some(days * DAY);
    }
    let zone_at = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
    Some(days * DAY + seconds_of_day(&clock[..zone_at])? - zone_offset(clock[zone_at..].trim())?)
}

/// Reads a date of RSS (RFC 822 with years of two or four digits): `Sat, 21 Nov 2026 08:30:15 +0800`, `21 Nov 26 08:30 GMT`.
/// Feeds often write W3C dates here, so those are read too. Unknown zones are UTC. O(n).
#[must_use]
pub fn parse_rfc822(text: &str) -> Option<i64> {
    let after_weekday = text.split_once(',').map_or(text, |(_, rest)| rest);
    let mut words = after_weekday.split_whitespace();
    let first = words.next()?;
    let Some(day) = digits_up_to(first, 2) else { return parse_w3c(text) };
    let month = month_number(words.next()?)?;
    let year_text = words.next()?;
    let year = match (year_text.len(), digits_up_to(year_text, 4)?) {
        (2, year) if year < 70 => 2000 + year,
        (2, year) => 1900 + year,
        (_, year) => year,
    };
    let days = days_from_civil(year, month, day)?;
    let clock = words.next().map_or(Some(0), seconds_of_day)?;
    Some(days * DAY + clock - words.next().map_or(0, |zone| zone_offset(zone).unwrap_or(0)))
}

fn digits(text: &str, width: usize) -> Option<i64> {
    (text.len() == width).then(|| digits_up_to(text, width)).flatten()
}

fn digits_up_to(text: &str, width: usize) -> Option<i64> {
    let plain = (1..=width).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn seconds_of_day(clock: &str) -> Option<i64> {
    let mut parts = clock.trim().split(':');
    let hour = digits_up_to(parts.next()?, 2)?;
    let minute = digits_up_to(parts.next()?, 2)?;
    let second = match parts.next() {
        // Fractions of a second are cut.
        Some(second) => digits_up_to(second.split(['.', ',']).next()?, 2)?,
        None => 0,
    };
    let valid = hour <= 24 && minute < 60 && second <= 60 && parts.next().is_none();
    valid.then_some(hour * 3600 + minute * 60 + second)
}

/// Seconds east of Greenwich of `Z`, `+08:00`, `+0800`, `+08` and the American names of RFC 822.
fn zone_offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first() {
        None | Some(b'Z' | b'z') => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return named_zone(zone),
    };
    let plain: String = zone[1..].chars().filter(|&character| character != ':').collect();
    if plain.len() != 2 && plain.len() != 4 {
        return None;
    }
    let hours = digits(plain.get(..2)?, 2)?;
    let minutes = plain.get(2..4).map_or(Some(0), |minutes| digits(minutes, 2))?;
    (hours <= 15 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn named_zone(zone: &str) -> Option<i64> {
    let hours = match zone.to_ascii_uppercase().as_str() {
        "GMT" | "UT" | "UTC" => 0,
        "EDT" => -4,
        "EST" | "CDT" => -5,
        "CST" | "MDT" => -6,
        "MST" | "PDT" => -7,
        "PST" => -8,
        _ => return None,
    };
    Some(hours * 3600)
}

fn month_number(name: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = name.get(..3)?.to_ascii_lowercase();
    let index = MONTHS.iter().position(|month| *month == start)?;
    i64::try_from(index + 1).ok()
}

/// Days since 1970-01-01 in the Gregorian calendar; `None` for dates that are none.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
fn days_from_civil(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1000..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=length).contains(&day) {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted / 400;
    let year_of_era = shifted - era * 400;
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w3c_dates_may_stop_at_any_part() {
        for (text, expected) in [
            ("1970", 0),
            ("2026-11", 1_793_491_200),
            ("2026-11-21", 1_795_219_200),
            ("2026-11-21T08:30Z", 1_795_249_800),
            ("2026-11-21T08:30:15.25+08:00", 1_795_221_015),
            ("2026-11-21 08:30:15-0500", 1_795_267_815),
            (" 2000-02-29 ", 951_782_400),
        ] {
            assert_eq!(parse_w3c(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "2026-13-01",
            "2026-02-29",
            "21-11-2026",
            "2026-11-21T25:61",
            "yesterday",
            "2026-11-21T08:30+99:00",
            "२०२६",
        ] {
            assert_eq!(parse_w3c(text), None, "{text}");
        }
    }

    #[test]
    fn rss_dates_come_with_names_zones_and_short_years() {
        for (text, expected) in [
            ("Sat, 21 Nov 2026 08:30:15 GMT", 1_795_249_815),
            ("Sat, 21 Nov 2026 08:30:15 +0800", 1_795_221_015),
            ("21 nov 26 08:30 EST", 1_795_267_800),
            ("21 November 2026", 1_795_219_200),
            ("2026-11-21T08:30Z", 1_795_249_800),
        ] {
            assert_eq!(parse_rfc822(text), Some(expected), "{text}");
        }
        assert_eq!(parse_rfc822("Sat, 32 Nov 2026 08:30:15 GMT"), None);
        assert_eq!(parse_rfc822(""), None);
    }
}
