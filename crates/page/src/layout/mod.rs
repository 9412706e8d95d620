//! Where the nodes of a page stand, how large their text is and whether they are seen.

mod pseudo;
mod rect;
mod regions;
mod sidecar;

use gristmill_html::{Doc, LocalName, NodeId};

pub use rect::{Rect, overlap_area, union_area};
pub use regions::SubtreeBoxes;
pub use sidecar::{Sidecar, SidecarError};

/// Boxes, fonts and colours of the nodes of one [`Doc`], by node.
///
/// Either what a browser computed ([`Sidecar::read`]), or a guess from text and tags ([`PageLayout::pseudo`]) which knows
/// nothing horizontal and nothing of colours.
#[derive(Debug, Clone)]
pub struct PageLayout {
    width: f64,
    height: f64,
    pseudo: bool,
    boxes: Vec<Rect>,
    visible: Vec<bool>,
    /// Indexes into `sizes`.
    fonts: Vec<u32>,
    sizes: Vec<f64>,
    /// Numbers from 0 on, below `n_colours`.
    colours: Vec<u32>,
    n_colours: usize,
    /// Rectangles of text and of images by node, in document order.
    texts: Vec<(NodeId, Rect)>,
    images: Vec<(NodeId, Rect)>,
}

impl PageLayout {
    /// Width of the page in pixels, positive.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Height of the page in pixels, positive.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Whether it is a guess without a browser.
    pub fn is_pseudo(&self) -> bool {
        self.pseudo
    }

    /// The box of the node itself, [`Rect::EMPTY`] when it is not seen; what lies below it may reach out of it.
    pub fn rect(&self, id: NodeId) -> Rect {
        self.boxes[id.index()]
    }

    /// Whether the node itself is seen; nodes below an unseen one may be.
    pub fn is_visible(&self, id: NodeId) -> bool {
        self.visible[id.index()]
    }

    /// Computed font size in pixels.
    pub fn font_size(&self, id: NodeId) -> f64 {
        self.sizes[self.font(id)]
    }

    /// Number of the computed text colour; equal numbers are equal colours of one page.
    pub fn colour(&self, id: NodeId) -> usize {
        self.colours[id.index()] as usize
    }

    pub fn font(&self, id: NodeId) -> usize {
        self.fonts[id.index()] as usize
    }

    pub fn sizes(&self) -> &[f64] {
        &self.sizes
    }

    pub fn n_colours(&self) -> usize {
        self.n_colours
    }

    pub fn texts(&self) -> &[(NodeId, Rect)] {
        &self.texts
    }

    pub fn images(&self) -> &[(NodeId, Rect)] {
        &self.images
    }

    /// Whether it was made for a document of this size; methods refuse any other.
    pub fn fits(&self, doc: &Doc) -> bool {
        self.boxes.len() == doc.len()
    }
}

/// Whether the element is a picture, whatever draws it.
fn is_image(name: LocalName) -> bool {
    matches!(name, LocalName::IMG | LocalName::SVG | LocalName::CANVAS | LocalName::VIDEO)
}
