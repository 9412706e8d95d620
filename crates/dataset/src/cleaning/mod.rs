//! Personal data, which is taken out of texts.
//!
//! ```
//! use gristmill_dataset::cleaning::{PersonalData, mask};
//!
//! let masked = mask("Write to ann@mill.example or call +49 30 1234567.").unwrap();
//! assert_eq!(masked.text, "Write to [email] or call [phone].");
//! assert_eq!(masked.count(PersonalData::Phone), 1);
//! ```
//!
//! No I/O, no clock. Time and memory are linear in the text.

mod bank;
mod mail;
mod mask;
mod network;
mod numbers;
mod phone;

pub use mask::{MaskedText, PersonalData, mask};
