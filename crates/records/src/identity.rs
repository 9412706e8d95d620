//! Who made the product and by which numbers it is known: what the page declares, or else what it shows.

use crate::dictionary::Dictionary;
use crate::placeholder::is_placeholder;
use crate::sourced::SourcedValue;
use crate::structured::{DeclaredProduct, DeclaredValue};

/// Brand and identifiers of one product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProductIdentifiers {
    pub brand: Option<SourcedValue>,
    pub sku: Option<SourcedValue>,
    pub mpn: Option<SourcedValue>,
    /// Digits alone, with a right check digit.
    pub gtin: Option<SourcedValue>,
    pub isbn: Option<SourcedValue>,
}

impl ProductIdentifiers {
    /// What the markup declares or else, by its common name, what is `shown` on the page.
    pub(crate) fn of(markup: &DeclaredProduct, shown: impl Fn(&str) -> Option<SourcedValue>) -> ProductIdentifiers {
        let declared = |field: &Option<DeclaredValue>| {
            let field = field.as_ref()?;
            Some(SourcedValue::new(without_label(&field.text).to_owned(), field.markup.as_str(), 1.0))
        };
        let shown = |name: &str| shown(name).filter(|known| !is_placeholder(&known.value));
        let checked = |known: SourcedValue| Some(SourcedValue { value: gtin(&known.value)?, ..known });
        ProductIdentifiers {
            brand: declared(&markup.brand).or_else(|| shown("brand")),
            sku: declared(&markup.sku).or_else(|| shown("sku")),
            mpn: declared(&markup.mpn).or_else(|| shown("mpn")).or_else(|| shown("model").filter(is_number)),
            gtin: declared(&markup.gtin).and_then(checked).or_else(|| shown("gtin").and_then(checked)),
            isbn: declared(&markup.isbn).or_else(|| ["isbn13", "isbn", "isbn10"].into_iter().find_map(shown)),
        }
    }
}

/// Whether a model is told by a number, which is its maker's: `ZT-4402`. A name like `Nova 30` is none.
fn is_number(model: &SourcedValue) -> bool {
    const LEAST: usize = 4;
    let text = &model.value;
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '/' | '.');
    text.len() >= LEAST
        && text.chars().all(is_part)
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_uppercase())
}

/// What a page declares of brand or number without the words for it that some put before it: `sku:N-30`, `More of the brand: Acme`.
fn without_label(text: &str) -> &str {
    const NAMES: [&str; 5] = ["brand", "manufacturer", "sku", "mpn", "gtin"];
    let Some((label, value)) = text.split_once([':', '：']) else { return text };
    let word = label.split_whitespace().next_back().unwrap_or_default();
    let names = |word: &str| Dictionary::built_in().canonical(word).is_some_and(|name| NAMES.contains(&name));
    if value.trim().is_empty() || !names(label) && !names(word) { text } else { value.trim() }
}

/// The digits of a GTIN (8, 12, 13 or 14 of them) whose check digit is right. Spaces and hyphens between them are passed over.
///
/// Source: GS1 General Specifications, §7.9.1: the weighted sum, 3 and 1 in turn from the right, is a multiple of ten.
pub(crate) fn gtin(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').take(15).collect();
    let is_long_enough = matches!(digits.len(), 8 | 12 | 13 | 14) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let weighted = digits.bytes().rev().enumerate().map(|(at, byte)| {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        if at % 2 == 1 { digit.wrapping_mul(3) } else { digit }
    });
    (is_long_enough && weighted.sum::<u32>() % 10 == 0 && digits.bytes().any(|byte| byte != b'0')).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_brand_or_number_are_no_part_of_it() {
        for (text, value) in [
            ("sku:CAE5D4", "CAE5D4"),
            ("Ver mais artigos da Marca: Panasonic", "Panasonic"),
            ("Marke: Acme", "Acme"),
            ("N:30", "N:30"),
            ("Re:Zero", "Re:Zero"),
            ("Brand:", "Brand:"),
        ] {
            assert_eq!(without_label(text), value);
        }
    }

    #[test]
    fn a_model_that_is_a_number_is_its_makers() {
        let of = |model: &str| {
            let shown = |name: &str| (name == "model").then(|| SourcedValue::new(model.to_owned(), "text", 1.0));
            ProductIdentifiers::of(&DeclaredProduct::default(), shown).mpn.map(|mpn| mpn.value)
        };
        assert_eq!(of("ZT-4402").as_deref(), Some("ZT-4402"));
        assert_eq!([of("Nova 30"), of("2019"), of("L7"), of("Galaxy9")], [None, None, None, None]);
    }

    #[test]
    fn numbers_are_taken_with_a_right_check_digit_only() {
        for right in ["4006381333931", "400-6381-33393 1", "036000291452", "96385074", "10012345678902"] {
            assert!(gtin(right).is_some(), "{right}");
        }
        for wrong in ["4006381333932", "400638133393", "0000000000000", "", "N-30", "400638133393X", "1234567890123456"]
        {
            assert_eq!(gtin(wrong), None, "{wrong}");
        }
        assert_eq!(gtin(" 4 006381 333931").as_deref(), Some("4006381333931"));
    }
}
