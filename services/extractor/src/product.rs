//! What a page says of its product, as attributes of the document message.

use std::sync::LazyLock;

use gristmill_html::Doc;
use gristmill_proto::Attribute;
use gristmill_records::{Field, Options, Product, Records, records};

/// The compiled-in dictionary, read once.
static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);

/// The records of a page.
pub(crate) fn find(doc: &Doc, url: &str) -> Records {
    records(doc, Some(url), &OPTIONS)
}

/// What is known of the products of a page, the first product's declared facts before the pairs that can be seen;
/// nothing where there is no product.
pub(crate) fn attributes(found: &Records) -> Vec<Attribute> {
    let seen = pairs(found);
    let mut all: Vec<Attribute> = found
        .products
        .first()
        .map(facts)
        .unwrap_or_default()
        .into_iter()
        // What can be seen on the page wins over what its markup says.
        .filter(|fact| fact.name == "price" || !seen.iter().any(|pair| pair.canonical == fact.canonical))
        .collect();
    all.extend(seen);
    all
}

fn pairs(found: &Records) -> Vec<Attribute> {
    let attribute = |pair: &gristmill_records::Pair| {
        // A value of several numbers (dimensions) has none to compare by.
        let quantity = pair.quantity.as_ref().filter(|quantity| quantity.numbers.len() == 1);
        Attribute {
            name: pair.name.clone(),
            value: pair.value.clone(),
            canonical: pair.canonical.clone(),
            number: quantity.map(|quantity| quantity.numbers[0]),
            unit: quantity.map(|quantity| quantity.unit.to_owned()).filter(|unit| !unit.is_empty()),
            record: pair.record,
            source: pair.provenance.layout.as_str().to_owned(),
            confidence: pair.confidence,
        }
    };
    found.pairs.iter().map(attribute).collect()
}

fn facts(product: &Product) -> Vec<Attribute> {
    let mut facts = Vec::new();
    let mut push = |name: &str, value: String, number: Option<f64>, unit: Option<String>, source: &str| {
        facts.push(Attribute {
            name: name.to_owned(),
            value,
            canonical: Some(name.to_owned()),
            number,
            unit,
            record: 0,
            source: source.to_owned(),
            confidence: product.confidence,
        });
    };
    let source = product.price_source.unwrap_or("text");
    for (name, price) in [("price", &product.price), ("list_price", &product.list_price)] {
        if let Some(price) = price {
            let currency = price.currency.clone();
            let value = format!("{} {}", price.amount, currency.as_deref().unwrap_or("")).trim().to_owned();
            push(name, value, Some(price.value()), currency, source);
        }
    }
    if let Some(currency) = product.price.as_ref().and_then(|price| price.currency.clone()) {
        push("currency", currency, None, None, source);
    }
    if let Some(availability) = &product.availability {
        push("availability", availability.clone(), None, None, source);
    }
    let declared = &product.structured;
    let fields: [(&str, &Option<Field>); 5] = [
        ("brand", &declared.brand),
        ("sku", &declared.sku),
        ("mpn", &declared.mpn),
        ("gtin", &declared.gtin),
        ("isbn", &declared.isbn),
    ];
    for (name, field) in fields {
        if let Some(field) = field {
            push(name, field.text.clone(), None, None, field.markup.as_str());
        }
    }
    if let Some(rating) = declared.rating {
        push("rating", rating.value.to_string(), Some(rating.value), None, "markup");
    }
    facts
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;

    use super::*;

    const PAGE: &str = r#"<h1>Lenovo ThinkPad E14</h1><script type="application/ld+json">
        {"@type":"Product","name":"ThinkPad E14","brand":{"@type":"Brand","name":"LENOVO"},"sku":"E14-7",
         "offers":{"@type":"Offer","price":"4299.00","priceCurrency":"CNY","availability":"https://schema.org/InStock"}}
        </script><p>¥4,299 <button>Add to cart</button></p>
        <h2>Specifications</h2><table><tr><th>Brand</th><td>Lenovo</td></tr><tr><th>Screen size</th><td>14 inch</td></tr>
        <tr><th>Weight</th><td>1.6 kg</td></tr><tr><th>Colour</th><td>Black</td></tr></table>"#;

    #[test]
    fn declared_facts_and_visible_pairs_come_together_and_the_visible_win() {
        let doc = Doc::parse(PAGE, &Limits::default());
        let attributes = attributes(&find(&doc, "https://shop.example/e14"));
        let find = |canonical: &str| -> Vec<&Attribute> {
            attributes.iter().filter(|attribute| attribute.canonical.as_deref() == Some(canonical)).collect()
        };
        let [price] = find("price")[..] else { panic!("{attributes:?}") };
        assert_eq!(
            (price.number, price.unit.as_deref(), price.source.as_str()),
            (Some(4299.0), Some("CNY"), "json-ld")
        );
        let [brand] = find("brand")[..] else { panic!("{attributes:?}") };
        assert_eq!((brand.name.as_str(), brand.value.as_str()), ("Brand", "Lenovo"));
        assert_eq!(find("sku")[0].value, "E14-7");
        let weight = find("weight")[0];
        assert_eq!((weight.number, weight.unit.as_deref()), (Some(1.6), Some("kg")));
    }

    #[test]
    fn a_page_of_text_has_no_product() {
        let html = "<h1>News</h1><p>Place: Rome. The mill by the river, people said, was sold for 5 euro.</p>";
        assert_eq!(attributes(&find(&Doc::parse(html, &Limits::default()), "https://news.example/")), []);
    }
}
