//! The rows of a page that may tell of its own product: those from the heading to other products.

use std::collections::{HashMap, HashSet};

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;
use gristmill_text::n_chars;

use crate::amount_words::{MAX_LABEL_CHARS, has, is_only};
use crate::buttons::seller_buttons;
use crate::features::is_buy;
use crate::heading::heading;
use crate::price::has_price;
use crate::price_words::OTHERS;
use crate::stock;
use crate::view::RecordView;

/// Rows after the heading that are looked at, and the longest heading of other products in characters.
pub(crate) const MAX_ROWS: usize = 400;
const MAX_HEADING: usize = 60;

/// Which row is the heading, or the first one.
pub(crate) fn first_row(view: &RecordView) -> usize {
    let heading = heading(view).map_or(0, |id| view.leaves_before(id.index()));
    row_of(view, heading)
}

/// The row of a leaf.
fn row_of(view: &RecordView, leaf: usize) -> usize {
    view.leaves.get(leaf).map_or(0, |leaf| leaf.row as usize).min(view.rows.len())
}

/// The rows after the heading, up to those of other products.
pub(crate) fn rows<'v>(view: &'v RecordView) -> &'v [Row] {
    let (from, to) = *view.own_rows.get_or_init(|| {
        let from = first_row(view);
        let rows = &view.rows[from..view.rows.len().min(from + MAX_ROWS)];
        let end = first_of_others(view, rows).unwrap_or(rows.len());
        (from, from + first_card(view, &rows[..end]).unwrap_or(end))
    });
    &view.rows[from..to]
}

/// Which row is the heading of other products.
fn first_of_others(view: &RecordView, rows: &[Row]) -> Option<usize> {
    let mut is_gone = false;
    let begins_others = |row: &Row| {
        is_gone |= is_sold_out(view, row);
        is_of_others(view, row, is_gone)
    };
    rows.iter().skip(1).position(begins_others).map(|at| at + 1)
}

/// Whether a row is the heading of other products: `Recently viewed`. Behind the words that a thing is sold out no price of its own follows,
/// and any row may be one.
fn is_of_others(view: &RecordView, row: &Row, is_gone: bool) -> bool {
    let text = view.slice(view.row_span(row));
    let names = |text: &str| if row.in_heading { has(&OTHERS, text) } else { is_only(&OTHERS, text) };
    (row.in_heading || is_gone && !row.is_link()) && n_chars(text) <= MAX_HEADING && names(&text.to_lowercase())
}

/// Whether a short row says that a thing is sold out or not yet sold, in place of the button that sells it.
pub(crate) fn is_sold_out(view: &RecordView, row: &Row) -> bool {
    let text = view.slice(view.row_span(row));
    n_chars(text) <= MAX_LABEL_CHARS && matches!(stock::said(text), Some("OutOfStock" | "PreOrder" | "BackOrder"))
}

/// The first row behind a button of the page's own that is in a card of another product: one of some siblings of a name, each with a button
/// that sells, a link, a price, and few rows.
fn first_card(view: &RecordView, rows: &[Row]) -> Option<usize> {
    let first = |row: &Row| view.leaves[row.first_leaf as usize].node;
    let (from, to) = (first(rows.first()?), first(rows.last()?));
    let sellers = rows.iter().filter(|row| is_buy(view.slice(view.row_span(row)))).map(first);
    let mut buttons: Vec<NodeId> = sellers.chain(seller_buttons(view).filter(|id| (from..=to).contains(id))).collect();
    buttons.sort_unstable();
    let cards = cards(view, &buttons);
    let card = |&button: &NodeId| view.doc.ancestors(button).find(|around| cards.contains(around));
    let first_own = buttons.iter().position(|button| card(button).is_none())?;
    let card = buttons[first_own..].iter().find_map(card)?;
    let row = row_of(view, view.leaves_before(card.index()));
    row.checked_sub(row_of(view, rows.first()?.first_leaf as usize))
}

/// The cards that some buttons stand in.
fn cards(view: &RecordView, buttons: &[NodeId]) -> HashSet<NodeId> {
    const LEAST: usize = 3;
    const MOST_ROWS: usize = 12;
    const MOST_AROUND: usize = 8;
    let is_small = |id: &NodeId| {
        let (from, to) = view.leaf_range(id.index());
        view.n_rows(from, to) <= MOST_ROWS
    };
    let mut siblings: HashMap<(Option<NodeId>, LocalName), Vec<NodeId>> = HashMap::new();
    for &button in buttons {
        for id in view.doc.ancestors(button).take(MOST_AROUND).take_while(is_small) {
            let group = siblings.entry((view.doc.parent(id), view.doc.name(id))).or_default();
            if group.last() != Some(&id) {
                group.push(id);
            }
        }
    }
    let is_priced = |id: &NodeId| {
        let (from, to) = view.leaf_range(id.index());
        has_price(view.slice(view.span(from, to)))
            || (from..to).any(|leaf| has_price(view.slice(view.span(leaf, leaf + 1))))
    };
    let is_card = |id: &NodeId| view.n_links(id.index()) > 0 && is_priced(id);
    let groups = siblings.into_values().filter(|group| group.len() >= LEAST && group.iter().all(is_card));
    groups.flatten().collect()
}
