//! Years and days that are not counted as most of the web counts them.

use time::{Date, Duration};

/// Buddhist years, as Thailand writes them, are so much greater.
const BUDDHIST: i32 = 543;
/// Years of the Republic of China, as Taiwan writes them, are so much smaller.
const REPUBLIC: i32 = 1911;

/// Names of eras, and the year before their first. Japan counts by emperors.
#[rustfmt::skip]
const ERAS: [(&str, i32); 7] = [
    ("令和", 2018), ("平成", 1988), ("昭和", 1925), ("大正", 1911),
    ("中華民國", REPUBLIC), ("民國", REPUBLIC), ("民国", REPUBLIC),
];
/// Their letters.
const ERA_LETTERS: [(char, i32); 3] = [('R', 2018), ('H', 1988), ('S', 1925)];

/// The months of the Iranian calendar: in Iran, elsewhere in Persian, and as Afghanistan calls them.
const JALALI: [[&str; 2]; 12] = [
    ["فروردین", "حمل"],
    ["اردیبهشت", "ثور"],
    ["خرداد", "جوزا"],
    ["تیر", "سرطان"],
    ["مرداد", "اسد"],
    ["شهریور", "سنبله"],
    ["مهر", "میزان"],
    ["آبان", "عقرب"],
    ["آذر", "قوس"],
    ["دی", "جدی"],
    ["بهمن", "دلو"],
    ["اسفند", "حوت"],
];

/// The era that a text begins with: the year before its first, and the length of its name.
pub(super) fn era(text: &str) -> Option<(i32, usize)> {
    ERAS.iter().find(|(name, _)| text.starts_with(name)).map(|(name, before)| (*before, name.len()))
}

/// The same of the letter of a Japanese era.
pub(super) fn era_letter(letter: char) -> Option<i32> {
    ERA_LETTERS.iter().find(|(own, _)| *own == letter).map(|(_, before)| *before)
}

/// The year as most count it, of one that may be Buddhist.
pub(super) fn common_year(year: i32) -> i32 {
    if (2400..2700).contains(&year) { year - BUDDHIST } else { year }
}

/// The year as most count it, of one of the Republic of China that the web has seen.
pub(super) fn year_of_republic(year: i32) -> Option<i32> {
    (100..150).contains(&year).then_some(year + REPUBLIC)
}

/// Whether it may be a year of the Iranian calendar: 1951 to 2041.
pub(super) fn is_jalali_year(year: i32) -> bool {
    (1330..1420).contains(&year)
}

/// 1 to 12 for the name of a month of the Iranian calendar.
pub(super) fn jalali_month(word: &str) -> Option<u8> {
    let plain: String = word.chars().map(|c| if c == 'ي' { 'ی' } else { c }).collect();
    JALALI.iter().zip(1..).find(|(names, _)| names.contains(&plain.as_str())).map(|(_, month)| month)
}

/// A day of the Iranian calendar.
///
/// Days are counted from 1 Farvardin 1330, which was 22 March 1951. Of 33 years eight are leap years, which is true of all years that
/// are read here.
pub(super) fn jalali(year: i32, month: u8, day: u8) -> Option<Date> {
    let long = if month <= 6 { 31 } else { 30 };
    let last = if month == 12 && !is_leap(year) { 29 } else { long };
    if !is_jalali_year(year) || !(1..=12).contains(&month) || !(1..=last).contains(&day) {
        return None;
    }
    let years: i64 = (1330..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let months = i64::from(month - 1) * 30 + i64::from(month.min(7) - 1);
    let first = Date::from_calendar_date(1951, time::Month::March, 22).ok()?;
    first.checked_add(Duration::days(years + months + i64::from(day) - 1))
}

fn is_leap(year: i32) -> bool {
    matches!(year % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_iranian_calendar_are_those_that_calendars_print() {
        let of = |year, month, day| jalali(year, month, day).map(|date| date.to_string());
        for (day, common) in [
            ((1397, 1, 16), "2018-04-05"),
            ((1399, 1, 1), "2020-03-20"),
            ((1399, 12, 30), "2021-03-20"),
            ((1400, 1, 1), "2021-03-21"),
            ((1403, 12, 30), "2025-03-20"),
            ((1357, 11, 22), "1979-02-11"),
            ((1384, 7, 1), "2005-09-23"),
        ] {
            assert_eq!(of(day.0, day.1, day.2).as_deref(), Some(common));
        }
        assert_eq!(of(1398, 12, 30), None, "no leap year");
        assert_eq!((of(1397, 13, 1), of(1397, 7, 31), of(2018, 1, 1)), (None, None, None));
    }
}
