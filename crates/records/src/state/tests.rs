//! Pages whose product stands in their state alone.

use gristmill_html::{Doc, TreeLimits};

use super::*;

fn read(script: &str, title: &str) -> Option<HydrationProduct> {
    let html = format!("<title>{title}</title><div id=root></div>{script}");
    state(&Doc::parse(&html, &TreeLimits::default()), &[title.to_owned()], Some("EUR"))
}

fn pairs(state: &HydrationProduct) -> Vec<(&str, &str)> {
    state.pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect()
}

const NEXT: &str = r#"<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{
    "menu":{"title":"Menu","items":[{"name":"Lamps","value":"/lamps"},{"name":"Chairs","value":"/chairs"}]},
    "product":{"name":"Lamp Nova 30","sku":"N-30","brand":{"name":"Acme"},"ean":"4006381333931","inStock":true,
      "price":{"value":49.9,"currency":"EUR"},"images":[{"url":"https://shop.example/a.jpg"}],
      "reviews":[{"title":"Good","text":"I like it"},{"title":"Bad","text":"I do not"}],
      "groups":[{"title":"General","specs":[{"label":"Weight","value":"1.2 kg"},{"label":"Colour","values":["Black","Red"]}]},
                {"title":"Power","specs":[{"label":"Voltage","value":230},{"label":"Plug","value":"C"}]}]},
    "related":[{"name":"Lamp Vega","price":12,"specs":[{"label":"Weight","value":"9 kg"},{"label":"Colour","value":"Red"}]}]}}}</script>"#;

#[test]
fn the_product_named_by_the_page_is_read_with_its_lists() {
    let found = read(NEXT, "Lamp Nova 30 | Lampshop").unwrap();
    assert_eq!(pairs(&found), [("Weight", "1.2 kg"), ("Colour", "Black, Red"), ("Voltage", "230"), ("Plug", "C")]);
    assert_eq!(found.price, Some(Price { amount: "49.9".into(), currency: Some("EUR".into()) }));
    assert_eq!(
        (found.title.as_deref(), found.brand.as_deref(), found.sku.as_deref(), found.gtin.as_deref()),
        (Some("Lamp Nova 30"), Some("Acme"), Some("N-30"), Some("4006381333931"))
    );
    assert_eq!((found.availability, found.images.len()), (Some("InStock"), 1));
    assert_eq!(found.pairs[0].path, "props/pageProps/product/groups/0/specs");
}

#[test]
fn of_several_products_without_the_pages_name_none_is_taken() {
    assert_eq!(read(NEXT, "Lampshop"), None);
}

#[test]
fn assigned_objects_strings_of_json_and_streams_are_read() {
    let product = r#"{"a":1,"product":{"title":"Lamp Nova 30","price":"49,90 €","attributes":{"Weight":"1.2 kg","Colour":"Black","typeName":"P"}}}"#;
    let filler = format!("{{\"x\":\"{}\"}}", "y".repeat(300));
    let row = serde_json::to_string(&format!("1:{filler}\n2:{product}\n")).unwrap();
    let text = serde_json::to_string(product).unwrap();
    for script in [
        format!("window.__STATE__ = {product}; window.other = {filler};"),
        format!("window.a = JSON.parse({text}); window.b = {filler}"),
        format!("self.__next_f.push([1,{row}])"),
    ] {
        let found = read(&format!("<script>{script}</script>"), "Lampshop").unwrap_or_else(|| panic!("{script}"));
        // Members of an object have no order.
        assert_eq!(pairs(&found), [("Colour", "Black"), ("Weight", "1.2 kg")]);
        assert_eq!(found.price.map(|price| price.amount).as_deref(), Some("49.90"));
    }
}

#[test]
fn broken_deep_and_long_state_gives_nothing() {
    let deep = format!("<script>window.a = {}</script>", "[".repeat(100_000));
    let broken = format!("<script>window.a = {{\"product\":{{\"name\":\"{}</script>", "x".repeat(500));
    for script in [deep, broken, String::new()] {
        assert_eq!(read(&script, "Lamp"), None);
    }
}

#[test]
fn what_is_pushed_to_the_tag_manager_tells_the_price_of_the_product() {
    let view = r#"{"event":"view_item","ecommerce":{"currency":"EUR","items":[{"item_id":"LL-60","item_name":"Paper lantern","price":39.9}]}}"#;
    let html = format!("<script>dataLayer.push({{ecommerce: null}});dataLayer.push({view});</script>");
    let doc = Doc::parse(&html, &TreeLimits::default());
    let price = pushed_product(&doc, "Paper lantern".to_owned(), None).unwrap().price.unwrap();
    assert_eq!((price.amount.as_str(), price.currency.as_deref()), ("39.9", Some("EUR")));
    assert_eq!(pushed_product(&doc, "Felt slippers".to_owned(), None), None);
}

#[test]
fn the_tag_manager_and_the_scripts_of_shopify_tell_the_brand() {
    let brand = |script: &str| {
        let doc = Doc::parse(&format!("<script>{script}</script>"), &TreeLimits::default());
        told_brand(&doc, "Paper lantern".to_owned())
    };
    let items = r#"{"ecommerce":{"items":[{"item_name":"Paper lantern","item_brand":"Acme","price":39.9}]}}"#;
    assert_eq!(brand(&format!("dataLayer.push({items});")).as_deref(), Some("Acme"));
    let meta = r#"var meta = {"product":{"id":1,"gid":"gid:\/\/shopify\/Product\/1","vendor":"Acme","type":"Lamps"}};"#;
    assert_eq!(brand(meta).as_deref(), Some("Acme"));
    assert_eq!(brand(r#"var meta = {"page":{"pageType":"collection"}};"#), None);
}
