//! What a user's rules say of a page, put above what was found on it.

use gristmill_html::Doc;

use crate::dictionary::Dictionary;
use crate::price;
use crate::records::{Pair, Product, Provenance, Records, Source, usual_currency};
use crate::units::quantity;

/// What rules say of one page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    pub title: Option<ToldText>,
    /// As written on the page: `1.299,00 €`.
    pub price: Option<ToldText>,
    pub pairs: Vec<ToldPair>,
}

/// A text and the rule that gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldText {
    pub text: String,
    pub rule: String,
}

/// An attribute, the rule that gave it, and the path of its element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldPair {
    pub name: String,
    pub value: String,
    pub rule: String,
    pub path: String,
}

impl Told {
    /// Whether the rules found nothing that makes a page a product page: a title alone does not.
    pub fn shows_no_product(&self) -> bool {
        self.price.is_none() && self.pairs.is_empty()
    }
}

impl Records {
    /// Puts what rules say in place of what was found: title and price each for itself, the pairs all together, so that
    /// a page with pairs by rule has no others. A price that cannot be read is passed over with a warning.
    /// A page without product gets one if the rules say anything of its price or pairs.
    pub fn impose(&mut self, told: Told, doc: &Doc, url: Option<&str>, dictionary: &Dictionary) {
        if told.shows_no_product() && self.products.is_empty() {
            return;
        }
        if self.products.is_empty() {
            self.products.push(Product { confidence: 1.0, ..Product::default() });
            // What the page was found to be without the rules is of no interest any more.
            self.warnings.clear();
        }
        if !told.pairs.is_empty() {
            self.pairs = told.pairs.into_iter().map(|pair| by_rule(pair, dictionary)).collect();
            self.products.truncate(1);
            self.products[0].attributes = (0..self.pairs.len()).collect();
        }
        let product = &mut self.products[0];
        if let Some(title) = told.title {
            product.title = Some(title.text);
            product.title_source = Some(title.rule.into());
        }
        let Some(told) = told.price else { return };
        let currency = product.price.as_ref().and_then(|price| price.currency.clone());
        let fallback = currency.or_else(|| usual_currency(doc, url).map(str::to_owned));
        match price::parse(&told.text, fallback.as_deref()) {
            Some(price) => {
                product.price = Some(price);
                product.price_source = Some(told.rule.into());
            }
            None => self.warnings.push(format!("`{}` found `{}`, which is no price", told.rule, told.text)),
        }
    }
}

fn by_rule(pair: ToldPair, dictionary: &Dictionary) -> Pair {
    Pair {
        canonical: dictionary.canonical(&pair.name).map(str::to_owned),
        quantity: quantity(&pair.value),
        name: pair.name,
        value: pair.value,
        provenance: Provenance { source: Source::Rule(pair.rule), path: pair.path, row: None },
        record: 0,
        confidence: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;

    use super::*;
    use crate::{Options, records};

    const SHOP: &str = "<html lang=de><h1>Mill</h1><p>49,00 €</p><button>In den Warenkorb</button><table><tr><th>Marke</th><td>Stein</td></tr>
        <tr><th>Gewicht</th><td>1,2 kg</td></tr><tr><th>Farbe</th><td>rot</td></tr><tr><th>Material</th><td>Holz</td></tr></table>";

    fn imposed(html: &str, told: Told) -> Records {
        let doc = Doc::parse(html, &Limits::default());
        let options = Options::default();
        let mut records = records(&doc, None, &options);
        records.impose(told, &doc, None, &options.dictionary);
        records
    }

    fn text(text: &str) -> Option<ToldText> {
        Some(ToldText { text: text.into(), rule: "r".into() })
    }

    fn pair() -> Vec<ToldPair> {
        vec![ToldPair { name: "Gewicht".into(), value: "3 kg".into(), rule: "r".into(), path: "body/p".into() }]
    }

    #[test]
    fn pairs_by_rule_replace_all_others_and_facts_replace_one_by_one() {
        let found = imposed(SHOP, Told { pairs: pair(), ..Told::default() });
        let [pair] = &found.pairs[..] else { panic!("{:?}", found.pairs) };
        assert_eq!((pair.canonical.as_deref(), pair.provenance.source.as_str()), (Some("weight"), "r"));
        assert_eq!(pair.quantity.as_ref().unwrap().numbers, [3.0]);
        assert_eq!(found.products[0].title.as_deref(), Some("Mill"));
        let found = imposed(SHOP, Told { price: text("1.299,00"), title: text("New"), ..Told::default() });
        let product = &found.products[0];
        assert_eq!((product.price.as_ref().unwrap().value(), found.pairs.len()), (1299.0, 4));
        assert_eq!((product.title.as_deref(), product.title_source.as_deref()), (Some("New"), Some("r")));
        assert_eq!(product.price.as_ref().unwrap().currency.as_deref(), Some("EUR"));
    }

    #[test]
    fn a_page_is_a_product_when_a_rule_found_pairs_or_a_price_on_it_and_not_for_a_title() {
        let text_page = "<h1>News</h1><p>The mill by the river, people said, was sold.</p>";
        assert_eq!(imposed(text_page, Told { title: text("T"), ..Told::default() }).products, []);
        let found = imposed(text_page, Told { pairs: pair(), title: text("T"), ..Told::default() });
        assert_eq!((found.products.len(), found.products[0].attributes.len()), (1, 1));
        assert!(found.warnings.is_empty());
    }

    #[test]
    fn a_price_by_rule_that_is_none_is_told_and_does_not_hide_the_one_found() {
        let found = imposed(SHOP, Told { price: text("on request"), ..Told::default() });
        assert_eq!(found.products[0].price.as_ref().unwrap().value(), 49.0);
        assert!(found.warnings.iter().any(|warning| warning.contains("`on request`")), "{:?}", found.warnings);
    }
}
