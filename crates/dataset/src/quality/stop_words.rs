//! Function words of each language.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_text::{Hashes, hash, is_unspaced};

use super::tokens::Tokens;

static TABLE: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("stop_words.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).map(|(code, words)| (code, words.split(' ').collect())).collect()
});
/// What a text gets of whose language no words are known: enough.
const UNKNOWN: usize = 2;

/// How many different function words of its language a text has, as they are written in the table.
pub fn count(text: &str, tokens: &Tokens, language: &str) -> usize {
    let Some(words) = TABLE.get(language.split('-').next().unwrap_or_default()) else { return UNKNOWN };
    if words.iter().all(|word| word.starts_with(is_unspaced)) {
        return words.iter().filter(|word| text.contains(**word)).count();
    }
    let wanted: Hashes = words.iter().map(|word| hash(word.as_bytes())).collect();
    let met: Hashes = tokens.kept.iter().map(|token| token.hash).filter(|hash| wanted.contains(hash)).collect();
    met.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_eight_words_or_more() {
        assert!(TABLE.len() > 60);
        for (code, words) in TABLE.iter() {
            assert!(words.len() >= 8 && words.iter().all(|word| !word.is_empty()), "{code}");
        }
    }

    #[test]
    fn different_words_of_the_language_count() {
        let of = |text: &str, language| count(text, &Tokens::of(text), language);
        assert_eq!((of("the the mill of the town", "en"), of("the mill", "de"), of("x", "xx")), (2, 0, 2));
        assert_eq!((of("磨坊的水是冷的", "zh"), of("Die Mühle und der Fluss", "de-AT")), (2, 2));
    }
}
