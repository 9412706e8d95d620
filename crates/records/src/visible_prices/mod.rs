//! The prices that readers see on a page: what is paid now, and what was paid before.

#[cfg(test)]
mod tests;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Row, attribute_words};
use gristmill_text::{is_cjk, n_chars};

use crate::amount_words::{
    AmountKind, MAX_LABEL_CHARS, are_behind, has, is_before_alone, is_cart, is_gross, is_label, is_lowest,
    is_on_request, kind_of, own_words,
};
use crate::bare_number::{is_before_button, is_no_price};
use crate::heading::heading;
use crate::hours::names_hours;
use crate::own_rows::{first_row, rows};
use crate::price::{self, Amount, Price, PriceStyle};
use crate::price_classes::{calls, strikes};
use crate::price_row::{apart, is_within};
use crate::price_words::{LABEL, PRICE, REDUCED};
use crate::view::RecordView;

/// Longest row that is looked at, in characters, a Chinese one for two; prices stand alone or with a few words. Rows that call themselves a
/// price may have more of them.
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
                // `189,00 € / 369,65 лв.`
                let is_same = |(at, old): &(usize, Price)| *at == row && old.currency != amount.price.currency;
                before = before.filter(is_same).or(Some((row, amount.price)));
            }
            AmountKind::Part => part = part.or(Some((row, amount))),
            AmountKind::Lowest | AmountKind::Other => {}
        }
    }
    let before = before.map(|(_, price)| price);
    let is_called = |row: usize| is_called_price(view, &rows(view)[row]);
    if paid.as_ref().map_or(first.is_none(), |(row, _, _)| !is_called(*row))
        && let Some(amount) = right_above(view, habits)
    {
        return Some(Prices { price: amount.price, most: amount.most, list_price: None });
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
    let is_saved = |other: &&Price| is_saving(near, other, price);
    let higher = |kind: AmountKind| {
        let of_kind = near.iter().filter(move |(other, _)| *other == kind).map(|(_, amount)| &amount.price);
        of_kind.filter(|other| is_above(other, price))
    };
    let reduced = || higher(AmountKind::Paid).find(|other| is_reduction(shares, other, price));
    let saved = || higher(AmountKind::Paid).find(is_saved);
    higher(AmountKind::Beside).next().or_else(reduced).or_else(saved).cloned()
}

/// Whether the difference of two prices is an amount close by that is said to be something else, as a saving is.
fn is_saving(near: &[(AmountKind, Amount)], whole: &Price, price: &Price) -> bool {
    const CENT: f64 = 0.005;
    let off = whole.value() - price.value();
    let others = near.iter().filter(|(kind, _)| *kind == AmountKind::Other);
    off > 0.0 && others.into_iter().any(|(_, other)| (other.price.value() - off).abs() < CENT)
}

/// The last amount close above the heading: right above it, or in an element that is called a price. What is in the cart costs nothing.
fn above(view: &RecordView, habits: PriceStyle) -> Option<Amount> {
    const ROWS: usize = 12;
    const NEAR: usize = 2;
    heading(view)?;
    let end = first_row(view);
    let above = &view.rows[end.saturating_sub(ROWS)..end];
    let found = Amounts::of(view, above, habits).filter(|(row, kind, amount)| {
        let is_paid = matches!(kind, AmountKind::Paid | AmountKind::Reduced) && amount.price.value() > 0.0;
        is_paid && (row + NEAR >= above.len() || is_called_price(view, &above[*row]))
    });
    found.last().map(|(_, _, amount)| amount)
}

/// The amount in an element that is called a price right above the heading, as advertisements of houses have it: what stands below are
/// the costs of other things.
fn right_above(view: &RecordView, habits: PriceStyle) -> Option<Amount> {
    const ROWS: usize = 3;
    heading(view)?;
    let end = first_row(view);
    let above = &view.rows[end.saturating_sub(ROWS)..end];
    let mut found = Amounts::of(view, above, habits).filter(|(row, kind, amount)| {
        *kind == AmountKind::Paid && amount.price.value() > 0.0 && is_called_price(view, &above[*row])
    });
    found.next().filter(|_| found.next().is_none()).map(|(_, _, amount)| amount)
}

/// Whether an element close around the beginning of a row is called a price.
fn is_called_price(view: &RecordView, row: &Row) -> bool {
    is_within(view, view.row_span(row).start, |view, id| calls(view, id, &PRICE))
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
        let leads_to = |other: &Price| {
            other.currency == price.currency && (is_reduction(shares, price, other) || is_saving(near, price, other))
        };
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
        // `6205-2RS` is a name.
        let is_of_name = |amount: &Amount| {
            let before = text[..amount.place.start].strip_suffix('-');
            before.is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
        };
        let amounts = price::amounts(text, self.habits).filter(|amount| !is_of_name(amount));
        let amounts: Vec<Amount> = amounts.collect();
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
