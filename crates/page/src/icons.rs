//! Cells of tables that say what they say by an icon alone.

use gristmill_html::{Doc, LocalName, NodeId};

use crate::unseen::hides_text;

/// Words of the classes of icons that are a yes, and of those that are a no.
const YES: [&str; 6] = ["check", "tick", "yes", "checkmark", "true", "success"];
const NO: [&str; 7] = ["times", "cross", "no", "xmark", "close", "false", "remove"];
/// A cell with more elements holds more than an icon.
const MAX_NODES: usize = 60;
/// A longer name describes a picture.
const MAX_BYTES: usize = 60;

/// Puts the name of the icon, or a tick or cross, into each cell of a table that shows nothing else. O(nodes).
pub(crate) fn write(doc: &mut Doc) {
    let cells: Vec<NodeId> = doc.ids().filter(|&id| matches!(doc.name(id), LocalName::TD | LocalName::TH)).collect();
    for cell in cells {
        if let Some((icon, name)) = icon(doc, cell) {
            doc.clear(icon);
            doc.set_text(icon, &name);
        }
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
            LocalName::TEXT | LocalName::IMG | LocalName::TABLE => return None,
            LocalName::SVG => {
                drawn = drawn.or(Some(id));
                inside = doc.end(id);
            }
            LocalName::I | LocalName::SPAN if doc.first_child(id).is_none() => drawn = drawn.or(Some(id)),
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
    let class = doc.attr(icon, LocalName::CLASS)?;
    let has = |words: &[&str]| crate::attribute_words::has(class, words);
    if has(&YES) { Some("✓") } else { has(&NO).then_some("✗") }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn a_cell_that_shows_an_icon_alone_says_what_it_means() {
        for (cell, expected) in [
            ("<svg aria-label=Yes><path/></svg>", "Yes"),
            ("<svg><title>Supported</title><path/></svg>", "Supported"),
            ("<i class='fa fa-check'></i>", "✓"),
            ("<span class='icon icon-times'></span>", "✗"),
            ("<svg class=x></svg><span class=sr-only>Not included</span>", "Not includedNot included"),
            ("<span class=icon title='Full support'></span>", "Full support"),
            ("<input type=checkbox disabled checked>", "☑"),
            ("<i class='fa fa-check'></i> since 2.0", " since 2.0"),
            ("<img alt=Yes><i class='fa fa-check'></i>", ""),
            ("<a href=/x><svg aria-hidden=true></svg></a>", ""),
            ("", ""),
        ] {
            let mut doc = Doc::parse(&format!("<table><tr><td>{cell}</table>"), &TreeLimits::default());
            write(&mut doc);
            let shown = doc.text_content(doc.first(LocalName::TD).unwrap());
            assert_eq!(shown, expected, "{cell}");
        }
    }
}
