//! The tree of a snapshot as a document.

use gristmill_html::{Doc, DocBuilder, LimitHit, NodeId, TreeLimits};

use super::{Nodes, SidecarError, limit, string, wrong};

const ELEMENT: u8 = 1;
const TEXT: u8 = 3;
const DOCUMENT: u8 = 9;
/// The content of a `template`.
const FRAGMENT: u8 = 11;

/// The document, and for each node of the file its id; `None` for what is left out.
pub(super) fn tree(
    nodes: &Nodes,
    strings: &[String],
    limits: &TreeLimits,
) -> Result<(Doc, Vec<Option<NodeId>>), SidecarError> {
    let n = nodes.parent_index.len();
    if n > limits.max_nodes {
        return Err(limit(LimitHit::Nodes, "nodes.parentIndex", limits.max_nodes));
    }
    let (first, next) = children(nodes)?;
    let mut ids = vec![None; n];
    ids[0] = Some(NodeId::DOCUMENT);
    let mut builder = DocBuilder::new(limits);
    // (next node to visit, whether the parent of that level was opened, whether that level is SVG or MathML)
    let mut levels = vec![(first[0], false, false)];
    while let Some(level) = levels.last_mut() {
        let (Some(at), _, foreign) = *level else {
            if levels.pop().is_some_and(|(_, opened, _)| opened) {
                builder.close();
            }
            continue;
        };
        level.0 = next[at];
        match nodes.node_type[at] {
            ELEMENT => {
                let name = string(strings, nodes.node_name[at], "nodes.nodeName", at)?;
                if name.starts_with("::") {
                    continue;
                }
                let name = name.to_ascii_lowercase();
                let foreign = match name.as_str() {
                    "svg" | "math" => true,
                    // The parent decides, but for the one element that leads back to HTML.
                    _ => foreign,
                };
                let attributes = attributes(&nodes.attributes[at], strings, at)?;
                let pairs = attributes.iter().map(|(name, value)| (name.as_str(), *value));
                let id = builder.open(&name, foreign, pairs).map_err(|hit| limit(hit, "nodes.parentIndex", at))?;
                ids[at] = Some(id);
                levels.push((first[at], true, foreign && name != "foreignobject"));
            }
            TEXT => {
                let text = string(strings, nodes.node_value[at], "nodes.nodeValue", at)?;
                let id = builder.text(text).map_err(|hit| limit(hit, "nodes.nodeValue", at))?;
                ids[at] = Some(id);
            }
            FRAGMENT => levels.push((first[at], false, foreign)),
            _ => {}
        }
    }
    Ok((builder.finish(), ids))
}

/// First child and next sibling of each node. That a parent comes before its children rules out cycles.
#[allow(clippy::type_complexity, reason = "two parallel lists")]
fn children(nodes: &Nodes) -> Result<(Vec<Option<usize>>, Vec<Option<usize>>), SidecarError> {
    const FIELD: &str = "nodes.parentIndex";
    let n = nodes.parent_index.len();
    if n == 0 {
        return Err(wrong(FIELD, 0, "is missing: there must be a document node"));
    }
    if nodes.parent_index[0] != -1 || nodes.node_type[0] != DOCUMENT {
        return Err(wrong("nodes.nodeType", 0, format!("is not the document: expected parent -1 and type {DOCUMENT}")));
    }
    let (mut first, mut next) = (vec![None; n], vec![None; n]);
    for at in (1..n).rev() {
        let parent = nodes.parent_index[at];
        let parent = usize::try_from(parent)
            .ok()
            .filter(|&parent| parent < at)
            .ok_or_else(|| wrong(FIELD, at, format!("is {parent}; a parent must come before its children")))?;
        next[at] = first[parent].replace(at);
    }
    Ok((first, next))
}

fn attributes<'s>(list: &[i64], strings: &'s [String], at: usize) -> Result<Vec<(String, &'s str)>, SidecarError> {
    const FIELD: &str = "nodes.attributes";
    if !list.len().is_multiple_of(2) {
        return Err(wrong(FIELD, at, "has a name without a value"));
    }
    let pair = |pair: &[i64]| {
        let name = string(strings, pair[0], FIELD, at)?.to_ascii_lowercase();
        Ok((name, string(strings, pair[1], FIELD, at)?))
    };
    list.chunks_exact(2).map(pair).collect()
}
