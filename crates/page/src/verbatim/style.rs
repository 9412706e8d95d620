//! What an inline style says about white space.

use gristmill_html::{Doc, LocalName, NodeId};

use super::WhiteSpaceMode;

/// `white-space` of an element, and what tells code from other text that is laid out with spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) space: WhiteSpaceMode,
    /// `white-space: pre`, where long lines are not broken.
    pub(super) unbroken: bool,
    /// The font is one for code.
    pub(super) monospace: bool,
}

/// The inline style of an element, when it sets `white-space`.
pub(super) fn of(doc: &Doc, id: NodeId) -> Option<Style> {
    doc.attr(id, LocalName::STYLE).and_then(read)
}

/// The same from the value of its attribute; of several declarations the last one counts.
pub(super) fn read(style: &str) -> Option<Style> {
    const FONTS: [&str; 5] = ["mono", "courier", "consolas", "menlo", "monaco"];
    // Most styles are about colours and sizes.
    memchr::memchr(b'-', style.as_bytes())?;
    let (mut space, mut monospace) = (None, false);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let (property, value) = (property.trim(), value.split('!').next().unwrap_or("").trim());
        if property.eq_ignore_ascii_case("white-space") {
            space = meaning(value).or(space);
        } else if property.eq_ignore_ascii_case("font-family") {
            let value = value.to_ascii_lowercase();
            monospace = FONTS.iter().any(|font| value.contains(font));
        }
    }
    space.map(|(space, unbroken)| Style { space, unbroken, monospace })
}

fn meaning(value: &str) -> Option<(WhiteSpaceMode, bool)> {
    const VALUES: [(&str, WhiteSpaceMode, bool); 6] = [
        ("normal", WhiteSpaceMode::Collapse, false),
        ("nowrap", WhiteSpaceMode::Collapse, false),
        ("pre-line", WhiteSpaceMode::Lines, false),
        ("pre-wrap", WhiteSpaceMode::Keep, false),
        ("break-spaces", WhiteSpaceMode::Keep, false),
        ("pre", WhiteSpaceMode::Keep, true),
    ];
    let known = VALUES.iter().find(|(name, ..)| value.eq_ignore_ascii_case(name));
    known.map(|&(_, space, unbroken)| (space, unbroken))
}
