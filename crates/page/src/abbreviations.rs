//! What abbreviations stand for, where the page says it.

use std::collections::HashSet;

use gristmill_html::{Doc, LocalName, NodeId};

/// Writes the meaning behind the first `abbr` of each: `WHO` becomes `WHO (World Health Organization)`. O(nodes + text of titles).
pub(crate) fn write(doc: &mut Doc) {
    let title = doc.find_name("title").unwrap_or(LocalName::TITLE);
    let mut known = HashSet::new();
    let abbreviations: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::ABBR).collect();
    for id in abbreviations {
        let Some(meaning) = doc.attr(id, title).map(str::trim) else { continue };
        let Some(last) = doc.last_child(id).filter(|&last| doc.is_text(last) && doc.first_child(id) == Some(last))
        else {
            continue;
        };
        let text = doc.text(last).trim();
        if explains(text, meaning) && !is_said(doc, id, meaning) && known.insert(text.to_owned()) {
            let written = format!("{text} ({meaning})");
            doc.set_text(last, &written);
        }
    }
}

/// Whether a title says what the letters of an abbreviation stand for, and not when, where or how.
fn explains(text: &str, meaning: &str) -> bool {
    const MAX_BYTES: usize = 80;
    let mut letters = meaning.chars().flat_map(char::to_lowercase);
    let first = |text: &str| text.chars().next().map(|c| c.to_lowercase().to_string());
    (2..=12).contains(&text.len())
        && meaning.len() <= MAX_BYTES
        && meaning.len() > text.len() + 2
        && first(text) == first(meaning)
        && text.chars().any(char::is_uppercase)
        && text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).all(|c| letters.any(|l| l == c))
        && !text.contains(|c: char| c.is_ascii_digit() || c.is_whitespace())
}

/// Whether the text beside an abbreviation has its meaning.
fn is_said(doc: &Doc, id: NodeId, meaning: &str) -> bool {
    let beside = |id: Option<NodeId>| id.map(|id| doc.text(id).trim()).unwrap_or("");
    let (before, behind) = (beside(doc.prev_sibling(id)), beside(doc.next_sibling(id)));
    before.ends_with('(') || behind.starts_with('(') || before.ends_with(meaning) || doc.is_foreign(id)
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn the_first_of_each_says_what_it_stands_for() {
        for (html, expected) in [
            (
                "<abbr title='World Health Organization'>WHO</abbr> <abbr title='World Health Organization'>WHO</abbr>",
                "WHO (World Health Organization) WHO",
            ),
            ("World Bank (<abbr title='World Bank'>WB</abbr>)", "World Bank (WB)"),
            ("<abbr title='2024-05-01T10:00'>May</abbr>", "May"),
            ("<abbr title='Monday to Friday'>Mon</abbr>", "Mon (Monday to Friday)"),
            ("<abbr title='View this template'>v</abbr>", "v"),
            ("<abbr title='born'>b.</abbr>", "b."),
        ] {
            let mut doc = Doc::parse(html, &TreeLimits::default());
            write(&mut doc);
            assert_eq!(doc.text_content(NodeId::DOCUMENT), expected, "{html}");
        }
    }
}
