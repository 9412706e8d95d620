//! Which language a text is in, and how sure that is.
//!
//! ```
//! use gristmill_text::language::identify;
//!
//! let found = identify("Der Müller mahlt das Korn der Bauern, und der Bäcker holt das Mehl.", None);
//! assert_eq!(found.language, Some("de"));
//! assert!(found.score.unwrap() > 0.9);
//! assert_eq!(found.script, Some("Latn"));
//!
//! // What a page claims decides where the text does not.
//! assert_eq!(identify("Hotel", Some("fr-FR")).language, Some("fr"));
//! ```
//!
//! A softmax regression over hashed n-grams of one to five letters, for each script that several languages share; the other languages
//! are told by their script. [`training`] fits it. No I/O, no clock; linear in the text, and for most texts much less.

mod chinese;
mod identify;
mod languages;
mod model;
mod ngrams;
mod sample;
mod scorer;
mod script;
pub mod training;

pub use identify::{LanguageShare, TextLanguage, identify, language};
