//! What a user's rules say of a page, put above what was found on it.

use gristmill_html::Doc;

use crate::dictionary::Dictionary;
use crate::pair::{Pair, PairProvenance, PairSource};
use crate::price::{self, PriceStyle, usual_currency};
use crate::product::Product;
use crate::records::ProductRecords;

/// What rules say of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    pub title: Option<OverrideText>,
    /// As written on the page: `1.299,00 €`.
    pub price: Option<OverrideText>,
    pub pairs: Vec<OverridePair>,
}

/// A text and the rule that gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideText {
    pub text: String,
    pub rule: String,
}

/// An attribute, the rule that gave it, and the path of its element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverridePair {
    pub name: String,
    pub value: String,
    pub rule: String,
    pub path: String,
}

impl Overrides {
    /// Whether the rules found nothing that makes a page a product page: a title alone does not.
    pub fn shows_no_product(&self) -> bool {
        self.price.is_none() && self.pairs.is_empty()
    }
}

impl ProductRecords {
    /// Puts what rules say in place of what was found: title and price each for itself, the pairs all together, so that
    /// a page with pairs by rule has no others. A price that cannot be read is passed over with a warning.
    /// A page without product gets one if the rules say anything of its price or pairs.
    pub fn override_with(&mut self, overrides: Overrides, doc: &Doc, url: Option<&str>, dictionary: &Dictionary) {
        if overrides.shows_no_product() && self.products.is_empty() {
            return;
        }
        if self.products.is_empty() {
            self.products.push(Product { confidence: 1.0, ..Product::default() });
            // What the page was found to be without the rules is of no interest any more.
            self.warnings.clear();
        }
        if !overrides.pairs.is_empty() {
            self.pairs = overrides.pairs.into_iter().map(|pair| by_rule(pair, dictionary)).collect();
            self.products.truncate(1);
            self.products[0].attributes = (0..self.pairs.len()).collect();
        }
        let product = &mut self.products[0];
        if let Some(title) = overrides.title {
            product.title = Some(title.text);
            product.title_source = Some(title.rule.into());
        }
        let Some(overrides) = overrides.price else { return };
        let currency = product.price.as_ref().and_then(|price| price.currency.clone());
        let fallback = currency.or_else(|| usual_currency(doc, url).map(str::to_owned));
        let habits = PriceStyle { currency: fallback.as_deref(), ..PriceStyle::default() };
        match price::parse_field(&overrides.text, habits) {
            Some(price) => {
                product.price = Some(price);
                product.price_max = None;
                product.price_source = Some(overrides.rule.into());
            }
            None => self.warnings.push(format!("`{}` found `{}`, which is no price", overrides.rule, overrides.text)),
        }
    }
}

fn by_rule(pair: OverridePair, dictionary: &Dictionary) -> Pair {
    let provenance = PairProvenance { source: PairSource::Rule(pair.rule), path: pair.path, row: None };
    Pair::of(dictionary, pair.name, pair.value, provenance, 1.0)
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;
    use gristmill_page::Page;

    use super::*;
    use crate::{RecordOptions, records};

    const SHOP: &str = "<html lang=de><h1>Mill</h1><p>49,00 €</p><button>In den Warenkorb</button><table><tr><th>Marke</th><td>Stein</td></tr>
        <tr><th>Gewicht</th><td>1,2 kg</td></tr><tr><th>Farbe</th><td>rot</td></tr><tr><th>Material</th><td>Holz</td></tr></table>";

    fn overridden(html: &str, overrides: Overrides) -> ProductRecords {
        let doc = Doc::parse(html, &TreeLimits::default());
        let options = RecordOptions::default();
        let mut records = records(&Page::new(&doc), None, &options);
        records.override_with(overrides, &doc, None, &options.dictionary);
        records
    }

    fn text(text: &str) -> Option<OverrideText> {
        Some(OverrideText { text: text.into(), rule: "r".into() })
    }

    fn pair() -> Vec<OverridePair> {
        vec![OverridePair { name: "Gewicht".into(), value: "3 kg".into(), rule: "r".into(), path: "body/p".into() }]
    }

    #[test]
    fn pairs_by_rule_replace_all_others_and_facts_replace_one_by_one() {
        let found = overridden(SHOP, Overrides { pairs: pair(), ..Overrides::default() });
        let [pair] = &found.pairs[..] else { panic!("{:?}", found.pairs) };
        assert_eq!((pair.canonical.as_deref(), pair.provenance.source.as_str()), (Some("weight"), "r"));
        assert_eq!(pair.quantity.as_ref().unwrap().numbers, [3.0]);
        assert_eq!(found.products[0].title.as_deref(), Some("Mill"));
        let found = overridden(SHOP, Overrides { price: text("1.299,00"), title: text("New"), ..Overrides::default() });
        let product = &found.products[0];
        assert_eq!((product.price.as_ref().unwrap().value(), found.pairs.len()), (1299.0, 4));
        assert_eq!((product.title.as_deref(), product.title_source.as_deref()), (Some("New"), Some("r")));
        assert_eq!(product.price.as_ref().unwrap().currency.as_deref(), Some("EUR"));
    }

    #[test]
    fn a_page_is_a_product_when_a_rule_found_pairs_or_a_price_on_it_and_not_for_a_title() {
        let text_page = "<h1>News</h1><p>The mill by the river, people said, was sold.</p>";
        assert_eq!(overridden(text_page, Overrides { title: text("T"), ..Overrides::default() }).products, []);
        let found = overridden(text_page, Overrides { pairs: pair(), title: text("T"), ..Overrides::default() });
        assert_eq!((found.products.len(), found.products[0].attributes.len()), (1, 1));
        assert!(found.warnings.is_empty());
    }

    #[test]
    fn a_price_by_rule_that_is_none_is_told_and_does_not_hide_the_one_found() {
        let found = overridden(SHOP, Overrides { price: text("on request"), ..Overrides::default() });
        assert_eq!(found.products[0].price.as_ref().unwrap().value(), 49.0);
        assert!(found.warnings.iter().any(|warning| warning.contains("`on request`")), "{:?}", found.warnings);
    }
}
