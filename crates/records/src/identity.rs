//! Who made the product and by which numbers it is known: what the page declares, or else what it shows.

use crate::sourced::Sourced;
use crate::structured::{Field, Structured};

/// Brand and identifiers of one product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Identity {
    pub brand: Option<Sourced>,
    pub sku: Option<Sourced>,
    pub mpn: Option<Sourced>,
    /// Digits alone, with a right check digit.
    pub gtin: Option<Sourced>,
    pub isbn: Option<Sourced>,
}

impl Identity {
    /// What the markup declares or else, by its common name, what is `shown` on the page.
    pub(crate) fn of(markup: &Structured, shown: impl Fn(&str) -> Option<Sourced>) -> Identity {
        let declared = |field: &Option<Field>| {
            let field = field.as_ref()?;
            Some(Sourced::new(field.text.clone(), field.markup.as_str(), 1.0))
        };
        let checked = |known: Sourced| Some(Sourced { value: gtin(&known.value)?, ..known });
        Identity {
            brand: declared(&markup.brand).or_else(|| shown("brand")),
            sku: declared(&markup.sku).or_else(|| shown("sku")),
            mpn: declared(&markup.mpn).or_else(|| shown("mpn")),
            gtin: declared(&markup.gtin).and_then(checked).or_else(|| shown("gtin").and_then(checked)),
            isbn: declared(&markup.isbn).or_else(|| ["isbn13", "isbn", "isbn10"].into_iter().find_map(&shown)),
        }
    }
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
