//! Filler text: words without a sense that designers put where a text will stand.

use super::LanguageSource;

/// The words of Cicero, and of nobody, that filler texts are shuffled from.
const WORDS: &str = include_str!("filler.txt");

/// Lines of these words in changing order, the best known beginning among them.
pub(super) fn source() -> LanguageSource {
    const LINES: usize = 3_000;
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut random = super::Random::new(7);
    let line = |at: usize| {
        let length = 8 + random.index(12);
        let mut line = if at.is_multiple_of(3) {
            "lorem ipsum dolor sit amet consectetur adipiscing elit".to_owned()
        } else {
            String::new()
        };
        for _ in 0..length {
            line.push(' ');
            line.push_str(words[random.index(words.len())]);
        }
        line
    };
    LanguageSource { texts: (0..LINES).map(line).collect(), counts: None }
}
