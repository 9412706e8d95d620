//! The product of a page, put together from what it declares and what it shows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_text::{hash, lower_letters};

use crate::buttons::seller_buttons;
use crate::features::is_buy;
use crate::heading::heading;
use crate::hours::names_hours;
use crate::identity::ProductIdentifiers;
use crate::no_product;
use crate::offer;
use crate::pair::Pair;
use crate::price::{self, Price, PriceStyle, usual_currency};
use crate::records::ProductRecords;
use crate::sourced::SourcedValue;
use crate::state::{pushed_product, told_brand, variants};
use crate::structured::{self, DeclaredProduct, Offer, Rating, StructuredSource};
use crate::view::RecordView;
use crate::visible_fields;
use crate::visible_prices::{self, Prices};

/// A product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Product {
    /// Its name.
    pub title: Option<String>,
    /// Where the name came from: a [`StructuredSource`] or `h1`, `title`, `pair`, the layout of a record's pair, or a rule.
    pub title_source: Option<Cow<'static, str>>,
    /// What is paid now.
    pub price: Option<Price>,
    /// The most that is paid for one of its variants, where the price is the lower end of a range.
    pub price_max: Option<Price>,
    /// The price before a reduction.
    pub list_price: Option<Price>,
    /// Where the price came from: a [`StructuredSource`] or `text`, or a rule.
    pub price_source: Option<Cow<'static, str>>,
    /// `InStock`, `OutOfStock` …, as in schema.org.
    pub availability: Option<SourcedValue>,
    /// Its brand and identifiers.
    pub identity: ProductIdentifiers,
    /// Categories above it, the outermost first.
    pub breadcrumb: Option<SourcedValue<Vec<String>>>,
    /// Addresses as written, at most 50, each once.
    pub images: Option<SourcedValue<Vec<String>>>,
    pub rating: Option<SourcedValue<Rating>>,
    /// Its attributes as they can be seen on the page, as indexes of [`ProductRecords::pairs`].
    pub attributes: Vec<usize>,
    /// Everything that the markup says; kept apart from what can be seen.
    pub structured: DeclaredProduct,
    /// Probability that the page shows this product at all.
    pub confidence: f32,
    /// Whether the page offers it alone: `og:type` says so of the page and the price is declared, or a price and a button that sells stand
    /// below the heading.
    pub is_offered: bool,
}

impl Product {
    /// A hash of its title, number and price, that tells it from products with the same description. 0 without any of them.
    pub fn key(&self) -> u64 {
        let plain = |text: &str| lower_letters(text).collect::<String>();
        let ProductIdentifiers { gtin, sku, mpn, isbn, .. } = &self.identity;
        let number = [gtin, sku, mpn, isbn].into_iter().flatten().next().map(|number| plain(&number.value));
        let price =
            self.price.as_ref().map(|price| format!("{:.2}{}", price.value(), price.currency.as_deref().unwrap_or("")));
        let parts = [self.title.as_deref().map(plain), number, price].map(Option::unwrap_or_default);
        if parts.iter().all(String::is_empty) { 0 } else { hash(parts.join("\n").as_bytes()) }
    }
}

/// Makes the products of a page: its own, and one for each row or column of a table of products.
pub(crate) fn products(
    view: &RecordView,
    url: Option<&str>,
    markup: DeclaredProduct,
    is_model: bool,
    out: &mut ProductRecords,
) {
    let (confidence, is_offered) = confidence(view, &markup, &out.pairs, usual_currency(view.doc, url));
    if confidence < 0.5 {
        if !out.pairs.is_empty() && is_model {
            out.warnings.push(format!("{} pairs were found, but the page shows no product", out.pairs.len()));
            out.pairs.clear();
        }
        return;
    }
    let mut product = Product { confidence, is_offered, ..Product::default() };
    titled(view, &markup, &out.pairs, &mut product);
    prices(view, url, &markup, &mut product);
    fields(view, url, &markup, &mut product);
    product.attributes =
        (0..out.pairs.len()).filter(|&n| out.pairs[n].record == 0 && !is_of_offer(&out.pairs[n])).collect();
    let number = |name: &str| (name != "brand").then(|| visible_fields::number(view, &[name]))?;
    product.identity = ProductIdentifiers::of(&markup, |name| pair_named(&out.pairs, 0, name).or_else(|| number(name)));
    if product.identity.brand.is_none() {
        let shown = visible_fields::brand(view, product.title.as_deref());
        let told = || {
            let brand = told_brand(view.doc, product.title.clone()?).filter(|brand| visible_fields::is_name(brand))?;
            Some(SourcedValue::new(brand, StructuredSource::State.as_str(), TOLD))
        };
        product.identity.brand = shown.or_else(|| maker(&out.pairs)).or_else(told);
    }
    product.structured = markup;
    if product.structured.variants.is_empty() {
        let currency = product.price.as_ref().and_then(|price| price.currency.as_deref());
        product.structured.variants = variants(view.doc, currency);
    }
    let (title, title_source) = (product.title.clone(), product.title_source.clone());
    out.products.push(product);
    let mut of_record: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (n, pair) in out.pairs.iter().enumerate().filter(|(_, pair)| pair.record > 0) {
        of_record.entry(pair.record).or_default().push(n);
    }
    for (record, attributes) in of_record {
        let (title, title_source) = match pair_named(&out.pairs, record, "name") {
            Some(name) => (Some(name.value), Some(name.source)),
            None => (title.clone(), title_source.clone()),
        };
        let mut one = Product { attributes, title, title_source, confidence, ..Product::default() };
        terms(&out.pairs, record, usual_currency(view.doc, url), &mut one);
        out.products.push(one);
    }
}

/// Whether a pair tells what the thing costs, how many are left or how it was rated, for which products have fields of their own.
fn is_of_offer(pair: &Pair) -> bool {
    matches!(pair.canonical.as_deref(), Some("price" | "availability" | "rating"))
}

/// What the pairs of a record say of its price, stock and numbers.
fn terms(pairs: &[Pair], record: u32, currency: Option<&str>, product: &mut Product) {
    let named = |name: &str| pair_named(pairs, record, name);
    product.identity = ProductIdentifiers::of(&DeclaredProduct::default(), named);
    if let Some(price) = named("price") {
        product.price = price::parse_field(&price.value, PriceStyle { currency, ..PriceStyle::default() });
        product.price_source = product.price.as_ref().map(|_| price.source);
    }
    product.availability = named("availability")
        .and_then(|stock| Some(SourcedValue { value: crate::stock::said(&stock.value)?.to_owned(), ..stock }));
}

/// The maker that an attribute names, where nothing says a brand: mostly one for the other. A firm with its address is none.
fn maker(pairs: &[Pair]) -> Option<SourcedValue> {
    let maker = pair_named(pairs, 0, "manufacturer")?;
    let is_name = !maker.value.contains([',', '，', ';']) && visible_fields::is_name(&maker.value);
    is_name.then_some(SourcedValue { confidence: maker.confidence * MAKER, ..maker })
}

/// How sure a brand is that only scripts tell.
const TOLD: f32 = 0.7;

/// What is left of the confidence of an attribute where the maker is taken for the brand.
const MAKER: f32 = 0.7;

/// The name: what the markup declares, or else the heading, or else the pair that names the product and stands in the title of the page, or
/// else that title.
fn titled(view: &RecordView, markup: &DeclaredProduct, pairs: &[Pair], product: &mut Product) {
    let h1 = heading(view).map(|id| view.slice(view.span_of(id.index())).replace('\n', " "));
    let heading = h1.filter(|text| !text.is_empty()).map(|text| (text, "h1"));
    let named = markup.title.as_ref().filter(|_| markup.is_product).map(|field| {
        let text =
            if field.markup == StructuredSource::OpenGraph { without_shop(view, &field.text) } else { &field.text };
        (text.to_owned(), field.markup.as_str())
    });
    let of_page = || {
        let title = gristmill_text::collapse(&view.doc.title()?);
        Some((without_shop(view, &title).to_owned(), "title"))
    };
    let of_pair = || {
        let title = view.doc.title()?;
        let is_name = |pair: &&Pair| pair.record == 0 && matches!(pair.canonical.as_deref(), Some("name" | "title"));
        let name = pairs.iter().filter(is_name).find(|pair| pair.value.len() > 3 && title.contains(&pair.value))?;
        Some((name.value.clone(), "pair"))
    };
    if let Some((title, source)) = named.or(heading).or_else(of_pair).or_else(of_page) {
        product.title = Some(title);
        product.title_source = Some(source.into());
    }
}

/// Marks between the name of a thing and that of the shop.
const BETWEEN: [char; 9] = ['|', '｜', '-', '–', '—', '·', '•', '»', '_'];

/// A title of the page without the shop's name at its end: as `og:site_name` says it, or the heading tells, or else any row of the page
/// that the title begins with.
fn without_shop<'t>(view: &RecordView, title: &'t str) -> &'t str {
    let shop = view.doc.meta("og:site_name").map(str::trim).filter(|shop| !shop.is_empty());
    let heading = heading(view).map(|id| view.slice(view.span_of(id.index())).trim());
    let cut = |rest: &'t str| {
        let rest = rest.trim_end();
        let name = rest.trim_end_matches(BETWEEN).trim_end_matches(':').trim_end();
        (name.len() < rest.len() && !name.is_empty()).then_some(name)
    };
    let by_shop = shop.and_then(|shop| cut(title.strip_suffix(shop)?));
    let by_heading = heading.filter(|text| text.len() > 3).and_then(|heading| {
        let rest = title.strip_prefix(heading)?;
        rest.trim_start().starts_with(BETWEEN).then(|| &title[..heading.len()])
    });
    by_shop.or(by_heading).or_else(|| by_row(view, title)).unwrap_or(title)
}

/// The beginning of a title up to a mark that is a row of the page, or its end from one on, the longest of them: what the page shows in
/// place of a heading.
fn by_row<'t>(view: &RecordView, title: &'t str) -> Option<&'t str> {
    const LEAST: usize = 4;
    // A colon with a space before it divides, too.
    let is_divided = |rest: &str| {
        let mark = rest.trim_start();
        mark.starts_with(BETWEEN) && (mark.len() < rest.len() || !mark.starts_with('-'))
            || mark.starts_with(':') && mark.len() < rest.len()
            || mark.starts_with('：')
    };
    // `Tea house / Green tea`
    let is_behind =
        |rest: &str| rest.strip_suffix(' ').is_some_and(|rest| rest.ends_with(BETWEEN) || rest.ends_with('/'));
    let part = |text: &str| {
        let begins = || title.strip_prefix(text).filter(|rest| is_divided(rest)).map(|_| &title[..text.len()]);
        let ends = || title.strip_suffix(text).filter(|rest| is_behind(rest)).map(|rest| &title[rest.len()..]);
        let is_most = |end: &&str| 2 * end.len() > title.len();
        begins().or_else(|| ends().filter(is_most)).filter(|_| text.len() >= LEAST)
    };
    let rows = view.rows.iter().map(|row| view.slice(view.row_span(row)));
    rows.filter_map(part).max_by_key(|text| text.len())
}

/// The value of a record under a common name.
fn pair_named(pairs: &[Pair], record: u32, name: &str) -> Option<SourcedValue> {
    let pair = pairs.iter().find(|pair| pair.record == record && pair.canonical.as_deref() == Some(name))?;
    let source = pair.provenance.source.as_str().to_owned().into();
    Some(SourcedValue { value: pair.value.clone(), source, confidence: pair.confidence })
}

/// What is left of the confidence on a page that calls itself an article: by its markup, or by `og:type` alone where a button sells.
/// With the latter three sure pairs are a product. Blog software says that `og:type` of every page, and where one marks a product,
/// nothing is lost.
const ARTICLE: f32 = 0.3;
const OG_ARTICLE: f32 = 0.6;
/// What is left where nothing is sold, and on a page of many things.
const NOT_SOLD: f32 = 0.7;
const OF_MANY: f32 = 0.4;
/// On a page that shows no attribute for sure, but a price and a button that sells below its heading.
const OFFERED: f32 = 0.7;

/// Pairs of that confidence together describe a thing.
const DESCRIBED: f32 = 0.5;

/// Whether the page shows a product: its markup says so; or enough pairs do, on a page that sells something and does
/// not call itself an article. And whether it offers that alone.
fn confidence(view: &RecordView, markup: &DeclaredProduct, pairs: &[Pair], currency: Option<&str>) -> (f32, bool) {
    let sure: f32 = pairs.iter().map(|pair| pair.confidence).sum();
    let by_pairs = 1.0 - (-sure / 1.2).exp();
    if markup.is_product {
        let is_many = is_range(markup) && offer::is_of_cards(view, currency);
        let sure = if is_many { OF_MANY } else { by_pairs.max(0.95) };
        return (sure, !is_many && is_sold_by_open_graph(view, markup));
    }
    let is_no_product = no_product::is_of_visitor(view) || no_product::is_of_no_product(pairs);
    let is_offered = !is_no_product && offer::is_offered(view, currency, by_pairs >= DESCRIBED);
    if pairs.is_empty() && !is_offered {
        return (0.0, false);
    }
    let rows = || view.rows.iter().map(|row| view.slice(view.row_span(row))).filter(|text| text.len() <= 80);
    let buy = rows().any(is_buy) || seller_buttons(view).next().is_some();
    let sold = if buy || is_offered || rows().any(price::has_price) { 1.0 } else { NOT_SOLD };
    let by_pairs = if is_offered { by_pairs.max(OFFERED) } else { by_pairs };
    let article = match (markup.has_article, markup.is_article) {
        (false, true) if markup.has_unnamed => 1.0,
        (false, true) if buy => OG_ARTICLE,
        (_, true) => ARTICLE,
        _ => 1.0,
    };
    let many = if is_no_product || is_of_many(pairs) { OF_MANY } else { 1.0 };
    (by_pairs * sold * article * many, is_offered && !markup.is_article)
}

/// Whether `og:type` calls the page a product's, and its price is declared.
fn is_sold_by_open_graph(view: &RecordView, markup: &DeclaredProduct) -> bool {
    let is_type = view.doc.meta("og:type").is_some_and(|kind| kind.to_ascii_lowercase().contains("product"));
    is_type && markup.n_products <= 1 && offer(markup).is_some_and(|offer| offer.price.is_some())
}

/// Whether what is declared is a range of prices of something without a number.
fn is_range(markup: &DeclaredProduct) -> bool {
    let has_number = [&markup.sku, &markup.mpn, &markup.gtin, &markup.isbn].into_iter().any(Option::is_some);
    !has_number && offer(markup).is_some_and(|offer| offer.price_max.is_some())
}

/// Whether the pairs are those of many things or of a place: two in three values are amounts of money in a list of prices or times of day,
/// and half of the names come again in a comparison. Rows of a table of products are none of these pairs.
fn is_of_many(pairs: &[Pair]) -> bool {
    let own: Vec<&Pair> = pairs.iter().filter(|pair| pair.record == 0).collect();
    let half = own.len().div_ceil(2).max(4);
    let n_amounts = own.iter().filter(|pair| price::has_price(&pair.value) || names_hours(&pair.value)).count();
    let names: std::collections::HashSet<&str> = own.iter().map(|pair| pair.name.as_str()).collect();
    // What a house costs each month is told in many rows beside what it is like.
    let most = (2 * own.len()).div_ceil(3).max(4);
    n_amounts >= most || own.len() - names.len() >= half
}

/// What the offers of the product say together, those of one kind of markup.
fn offer(markup: &DeclaredProduct) -> Option<Offer> {
    let first = markup.offers.iter().find(|offer| offer.price.is_some()).or(markup.offers.first())?;
    let own: Vec<Offer> = markup.offers.iter().filter(|offer| offer.markup == first.markup).cloned().collect();
    structured::range(&own).or_else(|| Some(Offer { availability: structured::stock(&own), ..first.clone() }))
}

fn prices(view: &RecordView, url: Option<&str>, markup: &DeclaredProduct, product: &mut Product) {
    if let Some(offer) = offer(markup) {
        product.price_source = offer.price.as_ref().map(|_| offer.markup.as_str().into());
        product.price = offer.price;
        product.price_max = offer.price_max;
        product.list_price = offer.list_price;
    }
    let has_currency = product.price.as_ref().is_some_and(|price| price.currency.is_some());
    if has_currency && product.list_price.is_some() {
        return;
    }
    let currency = markup.currency.as_deref().or_else(|| usual_currency(view.doc, url));
    let Some(shown) = visible_prices::prices(view, currency) else {
        if product.price.is_none()
            && let Some(title) = product.title.clone()
            && let Some(price) = pushed_product(view.doc, title, currency).and_then(|product| product.price)
        {
            product.price = Some(price);
            product.price_source = Some(StructuredSource::State.as_str().into());
        }
        return;
    };
    // Where one thing is sold for money, a price of nothing was never filled in.
    let is_real = |price: &Price| price.value() > 0.0 || is_free(view) || !offer::is_offered(view, currency, false);
    if let Some(price) = product.price.as_mut().filter(|price| is_real(price) && !is_other(price, &shown)) {
        price.currency = price.currency.take().or(shown.price.currency.clone());
        if is_left(markup, &shown.price) && !is_left(markup, price) {
            *price = shown.price.clone();
            product.price_max = product.price_max.take().filter(|most| most.value() > price.value());
        }
        if shown.price.value() == price.value() {
            product.list_price = product.list_price.take().or(shown.list_price);
        }
        return;
    }
    product.price = Some(shown.price);
    product.price_max = shown.most;
    product.list_price = shown.list_price.or(product.list_price.take());
    product.price_source = Some("text".into());
}

/// Whether one of the offers has a price and is not sold out. What the page shows is mostly the least of these.
fn is_left(markup: &DeclaredProduct, price: &Price) -> bool {
    let is_gone =
        |offer: &Offer| matches!(offer.availability.as_deref(), Some("OutOfStock" | "SoldOut" | "Discontinued"));
    let mut left = markup.offers.iter().filter(|offer| !is_gone(offer)).filter_map(|offer| offer.price.as_ref());
    left.any(|own| own.value() == price.value() && own.currency == price.currency)
}

/// Whether a declared price is another than what is paid: the one before the reduction that the page shows, or one in cents.
fn is_other(declared: &Price, shown: &Prices) -> bool {
    let is_one_currency = |price: &Price| declared.currency.is_none() || price.currency == declared.currency;
    let is_before = |list: &Price| list.value() == declared.value() && is_one_currency(list);
    let in_cents = !declared.amount.contains('.') && declared.value() == (shown.price.value() * 100.0).round();
    shown.list_price.as_ref().is_some_and(is_before)
        || in_cents && shown.price.value() > 0.0 && is_one_currency(&shown.price)
}

/// Whether a row says that something costs nothing.
fn is_free(view: &RecordView) -> bool {
    let mut rows = view.rows.iter().map(|row| view.slice(view.row_span(row)));
    rows.any(price::is_free)
}

/// What is declared, or else what can be seen, of stock, categories, images and rating.
fn fields(view: &RecordView, url: Option<&str>, markup: &DeclaredProduct, product: &mut Product) {
    let declared =
        if markup.offers.iter().any(|offer| offer.markup == StructuredSource::State) { "state" } else { "markup" };
    let stock =
        offer(markup).and_then(|offer| Some(SourcedValue::new(offer.availability?, offer.markup.as_str(), 1.0)));
    product.availability = stock.or_else(|| visible_fields::availability(view));
    let list = |list: &Vec<String>| (!list.is_empty()).then(|| SourcedValue::new(list.clone(), declared, 1.0));
    let title = product.title.as_deref();
    let above = visible_fields::above(view, markup.breadcrumb.clone(), title);
    product.breadcrumb = list(&above).or_else(|| visible_fields::breadcrumb(view, title));
    product.images = list(&markup.images).or_else(|| visible_fields::images(view, product.title.as_deref()));
    if let (Some(images), Some(base)) = (&mut product.images, gristmill_page::base(view.doc, url)) {
        images.value.iter_mut().for_each(|image| {
            if let Ok(absolute) = base.join(image) {
                *image = absolute.into();
            }
        });
    }
    product.rating =
        markup.rating.map(|rating| SourcedValue::new(rating, declared, 1.0)).or_else(|| visible_fields::rating(view));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_price_that_the_page_strikes_out_or_counts_in_cents_is_another() {
        let price = |amount: &str, currency: &str| Price { amount: amount.into(), currency: Some(currency.into()) };
        let shown = |amount: &str, list: Option<&str>| Prices {
            price: price(amount, "USD"),
            most: None,
            list_price: list.map(|list| price(list, "USD")),
        };
        for (declared, amount, list, expected) in [
            ("59.00", "49.00", Some("59.00"), true),
            ("59", "49.00", Some("59.00"), true),
            ("4900", "49.00", None, true),
            ("4900", "49", None, true),
            ("49.00", "49.00", Some("59.00"), false),
            ("55.00", "49.00", Some("59.00"), false),
            ("4900.00", "49.00", None, false),
            ("4900", "48.00", None, false),
        ] {
            let is_other = is_other(&price(declared, "USD"), &shown(amount, list));
            assert_eq!(is_other, expected, "{declared} {amount} {list:?}");
        }
        assert!(!is_other(&price("4900", "EUR"), &shown("49.00", None)), "another currency");
    }
}
