//! What small pages of shops show or declare of stock, brand, rating, categories and price.

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::{Product, RecordOptions, records};

/// A field as the list of pages writes it; `-` where nothing is found.
fn field(product: &Product, name: &str) -> String {
    let found = match name {
        "availability" => product.availability.as_ref().map(|found| found.value.clone()),
        "brand" => product.identity.brand.as_ref().map(|found| found.value.clone()),
        "rating" => product.rating.as_ref().map(|found| {
            let count = found.value.count.map_or(String::new(), |count| format!(" ({count})"));
            format!("{}{count}", (found.value.value * 100.0).round() / 100.0)
        }),
        "breadcrumb" => product.breadcrumb.as_ref().map(|found| found.value.join(" > ")),
        "price" => product
            .price
            .as_ref()
            .map(|price| format!("{} {}", price.amount, price.currency.as_deref().unwrap_or_default())),
        "price_max" => product.price_max.as_ref().map(|price| price.amount.clone()),
        "list_price" => product.list_price.as_ref().map(|price| price.amount.clone()),
        "title" => product.title.clone(),
        "mpn" => product.identity.mpn.as_ref().map(|found| found.value.clone()),
        "gtin" => product.identity.gtin.as_ref().map(|found| found.value.clone()),
        _ => panic!("no field is called {name}"),
    };
    found.unwrap_or_else(|| "-".to_owned())
}

#[test]
fn fields_of_products_are_read_as_shops_show_them() {
    let mut wrong = Vec::new();
    for form in include_str!("product_fields.txt").split("\n=== ") {
        let (name, form) = form.trim_start_matches("=== ").split_once('\n').expect("a name");
        let (html, expected) = form.split_once("\n---\n").expect("what is right");
        let doc = Doc::parse(html, &TreeLimits::default());
        let found = records(&Page::new(&doc), None, &RecordOptions::default());
        let product = found.products.first().cloned().unwrap_or_default();
        for (key, right) in expected.lines().filter_map(|line| line.split_once('\t')) {
            let found = field(&product, key);
            if found != right {
                wrong.push(format!("{name}: {key} is `{found}` and not `{right}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
