//! Which object of the state is the product, and its own fields.

use gristmill_text::lower_letters;
use serde_json::Value;

use super::{HydrationProduct, specs};
use crate::identity::gtin;
use crate::price::{self, Price};

/// Most values that are looked at.
const MAX_NODES: usize = 200_000;
/// Most images of a product.
const MAX_IMAGES: usize = 50;

/// Keys in lower case without marks, the best first.
const TITLES: [&str; 6] = ["name", "title", "productname", "producttitle", "displayname", "itemname"];
const PRICES: [&str; 12] = [
    "saleprice",
    "currentprice",
    "finalprice",
    "sellingprice",
    "specialprice",
    "price",
    "priceamount",
    "pricevalue",
    "prices",
    "minprice",
    "offers",
    "pricerange",
];
const SKUS: [&str; 8] = ["sku", "articlenumber", "itemnumber", "productcode", "productid", "itemid", "code", "id"];
const MPNS: [&str; 3] = ["mpn", "manufacturerpartnumber", "partnumber"];
const GTINS: [&str; 6] = ["gtin", "gtin13", "ean", "ean13", "upc", "barcode"];
const BRANDS: [&str; 6] = ["brand", "brandname", "itembrand", "productbrand", "manufacturer", "vendor"];
const IMAGES: [&str; 5] = ["images", "image", "gallery", "media", "imageurl"];
const STOCK: [&str; 6] = ["availability", "instock", "isinstock", "available", "isavailable", "stockstatus"];

/// The values of a page's state as one flat list, every object before what it holds.
pub(super) struct JsonTree<'v> {
    pub(super) nodes: Vec<JsonNode<'v>>,
}

pub(super) struct JsonNode<'v> {
    pub(super) value: &'v Value,
    pub(super) parent: usize,
    pub(super) key: Key<'v>,
    /// One behind the last value inside of it.
    pub(super) end: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Key<'v> {
    Name(&'v str),
    At(usize),
}

impl<'v> JsonTree<'v> {
    pub(super) fn new(sources: &'v [Value]) -> JsonTree<'v> {
        let mut nodes: Vec<JsonNode> = Vec::new();
        let mut open: Vec<(&Value, usize, Key)> =
            sources.iter().enumerate().rev().map(|(at, value)| (value, usize::MAX, Key::At(at))).collect();
        while let Some((value, parent, key)) = open.pop() {
            if nodes.len() >= MAX_NODES {
                break;
            }
            let at = nodes.len();
            nodes.push(JsonNode { value, parent, key, end: at + 1 });
            match value {
                Value::Object(map) => open.extend(map.iter().rev().map(|(key, value)| (value, at, Key::Name(key)))),
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().rev().map(|(n, value)| (value, at, Key::At(n))))
                }
                _ => {}
            }
        }
        for at in (0..nodes.len()).rev() {
            let (parent, end) = (nodes[at].parent, nodes[at].end);
            if let Some(parent) = nodes.get_mut(parent) {
                parent.end = parent.end.max(end);
            }
        }
        JsonTree { nodes }
    }

    /// The product that the page is about.
    pub(super) fn product(&self, titles: &[String]) -> Option<usize> {
        let is_like = |at: &usize| {
            let node = &self.nodes[*at];
            let has =
                |keys: &[&str]| keys.iter().any(|key| field(node.value, key).is_some_and(|value| !value.is_null()));
            node.value.is_object()
                && has(&TITLES)
                && (has(&PRICES) || has(&SKUS[..3]) || has(&GTINS))
                && text(node.value, &TITLES).is_some()
        };
        let like: Vec<usize> = (0..self.nodes.len()).filter(is_like).collect();
        let has_specs = |at: &usize| self.specs_node(*at).is_some();
        let titles: Vec<String> = titles.iter().map(|title| squeezed(title)).filter(|title| title.len() > 3).collect();
        let is_named = |at: &usize| {
            let name = squeezed(&text(self.nodes[*at].value, &TITLES).unwrap_or_default());
            name.len() > 3 && titles.iter().any(|title| title.contains(&name) || name.contains(title.as_str()))
        };
        let named: Vec<usize> = like.iter().copied().filter(is_named).collect();
        let with_specs = |all: &[usize]| all.iter().copied().find(has_specs);
        if let Some(&first) = named.first() {
            return with_specs(&named).or(Some(first));
        }
        let full: Vec<usize> = like.iter().copied().filter(has_specs).collect();
        let names: std::collections::BTreeSet<Option<String>> =
            full.iter().map(|&at| text(self.nodes[at].value, &TITLES)).collect();
        full.first().copied().filter(|_| names.len() == 1)
    }

    /// What holds the attributes of a product: itself, or the object around it that holds no second product.
    fn specs_node(&self, product: usize) -> Option<usize> {
        let around = self.nodes[product].parent;
        let is_alone = self.nodes.get(around).is_some_and(|node| node.value.is_object());
        let places = [Some(product), is_alone.then_some(around)];
        places.into_iter().flatten().find(|&at| specs::lists(self, at).next().is_some())
    }

    pub(super) fn state(&self, product: usize, currency: Option<&str>) -> HydrationProduct {
        let value = self.nodes[product].value;
        let of = |keys: &[&str]| text(value, keys);
        HydrationProduct {
            title: of(&TITLES),
            price: PRICES.iter().find_map(|key| amount(field(value, key)?, value, currency)),
            brand: of(&BRANDS),
            sku: of(&SKUS),
            mpn: of(&MPNS),
            gtin: GTINS.iter().filter_map(|key| scalar(field(value, key)?)).find_map(|text| gtin(&text)),
            availability: STOCK.iter().find_map(|key| availability(field(value, key)?)),
            images: images(value),
            pairs: self.specs_node(product).map(|at| specs::pairs(self, at)).unwrap_or_default(),
        }
    }

    /// The currency that the objects around a value name, the nearest first.
    pub(super) fn currency_around(&self, at: usize) -> Option<String> {
        const MAX_ABOVE: usize = 4;
        let mut around = std::iter::successors(self.nodes.get(at), |node| self.nodes.get(node.parent)).take(MAX_ABOVE);
        around.find_map(|node| currency_of(node.value))
    }

    /// The keys down to a value: `props/pageProps/product/specs/0`.
    pub(super) fn path(&self, at: usize) -> String {
        let mut keys = Vec::new();
        let mut node = self.nodes.get(at);
        while let Some(JsonNode { key, parent, .. }) = node {
            keys.push(match key {
                Key::Name(name) => (*name).to_owned(),
                Key::At(n) => n.to_string(),
            });
            node = self.nodes.get(*parent);
        }
        // The last is the number of the script.
        keys.iter().rev().skip(1).map(String::as_str).collect::<Vec<_>>().join("/")
    }
}

/// A key in lower case without marks.
pub(super) fn plain_key(key: &str) -> String {
    lower_letters(key).collect()
}

fn squeezed(text: &str) -> String {
    plain_key(&text[..text.floor_char_boundary(400)])
}

/// The member of an object under a key, whatever marks and capitals it has.
pub(super) fn field<'v>(value: &'v Value, wanted: &str) -> Option<&'v Value> {
    let map = value.as_object()?;
    map.get(wanted).or_else(|| map.iter().find(|(key, _)| is_key(key, wanted)).map(|(_, value)| value))
}

/// Whether [`plain_key`] makes a key the one that is wanted, which is in small letters of ASCII. Copies nothing: each object is asked
/// for dozens of keys.
fn is_key(key: &str, wanted: &str) -> bool {
    if key.len() >= 40 || key.len() < wanted.len() {
        return false;
    }
    if !key.is_ascii() {
        return plain_key(key) == wanted;
    }
    key.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()).eq(wanted.bytes())
}

/// A text, number or truth value as text; of an object its name, label or value.
pub(super) fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => gristmill_text::collapse(&text[..text.floor_char_boundary(1_000)]),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn text(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| {
        let found = field(value, key)?;
        scalar(found).or_else(|| ["name", "label", "value", "title"].iter().find_map(|key| scalar(field(found, key)?)))
    })
}

/// The currency that an object names.
fn currency_of(value: &Value) -> Option<String> {
    let named = ["currency", "currencycode", "pricecurrency"].iter().find_map(|key| scalar(field(value, key)?));
    named.and_then(|code| price::currency(&code).map(str::to_owned))
}

/// A price: a number or text, in an object of its own with its currency, or in parts of a hundred.
fn amount(value: &Value, product: &Value, currency: Option<&str>) -> Option<Price> {
    let value = value.as_array().and_then(|all| all.first()).unwrap_or(value);
    let currency = currency_of(value).or_else(|| currency_of(product)).or_else(|| currency.map(str::to_owned));
    if let Some(cents) = field(value, "centamount").and_then(Value::as_u64) {
        return Some(Price { amount: format!("{}.{:02}", cents / 100, cents % 100), currency });
    }
    const INNER: [&str; 9] =
        ["saleprice", "current", "amount", "value", "price", "minvalue", "minprice", "lowprice", "min"];
    let inner = scalar(value).or_else(|| INNER.iter().find_map(|key| scalar(field(value, key)?)));
    let price = price::parse_declared(&inner?, currency.as_deref())?;
    (price.value() > 0.0).then_some(price)
}

fn availability(value: &Value) -> Option<&'static str> {
    let says = |yes: bool| Some(if yes { "InStock" } else { "OutOfStock" });
    match value {
        Value::Bool(yes) => says(*yes),
        Value::String(text) => match plain_key(text) {
            text if text.ends_with("outofstock") || text.ends_with("soldout") => says(false),
            text if text.ends_with("instock") => says(true),
            _ => None,
        },
        _ => None,
    }
}

fn images(value: &Value) -> Vec<String> {
    let Some(found) = IMAGES.iter().find_map(|key| field(value, key)) else { return Vec::new() };
    let one = |image: &Value| {
        let text =
            scalar(image).or_else(|| ["url", "src", "href"].iter().find_map(|key| scalar(field(image, key)?)))?;
        (text.starts_with("http") || text.starts_with('/')).then_some(text)
    };
    match found {
        Value::Array(all) => all.iter().filter_map(one).take(MAX_IMAGES).collect(),
        image => one(image).into_iter().collect(),
    }
}
