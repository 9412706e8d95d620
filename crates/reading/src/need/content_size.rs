//! What a browser added to a page.

/// How much was read of one form of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentSize {
    /// Characters of main text.
    pub chars: usize,
    /// Attributes and fields of product records.
    pub pairs: usize,
}

impl ContentSize {
    /// Whether this form of a page says more than the form `before`: more attributes, or as many and more text.
    pub fn says_more_than(self, before: ContentSize) -> bool {
        (self.pairs, self.chars) > (before.pairs, before.chars)
    }

    /// Whether it says so much more that it was worth a browser: a fifth of the text, or an attribute.
    pub fn adds_to(self, before: ContentSize) -> bool {
        let has_text = self.chars * 5 >= before.chars * 6 && self.chars > before.chars;
        self.says_more_than(before) && (self.pairs > before.pairs || has_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_text_or_an_attribute_is_a_gain_and_attributes_are_not_given_up_for_text() {
        let adds = |before: (usize, usize), after: (usize, usize)| {
            let amount = |(chars, pairs)| ContentSize { chars, pairs };
            amount(after).adds_to(amount(before))
        };
        assert!(adds((500, 0), (600, 0)));
        assert!(!adds((500, 0), (599, 0)));
        assert!(adds((500, 0), (100, 4)));
        assert!(!adds((500, 4), (900, 0)));
        assert!(adds((0, 0), (1, 0)));
        assert!(!adds((0, 0), (0, 0)));
    }
}
