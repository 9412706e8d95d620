//! Times of rows: from the texts of a row to microseconds, and back to text for formats without a type for them.

use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

/// Microseconds since 1970 of a time as RFC 3339. Without a zone it counts as UTC, a day as its midnight there. None for other
/// texts.
pub(crate) fn micros(text: &str) -> Option<i64> {
    let of = |time: OffsetDateTime| i64::try_from(time.unix_timestamp_nanos() / 1000).ok();
    if let Ok(time) = OffsetDateTime::parse(text, &Rfc3339) {
        return of(time);
    }
    if let Ok(time) = OffsetDateTime::parse(&format!("{text}Z"), &Rfc3339) {
        return of(time);
    }
    of(Date::parse(text, format_description!("[year]-[month]-[day]")).ok()?.midnight().assume_utc())
}

/// The time as RFC 3339 in UTC; none where the year has more than four digits.
pub(crate) fn rfc3339(micros: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()?.format(&Rfc3339).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_and_without_zones_and_days_are_read() {
        let utc = |text: &str| micros(text).and_then(rfc3339);
        for (text, expected) in [
            ("2024-03-04T05:06:07+02:00", Some("2024-03-04T03:06:07Z")),
            ("2024-03-04T05:06:07.25Z", Some("2024-03-04T05:06:07.25Z")),
            ("2024-03-04T05:06:07", Some("2024-03-04T05:06:07Z")),
            ("2024-03-04", Some("2024-03-04T00:00:00Z")),
            ("1969-12-31T23:59:59Z", Some("1969-12-31T23:59:59Z")),
            ("0001-01-01", Some("0001-01-01T00:00:00Z")),
            ("2024-02-30", None),
            ("yesterday", None),
            ("", None),
            ("é024-03-04", None),
        ] {
            assert_eq!(utc(text).as_deref(), expected, "{text}");
        }
    }
}
