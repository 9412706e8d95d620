//! Amounts of money and years in short texts.

/// Whether a currency sign or code stands next to a number.
pub(super) fn has_price(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) {
        return false;
    }
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    text.char_indices().any(|(at, c)| {
        let Some(width) = sign(text, at, c) else { return false };
        let blank = |byte: &&u8| **byte != b' ' && **byte != 0xC2 && **byte != 0xA0;
        digit(bytes[at + width..].iter().find(blank)) || digit(bytes[..at].iter().rev().find(|&byte| blank(&byte)))
    })
}

/// How many bytes the sign or code at `at` has.
fn sign(text: &str, at: usize, c: char) -> Option<usize> {
    const CODES: [&str; 27] = [
        "USD", "EUR", "CHF", "GBP", "CNY", "RMB", "JPY", "INR", "SEK", "NOK", "DKK", "PLN", "RUB", "AUD", "CAD", "BRL",
        "zł", "Kč", "kr", "Ft", "lei", "руб", "грн", "Rs", "TL", "Rp", "RM",
    ];
    match c {
        '$' | '€' | '£' | '¥' | '￥' | '＄' | '₹' | '₽' | '₩' | '₺' | '₴' | '₸' | '₫' | '₪' | '฿' | '₱' | '₦'
        | '元' | '円' | '원' => Some(c.len_utf8()),
        // Of the codes only three go on with a small ASCII letter.
        'A'..='Z'
            if text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_lowercase)
                && !["Ft", "Rs", "Rp"].iter().any(|code| text[at..].starts_with(code)) =>
        {
            None
        }
        'A'..='Z' | 'z' | 'k' | 'l' | 'р' | 'г' => {
            let alone = |c: Option<char>| c.is_none_or(|c| !c.is_alphabetic());
            let code = CODES.iter().find(|code| text[at..].starts_with(**code))?;
            (alone(text[..at].chars().next_back()) && alone(text[at + code.len()..].chars().next()))
                .then_some(code.len())
        }
        _ => None,
    }
}

/// Whether a year from 1990 to 2039 stands there as a number of its own, or a clock time.
pub(super) fn has_date(text: &str) -> bool {
    let mut words = text.as_bytes().split(|byte| !byte.is_ascii_digit());
    words.any(|word| word.len() == 4 && matches!(&word[..3], b"199" | b"200" | b"201" | b"202" | b"203"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_years_are_told_from_other_numbers() {
        for price in [
            "$1,299.00",
            "1 299 €",
            "from £ 5",
            "￥5999",
            "EUR 30",
            "199元",
            "12,50 zł",
            "1299\u{a0}руб.",
            "Rs 500",
            "9 Ft",
            "Rp9",
        ] {
            assert!(has_price(price), "{price}");
        }
        for other in ["cost $ unknown 5", "page 5", "krill 3", "3 krill", "RMBX 3"] {
            assert!(!has_price(other), "{other}");
        }
        assert!(has_date("3 May 2021") && has_date("2018年12月") && !has_date("20211") && !has_date("1850"));
    }
}
