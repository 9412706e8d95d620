//! From a document of the index to a row of a dataset.

use std::collections::BTreeMap;

use gristmill_dataset::{DatasetRow, RecordsJson};
use gristmill_index::{IndexDocument, ProductAttribute, format_time};
use serde_json::{Map, Value, json};

/// What the index knows of a document. It does not know the name of the site, the page as Markdown, and
/// the archive.
pub fn row_of(document: IndexDocument, dump: Option<&str>) -> DatasetRow {
    let price = document.attributes.iter().find(|attribute| attribute.canonical == "price");
    let amount = price.and_then(|price| price.number);
    let currency = price.map(|price| price.unit.clone()).filter(|unit| unit.len() == 3);
    let records = RecordsJson::of(&products(&document));
    let rights = document.rights;
    let (rendered, render_ended) = document.rendered.map(|drawing| (drawing.mode, drawing.ended)).unzip();
    DatasetRow {
        robots: rights.robots,
        tdm_reservation: rights.tdm_reserved.map(i64::from),
        tdm_policy: known(rights.tdm_policy),
        licence: known(rights.licence),
        licence_url: known(rights.licence_url),
        copyright: known(rights.copyright),
        token_count: document.text.split_whitespace().count() as i64,
        id: document.key,
        dump: dump.unwrap_or_default().to_owned(),
        url: document.url,
        fetched_at: format_time(document.fetched_at).unwrap_or_default(),
        language: document.language,
        language_score: document.language_score.map(f64::from),
        script: known(document.script),
        languages: document.languages.into_iter().map(|part| (part.language, f64::from(part.share))).collect(),
        title: known(document.title),
        author: known(document.author),
        published: if document.published_of_site {
            None
        } else {
            document.published.and_then(format_time).or(known(document.published_text))
        },
        domain: document.site,
        kind: Some(document.kind.to_string()),
        kind_probability: document.kind_probability.map(f64::from),
        confidence: Some(f64::from(document.confidence)),
        simhash: Some(document.simhash).filter(|simhash| *simhash != 0),
        method: document.method,
        price_amount: amount,
        price_currency: currency,
        records,
        text: document.text,
        rendered,
        render_ended,
        ..DatasetRow::default()
    }
}

/// The products of a document. The index has all that is known of them as attributes: facts that a product has a field for,
/// under the name of the field, and what else its page says.
fn products(document: &IndexDocument) -> Value {
    let mut products: BTreeMap<u32, Map<String, Value>> = BTreeMap::new();
    for attribute in &document.attributes {
        let product = products.entry(attribute.record).or_default();
        let is_fact = add_fact(product, attribute) && attribute.name == attribute.canonical;
        if !is_fact {
            push(product, "attributes", attribute_json(attribute));
        }
    }
    if let Some(first) = products.values_mut().next() {
        first.insert("title".to_owned(), document.title.as_str().into());
    }
    products.into_values().map(Value::Object).collect()
}

/// Sets the field of this name, unless it has a value. False where there is no such field.
fn add_fact(product: &mut Map<String, Value>, attribute: &ProductAttribute) -> bool {
    let name = attribute.canonical.as_str();
    let currency = Some(attribute.unit.as_str()).filter(|unit| unit.len() == 3);
    let price = json!({"amount": attribute.number, "currency": currency});
    let (field, value) = match name {
        "price" | "price_max" | "list_price" => (name, price),
        "availability" | "brand" | "sku" | "gtin" | "isbn" | "mpn" => (name, attribute.value.as_str().into()),
        "rating" => (name, json!({"value": attribute.number})),
        "category" => ("breadcrumb", attribute.value.split(" > ").collect()),
        "variant" => {
            push(product, "variants", json!({"name": attribute.value, "price": price}));
            return true;
        }
        // It stands in the price, too.
        "currency" => return true,
        _ => return false,
    };
    product.entry(field).or_insert(value);
    true
}

fn attribute_json(attribute: &ProductAttribute) -> Value {
    json!({
        "name": attribute.name,
        "value": attribute.value,
        "canonical": Some(&attribute.canonical).filter(|name| !name.is_empty()),
        "numbers": attribute.number.map(|number| [number]),
        "unit": Some(&attribute.unit).filter(|unit| !unit.is_empty()),
        "source": attribute.source,
        "confidence": attribute.confidence,
    })
}

fn push(product: &mut Map<String, Value>, name: &str, value: Value) {
    if let Some(list) = product.entry(name).or_insert_with(|| json!([])).as_array_mut() {
        list.push(value);
    }
}

fn known(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_the_index_become_the_products_of_a_page() {
        let attribute = |name: &str, value: &str, canonical: &str, number, unit: &str| ProductAttribute {
            canonical: canonical.to_owned(),
            number,
            unit: unit.to_owned(),
            ..ProductAttribute::new(name, value)
        };
        let attributes = vec![
            attribute("price", "19.5 EUR", "price", Some(19.5), "EUR"),
            attribute("currency", "EUR", "currency", None, ""),
            attribute("Marke", "Acme", "brand", None, ""),
            attribute("variant", "Blue, M", "variant", Some(18.0), "EUR"),
            attribute("category", "Men > Shirts", "category", None, ""),
            attribute("Weight", "2 kg", "weight", Some(2.0), "kg"),
            ProductAttribute { record: 1, ..ProductAttribute::new("Pins", "4") },
        ];
        let document = IndexDocument { title: "Shirt".into(), attributes, ..IndexDocument::default() };
        let row = row_of(document, None);
        let products: Value = serde_json::from_str(row.records.unwrap().as_str()).unwrap();
        let [shirt, other] = &products.as_array().unwrap()[..] else { panic!("{products}") };
        assert_eq!((&shirt["title"], &shirt["brand"]), (&json!("Shirt"), &json!("Acme")));
        assert_eq!(shirt["price"], json!({"amount": 19.5, "currency": "EUR"}));
        assert_eq!(shirt["breadcrumb"], json!(["Men", "Shirts"]));
        assert_eq!(shirt["variants"][0]["price"]["amount"], 18.0);
        let names = |product: &Value| -> Vec<Value> {
            product["attributes"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect()
        };
        assert_eq!(names(shirt), [json!("Marke"), json!("Weight")]);
        assert_eq!((names(other), shirt["attributes"][1]["numbers"].clone()), (vec![json!("Pins")], json!([2.0])));
    }
}
