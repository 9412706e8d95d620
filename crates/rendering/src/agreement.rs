//! Whether a page is drawn the same each time.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use gristmill_html::{Doc, Name};

/// From this agreement on two drawings of a page count as the same. Clocks, counters and the order of things change less than that.
pub const SAME: f64 = 0.9;

/// The first code point of East Asian scripts, which put no spaces between words: there each character counts as one.
const EAST_ASIA: char = '\u{2e80}';

/// Which part of their words two drawings of a page have in common: twice the words of both over the words of each, 0 to 1.
///
/// Words are runs of letters and digits outside of scripts, styles and templates, wherever they stand: the order does not count. Two pages
/// without words agree. O(text).
pub fn agreement(first: &Doc, second: &Doc) -> f64 {
    let mut words: HashMap<u64, i64> = HashMap::new();
    let (mut of_first, mut of_second) = (0u64, 0u64);
    each_word(first, |word| {
        of_first += 1;
        *words.entry(word).or_default() += 1;
    });
    let mut common = 0u64;
    each_word(second, |word| {
        of_second += 1;
        if let Some(left) = words.get_mut(&word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    });
    let all = of_first + of_second;
    if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 }
}

/// Calls `take` with a hash of each word.
fn each_word(doc: &Doc, mut take: impl FnMut(u64)) {
    let mut at = 0;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        if doc.is_text(id) {
            words_of(doc.text(id), &mut take);
        } else if matches!(doc.name(id), Name::SCRIPT | Name::STYLE | Name::TEMPLATE | Name::NOSCRIPT) {
            at = doc.end(id);
        }
    }
}

fn words_of(text: &str, take: &mut impl FnMut(u64)) {
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let end = match first {
                EAST_ASIA.. => first.len_utf8(),
                _ => rest.find(|c| c >= EAST_ASIA).unwrap_or(rest.len()),
            };
            take(hash(&rest[..end]));
            rest = &rest[end..];
        }
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use gristmill_html::Limits;

    use super::*;

    fn of(first: &str, second: &str) -> f64 {
        let parse = |html: &str| Doc::parse(html, &Limits::default());
        agreement(&parse(first), &parse(second))
    }

    #[test]
    fn the_order_of_words_and_what_scripts_say_do_not_count() {
        assert_eq!(of("<p>rye and oats</p>", "<script>let x = 1</script><b>oats</b>, <i>and rye</i>"), 1.0);
        assert_eq!(of("", "<style>p { top: 0 }</style>"), 1.0);
        assert_eq!(of("<p>rye</p>", "<p>oats</p>"), 0.0);
        assert_eq!(of("<p>rye</p>", ""), 0.0);
    }

    #[test]
    fn a_word_counts_as_often_as_both_have_it() {
        assert_eq!(of("<p>rye rye rye oats</p>", "<p>rye wheat barley oats</p>"), 0.5);
        assert_eq!(of("<p>rye</p>", "<p>rye rye rye</p>"), 0.5);
    }

    #[test]
    fn where_words_have_no_spaces_between_them_characters_count() {
        assert_eq!(of("<p>黑麦面粉</p>", "<p>黑麦面包</p>"), 0.75);
        assert_eq!(of("<p>USB线</p>", "<p>USB 线</p>"), 1.0);
    }
}
