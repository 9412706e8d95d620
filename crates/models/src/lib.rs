//! The one form that trained models are kept in: named tables of numbers behind a checksum, and a card that says what the
//! model was trained on. The models that ship with the program are here, too, and the boosted trees
//! ([`trees`]) that most of them are.
//!
//! ```
//! use gristmill_models::{ModelFile, SHIPPED};
//!
//! let bytes = ModelFile::new("A model of nothing.").with("weights", vec![0.5f32, -1.0]).to_bytes();
//! let model = ModelFile::read(&bytes).unwrap();
//! assert_eq!(model.card(), "A model of nothing.");
//! assert_eq!(model.table::<f32>("weights").unwrap(), [0.5, -1.0]);
//!
//! for shipped in SHIPPED {
//!     println!("{}: {}", shipped.name, shipped.open().card());
//! }
//! ```
//!
//! A file, all numbers little-endian:
//!
//! ```text
//! "GRISTMDL"  version u32  CRC32C of all that follows u32
//! card        length u32, UTF-8
//! tables      count u32, by name ascending, each:
//!             name (length u32, UTF-8)  kind u8 (1 text, 2 i8, 3 u16, 4 u32, 5 u64, 6 f32, 7 f64)  count u32  values
//! ```
//! Texts are length u32 and UTF-8 each. No I/O, no clock.

mod bytes;
mod error;
mod file;
mod shipped;
mod table;
pub mod trees;

pub use error::ModelError;
pub use file::{ModelFile, TableValue};
pub use shipped::{BEST, BundledModel, CLG, CLG_LAYOUT, CNBE, LANGUAGE, MSS, PAGE_KIND, RECORDS, RENDERING, SHIPPED};
