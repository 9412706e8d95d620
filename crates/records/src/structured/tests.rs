//! Markup of made-up shops, friendly and hostile.

use gristmill_html::{Doc, TreeLimits};

use super::*;

fn read_page(html: &str) -> DeclaredProduct {
    read(html)
}

fn read(html: &str) -> DeclaredProduct {
    structured(&Page::new(&Doc::parse(html, &TreeLimits::default())), None)
}

fn json(script: &str) -> DeclaredProduct {
    read(&format!("<h1>Lamp Nova</h1><script type=application/ld+json>{script}</script>"))
}

fn text(field: &Option<DeclaredValue>) -> &str {
    field.as_ref().map_or("", |field| &field.text)
}

#[test]
fn json_ld_in_a_graph_gives_every_field() {
    let product = json(
        r##"{"@context":"https://schema.org","@graph":[
        {"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":2,"name":"Lamps"},
          {"@type":"ListItem","position":1,"item":{"@id":"/","name":"Home"}}]},
        {"@type":["Product","Thing"],"name":"Lamp Nova","brand":{"@type":"Brand","name":"Acme"},"sku":77,
         "gtin13":"4006381333931","mpn":"N-1","image":["a.jpg",{"@type":"ImageObject","url":"b.jpg"},"a.jpg"],
         "aggregateRating":{"ratingValue":"4,5","reviewCount":"12"},
         "additionalProperty":[{"@type":"PropertyValue","name":"Height","value":30,"unitText":"cm"}],"color":"red",
         "offers":{"@id":"#o"},
         "isRelatedTo":[{"@type":"Product","name":"Another","offers":{"price":1}}]},
        {"@id":"#o","@type":"Offer","price":"1.299,00","priceCurrency":"EUR","availability":"http://schema.org/InStock",
         "priceSpecification":{"priceType":"https://schema.org/ListPrice","price":1499,"priceCurrency":"EUR"}}]}"##,
    );
    assert!(product.is_product && product.n_products == 1);
    assert_eq!((text(&product.title), text(&product.brand), text(&product.sku)), ("Lamp Nova", "Acme", "77"));
    assert_eq!((text(&product.gtin), text(&product.mpn)), ("4006381333931", "N-1"));
    assert_eq!(product.images, ["a.jpg", "b.jpg"]);
    assert_eq!(product.rating, Some(Rating { value: 4.5, count: Some(12) }));
    assert_eq!(product.breadcrumb, ["Home", "Lamps"]);
    let offer = &product.offers[0];
    assert_eq!(offer.price, Some(Price { amount: "1299.00".into(), currency: Some("EUR".into()) }));
    assert_eq!(offer.list_price.as_ref().unwrap().amount, "1499");
    assert_eq!(offer.availability.as_deref(), Some("InStock"));
    let properties: Vec<_> =
        product.properties.iter().map(|(name, field)| (name.as_str(), field.text.as_str())).collect();
    assert_eq!(properties, [("Height", "30 cm"), ("color", "red")]);
}

#[test]
fn microdata_with_itemref_and_cycles_ends_and_reads() {
    let product = read(
        "<h1>Lamp</h1><div itemscope itemtype=http://schema.org/Product itemref='a b'><span itemprop=name>Lamp</span>
         <div itemprop=offers itemscope itemtype=http://schema.org/Offer><meta itemprop=priceCurrency content=USD>
         <span itemprop=price content=1299>$1,299</span><link itemprop=availability href=http://schema.org/OutOfStock></div></div>
         <p id=a><b itemprop=brand>Acme</b></p>
         <div id=b itemscope itemprop=isRelatedTo itemtype=http://schema.org/Product itemref='b c'><i itemprop=name>Other</i>
         <p id=c itemscope itemprop=isSimilarTo itemtype=http://schema.org/Product itemref='b'></p></div>",
    );
    assert_eq!((text(&product.title), text(&product.brand)), ("Lamp", "Acme"));
    assert_eq!(product.title.as_ref().unwrap().markup, StructuredSource::Microdata);
    assert_eq!(product.offers[0].availability.as_deref(), Some("OutOfStock"));
    assert_eq!(product.offers[0].price.as_ref().unwrap().value(), 1299.0);
}

#[test]
fn rdfa_and_opengraph_are_read_and_json_ld_goes_first() {
    let product = read(
        "<meta property=og:type content=og:product><meta property=og:title content='Lamp | Shop'>
         <meta property=product:price:amount content=12.50><meta property=product:price:currency content=gbp>
         <body vocab=http://schema.org/ typeof=Product><b property=name>Lamp</b><i property=sku>S1</i>",
    );
    assert_eq!((text(&product.title), product.title.as_ref().unwrap().markup), ("Lamp", StructuredSource::Rdfa));
    assert_eq!(product.offers[0].price, Some(Price { amount: "12.50".into(), currency: Some("GBP".into()) }));
}

#[test]
fn a_list_of_products_without_one_named_like_the_page_is_none() {
    let item = |n| format!("{{\"@type\":\"Product\",\"name\":\"Thing {n}\",\"offers\":{{\"price\":{n}}}}}");
    let many: Vec<String> = (0..9).map(item).collect();
    let listing = json(&format!("[{}]", many.join(",")));
    assert!(!listing.is_product && listing.n_products == 9);
}

#[test]
fn wrong_types_duplicate_keys_and_ten_megabytes_are_survived() {
    let product = json(
        r#"{"@type":"Product","name":["Lamp",{"x":[[[]]]}],"name":"Lamp 2","offers":[1,"two",null,{"price":{"a":1}}],"brand":true}"#,
    );
    assert_eq!(text(&product.title), "Lamp 2");
    let long = json(&format!("{{\"@type\":\"Product\",\"name\":\"{}\"}}", "x".repeat(10 << 20)));
    assert!(!long.is_product && long.warnings[0].contains("4 MB"));
}

#[test]
fn declared_decimals_are_no_thousands() {
    let product = json(
        r#"{"@type":"Product","name":"Lamp Nova","aggregateRating":{"ratingValue":4.625,"reviewCount":8},
        "offers":{"price":"49.990","priceCurrency":"USD"}}"#,
    );
    assert_eq!(product.rating.unwrap().value, 4.625);
    assert_eq!(product.offers[0].price.as_ref().unwrap().amount, "49.990");
    let offer = |price: &str| {
        let html = format!(
            "<h1>Lamp</h1><div itemscope itemtype=http://schema.org/Product><i itemprop=name>Lamp</i>
             <div itemprop=offers itemscope itemtype=http://schema.org/Offer>{price}</div></div>"
        );
        read(&html).offers[0].price.as_ref().unwrap().amount.clone()
    };
    assert_eq!(offer("<b itemprop=price content=12.500>12,50 KWD</b>"), "12.500");
    assert_eq!(offer("<b itemprop=price>1.299 €</b>"), "1299", "what readers see is written as in a text");
    let open_graph = read("<meta property=og:type content=product><meta property=product:price:amount content=5.125>");
    assert_eq!(open_graph.offers[0].price.as_ref().unwrap().amount, "5.125");
}

#[test]
fn a_product_on_an_article_is_not_the_articles_unless_it_has_its_name() {
    let article = |name: &str| {
        let product = format!(
            "<div itemscope itemtype=http://schema.org/Product><b itemprop=name>{name}</b><i itemprop=sku>S1</i></div>"
        );
        read(&format!("<meta property=og:type content=article><h1>Oil for the face</h1>{product}"))
    };
    let named = article("Oil for the face");
    assert!(named.is_product && !named.has_unnamed && text(&named.sku) == "S1");
    let other = article("All articles for a year");
    assert!(!other.is_product && other.has_unnamed && other.is_article && other.sku.is_none());
}

#[test]
fn character_references_in_names_are_read() {
    let product = json(r#"{"@type":"Product","name":"Kat&#233;rina &amp; Co","brand":"A&T"}"#);
    assert_eq!((text(&product.title), text(&product.brand)), ("Katérina & Co", "A&T"));
}

#[test]
fn a_group_has_the_range_of_its_variants() {
    let variant = |price: &str, stock: &str| {
        format!(
            r#"{{"@type":"Product","name":"V","offers":{{"price":"{price}","priceCurrency":"USD","availability":"{stock}"}}}}"#
        )
    };
    let group = json(&format!(
        r#"{{"@type":"ProductGroup","name":"Lamp Nova","hasVariant":[{},{}]}}"#,
        variant("17.63", "OutOfStock"),
        variant("9.10", "https://schema.org/InStock")
    ));
    let offer = &group.offers[0];
    let amount = |price: &Option<Price>| price.as_ref().map(|price| price.amount.clone()).unwrap_or_default();
    assert_eq!((amount(&offer.price), amount(&offer.price_max)), ("9.10".into(), "17.63".into()));
    assert_eq!(offer.availability.as_deref(), Some("InStock"));
    let aggregate = json(
        r#"{"@type":"Product","name":"Lamp Nova","offers":{"@type":"AggregateOffer","lowPrice":"25.00","highPrice":29,"priceCurrency":"USD"}}"#,
    );
    assert_eq!(
        (amount(&aggregate.offers[0].price), amount(&aggregate.offers[0].price_max)),
        ("25.00".into(), "29".into())
    );
}

#[test]
fn fields_are_prices_in_any_words_and_the_currency_is_known_without_one() {
    let offer = |offer: &str| json(&format!(r#"{{"@type":"Product","name":"Lamp Nova","offers":{offer}}}"#));
    let read = |text: &str| {
        let price = offer(text).offers[0].price.clone().unwrap();
        (price.amount, price.currency.unwrap_or_default())
    };
    for (text, amount, code) in [
        (r#"{"price":"1 299 foo","priceCurrency":"NOK"}"#, "1299", "NOK"),
        (r#"{"price":"49.990","priceCurrency":"CLP"}"#, "49990", "CLP"),
        (r#"{"price":"NZD $100","priceCurrency":"$"}"#, "100", "NZD"),
        (r#"{"price":"100","priceCurrency":"kr."}"#, "100", "DKK"),
        (r#"{"price":"Rs 1,24,999"}"#, "124999", "INR"),
        (r#"{"price":"Free","priceCurrency":"EUR"}"#, "0", "EUR"),
        (
            r#"{"priceSpecification":[{"price":"5","referenceQuantity":{"value":1}},{"price":"12"},{"price":"15","priceType":"StrikethroughPrice"}]}"#,
            "12",
            "",
        ),
    ] {
        assert_eq!(read(text), (amount.to_owned(), code.to_owned()), "{text}");
    }
    let unread = offer(r#"{"price":"on request","priceCurrency":"NOK"}"#);
    assert_eq!((unread.offers[0].price.as_ref(), unread.currency.as_deref()), (None, Some("NOK")));
    assert_eq!(read_page("<meta itemprop=priceCurrency content=isk>").currency.as_deref(), Some("ISK"));
    assert_eq!(read_page("<div data-currency=PLN></div>").currency.as_deref(), Some("PLN"));
}

#[test]
fn what_a_template_left_open_is_no_value() {
    let product =
        json(r#"{"@type":"Product","name":"Lamp Nova","brand":"$metabrand","manufacturer":"Acme","sku":"{{ sku }}"}"#);
    assert_eq!((text(&product.brand), product.sku), ("Acme", None));
}

#[test]
fn pictures_name_brands_and_data_elements_hold_their_value() {
    let product = read(
        "<h1>Lamp</h1><div itemscope itemtype=http://schema.org/Product><b itemprop=name>Lamp</b>
         <img itemprop=brand alt=Acme src=a.png><img itemprop=image alt=Lamp src=b.png>
         <p itemprop=offers itemscope itemtype=http://schema.org/Offer><data itemprop=price value=1299.5>1.299 €</data></p></div>",
    );
    assert_eq!((text(&product.brand), &product.images[..]), ("Acme", &["b.png".to_owned()][..]));
    assert_eq!(product.offers[0].price.as_ref().unwrap().amount, "1299.5");
}

#[test]
fn the_only_offer_of_a_page_gives_its_product_the_price() {
    let offer = |inner: &str| {
        json(&format!(
            r#"{{"@type":"Offer","price":"42.00","priceCurrency":"USD","itemOffered":{{"@type":"product","name":"Lamp Nova"{inner}}}}}"#
        ))
    };
    let product = offer("");
    assert!(product.is_product && text(&product.title) == "Lamp Nova");
    assert_eq!(product.offers[0].price.as_ref().unwrap().amount, "42.00");
    assert!(!offer(r#","offers":[{"price":1},{"price":2}]"#).is_product, "a catalogue of many sellers");
}

#[test]
fn the_price_of_a_sale_stands_beside_that_before() {
    let tags = "<meta property=og:type content=product><meta property=product:price:amount content=59.00>
                <meta property=product:sale_price:amount content=42.00>";
    let offer = &read(tags).offers[0];
    let amount = |price: &Option<Price>| price.as_ref().map(|price| price.amount.clone());
    assert_eq!((amount(&offer.price), amount(&offer.list_price)), (Some("42.00".into()), Some("59.00".into())));
}

#[test]
fn names_that_were_escaped_twice_are_read() {
    let product = json(r#"{"@type":"Product","name":"Lamp","brand":"Tea &amp;amp; Time"}"#);
    assert_eq!(text(&product.brand), "Tea & Time");
}

#[test]
fn a_rating_that_nobody_gave_is_none() {
    let rating = |fields: &str| {
        json(&format!(r#"{{"@type":"Product","name":"Lamp Nova","aggregateRating":{{{fields}}}}}"#)).rating
    };
    assert_eq!(rating(r#""ratingValue":5,"reviewCount":0"#), None);
    assert_eq!(rating(r#""ratingValue":"0","reviewCount":"0""#), None);
    assert_eq!(rating(r#""ratingValue":0"#), None);
    assert_eq!(rating(r#""ratingValue":4.5"#), Some(Rating { value: 4.5, count: None }));
    let both = rating(r#""ratingValue":4.5,"ratingCount":0,"reviewCount":3"#);
    assert_eq!(both, Some(Rating { value: 4.5, count: Some(3) }));
}

#[test]
fn numbers_of_the_only_offer_are_those_of_the_product() {
    let offers =
        |offers: &str| json(&format!(r#"{{"@type":"Product","name":"Lamp Nova","mpn":"N-1","offers":[{offers}]}}"#));
    let one = r#"{"@type":"Offer","price":49,"sku":"Q1","mpn":"N-2","gtin13":"4006381333931"}"#;
    let product = offers(one);
    let numbers = [&product.sku, &product.mpn, &product.gtin].map(text);
    assert_eq!(numbers, ["Q1", "N-1", "4006381333931"]);
    assert_eq!(text(&offers(&format!("{one},{one}")).sku), "", "they may be variants");
}

#[test]
fn a_price_without_the_tax_is_taken_where_there_is_no_other() {
    let price = |specifications: &str| {
        let offer = format!(r#"{{"@type":"Offer","priceSpecification":[{specifications}]}}"#);
        let product = json(&format!(r#"{{"@type":"Product","name":"Lamp Nova","offers":{offer}}}"#));
        product.offers[0].price.as_ref().map(|price| price.amount.clone())
    };
    let net = r#"{"price":"40.83","valueAddedTaxIncluded":false}"#;
    let gross = r#"{"price":"49.00","valueAddedTaxIncluded":true}"#;
    assert_eq!(price(&format!("{net},{gross}")).as_deref(), Some("49.00"));
    assert_eq!(price(net).as_deref(), Some("40.83"));
}

#[test]
fn several_offers_are_a_range_in_stock_where_one_is() {
    let offer = |price: &str, stock: &str| format!(r#"{{"@type":"Offer",{price},"availability":"{stock}"}}"#);
    let of = |offers: &[String]| {
        let offers = offers.join(",");
        let product = json(&format!(r#"{{"@type":"Product","name":"Lamp Nova","offers":[{offers}]}}"#));
        let all = range(&product.offers)?;
        let amounts = [all.price, all.price_max].map(|price| price.map_or("-".to_owned(), |price| price.amount));
        Some((amounts.join(" "), all.availability.unwrap_or_default()))
    };
    let (dear, cheap) = (offer(r#""price":"59.00""#, "OutOfStock"), offer(r#""price":"49.00""#, "InStock"));
    assert_eq!(of(&[dear.clone(), cheap.clone()]), Some(("49.00 59.00".to_owned(), "InStock".to_owned())));
    assert_eq!(of(&[cheap.clone(), cheap]), Some(("49.00 -".to_owned(), "InStock".to_owned())));
    assert_eq!(of(&[offer(r#""price":0"#, "InStock"), dear]), Some(("59.00 -".to_owned(), "InStock".to_owned())));
    let [euros, dollars] = ["EUR", "USD"]
        .map(|code| offer(&format!(r#""price":"{}","priceCurrency":"{code}""#, code.len() + 7), "InStock"));
    assert_eq!(of(&[euros, dollars]), Some(("10 -".to_owned(), "InStock".to_owned())), "another currency");
    assert_eq!(range(&[]), None);
}
