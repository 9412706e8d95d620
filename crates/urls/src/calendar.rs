//! Dates in addresses: a calendar has a page for every month to come, so one outside of a window is no page worth having.

use crate::trap::TrapLimits;

/// Words that mark a page of a calendar rather than of an archive.
const CALENDAR_WORDS: &[&str] =
    &["calendar", "kalender", "calendrier", "agenda", "event", "month", "week", "tribe-bar-date"];

/// How many years outside of the window still make a date. A calendar is walked month by month, so it is met at the
/// window's edge; `uk-27070426` and `/item/2160-10` are numbers.
const DATE_SPAN: u16 = 100;

/// A year with a month beside it.
struct Date {
    year: u16,
    /// Eight digits in a row.
    compact: bool,
    /// Whether its place or shape leaves no doubt: it begins a path segment or a value, or is written out with its day.
    /// Amid words `rtx-2080-8-gb` is as often a model.
    sure: bool,
    /// Whether it is the value of a parameter whose name says that it is one, `?date=`: then the page is a calendar's.
    named: bool,
}

/// The first year of a date in `path_and_query` that lies outside of the window around `today`'s year.
///
/// A date ahead counts when it is surely one and not too far off, or when the URL speaks of a calendar or calls it a date, as far off
/// as it may be. One in the past never does: newspapers are old, and a calendar without entries brings nothing new. O(n), and one
/// lower-case copy at most.
pub(crate) fn year_outside_window(path_and_query: &str, limits: &TrapLimits, today: u16) -> Option<u16> {
    let latest = today.saturating_add(limits.future_years);
    let mut calendar = None;
    let mut is_calendar = || *calendar.get_or_insert_with(|| speaks_of_calendar(path_and_query));
    dates(path_and_query.as_bytes()).find_map(|Date { year, compact, sure, named }| {
        let far = year > latest.saturating_add(DATE_SPAN);
        let counts = named || !(compact && far) && (sure && !far || is_calendar());
        (year > latest && counts).then_some(year)
    })
}

fn speaks_of_calendar(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    CALENDAR_WORDS.iter().any(|word| lower.contains(word))
}

/// Every date: `/2031/05`, `2031-05`, `2031-W05`, `20310504`, `year=2031&month=5`, `01.05.2031`, and years of up to six digits.
fn dates(text: &[u8]) -> impl Iterator<Item = Date> {
    let starts = (0..text.len()).filter(|&at| at == 0 || !text[at - 1].is_ascii_alphanumeric());
    starts.filter_map(move |at| {
        let (before, from) = text.split_at(at);
        let compact = digits(from) == 8;
        let width = if compact { 4 } else { Some(digits(from)).filter(|width| (4..=6).contains(width))? };
        let year = number(&from[..width]).filter(|year| *year >= 1000)?;
        let rest = &from[width..];
        let begins = matches!(before.last(), None | Some(b'/' | b'='));
        let first = if compact { is_compact(rest) } else { month_follows(rest) };
        let last = !compact && ends(rest) && (day_precedes(before) || is_parameter(before, &["year", "yr"]));
        let sure = first && (begins || is_written_out(rest));
        (first || last).then(|| Date { year, compact, sure, named: is_parameter(start_of(before), &["date", "day"]) })
    })
}

/// Whether `before` ends with `/05-` or `=01.05.`: month, or day and month, in front of a year.
fn day_precedes(before: &[u8]) -> bool {
    let start = start_of(before);
    start.len() < before.len() && matches!(start.last(), Some(b'/' | b'='))
}

/// `before` without one or two numbers of a day and a month at its end, each with its separator.
fn start_of(mut before: &[u8]) -> &[u8] {
    for _ in 0..2 {
        let [shorter @ .., b'-' | b'.' | b'_' | b'/'] = before else { return before };
        let width = shorter.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=2).contains(&width) || !is_day(&shorter[shorter.len() - width..]) {
            return before;
        }
        before = &shorter[..shorter.len() - width];
    }
    before
}

/// Whether a value begins behind `before`, of a parameter whose name ends with one of `names`.
fn is_parameter(before: &[u8], names: &[&str]) -> bool {
    let Some(before) = before.strip_suffix(b"=") else { return false };
    let name = before.rsplit(|byte| matches!(byte, b'?' | b'&' | b';' | b'/')).next().unwrap_or_default();
    names.iter().any(|known| {
        name.len().checked_sub(known.len()).is_some_and(|at| name[at..].eq_ignore_ascii_case(known.as_bytes()))
    })
}

/// Whether `rest` begins with month and day without separators.
fn is_compact(rest: &[u8]) -> bool {
    digits(rest) == 4 && is_month(&rest[..2]) && is_day(&rest[2..4]) && ends(&rest[4..])
}

fn month_follows(rest: &[u8]) -> bool {
    let is_whole_month = |text: &[u8]| {
        let width = digits(text);
        (1..=2).contains(&width) && is_month(&text[..width]) && ends(&text[width..])
    };
    match rest {
        [b'-', b'w' | b'W', tens @ b'0'..=b'5', ones, after @ ..] => {
            ones.is_ascii_digit() && (*tens, *ones) <= (b'5', b'3') && ends(after)
        }
        [b'/' | b'-' | b'_' | b'.', after @ ..] => is_whole_month(after),
        [b'&', b'm' | b'M', after @ ..] => {
            let value = after.iter().position(|&byte| byte == b'=').map(|equals| &after[equals + 1..]);
            value.is_some_and(is_whole_month)
        }
        _ => false,
    }
}

/// Whether `rest` is `-05-01`: two digits each for month and day behind the same separator.
fn is_written_out(rest: &[u8]) -> bool {
    let [first, m1, m2, second, d1, d2, after @ ..] = rest else { return false };
    let separated = first == second && !first.is_ascii_alphanumeric();
    separated && is_month(&[*m1, *m2]) && is_day(&[*d1, *d2]) && ends(after)
}

/// Whether nothing behind a date makes it part of something longer; a time may follow, `20310504T1200`.
fn ends(after: &[u8]) -> bool {
    match after {
        [b'T' | b't', next, ..] => next.is_ascii_digit(),
        [next, ..] => !next.is_ascii_alphanumeric(),
        [] => true,
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_month(digits: &[u8]) -> bool {
    number(digits).is_some_and(|month| (1..=12).contains(&month))
}

fn is_day(digits: &[u8]) -> bool {
    number(digits).is_some_and(|day| (1..=31).contains(&day))
}

fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |sum, byte| {
        byte.is_ascii_digit().then(|| sum.saturating_mul(10).saturating_add(u16::from(byte - b'0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(path_and_query: &str) -> Option<u16> {
        year_outside_window(path_and_query, &TrapLimits::default(), 2026)
    }

    #[test]
    fn dates_ahead_are_found_in_every_spelling() {
        for url in [
            "/2031/05/",
            "/e?d=2031-05-01",
            "/20310504/x",
            "/day.php?getdate=20310504T120000Z",
            "/c?year=2031&month=5",
            "/2031_5",
            "/schedule-2031-05-01.html",
            "/calendar-2031-5.html",
            "/agenda-20310504",
        ] {
            assert_eq!(outside(url), Some(2031), "{url}");
        }
        for url in ["/2027/05/", "/item/2031", "/2031/99/", "/x-120310504/", "/2031/051", "/c?year=2031&m=5gb"] {
            assert_eq!(outside(url), None, "{url}");
        }
    }

    #[test]
    fn models_and_numbers_of_articles_are_no_dates() {
        for url in [
            "/rtx-2080-8gb-graphics-card",
            "/rtx-2080-8-gb-graphics-card",
            "/item/26110457",
            "/item/26110415",
            "/item/20310532",
            "/news/uk-27070426",
            "/news/uk-20310504",
            "/monitor-3840x2160-10.html",
            "/sku/2160-10",
        ] {
            assert_eq!(outside(url), None, "{url}");
        }
    }

    #[test]
    fn what_a_parameter_calls_a_date_is_one_however_far_off() {
        for (url, year) in [
            ("/plan?date=3025-01-01", 3025),
            ("/plan?view=list&date=2031-05", 2031),
            ("/plan?startDate=30250101", 3025),
            ("/plan?from_date=01.05.2031", 2031),
            ("/plan?date=5/2031", 2031),
            ("/plan?day=2031-W05", 2031),
        ] {
            assert_eq!(outside(url), Some(year), "{url}");
        }
        for url in [
            "/plan?date=1925-01-01",
            "/plan?date=2026-11-21",
            "/plan?date=01.05.2019",
            "/x?page=3025-10",
            "/x?id=01-2031",
            "/plan?date=soon",
        ] {
            assert_eq!(outside(url), None, "{url}");
        }
    }

    #[test]
    fn calendars_go_beyond_the_year_3000() {
        for (url, year) in [
            ("/calendar/3000/01/", 3000),
            ("/calendar/9999-12", 9999),
            ("/calendar/48213/05/", 48213),
            ("/calendar/654321/05/", u16::MAX),
            ("/calendar/05/2031", 2031),
            ("/calendar?month=5&year=4000", 4000),
        ] {
            assert_eq!(outside(url), Some(year), "{url}");
        }
        for url in [
            "/item/3840-10",
            "/part/48213-05",
            "/3025/01/",
            "/calendar/room-12-2031",
            "/calendar?year=2026",
            "/c?year=2031",
        ] {
            assert_eq!(outside(url), None, "{url}");
        }
    }

    #[test]
    fn a_calendar_has_no_end_however_far_it_is_entered() {
        assert_eq!(outside("/2127/12/"), Some(2127), "the last that is near enough without a word");
        assert_eq!(outside("/2128/01/"), None);
        assert_eq!(outside("/calendar/2700/05/"), Some(2700));
        assert_eq!(outside("/events/2707-04"), Some(2707));
    }

    #[test]
    fn old_dates_are_honest() {
        assert_eq!(outside("/calendar/1971/05/"), None);
        assert_eq!(outside("/events/1999/05/"), None);
        assert_eq!(outside("/archive/1871/05/"), None);
        assert_eq!(outside("/news/week-in-pictures-15070426"), None, "no date but a number");
    }
}
