//! One attribute of a product, and where it was read.

use crate::candidate::PairLayout;
use crate::dictionary::Dictionary;
use crate::structured::StructuredSource;
use crate::units::{Quantity, quantity};

/// What found a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairSource {
    /// The layout that was read.
    Layout(PairLayout),
    /// The name stands in an attribute, from where a style sheet shows it; the page shows no pair otherwise.
    Attribute,
    /// The state that the page carries for its scripts; the page shows no pair.
    State,
    /// A user's rule, by its place in the settings.
    Rule(String),
}

impl PairSource {
    /// The name of the layout or rule.
    pub fn as_str(&self) -> &str {
        match self {
            PairSource::Layout(layout) => layout.as_str(),
            PairSource::Attribute => "attribute",
            PairSource::State => StructuredSource::State.as_str(),
            PairSource::Rule(rule) => rule,
        }
    }
}

/// Where a pair stands on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairProvenance {
    /// What found it.
    pub source: PairSource,
    /// Tags from `body` to the element of the pair, with position among equal siblings: `body/div[2]/table/tr[3]`. Of the state the
    /// keys down to its list: `props/pageProps/product/specs`.
    pub path: String,
    /// The row of the page's text that the name stands in, from 0; `None` for pairs of rules.
    pub row: Option<u32>,
}

/// One attribute of the product.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The name as written, marks around it removed.
    pub name: String,
    /// The value as written, lines joined by spaces.
    pub value: String,
    /// The name of its synonym group (`brand` for `品牌`), if the dictionary knows it.
    pub canonical: Option<String>,
    /// The value as numbers and unit, if it is nothing else.
    pub quantity: Option<Quantity>,
    /// Where it stands.
    pub provenance: PairProvenance,
    /// Which record of the page it belongs to: 0 for the page's product, 1… for the rows of a table of records.
    pub record: u32,
    /// Probability that it is an attribute of the product; 1 for the methods without a model.
    pub confidence: f32,
}

impl Pair {
    /// A pair of the page's product, with what `dictionary` knows of its name and the quantity that its value is.
    pub(crate) fn of(
        dictionary: &Dictionary,
        name: String,
        value: String,
        provenance: PairProvenance,
        confidence: f32,
    ) -> Pair {
        let canonical = dictionary.canonical(&name).map(str::to_owned);
        Pair { canonical, quantity: quantity(&value), name, value, provenance, record: 0, confidence }
    }
}
