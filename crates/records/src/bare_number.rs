//! Numbers without a currency that are no prices: codes, ratings, counts of what was sold.

use gristmill_page::Row;

use crate::amount_words::{AmountKind, kind_of};
use crate::dictionary::{Dictionary, NameKind};
use crate::features::is_buy;
use crate::price::{self, Amount, PriceStyle, digit};
use crate::price_classes::calls;
use crate::price_row::is_within;
use crate::price_words::PRICE;
use crate::units::unit;
use crate::view::RecordView;

/// Rows between a number without a sign and the button that sells, if it is the price.
const ROWS_TO_BUTTON: usize = 3;
/// Most digits of a price in a row: more are those of a code.
const MAX_DIGITS: usize = 9;
/// Most letters beside a whole number that is a price.
const MAX_LETTERS: usize = 3;
/// What pages call numbers in short that the dictionary has in full.
const LABELS: [&str; 12] = ["art", "арт", "nr", "no", "id", "kod", "код", "номер", "№", "lot", "los", "part"];
/// Measures of vehicles and food, which stand beside large numbers.
const MEASURES: [&str; 12] = ["km", "км", "mi", "miles", "ps", "hp", "л.с", "ccm", "cc", "kcal", "cal", "kj"];
/// The names of the dictionary whose values are numbers, and stand in the row below as well.
const NUMBERS: [&str; 9] = ["sku", "mpn", "gtin", "isbn", "isbn13", "isbn10", "asin", "model", "model_year"];

/// Whether the number of a row is that of a code or a rating, whatever is said of the row: `SKU 48213`, `LB-2210`, `★★★★★ 1,204`.
pub(crate) fn is_no_price(text: &str, label_before: &str, number: &Amount) -> bool {
    let (before, behind) = (&text[..number.place.start], &text[number.place.end..]);
    let is_glued = |c: char| c.is_ascii_alphabetic() || matches!(c, '#' | '_');
    let of_code = before.strip_suffix('-').unwrap_or(before).ends_with(is_glued) || behind.starts_with(is_glued);
    digits_in_a_row(&text[number.range.clone()]) > MAX_DIGITS
        || of_code
        || text.contains(['★', '☆', '⭐'])
        || is_label(before)
        || before.trim().is_empty() && names_number(label_before)
}

fn digits_in_a_row(number: &str) -> usize {
    let runs = number.split(|c: char| digit(c).is_none()).map(|run| run.chars().count());
    runs.max().unwrap_or(0)
}

/// Whether words before a number name a property of the thing, and so no price.
fn is_label(words: &str) -> bool {
    let label = words.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | '.' | '#'));
    let is_short = || LABELS.contains(&label.to_lowercase().as_str());
    !label.is_empty() && (Dictionary::built_in().kind(label) == Some(NameKind::Spec) || is_short())
}

/// Whether a row is nothing but the name of a number of the thing: `Model`.
fn names_number(row: &str) -> bool {
    let row = row.trim();
    !row.is_empty() && Dictionary::built_in().canonical(row).is_some_and(|name| NUMBERS.contains(&name))
}

/// Whether a row has nothing but a number like a price, and a button that sells stands close behind it, with no other price between.
pub(crate) fn is_before_button(view: &RecordView, rows: &[Row], at: usize, text: &str, habits: PriceStyle) -> bool {
    let bare = price::bare(text, habits);
    let [Amount { place, price, .. }] = &bare[..] else { return false };
    let (before, after) = (&text[..place.start], &text[place.end..]);
    let has_cents = price.amount.split_once('.').is_some_and(|(_, cents)| cents.len() == 2);
    let n_digits = price.amount.bytes().filter(u8::is_ascii_digit).count();
    let n_letters = before.chars().chain(after.chars()).filter(|c| c.is_alphabetic()).count();
    let is_large = n_digits >= 3 && n_letters <= MAX_LETTERS;
    let word = after.split_whitespace().next().unwrap_or_default();
    let is_measure = unit(word).is_some_and(|unit| !unit.is_empty())
        || MEASURES.contains(&word.to_lowercase().trim_end_matches('.'));
    // `(1,204)` counts ratings.
    let is_count = before.ends_with(['(', '（']) && after.starts_with([')', '）']);
    let is_price = (has_cents || is_large) && !is_measure && !is_count;
    is_price && is_next_to_button(view, &rows[at + 1..], habits)
}

/// Whether one of the next rows is a button that sells, and neither that nor one before it has a price.
fn is_next_to_button(view: &RecordView, rows: &[Row], habits: PriceStyle) -> bool {
    for row in rows.iter().take(ROWS_TO_BUTTON) {
        let text = view.slice(view.row_span(row));
        if has_price(view, row, text, habits) {
            return false;
        }
        if is_buy(text) {
            return true;
        }
    }
    false
}

/// Whether the first amount of a row may be the price, or the row is called one and has a number.
fn has_price(view: &RecordView, row: &Row, text: &str, habits: PriceStyle) -> bool {
    if text.len() > 400 || !text.chars().any(|c| digit(c).is_some()) {
        return false;
    }
    let Some(amount) = price::amounts(text, habits).next() else {
        return is_within(view, view.row_span(row).start, |view, id| calls(view, id, &PRICE));
    };
    let kind = kind_of(&text[..amount.place.start], &text[amount.place.end..], true);
    !matches!(kind, AmountKind::Other | AmountKind::Part | AmountKind::Lowest)
}
