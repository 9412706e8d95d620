//! The numbers of a product, as rows near its heading say them behind a word for them.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use super::brand::is_of_site;
use super::{UNSURE, leaves, rows, texts_of_leaves};
use crate::dictionary::Dictionary;
use crate::heading::heading;
use crate::placeholder::is_placeholder;
use crate::sourced::SourcedValue;
use crate::view::RecordView;

/// Rows before the heading, and all rows around it, in which numbers stand.
const ROWS_BEFORE: usize = 5;
const ROWS: usize = 30;
/// As many behind it in which an element that a program calls so may stand, and longest row in bytes.
const ROWS_OF_CLASS: usize = 60;
const MAX_ROW: usize = 200;
/// Longest word for a number, and longest number, in bytes.
const MAX_LABEL: usize = 50;
const MAX_NUMBER: usize = 30;

/// The first number near the heading that a row calls by a name that the dictionary has for it: `SKU: N-30`, `SKU N-30`, or `SKU` and
/// `N-30` in the next row.
pub(crate) fn number(view: &RecordView, names: &[&str]) -> Option<SourcedValue> {
    let heading = heading(view);
    let near = rows(view, ROWS_BEFORE, ROWS);
    let dictionary = Dictionary::built_in();
    let is_named = |label: &str| dictionary.canonical(label).is_some_and(|name| names.contains(&name));
    let is_name = |label: &str| is_named(label.trim()) || is_named(label.trim().trim_end_matches('#'));
    // `EAN (GTIN)` and `GTIN/EAN` are two words for one.
    let is_label = |label: &str| label.len() <= MAX_LABEL && (is_name(label) || label.split(['(', '/']).any(is_name));
    let text = |at: usize| near.get(at).map_or("", |row| view.slice(view.row_span(row)).trim());
    let said = |part: &str, next: &str| match part.split_once([':', '：']) {
        Some((label, value)) if !value.trim().is_empty() => is_label(label).then(|| as_number(value)),
        Some((label, _)) => is_label(label).then(|| as_number(next)),
        None if is_label(part) => Some(as_number(next)),
        None => beside(part, is_label).map(as_number),
    };
    let own = (0..near.len()).filter(|&at| !is_of_site(view, near[at].block, heading));
    let in_row = |at: usize| text(at).split(MARKS).find_map(|part| said(part.trim(), text(at + 1)).flatten());
    let row = |at: usize| in_row(at).or_else(|| in_leaves(view, &near[at], said));
    let by_class = || named(view, names).filter(|text| !is_placeholder(text));
    let found = own.filter(|&at| text(at).len() <= MAX_ROW).find_map(row).map(|number| (number, "text"));
    let (number, source) = found.or_else(|| Some((by_class()?, "class")))?;
    Some(SourcedValue::new(number, source, UNSURE))
}

/// The number in one of several elements of a row, or in the one behind a label: `<b>商品番号</b><b>N-30</b>`, `<i>Brand: Acme</i> <i>SKU:
/// N-30</i>`.
fn in_leaves(view: &RecordView, row: &Row, said: impl Fn(&str, &str) -> Option<Option<String>>) -> Option<String> {
    let texts = texts_of_leaves(view, row);
    let next = |at: usize| texts.get(at + 1).copied().unwrap_or_default();
    (0..texts.len()).find_map(|at| said(texts[at], next(at)).flatten())
}

/// What stands behind a label and a space, or behind one that a `#` ends: `Référence N-30`, `Model# N30 SKU# 1002881`.
fn beside(text: &str, is_label: impl Fn(&str) -> bool) -> Option<&str> {
    if let Some((_, value)) = text.rsplit_once(char::is_whitespace).filter(|(label, _)| is_label(label)) {
        return Some(value);
    }
    let mut words = text.split_whitespace();
    words.by_ref().find(|word| word.ends_with('#') && is_label(word))?;
    words.next()
}

/// The text of the element near the heading that is called nothing but one of the names, as shops' software calls it: `<b class=sku>`.
fn named(view: &RecordView, names: &[&str]) -> Option<String> {
    let near = leaves(rows(view, ROWS_BEFORE, ROWS_OF_CLASS));
    let is_near = |id: &NodeId| view.doc.is_element(*id) && near.contains(&view.leaves_before(id.index()));
    let is_called =
        |id: &NodeId| view.doc.attr(*id, LocalName::CLASS).is_some_and(|class| names.contains(&class.trim()));
    let heading = heading(view);
    let own = view.doc.ids().filter(is_near).filter(is_called).filter(|&id| !is_of_site(view, id, heading));
    let texts = own.map(|id| view.slice(view.span_of(id.index())).trim());
    texts.filter(|text| is_word(text)).map(str::to_owned).next()
}

/// Marks that begin another thing.
const MARKS: [char; 7] = ['·', '|', '•', ';', '；', '｜', '\n'];

/// A text as a number of a product: one word with a digit or in capitals with a hyphen (`FU-VS`), before a mark or another label that begins
/// another thing.
fn as_number(text: &str) -> Option<String> {
    let text = text.split(MARKS).next().unwrap_or(text).trim();
    let text = match text.split_once(char::is_whitespace) {
        Some((number, rest)) if rest.contains([':', '：']) => number,
        _ => text,
    };
    let is_code = || text.contains('-') && text.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    (is_word(text) && (text.contains(|c: char| c.is_ascii_digit()) || is_code())).then(|| text.to_owned())
}

fn is_word(text: &str) -> bool {
    (2..=MAX_NUMBER).contains(&text.len())
        && !text.contains(char::is_whitespace)
        && !text.contains([':', '：', '€', '$', '£', '%'])
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
            "<h1>Lamp</h1><p>Model# L7 &nbsp; SKU# N-30</p>",
            "<h1>Lamp</h1><p>Model: L7 | SKU: N-30</p>",
            "<h1>Lamp</h1><p>SKU: N-30 Categories: Lamps, Glass</p>",
            "<h1>Lampada</h1><p>COD: <span class=sku>N-30</span></p>",
            "<h1>灯</h1><p><span>商品番号</span><span>N-30</span></p>",
            "<h1>Лампа</h1><p>арт. N-30</p>",
            "<h1>Lamp</h1><p><span>Brand: <a>Acme</a></span> <span>SKU: N-30</span></p>",
        ] {
            assert_eq!(sku(html).as_deref(), Some("N-30"), "{html}");
        }
        assert_eq!(sku("<h1>Lamp</h1><p>SKU: LAMP-XL</p>").as_deref(), Some("LAMP-XL"));
        for html in [
            "<h1>Lamp</h1><p>SKU: N/A</p>",
            "<h1>Lamp</h1><p>SKU: Lamp-Extra</p>",
            "<h1>Lamp</h1><p>SKU</p><p>In stock since 2019</p>",
            "<h1>Lamp</h1><p>Code: ask us</p>",
            "<nav><p>SKU: N-30</p></nav><h1>Lamp</h1>",
            "<h1>Lamp</h1><p>Reference</p><p>$30</p>",
        ] {
            assert_eq!(sku(html), None, "{html}");
        }
    }
}
