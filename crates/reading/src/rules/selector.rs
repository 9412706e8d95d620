//! A selector, and whether it means the element's text or one of its attributes.

use gristmill_html::{Doc, NodeId};
use scraper::Selector;
use scraper::error::SelectorErrorKind;

use crate::rules::error::RuleError;

/// Most characters of a text that a rule picks.
const MAX_CHARS: usize = 10_000;

#[derive(Debug, Clone)]
pub(crate) struct SelectorTarget {
    pub(crate) selector: Selector,
    attribute: Option<String>,
}

impl SelectorTarget {
    /// Reads `selector`, which stands at `rule` in the settings.
    pub(crate) fn parse(selector: &str, rule: &str) -> Result<SelectorTarget, RuleError> {
        let inner = selector.trim();
        let split = inner.strip_suffix(')').and_then(|inner| inner.rsplit_once("::attr("));
        let (css, attribute) = match split {
            Some((css, name)) => (css, Some(name.trim().to_ascii_lowercase())),
            None => (inner, None),
        };
        let selector = Selector::parse(css).map_err(|error| RuleError::Selector {
            rule: rule.to_owned(),
            selector: selector.to_owned(),
            reason: reason(css, &error),
        })?;
        Ok(SelectorTarget { selector, attribute })
    }

    /// Reads a selector that may only mean elements.
    pub(crate) fn element(selector: &str, rule: &str) -> Result<Selector, RuleError> {
        let pick = SelectorTarget::parse(selector, rule)?;
        match pick.attribute {
            None => Ok(pick.selector),
            Some(_) => Err(RuleError::Attribute { rule: rule.to_owned(), selector: selector.to_owned() }),
        }
    }

    /// What is meant of an element that the selector found; `None` if that is blank.
    pub(crate) fn text(&self, doc: &Doc, id: NodeId) -> Option<String> {
        let text = match &self.attribute {
            Some(name) => collapse(doc.attr(id, doc.find_name(name)?)?),
            None => collapse(&doc.readable(id, MAX_CHARS)),
        };
        (!text.is_empty()).then_some(text)
    }
}

/// What is wrong with a selector, in words for who wrote it.
fn reason(css: &str, error: &SelectorErrorKind) -> String {
    match error {
        _ if css.is_empty() => "it is missing or empty".to_owned(),
        SelectorErrorKind::UnexpectedSelectorParseError(_) if css.contains("::") => {
            "of what begins with `::` only `::attr(NAME)`, at the end, is known".to_owned()
        }
        SelectorErrorKind::UnexpectedSelectorParseError(_) => "it does not read as CSS".to_owned(),
        _ => error.to_string(),
    }
}

fn collapse(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MAX_CHARS {
            break;
        }
    }
    out
}
