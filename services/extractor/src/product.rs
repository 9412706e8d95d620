//! What a page says of its product, as attributes of the document message.

use gristmill_proto::ProductAttribute;
use gristmill_records::price::Price;
use gristmill_records::{Product, ProductRecords, Variant};

/// Variants of a product that go into its document.
const MAX_VARIANTS: usize = 50;

/// What is known of the products of a page, the first product's declared facts before the pairs that can be seen;
/// nothing where there is no product.
pub(crate) fn attributes(found: &ProductRecords) -> Vec<ProductAttribute> {
    let seen = pairs(found);
    let mut all: Vec<ProductAttribute> = found
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

fn pairs(found: &ProductRecords) -> Vec<ProductAttribute> {
    let attribute = |pair: &gristmill_records::Pair| {
        // A value of several numbers (dimensions) has none to compare by.
        let quantity = pair.quantity.as_ref().filter(|quantity| quantity.numbers.len() == 1);
        ProductAttribute {
            name: pair.name.clone(),
            value: pair.value.clone(),
            canonical: pair.canonical.clone(),
            number: quantity.map(|quantity| quantity.numbers[0]),
            unit: quantity.map(|quantity| quantity.unit.to_owned()).filter(|unit| !unit.is_empty()),
            record: pair.record,
            source: pair.provenance.source.as_str().to_owned(),
            confidence: pair.confidence,
        }
    };
    found.pairs.iter().map(attribute).collect()
}

fn facts(product: &Product) -> Vec<ProductAttribute> {
    let mut facts = Vec::new();
    let mut push = |name: &str, value: String, number: Option<f64>, unit: Option<String>, source: &str| {
        facts.push(ProductAttribute {
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
    let source = product.price_source.as_deref().unwrap_or("text");
    for (name, price) in
        [("price", &product.price), ("price_max", &product.price_max), ("list_price", &product.list_price)]
    {
        if let Some(price) = price {
            let currency = price.currency.clone();
            let value = format!("{} {}", price.amount, currency.as_deref().unwrap_or("")).trim().to_owned();
            push(name, value, Some(price.value()), currency, source);
        }
    }
    if let Some(currency) = product.price.as_ref().and_then(|price| price.currency.clone()) {
        push("currency", currency, None, None, source);
    }
    let identity = &product.identity;
    let fields = [
        ("availability", &product.availability),
        ("brand", &identity.brand),
        ("sku", &identity.sku),
        ("mpn", &identity.mpn),
        ("gtin", &identity.gtin),
        ("isbn", &identity.isbn),
    ];
    for (name, known) in fields.into_iter().filter_map(|(name, known)| Some((name, known.as_ref()?))) {
        push(name, known.value.clone(), None, None, &known.source);
    }
    if let Some(breadcrumb) = &product.breadcrumb {
        push("category", breadcrumb.value.join(" > "), None, None, &breadcrumb.source);
    }
    let declared = &product.structured;
    for variant in declared.variants.iter().take(MAX_VARIANTS) {
        let value = variant_name(variant);
        let price = variant.price.as_ref();
        push("variant", value, price.map(Price::value), price.and_then(|price| price.currency.clone()), "markup");
    }
    if let Some(rating) = &product.rating {
        let value = rating.value.value;
        push("rating", value.to_string(), Some(value), None, &rating.source);
    }
    facts
}

/// The variant's own properties, or else its name or number: `Blue, XL`.
fn variant_name(variant: &Variant) -> String {
    let own: Vec<&str> = variant.attributes.iter().map(|(_, value)| value.as_str()).collect();
    let name = variant.name.as_ref().or(variant.sku.as_ref()).cloned().unwrap_or_default();
    if own.is_empty() { name } else { own.join(", ") }
}

#[cfg(test)]
mod tests {
    use gristmill_extract::Page;
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_records::{RecordOptions, records};

    use super::*;

    const PAGE: &str = r#"<h1>Lenovo ThinkPad E14</h1><script type="application/ld+json">
        {"@type":"Product","name":"ThinkPad E14","brand":{"@type":"Brand","name":"LENOVO"},"sku":"E14-7",
         "offers":{"@type":"Offer","price":"4299.00","priceCurrency":"CNY","availability":"https://schema.org/InStock"}}
        </script><p>¥4,299 <button>Add to cart</button></p>
        <h2>Specifications</h2><table><tr><th>Brand</th><td>Lenovo</td></tr><tr><th>Screen size</th><td>14 inch</td></tr>
        <tr><th>Weight</th><td>1.6 kg</td></tr><tr><th>Colour</th><td>Black</td></tr></table>"#;

    #[test]
    fn declared_facts_and_visible_pairs_come_together_and_the_visible_win() {
        let doc = Doc::parse(PAGE, &TreeLimits::default());
        let attributes =
            attributes(&records(&Page::new(&doc), Some("https://shop.example/e14"), &RecordOptions::default()));
        let find = |canonical: &str| -> Vec<&ProductAttribute> {
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
    fn variants_and_the_breadcrumb_are_attributes_too() {
        let page = r#"<h1>Shirt</h1><script type="application/ld+json">[
            {"@type":"ProductGroup","name":"Shirt","hasVariant":[
              {"@type":"Product","sku":"s1","color":"Blue","size":"M","offers":{"price":"19.00","priceCurrency":"EUR"}},
              {"@type":"Product","name":"Shirt red","sku":"s2"}]},
            {"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Men"},
              {"@type":"ListItem","position":2,"name":"Shirts"}]}]</script><p>19.00 EUR</p>"#;
        let found = records(&Page::new(&Doc::parse(page, &TreeLimits::default())), None, &RecordOptions::default());
        let attributes = attributes(&found);
        let values = |name: &str| -> Vec<(&str, Option<f64>)> {
            let named = attributes.iter().filter(|attribute| attribute.name == name);
            named.map(|attribute| (attribute.value.as_str(), attribute.number)).collect()
        };
        assert_eq!(values("category"), [("Men > Shirts", None)]);
        assert_eq!(values("variant"), [("Blue, M", Some(19.0)), ("Shirt red", None)]);
    }

    #[test]
    fn a_page_of_text_has_no_product() {
        let html = "<h1>News</h1><p>Place: Rome. The mill by the river, people said, was sold for 5 euro.</p>";
        let doc = Doc::parse(html, &TreeLimits::default());
        assert_eq!(
            attributes(&records(&Page::new(&doc), Some("https://news.example/"), &RecordOptions::default())),
            []
        );
    }
}
