//! The boxes, styles and lines of a snapshot as a layout.

use gristmill_html::{Doc, LocalName, NodeId};

use super::super::{PageLayout, Rect, is_image};
use super::{File, MAX_PIXELS, SidecarError, TextBoxes, string, wrong};

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
    layout: PageLayout,
    page: Rect,
    sizes: std::collections::HashMap<u64, u32>,
    colours: std::collections::HashMap<&'s str, u32>,
    styled: Vec<bool>,
    transparent: Vec<bool>,
}

pub(super) fn layout(file: &File, doc: &Doc, ids: &[Option<NodeId>]) -> Result<PageLayout, SidecarError> {
    let document = &file.document;
    let size = |value: f64, field: &'static str| {
        let fits = value > 0.0 && value <= MAX_PIXELS;
        if fits { Ok(value) } else { Err(wrong(field, 0, format!("is {value}, not a size in pixels"))) }
    };
    let width = size(document.content_width, "document.contentWidth")?;
    let height = size(document.content_height, "document.contentHeight")?;
    let n = doc.len();
    let mut filling = Filling {
        layout: PageLayout {
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

    fn finish(mut self, doc: &Doc) -> PageLayout {
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
        let html = doc.children(NodeId::DOCUMENT).find(|&id| doc.name(id) == LocalName::HTML);
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
