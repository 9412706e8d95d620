//! Signals of the quality of a text, and the rules of known corpora over them.
//!
//! A signal is a number ([`Signal`]), a rule says how small or large one may be ([`QualityRules`]), and a refusal names rule,
//! value and limit.
//!
//! ```
//! use gristmill_dataset::quality::{QualityRules, Signal, TextSignals};
//!
//! let text = "Rye.\nRye.\nRye.\nWheat and rye are ground in the mill by the river, and that is all there is to say.";
//! let signals = TextSignals::of(text, "en");
//! assert_eq!(signals.get(Signal::RepeatedLines), 0.5);
//!
//! let rules: QualityRules = "gopher".parse()?;
//! let refusal = rules.refuses(&signals).unwrap();
//! assert_eq!((refusal.set, refusal.rule), ("gopher-repetition", "lines"));
//! # Ok::<(), gristmill_dataset::quality::UnknownRules>(())
//! ```
//!
//! No I/O, no clock. Time and memory are linear in the text.

mod lines;
mod measure;
mod repetition;
mod rules;
mod sentences;
mod signal;
mod stop_words;
mod tokens;

pub use rules::{QualityRules, Refusal, UnknownRules};
pub use signal::{Signal, TextSignals};
