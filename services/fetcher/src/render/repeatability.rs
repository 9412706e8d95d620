//! Pages that are drawn twice, to see whether a site draws the same page each time.

use gristmill_html::{Doc, TreeLimits};
use gristmill_runtime::label_values;
use xxhash_rust::xxh3::xxh3_64;

use super::agreement::{SAME, agreement};

label_values! {
    /// How a page that was drawn twice came out.
    pub(crate) enum Repeatability {
        Same = "same",
        Differs = "differs",
        /// The second time the browser gave up.
        Failed = "failed",
    }
}

/// Whether the page at `url` is one of those, of which there is one in `every`; 0 is none. It depends on the address alone, so that
/// the same page has the same fate after a crash.
pub(crate) fn is_chosen(url: &str, every: u64) -> bool {
    every > 0 && xxh3_64(url.as_bytes()).is_multiple_of(every)
}

/// Which part of their words two drawings have in common, where that is so little that they are not the same. O(text).
pub(crate) fn difference(first: &str, second: &str) -> Option<f64> {
    let parse = |html: &str| Doc::parse(html, &TreeLimits::default());
    Some(agreement(&parse(first), &parse(second))).filter(|agreement| *agreement < SAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_in_so_many_is_chosen() {
        let of = |every| (0..10_000).filter(|n| is_chosen(&format!("http://a.test/{n}"), every)).count();
        assert_eq!((of(0), of(1)), (0, 10_000));
        assert!((150..250).contains(&of(50)), "{} of 10,000", of(50));
    }

    #[test]
    fn drawings_that_share_nine_words_in_ten_are_the_same() {
        let page = |word: &str| format!("<p>nine words of ten are the same as before: {word}</p>");
        assert_eq!(difference(&page("one"), &page("two")), None);
        assert_eq!(difference(&page("one"), "<p>one</p>"), Some(2.0 / 11.0));
    }
}
