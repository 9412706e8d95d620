//! Dates of records: W3C's profile of ISO 8601, to Unix seconds and back.

use time::{Date, Month, OffsetDateTime, Time};

/// Reads `YYYY[-MM[-DD[Thh:mm[:ss[.s…]](Z|±hh:mm)]]]` or `YYYYMMDDhhmmss` as seconds since 1970; what is missing is the
/// earliest it can be, and fractions are dropped. `None` for anything else.
pub(crate) fn seconds(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    if text.len() == 14 && text.iter().all(u8::is_ascii_digit) {
        let part = |from: usize| number(&text[from..from + 2]);
        return at(number(&text[..4])?, [part(4)?, part(6)?, part(8)?, part(10)?, part(12)?]);
    }
    let (date, clock) = match text.iter().position(|byte| matches!(byte, b'T' | b't' | b' ')) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut parts = date.split(|byte| *byte == b'-');
    let year = parts.next().filter(|year| year.len() == 4)?;
    let [month, day] = [(); 2].map(|()| parts.next().map_or(Some(1), number));
    if parts.next().is_some() {
        return None;
    }
    let ([hour, minute, second], ahead) = clock.map_or(Some(([0; 3], 0)), clock_of)?;
    Some(at(number(year)?, [month?, day?, hour, minute, second])? - ahead)
}

/// Seconds since 1970 of a date as WARC-Date or an index has it, `YYYYMMDDhhmmss` too; `None` for anything else.
#[must_use]
pub fn parse_date(text: &str) -> Option<i64> {
    seconds(text.as_bytes())
}

/// Hours, minutes and seconds of a clock, and by how many seconds it is ahead of UTC.
fn clock_of(text: &[u8]) -> Option<([u32; 3], i64)> {
    let zone_at = text.iter().position(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-')).unwrap_or(text.len());
    let (clock, zone) = text.split_at(zone_at);
    let ahead = match zone {
        b"" | b"Z" | b"z" => 0,
        [sign, h1, h2, b':', m1, m2] | [sign, h1, h2, m1, m2] if matches!(sign, b'+' | b'-') => {
            let seconds = i64::from(number(&[*h1, *h2])? * 3_600 + number(&[*m1, *m2])? * 60);
            if *sign == b'+' { seconds } else { -seconds }
        }
        _ => return None,
    };
    let mut parts = clock.splitn(3, |byte| *byte == b':');
    let (hour, minute) = (number(parts.next()?)?, number(parts.next()?)?);
    let second = match parts.next() {
        Some(second) => number(second.split(|byte| *byte == b'.').next()?)?,
        None => 0,
    };
    // A leap second is the last one of its minute: Unix time has no place for it.
    Some(([hour, minute, second.min(if second == 60 { 59 } else { u32::MAX })], ahead))
}

fn number(digits: &[u8]) -> Option<u32> {
    let is_number = matches!(digits.len(), 1..=4) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0')))
}

fn at(year: u32, rest: [u32; 5]) -> Option<i64> {
    let [month, day, hour, minute, second] = rest.map(|part| u8::try_from(part).ok());
    let date = Date::from_calendar_date(i32::try_from(year).ok()?, Month::try_from(month?).ok()?, day?).ok()?;
    Some(date.with_time(Time::from_hms(hour?, minute?, second?).ok()?).assume_utc().unix_timestamp())
}

/// Seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`, as WARC-Date has it. Years outside of 0 to 9999 give that of 1970.
#[must_use]
pub fn format_date(seconds: i64) -> String {
    let moment =
        OffsetDateTime::from_unix_timestamp(seconds).ok().filter(|moment| (0..=9_999).contains(&moment.year()));
    let moment = moment.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second) = moment.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_lengths_are_read_and_others_are_not() {
        let day = 1_715_990_400;
        for (text, expected) in [
            ("2024-05-18T01:58:10Z", day + 7_090),
            ("2024-05-18T01:58:10.123456Z", day + 7_090),
            ("2024-05-18T03:58:10+02:00", day + 7_090),
            ("2024-05-18T01:58:10", day + 7_090),
            ("20240518015810", day + 7_090),
            ("2024-05-18", day),
            ("2024-05-18T01:58Z", day + 7_080),
            ("2024", 1_704_067_200),
            ("1969-12-31T23:59:60Z", -1),
        ] {
            assert_eq!(seconds(text.as_bytes()), Some(expected), "{text}");
        }
        for text in
            ["", "now", "2024-13-01", "2024-02-30T00:00:00Z", "24-05-18", "2024-05-18T25:00:00Z", "2024-05-18Tx"]
        {
            assert_eq!(seconds(text.as_bytes()), None, "{text}");
        }
        assert_eq!(format_date(day + 7_090), "2024-05-18T01:58:10Z");
        assert_eq!(format_date(i64::MAX), "1970-01-01T00:00:00Z");
    }
}
