//! The numbers of a product, as rows near its heading say them behind a word for them.

use super::brand::is_of_site;
use super::{UNSURE, rows};
use crate::dictionary::Dictionary;
use crate::heading::heading;
use crate::sourced::SourcedValue;
use crate::view::RecordView;

/// Rows before the heading, and all rows around it, in which numbers stand.
const ROWS_BEFORE: usize = 5;
const ROWS: usize = 30;
/// Longest word for a number, and longest number, in bytes.
const MAX_LABEL: usize = 50;
const MAX_NUMBER: usize = 30;

/// The first number near the heading that a row calls by a name that the dictionary has for it: `SKU: N-30`, `SKU N-30`, or `SKU` and
/// `N-30` in the next row.
pub(crate) fn number(view: &RecordView, names: &[&str]) -> Option<SourcedValue> {
    let heading = heading(view);
    let near = rows(view, ROWS_BEFORE, ROWS);
    let dictionary = Dictionary::built_in();
    let is_name = |label: &str| dictionary.canonical(label.trim()).is_some_and(|name| names.contains(&name));
    // `EAN (GTIN)` and `GTIN/EAN` are two words for one.
    let is_label = |label: &str| label.len() <= MAX_LABEL && (is_name(label) || label.split(['(', '/']).any(is_name));
    let text = |at: usize| near.get(at).map_or("", |row| view.slice(view.row_span(row)).trim());
    let said = |at: usize| match text(at).split_once([':', '：']) {
        Some((label, value)) if !value.trim().is_empty() => is_label(label).then(|| as_number(value)),
        Some((label, _)) => is_label(label).then(|| as_number(text(at + 1))),
        None if is_label(text(at)) => Some(as_number(text(at + 1))),
        None => text(at)
            .rsplit_once(char::is_whitespace)
            .filter(|(label, _)| is_label(label))
            .map(|(_, value)| as_number(value)),
    };
    let own = (0..near.len()).filter(|&at| !is_of_site(view, near[at].block, heading));
    let found = own.filter_map(|at| said(at).flatten()).next()?;
    Some(SourcedValue::new(found, "text", UNSURE))
}

/// A text as a number of a product: one word with a digit, before a mark that begins another thing.
fn as_number(text: &str) -> Option<String> {
    let text = text.split(['·', '|', '•', ';', '；', '｜', '\n']).next().unwrap_or(text).trim();
    let is_number = (2..=MAX_NUMBER).contains(&text.len())
        && text.contains(|c: char| c.is_ascii_digit())
        && !text.contains(char::is_whitespace)
        && !text.contains([':', '：', '€', '$', '£', '%']);
    is_number.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn a_number_stands_behind_its_word_or_below_it() {
        let sku = |html: &str| of(html, |view| number(view, &["sku"]).map(|known| known.value));
        for html in [
            "<h1>Lamp</h1><p>SKU: <b>N-30</b></p>",
            "<h1>Lamp</h1><div><b>SKU</b><div>N-30</div></div>",
            "<h1>Lampe</h1><p>Artikelnummer:</p><p>N-30</p>",
            "<div>Артикул: N-30</div><h1>Лампа</h1>",
            "<h1>Lamp</h1><p>SKU: N-30 | EAN: 4006381333931</p>",
            "<h1>Lampe</h1><p>Référence <span>N-30</span></p>",
            "<h1>Lampe</h1><p>Art.-Nr. N-30</p>",
        ] {
            assert_eq!(sku(html).as_deref(), Some("N-30"), "{html}");
        }
        for html in [
            "<h1>Lamp</h1><p>SKU</p><p>In stock since 2019</p>",
            "<h1>Lamp</h1><p>Code: ask us</p>",
            "<nav><p>SKU: N-30</p></nav><h1>Lamp</h1>",
            "<h1>Lamp</h1><p>Reference</p><p>$30</p>",
        ] {
            assert_eq!(sku(html), None, "{html}");
        }
    }
}
