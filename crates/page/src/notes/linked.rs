//! Notes that links refer to.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::label::label as label_of;
use super::note::NotePair;
use crate::attribute_words::{self, is_named};
use crate::blocks::{is_block, is_dropped, is_heading};
use crate::rows::Rows;

/// More links than these are another kind of page.
const MAX_LINKS: usize = 20_000;
/// Words of classes, ids and roles of notes and of what refers to them: data, not code.
const NOTE: [&str; 24] = [
    "footnote",
    "footnotes",
    "endnote",
    "endnotes",
    "noteref",
    "fn",
    "fnref",
    "ftn",
    "ftnref",
    "edn",
    "ednref",
    "reference",
    "references",
    "reflist",
    "cite",
    "citation",
    "footnoteref",
    "footref",
    "sidenote",
    "note",
    "notes",
    "sdfootnote",
    "fussnote",
    "fussnoten",
];

/// More of them, of entries of a bibliography.
const ENTRY: [&str; 10] =
    ["ref", "refs", "bib", "bibliography", "biblist", "bibitem", "bibr", "biblioref", "csl", "citations"];

/// A link to a later place of its page.
struct Link {
    node: NodeId,
    /// Its text is words of the sentence.
    worded: bool,
    label: Option<String>,
    /// All that the reference is: the link, or the raised or classed element around it that holds nothing else.
    nodes: Range<usize>,
    target: NodeId,
}

/// O(nodes + text).
pub(super) fn pairs(page: &Rows<'_>) -> Vec<NotePair> {
    let doc = page.doc;
    let anchors = links_within(doc);
    if anchors.is_empty() {
        return Vec::new();
    }
    let targets = targets(doc, &anchors);
    let leads_to: HashMap<NodeId, NodeId> =
        anchors.iter().filter_map(|(link, fragment)| Some((*link, *targets.get(&**fragment)?))).collect();
    let link = |(node, fragment): &(NodeId, Cow<'_, str>)| link(page, *node, *targets.get(&**fragment)?);
    let links: Vec<Link> = anchors.iter().filter_map(link).collect();
    let mut places: HashMap<NodeId, Option<Place>> = HashMap::new();
    let pair = |link: &Link| {
        let place = places.entry(link.target).or_insert_with(|| place(page, link.target, &leads_to));
        pair(page, link, place.as_ref()?)
    };
    links.iter().filter_map(pair).collect()
}

/// Links with a fragment.
fn links_within(doc: &Doc) -> Vec<(NodeId, Cow<'_, str>)> {
    let fragment = |id: NodeId| {
        let href = doc.attr(id, LocalName::HREF)?;
        href.split_once('#').map(|(_, fragment)| decoded(fragment)).filter(|fragment| !fragment.is_empty())
    };
    let links = doc.ids().filter(|&id| doc.name(id) == LocalName::A);
    links.filter_map(|id| Some((id, fragment(id)?))).take(MAX_LINKS).collect()
}

/// A fragment as ids have it: `fn%3A1` is `fn:1`.
fn decoded(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    // Of a form, other signs would mean something.
    let signs = fragment.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    Cow::Owned(url::form_urlencoded::parse(signs.as_bytes()).map(|(name, _)| name.into_owned()).collect())
}

/// The elements that fragments of links lead to.
fn targets<'l>(doc: &Doc, links: &'l [(NodeId, Cow<'_, str>)]) -> HashMap<&'l str, NodeId> {
    let mut targets: HashMap<&str, Option<NodeId>> = links.iter().map(|(_, fragment)| (&**fragment, None)).collect();
    for id in doc.ids() {
        let is_anchor = doc.name(id) == LocalName::A;
        for at in doc.attribute_range(id) {
            let name = doc.attribute_name(at);
            if (name == LocalName::ID || name == LocalName::NAME && is_anchor)
                && let Some(place) = targets.get_mut(doc.attribute_value(at))
            {
                place.get_or_insert(id);
            }
        }
    }
    targets.into_iter().filter_map(|(fragment, id)| Some((fragment, id?))).collect()
}

fn link(page: &Rows<'_>, node: NodeId, target: NodeId) -> Option<Link> {
    let doc = page.doc;
    if refers_to_entry(doc, node, target) && target > node && !doc.contains(target, node) {
        let text = short_text(doc, node);
        let label = text.as_deref().and_then(label_of).filter(|label| !is_year(label));
        if label.is_none() {
            return Some(Link { node, worded: true, label, nodes: node.index()..doc.end(node), target });
        }
    }
    let text = short_text(doc, node)?;
    let label = label_of(&text).or_else(|| label_of_group(&text).filter(|_| is_raised(doc, node)));
    if label.as_deref().is_some_and(is_year) {
        let link = Link { node, worded: true, label: None, nodes: node.index()..doc.end(node), target };
        return Some(link).filter(|link| target > node && !doc.contains(target, node) && is_said(doc, link));
    }
    let says = doc.attr(node, LocalName::ROLE) == Some("doc-noteref")
        || is_named(doc, node, &["noteref", "fnref", "footnoteref", "footnote", "footref"]);
    if label.is_none() && !says || doc.contains(target, node) || target < node {
        return None;
    }
    let mut around = node;
    for id in doc.ancestors(node).take(3) {
        if is_block(doc.name(id))
            || short_text(doc, id).and_then(|text| label_of(&text).or_else(|| label_of_group(&text))).is_none()
            || doc.name(id) == LocalName::A
        {
            break;
        }
        around = id;
    }
    let twin = doc.prev_sibling(around).filter(|&id| doc.is_element(id) && !is_block(doc.name(id)) && label.is_some());
    let twin = twin
        .filter(|&id| doc.name(id) != LocalName::A && short_text(doc, id).and_then(|text| label_of(&text)) == label);
    // A button that shows the note may stand beside the link.
    let start = twin.unwrap_or(around).index();
    Some(Link { node, worded: false, label, nodes: start..doc.end(around), target })
}

/// The label of a second reference, `1:1`, or of a note of a group, `table 1`.
fn label_of_group(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['[', ']', '(', ')']).trim();
    let is_number = |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((number, again)) = text.split_once(':') {
        return (is_number(number) && is_number(again)).then(|| number.to_owned());
    }
    let (group, number) = text.rsplit_once([' ', '\u{a0}'])?;
    let is_word = (1..=10).contains(&group.chars().count()) && group.chars().all(char::is_alphabetic);
    // Some say for the ear what it is.
    let is_said = ["footnote", "endnote", "reference", "fußnote"].contains(&&*group.to_lowercase());
    let group = if is_said { "" } else { group };
    (is_word && is_number(number)).then(|| format!("{group}{number}"))
}

/// Whether a link says, or what it leads to, that this is an entry of a bibliography.
fn refers_to_entry(doc: &Doc, link: NodeId, target: NodeId) -> bool {
    let class = |id: NodeId, part: &str| doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains(part));
    doc.attr(link, LocalName::ROLE) == Some("doc-biblioref")
        || doc.parent(link).is_some_and(|parent| doc.name(parent) == LocalName::CITE && class(parent, "ltx_cite"))
        || doc.attr(target, LocalName::ROLE) == Some("doc-biblioentry")
        || doc.ancestors(target).take(3).any(|id| class(id, "bib-reference") || class(id, "ref-list"))
        || class(target, "csl-entry")
        || class(target, "ltx_bibitem")
}

/// Whether a number is more likely a year than that of a note.
fn is_year(label: &str) -> bool {
    let digits = label.trim_end_matches(|c: char| c.is_ascii_lowercase());
    digits.len() == 4 && digits.parse::<u16>().is_ok_and(|year| (1400..2100).contains(&year))
}

/// The text of an element, unless it is long.
fn short_text(doc: &Doc, id: NodeId) -> Option<String> {
    const MAX_NODES: usize = 12;
    const MAX_BYTES: usize = 60;
    let mut text = String::new();
    let mut at = id.index();
    let mut n = 0;
    while at < doc.end(id) {
        let node = doc.id(at);
        at = if is_dropped(doc.name(node)) { doc.end(node) } else { at + 1 };
        text.push_str(doc.text(node));
        n += 1;
        if n > MAX_NODES || text.len() > MAX_BYTES {
            return None;
        }
    }
    Some(text)
}

/// What a note may be: its nodes, and the links in it with what they lead to.
struct Place {
    note: Range<usize>,
    links: Vec<(NodeId, NodeId)>,
}

/// `None` where the nodes are too many for a note.
fn place(page: &Rows<'_>, target: NodeId, leads_to: &HashMap<NodeId, NodeId>) -> Option<Place> {
    const MAX_NODES: usize = 4_000;
    const MAX_LINKS: usize = 200;
    let note = note(page, target).filter(|note| note.len() <= MAX_NODES)?;
    let links = note.clone().map(|at| page.doc.id(at)).filter(|&id| page.doc.name(id) == LocalName::A);
    let links = links.filter_map(|id| Some((id, *leads_to.get(&id)?))).take(MAX_LINKS).collect();
    Some(Place { note, links })
}

fn pair(page: &Rows<'_>, link: &Link, place: &Place) -> Option<NotePair> {
    let doc = page.doc;
    let note = place.note.clone();
    if note.contains(&link.node.index()) {
        return None;
    }
    let is_near = |id: NodeId| id.index() <= link.nodes.end + 8 && link.nodes.start <= id.index() + 12;
    let back: Vec<NodeId> = place.links.iter().filter(|(_, to)| is_near(*to)).map(|(id, _)| *id).collect();
    let begins_alike = || {
        let Some(first) = page.leaves.get(page.leaves_in(note.clone()).start) else { return false };
        let row = &page.text[first.start as usize..page.rows[first.row as usize].end as usize];
        let begin = row.split_whitespace().next().unwrap_or("");
        link.label.is_some() && (label_of(begin) == link.label || label_of(page.leaf_text(first)) == link.label)
    };
    let is_marked = || is_raised(doc, link.node) || is_bracketed(page, link);
    let sure = link.worded || !back.is_empty() || is_said(doc, link) || is_marked() && begins_alike();
    let label = link.label.clone().unwrap_or_default();
    sure.then(|| NotePair {
        label,
        worded: link.worded,
        reference: link.nodes.clone(),
        note,
        back,
        ..NotePair::default()
    })
}

/// Whether brackets stand around a link.
fn is_bracketed(page: &Rows<'_>, link: &Link) -> bool {
    let own = &page.leaves[page.leaves_in(link.nodes.clone())];
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return false };
    let text = page.text[first.start as usize..last.end as usize].trim();
    text.starts_with('[')
        || page.text[..first.start as usize].trim_end_matches(' ').ends_with('[')
            && page.text[last.end as usize..].trim_start_matches(' ').starts_with(']')
}

/// Whether a class, role or id says that this is a reference or a note.
fn is_said(doc: &Doc, link: &Link) -> bool {
    let role = |id: NodeId| {
        let role = doc.attr(id, LocalName::ROLE).unwrap_or("");
        matches!(role, "doc-noteref" | "doc-endnote" | "doc-endnotes" | "doc-footnote" | "doc-footnotes")
    };
    let says = |id: NodeId| is_named(doc, id, &NOTE) || role(id);
    let named = |id: NodeId| doc.attr(id, LocalName::NAME).is_some_and(|name| attribute_words::has(name, &NOTE));
    let around = |id: NodeId, n: usize| std::iter::once(id).chain(doc.ancestors(id).take(n));
    let is_entry =
        |id: NodeId| is_named(doc, id, &ENTRY) && !matches!(doc.name(id), LocalName::FIGURE | LocalName::TABLE);
    around(link.target, 3).any(|id| says(id) || is_entry(id))
        || named(link.target)
        || is_named(doc, link.node, &["bibr", "biblioref", "citeref"])
        || around(link.node, 1).any(|id| says(id) && doc.name(id) != LocalName::P)
}

fn is_raised(doc: &Doc, link: NodeId) -> bool {
    let super_style = |id: NodeId| doc.attr(id, LocalName::STYLE).is_some_and(|style| style.contains("super"));
    let mut around = std::iter::once(link).chain(doc.ancestors(link).take(3)).take_while(|&id| !is_block(doc.name(id)));
    around.any(|id| doc.name(id) == LocalName::SUP || super_style(id))
        || doc.subtree(link).any(|id| doc.name(id) == LocalName::SUP)
}

/// The nodes of the note that a place is the begin of: the block that it is or begins, the description of a term, a row of a table.
fn note(page: &Rows<'_>, target: NodeId) -> Option<Range<usize>> {
    let doc = page.doc;
    let block =
        if is_block(doc.name(target)) { target } else { doc.ancestors(target).find(|&id| is_block(doc.name(id)))? };
    if target != block {
        let before = page.leaves_in(block.index()..target.index());
        // A number may stand before it.
        let is_number = |text: &str| label_of(text).is_some_and(|label| !label.starts_with(char::is_alphabetic));
        let first = before.clone().next().map(|leaf| page.leaf_text(&page.leaves[leaf]));
        let is_begin = before.is_empty() || before.len() == 1 && first.is_some_and(is_number);
        if !is_begin {
            return line(page, target);
        }
    }
    let nodes = match doc.name(block) {
        name if is_heading(name) => return below_number(doc, block),
        // As old versions of Docutils have each note.
        LocalName::TABLE if doc.subtree(block).filter(|&id| doc.name(id) == LocalName::TR).count() == 1 => {
            block.index()..doc.end(block)
        }
        LocalName::BODY
        | LocalName::ARTICLE
        | LocalName::MAIN
        | LocalName::TABLE
        | LocalName::UL
        | LocalName::OL
        | LocalName::DL => {
            return line(page, target);
        }
        LocalName::TD | LocalName::TH => {
            let row = doc.parent(block).filter(|&row| doc.name(row) == LocalName::TR)?;
            row.index()..doc.end(row)
        }
        LocalName::DT => {
            let description = doc.elements_behind(block).next().filter(|&id| doc.name(id) == LocalName::DD);
            block.index()..doc.end(description.unwrap_or(block))
        }
        LocalName::DIV | LocalName::SECTION if doc.subtree(block).skip(1).any(|id| is_heading(doc.name(id))) => {
            return line(page, target);
        }
        _ => block.index()..doc.end(block),
    };
    Some(nodes)
}

/// A heading that is the number of a note, and the paragraphs below it, as Texinfo has them.
fn below_number(doc: &Doc, heading: NodeId) -> Option<Range<usize>> {
    const MOST: usize = 8;
    label_of(&short_text(doc, heading)?)?;
    let own = doc.elements_behind(heading).take_while(|&id| !is_heading(doc.name(id))).take(MOST);
    own.last().map(|last| heading.index()..doc.end(last))
}

/// The nodes of the line that a place begins, where notes are divided by line breaks.
fn line(page: &Rows<'_>, target: NodeId) -> Option<Range<usize>> {
    let doc = page.doc;
    let first = page.leaves.partition_point(|leaf| leaf.node < target);
    let row = page.rows.get(page.leaves.get(first)?.row as usize)?;
    // A bracket may stand before it.
    let before = &page.leaves[row.first_leaf as usize..first];
    let begins = before.len() < 2 && before.iter().all(|leaf| matches!(page.leaf_text(leaf), "[" | "("));
    let start = before.first().map_or(target, |leaf| leaf.node);
    let end = page.leaves[row.end_leaf as usize - 1].node;
    (begins && !row.in_heading).then(|| start.index()..doc.end(end))
}
