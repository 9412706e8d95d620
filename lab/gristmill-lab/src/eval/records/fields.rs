//! Whether what a page shows of its product is what it declares, field by field: the declared data are hidden from the reader.

use std::fmt::Write;

use gristmill_eval::records::RecordPage;
use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::{DeclaredProduct, Product, RecordOptions, StructuredSource, records, structured};
use gristmill_text::lower_letters;

use crate::threads::in_threads;
use crate::train::records::text;

/// The fields, in the order of the table.
const FIELDS: [&str; 11] =
    ["title", "price", "currency", "availability", "brand", "sku", "mpn", "gtin", "category path", "images", "rating"];

/// What became of one field on one page.
#[derive(Clone, Copy, Default, PartialEq)]
enum Seen {
    /// The page declares none.
    #[default]
    Undeclared,
    Missing,
    Wrong,
    Right,
}

/// A table of the fields that pages declare: on how many pages, how many the reader finds without it, and how many of these agree.
pub fn table(pages: &[RecordPage]) -> String {
    let products: Vec<&RecordPage> = pages.iter().filter(|page| page.is_product).collect();
    let judged =
        in_threads(&products, |page| text(&page.document).map(|html| judge(&html, page.document.url.as_deref())));
    let mut counts = [[0usize; 3]; FIELDS.len()];
    for seen in judged.into_iter().flatten().flatten() {
        for (count, field) in counts.iter_mut().zip(seen) {
            count[0] += usize::from(field != Seen::Undeclared);
            count[1] += usize::from(matches!(field, Seen::Wrong | Seen::Right));
            count[2] += usize::from(field == Seen::Right);
        }
    }
    let mut out = String::from(
        "| field | pages that declare it | found without it | as declared | share right of found |\n|---|---:|---:|---:|---:|\n",
    );
    for (name, [declared, found, right]) in FIELDS.iter().zip(counts) {
        let share = right as f64 / found.max(1) as f64;
        writeln!(out, "| {name} | {declared} | {found} | {right} | {share:.2} |").expect("a string takes all");
    }
    out
}

/// `None` for a page that declares no product in schema.org's words.
fn judge(html: &str, url: Option<&str>) -> Option<[Seen; FIELDS.len()]> {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let declared = structured(&page, url);
    let is_schema = declared.title.as_ref().is_some_and(|title| title.markup != StructuredSource::OpenGraph);
    if !declared.is_product || !is_schema {
        return None;
    }
    let shown = records(&page, url, &RecordOptions { declared: false, ..RecordOptions::default() });
    let empty = Product::default();
    Some(compare(&declared, shown.products.first().unwrap_or(&empty)))
}

fn compare(declared: &DeclaredProduct, shown: &Product) -> [Seen; FIELDS.len()] {
    let field = |field: &Option<gristmill_records::DeclaredValue>| field.as_ref().map(|field| field.text.clone());
    let known = |known: &Option<gristmill_records::SourcedValue>| known.as_ref().map(|known| known.value.clone());
    let offer = declared.offers.iter().find(|offer| offer.price.is_some());
    let identity = &shown.identity;
    let digits = |text: Option<String>| text.map(|text| text.trim_start_matches('0').to_owned());
    let shown_price = shown.price.as_ref();
    let price = offer.and_then(|offer| offer.price.as_ref());
    let rating = |value: f64| format!("{value:.1}");
    [
        same(field(&declared.title), shown.title.clone()),
        same(price.map(|p| format!("{:.2}", p.value())), shown_price.map(|p| format!("{:.2}", p.value()))),
        same(price.and_then(|p| p.currency.clone()), shown_price.and_then(|p| p.currency.clone())),
        same(offer.and_then(|offer| offer.availability.clone()), known(&shown.availability)),
        same(field(&declared.brand), known(&identity.brand)),
        same(field(&declared.sku), known(&identity.sku)),
        same(field(&declared.mpn), known(&identity.mpn)),
        same(digits(field(&declared.gtin)), digits(known(&identity.gtin))),
        path(declared, shown),
        images(declared, shown),
        same(declared.rating.map(|r| rating(r.value)), shown.rating.as_ref().map(|r| rating(r.value.value))),
    ]
}

fn plain(text: &str) -> String {
    lower_letters(text).collect()
}

fn same(declared: Option<String>, shown: Option<String>) -> Seen {
    match (declared, shown) {
        (None, _) => Seen::Undeclared,
        (Some(_), None) => Seen::Missing,
        (Some(declared), Some(shown)) if plain(&declared) == plain(&shown) => Seen::Right,
        _ => Seen::Wrong,
    }
}

/// A path is right if it is the declared one, but for the shop's first page at its start and the product at its end.
fn path(declared: &DeclaredProduct, shown: &Product) -> Seen {
    if declared.breadcrumb.is_empty() {
        return Seen::Undeclared;
    }
    let Some(shown) = &shown.breadcrumb else { return Seen::Missing };
    let declared: Vec<String> = declared.breadcrumb.iter().map(|step| plain(step)).collect();
    let shown: Vec<String> = shown.value.iter().map(|step| plain(step)).collect();
    let core = |steps: &[String], from: usize, off: usize| {
        steps[from.min(steps.len())..steps.len().saturating_sub(off).max(from.min(steps.len()))].to_vec()
    };
    let all = |steps: &[String]| [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(from, off)| core(steps, from, off));
    let is_same = all(&declared).iter().any(|a| !a.is_empty() && all(&shown).contains(a));
    if is_same { Seen::Right } else { Seen::Wrong }
}

/// Right if one of the images is the same file, whatever its size in the address.
fn images(declared: &DeclaredProduct, shown: &Product) -> Seen {
    if declared.images.is_empty() {
        return Seen::Undeclared;
    }
    let Some(shown) = &shown.images else { return Seen::Missing };
    let file = |address: &String| {
        let name = address.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        plain(name.split('.').next().unwrap_or_default())
    };
    let declared: Vec<String> = declared.images.iter().map(file).collect();
    let is_same = shown.value.iter().map(file).any(|one| {
        declared.iter().any(|other| {
            one.len() > 5 && other.len() > 5 && (one.starts_with(other.as_str()) || other.starts_with(one.as_str()))
        })
    });
    if is_same { Seen::Right } else { Seen::Wrong }
}
