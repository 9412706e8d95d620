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
//! `document` is one of the documents of Chromium's `DOMSnapshot.captureSnapshot`, unchanged. `docs/layout-sidecar.md`
//! tells the fields one by one.

use std::io::Read;

use gristmill_html::{Doc, DocBuilder, LimitHit, Limits, Name, NodeId};
use serde::Deserialize;

use super::{Layout, Rect, is_image};

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
    pub fn read(reader: impl Read, limits: &Limits) -> Result<(Doc, Layout), SidecarError> {
        let mut json = Vec::new();
        let most = limits.max_bytes as u64;
        reader.take(most + 1).read_to_end(&mut json).map_err(SidecarError::Io)?;
        Sidecar::parse(&json, limits)
    }

    /// Reads a side-car that is in memory. O(bytes).
    ///
    /// # Errors
    /// As [`Sidecar::read`].
    pub fn parse(json: &[u8], limits: &Limits) -> Result<(Doc, Layout), SidecarError> {
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
        let (doc, ids) = tree(nodes, &file.strings, limits)?;
        let layout = layout(&file, &doc, &ids)?;
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

const ELEMENT: u8 = 1;
const TEXT: u8 = 3;
const DOCUMENT: u8 = 9;
/// The content of a `template`.
const FRAGMENT: u8 = 11;

/// The document, and for each node of the file its id; `None` for what is left out.
fn tree(nodes: &Nodes, strings: &[String], limits: &Limits) -> Result<(Doc, Vec<Option<NodeId>>), SidecarError> {
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

/// Positions of the styles that we read in each entry of `layout.styles`.
struct Styles {
    visibility: usize,
    opacity: usize,
    font_size: usize,
    colour: usize,
}

impl Styles {
    fn find(names: &[String]) -> Result<Styles, SidecarError> {
        let find = |name: &str| {
            let missing = || wrong("computedStyles", names.len(), format!("is missing: `{name}` must be listed"));
            names.iter().position(|other| other == name).ok_or_else(missing)
        };
        Ok(Styles {
            visibility: find("visibility")?,
            opacity: find("opacity")?,
            font_size: find("font-size")?,
            colour: find("color")?,
        })
    }
}

/// What one entry of `layout.styles` says.
struct Style<'s> {
    visible: bool,
    opaque: bool,
    font_size: f64,
    colour: &'s str,
}

fn style<'s>(file: &'s File, styles: &Styles, at: usize) -> Result<Option<Style<'s>>, SidecarError> {
    const FIELD: &str = "layout.styles";
    let list = &file.document.layout.styles[at];
    // The box of the document itself comes without styles.
    if list.is_empty() {
        return Ok(None);
    }
    if list.len() != file.computed_styles.len() {
        return Err(wrong(FIELD, at, format!("has {} values, not one for each of `computedStyles`", list.len())));
    }
    let text = |which: usize| string(&file.strings, list[which], FIELD, at);
    let number = |which: usize, unit: &str| -> Result<f64, SidecarError> {
        let text = text(which)?;
        let number = text.strip_suffix(unit).unwrap_or(text).parse::<f64>().ok();
        number
            .filter(|number| (0.0..=MAX_PIXELS).contains(number))
            .ok_or_else(|| wrong(FIELD, at, format!("has `{}` for `{}`", shorten(text), file.computed_styles[which])))
    };
    Ok(Some(Style {
        visible: text(styles.visibility)? == "visible",
        opaque: number(styles.opacity, "")? > 0.0,
        font_size: number(styles.font_size, "px")?,
        colour: text(styles.colour)?,
    }))
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The layout while boxes are put into it.
struct Filling<'s> {
    layout: Layout,
    page: Rect,
    sizes: std::collections::HashMap<u64, u32>,
    colours: std::collections::HashMap<&'s str, u32>,
    styled: Vec<bool>,
    transparent: Vec<bool>,
}

fn layout(file: &File, doc: &Doc, ids: &[Option<NodeId>]) -> Result<Layout, SidecarError> {
    let document = &file.document;
    let size = |value: f64, field: &'static str| {
        let fits = value > 0.0 && value <= MAX_PIXELS;
        if fits { Ok(value) } else { Err(wrong(field, 0, format!("is {value}, not a size in pixels"))) }
    };
    let width = size(document.content_width, "document.contentWidth")?;
    let height = size(document.content_height, "document.contentHeight")?;
    let n = doc.len();
    let mut filling = Filling {
        layout: Layout {
            width,
            height,
            pseudo: false,
            boxes: vec![Rect::EMPTY; n],
            visible: vec![false; n],
            fonts: vec![0; n],
            sizes: vec![0.0],
            colours: vec![0; n],
            n_colours: 1,
            texts: Vec::new(),
            images: Vec::new(),
        },
        page: Rect::at(0.0, 0.0, width, height),
        sizes: [(0.0f64.to_bits(), 0)].into(),
        colours: [("", 0)].into(),
        styled: vec![false; n],
        transparent: vec![false; n],
    };
    let styles = Styles::find(&file.computed_styles)?;
    let mut taken = vec![false; ids.len()];
    for (at, &node) in document.layout.node_index.iter().enumerate() {
        let node = usize::try_from(node)
            .ok()
            .filter(|&node| node < ids.len())
            .ok_or_else(|| wrong("layout.nodeIndex", at, format!("is {node}, but there are {} nodes", ids.len())))?;
        let rect = rect(document.layout.bounds[at], "layout.bounds", at)?;
        let style = style(file, &styles, at)?;
        // A node may have a second box, such as the marker of a list item; the first is its own.
        if let (Some(id), false) = (ids[node], std::mem::replace(&mut taken[node], true)) {
            filling.put(id, rect, style);
        }
    }
    if let Some(texts) = &document.text_boxes {
        filling.lines(texts, &document.layout.node_index, ids)?;
    }
    Ok(filling.finish(doc))
}

fn rect([x, y, width, height]: [f64; 4], field: &'static str, at: usize) -> Result<Rect, SidecarError> {
    let fits = [x, y, width, height].iter().all(|value| value.abs() <= MAX_PIXELS) && width >= 0.0 && height >= 0.0;
    let reason = || wrong(field, at, format!("is [{x}, {y}, {width}, {height}], not a box in pixels"));
    if fits { Ok(Rect::at(x, y, width, height)) } else { Err(reason()) }
}

impl<'s> Filling<'s> {
    fn put(&mut self, id: NodeId, rect: Rect, style: Option<Style<'s>>) {
        let at = id.index();
        let layout = &mut self.layout;
        layout.boxes[at] = self.page.intersection(rect);
        layout.visible[at] = style.as_ref().is_none_or(|style| style.visible && style.opaque);
        let Some(style) = style else { return };
        self.styled[at] = true;
        self.transparent[at] = !style.opaque;
        layout.fonts[at] = *self.sizes.entry(style.font_size.to_bits()).or_insert_with(|| {
            layout.sizes.push(style.font_size);
            layout.sizes.len() as u32 - 1
        });
        let next = self.colours.len() as u32;
        layout.colours[at] = *self.colours.entry(style.colour).or_insert(next);
    }

    fn lines(&mut self, lines: &TextBoxes, nodes: &[i64], ids: &[Option<NodeId>]) -> Result<(), SidecarError> {
        for (at, (&index, &bounds)) in lines.layout_index.iter().zip(&lines.bounds).enumerate() {
            let node = usize::try_from(index).ok().and_then(|index| nodes.get(index));
            let node = node.ok_or_else(|| {
                wrong("textBoxes.layoutIndex", at, format!("is {index}, but there are {} boxes", nodes.len()))
            })?;
            let rect = rect(bounds, "textBoxes.bounds", at)?;
            // `layout.nodeIndex` was checked before.
            if let Some(id) = usize::try_from(*node).ok().and_then(|node| ids[node]) {
                self.layout.texts.push((id, self.page.intersection(rect)));
            }
        }
        Ok(())
    }

    fn finish(mut self, doc: &Doc) -> Layout {
        let layout = &mut self.layout;
        layout.n_colours = self.colours.len();
        for id in doc.ids().skip(1) {
            let (at, parent) = (id.index(), doc.parent(id).expect("only the document has none").index());
            self.transparent[at] |= self.transparent[parent];
            if !self.styled[at] {
                layout.fonts[at] = layout.fonts[parent];
                layout.colours[at] = layout.colours[parent];
            }
            layout.visible[at] &= !self.transparent[at] && !layout.boxes[at].is_empty();
            if !layout.visible[at] {
                layout.boxes[at] = Rect::EMPTY;
            }
        }
        let html = doc.children(NodeId::DOCUMENT).find(|&id| doc.name(id) == Name::HTML);
        let dir = html.and_then(|html| doc.find_name("dir").and_then(|name| doc.attr(html, name)));
        let rtl = dir.is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl"));
        let width = layout.width;
        let turn = |rect: Rect| match rtl && !rect.is_empty() {
            true => Rect { left: width - rect.right, right: width - rect.left, ..rect },
            false => rect,
        };
        layout.boxes.iter_mut().for_each(|rect| *rect = turn(*rect));
        let mut texts: Vec<(NodeId, Rect)> = Vec::with_capacity(layout.texts.len());
        let mut has_lines = vec![false; doc.len()];
        for &(id, rect) in &layout.texts {
            if layout.visible[id.index()] && doc.is_text(id) && !rect.is_empty() {
                has_lines[id.index()] = true;
                texts.push((id, turn(rect)));
            }
        }
        // Without boxes of lines the box around all lines stands for them.
        let without = |id: &NodeId| doc.is_text(*id) && layout.visible[id.index()] && !has_lines[id.index()];
        texts.extend(doc.ids().filter(without).map(|id| (id, layout.boxes[id.index()])));
        texts.sort_by_key(|(id, _)| *id);
        layout.texts = texts;
        let image = |id: &NodeId| is_image(doc.name(*id)) && layout.visible[id.index()];
        layout.images = doc.ids().filter(image).map(|id| (id, layout.boxes[id.index()])).collect();
        self.layout
    }
}

#[cfg(test)]
mod tests;
