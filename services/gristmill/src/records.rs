//! Product records as JSON, for `gristmill extract`.

use gristmill_extract::PageKind;
use gristmill_reading::Reading;
use gristmill_records::{Pair, Product, Records, Variant};
use serde_json::{Value, json};

/// What a page is, how probable that is, and its records as JSON.
pub struct Judged {
    pub kind: PageKind,
    pub probability: f32,
    /// One object for each product that the page shows; `attributes` has the pairs that can be seen on it.
    pub records: Vec<Value>,
}

/// Decides as the extractor service does.
pub fn judge(reading: &Reading<'_>) -> Judged {
    let decision = reading.decide();
    let json = |found: Records| found.products.iter().map(|product| product_json(&found, product)).collect();
    let records = decision.records.map(json).unwrap_or_default();
    Judged { kind: decision.kind, probability: decision.probability, records }
}

fn product_json(found: &Records, product: &Product) -> Value {
    let pairs: Vec<&Pair> = product.attributes.iter().map(|&at| &found.pairs[at]).collect();
    let attributes: Vec<[&str; 2]> = pairs.iter().map(|pair| [pair.name.as_str(), pair.value.as_str()]).collect();
    let details: Vec<Value> = pairs.iter().map(|pair| pair_json(pair)).collect();
    let declared = &product.structured;
    let text = |field: &Option<gristmill_records::Field>| field.as_ref().map(|field| field.text.clone());
    json!({
        "title": product.title,
        "price": price(&product.price),
        "list_price": price(&product.list_price),
        "availability": product.availability,
        "brand": text(&declared.brand),
        "sku": text(&declared.sku),
        "gtin": text(&declared.gtin),
        "isbn": text(&declared.isbn),
        "mpn": text(&declared.mpn),
        "rating": declared.rating.map(|rating| json!({"value": rating.value, "count": rating.count})),
        "images": declared.images,
        "breadcrumb": declared.breadcrumb,
        "variants": declared.variants.iter().map(variant_json).collect::<Vec<_>>(),
        "sources": {"title": product.title_source, "price": product.price_source},
        "confidence": product.confidence,
        "attributes": attributes,
        "details": details,
    })
}

fn price(price: &Option<gristmill_records::price::Price>) -> Option<Value> {
    price.as_ref().map(|price| json!({"amount": price.amount, "currency": price.currency}))
}

fn variant_json(variant: &Variant) -> Value {
    json!({
        "name": variant.name,
        "sku": variant.sku,
        "price": price(&variant.price),
        "attributes": variant.attributes,
    })
}

/// A pair with what is known of it: the common name, numbers, and where on the page it was read.
fn pair_json(pair: &Pair) -> Value {
    let quantity = pair.quantity.as_ref();
    json!({
        "name": pair.name,
        "value": pair.value,
        "canonical": pair.canonical,
        "numbers": quantity.map(|quantity| quantity.numbers.clone()),
        "unit": quantity.map(|quantity| quantity.unit),
        "source": pair.provenance.source.as_str(),
        "path": pair.provenance.path,
        "confidence": pair.confidence,
    })
}
