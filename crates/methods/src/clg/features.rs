//! The seventeen features of a node, from sums and regions over its subtree.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{
    Page, is_dropped,
    layout::{PageLayout, Rect, SubtreeBoxes},
};

use super::model::GoldMeans;

/// Names of the features in the order of every table here.
pub const FEATURES: [&str; 17] = [
    "POS_LEFT",
    "POS_RIGHT",
    "POS_TOP",
    "POS_BOTTOM",
    "POS_CENTERX",
    "POS_CENTERY",
    "POS_DIST",
    "AREA_SIZE",
    "AREA_DIST",
    "FONT_COLOR_POPULARITY",
    "FONT_SIZE",
    "FONT_SIZE_POPULARITY",
    "VISIBLE_CHAR",
    "TEXT_RATIO",
    "TAG_SCORE",
    "TAG_DENSITY",
    "LINK_DENSITY",
];
/// Number of features.
pub(super) const D: usize = FEATURES.len();

/// Version of this list and of how its members are computed; a model of another version is of no use.
pub const FEATURES_VERSION: u32 = 1;

/// Features that are constant without a browser: what is horizontal, and colour.
pub(crate) const NEED_LAYOUT: [usize; 4] = [0, 1, 4, 9];

/// One value for each of [`FEATURES`].
pub type Features = [f64; FEATURES.len()];

/// What of the features does not depend on training data, relative to the page; all within or about 0..=1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RelativeFeatures {
    pub(crate) node: NodeId,
    pub(crate) name: LocalName,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) area: f64,
    pub(crate) colour_popularity: f64,
    pub(crate) font_size: f64,
    pub(crate) size_popularity: f64,
    pub(crate) visible_char: f64,
    pub(crate) text_ratio: f64,
    pub(crate) tag_density: f64,
    pub(crate) link_density: f64,
}

impl RelativeFeatures {
    pub(crate) fn center_x(&self) -> f64 {
        self.left.midpoint(self.right)
    }

    pub(crate) fn center_y(&self) -> f64 {
        self.top.midpoint(self.bottom)
    }

    /// The adjusted values (§4 of the paper).
    ///
    /// Ours: `POS_DIST`, whose formula the paper leaves out, is `1 − distance / √2` of the relative centres.
    pub(crate) fn adjusted(&self, best: &GoldMeans, tag_score: f64) -> Features {
        let near = |best: f64, value: f64| 1.0 - (best - value).abs();
        let (x, y) = (self.center_x(), self.center_y());
        [
            near(best.left, self.left),
            near(best.right, self.right),
            near(best.top, self.top),
            near(best.bottom, self.bottom),
            near(best.center_x, x),
            near(best.center_y, y),
            1.0 - (x - best.center_x).hypot(y - best.center_y) / std::f64::consts::SQRT_2,
            self.area,
            -(self.area.max(1e-6).ln() - best.area.max(1e-6).ln()).abs(),
            self.colour_popularity,
            self.font_size,
            self.size_popularity,
            self.visible_char,
            self.text_ratio,
            tag_score,
            self.tag_density,
            self.link_density,
        ]
    }
}

/// The absolute values of a page (eq. 1) that grouping and refining go by, and the relative ones of its nodes.
#[derive(Debug, Clone)]
pub(crate) struct NodeFeatures {
    /// Elements with at least one visible character, in document order.
    pub(crate) nodes: Vec<RelativeFeatures>,
    /// Bounding box of the visible boxes at and below each node.
    pub(crate) bounds: Vec<Rect>,
    /// Area of the union of these boxes, in square pixels.
    pub(crate) area: Vec<f64>,
    /// Area of the page.
    pub(crate) page_area: f64,
    pub(crate) pseudo: bool,
}

/// Sums over a subtree.
#[derive(Clone, Copy, Default)]
struct Sums {
    chars: u32,
    tags: u32,
    links: u32,
    /// Σ over characters of the share that their colour has in the page.
    colour: f64,
    /// Σ over characters of their size, 0 for the page's smallest and 1 for its largest.
    size: f64,
    /// Σ over characters of the share that their size has in the page.
    size_share: f64,
}

impl NodeFeatures {
    /// Everything of a page at once, O(nodes) but for unions of overlapping boxes.
    ///
    /// The multisets of colours and sizes (eq. 1) are never built: Σφ_ki·φ_ri and its like are sums over characters
    /// divided by their number, and such sums add up from the leaves.
    pub(crate) fn new(page: &Page<'_>, layout: &PageLayout) -> NodeFeatures {
        let sums = sums(page, layout);
        let text = SubtreeBoxes::new(page.doc, layout.texts());
        let image = SubtreeBoxes::new(page.doc, layout.images());
        let (bounds, area) = boxes(page, layout);
        let page_area = layout.width() * layout.height();
        let page_chars = f64::from(sums[0].chars.max(1));
        let relative = |id: NodeId| {
            let at = id.index();
            let (sum, rect) = (&sums[at], bounds[at]);
            let chars = f64::from(sum.chars);
            let tags = f64::from(sum.tags);
            RelativeFeatures {
                node: id,
                name: page.doc.name(id),
                left: rect.left / layout.width(),
                right: rect.right / layout.width(),
                top: rect.top / layout.height(),
                bottom: rect.bottom / layout.height(),
                area: area[at] / page_area,
                colour_popularity: sum.colour / chars,
                font_size: sum.size / chars,
                size_popularity: sum.size_share / chars,
                visible_char: chars / page_chars,
                text_ratio: text.area[at] / (text.area[at] + image.area[at] + 1.0),
                tag_density: tags / (chars + 1.0),
                link_density: f64::from(sum.links) / (tags + 1.0),
            }
        };
        let seen =
            |id: &NodeId| page.doc.is_element(*id) && sums[id.index()].chars > 0 && !bounds[id.index()].is_empty();
        let nodes = page.doc.ids().filter(seen).map(relative).collect();
        NodeFeatures { nodes, bounds, area, page_area, pseudo: layout.is_pseudo() }
    }

    /// Position of a node among [`NodeFeatures::nodes`].
    pub(crate) fn position(&self, id: NodeId) -> Option<usize> {
        self.nodes.binary_search_by_key(&id, |relative| relative.node).ok()
    }
}

fn boxes(page: &Page<'_>, layout: &PageLayout) -> (Vec<Rect>, Vec<f64>) {
    let doc = page.doc;
    if layout.is_pseudo() {
        // An element's box is the bounding box already.
        let bounds: Vec<Rect> = doc.ids().map(|id| layout.rect(id)).collect();
        let area = bounds.iter().map(|rect| rect.area()).collect();
        return (bounds, area);
    }
    let own: Vec<(NodeId, Rect)> =
        doc.ids().map(|id| (id, layout.rect(id))).filter(|(_, rect)| !rect.is_empty()).collect();
    let regions = SubtreeBoxes::new(doc, &own);
    (regions.bounds, regions.area)
}

/// Sums over each subtree, the node itself counted; index 0 has those of the page.
fn sums(page: &Page<'_>, layout: &PageLayout) -> Vec<Sums> {
    let doc = page.doc;
    let visible = || page.leaves.iter().filter(|leaf| layout.is_visible(leaf.node));
    let mut by_colour = vec![0.0; layout.n_colours()];
    let mut by_size = vec![0.0; layout.sizes().len()];
    let mut total = 0.0;
    for leaf in visible() {
        let chars = f64::from(leaf.chars);
        by_colour[layout.colour(leaf.node)] += chars;
        by_size[layout.font(leaf.node)] += chars;
        total += chars;
    }
    let used = || layout.sizes().iter().zip(&by_size).filter(|(_, chars)| **chars > 0.0).map(|(size, _)| *size);
    let (smallest, largest) = (used().fold(f64::INFINITY, f64::min), used().fold(0.0, f64::max));
    let mut sums = vec![Sums::default(); doc.len()];
    for leaf in visible() {
        let chars = f64::from(leaf.chars);
        let size = layout.font_size(leaf.node);
        sums[leaf.node.index()] = Sums {
            chars: leaf.chars,
            tags: 0,
            links: 0,
            colour: chars * by_colour[layout.colour(leaf.node)] / total,
            size: if largest > smallest { chars * (size - smallest) / (largest - smallest) } else { 0.0 },
            size_share: chars * by_size[layout.font(leaf.node)] / total,
        };
    }
    // A descendant has the larger number, so each node is complete when its turn comes.
    for id in doc.ids().skip(1).rev() {
        let name = doc.name(id);
        let sum = &mut sums[id.index()];
        if is_dropped(name) {
            *sum = Sums::default();
            continue;
        }
        if name != LocalName::TEXT {
            sum.tags += 1;
            sum.links += u32::from(name == LocalName::A && doc.attr(id, LocalName::HREF).is_some());
        }
        let sum = *sum;
        let parent = &mut sums[doc.parent(id).expect("only the document has no parent").index()];
        parent.chars += sum.chars;
        parent.tags += sum.tags;
        parent.links += sum.links;
        parent.colour += sum.colour;
        parent.size += sum.size;
        parent.size_share += sum.size_share;
    }
    sums
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use serde_json::json;

    use super::*;
    use gristmill_page::layout::Sidecar;

    /// body (8 red, 2 green, 1 blue characters) > div (3 red, 1 blue), as the example of §4 adds up.
    fn colours() -> (Doc, PageLayout) {
        let node = |parent: i64, kind: u8, name: i64, value: i64| (parent, kind, name, value);
        let nodes = [
            node(-1, 9, 0, -1),
            node(0, 1, 1, -1),
            node(1, 1, 2, -1),
            node(2, 1, 3, -1),
            node(3, 3, 4, 5),
            node(2, 1, 3, -1),
            node(5, 3, 4, 6),
            node(2, 1, 7, -1),
            node(7, 1, 3, -1),
            node(8, 3, 4, 8),
            node(7, 1, 3, -1),
            node(10, 3, 4, 9),
        ];
        let field = |pick: fn(&(i64, u8, i64, i64)) -> i64| nodes.iter().map(pick).collect::<Vec<_>>();
        let red = [10, 11, 12, 13];
        let style = |size: i64, colour: i64| json!([10, 11, size, colour]);
        let boxes: Vec<_> = (0..nodes.len()).map(|n| json!([0, 10 * n, 100, 10])).collect();
        let styles: Vec<_> = (0..nodes.len())
            .map(|n| match n {
                4 => json!(red),
                6 => style(12, 14),
                9 => style(16, 13),
                11 => style(12, 15),
                _ => json!(red),
            })
            .collect();
        let file = json!({
            "format": "gristmill-layout", "version": 1,
            "computedStyles": ["visibility", "opacity", "font-size", "color"],
            "strings": ["#document", "HTML", "BODY", "SPAN", "#text", "aaaa", "bb", "DIV", "ccc", "d",
                "visible", "1", "10px", "red", "green", "blue", "30px"],
            "document": { "contentWidth": 100, "contentHeight": 1000,
                "nodes": { "parentIndex": field(|n| n.0), "nodeType": field(|n| i64::from(n.1)),
                    "nodeName": field(|n| n.2), "nodeValue": field(|n| n.3), "attributes": vec![json!([]); nodes.len()] },
                "layout": { "nodeIndex": (0..nodes.len()).collect::<Vec<_>>(), "bounds": boxes, "styles": styles } },
        });
        Sidecar::read(file.to_string().as_bytes(), &TreeLimits::default()).unwrap()
    }

    #[test]
    fn the_colour_of_a_node_is_as_popular_as_in_the_papers_example() {
        let (doc, layout) = colours();
        let page = Page::new(&doc);
        let measures = NodeFeatures::new(&page, &layout);
        let of = |name: LocalName| measures.nodes.iter().find(|relative| relative.name == name).unwrap();
        // {red: 4, green: 2} ∪ {red: 3, blue: 1}: φ of the page is (.7, .2, .1), of the node (.75, 0, .25).
        assert!((of(LocalName::DIV).colour_popularity - 0.55).abs() < 1e-12);
        assert!((of(LocalName::BODY).colour_popularity - (0.49 + 0.04 + 0.01)).abs() < 1e-12);
        // Three of its four characters are of the largest size (30), which 3 of the page's 10 have.
        assert!((of(LocalName::DIV).font_size - 0.75).abs() < 1e-12);
        assert!((of(LocalName::DIV).size_popularity - (0.75 * 0.3 + 0.25 * 0.7)).abs() < 1e-12);
        assert!((of(LocalName::DIV).visible_char - 0.4).abs() < 1e-12);
        assert!((of(LocalName::DIV).tag_density - 3.0 / 5.0).abs() < 1e-12);
        // Boxes of 1000 square pixels, stacked: the division, two spans, two texts.
        assert_eq!((of(LocalName::DIV).area, of(LocalName::DIV).top, of(LocalName::DIV).bottom), (0.05, 0.07, 0.12));
        assert_eq!(of(LocalName::DIV).text_ratio, 2000.0 / 2001.0);
    }

    #[test]
    fn adjusted_values_are_best_at_the_best_place() {
        let best = GoldMeans { left: 0.2, right: 0.8, top: 0.1, bottom: 0.5, center_x: 0.5, center_y: 0.3, area: 0.24 };
        let relative = RelativeFeatures {
            node: NodeId::DOCUMENT,
            name: LocalName::DIV,
            left: 0.2,
            right: 0.8,
            top: 0.1,
            bottom: 0.5,
            area: 0.24,
            colour_popularity: 0.5,
            font_size: 0.5,
            size_popularity: 0.5,
            visible_char: 0.5,
            text_ratio: 0.5,
            tag_density: 0.5,
            link_density: 0.5,
        };
        let features = relative.adjusted(&best, 0.7);
        assert_eq!(features[..7], [1.0; 7]);
        assert_eq!((features[7], features[8], features[14]), (0.24, 0.0, 0.7));
        let far = RelativeFeatures { left: 0.6, right: 1.2, area: 0.0, ..relative }.adjusted(&best, 0.7);
        assert!((far[0] - 0.6).abs() < 1e-12 && (far[6] - (1.0 - 0.4 / 2f64.sqrt())).abs() < 1e-12);
        assert!((far[8] - (1e-6f64.ln() - 0.24f64.ln())).abs() < 1e-12, "no area is far, not infinitely so");
    }

    #[test]
    fn the_pseudo_layout_gives_finite_features_for_elements_with_text_only() {
        let html =
            "<body><nav><a href=x>Menu</a></nav><div><img></div><h1>Title</h1><p>Some text</p><script>x</script>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let measures = NodeFeatures::new(&page, &PageLayout::pseudo(&page));
        let names: Vec<&str> = measures.nodes.iter().map(|relative| doc.name_str(relative.name)).collect();
        assert_eq!(names, ["html", "body", "nav", "a", "h1", "p"]);
        let best = GoldMeans { left: 0.0, right: 1.0, top: 0.5, bottom: 0.5, center_x: 0.5, center_y: 0.5, area: 0.1 };
        assert!(measures.nodes.iter().all(|relative| relative.adjusted(&best, 0.5).iter().all(|x| x.is_finite())));
        let link = &measures.nodes[3];
        assert_eq!((link.link_density, link.tag_density), (0.5, 1.0 / 5.0));
    }
}
