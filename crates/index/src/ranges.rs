//! Ranges as people write them in queries: of days and of numbers.
//!
//! `[a TO b]` with `*` for an open end, `a..b`, `>a`, `>=a`, `<b`, `<=b`.

use std::ops::Bound;

use crate::dates::{parse_period, parse_period_at};

/// A stretch between two ends, and whether it was written the wrong way round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct QueryRange<T> {
    pub from: T,
    pub to: T,
    pub backwards: bool,
}

/// The two sides of a text that is written as a range; `None` if it is not.
enum Written<'a> {
    Between(&'a str, &'a str),
    AtLeast(&'a str),
    Above(&'a str),
    AtMost(&'a str),
    Below(&'a str),
}

fn written(value: &str) -> Option<Written<'_>> {
    if let Some(inside) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (from, to) = inside.split_once(" TO ").or_else(|| inside.split_once(" to "))?;
        return Some(Written::Between(from.trim(), to.trim()));
    }
    if let Some((from, to)) = value.split_once("..") {
        return Some(Written::Between(from.trim(), to.trim()));
    }
    let side = |sign: &str| value.strip_prefix(sign).map(str::trim);
    side(">=")
        .map(Written::AtLeast)
        .or_else(|| side("<=").map(Written::AtMost))
        .or_else(|| side(">").map(Written::Above))
        .or_else(|| side("<").map(Written::Below))
}

/// Whether a value is written as a range, readable or not.
pub(crate) fn is_range(value: &str) -> bool {
    value.starts_with('[') || written(value).is_some()
}

/// Reads the value of `date:`, a range or a period such as `2024-05`: bounds in seconds, the upper one exclusive.
///
/// `today` and `yesterday` are known where the caller says when now is.
pub(crate) fn date_range(value: &str, now: Option<i64>) -> Option<QueryRange<Option<i64>>> {
    let period = |text: &str| now.map_or_else(|| parse_period(text), |now| parse_period_at(text, now));
    let start = |text: &str| period(text).map(|period| period.start);
    let end = |text: &str| period(text).map(|period| period.end);
    let one = |from, to| Some(QueryRange { from, to, backwards: false });
    match written(value) {
        None => one(Some(start(value)?), Some(end(value)?)),
        Some(Written::AtLeast(text)) => one(Some(start(text)?), None),
        Some(Written::Above(text)) => one(Some(end(text)?), None),
        Some(Written::AtMost(text)) => one(None, Some(end(text)?)),
        Some(Written::Below(text)) => one(None, Some(start(text)?)),
        Some(Written::Between(from, to)) => {
            let open = |text: &str| matches!(text, "" | "*");
            let backwards = !open(from) && !open(to) && start(from)? > start(to)?;
            let (from, to) = if backwards { (to, from) } else { (from, to) };
            let from = if open(from) { None } else { Some(start(from)?) };
            let to = if open(to) { None } else { Some(end(to)?) };
            (from.is_some() || to.is_some()).then_some(QueryRange { from, to, backwards })
        }
    }
}

/// A number that can be compared, with a point before its fraction, or a comma before one or two digits: three may be thousands.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let with_comma = text.split_once(',').filter(|(_, fraction)| matches!(fraction.len(), 1 | 2));
    let number = with_comma.map_or_else(|| text.parse(), |(whole, fraction)| format!("{whole}.{fraction}").parse());
    number.ok().filter(|number: &f64| number.is_finite())
}

/// Reads a range of numbers.
pub(crate) fn number_range(value: &str) -> Option<QueryRange<Bound<f64>>> {
    let one = |from, to| Some(QueryRange { from, to, backwards: false });
    match written(value)? {
        Written::AtLeast(text) => one(Bound::Included(number(text)?), Bound::Unbounded),
        Written::Above(text) => one(Bound::Excluded(number(text)?), Bound::Unbounded),
        Written::AtMost(text) => one(Bound::Unbounded, Bound::Included(number(text)?)),
        Written::Below(text) => one(Bound::Unbounded, Bound::Excluded(number(text)?)),
        Written::Between(from, to) => {
            let end = |text: &str| match text {
                "" | "*" => Some(Bound::Unbounded),
                text => number(text).map(Bound::Included),
            };
            let (from, to) = (end(from)?, end(to)?);
            let backwards = matches!((from, to), (Bound::Included(from), Bound::Included(to)) if from > to);
            let (from, to) = if backwards { (to, from) } else { (from, to) };
            Some(QueryRange { from, to, backwards })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(value: &str) -> Option<(Option<i64>, Option<i64>)> {
        date_range(value, None).map(|range| (range.from, range.to))
    }

    #[test]
    fn dates_are_read_with_and_without_bounds() {
        let (from, to) = dates("2024-05").unwrap();
        assert_eq!(to.unwrap() - from.unwrap(), 31 * 86_400);
        assert_eq!(dates(">2023"), dates(">=2024"));
        assert_eq!(dates("<=2023"), dates("..2023"));
        assert_eq!(dates("2023..2024").unwrap().1, dates("<2025").unwrap().1);
        assert_eq!(dates("[2023 TO 2024]"), dates("2023..2024"));
        assert_eq!(dates("[2023 TO *]"), dates(">=2023"));
        for value in ["..", "soon", ">=", "2024..x", "[2024]", "[* TO *]", "[2024 TO x]"] {
            assert_eq!(dates(value), None, "{value}");
        }
    }

    #[test]
    fn a_range_that_is_written_backwards_is_turned_and_says_so() {
        let turned = date_range("[2024-06 TO 2023]", None).unwrap();
        assert!(turned.backwards && (turned.from, turned.to) == dates("2023..2024-06").unwrap());
        let turned = number_range("9..1.5").unwrap();
        assert_eq!(turned, QueryRange { from: Bound::Included(1.5), to: Bound::Included(9.0), backwards: true });
        assert!(!number_range("[3 TO 3]").unwrap().backwards && !date_range("2024..2024", None).unwrap().backwards);
    }

    #[test]
    fn a_fraction_may_stand_behind_a_comma() {
        for (text, read) in [("49,50", Some(49.5)), ("-0,5", Some(-0.5)), ("1,200", None), (",5,1", None), ("4,", None)]
        {
            assert_eq!(number(text), read, "{text}");
        }
        assert_eq!(number_range("[9,5 TO 19,99]"), number_range("9.5..19.99"));
    }

    #[test]
    fn what_is_written_as_a_range_and_cannot_be_read_is_known_as_such() {
        for value in ["[a TO b]", ">=cheap", "1..x", "[3 5]"] {
            assert!(is_range(value) && number_range(value).is_none(), "{value}");
        }
        assert!(!is_range("red") && !is_range("4.5"));
    }
}
