//! Product records of a page: attribute–value pairs, name and price.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_page::Page;
//! use gristmill_records::{RecordOptions, records};
//!
//! let html = "<h1>Lamp Nova 30</h1><div class=price>$49.90</div><button>Add to cart</button>
//!     <h2>Specifications</h2><table class=specs><tr><th>Brand</th><td>Acme</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr>
//!     <tr><th>Material</th><td>Steel</td></tr><tr><th>Color</th><td>Black</td></tr></table>";
//! let doc = Doc::parse(html, &TreeLimits::default());
//! let found = records(&Page::new(&doc), None, &RecordOptions::default());
//! let pairs: Vec<_> = found.pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect();
//! assert_eq!(pairs, [("Brand", "Acme"), ("Weight", "1.2 kg"), ("Material", "Steel"), ("Color", "Black")]);
//! assert_eq!(found.products[0].price.as_ref().unwrap().amount, "49.90");
//! ```
//!
//! Pairs come from an HMM over the DOM and from layout readers. They are merged with what the page declares in schema.org
//! markup. No I/O, no clock. Time and memory are bounded for any page.

mod accept;
mod alternative_readings;
mod amount_words;
mod bare_number;
mod buttons;
mod candidate;
pub mod cnbe;
mod contact;
mod context;
mod dictionary;
mod features;
mod groups;
mod hash;
mod heading;
mod hmm;
mod hours;
mod identity;
mod invisible;
mod labelled;
mod model;
pub mod name_induction;
mod no_product;
mod offer;
mod overrides;
mod own_rows;
mod packaging;
mod pair;
mod placeholder;
pub mod price;
mod price_classes;
mod price_row;
mod price_words;
mod product;
mod product_tables;
mod readers;
mod records;
mod second_stage;
mod sourced;
mod specification;
mod state;
mod stock;
mod structured;
pub mod training;
mod turned;
pub mod units;
mod value_suffixes;
mod variants;
mod view;
mod visible_fields;
mod visible_prices;
pub mod vocabulary;

pub use candidate::PairLayout;
pub use dictionary::{Dictionary, DictionaryError, NameKind};
pub use hmm::{
    BuiltinCharacteristic, Characteristic, Delimiter, DictionaryName, HmmOptions, LeafContext, NameCell, PathStep,
    PricePattern, RecordArea, RecordAreaLocator, StopRule, UnitPattern, weight,
};
pub use identity::ProductIdentifiers;
pub use overrides::{OverridePair, OverrideText, Overrides};
pub use pair::{Pair, PairProvenance, PairSource};
pub use product::Product;
pub use records::{MARKUPS, PairMethod, ProductRecords, RecordOptions, RecordTrace, THRESHOLD, UnknownMethod, records};
pub use sourced::SourcedValue;
pub use specification::is_specification;
pub use structured::{DeclaredProduct, DeclaredValue, Offer, Rating, StructuredSource, Variant, structured};
