//! Exponents, indices and readings of characters: what stands above or below the line of its word must not run into it.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::is_block;

use super::style::short_style;

/// How a run stands to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Above,
    Below,
    /// The reading of characters, where the page has no brackets for browsers that do not know `ruby`.
    Reading,
}

/// What tells a raised or lowered run from the word that it stands at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RaisedForm {
    /// Nothing is needed: `3rd`, `Mme`, or it stands alone.
    Same,
    /// Other characters say it: `10⁶`, `H₂O`, `™`, `漢（かん）`.
    Characters(String),
    /// Only marks do: `<sup>` in Markdown, `^(…)` in text.
    Marks,
}

/// Longer runs are small print of their own.
const MAX_CHARS: usize = 24;

/// Whether a page has any such element: asked once for each rendering. O(nodes).
pub(super) fn is_in(doc: &Doc) -> bool {
    doc.ids().any(|id| {
        matches!(doc.name(id), LocalName::SUP | LocalName::SUB | LocalName::RT) || by_style(doc, id).is_some()
    })
}

/// The level of a text node, from the elements between it and its block.
pub(super) fn level(doc: &Doc, leaf: NodeId) -> Option<Level> {
    let mut level = None;
    for id in doc.ancestors(leaf) {
        let found = match doc.name(id) {
            LocalName::SUP => Some(Level::Above).filter(|_| !is_in_brackets(doc, id)),
            LocalName::SUB => Some(Level::Below),
            LocalName::RT if !has_brackets(doc, id) => Some(Level::Reading),
            // Code is as it stands.
            LocalName::SPAN => by_style(doc, id),
            LocalName::CODE | LocalName::KBD | LocalName::SAMP | LocalName::TT => return None,
            name if is_block(name) => break,
            _ => None,
        };
        level = level.or(found);
    }
    level
}

/// Whether what is raised has brackets of its own, as references have: `[1]` runs into nothing.
fn is_in_brackets(doc: &Doc, raised: NodeId) -> bool {
    const MAX_NODES: usize = 8;
    let mut texts = doc.subtree(raised).take(MAX_NODES).map(|id| doc.text(id).trim_start());
    texts.find(|text| !text.is_empty()).is_some_and(|text| text.starts_with('['))
}

/// What the style of an element says, as word processors write it.
fn by_style(doc: &Doc, id: NodeId) -> Option<Level> {
    let style = Some(id).filter(|&id| doc.name(id) == LocalName::SPAN).and_then(|id| short_style(doc, id))?;
    let (_, value) = style.split_once("vertical-align:")?;
    let value = value.trim_start();
    let levels = [("super", Level::Above), ("sub", Level::Below)];
    levels.into_iter().find(|(said, _)| value.starts_with(said)).map(|(_, level)| level)
}

fn has_brackets(doc: &Doc, reading: NodeId) -> bool {
    doc.parent(reading).is_some_and(|ruby| doc.children(ruby).any(|id| doc.name(id) == LocalName::RP))
}

/// What a run needs behind this text.
pub(super) fn form(level: Level, before: &str, text: &str) -> RaisedForm {
    if before.is_empty() || before.ends_with(char::is_whitespace) {
        return RaisedForm::Same;
    }
    if text.is_empty()
        || text.starts_with(char::is_whitespace)
        || text.chars().count() > MAX_CHARS
        || text.contains('\n')
    {
        return RaisedForm::Same;
    }
    match level {
        Level::Reading => RaisedForm::Characters(format!("（{text}）")),
        Level::Above => above(before, text),
        Level::Below => match text.chars().map(lowered).collect() {
            Some(characters) => RaisedForm::Characters(characters),
            None => marks(text),
        },
    }
}

/// Whether letters behind a number refer to remarks below a table, as `61.5ᵇ` and `8ᵃᵇ` do, and no ordinal ends with them.
fn refers_to_remark(before: &str, text: &str) -> bool {
    let number = before.rsplit(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).next().unwrap_or("");
    let is_decimal = number.contains(['.', ',']);
    let ascends = || text.bytes().zip(text.bytes().skip(1)).all(|(one, next)| one < next);
    if number.is_empty() || !text.bytes().all(|byte| (b'a'..=b'r').contains(&byte)) {
        return false;
    }
    match text.len() {
        // French has ordinals of any length: `150e`.
        1 => is_decimal || number.len() > 2 && text != "e",
        2..=4 => ascends() && text.bytes().all(|byte| byte <= b'h') && text != "de",
        _ => false,
    }
}

fn above(before: &str, text: &str) -> RaisedForm {
    if refers_to_remark(before, text) {
        return RaisedForm::Marks;
    }
    let before = before.chars().next_back().unwrap_or(' ');
    match text {
        "TM" | "tm" => return RaisedForm::Characters("™".to_owned()),
        "SM" | "sm" => return RaisedForm::Characters("℠".to_owned()),
        _ => {}
    }
    // The letter of a remark below a table: `mean (years)ᵃ`.
    if matches!(before, ')' | ']' | '%') && text.len() == 1 && text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return RaisedForm::Marks;
    }
    // Words that stand apart anyway.
    if !before.is_alphanumeric() && text.chars().any(|c| c.is_alphabetic()) {
        return RaisedForm::Same;
    }
    // `3rd`, `Mme`, `nº`; a single letter may be an exponent.
    let is_word = text.chars().all(|c| c.is_alphabetic() || c == '.');
    // Behind letters some are: `XIXe`, `no`, `Dr`; others refer to what is below a table.
    let is_ordinal = matches!(text, "e" | "o" | "r" | "º" | "ª") || text == "a" && !before.is_alphabetic();
    let is_greek = |c: char| matches!(c, 'α'..='ω' | 'Α'..='Ω');
    if before.is_ascii_alphabetic() && text.chars().any(is_greek) {
        return RaisedForm::Marks;
    }
    if is_word && (text.chars().count() > 1 || is_ordinal || before.is_ascii_punctuation()) {
        return RaisedForm::Same;
    }
    match text.chars().map(raised).collect() {
        Some(characters) => RaisedForm::Characters(characters),
        None => marks(text),
    }
}

/// References in brackets, asterisks and signs of their own need nothing.
fn marks(text: &str) -> RaisedForm {
    let needs = text.chars().any(char::is_alphanumeric) && !text.starts_with(['[', '(']);
    if needs { RaisedForm::Marks } else { RaisedForm::Same }
}

/// What a run of digits before a word is, which had nothing to stand apart from: `¹⁴C`.
pub(super) fn before_word(level: Level, text: &str, behind: &str) -> Option<String> {
    let is_number = !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let runs_into = behind.starts_with(char::is_alphanumeric);
    (level == Level::Above && is_number && runs_into).then(|| text.chars().filter_map(raised).collect())
}

fn raised(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32('⁴' as u32 + (c as u32 - '4' as u32))?,
        '+' => '⁺',
        '-' | '−' | '–' => '⁻',
        '=' => '⁼',
        '(' => '⁽',
        ')' => '⁾',
        'n' => 'ⁿ',
        'i' => 'ⁱ',
        _ => return None,
    })
}

fn lowered(c: char) -> Option<char> {
    Some(match c {
        '0'..='9' => char::from_u32('₀' as u32 + (c as u32 - '0' as u32))?,
        '+' => '₊',
        '-' | '−' | '–' => '₋',
        '=' => '₌',
        '(' => '₍',
        ')' => '₎',
        'a' => 'ₐ',
        'e' => 'ₑ',
        'i' => 'ᵢ',
        'k' => 'ₖ',
        'm' => 'ₘ',
        'n' => 'ₙ',
        'o' => 'ₒ',
        'x' => 'ₓ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_indices_are_told_from_words() {
        for (level, before, text, expected) in [
            (Level::Above, "0", "6", RaisedForm::Characters("⁶".into())),
            (Level::Above, "0", "−3", RaisedForm::Characters("⁻³".into())),
            (Level::Above, "m", "2", RaisedForm::Characters("²".into())),
            (Level::Above, "2", "n", RaisedForm::Characters("ⁿ".into())),
            (Level::Above, "e", "kx", RaisedForm::Same),
            (Level::Above, "e", "2kx", RaisedForm::Marks),
            (Level::Above, "e", "iπ", RaisedForm::Marks),
            (Level::Above, "1", "ος", RaisedForm::Same),
            (Level::Above, "3", "rd", RaisedForm::Same),
            (Level::Above, "M", "me", RaisedForm::Same),
            (Level::Above, "X", "e", RaisedForm::Same),
            (Level::Above, "3", "a", RaisedForm::Same),
            (Level::Above, "S", "a", RaisedForm::Marks),
            (Level::Above, "x", "TM", RaisedForm::Characters("™".into())),
            (Level::Above, "x", "[1]", RaisedForm::Same),
            (Level::Above, "x", "*", RaisedForm::Same),
            (Level::Above, " ", "1", RaisedForm::Same),
            (Level::Above, ")", "a", RaisedForm::Marks),
            (Level::Below, "H", "2", RaisedForm::Characters("₂".into())),
            (Level::Below, "v", "max", RaisedForm::Characters("ₘₐₓ".into())),
            (Level::Below, "k", "B", RaisedForm::Marks),
            (Level::Reading, "町", "まち", RaisedForm::Characters("（まち）".into())),
            (Level::Above, "61.5", "a", RaisedForm::Marks),
            (Level::Above, "2023", "a", RaisedForm::Marks),
            (Level::Above, "8", "ab", RaisedForm::Marks),
            (Level::Above, "150", "e", RaisedForm::Same),
            (Level::Above, "la 2", "a", RaisedForm::Same),
            (Level::Above, "2", "de", RaisedForm::Same),
        ] {
            assert_eq!(form(level, before, text), expected, "{before}{text}");
        }
    }
}
