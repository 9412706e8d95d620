//! Whether a page is drawn the same each time.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName};
use gristmill_text::{CharacterSegmenter, for_each_word};

/// From this agreement on two drawings of a page count as the same. Clocks, counters and the order of things change less than that.
pub const SAME: f64 = 0.9;

/// Which part of their words two drawings of a page have in common: twice the words of both over the words of each, 0 to 1.
///
/// Words stand outside of scripts, styles and templates; in scripts without spaces between words each character is one. Their order does
/// not count. Two pages without words agree. O(text).
pub fn agreement(first: &Doc, second: &Doc) -> f64 {
    let mut words: HashMap<&str, u64> = HashMap::new();
    let (mut of_first, mut of_second) = (0u64, 0u64);
    each_word(first, |word| {
        of_first += 1;
        *words.entry(word).or_default() += 1;
    });
    let mut common = 0u64;
    each_word(second, |word| {
        of_second += 1;
        if let Some(left) = words.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    });
    let all = of_first + of_second;
    if all == 0 { 1.0 } else { 2.0 * common as f64 / all as f64 }
}

/// Calls `take` with each word.
fn each_word<'d>(doc: &'d Doc, mut take: impl FnMut(&'d str)) {
    let mut at = 0;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        if doc.is_text(id) {
            for_each_word(doc.text(id), &CharacterSegmenter, &mut take);
        } else if matches!(
            doc.name(id),
            LocalName::SCRIPT | LocalName::STYLE | LocalName::TEMPLATE | LocalName::NOSCRIPT
        ) {
            at = doc.end(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn of(first: &str, second: &str) -> f64 {
        let parse = |html: &str| Doc::parse(html, &TreeLimits::default());
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
