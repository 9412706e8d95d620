//! Crawler traps: addresses that a site can make without end, told by their shape alone.

use serde::Serialize;

use crate::calendar::year_outside_window;
use crate::canonical::CanonicalUrl;

/// Bounds beyond which a URL is taken for a trap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapLimits {
    /// How often one path segment may stand in a path; segments of digits only are not counted. Default: 3,
    /// so that `/a/b/a/c/a/d/a` is a trap. Relative links that lack a leading slash grow such paths.
    pub max_segment_repeats: usize,
    /// Most path segments. Default: 24.
    pub max_segments: usize,
    /// Longest query, in characters: `%E4%B8%AD` is one. Default: 512.
    pub max_query_chars: usize,
    /// Most query parameters. Default: 32; facetted navigation combines them without end.
    pub max_query_parameters: usize,
    /// How many years ahead of today a date in a path or query may lie. Default: 1. What looks like a date more than
    /// 100 years beyond that is taken for a number, unless the URL speaks of a calendar or calls it a date (`?date=`).
    pub future_years: u16,
}

impl Default for TrapLimits {
    fn default() -> Self {
        Self {
            max_segment_repeats: 3,
            max_segments: 24,
            max_query_chars: 512,
            max_query_parameters: 32,
            future_years: 1,
        }
    }
}

/// What makes a URL look like a trap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Trap {
    #[error("path segment `{0}` is repeated")]
    RepeatedSegment(String),
    #[error("path segments `{0}` are repeated as a pair, twice")]
    RepeatedPair(String),
    #[error("more path segments than `traps.max_segments` ({0})")]
    TooManySegments(usize),
    #[error("query longer than `traps.max_query_chars` ({0})")]
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
        .or_else(|| year_outside_window(url.path_and_query(), limits, year?).map(Trap::Calendar))
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
    segments.windows(6).find_map(|six| {
        let repeated = six[..2] == six[2..4] && six[..2] == six[4..] && is_word(six[0]) && is_word(six[1]);
        repeated.then(|| Trap::RepeatedPair(format!("{}/{}", six[0], six[1])))
    })
}

fn find_query_trap(query: &str, limits: &TrapLimits) -> Option<Trap> {
    if n_chars(query) > limits.max_query_chars {
        return Some(Trap::LongQuery(limits.max_query_chars));
    }
    let parameters = query.split('&').count();
    (parameters > limits.max_query_parameters).then_some(Trap::TooManyParameters(limits.max_query_parameters))
}

/// Characters of a query whose escapes are undone as UTF-8; a byte that is none counts as one.
fn n_chars(query: &str) -> usize {
    let bytes = query.as_bytes();
    let (mut at, mut n_chars) = (0, 0);
    while at < bytes.len() {
        let is_escape = bytes[at] == b'%' && bytes.len() - at > 2;
        // The further bytes of a character begin with the bits 10.
        let goes_on = is_escape && matches!(bytes[at + 1], b'8' | b'9' | b'A' | b'B' | b'a' | b'b');
        n_chars += usize::from(!goes_on);
        at += if is_escape { 3 } else { 1 };
    }
    n_chars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trap(url: &str) -> Option<Trap> {
        find_trap(&url.parse().unwrap(), &TrapLimits::default(), Some(2026))
    }

    #[test]
    fn a_segment_that_stands_four_times_is_a_trap() {
        assert_eq!(trap("http://h/a/x/a/y/a/z/a"), Some(Trap::RepeatedSegment("a".into())));
        for honest in ["a/x/a/y/a", "a/a/a", "api/v1/api/v2/api/v3", "org/apache/commons/org/apache/util"] {
            assert_eq!(trap(&format!("http://h/{honest}")), None, "{honest}");
        }
        assert_eq!(trap("http://h/2024/01/01/01/01/"), None, "numbers repeat in honest paths");
    }

    #[test]
    fn a_pair_of_segments_that_follows_itself_is_a_trap() {
        assert_eq!(trap("http://h/en/shop/en/shop/en/shop/"), Some(Trap::RepeatedPair("en/shop".into())));
        assert_eq!(trap("http://h/en/shop/de/shop/en/shop"), None);
    }

    #[test]
    fn deep_paths_and_long_queries_are_traps() {
        let deep: String = (0..25).map(|n| format!("/s{n}")).collect();
        assert_eq!(trap(&format!("http://h{deep}")), Some(Trap::TooManySegments(24)));
        assert_eq!(trap(&format!("http://h/?q={}", "x".repeat(511))), Some(Trap::LongQuery(512)));
        assert_eq!(trap(&format!("http://h/?q={}", "%E4%B8%AD".repeat(200))), None, "200 letters");
        assert_eq!(trap("http://h/?q=%"), None);
        let facets: Vec<String> = (0..33).map(|n| format!("f{n}=1")).collect();
        assert_eq!(trap(&format!("http://h/?{}", facets.join("&"))), Some(Trap::TooManyParameters(32)));
    }

    #[test]
    fn a_calendar_needs_to_be_told_the_year() {
        let url = "http://h/2031/05/".parse().unwrap();
        assert_eq!(find_trap(&url, &TrapLimits::default(), Some(2026)), Some(Trap::Calendar(2031)));
        assert_eq!(find_trap(&url, &TrapLimits::default(), None), None);
    }
}
