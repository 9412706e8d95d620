//! The prices that readers see on a page: what is paid now, and what was paid before.

use std::borrow::Cow;
use std::sync::LazyLock;

use gristmill_html::{Name, NodeId};
use gristmill_page::Row;
use gristmill_text::{Phrases, is_cjk};

use crate::heading::heading;
use crate::price::{Price, amounts};
use crate::price_words::{BEFORE, NET, OTHER, STRUCK};
use crate::view::{Span, View};

/// Rows after the heading that are looked at, and their longest; prices stand alone or with a word or two.
const MAX_ROWS: usize = 400;
const MAX_ROW_BYTES: usize = 40;
/// Longest row that says what the amount in the next one is: `Retail price:`.
const MAX_LABEL_CHARS: usize = 25;
/// Rows after the price in which the one before the reduction may stand.
const ROWS_AFTER: usize = 3;
/// Rows behind an amount that may not be the price in which the price may stand: further off are other products.
const ROWS_TO_PRICE: usize = 6;
/// Elements around an amount that may strike it out.
const MAX_AROUND: usize = 4;

/// What an amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Paid,
    /// Before a reduction, or without the tax; the latter is never above what is paid, and so never a list price.
    Beside,
    Other,
}

/// The price, and the one before a reduction if that is higher.
///
/// The first amount in a short row after the heading that is neither struck out nor labelled as the price before;
/// where all near it are, the first of them. `locale` is the currency of the page's, for signs that several share.
pub(crate) fn prices(view: &View, locale: Option<&str>) -> Option<(Price, Option<Price>)> {
    let mut amounts = Amounts::new(view, locale);
    let (mut first, mut before, mut paid) = (None, None, None);
    for (row, kind, price) in amounts.by_ref() {
        match kind {
            Kind::Paid => {
                let near = first.as_ref().is_none_or(|(at, _)| row <= at + ROWS_TO_PRICE);
                paid = near.then_some((row, price));
                break;
            }
            Kind::Beside => {
                first = first.or_else(|| Some((row, price.clone())));
                before = Some(price);
            }
            Kind::Other => {}
        }
    }
    let Some((row, price)) = paid else { return first.map(|(_, price)| (price, None)) };
    let is_higher = |other: &Price| other.value() > price.value() && other.currency == price.currency;
    let after = || {
        let near = amounts.take_while(|&(at, _, _)| at <= row + ROWS_AFTER);
        near.filter(|(_, kind, _)| *kind == Kind::Beside).map(|(_, _, price)| price).find(is_higher)
    };
    let list_price = before.filter(is_higher).or_else(after);
    Some((price, list_price))
}

/// The amounts of short rows after the heading: number of the row, what it is, how much.
struct Amounts<'v, 'd> {
    view: &'v View<'d>,
    rows: std::iter::Take<std::iter::Enumerate<std::slice::Iter<'v, Row>>>,
    locale: Option<&'v str>,
    /// What a row of words alone says of the next one.
    label: Kind,
    /// Of the row last read, backwards.
    open: Vec<(usize, Kind, Price)>,
}

impl<'v, 'd> Amounts<'v, 'd> {
    fn new(view: &'v View<'d>, locale: Option<&'v str>) -> Amounts<'v, 'd> {
        let heading = heading(view).map_or(0, |id| view.leaves_before(id.index()));
        let from = view.leaves.get(heading).map_or(0, |leaf| leaf.row as usize);
        let rows = view.rows[from.min(view.rows.len())..].iter().enumerate().take(MAX_ROWS);
        Amounts { view, rows, locale, label: Kind::Paid, open: Vec::new() }
    }

    fn read(&mut self, number: usize, row: &Row) {
        let span = self.view.row_span(row);
        let label = std::mem::replace(&mut self.label, Kind::Paid);
        if span.len() > MAX_ROW_BYTES {
            return;
        }
        let (text, set_in) = apart(self.view, row, span);
        let text = text.as_ref();
        let before = |at: usize| (at - set_in.iter().filter(|&&mark| mark < at).count()) as u32;
        let mut from = 0;
        for (range, price) in amounts(text, self.locale) {
            let words = &text[from..range.start];
            let has_words = words.chars().any(char::is_alphanumeric);
            let kind = match () {
                () if is_struck(self.view, span.start + before(range.start)) => Kind::Beside,
                () if from == 0 && !has_words => label,
                () => kind_of(words),
            };
            from = range.end;
            self.open.push((number, kind, price));
        }
        if from == 0 && text.chars().count() <= MAX_LABEL_CHARS {
            self.label = kind_of(text);
        }
        self.open.reverse();
    }
}

impl Iterator for Amounts<'_, '_> {
    type Item = (usize, Kind, Price);

    fn next(&mut self) -> Option<(usize, Kind, Price)> {
        while self.open.is_empty() {
            let (number, row) = self.rows.next()?;
            self.read(number, row);
        }
        self.open.pop()
    }
}

/// The text of a row with digits kept apart that stand in different elements, and where something was set in: cents behind a whole
/// amount get their point (`19` and a small `99`), all else a space (`$145` and `19% off`).
fn apart<'v>(view: &'v View, row: &Row, span: Span) -> (Cow<'v, str>, Vec<usize>) {
    let text = view.slice(span);
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let leaves = &view.leaves[row.first_leaf as usize..row.end_leaf as usize];
    let starts = leaves.iter().skip(1).filter_map(|leaf| leaf.start.checked_sub(span.start)).map(|at| at as usize);
    let seams: Vec<usize> = starts.filter(|&at| at > 0 && is_digit(at - 1) && is_digit(at)).collect();
    if seams.is_empty() {
        return (Cow::Borrowed(text), seams);
    }
    let (mut out, mut set_in, mut from) = (String::with_capacity(text.len() + seams.len()), Vec::new(), 0);
    for at in seams {
        out.push_str(&text[from..at]);
        from = at;
        set_in.push(out.len());
        let is_whole = !out.rsplit(char::is_whitespace).next().is_some_and(|amount| amount.contains(['.', ',']));
        let are_cents = is_digit(at + 1) && !is_digit(at + 2) && !text[at + 2..].starts_with(['%', '.', ',']);
        out.push(if is_whole && are_cents { '.' } else { ' ' });
    }
    out.push_str(&text[from..]);
    (Cow::Owned(out), set_in)
}

static BESIDE: LazyLock<Vec<&str>> = LazyLock::new(|| BEFORE.iter().chain(NET).copied().collect());
static BESIDE_FOUND: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&BESIDE));

/// What the words before an amount say of it.
fn kind_of(words: &str) -> Kind {
    let words = words.trim().to_lowercase();
    if OTHER.iter().any(|word| words.starts_with(word) && ends_at(&words, word.len(), word)) {
        return Kind::Other;
    }
    let is_word = |word: usize, at: usize| stands_alone(&words, at, BESIDE[word]);
    if BESIDE_FOUND.find(&words, is_word) { Kind::Beside } else { Kind::Paid }
}

fn stands_alone(text: &str, at: usize, word: &str) -> bool {
    let starts = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() || is_cjk(c));
    starts && ends_at(text, at + word.len(), word)
}

/// Whether a word that ends at `end` ends there in `text` too; Chinese has no spaces to tell by.
fn ends_at(text: &str, end: usize, word: &str) -> bool {
    word.ends_with(is_cjk) || text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric())
}

/// Whether the text at a byte is struck out.
fn is_struck(view: &View, position: u32) -> bool {
    let leaf = &view.leaves[view.leaf_at(position)];
    let around = view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND);
    around.into_iter().any(|id| strikes(view, id))
}

fn strikes(view: &View, id: NodeId) -> bool {
    let by_class = || {
        let class =
            view.doc.attr(id, Name::CLASS).filter(|class| class.len() <= 200).unwrap_or("").to_ascii_lowercase();
        STRUCK.iter().any(|word| class.contains(word))
    };
    matches!(view.doc.name(id), Name::DEL | Name::S | Name::STRIKE) || by_class()
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, Limits};
    use gristmill_page::Page;

    use super::*;

    fn of(html: &str) -> (String, Option<String>) {
        let doc = Doc::parse(html, &Limits::default());
        let (price, list) = prices(&View::new(&Page::new(&doc)), None).expect("a price");
        (price.amount, list.map(|price| price.amount))
    }

    #[test]
    fn a_struck_or_labelled_amount_is_the_price_before() {
        let both = ("10.00".to_owned(), Some("20.00".to_owned()));
        for html in [
            "<p><del>$20.00</del> <ins>$10.00</ins></p>",
            "<p>$10.00 <s>$20.00</s></p>",
            "<p><span class=price-old>$20.00</span><br>$10.00",
            "<li>Retail Price: <strike>$20.00</strike></li><li>Online Price: $10.00</li>",
            "<tr><td>RRP:</td><td>$20.00</td></tr><p>$10.00</p>",
            "<p>Was $20.00 Now $10.00</p>",
            "<p>原价$20.00</p><p>现价$10.00</p>",
            "<p>Statt $20.00</p><p>nur $10.00</p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
    }

    #[test]
    fn digits_of_different_elements_are_cents_or_another_number() {
        assert_eq!(of("<p>$19<sup>99</sup></p>"), ("19.99".into(), None));
        assert_eq!(of("<p><b>$1</b><b>,299</b><sup>00</sup></p>"), ("1299".into(), None));
        assert_eq!(of("<p>$116.97 <s>$145</s><span>19% off</span></p>"), ("116.97".into(), Some("145".into())));
        assert_eq!(of("<p>€ 20<del>€ 30<i>25</i></del></p>"), ("20".into(), Some("30.25".into())));
    }

    #[test]
    fn savings_and_shipping_are_no_prices() {
        assert_eq!(of("<p>Save $5.00</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Free shipping over $35</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>运费 $5</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<dt>You save:</dt><dd>$5.00</dd><p>$10.00</p>").0, "10.00");
    }

    #[test]
    fn a_price_that_stands_alone_is_the_price_whatever_it_is_called() {
        assert_eq!(of("<p>Retail price: $13.99</p>"), ("13.99".into(), None));
        let others = format!("<p>List: $13.99</p>{}<p>$10.00</p>", "<p>words</p>".repeat(20));
        assert_eq!(of(&others), ("13.99".into(), None), "another product");
        assert_eq!(of("<p>Washing $10.00</p>"), ("10.00".into(), None), "`was` is a word of its own");
        assert_eq!(of("<b class=price-old>$10.00</b><p>Excl. VAT: $8.20</p>"), ("10.00".into(), None));
        assert_eq!(of("<p>$10.00</p><p>Was $5.00</p>"), ("10.00".into(), None), "no reduction");
    }
}
