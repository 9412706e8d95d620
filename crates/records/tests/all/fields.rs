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

#[test]
fn a_product_is_offered_alone_by_open_graph_a_button_or_a_seller_to_ask() {
    let is_offered = |html: &str| {
        let doc = Doc::parse(html, &TreeLimits::default());
        let found = records(&Page::new(&doc), None, &RecordOptions::default());
        found.products.first().is_some_and(|product| product.is_offered)
    };
    let tags = "<meta property=og:type content=og:product><meta property=product:price:amount content=24>";
    assert!(is_offered(&format!("{tags}<h1>Print</h1><p>On cotton paper.</p>")));
    assert!(is_offered("<h1>Pot</h1><p>$38</p><button>Add to cart</button>"));
    let facts =
        "<h2>Details</h2><table><tr><th>Mileage<td>120,000 km<tr><th>Fuel<td>Diesel<tr><th>Power<td>110 kW</table>";
    assert!(is_offered(&format!("<h1>Estate 2018</h1><p>$12,900</p><button>Call seller</button>{facts}")));
    assert!(!is_offered("<h1>Plumbing</h1><p>$99</p><button>Call now</button>"), "no thing is described");
    let card = "<a href=/pot><h3>Pot</h3></a><p>$38</p><button>Add to cart</button>";
    assert!(!is_offered(&format!("<h1>Pots</h1>{card}")));
}
