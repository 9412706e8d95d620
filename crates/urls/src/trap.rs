//! Crawler traps: addresses that a site can make without end, told by their shape alone.

use serde::{Deserialize, Serialize};

use crate::canonical::CanonicalUrl;

/// Bounds beyond which a URL is taken for a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrapLimits {
    /// How often one path segment may stand in a path; segments of digits only are not counted. Default: 2,
    /// so that `/a/b/a/c/a` is a trap. Relative links that lack a leading slash grow such paths.
    pub max_segment_repeats: usize,
    /// Most path segments. Default: 24.
    pub max_segments: usize,
    /// Longest query, in bytes. Default: 512.
    pub max_query_bytes: usize,
    /// Most query parameters. Default: 16; facetted navigation combines them without end.
    pub max_query_parameters: usize,
    /// How many years ahead of today a date in a path or query may lie. Default: 1.
    pub future_years: u16,
    /// How many years back a date may lie when the URL speaks of a calendar. Default: 20. Dates elsewhere may
    /// be as old as they like: archives are.
    pub past_years: u16,
}

impl Default for TrapLimits {
    fn default() -> Self {
        Self {
            max_segment_repeats: 2,
            max_segments: 24,
            max_query_bytes: 512,
            max_query_parameters: 16,
            future_years: 1,
            past_years: 20,
        }
    }
}

/// What makes a URL look like a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Trap {
    #[error("path segment `{0}` is repeated")]
    RepeatedSegment(String),
    #[error("path segments `{0}` are repeated as a pair")]
    RepeatedPair(String),
    #[error("more path segments than `traps.max_segments` ({0})")]
    TooManySegments(usize),
    #[error("query longer than `traps.max_query_bytes` ({0})")]
    LongQuery(usize),
    #[error("more query parameters than `traps.max_query_parameters` ({0})")]
    TooManyParameters(usize),
    #[error("date in the year {0} is outside the calendar window")]
    Calendar(u16),
}

/// Tells whether `url` looks like a trap, and why.
///
/// * `year`: today's year; `None` leaves the calendar out.
/// * O(n) for the text; segment counting is O(s²) for s ≤ `max_segments` segments.
#[must_use]
pub fn find_trap(url: &CanonicalUrl, limits: &TrapLimits, year: Option<u16>) -> Option<Trap> {
    find_path_trap(url.path(), limits)
        .or_else(|| url.query().and_then(|query| find_query_trap(query, limits)))
        .or_else(|| find_calendar_trap(url.path_and_query(), limits, year?))
}

fn find_path_trap(path: &str, limits: &TrapLimits) -> Option<Trap> {
    if path.bytes().filter(|&byte| byte == b'/').count() > limits.max_segments {
        return Some(Trap::TooManySegments(limits.max_segments));
    }
    let is_word = |segment: &str| segment.bytes().any(|byte| !byte.is_ascii_digit());
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    for (index, segment) in segments.iter().enumerate() {
        let repeats = segments[index..].iter().filter(|other| other == &segment).count();
        if repeats > limits.max_segment_repeats && is_word(segment) {
            return Some(Trap::RepeatedSegment((*segment).to_owned()));
        }
    }
    segments.windows(4).find_map(|four| {
        let repeated = four[..2] == four[2..] && is_word(four[0]) && is_word(four[1]);
        repeated.then(|| Trap::RepeatedPair(format!("{}/{}", four[0], four[1])))
    })
}

fn find_query_trap(query: &str, limits: &TrapLimits) -> Option<Trap> {
    if query.len() > limits.max_query_bytes {
        return Some(Trap::LongQuery(limits.max_query_bytes));
    }
    let parameters = query.split('&').count();
    (parameters > limits.max_query_parameters).then_some(Trap::TooManyParameters(limits.max_query_parameters))
}

/// Words that mark a page of a calendar rather than of an archive.
const CALENDAR_WORDS: &[&str] =
    &["calendar", "kalender", "calendrier", "agenda", "event", "month", "week", "tribe-bar-date"];

fn find_calendar_trap(path_and_query: &str, limits: &TrapLimits, today: u16) -> Option<Trap> {
    let (latest, earliest) = (today.saturating_add(limits.future_years), today.saturating_sub(limits.past_years));
    let mut calendar = None;
    years_with_month(path_and_query).find_map(|year| {
        let is_past = year < earliest && *calendar.get_or_insert_with(|| speaks_of_calendar(path_and_query));
        (year > latest || is_past).then_some(Trap::Calendar(year))
    })
}

fn speaks_of_calendar(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    CALENDAR_WORDS.iter().any(|word| lower.contains(word))
}

/// Years from 1000 to 2999 that are followed by a month: `/2031/05`, `2031-05`, `20310504`, `year=2031&month=5`.
fn years_with_month(text: &str) -> impl Iterator<Item = u16> {
    let bytes = text.as_bytes();
    let starts = (0..bytes.len()).filter(|&at| at == 0 || !bytes[at - 1].is_ascii_digit());
    starts.filter_map(move |at| {
        let year = number(bytes.get(at..at + 4)?).filter(|year| (1000..3000).contains(year))?;
        month_follows(&bytes[at + 4..]).then_some(year)
    })
}

fn month_follows(rest: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_month = |bytes: &[u8], width: usize| number(&bytes[..width]).is_some_and(|month| (1..=12).contains(&month));
    match rest {
        [b'/' | b'-' | b'_' | b'.', after @ ..] => {
            let width = digits(after);
            (1..=2).contains(&width) && is_month(after, width)
        }
        [b'0'..=b'9', ..] => digits(rest) == 4 && is_month(rest, 2),
        [b'&', after @ ..] => {
            let value = after.iter().position(|&byte| byte == b'=').map(|equals| &after[equals + 1..]);
            value.is_some_and(|value| (1..=2).contains(&digits(value)) && is_month(value, digits(value)))
                && after.to_ascii_lowercase().starts_with(b"m")
        }
        _ => false,
    }
}

fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |sum, byte| {
        byte.is_ascii_digit().then(|| sum.saturating_mul(10).saturating_add(u16::from(byte - b'0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trap(url: &str) -> Option<Trap> {
        find_trap(&url.parse().unwrap(), &TrapLimits::default(), Some(2026))
    }

    #[test]
    fn a_segment_that_stands_three_times_is_a_trap() {
        assert_eq!(trap("http://h/a/x/a/y/a/z"), Some(Trap::RepeatedSegment("a".into())));
        assert_eq!(trap("http://h/a/x/a/y"), None);
        assert_eq!(trap("http://h/2024/01/01/01/01/"), None, "numbers repeat in honest paths");
    }

    #[test]
    fn a_pair_of_segments_that_follows_itself_is_a_trap() {
        assert_eq!(trap("http://h/en/shop/en/shop/"), Some(Trap::RepeatedPair("en/shop".into())));
        assert_eq!(trap("http://h/en/shop/de/shop/"), None);
    }

    #[test]
    fn deep_paths_and_long_queries_are_traps() {
        let deep: String = (0..25).map(|n| format!("/s{n}")).collect();
        assert_eq!(trap(&format!("http://h{deep}")), Some(Trap::TooManySegments(24)));
        assert_eq!(trap(&format!("http://h/?q={}", "x".repeat(511))), Some(Trap::LongQuery(512)));
        let facets: Vec<String> = (0..17).map(|n| format!("f{n}=1")).collect();
        assert_eq!(trap(&format!("http://h/?{}", facets.join("&"))), Some(Trap::TooManyParameters(16)));
    }

    #[test]
    fn dates_far_ahead_are_traps_in_every_spelling() {
        for url in [
            "http://h/2031/05/",
            "http://h/e?d=2031-05-01",
            "http://h/20310504/x",
            "http://h/c?year=2031&month=5",
            "http://h/2031_5",
        ] {
            assert_eq!(trap(url), Some(Trap::Calendar(2031)), "{url}");
        }
        for url in [
            "http://h/2027/05/",
            "http://h/item/2031",
            "http://h/2031/99/",
            "http://h/x-120310504/",
            "http://h/2031/051",
        ] {
            assert_eq!(trap(url), None, "{url}");
        }
    }

    #[test]
    fn old_dates_are_traps_in_calendars_only() {
        assert_eq!(trap("http://h/calendar/1971/05/"), Some(Trap::Calendar(1971)));
        assert_eq!(trap("http://h/archive/1871/05/"), None);
    }
}
