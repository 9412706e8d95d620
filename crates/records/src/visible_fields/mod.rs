//! What a page shows of stock, brand, numbers, categories, images and rating, for pages that declare nothing of it.

mod brand;
mod breadcrumb;
mod number;
mod rating;

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Row, attribute_words};
use gristmill_text::lower_letters;

pub(crate) use brand::{brand, is_name};
pub(crate) use breadcrumb::{above, breadcrumb};
pub(crate) use number::number;
pub(crate) use rating::rating;

use crate::features::is_buy;
use crate::heading::heading;
use crate::price::has_price;
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

/// What each element of a row of several says, empty ones left out: labels and values have elements of their own.
fn texts_of_leaves<'v>(view: &'v RecordView, row: &Row) -> Vec<&'v str> {
    let own = &view.leaves[leaves(std::slice::from_ref(row))];
    let texts = own.iter().map(|leaf| view.text[leaf.start as usize..leaf.end as usize].trim());
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    if texts.len() > 1 { texts } else { Vec::new() }
}

/// Whether there is stock: a short row that says so, or a button that sells.
///
/// Themes write a badge for each state and show one by its style, pages say of one size that it is sold out, and further down of another
/// product: none of these counts against a button that can be pressed.
pub(crate) fn availability(view: &RecordView) -> Option<SourcedValue> {
    const ROWS_BEHIND: usize = 3;
    let near = rows(view, ROWS_BEFORE, ROWS_AFTER).iter();
    let rows: Vec<(&Row, &str)> = near.map(|row| (row, view.slice(view.row_span(row)))).collect();
    let short = || rows.iter().enumerate().filter(|(_, (_, text))| text.len() <= MAX_STOCK);
    let button = short().find(|(_, (row, text))| is_buy(text) && !is_disabled(view, row)).map(|(at, _)| at);
    let is_own = |at: usize, row: &Row, text: &str, kind: &str| {
        button.is_none_or(|button| {
            let is_against = kind == "OutOfStock";
            !is_badge(view, row)
                && !(is_against && (at > button + ROWS_BEHIND || stock::said_of_variant(text).is_some()))
        })
    };
    // `Plus que 12 € pour la livraison gratuite` counts money and not what is left.
    let said = |text: &str| stock::said(text).filter(|&kind| kind != "InStock" || !has_price(text));
    let said = short().find_map(|(at, (row, text))| said(text).filter(|kind| is_own(at, row, text, kind)));
    let (kind, source) = said.map(|kind| (kind, "text")).or(button.map(|_| ("InStock", "button")))?;
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

/// Images whose text is the product's name, or a part of it; else the one that stands where pages show their product.
pub(crate) fn images(view: &RecordView, title: Option<&str>) -> Option<SourcedValue<Vec<String>>> {
    let doc = view.doc;
    let plain = |text: &str| lower_letters(text).collect::<String>();
    let title = plain(title?);
    let is_named = |id: &NodeId| {
        let text = plain(doc.attr(*id, LocalName::ALT).unwrap_or_default());
        text.len() > 3 && (title.contains(&text) || text.contains(&title))
    };
    let pictures = || doc.ids().filter(|&id| doc.name(id) == LocalName::IMG).filter(|&id| !is_ornament(doc, id));
    let mut found: Vec<String> = Vec::new();
    for address in pictures().filter(is_named).filter_map(|id| address(doc, id)) {
        if !found.contains(&address) {
            found.push(address);
        }
        if found.len() == MAX_IMAGES {
            break;
        }
    }
    if found.is_empty() {
        let range = leaves(rows(view, ROWS_BEFORE_IMAGE, ROWS_BEFORE_IMAGE + ROWS_AFTER_IMAGE));
        let is_near = |id: &NodeId| (range.start..=range.end).contains(&view.leaves_before(id.index()));
        let mut near = pictures().filter(is_near).filter(|&id| !leads_away(doc, id));
        found.extend(near.find_map(|id| address(doc, id)));
    }
    (!found.is_empty()).then(|| SourcedValue::new(found, "text", UNSURE))
}

/// Rows before the heading and behind it between which the picture of the product stands.
const ROWS_BEFORE_IMAGE: usize = 4;
const ROWS_AFTER_IMAGE: usize = 12;

/// Whether a picture is a part of the site's frame, or too small for a product.
fn is_ornament(doc: &Doc, id: NodeId) -> bool {
    const SMALL: u32 = 100;
    const MAX_AROUND: usize = 12;
    const WORDS: [&str; 8] = ["logo", "icon", "sprite", "pixel", "flag", "avatar", "payment", "spacer"];
    const FRAME: [LocalName; 4] = [LocalName::NAV, LocalName::FOOTER, LocalName::ASIDE, LocalName::BUTTON];
    let address = address(doc, id).unwrap_or_default().to_lowercase();
    let file = address.rsplit('/').next().unwrap_or_default();
    let is_small = [LocalName::WIDTH, LocalName::HEIGHT].iter().any(|&side| {
        doc.attr(id, side).and_then(|value| value.trim_end_matches("px").parse::<u32>().ok()).is_some_and(|n| n < SMALL)
    });
    file.ends_with(".svg")
        || WORDS.iter().any(|word| file.contains(word))
        || is_small
        || attribute_words::is_named(doc, id, &WORDS)
        || doc
            .ancestors(id)
            .take(MAX_AROUND)
            .any(|id| FRAME.contains(&doc.name(id)) || attribute_words::is_named(doc, id, &["logo"]))
}

/// Whether a picture is a link to another page: that of another product, or of a brand. A link to a larger picture is none.
fn leads_away(doc: &Doc, id: NodeId) -> bool {
    const MAX_AROUND: usize = 4;
    const PICTURES: [&str; 6] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"];
    let link = doc.ancestors(id).take(MAX_AROUND).find(|&id| doc.name(id) == LocalName::A);
    let address = link.and_then(|id| doc.attr(id, LocalName::HREF)).map(|href| href.trim().to_lowercase());
    address.is_some_and(|href| {
        let is_here = href.is_empty() || href.starts_with('#') || href.starts_with("javascript:");
        !is_here && !PICTURES.iter().any(|end| href.contains(end))
    })
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
        let sizes = "<h1>Shirt</h1><ul><li>S</li><li>M – sold out</li></ul>";
        let button = "<button>Add to cart</button>";
        assert_eq!(stock(&format!("{sizes}{button}")).as_deref(), Some("InStock"));
        assert_eq!(stock(sizes).as_deref(), Some("OutOfStock"));
        let carriage = "<h1>Lampe</h1><p>Plus que €12 pour la livraison gratuite</p><p>Rupture de stock</p>";
        assert_eq!(stock(&format!("{carriage}{button}")).as_deref(), Some("OutOfStock"));
        let other = "<h2>Also nice</h2><p>Cap</p><p>$8</p><p>Blue</p><p>Sold out</p>";
        assert_eq!(stock(&format!("<h1>Shirt</h1>{button}{other}")).as_deref(), Some("InStock"));
        assert_eq!(
            stock(&format!("<h1>Shirt</h1><p>Availability: sold out</p>{button}")).as_deref(),
            Some("OutOfStock")
        );
    }

    #[test]
    fn images_named_like_the_product_are_its_own() {
        let html =
            "<img alt='Lamp Nova' src=a.jpg><img alt='Lamp Nova' src=data:x data-src=b.jpg><img alt=Cart src=c.jpg>";
        let found = of(html, |view| images(view, Some("Lamp Nova 30")).map(|known| known.value));
        assert_eq!(found, Some(vec!["a.jpg".to_owned(), "b.jpg".to_owned()]));
        let one = |html: &str| of(html, |view| images(view, Some("Lamp Nova 30")).map(|known| known.value.join(" ")));
        let frame = "<header><img src=logo.png></header><nav><img src=menu.jpg></nav>";
        let page = format!("{frame}<div><img src=/p/1.jpg alt=''></div><h1>Lamp Nova 30</h1><p>$9</p>");
        assert_eq!(one(&page).as_deref(), Some("/p/1.jpg"));
        assert_eq!(one(&format!("{frame}<h1>Lamp Nova 30</h1><p>$9</p><a href=/p/2><img src=2.jpg></a>")), None);
    }
}
