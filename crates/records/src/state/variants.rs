//! The variants of a product in the JSON that shops' programs carry for their pickers: WooCommerce in an attribute, Shopify and Magento in a
//! script.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName};
use serde_json::Value;

use crate::price::{self, Price};
use crate::structured::Variant;

/// Longest JSON that is read, and most variants.
const MAX_BYTES: usize = 2 << 20;
const MAX_VARIANTS: usize = 200;
/// Options of a variant on Shopify.
const OPTIONS: [&str; 3] = ["option1", "option2", "option3"];

/// The variants of the first picker that has two or more. O(page).
pub(crate) fn variants(doc: &Doc, currency: Option<&str>) -> Vec<Variant> {
    let parse = |json: &str| serde_json::from_str::<Value>(json).ok().filter(|_| json.len() <= MAX_BYTES);
    let of_woo = || {
        let name = doc.find_name("data-product_variations")?;
        let forms = doc.ids().filter_map(|id| doc.attr(id, name)).filter_map(parse);
        forms.map(|json| woo(&json, currency)).find(|found| found.len() > 1)
    };
    let in_script = |key: &str, read: fn(&Value, Option<&str>) -> Vec<Variant>| {
        let holds = |kind: &str| kind.contains("json") || kind.contains("magento-init");
        let is_json = |id| doc.attr(id, LocalName::TYPE).is_some_and(holds);
        let scripts = doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT && is_json(id));
        let sources = scripts.filter_map(|id| Some(doc.text(doc.first_child(id)?)));
        let found = sources.filter(|json| json.contains(key)).filter_map(parse);
        found.map(|json| read(&json, currency)).find(|found| found.len() > 1)
    };
    let of_shopify = || in_script("\"option1\"", shopify);
    of_woo().or_else(of_shopify).or_else(|| in_script("\"optionPrices\"", magento)).unwrap_or_default()
}

/// `[{"attributes": {"attribute_pa_size": "s"}, "display_price": 9.5, "is_in_stock": true, "sku": …}]`
fn woo(json: &Value, currency: Option<&str>) -> Vec<Variant> {
    let of = |variation: &Value| {
        let attribute = |(name, value): (&String, &Value)| {
            let name = name.trim_start_matches("attribute_").trim_start_matches("pa_");
            let value = value.as_str().filter(|value| !value.is_empty())?;
            Some((name.replace(['-', '_'], " "), value.to_owned()))
        };
        let attributes = variation.get("attributes")?.as_object()?.iter().filter_map(attribute).collect();
        let amount = variation.get("display_price").map(Value::to_string);
        Some(Variant {
            name: None,
            sku: text(variation, "sku"),
            price: amount.and_then(|amount| price::parse_declared(&amount, currency)),
            availability: stock(variation.get("is_in_stock")),
            attributes,
        })
    };
    json.as_array().into_iter().flatten().take(MAX_VARIANTS).filter_map(of).collect()
}

/// `{"options": ["Size"], "variants": [{"title": "S", "option1": "S", "price": 2000, "available": true, "sku": …}]}`, all of it in a
/// `product`, or the variants alone. Whole prices are cents.
fn shopify(json: &Value, currency: Option<&str>) -> Vec<Variant> {
    let product = json.get("product").unwrap_or(json);
    let named = product.get("options").and_then(Value::as_array);
    let option = |at: usize| {
        let name =
            named.and_then(|names| names.get(at)).and_then(|name| name.as_str().or_else(|| name.get("name")?.as_str()));
        name.unwrap_or(OPTIONS[at]).to_owned()
    };
    let of = |variant: &Value| {
        let written = variant.get("price")?;
        let values = OPTIONS.iter().enumerate().filter_map(|(at, key)| Some((option(at), text(variant, key)?)));
        let cents = written.as_u64().map(|cents| format!("{}.{:02}", cents / 100, cents % 100));
        let amount = cents.or_else(|| written.as_str().map(str::to_owned))?;
        Some(Variant {
            name: text(variant, "title"),
            sku: text(variant, "sku"),
            price: price::parse_declared(&amount, currency).map(whole),
            availability: stock(variant.get("available")),
            attributes: values.filter(|(_, value)| value != "Default Title").collect(),
        })
    };
    let all = product.get("variants").unwrap_or(product).as_array();
    let with_option = all.into_iter().flatten().filter(|variant| variant.get("option1").is_some());
    with_option.take(MAX_VARIANTS).filter_map(of).collect()
}

/// Somewhere within the settings of the page's scripts: `{"attributes": {"93": {"label": "Colour", "options": [{"id": "50", "label": "Blue"}]}},
/// "index": {"2": {"93": "50"}}, "optionPrices": {"2": {"finalPrice": {"amount": 42}}}}`.
fn magento(json: &Value, currency: Option<&str>) -> Vec<Variant> {
    const MAX_NODES: usize = 10_000;
    let mut open = vec![json];
    let mut nodes = std::iter::from_fn(|| {
        let node = open.pop()?;
        open.extend(node.as_object().into_iter().flat_map(|map| map.values()));
        Some(node)
    });
    let Some(config) = nodes.by_ref().take(MAX_NODES).find(|node| node.get("optionPrices").is_some()) else {
        return Vec::new();
    };
    let map = |key: &str| config.get(key).and_then(Value::as_object).into_iter().flatten();
    let labels: HashMap<(&str, &str), (String, String)> = map("attributes")
        .flat_map(|(id, attribute)| {
            let options = attribute.get("options").and_then(Value::as_array).into_iter().flatten();
            options.filter_map(move |option| {
                let names = (text(attribute, "label")?, text(option, "label")?);
                Some(((id.as_str(), option.get("id")?.as_str()?), names))
            })
        })
        .collect();
    let of = |(product, chosen): (&String, &Value)| {
        let amount = config.get("optionPrices")?.get(product)?.get("finalPrice")?.get("amount")?.to_string();
        let chosen = chosen.as_object()?.iter();
        Some(Variant {
            name: None,
            sku: None,
            price: price::parse_declared(&amount, currency),
            availability: None,
            attributes: chosen
                .filter_map(|(attribute, option)| labels.get(&(attribute.as_str(), option.as_str()?)).cloned())
                .collect(),
        })
    };
    map("index").take(MAX_VARIANTS).filter_map(of).collect()
}

/// An amount without cents where there are none.
fn whole(price: Price) -> Price {
    let amount = price.amount.strip_suffix(".00").unwrap_or(&price.amount).to_owned();
    Price { amount, ..price }
}

fn text(object: &Value, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn stock(value: Option<&Value>) -> Option<String> {
    value?.as_bool().map(|is_left| if is_left { "InStock" } else { "OutOfStock" }.to_owned())
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn read(html: &str) -> Vec<(String, String)> {
        let found = variants(&Doc::parse(html, &TreeLimits::default()), Some("EUR"));
        let of = |variant: &Variant| {
            let attributes: Vec<String> =
                variant.attributes.iter().map(|(name, value)| format!("{name} {value}")).collect();
            let price = variant.price.as_ref().map(|price| price.amount.clone()).unwrap_or_default();
            (attributes.join(", "), price)
        };
        found.iter().map(of).collect()
    }

    #[test]
    fn pickers_of_shops_tell_their_variants() {
        let two = |first: &str, second: &str| {
            vec![("size s".to_owned(), first.to_owned()), ("size m".to_owned(), second.to_owned())]
        };
        let woo = "<form data-product_variations='[{\"attributes\":{\"attribute_pa_size\":\"s\"},\"display_price\":9.5},\
                   {\"attributes\":{\"attribute_pa_size\":\"m\"},\"display_price\":12}]'></form>";
        assert_eq!(read(woo), two("9.5", "12"));
        let variants =
            "[{\"title\":\"s\",\"option1\":\"s\",\"price\":950},{\"title\":\"m\",\"option1\":\"m\",\"price\":1200}]";
        let shopify =
            format!("<script type=application/json>{{\"options\":[\"size\"],\"variants\":{variants}}}</script>");
        assert_eq!(read(&shopify), two("9.50", "12"));
        let settings = "{\"attributes\":{\"9\":{\"label\":\"size\",\"options\":[{\"id\":\"1\",\"label\":\"s\"},{\"id\":\"2\",\"label\":\"m\"}]}},\
             \"index\":{\"5\":{\"9\":\"1\"},\"6\":{\"9\":\"2\"}},\
             \"optionPrices\":{\"5\":{\"finalPrice\":{\"amount\":9.5}},\"6\":{\"finalPrice\":{\"amount\":12}}}}";
        let magento =
            format!("<script type=text/x-magento-init>{{\"#a\":{{\"picker\":{{\"spConfig\":{settings}}}}}}}</script>");
        assert_eq!(read(&magento), two("9.5", "12"));
        let none = "<form data-product_variations='false'></form><script type=application/json>{\"option1\"</script>";
        assert_eq!(read(none), []);
    }
}
