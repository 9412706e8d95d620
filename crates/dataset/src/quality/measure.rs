//! All signals of one text, one part after the other.

use super::signal::{Signal, TextSignals};
use super::tokens::Tokens;
use super::{lines, repetition, sentences, stop_words};

impl TextSignals {
    /// Measures a text. `language` is a code of ISO 639, or empty; function words and some limits depend on it.
    pub fn of(text: &str, language: &str) -> TextSignals {
        let mut signals = TextSignals::unmeasured(language);
        let tokens = Tokens::of(text);
        tokens.measure(text, &mut signals);
        signals.set(Signal::StopWords, stop_words::count(text, &tokens, language) as f64);
        lines::measure(text, &tokens, &mut signals);
        repetition::measure(text, &tokens, &mut signals);
        sentences::measure(text, &mut signals);
        signals
    }
}
