//! How a page writes dates, where a date alone does not tell: `05/04/2018`.

use gristmill_page::{Page, Row};
use gristmill_text::language::language;
use time::{Date, Weekday};
use url::Url;

use super::cursor::ymd;
use super::months::known_language;
use crate::metadata::json_ld::JsonLdFields;

/// Which number of a date comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumericOrder {
    DayMonth,
    MonthDay,
}

/// What decides how a date of a page is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DateStyle {
    /// ISO 639, of those whose months are known; else empty.
    pub(super) language: &'static str,
    /// Whether years may be those of the Iranian calendar.
    pub(super) is_jalali: bool,
    /// Whether years may be those of the Republic of China without its name: `112-06-15`.
    pub(super) is_taiwanese: bool,
    order: Option<NumericOrder>,
    /// The order that dates in words suggest, where nothing else does.
    in_words: Option<NumericOrder>,
    /// The day or month in the page's address.
    in_url: Option<KnownDay>,
    /// When the page says it was published and changed.
    declared: [Option<Date>; 2],
}

/// A day, or a month of which the day is not known.
#[derive(Debug, Clone, Copy)]
struct KnownDay {
    year: i32,
    month: u8,
    day: Option<u8>,
}

impl KnownDay {
    fn is(&self, date: Date) -> bool {
        let month = self.year == date.year() && self.month == u8::from(date.month());
        month && self.day.is_none_or(|day| day == date.day())
    }
}

/// Countries that write the month first.
#[rustfmt::skip]
const MONTH_FIRST: [&str; 11] = ["us", "as", "gu", "mp", "pr", "vi", "um", "ph", "fm", "pw", "mh"];
/// Countries that write both.
const BOTH: [&str; 2] = ["ca", "bz"];
/// Languages that write the year first, and so have no order of their own where it stands last; the first three not even one that
/// is usual.
const YEAR_FIRST: [&str; 5] = ["zh", "ja", "ko", "hu", "lt"];
const NO_ORDER: usize = 3;
/// Languages that write days with dots.
#[rustfmt::skip]
const DOTS: [&str; 26] = [
    "de", "cs", "sk", "sl", "hr", "sr", "bs", "mk", "pl", "fi", "et", "lv", "da", "no", "nb", "nn", "is", "ru", "uk", "bg", "tr", "ro",
    "he", "ka", "hy", "kk",
];
/// Endings of hosts that are bought everywhere.
#[rustfmt::skip]
const NO_COUNTRY: [&str; 31] = [
    "io", "co", "me", "tv", "ai", "ly", "cc", "ws", "to", "gg", "sh", "st", "la", "vc", "im", "am", "cx", "nu", "tk", "ml", "ga",
    "cf", "gq", "gd", "so", "fm", "pw", "cn", "jp", "kr", "tw",
];
/// Keys of what a page says of its language.
const CLAIMS: [&str; 5] = ["og:locale", "content-language", "language", "dc.language", "dcterms.language"];
/// Time zones of the United States. `CST` is that of China, too.
const AMERICAN_ZONES: [&str; 9] = ["EST", "EDT", "CDT", "MST", "MDT", "PST", "PDT", "ET", "PT"];
/// Longer rows are text, in which other dates than those of the page stand.
const MAX_ROW_CHARS: u32 = 120;

impl DateStyle {
    /// Of a text of which it matters where dates stand and not which they are.
    pub(super) const DAY_FIRST: DateStyle = DateStyle {
        language: "",
        is_jalali: false,
        is_taiwanese: false,
        order: Some(NumericOrder::DayMonth),
        in_words: None,
        in_url: None,
        declared: [None; 2],
    };

    /// Of a page that declares when it was published and changed. O(page).
    pub(super) fn of(
        page: &Page<'_>,
        facts: &JsonLdFields,
        url: Option<&str>,
        declared: [Option<Date>; 2],
    ) -> DateStyle {
        let claims = claims(page, facts);
        let code = claims.first().map_or("", |claim| claim.language.as_str());
        let url = url.and_then(|url| Url::parse(url).ok());
        let mut style = DateStyle {
            language: known_language(code),
            is_jalali: ["fa", "prs", "ps", "ckb"].contains(&code),
            is_taiwanese: url.as_ref().and_then(Url::host_str).is_some_and(|host| host.ends_with(".tw"))
                || claims.first().is_some_and(Claim::is_of_taiwan),
            order: None,
            in_words: None,
            in_url: url.as_ref().and_then(|url| in_path(url.path())),
            declared,
        };
        let dates = OtherDates::of(page);
        style.in_words = dates.in_words;
        style.order = order(page, &dates, &claims, url.as_ref());
        style
    }

    /// For a text whose digits may tell its calendar: those of Persian are used with Iranian years.
    pub(super) fn of_text(self, text: &str) -> DateStyle {
        let persian = !text.is_ascii() && text.chars().any(|c| ('۰'..='۹').contains(&c));
        DateStyle { is_jalali: self.is_jalali || persian, ..self }
    }

    /// Whether years may be told by the letter of an era: `R6.5.3`.
    pub(super) fn counts_eras(&self) -> bool {
        self.language == "ja"
    }

    /// Whether days are written with dots.
    pub(super) fn writes_dots(&self) -> bool {
        DOTS.contains(&self.language)
    }

    /// Whether `18.12.31` has the year first.
    pub(super) fn is_year_first(&self) -> bool {
        YEAR_FIRST.contains(&self.language)
    }

    /// Of two numbers of which one is the day: by what they can be, by the day of the week before them, by the days that the page
    /// declares, by the address, by the sign between them, and by the order of the page.
    pub(super) fn resolve(
        &self,
        first: u8,
        second: u8,
        year: i32,
        separator: &str,
        weekday: Option<Weekday>,
    ) -> Option<Date> {
        let (day_first, month_first) = (ymd(year, second, first), ymd(year, first, second));
        if day_first.is_none() || month_first.is_none() || day_first == month_first {
            return day_first.or(month_first);
        }
        let (day_first, month_first) = (day_first?, month_first?);
        let one_of = |is: &dyn Fn(Date) -> bool| match (is(day_first), is(month_first)) {
            (true, false) => Some(day_first),
            (false, true) => Some(month_first),
            _ => None,
        };
        if let Some(date) = one_of(&|date| weekday == Some(date.weekday())) {
            return Some(date);
        }
        if let Some(date) = one_of(&|date| self.declared.contains(&Some(date))) {
            return Some(date);
        }
        // The month alone says less than a dot.
        let tells = |known: KnownDay| known.day.is_some() || separator != ".";
        if let Some(date) = one_of(&|date| self.in_url.is_some_and(|known| tells(known) && known.is(date))) {
            return Some(date);
        }
        match self.order {
            _ if separator == "." => Some(day_first),
            Some(NumericOrder::DayMonth) => Some(day_first),
            Some(NumericOrder::MonthDay) => Some(month_first),
            None => match self.in_words {
                Some(NumericOrder::DayMonth) => Some(day_first),
                // With hyphens the month is seldom first, even where it is in words.
                Some(NumericOrder::MonthDay) if separator == "/" => Some(month_first),
                _ => None,
            },
        }
    }
}

/// A language with its country, as a page claims them.
struct Claim {
    language: String,
    country: Option<String>,
}

impl Claim {
    fn is_of_taiwan(&self) -> bool {
        self.language == "zh" && self.country.as_deref() == Some("tw")
    }
}

fn claims(page: &Page<'_>, facts: &JsonLdFields) -> Vec<Claim> {
    let doc = page.doc;
    let metas = CLAIMS.iter().filter_map(|key| doc.meta(key));
    let all = doc.lang().into_iter().chain(metas).chain(facts.language.as_deref());
    let claims = all.filter(|claim| claim.len() <= 40).filter_map(|claim| {
        let mut parts = claim.trim().split(['-', '_', ',', ' ', ';']).map(str::to_ascii_lowercase);
        let language = parts.next().filter(|code| (2..=3).contains(&code.len()))?;
        let country = parts.find(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_lowercase()));
        Some(Claim { language, country })
    });
    claims.collect()
}

/// The order of day and month: what other dates of the page tell, then a country that is claimed and not what programs write without
/// being asked, then the language, the country of the host, and the claim of `en-US` or a time of an
/// American zone.
fn order(page: &Page<'_>, dates: &OtherDates, claims: &[Claim], url: Option<&Url>) -> Option<NumericOrder> {
    let english = claims.iter().all(|claim| claim.language == "en");
    // Pages claim to be in English, or in nothing, that are in another language. It is asked only where it decides something.
    let language = if english && dates.has_open { language(&sample(page), None) } else { None };
    let of_language = |code: &str| order_of_language(code);
    let is_default = |claim: &&Claim| claim.language == "en" && claim.country.as_deref() == Some("us");
    let countries = || claims.iter().filter(|claim| !is_default(claim)).filter_map(|claim| claim.country.as_deref());
    dates
        .order()
        .or_else(|| countries().find_map(order_of_country))
        .or_else(|| claims.iter().find_map(|claim| of_language(&claim.language)))
        .or_else(|| language.and_then(of_language))
        .or_else(|| country_of_host(url?).and_then(order_of_country))
        .or_else(|| {
            (dates.is_american || claims.iter().any(|claim| is_default(&claim))).then_some(NumericOrder::MonthDay)
        })
}

fn order_of_country(country: &str) -> Option<NumericOrder> {
    match country {
        _ if BOTH.contains(&country) => None,
        _ if MONTH_FIRST.contains(&country) => Some(NumericOrder::MonthDay),
        "cn" | "jp" | "kr" | "tw" => None,
        _ => Some(NumericOrder::DayMonth),
    }
}

fn order_of_language(code: &str) -> Option<NumericOrder> {
    let open = ["en", "fil", "tl"].contains(&code) || YEAR_FIRST[..NO_ORDER].contains(&code);
    (!open).then_some(NumericOrder::DayMonth)
}

fn country_of_host(url: &Url) -> Option<&str> {
    let ending = url.host_str()?.rsplit('.').next()?;
    (ending.len() == 2 && !NO_COUNTRY.contains(&ending)).then_some(ending)
}

/// Some text of the page, to tell its language by.
fn sample(page: &Page<'_>) -> String {
    const ENOUGH: usize = 2_000;
    let mut sample = String::new();
    for row in page.rows.iter().filter(|row| row.chars > 60) {
        if sample.len() > ENOUGH {
            break;
        }
        sample.push_str(page.row_text(row));
        sample.push('\n');
    }
    sample
}

/// The other dates of a page, as far as they tell of its habits.
#[derive(Default)]
struct OtherDates {
    day_first: u32,
    month_first: u32,
    /// Some date could be read in both ways.
    has_open: bool,
    /// Some time is of an American zone.
    is_american: bool,
    in_words: Option<NumericOrder>,
}

impl OtherDates {
    fn of(page: &Page<'_>) -> OtherDates {
        let mut dates = OtherDates::default();
        let mut in_words = [0_u32; 2];
        for row in page.rows.iter().filter(|row: &&Row| row.chars <= MAX_ROW_CHARS) {
            let text = page.row_text(row);
            if text.bytes().any(|byte| byte.is_ascii_digit()) {
                dates.count_numeric(text);
                dates.is_american |= text.split([' ', '(', ')', ',']).any(|word| AMERICAN_ZONES.contains(&word));
                count_in_words(text, &mut in_words);
            }
        }
        let is_short = |text: &&str| text.len() <= MAX_ROW_CHARS as usize;
        page.doc.metas().map(|meta| meta.content).filter(is_short).for_each(|text| dates.count_numeric(text));
        dates.in_words = agreed(in_words[0], in_words[1]);
        dates
    }

    /// `25/04/2018` and `04/25/2018`, with strokes or hyphens.
    fn count_numeric(&mut self, text: &str) {
        let mut numbers = [0_u32; 2];
        let mut separator = b' ';
        let mut n_before = 0;
        let mut bytes = text.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if !byte.is_ascii_digit() {
                n_before = 0;
                continue;
            }
            let (mut number, mut n_digits) = (u32::from(byte - b'0'), 1);
            while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                n_digits += 1;
            }
            if n_before == 2 && n_digits == 4 && (1970..2101).contains(&number) {
                self.count(numbers);
            }
            let next = bytes.next_if(|next| matches!(next, b'/' | b'-'));
            let joins = next.is_some_and(|next| n_before == 0 || next == separator);
            match n_before {
                0 | 1 if n_digits <= 2 && joins => {
                    numbers[n_before] = number;
                    n_before += 1;
                }
                _ => n_before = 0,
            }
            separator = next.unwrap_or(b' ');
        }
    }

    fn count(&mut self, [first, second]: [u32; 2]) {
        match (first, second) {
            (1..=12, 1..=12) => self.has_open = true,
            (13..=31, 1..=12) => self.day_first += 1,
            (1..=12, 13..=31) => self.month_first += 1,
            _ => {}
        }
    }

    /// What all dates agree on that can be read in one way alone.
    fn order(&self) -> Option<NumericOrder> {
        agreed(self.day_first, self.month_first)
    }
}

/// The order that all of so many dates have.
fn agreed(day_first: u32, month_first: u32) -> Option<NumericOrder> {
    match (day_first, month_first) {
        (1.., 0) => Some(NumericOrder::DayMonth),
        (0, 1..) => Some(NumericOrder::MonthDay),
        _ => None,
    }
}

/// `16 February 2026` and `February 16, 2026` in English, counted apart.
fn count_in_words(text: &str, counts: &mut [u32; 2]) {
    let mut before = ["", ""];
    for word in text.split([' ', '\u{a0}']).take(40) {
        let year =
            word.len() >= 4 && word.as_bytes()[..4].iter().all(u8::is_ascii_digit) && word.starts_with(['1', '2']);
        if year {
            let is_month = |word: &str| {
                super::months::english_month(&word.trim_matches(['.', ',']).to_ascii_lowercase()).is_some()
            };
            let is_day =
                |word: &str| word.trim_end_matches([',', '.']).parse::<u8>().is_ok_and(|day| (1..=31).contains(&day));
            counts[0] += u32::from(is_day(before[0]) && is_month(before[1]));
            counts[1] += u32::from(is_month(before[0]) && is_day(before[1]));
        }
        before = [before[1], word];
    }
}

/// `/2018/04/05/` and `/2018/04/`.
fn in_path(path: &str) -> Option<KnownDay> {
    let parts: Vec<&str> = path.split('/').take(20).collect();
    let number = |at: usize, digits: usize| -> Option<u32> {
        parts.get(at).filter(|part| part.len() == digits || digits == 2 && part.len() == 1)?.parse().ok()
    };
    (0..parts.len()).find_map(|at| {
        let year = number(at, 4).filter(|year| (1990..2101).contains(year))? as i32;
        let month = number(at + 1, 2).filter(|month| (1..=12).contains(month))? as u8;
        let day = number(at + 2, 2).filter(|day| (1..=31).contains(day)).map(|day| day as u8);
        Some(KnownDay { year, month, day })
    })
}
