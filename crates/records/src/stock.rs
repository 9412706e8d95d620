//! What pages say of stock, in the words of schema.org.

use std::sync::LazyLock;

use gristmill_page::declared::local;
use gristmill_text::PhraseMatcher;

use crate::price::digit;

const STOCK: &str = include_str!("../dictionary/stock.tsv");

/// The names of `ItemAvailability`.
const NAMES: [&str; 12] = [
    "BackOrder",
    "Discontinued",
    "InStock",
    "InStoreOnly",
    "LimitedAvailability",
    "MadeToOrder",
    "OnlineOnly",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "Reserved",
    "SoldOut",
];

/// Other words that markup has for them, in small letters without marks.
const ALIASES: [(&str, &str); 18] = [
    ("available", "InStock"),
    ("availablenow", "InStock"),
    ("yes", "InStock"),
    ("true", "InStock"),
    ("1", "InStock"),
    ("lowstock", "LimitedAvailability"),
    ("limited", "LimitedAvailability"),
    ("limitedstock", "LimitedAvailability"),
    ("availablefororder", "BackOrder"),
    ("backordered", "BackOrder"),
    ("onbackorder", "BackOrder"),
    ("unavailable", "OutOfStock"),
    ("notavailable", "OutOfStock"),
    ("oos", "OutOfStock"),
    ("no", "OutOfStock"),
    ("false", "OutOfStock"),
    ("0", "OutOfStock"),
    ("onpreorder", "PreOrder"),
];

/// The name of what markup declares, however it spells it: `http://schema.org/InStock`, `in stock`, `instock`, `IN_STOCK`, `available`; or
/// of what readers see there.
pub(crate) fn declared(text: &str) -> Option<&'static str> {
    let plain: String =
        local(text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(40).collect();
    let name = NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(&plain));
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == plain).map(|&(_, name)| name);
    name.or_else(alias).or_else(|| said(text))
}

/// The phrases of all lines of the list, and the kind of each.
static FOUND: LazyLock<(PhraseMatcher, Vec<&str>)> = LazyLock::new(|| {
    let lines = STOCK.lines().filter_map(|line| line.split_once('\t'));
    let (kinds, phrases): (Vec<&str>, Vec<&str>) =
        lines.flat_map(|(kind, phrases)| phrases.split('|').map(move |phrase| (kind, phrase))).unzip();
    (PhraseMatcher::new(&phrases), kinds)
});

/// What a short text says of stock.
pub(crate) fn said(text: &str) -> Option<&'static str> {
    find(&with_number_signs(text)).map(|(kind, _)| kind)
}

/// What a short text says of the stock of one size or colour that it names first: `M – sold out`, `Red (sold out)`.
pub(crate) fn said_of_variant(text: &str) -> Option<&'static str> {
    const MAX_SIZE: usize = 4;
    let text = with_number_signs(text);
    let (kind, at) = find(&text)?;
    let before = text[..at].trim();
    let name = before.trim_end_matches(['-', '–', '—', '(', '[', '/', '·', '|', ',']).trim_end();
    let is_short = (1..=MAX_SIZE).contains(&name.chars().count()) && !name.ends_with([':', '：']);
    let is_name = is_short || !name.is_empty() && (name.len() < before.len() || name.contains("variant"));
    is_name.then_some(kind)
}

/// The kind of the phrase that stands first in the list, and where the first phrase of that kind begins.
fn find(text: &str) -> Option<(&'static str, usize)> {
    let (phrases, kinds) = &*FOUND;
    let mut first = usize::MAX;
    phrases.find(text, |number, _| {
        first = first.min(number);
        false
    });
    let &kind = kinds.get(first)?;
    let mut begin = text.len();
    phrases.find(text, |number, at| {
        begin = if kinds[number] == kind { begin.min(at) } else { begin };
        false
    });
    Some((kind, begin))
}

/// The text in lower case with `#` for each number but 0, so that one phrase stands for `only 3 left` and `only 12 left`.
fn with_number_signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match digit(c) {
            Some(0) if !out.ends_with(['#', '0', '.', ',']) => out.push('0'),
            Some(_) if out.ends_with('#') => {}
            Some(_) => {
                out.truncate(out.trim_end_matches('0').len());
                out.push('#');
            }
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_comes_of_all_spellings() {
        for text in [
            "http://schema.org/InStock",
            "schema:InStock",
            "in stock",
            "instock",
            "IN_STOCK",
            "InStock ",
            "Auf Lager",
            "true",
        ] {
            assert_eq!(declared(text), Some("InStock"), "{text}");
        }
        for (text, name) in [
            ("https://schema.org/outofstock", "OutOfStock"),
            ("oos", "OutOfStock"),
            ("Sold out", "SoldOut"),
            ("preorder", "PreOrder"),
            ("available for order", "BackOrder"),
            ("在庫なし", "OutOfStock"),
            ("https://schema.org/LimitedAvailability", "LimitedAvailability"),
        ] {
            assert_eq!(declared(text), Some(name), "{text}");
        }
        for text in ["Only 3 left", "Ultimi 12 pezzi", "Осталось 3 шт.", "残りあと6個です", "Quedan ٣ unidades"]
        {
            assert_eq!(said(text), Some("InStock"), "{text}");
        }
        for text in [
            "Notify me when back in stock",
            "Nincs raktáron",
            "Nije dostupno",
            "Fuera de stock",
            "Ei varastossa",
            "Stokta kalmadı",
            "品切れ",
            "Εξαντλήθηκε",
            "לא במלאי",
            "Habis terjual",
        ] {
            assert_eq!(said(text), Some("OutOfStock"), "{text}");
        }
        for (text, kind) in [
            ("0 in stock", "OutOfStock"),
            ("10 in stock", "InStock"),
            ("Stock: 0", "OutOfStock"),
            ("Availability: 14", "InStock"),
            ("Made to order", "MadeToOrder"),
            ("This item is discontinued", "Discontinued"),
            ("In store only", "InStoreOnly"),
            ("Förhandsboka", "PreOrder"),
            ("Disponibilità immediata", "InStock"),
            ("Turime sandėlyje", "InStock"),
            ("พร้อมส่ง", "InStock"),
        ] {
            assert_eq!(said(text), Some(kind), "{text}");
        }
        for (text, is_variant) in [
            ("M – sold out", true),
            ("34 slutsåld", true),
            ("Red (sold out)", true),
            ("Variant sold out or unavailable", true),
            ("Produkt niedostępny", false),
            ("En rupture de stock", false),
            ("Ej i lager", false),
            ("일시품절", false),
            ("暂时缺货", false),
            ("Availability: sold out", false),
            ("Sold out", false),
        ] {
            assert_eq!(said_of_variant(text).is_some(), is_variant, "{text}");
        }
        assert_eq!([declared("{{ stock }}"), declared("ask us"), declared("")], [None; 3]);
    }
}
