//! Words in class, id and role attributes, by what they say of the text below them.

use std::sync::LazyLock;

use gristmill_page::class_words::{ClassWordList, class_words};

pub(super) use gristmill_page::attribute_words::for_each_word;
pub(super) use gristmill_text::ByHash;

/// Groups of class words, in the order in which the model knows them.
#[rustfmt::skip]
pub(super) const GROUPS: [&str; 36] = [
    "article", "content", "body", "main", "post", "answer", "comment", "user", "byline", "tags", "title", "lead",
    "caption", "nav", "breadcrumb", "header", "footer", "side", "related", "share", "promo", "newsletter", "consent",
    "popup", "hidden", "form", "product", "price", "spec", "rating", "filter", "pages", "grid", "toc", "code", "section",
];

static BY_WORD: LazyLock<ByHash<u64>> = LazyLock::new(|| class_words(ClassWordList::Best, &GROUPS));

/// The groups of a word.
pub(super) fn groups_of_word(word: u64) -> u64 {
    BY_WORD.get(&word).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(value: &str) -> Vec<&'static str> {
        let mut bits = 0;
        for_each_word(value, |word| bits |= groups_of_word(word));
        GROUPS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| *name).collect()
    }

    #[test]
    fn words_are_matched_between_boundaries_only() {
        assert_eq!(groups("articleBody"), ["article", "body"]);
        assert_eq!(groups("post-content__more"), ["content", "post", "related"]);
        assert!(groups("subheader read composting").is_empty());
        assert!(groups(&"x".repeat(10_000)).is_empty());
    }
}
