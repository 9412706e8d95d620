//! Whether a page offers one thing: a price and a button that sells it, below its heading, or a button that asks for the price.

use gristmill_html::NodeId;
use gristmill_page::Row;

use crate::amount_words::AmountKind;
use crate::buttons::seller_buttons;
use crate::features::{asks_price, is_buy, is_inquiry};
use crate::heading::heading;
use crate::own_rows::{MAX_ROWS, first_row, is_sold_out, rows};
use crate::view::RecordView;
use crate::visible_prices::{ROWS_TO_OFFER, amounts};

/// Most buttons that sell on such a page: a copy of its own sticks to the edge of the window.
const MAX_BUTTONS: usize = 2;

/// Whether one thing is offered below the heading: a price near it, and a button that sells behind that, or, where the page describes the
/// thing, one to ask its seller; data sheets have one to ask for the price in its place. Pages of many things have many.
pub(crate) fn is_offered(view: &RecordView, currency: Option<&str>, is_described: bool) -> bool {
    let Some(heading) = heading(view) else { return false };
    if view.slice(view.span_of(heading.index())).trim().is_empty() {
        return false;
    }
    let invites = |text: &str| is_buy(text) || is_described && is_inquiry(text);
    let sells = |row: &&Row| invites(view.slice(view.row_span(row)));
    let rows = rows(view);
    // Cards of other products below have buttons of their own.
    let own = if rows.len() < MAX_ROWS { &view.rows[..first_row(view) + rows.len()] } else { &view.rows[..] };
    let is_own = |&id: &NodeId| {
        id > heading && view.leaves_before(id.index()) <= own.last().map_or(0, |row| row.end_leaf as usize)
    };
    let n_silent = seller_buttons(view).filter(is_own).take(MAX_BUTTONS + 1).count();
    let n_sold_out = || own.iter().filter(|row| is_sold_out(view, row)).take(MAX_BUTTONS + 1).count();
    let n_buttons = n_silent + own.iter().filter(sells).take(MAX_BUTTONS + 1).count();
    let n_buttons = if n_buttons > 0 { n_buttons } else { n_sold_out() };
    let price = || {
        let is_price = |kind: AmountKind| !matches!(kind, AmountKind::Lowest | AmountKind::Other);
        amounts(view, currency).find(|(_, kind, _)| is_price(*kind)).map(|(row, _, _)| row)
    };
    let behind = |row: usize| rows.iter().skip(row).take(ROWS_TO_OFFER);
    // The heading of a card leads to its page.
    let is_card = |row: usize| rows.iter().take(row).skip(1).any(|row| row.in_heading && row.is_link());
    let is_sold_out = || rows.iter().take(ROWS_TO_OFFER).any(|row| is_sold_out(view, row));
    let is_sold = |row: usize| n_silent > 0 || behind(row).any(|row| sells(&row)) || is_sold_out();
    let is_asked = || is_described && own.iter().any(|row| asks_price(view.slice(view.row_span(row))));
    (1..=MAX_BUTTONS).contains(&n_buttons)
        && price().map_or_else(is_asked, |row| row <= ROWS_TO_OFFER && !is_card(row) && is_sold(row))
        && !are_plans(view, currency)
}

/// Whether the first heading below that of the page and another of its rank have each a price close behind, and no price stands before
/// them: the plans of a service.
fn are_plans(view: &RecordView, currency: Option<&str>) -> bool {
    const NEAR: usize = 3;
    const MOST: usize = 20;
    let prices: Vec<usize> = amounts(view, currency).map(|(row, _, _)| row).take(MOST).collect();
    let mut heads = rows(view).iter().enumerate().skip(1).filter(|(_, row)| row.in_heading && !row.is_link());
    let is_priced = |at: usize| prices.iter().any(|&price| (at + 1..=at + NEAR).contains(&price));
    let Some((first, head)) = heads.next() else { return false };
    let rank = view.doc.name(head.block);
    let is_first = prices.first().is_some_and(|&price| price > first) && is_priced(first);
    is_first && heads.any(|(at, row)| view.doc.name(row.block) == rank && is_priced(at))
}

/// Whether what stands first below the heading are the cards of many things, each with its price and a button that sells. Shops mark such a
/// page as a product with the range of their prices.
pub(crate) fn is_of_cards(view: &RecordView, currency: Option<&str>) -> bool {
    const LEAST: usize = 4;
    let rows = rows(view);
    let prices: Vec<usize> = amounts(view, currency).map(|(row, _, _)| row).take(LEAST).collect();
    let is_headed = |row: &&Row| row.in_heading && row.link_chars > 0;
    let leads = |from: usize, to: usize| rows.iter().take(to).skip(from).any(|row| is_headed(&row));
    let mut from = 1;
    let are_cards = prices.iter().all(|&row| leads(std::mem::replace(&mut from, row), row));
    let n_buttons = view.rows.iter().filter(|row| is_buy(view.slice(view.row_span(row)))).take(LEAST).count();
    heading(view).is_some() && prices.len() == LEAST && are_cards && n_buttons == LEAST
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use super::*;

    #[test]
    fn cards_with_prices_and_buttons_below_the_heading_are_many_things() {
        let is_of_cards = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            is_of_cards(&RecordView::new(&Page::new(&doc)), None)
        };
        let card = "<li><a href=/pot><h3>Pot</h3></a><p>$38</p><button>Add to cart</button></li>";
        assert!(is_of_cards(&format!("<h1>Pots</h1><ul>{}</ul>", card.repeat(4))));
        assert!(!is_of_cards(&format!("<h1>Pots</h1><ul>{}</ul>", card.repeat(2))));
        let own = "<p>$12</p><button>Add to cart</button><h2>More pots</h2>";
        assert!(!is_of_cards(&format!("<h1>Pot</h1>{own}<ul>{}</ul>", card.repeat(4))));
    }

    #[test]
    fn a_thing_that_is_described_is_offered_by_a_button_that_asks_for_its_price() {
        let offered = |html: &str, is_described: bool| {
            let doc = Doc::parse(html, &TreeLimits::default());
            is_offered(&RecordView::new(&Page::new(&doc)), None, is_described)
        };
        for button in ["Request a quote", "Angebot anfordern", "在线询价"] {
            let page = format!("<h1>Bearing 6205</h1><p>Width: 15 mm</p><a href=/rfq>{button}</a>");
            assert!(offered(&page, true) && !offered(&page, false), "{button}");
        }
        assert!(!offered("<h1>Bearing 6205</h1><p>Width: 15 mm</p><a href=/c>Contact seller</a>", true));
    }

    #[test]
    fn one_thing_is_offered_by_a_price_and_a_button_below_its_heading() {
        let offered = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            is_offered(&RecordView::new(&Page::new(&doc)), None, false)
        };
        let button = "<button>Add to cart</button>";
        assert!(offered(&format!("<h1>Pot</h1><p>$38</p>{button}<p>Thrown by hand.")));
        assert!(offered("<h1>Pot</h1><p>$38</p><form><input type=submit value='Add to cart'></form>"));
        assert!(!offered("<h1>Pot</h1><p>$38</p>") && !offered(&format!("<h1>Pot</h1>{button}")));
        assert!(!offered(&format!("<p>$38</p>{button}")));
        let others = format!("<h2>You may also like</h2>{}", format!("<p>Pan $9</p>{button}").repeat(3));
        assert!(offered(&format!("<h1>Pot</h1><p>$38</p>{button}{others}")));
        assert!(!offered(&format!("<h1>Pots</h1><a href=/pot><h3>Pot</h3></a><p>$38</p>{button}")));
        assert!(offered("<h1>Pot</h1><p>$38</p><button>Añadir</button><p>Añadir a favoritos"));
        let plan = |name: &str, price: &str| format!("<div><h3>{name}</h3><p>{price}</p><p>per month</p></div>");
        assert!(!offered(&format!("<h1>Plans</h1>{}{}{button}", plan("Free", "$0"), plan("Pro", "$12"))));
        assert!(offered(&format!("<h1>Pot</h1><p>$38</p>{button}{}{}", plan("Lid", "$4"), plan("Bag", "$2"))));
        let many = format!("<h1>Pots</h1>{}", format!("<li><p>Pot $38</p>{button}</li>").repeat(3));
        assert!(!offered(&many));
    }
}
