//! The prices that readers see on a page: what is paid now, and what was paid before.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Row, attribute_words};
use gristmill_text::{is_cjk, n_chars};

use crate::amount_words::{
    AmountKind, MAX_LABEL_CHARS, are_behind, has, is_before_alone, is_cart, is_gross, is_label, is_lowest,
    is_on_request, is_only, kind_of, own_words,
};
use crate::bare_number::{is_before_button, is_no_price};
use crate::heading::heading;
use crate::hours::names_hours;
use crate::price::{self, Amount, Price, PriceStyle};
use crate::price_classes::{calls, strikes};
use crate::price_row::{apart, is_within};
use crate::price_words::{LABEL, OTHERS, PRICE, REDUCED};
use crate::stock;
use crate::view::RecordView;

/// Rows after the heading that are looked at, and their longest in characters, a Chinese one for two; prices stand alone or with a few
/// words. Rows that call themselves a price may have more of them.
pub(crate) const MAX_ROWS: usize = 400;
const MAX_ROW: usize = 60;
const MAX_PRICE_ROW: usize = 200;
/// Rows after the price in which the one before the reduction may stand.
const ROWS_AFTER: usize = 3;
/// Rows behind an amount that may not be the price in which the price may stand: further off are other products.
const ROWS_TO_PRICE: usize = 6;
/// Elements around an amount that may hold it and another one alone.
const MAX_AROUND_PAIR: usize = 4;
const MAX_NODES_OF_PAIR: usize = 40;

/// What is paid, and beside it the most that is paid for a variant, and what was paid before a reduction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prices {
    pub(crate) price: Price,
    pub(crate) most: Option<Price>,
    pub(crate) list_price: Option<Price>,
}

/// The price, the upper end of its range, and the one before a reduction if that is higher.
///
/// The first amount in a short row after the heading that is neither struck out nor labelled as the price before, of a unit or of a part;
/// where all near it are, the first of them. `currency` is the page's, for signs that several share and amounts without one.
pub(crate) fn prices(view: &RecordView, currency: Option<&str>) -> Option<Prices> {
    let habits = PriceStyle { currency, point: point(view), is_field: false };
    let mut amounts = Amounts::new(view, habits).peekable();
    if is_told_on_request(view, amounts.peek().map(|(row, _, _)| *row)) {
        return None;
    }
    let (mut first, mut part, mut before, mut paid) = (None, None, None, None);
    for (row, kind, amount) in amounts.by_ref() {
        // What is struck out is often said once more for the ear.
        let is_said_again = kind == AmountKind::Paid
            && first.as_ref().is_some_and(|(at, first): &(usize, Amount)| *at == row && first.price == amount.price);
        let kind = if is_said_again { AmountKind::Beside } else { kind };
        match kind {
            AmountKind::Paid | AmountKind::Reduced => {
                let is_near =
                    |before: &Option<(usize, Amount)>, rows| before.as_ref().is_none_or(|(at, _)| row <= at + rows);
                let near = is_near(&first, ROWS_TO_PRICE) && is_near(&part, ROWS_TO_OFFER);
                paid = near.then_some((row, kind, amount));
                break;
            }
            AmountKind::Beside => {
                first = first.or_else(|| Some((row, amount.clone())));
                before = Some(amount.price);
            }
            AmountKind::Part => part = part.or(Some((row, amount))),
            AmountKind::Lowest | AmountKind::Other => {}
        }
    }
    let Some((row, kind, amount)) = paid else {
        let found = first.or(part).map(|(_, amount)| amount);
        let amount = found.or_else(|| above(view, habits))?;
        return Some(Prices { price: amount.price, most: amount.most, list_price: None });
    };
    let near: Vec<(usize, AmountKind, Amount)> = amounts.take_while(|&(at, _, _)| at <= row + ROWS_AFTER).collect();
    let next = near.iter().find(|(_, kind, _)| matches!(kind, AmountKind::Paid | AmountKind::Reduced));
    let is_pair = next.is_some_and(|&(next, _, _)| is_pair_of_prices(view, row, next, habits));
    let near: Vec<(AmountKind, Amount)> = near.into_iter().map(|(_, kind, amount)| (kind, amount)).collect();
    let shares = shares_off(view, row);
    if let Some(reduced) = reduced(kind, &amount, &near, is_pair, &shares) {
        // Of the price of the maker, that of the shop and that after a reduction the first is the one before.
        let list_price = before.filter(|before| is_above(before, &amount.price)).unwrap_or(amount.price);
        return Some(Prices { price: reduced.price.clone(), most: reduced.most.clone(), list_price: Some(list_price) });
    }
    let price = amount.price;
    let list_price = before.filter(|before| is_above(before, &price));
    let list_price = list_price.or_else(|| list_price_behind(&price, &near, &shares));
    Some(Prices { price, most: amount.most, list_price })
}

/// Whether a row close behind the heading and before the first amount says that the price is told who asks: the amounts are other things'.
fn is_told_on_request(view: &RecordView, first: Option<usize>) -> bool {
    let before = rows(view).iter().take(first.unwrap_or(ROWS_TO_OFFER).min(ROWS_TO_OFFER));
    before.map(|row| view.slice(view.row_span(row))).any(is_on_request)
}

fn is_above(other: &Price, price: &Price) -> bool {
    other.value() > price.value() && other.currency == price.currency
}

/// The price before a reduction among the amounts behind the price: one that is said or drawn to be, or else one from which a shown share
/// leads down.
fn list_price_behind(price: &Price, near: &[(AmountKind, Amount)], shares: &[f64]) -> Option<Price> {
    let higher = |kind: AmountKind| {
        let of_kind = near.iter().filter(move |(other, _)| *other == kind).map(|(_, amount)| &amount.price);
        of_kind.filter(|other| is_above(other, price))
    };
    let reduced = || higher(AmountKind::Paid).find(|other| is_reduction(shares, other, price));
    higher(AmountKind::Beside).next().or_else(reduced).cloned()
}

/// The last amount close above the heading: right above it, or in an element that is called a price. What is in the cart costs nothing.
fn above(view: &RecordView, habits: PriceStyle) -> Option<Amount> {
    const ROWS: usize = 12;
    const NEAR: usize = 2;
    heading(view)?;
    let end = first_row(view);
    let above = &view.rows[end.saturating_sub(ROWS)..end];
    let is_price = |row: &Row| is_within(view, view.row_span(row).start, |view, id| calls(view, id, &PRICE));
    let found = Amounts::of(view, above, habits).filter(|(row, kind, amount)| {
        let is_paid = matches!(kind, AmountKind::Paid | AmountKind::Reduced) && amount.price.value() > 0.0;
        is_paid && (row + NEAR >= above.len() || is_price(&above[*row]))
    });
    found.last().map(|(_, _, amount)| amount)
}

/// The lower amount close behind one that is not said to be what is paid now, if that is said of it: `Price $20`, `Sale price $15`; or if
/// the least of thirty days stands close by, which shops name where they have reduced a price, or both are all that a box of prices holds.
/// What is far lower is an instalment or a saving, unless a shown share leads to it.
fn reduced<'a>(
    kind: AmountKind,
    first: &Amount,
    near: &'a [(AmountKind, Amount)],
    is_pair: bool,
    shares: &[f64],
) -> Option<&'a Amount> {
    const LEAST: f64 = 0.2;
    let (price, whole) = (&first.price, first.price.value());
    let is_reduced = |amount: &&Amount| {
        let value = amount.price.value();
        amount.price.currency == price.currency && value < whole && value >= LEAST * whole
    };
    let said = near.iter().find(|(kind, _)| matches!(kind, AmountKind::Paid | AmountKind::Reduced));
    let has_lowest = near.iter().any(|(kind, _)| *kind == AmountKind::Lowest);
    let is_said = |then: AmountKind| then == AmountKind::Reduced || has_lowest || is_pair;
    let said = said
        .filter(|(then, _)| kind == AmountKind::Paid && is_said(*then))
        .map(|(_, amount)| amount)
        .filter(is_reduced);
    said.or_else(|| {
        let mut paid = near.iter().filter(|(then, _)| kind == AmountKind::Paid && *then == AmountKind::Paid);
        let leads_to = |other: &Price| other.currency == price.currency && is_reduction(shares, price, other);
        paid.find(|(_, amount)| leads_to(&amount.price)).map(|(_, amount)| amount)
    })
}

/// Whether the amounts of two rows are all that an element says which is called a price. Tables of prices hold one for each quantity, and
/// one of two may be without the tax.
fn is_pair_of_prices(view: &RecordView, first: usize, second: usize, habits: PriceStyle) -> bool {
    let [first, second] = [first, second].map(|row| &rows(view)[row]);
    let leaf = &view.leaves[first.first_leaf as usize];
    let around = view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND_PAIR);
    let holds_both = |id: &NodeId| view.span_of(id.index()).end >= view.row_span(second).end;
    let of_price = around.filter(holds_both).find(|&id| calls(view, id, &PRICE));
    of_price.filter(|&id| view.doc.name(id) != LocalName::TABLE).is_some_and(|id| {
        let text = view.slice(view.span_of(id.index()));
        let amounts: Vec<Amount> = price::amounts(text, habits).take(3).collect();
        let [one, other] = &amounts[..] else { return false };
        let between = text.get(one.range.end..other.range.start).unwrap_or_default();
        let words = [&text[..one.range.start], between, &text[other.range.end..]];
        let mut inner = view.doc.subtree(id).take(MAX_NODES_OF_PAIR);
        text.len() <= MAX_PRICE_ROW
            && !words.iter().any(|words| words.contains(char::is_alphabetic))
            && !inner.any(|id| attribute_words::is_named(view.doc, id, &["tax", "vat", "excluding", "net"]))
    })
}

/// The shares that rows at a price and close to it say are taken off, between 0 and 1: `-26%`, `%22 İndirim`.
fn shares_off(view: &RecordView, row: usize) -> Vec<f64> {
    const BEFORE: usize = 2;
    let from = row.saturating_sub(BEFORE);
    let near = rows(view).iter().take(row + ROWS_AFTER + 1).skip(from).map(|row| view.slice(view.row_span(row)));
    near.filter(|text| n_chars(text) <= MAX_ROW).filter_map(share).collect()
}

/// The whole number before or behind the only percent sign of a text, as a share.
fn share(text: &str) -> Option<f64> {
    let (before, after) = text.split_once(['%', '％', '٪'])?;
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let n_before = before.trim_end().chars().rev().take_while(char::is_ascii_digit).count();
    let number = match n_before {
        0 => &after[..digits(after)],
        _ => &before.trim_end()[before.trim_end().len() - n_before..],
    };
    let share = number.parse::<f64>().ok()? / 100.0;
    (!after.contains(['%', '％', '٪']) && number.len() <= 2).then_some(share)
}

/// Whether one price is another after one of some shares, which shops round, was taken off.
fn is_reduction(shares: &[f64], whole: &Price, price: &Price) -> bool {
    const LEAST: f64 = 0.05;
    let off = 1.0 - price.value() / whole.value();
    off >= LEAST && shares.iter().any(|share| (share - off).abs() <= 0.01)
}

/// Rows between the heading and the price, and between that and the only button that sells, where a page without attributes offers one
/// thing.
pub(crate) const ROWS_TO_OFFER: usize = 15;

/// The amounts below the heading, each with its row and what is said of it.
pub(crate) fn amounts<'v, 'd>(
    view: &'v RecordView<'d>,
    currency: Option<&'v str>,
) -> impl Iterator<Item = (usize, AmountKind, Amount)> + use<'v, 'd> {
    Amounts::new(view, PriceStyle { currency, point: point(view), is_field: false })
}

/// Whether a short row says that a thing is sold out or not yet sold, in place of the button that sells it.
pub(crate) fn is_sold_out(view: &RecordView, row: &Row) -> bool {
    let text = view.slice(view.row_span(row));
    n_chars(text) <= MAX_LABEL_CHARS && matches!(stock::said(text), Some("OutOfStock" | "PreOrder" | "BackOrder"))
}

/// The rows after the heading, up to that of other products.
pub(crate) fn rows<'v>(view: &'v RecordView) -> &'v [Row] {
    let from = first_row(view);
    let rows = &view.rows[from..view.rows.len().min(from + MAX_ROWS)];
    let mut is_gone = false;
    let begins_others = |row: &Row| {
        is_gone |= is_sold_out(view, row);
        is_of_others(view, row, is_gone)
    };
    let end = rows.iter().skip(1).position(begins_others).map(|at| at + 1);
    &rows[..end.unwrap_or(rows.len())]
}

/// Whether a row is the heading of other products: `Recently viewed`. Behind the words that a thing is sold out no price of its own follows,
/// and any row may be one.
fn is_of_others(view: &RecordView, row: &Row, is_gone: bool) -> bool {
    let text = view.slice(view.row_span(row));
    let names = |text: &str| if row.in_heading { has(&OTHERS, text) } else { is_only(&OTHERS, text) };
    (row.in_heading || is_gone && !row.is_link()) && n_chars(text) <= MAX_ROW && names(&text.to_lowercase())
}

/// Which row is the heading, or the first one.
pub(crate) fn first_row(view: &RecordView) -> usize {
    let heading = heading(view).map_or(0, |id| view.leaves_before(id.index()));
    view.leaves.get(heading).map_or(0, |leaf| leaf.row as usize).min(view.rows.len())
}

/// The mark before decimals that prices of the page have without doubt, if they all have the same.
fn point(view: &RecordView) -> Option<char> {
    let texts = rows(view).iter().map(|row| view.slice(view.row_span(row))).filter(|text| text.len() <= 200);
    let mut points = texts.filter_map(price::certain_point);
    let first = points.next()?;
    points.all(|point| point == first).then_some(first)
}

/// The amounts of short rows after the heading: number of the row, what it is, how much.
struct Amounts<'v, 'd> {
    view: &'v RecordView<'d>,
    rows: &'v [Row],
    /// How many of the first rows are the heading: numbers in it are of the name (`Dress size 38.50`).
    n_heading: usize,
    at: usize,
    habits: PriceStyle<'v>,
    /// What a row of words alone says of the next one, and whether it calls it a price.
    label: AmountKind,
    is_named: bool,
    /// Of the row last read, backwards.
    open: Vec<(usize, AmountKind, Amount)>,
}

impl<'v, 'd> Amounts<'v, 'd> {
    fn new(view: &'v RecordView<'d>, habits: PriceStyle<'v>) -> Amounts<'v, 'd> {
        let rows = rows(view);
        let end = heading(view).map_or(0, |id| view.leaf_range(id.index()).1);
        let n_heading = rows.iter().take_while(|row| (row.first_leaf as usize) < end).count();
        Amounts { n_heading, ..Amounts::of(view, rows, habits) }
    }

    fn of(view: &'v RecordView<'d>, rows: &'v [Row], habits: PriceStyle<'v>) -> Amounts<'v, 'd> {
        Amounts { view, rows, n_heading: 0, at: 0, habits, label: AmountKind::Paid, is_named: false, open: Vec::new() }
    }

    fn read(&mut self, number: usize) {
        let row = &self.rows[number];
        let span = self.view.row_span(row);
        let label = std::mem::replace(&mut self.label, AmountKind::Paid);
        let is_named = std::mem::replace(&mut self.is_named, false);
        let width = width(self.view.slice(span));
        let is_price = || is_within(self.view, span.start, |view, id| calls(view, id, &PRICE));
        let is_long = || width > MAX_ROW && !is_price() && !is_lowest(&self.view.slice(span).to_lowercase());
        if width > MAX_PRICE_ROW || is_long() || names_hours(self.view.slice(span)) {
            return;
        }
        let (text, set_in) = apart(self.view, row, span);
        let text = text.as_ref();
        let before = |at: usize| (at - set_in.iter().filter(|&&mark| mark < at).count()) as u32;
        let is_struck = |amount: &Amount| is_within(self.view, span.start + before(amount.range.start), strikes);
        let mut amounts = self.amounts(number, text, || is_named || is_price());
        if !amounts.is_empty() && row.end_leaf - row.first_leaf > 1 {
            // `<s>250</s> <b>180 €</b>` has one sign for both.
            amounts.extend(price::beside(text, &amounts, self.habits).into_iter().filter(is_struck));
            amounts.sort_by_key(|amount| amount.place.start);
        }
        let mut from = 0;
        let is_behind = are_behind(text, &amounts);
        for (n, amount) in amounts.iter().enumerate() {
            let words = &text[from..amount.place.start];
            let own = own_words(words, n == 0);
            let end = amounts.get(n + 1).map_or(text.len(), |next| next.place.start);
            let own = if is_behind { &text[amount.place.end..end] } else { own };
            let kind = match () {
                () if is_struck(amount) => AmountKind::Beside,
                () if n == 0 && !words.chars().any(char::is_alphanumeric) && label != AmountKind::Paid => label,
                () if n == 0 && is_cart(own) => AmountKind::Other,
                () if amount.most.is_none() && is_before_alone(own) => AmountKind::Beside,
                () => kind_of(own, &text[amount.place.end..end], end == text.len()),
            };
            let by_class = |view: &RecordView, id| calls(view, id, &REDUCED);
            let kind = match kind {
                AmountKind::Paid if is_within(self.view, span.start + before(amount.range.start), by_class) => {
                    AmountKind::Reduced
                }
                kind => kind,
            };
            let is_net = amounts.get(n + 1).is_some_and(|next| is_gross(text, amount, next));
            let kind = if is_net { AmountKind::Other } else { kind };
            from = amount.place.end;
            self.open.push((number, kind, amount.clone()));
        }
        let is_name = number == 0 && row.in_heading;
        if amounts.is_empty() && !is_name {
            self.read_label(text, row.in_heading);
        }
        self.open.reverse();
    }

    /// What a row without an amount says of that in the next row.
    fn read_label(&mut self, text: &str, in_heading: bool) {
        if n_chars(text) > MAX_LABEL_CHARS && !(text.contains("30") && is_lowest(&text.to_lowercase())) {
            return;
        }
        // `10% off` is no label, and `Bag` may be what is sold.
        self.label = match kind_of(text, "", true) {
            _ if text.contains('%') => AmountKind::Paid,
            // `Earn 39 points` and `Free delivery` are said of no amount below.
            AmountKind::Other if !is_label(text) => AmountKind::Paid,
            _ if text.contains('(') && is_cart(text) => AmountKind::Other,
            // The name of the thing may stand here once more.
            AmountKind::Part | AmountKind::Other if in_heading => AmountKind::Paid,
            kind => kind,
        };
        self.is_named = self.label != AmountKind::Other && has(&LABEL, &text.to_lowercase());
    }

    /// The amounts of a row. Where it calls itself a price or is called one, or a button that sells stands behind it, words that may be
    /// something else count as currencies, and a number alone is a price.
    fn amounts(&self, number: usize, text: &str, is_price: impl Fn() -> bool) -> Vec<Amount> {
        let amounts: Vec<Amount> = price::amounts(text, self.habits).collect();
        if !amounts.is_empty() || !text.chars().any(|c| c.is_numeric()) || n_chars(text) > MAX_LABEL_CHARS {
            return amounts;
        }
        if is_quantity(self.view, &self.rows[number], self.habits) || number < self.n_heading {
            return Vec::new();
        }
        let is_before_button = || is_before_button(self.view, self.rows, number, text, self.habits);
        if !is_price() && !has(&LABEL, &text.to_lowercase()) && !is_before_button() {
            return Vec::new();
        }
        let habits = PriceStyle { is_field: true, ..self.habits };
        let amounts: Vec<Amount> = price::amounts(text, habits).collect();
        let mut amounts = if amounts.is_empty() { price::bare(text, habits) } else { amounts };
        let above = number.checked_sub(1).map_or("", |above| self.view.slice(self.view.row_span(&self.rows[above])));
        amounts.retain(|amount| !is_no_price(text, above, amount));
        amounts
    }
}

impl Iterator for Amounts<'_, '_> {
    type Item = (usize, AmountKind, Amount);

    fn next(&mut self) -> Option<(usize, AmountKind, Amount)> {
        while self.open.is_empty() {
            let number = self.at;
            self.at += 1;
            (number < self.rows.len()).then(|| self.read(number))?;
        }
        self.open.pop()
    }
}

/// Whether a number stands beside a price in a row of a table: what so many cost.
fn is_quantity(view: &RecordView, row: &Row, habits: PriceStyle) -> bool {
    let leaf = &view.leaves[row.first_leaf as usize];
    let mut around = view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND_PAIR);
    let line = around.find(|&id| view.doc.name(id) == LocalName::TR).map(|id| view.slice(view.span_of(id.index())));
    line.is_some_and(|line| line.len() <= MAX_PRICE_ROW && price::amounts(line, habits).next().is_some())
}

fn width(text: &str) -> usize {
    text.chars().map(|c| 1 + usize::from(is_cjk(c))).sum()
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use super::*;

    fn of(html: &str) -> (String, Option<String>) {
        let doc = Doc::parse(html, &TreeLimits::default());
        let found = prices(&RecordView::new(&Page::new(&doc)), None).expect("a price");
        (found.price.amount, found.list_price.map(|price| price.amount))
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
            "<div class='price with-list-price'>$10.00</div><span class=list-price-price>$20.00</span>",
            "<p><span>$10.00</span> <span class=was>$20.00</span></p>",
            "<p class=price><del><bdi>$20.00</bdi></del> <span class=screen-reader-text>Original price was: $20.00</span><ins>$10.00</ins>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
    }

    #[test]
    fn amounts_of_a_list_are_no_price_before() {
        for html in [
            "<ul><li>$20.00<li>$10.00<li>$5.00</ul>",
            "<p>Large $20.00</p><p>Small $10.00</p>",
            "<p class=regular>$20.00</p><p class=sale>$0.50</p>",
            "<p><b>$20.00</b> <i>$10.00</i></p>",
            "<p>$20.00</p><p>a</p><p>b</p><p>$10.00</p>",
        ] {
            assert_eq!(of(html), ("20.00".into(), None), "{html}");
        }
        let thousands = "<h1>Board</h1><p class=price><s>16 990 Ft</s> <b>12 990 Ft</b></p>";
        assert_eq!(of(thousands), ("12990".into(), Some("16990".into())));
        let glued =
            "<p class=price><s>65,00 €</s> <i class=sr-only>Ursprünglicher Preis war: 65,00 €</i><b>49,00 €</b></p>";
        assert_eq!(of(glued), ("49.00".into(), Some("65.00".into())));
    }

    #[test]
    fn digits_of_different_elements_are_cents_or_another_number() {
        assert_eq!(of("<p>$19<sup>99</sup></p>"), ("19.99".into(), None));
        assert_eq!(of("<p><b>$1</b><b>,299</b><sup>00</sup></p>"), ("1299.00".into(), None));
        assert_eq!(of("<p>$116.97 <s>$145</s><span>19% off</span></p>"), ("116.97".into(), Some("145".into())));
        assert_eq!(of("<p>€ 20<del>€ 30<i>25</i></del></p>"), ("20".into(), Some("30.25".into())));
    }

    #[test]
    fn two_prices_in_neighbouring_elements_and_a_saving_behind_one_are_told_apart() {
        let both = ("12990".to_owned(), Some("15490".to_owned()));
        for html in [
            "<p><span>12 990 ₽</span><span class=price__old>15 490 ₽</span></p>",
            "<p><span>12.990 ₽</span><span class=price__old>15.490 ₽</span></p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
        let saved = "<p>statt € 64,90</p><p><b>€ 49,90</b> <i>Sie sparen € 15,00</i></p>";
        assert_eq!(of(saved), ("49.90".into(), Some("64.90".into())));
        assert_eq!(of("<p>$5 shipping</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Sell us your copy for $4.25</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>149 руб. 90 коп.</p>").0, "149.90");
        assert_eq!(of("<p class=price>34 <sup>99</sup></p>").0, "34.99");
    }

    #[test]
    fn numbers_of_two_elements_are_no_one_number() {
        let both = ("180".to_owned(), Some("250".to_owned()));
        for html in [
            "<p><s>250</s> <b>180 €</b></p>",
            "<p><del>250</del><ins>180 €</ins></p>",
            "<p><s>250</s> <b>180</b> €</p>",
            "<p><del>۲۵۰</del> <span>۱۸۰ تومان</span></p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
        assert_eq!(of("<p><del>1 290</del> <b>990 Kč</b></p>"), ("990".into(), Some("1290".into())));
        assert_eq!(of("<p><del>120</del> <b>95 €</b></p>"), ("95".into(), Some("120".into())));
        assert_eq!(of("<p>Anzahl 2 <b>500 €</b></p>").0, "500");
        for (html, price) in [
            ("<p><span>1</span><sup>299</sup> kr</p>", "1299"),
            ("<p><span>1.299</span><sup>00</sup> €</p>", "1299.00"),
            ("<p>$<span>1,299<span>.</span></span><span>00</span></p>", "1299.00"),
            ("<p><span>12</span> <sup>95</sup> €</p>", "12.95"),
        ] {
            assert_eq!(of(html), (price.to_owned(), None), "{html}");
        }
    }

    #[test]
    fn of_two_prices_a_shown_share_leads_to_the_lower_is_paid() {
        let both = ("90.93".to_owned(), Some("129.90".to_owned()));
        for html in [
            "<p><i>-30%</i> <i>129,90 €</i> <i>90,93 €</i></p>",
            "<p>-30%</p><p>129,90 €</p><p>90,93 €</p>",
            "<p>129,90 € 90,93 € -30%</p>",
            "<p>90,93 € 129,90 € -30%</p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
        assert_eq!(of("<p>-75%</p><p>19,99€</p><p>4,99€</p>"), ("4.99".into(), Some("19.99".into())));
        assert_eq!(of("<p>-20%</p><p>129,90 €</p><p>90,93 €</p>").0, "129.90", "it leads elsewhere");
    }

    #[test]
    fn amounts_of_other_things_between_heading_and_price_are_no_prices() {
        for other in [
            "Cart (2) $84.00",
            "Cart: 2 items $84.00",
            "Get $20 when you trade in your old pot",
            "5+ $9.00 each",
            "Your cart: $0.00",
            "Trade in and get up to $200",
            "Gift cards from $5",
            "Add a 3-year protection plan for $9.99",
            "3-year protection plan $9.99",
            "$0.25 per count",
            "Buy 10+ at $9.00",
            "ab 10 Stück $9.00",
            "Subscribe: $9.00",
            "Final price after cashback $9.00",
            "Compare with similar: $99.00",
            "$14.97 / kuu",
            "$14.97 /mėn.",
            "首付 $17",
            "$50 üzeri kargo bedava",
            "$50以上送料無料",
            "$50 이상 무료배송",
            "ส่งฟรีเมื่อซื้อครบ $99",
        ] {
            let html = format!("<h1>Pot</h1><p>{other}</p><p>$10.00</p>");
            assert_eq!(of(&html).0, "10.00", "{other}");
        }
        assert_eq!(of("<h1>Gift cards</h1><p>$10.00</p>").0, "10.00", "the name of the thing is no label");
        assert_eq!(of("<h1>Phone</h1><p>월 1,980원</p><p>47,520원</p>").0, "47520");
        assert_eq!(of("<h1>Car</h1><p>₹5,45,000 <i>EMI from ₹9,812/m</i></p>").0, "545000");
        for viewed in ["<h3>Recently viewed</h3>", "<p>Recently viewed</p>"] {
            let html = format!("<h1>Record</h1><p>Sold out</p>{viewed}<p>Another $19.99</p>");
            let doc = Doc::parse(&html, &TreeLimits::default());
            assert_eq!(prices(&RecordView::new(&Page::new(&doc)), None), None);
        }
    }

    #[test]
    fn words_that_mean_the_price_before_only_by_themselves_do_so() {
        let both = ("10.00".to_owned(), Some("20.00".to_owned()));
        for html in [
            "<p>Van $20.00</p><p>Voor $10.00</p>",
            "<p>De $20.00</p><p>Por $10.00</p>",
            "<p>Oferta $10.00</p><p>Normal $20.00</p>",
            "<p>$10.00</p><p>Prix courant $20.00</p>",
            "<p>Původně $20.00</p><p>$10.00</p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
        assert_eq!(of("<p>Normal</p><p>$10.00</p>"), ("10.00".into(), None), "a kind of skin");
        assert_eq!(of("<p>de $10.00 a $20.00</p><p>$50.00</p>").0, "10.00");
    }

    #[test]
    fn a_price_may_stand_right_above_the_heading() {
        let read = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            prices(&RecordView::new(&Page::new(&doc)), Some("PKR")).map(|found| found.price.amount)
        };
        let top = "<header><p>Cart $0.00</p><nav>Lamps</nav></header>";
        let price = Some("23450".to_owned());
        assert_eq!(read(&format!("{top}<section><p>Rs 23,450</p><h1>Phone</h1></section><p>Only call.")), price);
        let box_above =
            "<div data-testid=price>Rs 23,450</div><p>New</p><p>In stock</p><p>Blue</p><h1>Phone</h1><p>Text";
        assert_eq!(read(&format!("{top}{box_above}")), price);
        assert_eq!(read(&format!("{top}<h1>Phone</h1><p>Only call.")), None);
        assert_eq!(read("<p>Rs 1,000</p><h1>Phone</h1><p>Rs 23,450</p>"), price);
    }

    #[test]
    fn savings_and_shipping_are_no_prices() {
        assert_eq!(of("<p>Save $5.00</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Free shipping over $35</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Get $5 off your first order</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>$5 coupon inside</p><p>+ 2 years of care for $4</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Hotline: Mo–Fr 9–17 Uhr</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>运费 $5</p><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<dt>You save:</dt><dd>$5.00</dd><p>$10.00</p>").0, "10.00");
        assert_eq!(of("<p>Discount 10%</p><p>$10.00 <s>$12.00</s></p>").0, "10.00");
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

    #[test]
    fn a_higher_price_that_a_share_leads_down_from_is_that_before() {
        let both = ("10.00".to_owned(), Some("20.00".to_owned()));
        for html in [
            "<p>$10.00</p><p>-50%</p><p>$20.00</p>",
            "<p>$10.00</p><p>$20.00</p><p>%50 İndirim</p>",
            "<p><b>$10.00</b> <i>$20.00</i> <u>50 % off</u></p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
        for html in
            ["<p>$10.00</p><p>-20%</p><p>$20.00</p>", "<p>$10.00</p><p>$20.00</p>", "<p>$10.00</p><p>100% wool</p>"]
        {
            assert_eq!(of(html).1, None, "{html}");
        }
    }

    #[test]
    fn deposits_and_counts_of_reviews_are_no_prices() {
        assert_eq!(of("<p>1 l ($1.89 / l), zzgl. $0.15 Pfand</p><p>$1.89</p>").0, "1.89");
        assert_eq!(of("<p>+ $0.15 deposit</p><p>$1.89</p>").0, "1.89");
        assert_eq!(of("<p>1,2k</p><p>Đánh Giá</p><p>3,4k</p><p>$10.00</p>").0, "10.00");
    }

    #[test]
    fn amounts_from_which_carriage_is_free_are_no_prices() {
        for html in [
            "<p>Ab €50 versandkostenfrei</p><p>$10.00</p>",
            "<p>Noch $30.10 bis zum Gratisversand</p><p>$10.00</p>",
            "<p>Darmowa dostawa od $99</p><p>$10.00</p>",
            "<p>Normaler Preis</p><p>$10.00</p><p>Ab $75 versandkostenfrei.</p>",
            "<p>Earn 20 points worth $0.20</p><p>$10.00</p>",
            "<p>Part 8ZK004</p><p>Model 12AUD3</p><p>$10.00</p>",
        ] {
            assert_eq!(of(html).0, "10.00", "{html}");
        }
        for html in
            ["<p>$10.00 free shipping</p><p>$7.00</p>", "<p>Neu ab $10.00 + kostenloser Versand</p><p>$7.00</p>"]
        {
            assert_eq!(of(html).0, "10.00", "{html}");
        }
    }

    #[test]
    fn of_two_prices_in_one_row_the_one_with_the_tax_is_paid() {
        for html in [
            "<p>$8.26 netto / $10.00 brutto</p>",
            "<p>€ 8.26 excl. btw € 10.00 incl. btw</p>",
            "<p>$8.26 HT</p><p>$10.00 TTC</p>",
            "<p>$9.09 ex GST</p><p>$10.00 inc GST</p>",
            "<p>$9.09（税抜） $10.00（税込）</p>",
        ] {
            assert_eq!(of(html), ("10.00".to_owned(), None), "{html}");
        }
    }

    #[test]
    fn a_price_that_is_told_who_asks_is_none() {
        let doc = Doc::parse("<h1>Orgel</h1><p>Preis auf Anfrage</p><p>Bank</p><p>$480</p>", &TreeLimits::default());
        assert_eq!(prices(&RecordView::new(&Page::new(&doc)), None), None);
    }

    #[test]
    fn labels_of_both_prices_may_stand_in_one_row() {
        let both = ("10.00".to_owned(), Some("20.00".to_owned()));
        for html in [
            "<p class=price><del>$20.00</del> <span class=sr-only>Original price was: $20.00.</span> <ins>$10.00</ins>
             <span class=sr-only>Current price is: $10.00.</span></p>",
            "<p><span class=sr-only>Previous price:</span>$20.00 <span class=sr-only>Discounted price</span>$10.00</p>",
            "<p>$10.00 (was $20.00)</p>",
            "<p>$10.00 | RRP $20.00</p>",
            "<p>Prezzo precedente $20.00</p><p>$10.00</p>",
            "<p><span style='text-decoration: line-through'>$20.00</span> $10.00</p>",
            "<p>$20.00 RRP</p><p>$10.00</p>",
            "<div class=product-price><p class=small>$20.00</p><p class=big>$10.00</p></div>",
            "<p>$20.00<i class=sr-only>Previous price</i> $10.00<i class=sr-only>Discounted price</i></p>",
            "<p>$10.00 statt $20.00 inkl. MwSt.</p>",
            "<p>de $20.00 por</p><p>$10.00 à vista</p>",
            "<p>De: $20.00</p><p>Por: $10.00</p>",
            "<p>$20.00 yerine $10.00</p>",
            "<p>M.R.P.: $20.00 Deal: $10.00</p>",
        ] {
            assert_eq!(of(html), both, "{html}");
        }
    }

    #[test]
    fn the_least_of_thirty_days_is_not_the_price() {
        for html in [
            "<p>Najniższa cena z 30 dni: $8.00</p><p>$10.00</p>",
            "<p>Niedrigster Preis der letzten 30 Tage vor der Aktion</p><p>$8.00</p><p>$10.00</p>",
            "<p>$8.00 lowest price in 30 days</p><p>$10.00</p>",
            "<p><b>Special</b><b>10,00 zł</b><i>Regular price</i><i>20,00 zł</i></p><p>Najniższa cena z 30 dni: 8,00 zł</p>",
        ] {
            assert_eq!(of(html).0, "10.00", "{html}");
        }
        assert_eq!(of("<p>Lowest price: $10.00</p>").0, "10.00");
    }

    #[test]
    fn unit_prices_and_instalments_are_not_the_price() {
        for html in [
            "<p>($1.20 / 100 g)</p><p>$10.00</p>",
            "<p>$1.20/kg</p><p>$10.00</p>",
            "<p>Cost to ship: $1.20</p><p>$10.00</p>",
            "<p>Grundpreis: $1.20</p><p>$10.00</p>",
            "<p>4 payments of $2.50</p><p>$10.00</p>",
            "<p>$2.50/month</p><p>$10.00</p>",
            "<p>em até 12x de $0.90</p><p>$10.00</p>",
            "<p>3 x $3.34</p><p>$10.00</p>",
            "<p>$3.34 × 3 months</p><p>$10.00</p>",
            "<p>Club price $9.00</p><p>$10.00</p>",
            "<p>$10.00 or $2.50 per month</p>",
            "<p>$10.00/ 2 pack</p><p>$17.00</p>",
        ] {
            assert_eq!(of(html).0, "10.00", "{html}");
        }
        assert_eq!(of("<p>$1.20/kg</p>").0, "1.20", "cloth and cheese are sold so");
    }

    #[test]
    fn a_number_without_a_sign_is_a_price_where_it_calls_itself_so_or_is_bought() {
        let read = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            prices(&RecordView::new(&Page::new(&doc)), Some("NOK"))
                .map(|found| (found.price.amount, found.price.currency.unwrap_or_default()))
        };
        let some = |amount: &str| Some((amount.to_owned(), "NOK".to_owned()));
        assert_eq!(read("<p class=product-price>1 299</p>"), some("1299"));
        assert_eq!(read("<p class=price>Now 1299.50 (-20%)</p>"), some("1299.50"));
        assert_eq!(read("<p>1 299</p><button>Add to cart</button>"), some("1299"));
        assert_eq!(read("<p>1 299:-</p>"), some("1299"));
        let tiers = "<tr><th>1 – 9</th><td>24,50 kr</td></tr><tr><th>10 +</th><td>22,90 kr</td></tr>";
        assert_eq!(read(&format!("<table class=prices>{tiers}</table>")), some("24.50"));
        assert_eq!(read("<p>12.50 each</p><button>Add to cart</button>"), some("12.50"));
        for html in
            ["<p>1 299</p>", "<p>1</p><button>Add to cart</button>", "<p>2.50 kg</p><button>Add to cart</button>"]
        {
            assert_eq!(read(html), None, "{html}");
        }
    }

    #[test]
    fn codes_ratings_and_counts_before_the_button_are_no_prices() {
        for other in [
            "EAN: 4006381333931",
            "UPC: 123456789012345",
            "Kód 48213",
            "Арт. 48213",
            "<span>Kód:</span> <span>48213</span>",
            "★★★★★ 1,204",
            "4.50",
            "4.9",
            "2021",
            "(1,204)",
            "4.9</p><p>1.2k sold",
            "<b>Model</b> <i>LB-2210</i>",
        ] {
            let html = format!("<h1>Lamp</h1><p>{other}</p><p>$10.00</p><button>Add to cart</button>");
            assert_eq!(of(&html).0, "10.00", "{other}");
            let html = format!("<h1>Lamp</h1><p>{other}</p><button>Add to cart $10.00</button>");
            assert_eq!(of(&html).0, "10.00", "{other}");
        }
        let bare = |row: &str| {
            let html = format!("<h1>Lamp</h1>{row}<button>Add to cart</button>");
            let doc = Doc::parse(&html, &TreeLimits::default());
            prices(&RecordView::new(&Page::new(&doc)), Some("CZK")).map(|found| found.price.amount)
        };
        for row in [
            "<p>4.9</p>",
            "<p>★★★★★ 1,204</p>",
            "<p>Kód 48213</p>",
            "<p>Model</p><p>2210</p>",
            "<p>LB-2210</p>",
            "<p>4006381333931</p>",
            "<p>(1 204)</p>",
            "<div class=price-box><p>SKU: 48213</p></div>",
            "<p>12 000 km</p>",
        ] {
            assert_eq!(bare(row), None, "{row}");
        }
        assert_eq!(bare("<p>48213</p><p class=price>490</p>").as_deref(), Some("490"));
        assert_eq!(bare("<p>1299</p><p>12 x 108 Kč</p>").as_deref(), Some("1299"), "several payments are no price");
        assert_eq!(bare("<p>59:90 /st</p>").as_deref(), Some("59.90"));
    }

    #[test]
    fn numbers_of_the_heading_are_no_prices() {
        for heading in
            ["Dress size 38.50", "Heft A5, 48 Seiten", "Aktenordner A4, 10 Stück", "Preisschild 12.50", "911"]
        {
            let html = format!("<h1>{heading}</h1><p>$10.00</p><button>Add to cart</button>");
            assert_eq!(of(&html).0, "10.00", "{heading}");
        }
        assert_eq!(of("<h1>Lamp $10.00</h1><button>Add to cart</button>").0, "10.00");
    }

    #[test]
    fn what_a_row_says_of_its_own_number_is_said_of_no_amount_below() {
        for row in [
            "Earn 39 points",
            "Free delivery",
            "Discount applied",
            "Livraison rapide",
            "Versand: kostenlos",
            "Versandkostenfrei",
            "Spare 5",
            "Livraison gratuite",
        ] {
            assert_eq!(of(&format!("<h1>Lamp</h1><p>{row}</p><p>$10.00</p>")).0, "10.00", "{row}");
        }
        let lowest = "<p><i>39,99 €</i> <i>Niedrigster Preis der letzten 30 Tage: 44,99 €</i> <i>UVP 59,99 €</i></p>";
        assert_eq!(of(&format!("<h1>Hemd</h1>{lowest}")), ("39.99".into(), Some("59.99".into())));
    }

    #[test]
    fn what_others_pay_in_part_or_beside_is_not_the_price() {
        for other in [
            "As low as $5.00 with Affirm",
            "12 pagos de $5.00",
            "12 rat po $5.00",
            "12 платежів по $5.00",
            "12 rater á $5.00",
            "12개월 무이자 $5.00",
            "3 Raten zu $5.00",
            "Student price $5.00",
            "Students: $5.00",
            "Mit Kundenkarte $5.00",
            "Prix carte fidélité : $5.00",
            "Členská cena $5.00",
            "Üyelere özel $5.00",
            "Harga member $5.00",
            "Rent for $5.00/day",
            "$5.00 / Tag",
            "$5.00 per night",
            "Miete: $5.00 pro Woche",
            "dont $5.00 d’éco-participation",
            "Occasion dès $5.00",
            "משלוח $5.00",
            "ค่าส่ง $5.00",
            "الشحن $5.00",
            "Altgeräte-Mitnahme $5.00",
            "Booking fee $5.00",
            "Service fee: $5.00",
            "$5.00 booking fee",
            "Kaution: $5.00",
            "Pickup fee $5.00",
            "Leihgebühr $5.00",
            "$5.00 shipping",
            "zzgl. $5.00 Versand",
            "12回払い $5.00",
        ] {
            let html = format!("<h1>Pot</h1><p>{other}</p><p>$10.00</p>");
            assert_eq!(of(&html).0, "10.00", "{other}");
        }
        for price in [
            "Non-members: $10.00",
            "Set of 12 $10.00",
            "Price incl. booking fee: $10.00",
            "Coffee $10.00",
            "Student desk $10.00",
        ] {
            assert_eq!(of(&format!("<h1>Pot</h1><p>{price}</p><p>$15.00</p>")).0, "10.00", "{price}");
        }
        assert_eq!(of("<h1>Pot</h1><p>Members: $5.00</p><p>Non-members: $10.00</p>").0, "10.00");
        assert_eq!(of("<h1>Room</h1><p>$10.00 per night</p>").0, "10.00", "it is sold so");
    }

    #[test]
    fn ranges_and_three_decimals_are_read_by_the_page() {
        let doc = Doc::parse("<p>$10.00 - $20.00</p>", &TreeLimits::default());
        let found = prices(&RecordView::new(&Page::new(&doc)), None).unwrap();
        assert_eq!((found.price.amount.as_str(), found.most.unwrap().amount.as_str()), ("10.00", "20.00"));
        let excl = "<p>£3.350 <small>per pack, ex. VAT</small> · <span>£4.02</span> <small>inc. VAT</small></p>";
        assert_eq!(of(excl).0, "4.02");
        assert_eq!(of("<p>£3.350</p><p>£4.02</p>").0, "3.350");
        assert_eq!(of("<p>£3.350</p><p>£4,02</p>").0, "3350");
    }
}
