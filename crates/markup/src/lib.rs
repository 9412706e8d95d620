//! Structured data that a page declares, as items with properties: their common form, and a tolerant reader of JSON-LD.
//!
//! ```
//! use gristmill_markup::{Items, read};
//!
//! let mut items = Items::default();
//! let script = r#"{"@type": "Product", "name": "Hand mill", "offers": {"price": "49.00"},}"#; // one comma too many
//! assert!(read(script, &mut items));
//! let product = &items.items[0];
//! assert!(product.is("Product"));
//! assert_eq!(product.text("name"), Some("Hand mill"));
//! let offer = items.get(product.all("offers").next().unwrap()).unwrap();
//! assert_eq!(offer.text("price"), Some("49.00"));
//! ```
//!
//! No I/O, no clock, no recursion. Time and memory are bounded for any script.

mod items;
mod json_ld;
mod repair;

pub use items::{Content, Item, Items, local};
pub use json_ld::{MAX_SCRIPT, read};
