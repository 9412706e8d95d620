//! Which images belong to what was kept.

use std::collections::HashMap;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{Page, Selection, is_dropped, tables::is_data_table};

use super::addresses::is_safe;
use super::spans::{Span, plain};

/// More are a gallery of another kind of page.
const MAX_IMAGES: usize = 500;
const MAX_ALT_CHARS: usize = 300;
/// Attributes that hold the address while a script has not put it into `src`, which is then a placeholder.
const LAZY: [&str; 5] = ["data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-url"];

/// The images between two kept leaves, and those of figures that hold a kept one, in document order; none of data
/// tables and preformatted text. O(nodes + images · depth).
pub(super) fn images<'d>(page: &Page<'d>, selection: &Selection) -> Vec<(NodeId, Span<'d>)> {
    let doc = page.doc;
    let mut images = Vec::new();
    let mut tables = HashMap::new();
    let mut at = 1;
    while at < doc.len() && images.len() < MAX_IMAGES {
        let id = doc.id(at);
        let name = doc.name(id);
        at = if is_dropped(name) { doc.end(id) } else { at + 1 };
        if name == Name::IMG
            && let Some(span) = image(page, selection, id, &mut tables)
        {
            images.push((id, span));
        }
    }
    images
}

fn image<'d>(
    page: &Page<'d>,
    selection: &Selection,
    id: NodeId,
    tables: &mut HashMap<NodeId, bool>,
) -> Option<Span<'d>> {
    let doc = page.doc;
    let src = address(doc, id)?;
    let mut figure = None;
    for around in doc.ancestors(id) {
        match doc.name(around) {
            Name::FIGURE => figure = figure.or(Some(around)),
            Name::PRE => return None,
            Name::TABLE if *tables.entry(around).or_insert_with(|| is_data_table(doc, around)) => return None,
            _ => {}
        }
    }
    let next = page.leaves.partition_point(|leaf| leaf.node < id);
    let between = next > 0 && next < page.leaves.len() && selection.keeps(next - 1) && selection.keeps(next);
    let of_figure = figure.is_some_and(|figure| {
        let first = page.leaves.partition_point(|leaf| leaf.node < figure);
        let end = page.leaves.partition_point(|leaf| leaf.node.index() < doc.end(figure));
        (first..end).any(|leaf| selection.keeps(leaf))
    });
    let alt: String = doc.attr(id, Name::ALT).unwrap_or("").chars().take(MAX_ALT_CHARS).collect();
    let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
    let span = Span { link: Some(src.into()), ..plain(&alt) };
    (between || of_figure).then_some(span)
}

fn address(doc: &Doc, id: NodeId) -> Option<&str> {
    let lazy = doc.attributes(id).find(|attribute| LAZY.contains(&doc.name_str(attribute.name)));
    let own = || doc.attr(id, Name::SRC).map(str::trim).filter(|src| is_safe(src));
    lazy.map(|attribute| attribute.value.trim()).filter(|src| is_safe(src)).or_else(own)
}
