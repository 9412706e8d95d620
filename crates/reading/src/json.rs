//! What is known of a page as JSON: the fields of `gristmill extract --format json`.

use gristmill_records::price::Price;
use gristmill_records::{Pair, Product, Records, Sourced, Variant};
use serde_json::{Value, json};

use crate::kind::Decision;
use crate::reading::Reading;

impl Reading<'_> {
    /// All that is known of the page: text and metadata, the address, the kind, the product records, and what page and answer say
    /// of the use of the text. Decides.
    pub fn json(&self) -> Value {
        let decision = self.decide();
        let mut json = serde_json::to_value(&self.document).unwrap_or_default();
        json["url"] = self.parsed.url.as_deref().into();
        json["kind"] = decision.kind.as_str().into();
        json["kind_probability"] = decision.probability.into();
        json["records"] = decision.products().into();
        json["rights"] = serde_json::to_value(self.rights()).unwrap_or_default();
        json
    }
}

impl Decision {
    /// One object for each product that the page shows; `attributes` has the pairs that can be seen on it.
    pub fn products(&self) -> Vec<Value> {
        let Some(found) = &self.records else { return Vec::new() };
        found.products.iter().map(|shown| product(found, shown)).collect()
    }
}

fn product(found: &Records, product: &Product) -> Value {
    let pairs: Vec<&Pair> = product.attributes.iter().map(|&at| &found.pairs[at]).collect();
    let attributes: Vec<[&str; 2]> = pairs.iter().map(|pair| [pair.name.as_str(), pair.value.as_str()]).collect();
    let details: Vec<Value> = pairs.iter().map(|pair| detail(pair)).collect();
    let declared = &product.structured;
    let identity = &product.identity;
    let text = |known: &Option<Sourced>| known.as_ref().map(|known| known.text.clone());
    let named = [
        ("brand", &identity.brand),
        ("sku", &identity.sku),
        ("gtin", &identity.gtin),
        ("isbn", &identity.isbn),
        ("mpn", &identity.mpn),
    ];
    let mut sources = json!({"title": product.title_source, "price": product.price_source});
    let mut confidences = json!({});
    for (name, known) in named.into_iter().filter_map(|(name, known)| Some((name, known.as_ref()?))) {
        sources[name] = known.source.as_ref().into();
        confidences[name] = known.confidence.into();
    }
    json!({
        "title": product.title,
        "price": price(&product.price),
        "list_price": price(&product.list_price),
        "availability": product.availability,
        "brand": text(&identity.brand),
        "sku": text(&identity.sku),
        "gtin": text(&identity.gtin),
        "isbn": text(&identity.isbn),
        "mpn": text(&identity.mpn),
        "rating": declared.rating.map(|rating| json!({"value": rating.value, "count": rating.count})),
        "images": declared.images,
        "breadcrumb": declared.breadcrumb,
        "variants": declared.variants.iter().map(variant).collect::<Vec<_>>(),
        "sources": sources,
        "confidences": confidences,
        "confidence": product.confidence,
        "attributes": attributes,
        "details": details,
    })
}

fn price(price: &Option<Price>) -> Option<Value> {
    price.as_ref().map(|price| json!({"amount": price.amount, "currency": price.currency}))
}

fn variant(variant: &Variant) -> Value {
    json!({
        "name": variant.name,
        "sku": variant.sku,
        "price": price(&variant.price),
        "attributes": variant.attributes,
    })
}

/// A pair with what is known of it: the common name, numbers, and where on the page it was read.
fn detail(pair: &Pair) -> Value {
    let quantity = pair.quantity.as_ref();
    json!({
        "name": pair.name,
        "value": pair.value,
        "canonical": pair.canonical,
        "numbers": quantity.map(|quantity| quantity.numbers.clone()),
        "unit": quantity.map(|quantity| quantity.unit),
        "range": quantity.is_some_and(|quantity| quantity.is_range),
        "source": pair.provenance.source.as_str(),
        "path": pair.provenance.path,
        "confidence": pair.confidence,
    })
}
