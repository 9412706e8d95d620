//! A field of a product, where it came from and how sure it is.

use std::borrow::Cow;

/// What is known, with its source.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcedValue<T = String> {
    /// Texts as written, white space collapsed.
    pub value: T,
    /// A markup (`json-ld`), a layout (`table-row`), a place of the page (`h1`, `text`), or a rule.
    pub source: Cow<'static, str>,
    /// 1 for what is declared; for what can be seen the probability of the pair, or the share of the development pages that declare the
    /// same (`docs/records.md`).
    pub confidence: f32,
}

impl<T> SourcedValue<T> {
    pub(crate) fn new(value: T, source: &'static str, confidence: f32) -> SourcedValue<T> {
        SourcedValue { value, source: source.into(), confidence }
    }
}
