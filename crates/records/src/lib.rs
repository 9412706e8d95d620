//! Product records from a page: attribute–value pairs by an HMM over the DOM and layout readers, merged with schema.org.
//!
//! Bytes in, values out: no I/O, no clock, bounded time and memory for any page.

mod accept;
mod candidate;
pub mod cnbe;
mod context;
mod dictionary;
mod features;
mod hash;
mod heading;
mod hmm;
pub mod learn;
mod many;
mod model;
mod overrides;
mod packaging;
pub mod price;
mod price_words;
mod readers;
mod records;
mod second;
mod structured;
pub mod training;
pub mod units;
mod view;
mod visible;

pub use candidate::Layout;
pub use dictionary::{Dictionary, DictionaryError, Kind};
pub use hmm::{
    Area, Characteristic, Container, Delimiter, HmmOptions, Known, LeafContext, NameCell, PricePattern, Sign, Step,
    Stop, UnitPattern, weight,
};
pub use overrides::{OverridePair, OverrideText, Overrides};
pub use records::{
    MARKUPS, Method, Options, Pair, Product, Provenance, Records, Source, THRESHOLD, Trace, UnknownMethod, records,
};
pub use structured::{Field, Markup, Offer, Rating, Structured, Variant, structured};
