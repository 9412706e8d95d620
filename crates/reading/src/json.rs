//! What is known of a page as JSON: the fields of `gristmill extract --format json`.

use gristmill_records::price::Price;
use gristmill_records::vocabulary;
use gristmill_records::{Pair, Product, ProductRecords, Rating, SourcedValue, Variant};
use serde_json::{Value, json};

use crate::format::OutputFormat;
use crate::kind::KindDecision;
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
        json["simhash"] = format!("{:016x}", decision.fingerprint(self.document.simhash)).into();
        json["records"] = decision.products().into();
        json["rights"] = serde_json::to_value(self.rights()).unwrap_or_default();
        json
    }

    /// As [`Reading::json`], and the page in another form in a field of its name.
    pub fn json_with(&self, format: OutputFormat) -> Value {
        let mut json = self.json();
        // The text is in the JSON anyway.
        if !matches!(format, OutputFormat::Json | OutputFormat::Text) {
            json[format.as_str()] = self.form(format).into();
        }
        json
    }
}

impl KindDecision {
    /// One object for each product that the page shows; `attributes` are those that can be seen on it.
    pub fn products(&self) -> Vec<Value> {
        let Some(found) = &self.records else { return Vec::new() };
        found.products.iter().map(|shown| product(found, shown)).collect()
    }
}

fn product(found: &ProductRecords, product: &Product) -> Value {
    let pairs: Vec<&Pair> = product.attributes.iter().map(|&at| &found.pairs[at]).collect();
    let attributes: Vec<Value> = pairs.iter().map(|pair| attribute(pair)).collect();
    let declared = &product.structured;
    let identity = &product.identity;
    let mut out = json!({
        "title": product.title,
        "price": price(&product.price),
        "price_max": price(&product.price_max),
        "list_price": price(&product.list_price),
        "variants": declared.variants.iter().map(variant).collect::<Vec<_>>(),
        "sources": {"title": product.title_source, "price": product.price_source},
        "confidences": {},
        "confidence": product.confidence,
        "attributes": attributes,
    });
    let stars = |rating: &Rating| json!({"value": rating.value, "count": rating.count});
    known(&mut out, "availability", &product.availability, |text| text.as_str().into());
    known(&mut out, "brand", &identity.brand, |text| text.as_str().into());
    known(&mut out, "sku", &identity.sku, |text| text.as_str().into());
    known(&mut out, "gtin", &identity.gtin, |text| text.as_str().into());
    known(&mut out, "isbn", &identity.isbn, |text| text.as_str().into());
    known(&mut out, "mpn", &identity.mpn, |text| text.as_str().into());
    known(&mut out, "rating", &product.rating, stars);
    for (name, list) in [("images", &product.images), ("breadcrumb", &product.breadcrumb)] {
        known(&mut out, name, list, |all| all.clone().into());
        if list.is_none() {
            out[name] = json!([]);
        }
    }
    out
}

/// Sets a field with its source and confidence, or to null.
fn known<T>(out: &mut Value, name: &str, field: &Option<SourcedValue<T>>, value: impl Fn(&T) -> Value) {
    out[name] = field.as_ref().map(|field| value(&field.value)).into();
    if let Some(field) = field {
        out["sources"][name] = field.source.as_ref().into();
        out["confidences"][name] = field.confidence.into();
    }
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
fn attribute(pair: &Pair) -> Value {
    let quantity = pair.quantity.as_ref();
    json!({
        "name": pair.name,
        "value": pair.value,
        "canonical": pair.canonical,
        "property": pair.canonical.as_deref().and_then(vocabulary::property),
        "numbers": quantity.map(|quantity| quantity.numbers.clone()),
        "unit": quantity.map(|quantity| quantity.unit),
        "ucum": quantity.and_then(|quantity| vocabulary::ucum(quantity.unit)),
        "range": quantity.is_some_and(|quantity| quantity.is_range),
        "source": pair.provenance.source.as_str(),
        "path": pair.provenance.path,
        "confidence": pair.confidence,
    })
}
