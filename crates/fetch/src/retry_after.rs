//! The `Retry-After` header field.

use std::time::{Duration, SystemTime};

/// How long a server asks us to stay away, at most `cap`.
///
/// * `value`: whole seconds, or an HTTP date in any of its three forms, which is taken relative to `now`;
///   a date that has passed gives zero. Seconds beyond 64 bits mean `cap`.
/// * `None` when the value is neither.
///
/// Source: RFC 9110 §10.2.3. Ours: a fraction of a second is let in and rounded up, since servers send it.
pub fn retry_after(value: &str, now: SystemTime, cap: Duration) -> Option<Duration> {
    let value = value.trim();
    if value.starts_with(|first: char| first.is_ascii_digit()) && value.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    {
        let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
        let more = u64::from(fraction.bytes().any(|digit| digit != b'0'));
        let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(more);
        return Some(Duration::from_secs(seconds).min(cap));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(cap))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAP: Duration = Duration::from_secs(3600);

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn seconds_and_dates_are_read_and_capped() {
        // 784111777 s is the date of RFC 9110's example.
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(retry_after("120", at(0), CAP), Some(Duration::from_secs(120)));
        assert_eq!(retry_after(" 1.5 ", at(0), CAP), Some(Duration::from_secs(2)));
        assert_eq!(retry_after(date, at(784_111_777 - 30), CAP), Some(Duration::from_secs(30)));
        assert_eq!(retry_after(date, at(784_111_777 + 30), CAP), Some(Duration::ZERO));
        assert_eq!(retry_after("Sunday, 06-Nov-94 08:49:37 GMT", at(784_111_770), CAP), Some(Duration::from_secs(7)));
        assert_eq!(retry_after("99999999999999999999999", at(0), CAP), Some(CAP));
        assert_eq!(retry_after(date, at(0), CAP), Some(CAP));
    }

    #[test]
    fn nonsense_is_no_advice() {
        for value in ["", "soon", "-5", "12 minutes", "."] {
            assert_eq!(retry_after(value, at(0), CAP), None, "{value}");
        }
    }
}
