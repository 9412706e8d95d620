//! Icons: cells of tables that say what they say by one alone, names that a font draws as one, pictures of emoji.

use gristmill_html::{Doc, LocalName, NodeId};

use crate::unseen::hides_text;

/// Words of the classes of icons that are a yes, and of those that are a no.
const YES: [&str; 8] = ["check", "tick", "yes", "checkmark", "true", "success", "done", "checked"];
const NO: [&str; 9] = ["times", "cross", "no", "xmark", "close", "false", "remove", "clear", "cancel"];
/// Classes of fonts that draw the name of an icon as the icon.
const FONTS: [&str; 2] = ["material-icons", "material-symbols"];
/// A cell with more elements holds more than an icon.
const MAX_NODES: usize = 60;
/// A longer name describes a picture.
const MAX_BYTES: usize = 60;

/// Puts the name of the icon, or a tick or cross, into each cell of a table that shows nothing else. O(nodes).
pub(crate) fn write(doc: &mut Doc) {
    if doc.mentions("material-") {
        let names: Vec<NodeId> = doc.ids().filter(|&id| draws_name(doc, id)).collect();
        names.into_iter().for_each(|id| write_name(doc, id));
    }
    let emoji: Vec<(NodeId, String)> =
        doc.ids().filter_map(|id| emoji(doc, id).map(|emoji| (id, emoji.to_owned()))).collect();
    emoji.into_iter().for_each(|(picture, emoji)| replace(doc, picture, &emoji));
    let cells: Vec<NodeId> = doc.ids().filter(|&id| matches!(doc.name(id), LocalName::TD | LocalName::TH)).collect();
    for cell in cells {
        if let Some((icon, name)) = icon(doc, cell) {
            replace(doc, icon, &name);
        }
    }
}

/// Puts a text in the place of an element.
fn replace(doc: &mut Doc, id: NodeId, text: &str) {
    doc.clear(id);
    doc.set_text(id, text);
}

/// The emoji that a picture stands for: `<img class=emoji alt=😀>`, `<img class=smiley alt=":-)">`.
fn emoji(doc: &Doc, picture: NodeId) -> Option<&str> {
    const MAX_CHARS: usize = 30;
    const CLASSES: [&str; 4] = ["emoji", "smiley", "smilies", "smilie"];
    let said = (doc.name(picture) == LocalName::IMG).then(|| doc.attr(picture, LocalName::ALT)).flatten()?.trim();
    let is_sign = |c: char| c >= '\u{203c}' && !c.is_alphanumeric() || c == '\u{200d}';
    let is_classed =
        || doc.attr(picture, LocalName::CLASS).is_some_and(|class| crate::attribute_words::has(class, &CLASSES));
    ((1..=MAX_CHARS).contains(&said.chars().count()) && (said.chars().all(is_sign) || is_classed())).then_some(said)
}

/// Whether the text of an element is the name of an icon for a font that draws it.
pub(crate) fn draws_name(doc: &Doc, id: NodeId) -> bool {
    const MAX_NODES: usize = 4;
    let is_of_font = || {
        let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
        class.split_ascii_whitespace().any(|class| FONTS.iter().any(|font| class.starts_with(font)))
    };
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    doc.is_element(id)
        && doc.end(id) - id.index() <= MAX_NODES
        && is_of_font()
        && doc.text_content(id).trim().chars().all(is_name)
}

/// A sign in the place of a name that is all of its cell; other names are left out where the page is shown.
fn write_name(doc: &mut Doc, id: NodeId) {
    const MAX_DEPTH: usize = 3;
    let name = doc.text_content(id);
    let is_cell = |&id: &NodeId| matches!(doc.name(id), LocalName::TD | LocalName::TH);
    let cell = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_DEPTH).find(is_cell);
    let is_alone = cell
        .is_some_and(|cell| doc.end(cell) - cell.index() <= MAX_NODES && doc.text_content(cell).trim() == name.trim());
    let Some(sign) = named_sign(name.trim()).filter(|_| is_alone) else { return };
    let texts: Vec<NodeId> = doc.subtree(id).filter(|&id| doc.is_text(id)).collect();
    if doc.name(id) == LocalName::I {
        // Its letters are not slanted.
        doc.set_name(id, LocalName::SPAN);
    }
    for (n, text) in texts.into_iter().enumerate() {
        doc.set_text(text, if n == 0 { sign } else { "" });
    }
}

/// The element of a cell to be replaced, with what it stands for; `None` where the cell has text, an image or no icon.
fn icon(doc: &Doc, cell: NodeId) -> Option<(NodeId, String)> {
    if doc.end(cell) - cell.index() > MAX_NODES || doc.first_child(cell).is_none() {
        return None;
    }
    let (mut drawn, mut named) = (None, None);
    let mut inside = 0;
    for id in doc.subtree(cell).skip(1).filter(|&id| !doc.is_text(id) || !doc.text(id).trim().is_empty()) {
        match doc.name(id) {
            _ if id.index() < inside => continue,
            // What an icon does to whoever presses it is no content.
            LocalName::TEXT | LocalName::IMG | LocalName::TABLE | LocalName::A | LocalName::BUTTON => return None,
            LocalName::SVG => {
                drawn = drawn.or(Some(id));
                inside = doc.end(id);
            }
            LocalName::I | LocalName::SPAN | LocalName::DIV if doc.first_child(id).is_none() => {
                drawn = drawn.or(Some(id))
            }
            LocalName::INPUT if doc.attr(id, LocalName::TYPE) == Some("checkbox") => drawn = drawn.or(Some(id)),
            // What only the ear is told says what the icon means.
            _ if hides_text(doc, id) => inside = doc.end(id),
            _ => continue,
        }
        named = named.or_else(|| name(doc, id));
    }
    let icon = drawn?;
    let said = named.or_else(|| sign(doc, icon).map(str::to_owned))?;
    Some((icon, said))
}

/// What an element is called for those who do not see it.
fn name(doc: &Doc, id: NodeId) -> Option<String> {
    let said = [LocalName::ARIA_LABEL, LocalName::TITLE].iter().find_map(|&name| doc.attr(id, name));
    let inner = || match doc.name(id) {
        LocalName::SVG => {
            doc.subtree(id).skip(1).find(|&id| doc.name_str(doc.name(id)) == "title").map(|id| doc.text_content(id))
        }
        _ => Some(doc.text_content(id)),
    };
    let said = said.map(str::to_owned).or_else(inner)?;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    (!said.is_empty() && said.len() <= MAX_BYTES).then_some(said)
}

/// The sign for an icon that only its class or its box tells.
fn sign(doc: &Doc, icon: NodeId) -> Option<&'static str> {
    if doc.name(icon) == LocalName::INPUT {
        let is_ticked = doc.attributes(icon).any(|attribute| doc.name_str(attribute.name) == "checked");
        return Some(if is_ticked { "☑" } else { "☐" });
    }
    named_sign(doc.attr(icon, LocalName::CLASS)?)
}

/// What the words of a class or name say.
fn named_sign(name: &str) -> Option<&'static str> {
    let has = |words: &[&str]| crate::attribute_words::has(name, words);
    if has(&YES) { Some("✓") } else { has(&NO).then_some("✗") }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn pictures_of_emoji_are_emoji() {
        for (picture, expected) in [
            ("<img class='wp-smiley emoji' alt=😀 src=/1f600.svg>", "Smile 😀 now"),
            ("<img alt=':-)' class=smilies>", "Smile :-) now"),
            ("<img class=emoji title=:tada: alt=:tada:>", "Smile :tada: now"),
            ("<img alt='👩‍🌾'>", "Smile 👩‍🌾 now"),
            ("<img alt='A mill' class=photo>", "Smile  now"),
            ("<img alt=東京>", "Smile  now"),
        ] {
            let mut doc = Doc::parse(&format!("<p>Smile {picture} now"), &TreeLimits::default());
            write(&mut doc);
            assert_eq!(doc.text_content(doc.first(LocalName::P).unwrap()), expected, "{picture}");
        }
    }

    #[test]
    fn a_cell_that_shows_an_icon_alone_says_what_it_means() {
        for (cell, expected) in [
            ("<svg aria-label=Yes><path/></svg>", "Yes"),
            ("<svg><title>Supported</title><path/></svg>", "Supported"),
            ("<i class='fa fa-check'></i>", "✓"),
            ("<span class='icon icon-times'></span>", "✗"),
            ("<svg class=x></svg><span class=sr-only>Not included</span>", "Not includedNot included"),
            ("<div class=checkmark></div>", "✓"),
            ("<i class='material-icons green'>check_circle</i>", "✓"),
            ("<i class=material-icons>check</i> next", "check next"),
            ("<span class=icon title='Full support'></span>", "Full support"),
            ("<input type=checkbox disabled checked>", "☑"),
            ("<i class='fa fa-check'></i> since 2.0", " since 2.0"),
            ("<img alt=Yes><i class='fa fa-check'></i>", ""),
            ("<a href=/x><div class=arrow title=upvote></div></a>", ""),
            ("", ""),
        ] {
            let mut doc = Doc::parse(&format!("<table><tr><td>{cell}</table>"), &TreeLimits::default());
            write(&mut doc);
            let shown = doc.text_content(doc.first(LocalName::TD).unwrap());
            assert_eq!(shown, expected, "{cell}");
        }
    }
}
