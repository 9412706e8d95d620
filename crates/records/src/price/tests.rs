//! Prices as shops of many countries write them.

use proptest::prelude::*;

use super::*;

/// Amounts in many forms: the text, the amount, the currency; `-` where there is none.
const WRITTEN: &str = include_str!("written.tsv");

/// The same of shops, each with the locale of its page.
const SHOPS: &str = include_str!("shops.tsv");

fn of(currency: &str) -> PriceStyle<'_> {
    PriceStyle { currency: Some(currency), ..PriceStyle::default() }
}

#[test]
fn a_field_is_read_in_the_forms_of_all_countries() {
    let mut wrong = Vec::new();
    for line in WRITTEN.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [text, amount, currency] = fields[..] else { panic!("{line}") };
        let found = parse_field(text, PriceStyle::default());
        let found = found.map_or(("-".to_owned(), "-".to_owned()), |price| {
            (price.amount, price.currency.unwrap_or_else(|| "-".to_owned()))
        });
        if found != (amount.to_owned(), currency.to_owned()) {
            wrong.push((line, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn prices_of_shops_are_read_as_fields_and_beside_the_button() {
    use gristmill_html::{Doc, TreeLimits};

    let mut wrong = Vec::new();
    for line in SHOPS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [locale, text, amount, currency] = fields[..] else { panic!("{line}") };
        let usual = locale_currency(locale);
        let html = format!("<html lang={locale}><h1>Lamp</h1><div>{text}</div><button>Add to cart</button>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = gristmill_page::Page::new(&doc);
        let view = crate::view::RecordView::new(&page);
        let shown = crate::visible_prices::prices(&view, usual).map(|prices| prices.price);
        let declared = parse_declared(text, usual);
        for (way, found) in [("declared", declared), ("shown", shown)] {
            let found = found
                .map_or((String::new(), String::new()), |price| (price.amount, price.currency.unwrap_or_default()));
            if found != (amount.to_owned(), currency.to_owned()) {
                wrong.push(format!("{way}\t{line}\t{found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn prices_of_shops_are_read_as_their_programs_write_them() {
    use gristmill_html::{Doc, TreeLimits};

    let mut wrong = Vec::new();
    for form in include_str!("shop_pages.txt").split("\n=== ") {
        let (name, form) = form.trim_start_matches("=== ").split_once('\n').expect("a name");
        let (html, expected) = form.split_once("\n---\n").expect("what is right");
        let locale = name.rsplit(' ').next().expect("a locale");
        let html = format!("<html lang={locale}><h1>Lamp</h1>{html}<button>Add to cart</button>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = gristmill_page::Page::new(&doc);
        let view = crate::view::RecordView::new(&page);
        let found = crate::visible_prices::prices(&view, locale_currency(locale)).map(|prices| {
            let Price { amount, currency } = prices.price;
            let most = prices.most.map_or(String::new(), |most| format!(" max {}", most.amount));
            let list = prices.list_price.map_or(String::new(), |list| format!(" list {}", list.amount));
            format!("{amount} {}{most}{list}", currency.unwrap_or_default())
        });
        if found.as_deref() != Some(expected.trim()) {
            wrong.push(format!("{name}: {} and not {found:?}", expected.trim()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ranges_have_two_ends() {
    for (text, low, high) in [
        ("$10 - $20", "10", Some("20")),
        ("10–20 €", "10", Some("20")),
        ("1.000 ~ 2.000 TL", "1000", Some("2000")),
        ("USD 12.50 - 20.00", "12.50", Some("20.00")),
        ("from $10 to $20", "10", Some("20")),
        ("10 bis 20 €", "10", Some("20")),
        ("R$ 10,00 a R$ 20,00", "10.00", Some("20.00")),
        ("$20 and $40", "20", None),
        ("$20 - $10", "20", None),
        ("$20 - 30% off", "20", None),
        ("$20 - 40 pieces", "20", None),
        ("$20 now, $40 then", "20", None),
    ] {
        let amount = amounts(text, PriceStyle::default()).next().unwrap();
        let most = amount.most.map(|most| most.amount);
        assert_eq!((amount.price.amount.as_str(), most.as_deref()), (low, high), "{text}");
    }
}

#[test]
fn words_that_shops_use_for_other_things_are_currencies_of_their_own_countries_only() {
    for (text, code) in [("12 man", "AZN"), ("K 120", "PGK"), ("P1,299", "PHP"), ("12 ft", "HUF"), ("L 12.50", "HNL")] {
        assert!(!has_price(text), "{text}");
        let amount = amounts(text, of(code)).next();
        assert_eq!(amount.and_then(|amount| amount.price.currency).as_deref(), Some(code), "{text}");
    }
    for text in [
        "AWG 24",
        "Rode NT1",
        "TOP 10",
        "30 sek",
        "34.5 pounds",
        "USB 3.0",
        "4K",
        "R 134 a",
        "MKRY2LL/A",
        "You'll 2",
        "12 V",
    ] {
        assert!(!has_price(text), "{text}");
    }
    assert!(has_price("R1 299,00") && has_price("12.50 eur"));
}

#[test]
fn the_other_prices_of_a_page_tell_a_point_from_thousands() {
    let read =
        |text: &str, point| amounts(text, PriceStyle { point, ..PriceStyle::default() }).next().unwrap().price.amount;
    assert_eq!([read("£3.350", None), read("£3.350", Some('.')), read("£3,350", Some('.'))], ["3350", "3.350", "3350"]);
    assert_eq!([read("Rp 3.350", Some('.')), read("KD 3.350", None)], ["3350", "3.350"]);
    assert_eq!(
        [certain_point("£4.02"), certain_point("4,5 €"), certain_point("£4.020"), certain_point("4.02")],
        [Some('.'), Some(','), None, None]
    );
}

#[test]
fn a_code_beside_settles_what_a_declared_sign_means() {
    for (declared, beside, page, code) in [
        ("$", Some("NZD"), None, Some("NZD")),
        ("$", Some("EUR"), Some("AUD"), Some("AUD")),
        ("USD", Some("EUR"), None, Some("USD")),
        ("eur", None, None, Some("EUR")),
        ("xyz", None, None, Some("XYZ")),
        ("{{currency}}", Some("EUR"), None, None),
    ] {
        assert_eq!(declared_currency(declared, beside, page).as_deref(), code, "{declared}");
    }
}

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
    for (locale, code) in [("de-CH", "CHF"), ("zh-Hant-TW", "TWD"), ("en_AU", "AUD"), ("ja", "JPY"), ("ca-ES", "EUR")] {
        assert_eq!(locale_currency(locale), Some(code), "{locale}");
    }
    assert_eq!([locale_currency("uk"), locale_currency("ca"), locale_currency("zh-Hans")], [None; 3]);
    assert_eq!([host_currency("shop.example.kz"), host_currency("example.co.uk:80")], [Some("KZT"), Some("GBP")]);
    assert_eq!(host_currency("shop.example.com.co"), Some("COP"));
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
        assert_eq!(amounts(text, of(locale)).next().unwrap().price.currency.as_deref(), Some(code), "{text}");
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
    fn any_text_is_read_without_panic(
        text in "([0-9]{1,4}|[.,:'’٫٬/%()~–-]|[ \u{a0}]|[۰-۹]{1,3}|€|[$]|kr|Rs|円|万|万2|만 |p|¢|M|mln|k|[⁰²⁹]{1,2}|-00|USD|د.إ|[a-zа-яđ]{0,3}){0,14}",
        point in proptest::option::of(prop_oneof![Just('.'), Just(',')]),
        is_field in any::<bool>(),
    ) {
        let habits = PriceStyle { currency: Some("SEK"), point, is_field };
        let whole = parse(&text, None).into_iter().chain(parse_field(&text, habits)).chain(parse_declared(&text, None));
        let parts = amounts(&text, habits).chain(bare(&text, habits)).flat_map(|found| {
            assert!(text.get(found.range).is_some() && text.get(found.place).is_some());
            std::iter::once(found.price).chain(found.most)
        });
        for price in whole.chain(parts) {
            prop_assert!(price.amount.parse::<f64>().is_ok(), "{text:?} {price:?}");
        }
        has_price(&text);
        currency(&text);
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    for part in ["1", "1,", "1 ", "1 234 ", "$1-", "1€", ".", "1. ", "$", "kr ", "12 34 ", "- 1 ", "万1", "１٬"] {
        let text = part.repeat(40_000 / part.len());
        let started = cpu_time::ThreadTime::now();
        let n = amounts(&text, of("SEK")).count();
        has_price(&text);
        let _ = (parse(&text, None), certain_point(&text));
        assert!(started.elapsed().as_secs() < 5, "{part} {n}");
    }
}
