//! The layout side-car: a browser's snapshot of a page as JSON, read into a document and its layout.
//!
//! ```text
//! { "format": "gristmill-layout", "version": 1, "computedStyles": ["visibility", "opacity", "font-size", "color"],
//!   "strings": [...],
//!   "document": { contentWidth, contentHeight,
//!                 nodes:     { parentIndex, nodeType, nodeName, nodeValue, attributes }   one entry a node
//!                 layout:    { nodeIndex, bounds, styles }                                one entry a box
//!                 textBoxes: { layoutIndex, bounds } } }                                  one entry a line of text
//! ```
//! `document` is one of the documents of Chromium's `DOMSnapshot.captureSnapshot`, unchanged. `docs/rendering.md`
//! tells the fields one by one.

mod boxes;
#[cfg(test)]
mod tests;
mod tree;

use std::io::Read;

use gristmill_html::{Doc, LimitHit, TreeLimits};
use serde::Deserialize;

use super::PageLayout;

/// Value of `format`.
pub const FORMAT: &str = "gristmill-layout";
/// Value of `version` that this crate reads.
pub const VERSION: u64 = 1;

/// No coordinate is farther from the origin, in pixels; browsers stop at 2²⁵.
const MAX_PIXELS: f64 = 1e8;

/// Why a side-car cannot be read. Positions count from 0.
#[derive(Debug, thiserror::Error)]
pub enum SidecarError {
    /// Reading failed.
    #[error("could not read the layout side-car")]
    Io(#[source] std::io::Error),
    /// It is no JSON, or a field is missing or of the wrong kind.
    #[error("the layout side-car is not valid JSON of the expected shape")]
    Json(#[source] serde_json::Error),
    /// It says that it is something else.
    #[error("`format` of the layout side-car is `{found}`, not `{FORMAT}`")]
    Format {
        /// What it says.
        found: String,
    },
    /// A version that this program does not know.
    #[error("`version` of the layout side-car is {found}; this program reads {VERSION}")]
    Version {
        /// What it says.
        found: u64,
    },
    /// It exceeds a limit.
    #[error("the layout side-car exceeds `{limit}` at `{field}[{index}]`")]
    Limit {
        /// Key of [`Limits`].
        limit: &'static str,
        /// The field.
        field: &'static str,
        /// Position in it.
        index: usize,
    },
    /// Two fields that run in parallel have different lengths.
    #[error("`{field}` of the layout side-car has {found} entries, but `{other}` has {expected}")]
    Length {
        /// The field.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The field it runs parallel to.
        other: &'static str,
        /// The length of that.
        expected: usize,
    },
    /// A value cannot be.
    #[error("`{field}[{index}]` of the layout side-car {reason}")]
    Value {
        /// The field.
        field: &'static str,
        /// Position in it.
        index: usize,
        /// What is wrong.
        reason: String,
    },
}

fn wrong(field: &'static str, index: usize, reason: impl Into<String>) -> SidecarError {
    SidecarError::Value { field, index, reason: reason.into() }
}

fn limit(hit: LimitHit, field: &'static str, index: usize) -> SidecarError {
    let limit = match hit {
        LimitHit::Bytes => "max_bytes",
        LimitHit::Nodes => "max_nodes",
        LimitHit::Depth => "max_depth",
        LimitHit::Attributes => "max_attributes` or `max_bytes",
        LimitHit::Steps => "max_steps",
    };
    SidecarError::Limit { limit, field, index }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    format: String,
    version: u64,
    computed_styles: Vec<String>,
    strings: Vec<String>,
    document: Document,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    content_width: f64,
    content_height: f64,
    nodes: Nodes,
    layout: Boxes,
    text_boxes: Option<TextBoxes>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<u8>,
    node_name: Vec<i64>,
    node_value: Vec<i64>,
    attributes: Vec<Vec<i64>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Boxes {
    node_index: Vec<i64>,
    bounds: Vec<[f64; 4]>,
    styles: Vec<Vec<i64>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextBoxes {
    layout_index: Vec<i64>,
    bounds: Vec<[f64; 4]>,
}

/// Reader of layout side-cars.
///
/// The tree of the snapshot becomes the document: it is what the boxes belong to, so nothing is matched to a second
/// parse. Comments, doctypes, processing instructions and the browser's pseudo elements (`::before`) are left out. A
/// node without a box, or with `visibility` other than `visible`, is unseen while its children may be seen; `opacity`
/// 0 hides all below, as it does on screen. Boxes are cut at the edges of the page, so that what was moved off it is
/// unseen; if `html` has `dir=rtl`, they are mirrored.
#[derive(Debug, Clone, Copy)]
pub struct Sidecar;

impl Sidecar {
    /// Reads a side-car of at most `limits.max_bytes`.
    ///
    /// # Errors
    /// See [`SidecarError`]; all of them mean that nothing of the side-car can be used.
    pub fn read(reader: impl Read, limits: &TreeLimits) -> Result<(Doc, PageLayout), SidecarError> {
        let mut json = Vec::new();
        let most = limits.max_bytes as u64;
        reader.take(most + 1).read_to_end(&mut json).map_err(SidecarError::Io)?;
        Sidecar::parse(&json, limits)
    }

    /// Reads a side-car that is in memory. O(bytes).
    ///
    /// # Errors
    /// As [`Sidecar::read`].
    pub fn parse(json: &[u8], limits: &TreeLimits) -> Result<(Doc, PageLayout), SidecarError> {
        if json.len() > limits.max_bytes {
            return Err(limit(LimitHit::Bytes, "bytes", limits.max_bytes));
        }
        let file: File = serde_json::from_slice(json).map_err(SidecarError::Json)?;
        if file.format != FORMAT {
            return Err(SidecarError::Format { found: file.format.chars().take(80).collect() });
        }
        if file.version != VERSION {
            return Err(SidecarError::Version { found: file.version });
        }
        let nodes = &file.document.nodes;
        same_lengths(&file.document)?;
        let (doc, ids) = tree::tree(nodes, &file.strings, limits)?;
        let layout = boxes::layout(&file, &doc, &ids)?;
        Ok((doc, layout))
    }
}

fn same_lengths(document: &Document) -> Result<(), SidecarError> {
    let (nodes, layout) = (&document.nodes, &document.layout);
    let n = nodes.parent_index.len();
    let m = layout.node_index.len();
    let (texts, lines) =
        document.text_boxes.as_ref().map_or((0, 0), |text| (text.layout_index.len(), text.bounds.len()));
    let checks = [
        ("nodes.nodeType", nodes.node_type.len(), "nodes.parentIndex", n),
        ("nodes.nodeName", nodes.node_name.len(), "nodes.parentIndex", n),
        ("nodes.nodeValue", nodes.node_value.len(), "nodes.parentIndex", n),
        ("nodes.attributes", nodes.attributes.len(), "nodes.parentIndex", n),
        ("layout.bounds", layout.bounds.len(), "layout.nodeIndex", m),
        ("layout.styles", layout.styles.len(), "layout.nodeIndex", m),
        ("textBoxes.bounds", lines, "textBoxes.layoutIndex", texts),
    ];
    match checks.into_iter().find(|(_, found, _, expected)| found != expected) {
        Some((field, found, other, expected)) => Err(SidecarError::Length { field, found, other, expected }),
        None => Ok(()),
    }
}

/// A string by its number; -1 is the empty one.
fn string<'s>(strings: &'s [String], n: i64, field: &'static str, index: usize) -> Result<&'s str, SidecarError> {
    if n == -1 {
        return Ok("");
    }
    let found = usize::try_from(n).ok().and_then(|n| strings.get(n));
    found
        .map(String::as_str)
        .ok_or_else(|| wrong(field, index, format!("is {n}, but there are {} strings", strings.len())))
}
