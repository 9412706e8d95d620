//! The brand of a product, as its page shows it without a name beside it.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Row, attribute_words};

use super::{UNSURE, leaves, rows, texts_of_leaves};
use crate::dictionary::Dictionary;
use crate::heading::heading;
use crate::placeholder::is_placeholder;
use crate::price::has_price;
use crate::sourced::SourcedValue;
use crate::view::RecordView;

/// Rows before the heading, and all rows around it, in which the brand stands.
const ROWS_BEFORE: usize = 5;
const ROWS: usize = 25;
/// Longest brand in bytes.
const MAX_BRAND: usize = 50;
/// Elements around a brand that may be parts of the site and not of the product.
const MAX_AROUND: usize = 12;

/// What classes, identifiers and properties call a brand.
const BRAND: [&str; 9] =
    ["brand", "brandname", "manufacturer", "vendor", "marke", "marque", "marca", "hersteller", "fabricant"];
/// What they call parts of the site.
const OF_SITE: [&str; 8] = ["navbar", "nav", "header", "footer", "menu", "related", "recommendations", "filter"];

/// The first element near the heading that calls itself a brand and holds a short text, or a picture with one.
pub(crate) fn brand(view: &RecordView, title: Option<&str>) -> Option<SourcedValue> {
    let near = leaves(rows(view, ROWS_BEFORE, ROWS));
    let (doc, heading) = (view.doc, heading(view));
    let is_near = |id: &NodeId| doc.is_element(*id) && near.contains(&view.leaves_before(id.index()));
    let calls_itself = |id: &NodeId| {
        let is_property =
            doc.attr(*id, LocalName::ITEMPROP).is_some_and(|name| name == "brand" || name == "manufacturer");
        is_property || attribute_words::is_named(doc, *id, &BRAND)
    };
    let brands = doc.ids().filter(is_near).filter(calls_itself).filter(|&id| !is_of_site(view, id, heading));
    let is_other = |text: &String| title.is_none_or(|title| title.trim() != text);
    let by_class = brands.take(20).filter_map(|id| name(view, id)).find(is_other);
    let by_class = by_class.map(|value| SourcedValue::new(value, "class", UNSURE));
    by_class.or_else(|| Some(SourcedValue::new(labelled(view, heading).find(is_other)?, "text", UNSURE)))
}

/// What rows near the heading say behind a word for the brand and a colon, or in a link to the brand's pages.
fn labelled<'v>(view: &'v RecordView, heading: Option<NodeId>) -> impl Iterator<Item = String> + 'v {
    let dictionary = Dictionary::built_in();
    let near = rows(view, ROWS_BEFORE, ROWS);
    let rows = near.iter().enumerate().filter(move |(_, row)| !is_of_site(view, row.block, heading));
    let is_brand = move |label: &str| {
        label.len() <= MAX_BRAND && matches!(dictionary.canonical(label), Some("brand" | "manufacturer"))
    };
    rows.filter_map(move |(at, row)| {
        let text = view.slice(view.row_span(row));
        if let Some(name) = of_store(text) {
            return as_name(name);
        }
        let (label, value) = text.split_once([':', '：'])?;
        let next = || near.get(at + 1).map_or("", |row| view.slice(view.row_span(row)));
        let value = if value.trim().is_empty() && is_brand(label) { next() } else { value };
        let value = value.split(['·', '|', '•', ';', '；', '｜']).next().unwrap_or(value);
        let own = || (is_brand(label) && !value.contains([':', '：'])).then(|| as_name(value)).flatten();
        own().or_else(|| in_leaves(view, row, &is_brand))
    })
}

/// The name in one of several elements of a row, or in the one behind a label: `<i>Brand: <a>Acme</a></i> <i>SKU: N-30</i>`.
fn in_leaves(view: &RecordView, row: &Row, is_brand: impl Fn(&str) -> bool) -> Option<String> {
    let texts = texts_of_leaves(view, row);
    let said = |at: usize| {
        let (label, value) = texts[at].split_once([':', '：'])?;
        let value = if value.trim().is_empty() { texts.get(at + 1)? } else { value };
        is_brand(label).then(|| as_name(value)).flatten()
    };
    (0..texts.len()).find_map(said)
}

/// Whether an element belongs to a part of the site that has not the product's heading in it.
pub(super) fn is_of_site(view: &RecordView, id: NodeId, heading: Option<NodeId>) -> bool {
    let doc = view.doc;
    let holds =
        |id: &NodeId| heading.is_some_and(|heading| (id.index()..view.end(id.index())).contains(&heading.index()));
    let around = || std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND);
    // `product-header__brand` in `product-header`, where the heading stands, is of the product.
    let of_heading = around().find(|id| holds(id));
    let is_called = |word: &str| of_heading.is_some_and(|id| attribute_words::is_named(doc, id, &[word]));
    let of_site: Vec<&str> = OF_SITE.into_iter().filter(|word| !is_called(word)).collect();
    let without_header: Vec<&str> = of_site.iter().copied().filter(|word| *word != "header").collect();
    around().take_while(|id| !holds(id)).any(|id| {
        // The parts of `product-header` may stand beside the heading.
        let is_of_product = attribute_words::is_named(doc, id, &["product"]);
        matches!(doc.name(id), LocalName::NAV | LocalName::HEADER | LocalName::FOOTER | LocalName::SELECT)
            || attribute_words::is_named(doc, id, if is_of_product { &without_header } else { &of_site })
    })
}

/// What an element shows as a name: its text without a label, or that of its picture.
fn name(view: &RecordView, id: NodeId) -> Option<String> {
    let text = without_label(view, id);
    let alt = || view.doc.subtree(id).take(20).find_map(|id| view.doc.attr(id, LocalName::ALT));
    let text = if text.is_empty() { alt()? } else { text };
    as_name(text.rsplit([':', '：']).next().unwrap_or(text))
}

/// The text of an element without a word for the brand that stands in an element of its own before it: `<span>Brand</span><span>Acme</span>`.
fn without_label<'v>(view: &'v RecordView, id: NodeId) -> &'v str {
    let (first, end) = view.leaf_range(id.index());
    let label = view.slice(view.span(first, end.min(first + 1))).trim().trim_end_matches([':', '：']);
    let is_label = || matches!(Dictionary::built_in().canonical(label), Some("brand" | "manufacturer"));
    let from = if end - first > 1 && is_label() { first + 1 } else { first };
    view.slice(view.span(from, end))
}

/// Words around the name in links to the pages of a brand within a market place: `Visit the Acme Store`.
const STORE: [(&str, &str); 37] = [
    ("Visit the ", " Store"),
    ("Visit the ", " store"),
    ("Besuche den ", "-Store"),
    ("Besuchen Sie den ", "-Store"),
    ("Besuchen Sie den ", "-Shop"),
    ("Visiter la boutique ", ""),
    ("Visitez la boutique ", ""),
    ("Visita la tienda de ", ""),
    ("Visitar la tienda de ", ""),
    ("Visita lo Store di ", ""),
    ("Visita lo store di ", ""),
    ("Visita lo store ", ""),
    ("Visite a loja ", ""),
    ("Visita a loja ", ""),
    ("Visite a página de ", ""),
    ("Bezoek de ", "-Store"),
    ("Bezoek de ", "-store"),
    ("Bezoek de ", " Store"),
    ("Besök ", "-butiken"),
    ("Besøg ", "-butikken"),
    ("Besøk ", "-butikken"),
    ("Odwiedź sklep marki ", ""),
    ("Odwiedź sklep ", ""),
    ("Navštívit obchod ", ""),
    ("Посетите магазин ", ""),
    ("Visit ", " Store"),
    ("Visit ", " store"),
    ("", " Store'u ziyaret edin"),
    ("", " Store’u ziyaret edin"),
    ("", " Mağazasını ziyaret edin"),
    ("", "のストアを表示"),
    ("", "ストアを表示"),
    ("", " 스토어 방문하기"),
    ("访问", "品牌店"),
    ("访问 ", " 店铺"),
    ("造訪 ", " 商店"),
    ("تفضل بزيارة متجر ", ""),
];

/// The name of the brand to whose pages a link leads; `Visit our store` has none.
fn of_store(text: &str) -> Option<&str> {
    let text = text.trim();
    let name = STORE.iter().find_map(|(before, behind)| text.strip_prefix(before)?.strip_suffix(behind))?.trim();
    (!name.starts_with(char::is_lowercase) && name != "Our").then_some(name)
}

/// A text as a name, without the words that shops put around it.
fn as_name(text: &str) -> Option<String> {
    let text = of_store(text).unwrap_or(text).trim();
    let text = ["by ", "By ", "von ", "par "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let text = text.strip_suffix(" Store").unwrap_or(text).trim();
    is_name(text).then(|| text.to_owned())
}

/// Whether a text may be the name of a brand.
pub(crate) fn is_name(text: &str) -> bool {
    (2..=MAX_BRAND).contains(&text.len())
        && text.split_whitespace().count() <= 4
        && text.contains(char::is_alphabetic)
        && !text.contains(['\n', '?', '!'])
        && !is_placeholder(text)
        && !has_price(text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn a_brand_is_told_by_class_and_by_picture() {
        let brand = |html: &str| of(html, |view| brand(view, Some("Lamp Nova")).map(|known| known.value));
        let acme = Some("Acme".to_owned());
        for html in [
            "<a class=product-brand href=/acme>Acme</a><h1>Lamp Nova</h1>",
            "<h1>Lamp Nova</h1><div class=productVendor>by Acme</div>",
            "<h1>Lamp Nova</h1><p class=brand><a href=/acme><img alt=Acme src=a.png></a></p><p>A lamp.</p>",
            "<h1>Lamp Nova</h1><p id=manufacturer>Manufacturer: <b>Acme</b></p>",
            "<header><b class=brand>Acme</b><h1>Lamp Nova</h1></header>",
            "<h1>Lamp Nova</h1><p class=product-header__brand>Brand: <a>Acme</a></p>",
            "<div class=pdp-header><h1>Lamp Nova</h1><p class=pdp-header__meta>Brand: <a>Acme</a></p></div>",
            "<h1>Lamp Nova</h1><p>品牌：Acme · 货号：N-30</p>",
            "<h1>Lamp Nova</h1><p>Márka: <a href=/acme>Acme</a></p>",
            "<h1>Lamp Nova</h1><p><span>Brand: <a>Acme</a></span> <span>SKU: N-30</span></p>",
            "<h1>Lamp Nova</h1><a href=/b>Visit the Acme Store</a>",
            "<h1>Lamp Nova</h1><a href=/b>Besuche den Acme-Store</a>",
            "<h1>Lamp Nova</h1><a href=/b>Visiter la boutique Acme</a>",
            "<h1>Lamp Nova</h1><a href=/b>Acmeのストアを表示</a>",
            "<h1>Lamp Nova</h1><a href=/b>Acme Store'u ziyaret edin</a>",
            "<h1>Lamp Nova</h1><p class=brand>$metabrand</p><span itemprop=brand>Acme</span>",
            "<h1>Lamp Nova</h1><div class=brand><span>Merk</span><span>Acme</span></div>",
            "<h1>Lamp Nova</h1><div class=product-manufacturer><label>Marca</label><a>Acme</a></div>",
        ] {
            assert_eq!(brand(html), acme, "{html}");
        }
        for html in [
            "<div class=navbar-brand>Shop</div><h1>Lamp Nova</h1>",
            "<header><p class=brand>Shop</p></header><h1>Lamp Nova</h1>",
            "<h1 class=brand>Lamp Nova</h1>",
            "<h1>Lamp Nova</h1><a href=/b>Visit our Store</a>",
            "<h1>Lamp Nova</h1><p class=brand>We have sold lamps of all brands for a hundred years.</p>",
        ] {
            assert_eq!(brand(html), None, "{html}");
        }
    }
}
