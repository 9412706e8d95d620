//! The product in the state that a page carries for its scripts, for pages that show no attribute before a script has run.

mod find;
mod specs;
mod values;
mod variants;

use gristmill_html::Doc;
use serde_json::Value;

use crate::price::Price;
use crate::structured::{DeclaredProduct, DeclaredValue, Offer, StructuredSource};
use find::JsonTree;
use values::{parsed, pushed, vendor};
pub(crate) use variants::variants;

/// What the state says of the product of its page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HydrationProduct {
    pub(crate) title: Option<String>,
    pub(crate) price: Option<Price>,
    pub(crate) brand: Option<String>,
    pub(crate) sku: Option<String>,
    pub(crate) mpn: Option<String>,
    pub(crate) gtin: Option<String>,
    /// As in schema.org: `InStock`, `OutOfStock`.
    pub(crate) availability: Option<&'static str>,
    pub(crate) images: Vec<String>,
    pub(crate) pairs: Vec<StatePair>,
}

/// An attribute, and the keys and places in arrays down to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatePair {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) path: String,
}

/// The product of the page by its state: the one whose name the page has in its `titles`, or else the only one that has a price or
/// number and attributes. `None` where no object is like a product, or several are and none is named.
///
/// Looks at 200,000 values at most of 2 MB of scripts. O(bytes).
pub(crate) fn state(doc: &Doc, titles: &[String], currency: Option<&str>) -> Option<HydrationProduct> {
    let sources: Vec<Value> = parsed(doc);
    let tree = JsonTree::new(&sources);
    let product = tree.product(titles)?;
    Some(tree.state(product, currency))
}

/// A product by its name in what a page tells the tag manager of its views: `dataLayer.push({"ecommerce": …})`.
pub(crate) fn pushed_product(doc: &Doc, title: String, currency: Option<&str>) -> Option<HydrationProduct> {
    let sources = pushed(doc);
    let tree = JsonTree::new(&sources);
    let product = tree.product(&[title])?;
    let own = tree.currency_around(product);
    Some(tree.state(product, own.as_deref().or(currency)))
}

/// The brand of a product by its name, as the page tells the tag manager, or the scripts of Shopify.
pub(crate) fn told_brand(doc: &Doc, title: String) -> Option<String> {
    pushed_product(doc, title, None).and_then(|product| product.brand).or_else(|| vendor(doc))
}

impl HydrationProduct {
    /// Fills what no markup declares, and makes a product of the page if there is a price or an attribute.
    pub(crate) fn merge(self, markup: &mut DeclaredProduct) {
        let fill = |slot: &mut Option<DeclaredValue>, text: Option<String>| {
            if slot.is_none() {
                *slot = text.map(|text| DeclaredValue { text, markup: StructuredSource::State });
            }
        };
        markup.is_product |= self.price.is_some() || !self.pairs.is_empty();
        fill(&mut markup.title, self.title);
        fill(&mut markup.brand, self.brand);
        fill(&mut markup.sku, self.sku);
        fill(&mut markup.mpn, self.mpn);
        fill(&mut markup.gtin, self.gtin);
        if markup.images.is_empty() {
            markup.images = self.images;
        }
        if markup.offers.iter().all(|offer| offer.price.is_none()) && self.price.is_some() {
            let availability = self.availability.map(str::to_owned);
            markup.offers = vec![Offer {
                price: self.price,
                price_max: None,
                list_price: None,
                availability,
                markup: StructuredSource::State,
            }];
        }
    }
}

#[cfg(test)]
mod tests;
