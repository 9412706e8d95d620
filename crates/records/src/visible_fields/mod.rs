//! What a page shows of stock, brand, numbers, categories, images and rating, for pages that declare nothing of it.

mod brand;
mod breadcrumb;
mod number;
mod rating;

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Row, attribute_words};

pub(crate) use brand::brand;
pub(crate) use breadcrumb::{above, breadcrumb};
pub(crate) use number::number;
pub(crate) use rating::rating;

use crate::features::is_buy;
use crate::heading::heading;
use crate::sourced::SourcedValue;
use crate::stock;
use crate::view::RecordView;

/// Rows behind the heading, and before it, in which the fields of the product stand.
const ROWS_AFTER: usize = 60;
const ROWS_BEFORE: usize = 5;
/// Longest row that says whether there is stock.
const MAX_STOCK: usize = 60;
const MAX_IMAGES: usize = 10;
/// Attributes that hold the address of an image until a script has run.
const LAZY: [&str; 3] = ["data-src", "data-original", "data-lazy-src"];
/// How often what is seen is what is declared, on development pages that do both (`gristmill-lab eval --records --fields`).
const SURE: f32 = 0.7;
const UNSURE: f32 = 0.5;

/// The number of the heading's row, 0 where there is none.
fn heading_row(view: &RecordView) -> usize {
    heading(view).map_or(0, |id| {
        let leaf = view.leaves_before(id.index()).min(view.leaves.len().saturating_sub(1));
        view.leaves.get(leaf).map_or(0, |leaf| leaf.row as usize)
    })
}

/// The rows around the heading.
fn rows<'v>(view: &'v RecordView, before: usize, all: usize) -> &'v [Row] {
    let from = heading_row(view).saturating_sub(before).min(view.rows.len());
    &view.rows[from..view.rows.len().min(from + all)]
}

/// The leaves of some rows that follow one another.
fn leaves(rows: &[Row]) -> Range<usize> {
    let ends = rows.first().zip(rows.last());
    ends.map_or(0..0, |(first, last)| first.first_leaf as usize..last.end_leaf as usize)
}

/// Whether there is stock: a short row that says so, or a button that sells. Themes write a badge for each state and show one by its
/// style, so what a badge says does not count against a button that can be pressed.
pub(crate) fn availability(view: &RecordView) -> Option<SourcedValue> {
    let near = rows(view, ROWS_BEFORE, ROWS_AFTER).iter();
    let rows: Vec<(&Row, &str)> = near.map(|row| (row, view.slice(view.row_span(row)))).collect();
    let short = || rows.iter().filter(|(_, text)| text.len() <= MAX_STOCK);
    let can_buy = short().any(|(row, text)| is_buy(text) && !is_disabled(view, row));
    let said = short().filter(|(row, _)| !can_buy || !is_badge(view, row)).find_map(|(_, text)| stock::said(text));
    let (kind, source) = said.map(|kind| (kind, "text")).or(can_buy.then_some(("InStock", "button")))?;
    Some(SourcedValue::new(kind.to_owned(), source, if source == "text" { SURE } else { UNSURE }))
}

/// Elements around the words of a button or a badge.
const MAX_AROUND: usize = 4;

/// Whether a row is a button that cannot be pressed.
fn is_disabled(view: &RecordView, row: &Row) -> bool {
    let doc = view.doc;
    let disabled = doc.find_name("disabled");
    let around = std::iter::once(row.block).chain(doc.ancestors(row.block)).take(MAX_AROUND);
    let mut buttons = around.filter(|&id| doc.name(id) == LocalName::BUTTON);
    disabled.is_some_and(|disabled| buttons.any(|id| doc.attr(id, disabled).is_some()))
}

/// Whether what a row says of stock stands in a badge.
fn is_badge(view: &RecordView, row: &Row) -> bool {
    let doc = view.doc;
    let leaves = &view.leaves[row.first_leaf as usize..row.end_leaf as usize];
    let badge = |id: NodeId| attribute_words::is_named(doc, id, &["badge", "badges"]);
    leaves.iter().map(|leaf| doc.id(leaf.node.index())).any(|leaf| {
        let mut around = doc.ancestors(leaf).take(MAX_AROUND);
        stock::said(doc.text(leaf)).is_some() && around.any(badge)
    })
}

/// Images whose text is the product's name, or a part of it.
pub(crate) fn images(view: &RecordView, title: Option<&str>) -> Option<SourcedValue<Vec<String>>> {
    let doc = view.doc;
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let title = plain(title?);
    let is_own = |id: &NodeId| {
        let text = plain(doc.attr(*id, LocalName::ALT).unwrap_or_default());
        text.len() > 3 && (title.contains(&text) || text.contains(&title))
    };
    let mut found: Vec<String> = Vec::new();
    for id in doc.ids().filter(|&id| doc.name(id) == LocalName::IMG).filter(is_own) {
        if let Some(address) = address(doc, id).filter(|address| !found.contains(address)) {
            found.push(address);
        }
        if found.len() == MAX_IMAGES {
            break;
        }
    }
    (!found.is_empty()).then(|| SourcedValue::new(found, "text", UNSURE))
}

/// Where an image is, not what stands for it until a script has run.
fn address(doc: &Doc, id: NodeId) -> Option<String> {
    let lazy = LAZY.iter().find_map(|name| doc.attr(id, doc.find_name(name)?));
    let value = lazy.or_else(|| doc.attr(id, LocalName::SRC))?.trim();
    (!value.is_empty() && !value.starts_with("data:")).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;
    use gristmill_page::Page;

    use super::*;

    pub(super) fn of<T>(html: &str, read: impl Fn(&RecordView) -> T) -> T {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        read(&RecordView::new(&page))
    }

    #[test]
    fn stock_is_what_a_short_row_near_the_heading_says() {
        let stock = |html: &str| of(html, |view| availability(view).map(|known| known.value));
        assert_eq!(stock("<h1>Lamp</h1><p>In stock</p>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lampe</h1><p>Nicht auf Lager</p>").as_deref(), Some("OutOfStock"));
        assert_eq!(stock("<h1>灯</h1><p>现货</p>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lamp</h1><button>Add to cart</button>").as_deref(), Some("InStock"));
        assert_eq!(stock("<h1>Lamp</h1><p>A lamp.</p>"), None);
        assert_eq!(stock("<h1>Lamp</h1><button disabled>Add to cart</button>"), None);
        let badges = "<h1>Lamp</h1><p>$9 <b class='badge on-sale'>Sale</b><b class='badge sold-out'>Sold out</b></p>";
        assert_eq!(stock(&format!("{badges}<button>Add to cart</button>")).as_deref(), Some("InStock"));
        let sold = format!("{badges}<button disabled>Add to cart</button>");
        assert_eq!(stock(&sold).as_deref(), Some("OutOfStock"));
    }

    #[test]
    fn images_named_like_the_product_are_its_own() {
        let html =
            "<img alt='Lamp Nova' src=a.jpg><img alt='Lamp Nova' src=data:x data-src=b.jpg><img alt=Cart src=c.jpg>";
        let found = of(html, |view| images(view, Some("Lamp Nova 30")).map(|known| known.value));
        assert_eq!(found, Some(vec!["a.jpg".to_owned(), "b.jpg".to_owned()]));
    }
}
