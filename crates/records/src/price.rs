//! Amounts of money as pages write them: `1.299,00 €`, `￥5999.00`, `$1,299`, `5 999 Kč`, `1'299.-`.

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// The amount as a decimal number with a dot: `1299.00`; as many decimals as were written, none for `.-`.
    pub amount: String,
    /// ISO 4217 code, where a sign, a code or the locale tells it.
    pub currency: Option<String>,
}

impl Price {
    /// The amount as a number.
    pub fn value(&self) -> f64 {
        self.amount.parse().unwrap_or(0.0)
    }
}

/// Signs and words of currencies, longest first where one begins another; ambiguous ones name the usual reading.
static SIGNS: [(&str, &str); 62] = [
    ("US$", "USD"),
    ("CA$", "CAD"),
    ("C$", "CAD"),
    ("A$", "AUD"),
    ("AU$", "AUD"),
    ("NZ$", "NZD"),
    ("HK$", "HKD"),
    ("NT$", "TWD"),
    ("S$", "SGD"),
    ("R$", "BRL"),
    ("MX$", "MXN"),
    ("CN¥", "CNY"),
    ("JP¥", "JPY"),
    ("RMB", "CNY"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₽", "RUB"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("₴", "UAH"),
    ("₸", "KZT"),
    ("₫", "VND"),
    ("₪", "ILS"),
    ("฿", "THB"),
    ("₱", "PHP"),
    ("₦", "NGN"),
    ("zł", "PLN"),
    ("Kč", "CZK"),
    ("Ft", "HUF"),
    ("lei", "RON"),
    ("Lei", "RON"),
    ("руб", "RUB"),
    ("грн", "UAH"),
    ("тг", "KZT"),
    ("лв", "BGN"),
    ("元", "CNY"),
    ("円", "JPY"),
    ("원", "KRW"),
    ("￥", "CNY"),
    ("¥", "CNY"),
    ("＄", "USD"),
    ("$", "USD"),
    ("EUR", "EUR"),
    ("USD", "USD"),
    ("GBP", "GBP"),
    ("CHF", "CHF"),
    ("CNY", "CNY"),
    ("JPY", "JPY"),
    ("CAD", "CAD"),
    ("AUD", "AUD"),
    ("SEK", "SEK"),
    ("NOK", "NOK"),
    ("DKK", "DKK"),
    ("PLN", "PLN"),
    ("CZK", "CZK"),
    ("RUB", "RUB"),
    ("KZT", "KZT"),
    ("INR", "INR"),
    ("Rs.", "INR"),
    ("kr", "SEK"),
    ("Fr.", "CHF"),
];

/// The ISO code of a currency sign or code standing alone (`€`, `eur`, `руб.`).
pub fn currency(text: &str) -> Option<&'static str> {
    let text = text.trim().trim_end_matches('.');
    let found = SIGNS.iter().find(|(sign, _)| sign.trim_end_matches('.') == text);
    found.or_else(|| SIGNS.iter().find(|(_, code)| code.eq_ignore_ascii_case(text))).map(|&(_, code)| code)
}

/// Signs that several currencies share; the locale's currency is meant where it is one of them.
const SHARED: [(&str, &[&str]); 7] = [
    ("$", DOLLARS),
    ("＄", DOLLARS),
    ("¥", &["CNY", "JPY"]),
    ("￥", &["CNY", "JPY"]),
    ("元", &["CNY", "TWD", "HKD"]),
    ("kr", &["SEK", "NOK", "DKK", "ISK"]),
    ("Rs.", &["INR", "PKR", "LKR", "NPR"]),
];
const DOLLARS: &[&str] = &["USD", "CAD", "AUD", "NZD", "HKD", "TWD", "SGD", "MXN", "CLP", "COP", "ARS"];

/// Languages of which nearly all readers pay in one currency, although they share a sign with others.
const OF_LANGUAGE: [(&str, &str); 6] =
    [("ja", "JPY"), ("sv", "SEK"), ("da", "DKK"), ("no", "NOK"), ("nb", "NOK"), ("nn", "NOK")];

/// The currency that `locale` says a sign stands for, or else the usual one.
fn settled(&(sign, usual): &(&str, &'static str), locale: Option<&str>) -> String {
    let family = SHARED.iter().find(|(shared, _)| *shared == sign).map(|(_, family)| *family);
    let own = locale.filter(|code| family.is_some_and(|family| family.contains(code)));
    own.unwrap_or(usual).to_owned()
}

/// The currency of a locale: that of its region (`de-CH`, `zh_TW`), or else of a language of one country. `uk` and
/// `ca` are languages here, and not the regions that are written alike.
pub fn locale_currency(locale: &str) -> Option<&'static str> {
    let mut parts = locale.trim().split(['-', '_', '.']).map(str::to_ascii_lowercase);
    let language = parts.next()?;
    let of_language = || OF_LANGUAGE.iter().find(|(own, _)| *own == language).map(|&(_, code)| code);
    // A script (`zh-Hans-CN`) has four letters.
    parts.find(|part| part.len() == 2).and_then(|region| region_currency(&region)).or_else(of_language)
}

/// The currency of the country that a host's name ends in (`shop.example.kz`).
pub fn host_currency(host: &str) -> Option<&'static str> {
    let host = host.rsplit('@').next()?.split(':').next()?;
    // Most names below `.co` have nothing to do with Colombia.
    let last = host.rsplit_once('.')?.1.to_ascii_lowercase();
    Some(last).filter(|last| last != "co").and_then(|last| region_currency(&last))
}

fn region_currency(region: &str) -> Option<&'static str> {
    Some(match region {
        "us" => "USD",
        "uk" | "gb" => "GBP",
        "de" | "at" | "fr" | "es" | "it" | "pt" | "nl" | "be" | "ie" | "fi" | "gr" | "sk" | "si" | "ee" | "lv"
        | "lt" | "lu" | "mt" | "cy" | "hr" => "EUR",
        "ch" => "CHF",
        "cn" => "CNY",
        "jp" => "JPY",
        "kr" => "KRW",
        "tw" => "TWD",
        "hk" => "HKD",
        "ca" => "CAD",
        "au" => "AUD",
        "nz" => "NZD",
        "in" => "INR",
        "ru" => "RUB",
        "ua" => "UAH",
        "kz" => "KZT",
        "pl" => "PLN",
        "cz" => "CZK",
        "hu" => "HUF",
        "ro" => "RON",
        "bg" => "BGN",
        "se" => "SEK",
        "no" => "NOK",
        "dk" => "DKK",
        "br" => "BRL",
        "mx" => "MXN",
        "cl" => "CLP",
        "co" => "COP",
        "ar" => "ARS",
        "tr" => "TRY",
        "sg" => "SGD",
        "pk" => "PKR",
        "lk" => "LKR",
        "np" => "NPR",
        "is" => "ISK",
        _ => return None,
    })
}

/// A sign and its usual currency.
type Sign = &'static (&'static str, &'static str);

fn sign_before(text: &str) -> Option<Sign> {
    let text = text.trim_end();
    SIGNS.iter().find(|(sign, _)| text.ends_with(sign) && stands_alone(sign, &text[..text.len() - sign.len()], true))
}

fn sign_after(text: &str) -> Option<Sign> {
    let text = text.trim_start();
    SIGNS.iter().find(|(sign, _)| text.starts_with(sign) && stands_alone(sign, &text[sign.len()..], false))
}

/// A sign of letters must not be part of a longer word (`Ft` in `Fts`, `kr` in `mikr`).
fn stands_alone(sign: &str, rest: &str, before: bool) -> bool {
    let letters = |c: char| c.is_alphabetic();
    let edge = if before { rest.chars().next_back() } else { rest.chars().next() };
    let own = if before { sign.chars().next() } else { sign.chars().next_back() };
    let is_unspaced = own.is_some_and(gristmill_text::is_cjk);
    is_unspaced || !(own.is_some_and(letters) && edge.is_some_and(letters))
}

/// Whether a text holds an amount with its currency. Cheap; for counting, not for reading.
pub fn has_price(text: &str) -> bool {
    find(text, 0).is_some()
}

/// All amounts of a text with a currency beside them, and where their numbers stand. `locale` is the currency of the
/// page's, for signs that several share.
pub(crate) fn amounts(text: &str, locale: Option<&str>) -> impl Iterator<Item = (std::ops::Range<usize>, Price)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, end, sign) = find(text, at)?;
        at = end;
        Some((start..end, Price { amount: decimal(&text[start..end])?, currency: Some(settled(sign, locale)) }))
    })
}

/// The first number of `text` from `at` that has a currency sign beside it: start and end of the number, and the
/// sign.
fn find(text: &str, mut at: usize) -> Option<(usize, usize, Sign)> {
    let mut n_tried = 0;
    while let Some((start, end)) = next_number(text, at) {
        let mut window = start.saturating_sub(8);
        while !text.is_char_boundary(window) {
            window += 1;
        }
        if let Some(sign) = sign_before(&text[window.max(at)..start]).or_else(|| sign_after(&text[end..])) {
            return Some((start, end, sign));
        }
        at = end;
        n_tried += 1;
        if n_tried > 50 {
            break;
        }
    }
    None
}

/// The next run of digits and the separators inside of it.
fn next_number(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text.as_bytes()[from..].iter().position(u8::is_ascii_digit)?;
    let mut end = start;
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_ascii_digit() {
            end = start + at + 1;
            continue;
        }
        let digit_follows = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let inside = match c {
            '.' | ',' | '\'' | '’' => digit_follows,
            // A space divides thousands: exactly three digits follow it.
            ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' => digit_follows && is_group(&text[start + at + c.len_utf8()..]),
            _ => false,
        };
        if !inside || end - start > 24 {
            break;
        }
    }
    Some((start, end))
}

fn is_group(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// A number as written into digits with a dot: thousands marks go, a decimal comma becomes a dot.
///
/// The last mark is a decimal mark if it occurs once and one or two digits follow (or another mark stands before
/// it); otherwise it divides thousands: `1.299` is 1299, `1.29` is 1.29, `1,299.5` is 1299.5. Four digits before it
/// are no thousands: `5700.000` is 5700.000.
pub fn decimal(number: &str) -> Option<String> {
    let last = number.rfind(['.', ',']);
    let mut out = String::new();
    for (at, c) in number.char_indices() {
        match c {
            '0'..='9' => out.push(c),
            '.' | ',' if Some(at) == last => {
                let follows = number[at + 1..].bytes().filter(u8::is_ascii_digit).count();
                let same_before = number[..at].contains(c);
                let other_before = number[..at].contains(['.', ',']) && !same_before;
                let no_group = number[..at] == *"0" || n_digits_before(number, at) > 3;
                if (follows != 3 || other_before || no_group) && !same_before {
                    out.push('.');
                }
            }
            _ => {}
        }
    }
    (out.bytes().any(|byte| byte.is_ascii_digit()) && out.len() <= 24).then_some(out)
}

fn n_digits_before(number: &str, at: usize) -> usize {
    number[..at].bytes().rev().take_while(u8::is_ascii_digit).count()
}

/// A number that markup declares, where a dot is a decimal point (schema.org, `price`) and divides nothing: `49.990`
/// is 49.990 and not 49990. `None` for what is written otherwise, which is read as in a text.
pub(crate) fn declared(number: &str) -> Option<String> {
    let (whole, parts) = number.trim().split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(parts) && number.len() <= 24).then(|| number.trim().to_owned())
}

/// As [`parse`], of a value that markup declares.
pub(crate) fn parse_declared(text: &str, fallback: Option<&str>) -> Option<Price> {
    match declared(text) {
        Some(amount) => Some(Price { amount, currency: fallback.map(str::to_owned) }),
        None => parse(text, fallback),
    }
}

/// Reads the first amount of a text. `fallback` is the currency when none is written beside it, or only a sign that it
/// shares with others; without a sign a text must consist of the number alone.
pub fn parse(text: &str, fallback: Option<&str>) -> Option<Price> {
    let text = &text[..text.floor_char_boundary(400)];
    if let Some((start, end, sign)) = find(text, 0) {
        return Some(Price { amount: decimal(&text[start..end])?, currency: Some(settled(sign, fallback)) });
    }
    let (start, end) = next_number(text, 0)?;
    let rest = text[..start].chars().chain(text[end..].chars()).filter(|c| c.is_alphabetic()).count();
    (rest == 0)
        .then(|| decimal(&text[start..end]))?
        .map(|amount| Price { amount, currency: fallback.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices_are_read_in_the_forms_of_many_countries() {
        for (text, amount, code) in [
            ("1.299,00 €", "1299.00", "EUR"),
            ("￥5999.00", "5999.00", "CNY"),
            ("$1,299", "1299", "USD"),
            ("5 999 Kč", "5999", "CZK"),
            ("CHF 1'299.-", "1299", "CHF"),
            ("Now £12.50 each", "12.50", "GBP"),
            ("1 234 567,89 ₽", "1234567.89", "RUB"),
            ("NT$ 1,090", "1090", "TWD"),
            ("R$ 2.499,90", "2499.90", "BRL"),
            ("199元", "199", "CNY"),
            ("12\u{a0}990 тг", "12990", "KZT"),
            ("1.299 €", "1299", "EUR"),
        ] {
            let price = parse(text, None).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((price.amount.as_str(), price.currency.as_deref()), (amount, Some(code)), "{text}");
        }
    }

    #[test]
    fn only_regions_name_a_country_and_settle_what_a_sign_means() {
        for (locale, code) in
            [("de-CH", "CHF"), ("zh-Hant-TW", "TWD"), ("en_AU", "AUD"), ("ja", "JPY"), ("ca-ES", "EUR")]
        {
            assert_eq!(locale_currency(locale), Some(code), "{locale}");
        }
        assert_eq!([locale_currency("uk"), locale_currency("ca"), locale_currency("zh-Hans")], [None; 3]);
        assert_eq!([host_currency("shop.example.kz"), host_currency("example.co.uk:80")], [Some("KZT"), Some("GBP")]);
        assert_eq!([host_currency("example.co"), host_currency("localhost"), host_currency("uk")], [None; 3]);
        for (text, locale, code) in [
            ("¥1,000", "JPY", "JPY"),
            ("¥1,000", "USD", "CNY"),
            ("$10", "AUD", "AUD"),
            ("$10", "EUR", "USD"),
            ("99 kr.", "DKK", "DKK"),
            ("199元", "TWD", "TWD"),
            ("US$10", "AUD", "USD"),
        ] {
            assert_eq!(parse(text, Some(locale)).unwrap().currency.as_deref(), Some(code), "{text} {locale}");
            assert_eq!(amounts(text, Some(locale)).next().unwrap().1.currency.as_deref(), Some(code), "{text}");
        }
    }

    #[test]
    fn a_dot_in_a_declared_number_is_a_decimal_point() {
        for number in ["4.625", "49.990", "12.500", "5700.000", "0.5"] {
            assert_eq!(declared(number).as_deref(), Some(number));
        }
        for other in ["1.299,00", "1.299.000", "€1.299", "12", ".", "1.", "1.2e3"] {
            assert_eq!(declared(other), None, "{other}");
        }
        assert_eq!(decimal("5700.000").as_deref(), Some("5700.000"));
        assert_eq!(decimal("570.000").as_deref(), Some("570000"));
    }

    #[test]
    fn a_bare_number_takes_the_currency_of_the_locale_and_words_are_no_price() {
        assert_eq!(parse("1299.00", Some("USD")).unwrap().currency.as_deref(), Some("USD"));
        assert_eq!(parse("12 pieces", None), None);
        assert!(!has_price("3 Fts 12 mikr 2020") && has_price("ab 3,50 EUR"));
        assert_eq!(currency("руб."), Some("RUB"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[0-9.,' €$￥a-z\u{a0}円]{0,40}") {
            if let Some(price) = parse(&text, None) {
                prop_assert!(price.amount.parse::<f64>().is_ok());
            }
        }
    }
}
