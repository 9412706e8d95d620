//! A layout without a browser: rows stacked on one another over the whole width.

use gristmill_html::{LocalName, NodeId};

use super::{PageLayout, Rect};
use crate::blocks::is_dropped;
use crate::rows::Rows;

/// Width of the page in pixels: that of the viewport which real layouts are taken with.
const WIDTH: f64 = 1280.0;
/// Height of one line of text of ordinary size, in pixels.
const LINE: f64 = 20.0;
/// Columns of a line; a character takes half of one.
const COLUMNS: f64 = 80.0 * 2.0;
/// Pixels of an image that does not tell its size.
const IMAGE: (f64, f64) = (300.0, 200.0);
/// No image is taller than this, whatever its attributes say.
const MAX_IMAGE: f64 = 4096.0;
/// Relative font sizes; the index is kept by node.
const SIZES: [f64; 4] = [1.0, 1.17, 1.5, 2.0];

impl PageLayout {
    /// Guesses a layout from rows and images.
    ///
    /// A row spans the width and is `font · ⌈characters · 0.5 / 160⌉` lines tall, where font is 2 in `h1`, 1.5 in
    /// `h2`, 1.17 in `h3` and 1 elsewhere; an image takes what its `width` and `height` attributes say, else
    /// 300 × 200, and stands on a line of its own. The box of an element is the bounding box of what it contains, so
    /// horizontal values are nearly constant and there is one colour. Never empty: a page without text has height 1.
    /// O(nodes).
    ///
    /// Ours: no paper lays out without a browser. Units are pixels of a viewport of 1280, so that constants which
    /// guard denominators stay as small as they are in a real layout.
    pub fn pseudo(page: &Rows<'_>) -> PageLayout {
        let n = page.doc.len();
        let mut layout = PageLayout {
            width: WIDTH,
            height: 1.0,
            pseudo: true,
            boxes: vec![Rect::EMPTY; n],
            visible: vec![false; n],
            fonts: vec![0; n],
            sizes: SIZES.to_vec(),
            colours: vec![0; n],
            n_colours: 1,
            texts: Vec::with_capacity(page.leaves.len()),
            images: Vec::new(),
        };
        let bottom = place(page, &mut layout);
        layout.height = bottom.max(1.0);
        for id in page.doc.ids().skip(1).rev() {
            let rect = layout.boxes[id.index()];
            layout.visible[id.index()] = !rect.is_empty();
            let parent = page.doc.parent(id).expect("only the document has no parent");
            let around = &mut layout.boxes[parent.index()];
            *around = around.bounds(rect);
        }
        layout
    }
}

/// Gives text nodes and images their boxes, from the top down; returns where the page ends.
fn place(page: &Rows<'_>, layout: &mut PageLayout) -> f64 {
    let doc = page.doc;
    let mut headings: Vec<(usize, u32)> = Vec::new();
    let (mut y, mut row, mut row_box, mut leaf) = (0.0, u32::MAX, Rect::EMPTY, 0);
    let mut at = 1;
    while at < doc.len() {
        while headings.pop_if(|(end, _)| *end <= at).is_some() {}
        let id = doc.id(at);
        let name = doc.name(id);
        match name {
            LocalName::H1 => headings.push((doc.end(id), 3)),
            LocalName::H2 => headings.push((doc.end(id), 2)),
            LocalName::H3 => headings.push((doc.end(id), 1)),
            LocalName::IMG => {
                let (width, height) = image_size(page, id);
                let rect = Rect::at(0.0, y, width, height);
                y += height;
                layout.boxes[at] = rect;
                layout.images.push((id, rect));
            }
            LocalName::TEXT => {
                if let Some(found) = page.leaves.get(leaf).filter(|leaf| leaf.node == id) {
                    let font = headings.last().map_or(0, |(_, font)| *font);
                    if found.row != row {
                        row = found.row;
                        let chars = f64::from(page.rows[row as usize].chars);
                        let height = LINE * SIZES[font as usize] * (chars * 0.5 / COLUMNS).ceil();
                        row_box = Rect::at(0.0, y, WIDTH, height);
                        y += height;
                    }
                    layout.fonts[at] = font;
                    layout.boxes[at] = row_box;
                    layout.texts.push((id, row_box));
                    leaf += 1;
                }
            }
            _ if is_dropped(name) => {
                at = doc.end(id);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    y
}

/// Width and height in pixels. One that is missing takes its part of 300 × 200.
fn image_size(page: &Rows<'_>, id: NodeId) -> (f64, f64) {
    let pixels = |name: LocalName| {
        let text = page.doc.attr(id, name)?.trim();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, unit) = text.split_at(digits);
        // `100%` is a share of something unknown.
        let plain = unit.is_empty() || unit.starts_with('.') || unit.starts_with("px");
        number.parse::<f64>().ok().filter(|_| plain)
    };
    let width = pixels(LocalName::WIDTH).unwrap_or(IMAGE.0).min(WIDTH);
    (width, pixels(LocalName::HEIGHT).unwrap_or(IMAGE.1).min(MAX_IMAGE))
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;
    use crate::blocks::BlockRules;

    #[test]
    fn rows_are_stacked_and_elements_are_the_bounds_of_what_they_hold() {
        let html = format!(
            "<body><h1>Title</h1><div><p>{}</p><img width=640 height=50px><img width=1 height=1><p>b <a>c</a></p></div>",
            "x".repeat(321)
        );
        let doc = Doc::parse(&html, &TreeLimits::default());
        let layout = PageLayout::pseudo(&Rows::new(&doc, BlockRules::TEXT));
        let rect = |name: LocalName| layout.rect(doc.first(name).unwrap());
        assert_eq!(rect(LocalName::H1), Rect::at(0., 0., 1280., 40.));
        assert_eq!(rect(LocalName::P), Rect::at(0., 40., 1280., 40.));
        assert_eq!(rect(LocalName::IMG), Rect::at(0., 80., 640., 50.));
        assert_eq!(rect(LocalName::A), Rect::at(0., 131., 1280., 20.));
        assert_eq!(rect(LocalName::DIV), Rect::at(0., 40., 1280., 111.));
        assert_eq!(rect(LocalName::BODY), Rect::at(0., 0., 1280., 151.));
        assert_eq!((layout.height(), layout.images().len()), (151.0, 2));
        let title = doc.first_child(doc.first(LocalName::H1).unwrap()).unwrap();
        assert_eq!((layout.font_size(title), layout.is_visible(doc.first(LocalName::HEAD).unwrap())), (2.0, false));
    }

    #[test]
    fn images_without_a_size_in_pixels_are_300_by_200_and_never_larger_than_the_page_is_wide() {
        let html = "<img><img width=100% height=9999999><img width=99999 height=10.5>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let layout = PageLayout::pseudo(&Rows::new(&doc, BlockRules::TEXT));
        let sizes: Vec<_> = layout.images().iter().map(|(_, rect)| (rect.width(), rect.height())).collect();
        assert_eq!(sizes, [(300.0, 200.0), (300.0, 4096.0), (1280.0, 10.0)]);
    }

    #[test]
    fn a_page_without_text_still_has_a_size() {
        let doc = Doc::parse("", &TreeLimits::default());
        let layout = PageLayout::pseudo(&Rows::new(&doc, BlockRules::TEXT));
        assert_eq!((layout.width(), layout.height()), (1280.0, 1.0));
    }
}
