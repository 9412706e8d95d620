//! Which images, films, frames and rules belong to what was kept.

use std::borrow::Cow;
use std::collections::HashMap;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, Selection, is_dropped, tables::is_data_table};

use super::Structure;
use super::addresses::is_safe;
use super::frames;
use super::spans::{StyledRun, plain};

/// More are a gallery of another kind of page.
const MAX_IMAGES: usize = 500;
const MAX_ALT_CHARS: usize = 300;
/// Attributes that hold the address while a script has not put it into `src`, which is then a placeholder.
const LAZY: [&str; 7] =
    ["data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-url", "data-hi-res-src", "data-full-src"];
/// The same of several sizes.
const LAZY_SIZES: [&str; 2] = ["data-srcset", "data-lazy-srcset"];

/// Images and frames between two kept leaves, those of figures that hold a kept one and of kept rows of data tables, in document
/// order; none of preformatted text. Captions that were not kept stand between nothing, and come back with their image. Where
/// images are not wanted, cells that hold nothing else have their descriptions.
/// O(nodes + images · depth).
pub(super) fn images<'d>(
    page: &Page<'d>,
    selection: &Selection,
    structure: &Structure,
) -> Vec<(NodeId, StyledRun<'d>)> {
    let (tables, found) = (HashMap::new(), Vec::new());
    let mut finder = Finder { page, selection, images: structure.images, tables, last: None, found };
    let doc = page.doc;
    let mut at = 1;
    while at < doc.len() && finder.found.len() < MAX_IMAGES {
        let id = doc.id(at);
        let name = doc.name(id);
        at = if is_dropped(name) { doc.end(id) } else { at + 1 };
        match name {
            LocalName::TEXT => {}
            LocalName::IMG => finder.image(id),
            LocalName::HR => finder.rule(id),
            LocalName::FIGCAPTION if structure.images && structure.captions => finder.caption(id),
            _ if doc.name_str(name) == "amp-img" => finder.image(id),
            // Films and frames are links.
            _ if structure.links => finder.frame(id),
            _ => {}
        }
    }
    finder.found
}

struct Finder<'p, 'd> {
    page: &'p Page<'d>,
    selection: &'p Selection,
    /// Images are wanted.
    images: bool,
    tables: HashMap<NodeId, bool>,
    /// The image before, with an address or without.
    last: Option<NodeId>,
    found: Vec<(NodeId, StyledRun<'d>)>,
}

/// Where an image stands.
enum Place {
    Text,
    /// In this cell of a data table.
    Cell(NodeId),
}

impl<'d> Finder<'_, 'd> {
    fn image(&mut self, id: NodeId) {
        let doc = self.page.doc;
        let last = self.last.replace(id);
        let Some(place) = self.place(id) else { return };
        let alt: String = doc.attr(id, LocalName::ALT).unwrap_or("").chars().take(MAX_ALT_CHARS).collect();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        if !self.images {
            let is_alone = matches!(place, Place::Cell(cell) if self.leaves(cell).is_empty() && has_head(doc, cell));
            if is_alone && !alt.is_empty() && link_around(doc, id).is_none() {
                self.found.push((id, plain(&alt)));
            }
            return;
        }
        let Some(address) = address(doc, id).filter(|_| !is_dot(doc, id)) else { return };
        let span = StyledRun { image: Some(Cow::Borrowed(address)), link: link_around(doc, id), ..plain(&alt) };
        let before = self.found.last_mut().filter(|(before, _)| last == Some(*before));
        match before.filter(|(before, other)| same_picture(self.page, (*before, other), (id, &span))) {
            // The one for large screens stays.
            Some(before) if is_for(doc, before.0, SMALL) => *before = (id, span),
            Some(_) => {}
            None => self.found.push((id, span)),
        }
    }

    /// The words below an image that is shown, where they were not kept: a figure is not shown by halves.
    fn caption(&mut self, id: NodeId) {
        const MAX_NODES: usize = 100;
        let doc = self.page.doc;
        let is_shown = |figure| self.found.iter().rev().take(4).any(|(image, _)| doc.contains(figure, *image));
        let figure = doc.ancestors(id).take(4).find(|&id| doc.name(id) == LocalName::FIGURE);
        let leaves = self.leaves(id);
        if figure.is_some_and(is_shown)
            && leaves.len() <= MAX_NODES
            && !leaves.clone().any(|leaf| self.selection.keeps(leaf))
        {
            let mut rows: Vec<u32> = leaves.map(|leaf| self.page.leaves[leaf].row).collect();
            rows.dedup();
            let words: Vec<&str> = rows.iter().map(|&row| self.page.row_text(&self.page.rows[row as usize])).collect();
            if !words.is_empty() {
                self.found.push((id, plain(&words.join(" "))));
            }
        }
    }

    /// A line between two kept rows; none before footnotes, which need none.
    fn rule(&mut self, id: NodeId) {
        let is_first = self.found.last().is_none_or(|(before, _)| {
            self.page.doc.name(*before) != LocalName::HR || !are_neighbours(self.page, *before, id)
        });
        let next = self.page.leaves.partition_point(|leaf| leaf.node < id);
        let before_note = self.page.leaves.get(next).is_some_and(|leaf| self.page.notes().around(leaf.node).is_some());
        if is_first
            && !before_note
            && let Some(Place::Text) = self.place(id)
        {
            self.found.push((id, plain("")));
        }
    }

    fn frame(&mut self, id: NodeId) {
        if let Some(span) = frames::frame(self.page.doc, id)
            && let Some(Place::Text) = self.place(id)
        {
            self.found.push((id, span));
        }
    }

    /// `None` where it does not belong to what is kept.
    fn place(&mut self, id: NodeId) -> Option<Place> {
        let doc = self.page.doc;
        let (mut figure, mut cell, mut row) = (None, None, None);
        for around in doc.ancestors(id) {
            match doc.name(around) {
                LocalName::FIGURE => figure = figure.or(Some(around)),
                LocalName::PRE => return None,
                LocalName::TD | LocalName::TH => cell = Some(around),
                LocalName::TR => row = Some(around),
                LocalName::TABLE if *self.tables.entry(around).or_insert_with(|| is_data_table(doc, around)) => {
                    let kept = row.is_some_and(|row| self.keeps_some(row));
                    return cell.filter(|_| kept).map(Place::Cell);
                }
                _ => {}
            }
        }
        (self.is_between(id) || figure.is_some_and(|figure| self.keeps_some(figure))).then_some(Place::Text)
    }

    /// Whether the leaves before and behind are kept, but for captions.
    fn is_between(&self, id: NodeId) -> bool {
        /// A row of pictures has so many parts of captions beside one of them.
        const MAX_SKIPPED: usize = 20;
        let leaves = &self.page.leaves;
        let next = leaves.partition_point(|leaf| leaf.node < id);
        let is_kept = |leaf: &usize| self.selection.keeps(*leaf);
        let counts = |leaf: &usize| is_kept(leaf) || !self.is_of_caption(leaves[*leaf].node);
        let before = (0..next).rev().take(MAX_SKIPPED).find(counts);
        let behind = (next..leaves.len()).take(MAX_SKIPPED).find(counts);
        before.as_ref().is_some_and(is_kept) && behind.as_ref().is_some_and(is_kept)
    }

    fn is_of_caption(&self, leaf: NodeId) -> bool {
        const LEVELS: usize = 6;
        let doc = self.page.doc;
        doc.ancestors(leaf).take(LEVELS).any(|id| doc.name(id) == LocalName::FIGCAPTION)
    }

    fn leaves(&self, id: NodeId) -> std::ops::Range<usize> {
        self.page.leaves_in(id.index()..self.page.doc.end(id))
    }

    fn keeps_some(&self, id: NodeId) -> bool {
        self.leaves(id).any(|leaf| self.selection.keeps(leaf))
    }
}

const SMALL: &[&str] = &["mobile", "phone", "small"];
const LARGE: &[&str] = &["desktop", "tablet", "large"];

/// Whether no text stands between two nodes, which are no text.
fn are_neighbours(page: &Page<'_>, first: NodeId, second: NodeId) -> bool {
    page.leaves_in(first.index()..second.index()).is_empty()
}

/// Whether two images with no text between are one: for readers without scripts, or for another kind of screen.
fn same_picture(page: &Page<'_>, (first, a): (NodeId, &StyledRun<'_>), (second, b): (NodeId, &StyledRun<'_>)) -> bool {
    let doc = page.doc;
    let (Some(one), Some(other)) = (&a.image, &b.image) else { return false };
    let is_twin = || doc.ancestors(second).take(3).any(|id| doc.name(id) == LocalName::NOSCRIPT);
    let sizes = || {
        is_for(doc, first, SMALL) && is_for(doc, second, LARGE)
            || is_for(doc, first, LARGE) && is_for(doc, second, SMALL)
    };
    are_neighbours(page, first, second) && (one == other || is_twin() || sizes())
}

/// Whether the table around a cell has cells that are heads: others hold pictures for their looks.
fn has_head(doc: &Doc, cell: NodeId) -> bool {
    let table = doc.ancestors(cell).find(|&id| doc.name(id) == LocalName::TABLE);
    table.is_some_and(|table| doc.subtree(table).any(|id| doc.name(id) == LocalName::TH))
}

/// Whether a class at or around an image names a kind of screen.
fn is_for(doc: &Doc, id: NodeId, screens: &[&str]) -> bool {
    std::iter::once(id)
        .chain(doc.ancestors(id).take(3))
        .any(|id| gristmill_page::attribute_words::is_named(doc, id, screens))
}

/// The link that an image is.
fn link_around(doc: &Doc, id: NodeId) -> Option<Cow<'_, str>> {
    let link = doc.ancestors(id).take(6).find(|&id| doc.name(id) == LocalName::A)?;
    doc.attr(link, LocalName::HREF).map(str::trim).filter(|href| is_safe(href)).map(Cow::Borrowed)
}

/// Where the picture is, by the attributes that scripts and browsers read.
fn address(doc: &Doc, id: NodeId) -> Option<&str> {
    let attribute = |names: &[&str]| doc.attributes(id).find(|found| names.contains(&doc.name_str(found.name)));
    let safe = |src: &&str| is_safe(src);
    // A script writes the size in: `/mill_{width}x.jpg`.
    let is_whole = |src: &&str| is_safe(src) && !src.contains(['{', '}']);
    let lazy = attribute(&LAZY).map(|found| found.value.trim()).filter(is_whole);
    let lazy_sizes = || attribute(&LAZY_SIZES).and_then(|found| largest(found.value));
    let own = doc.attr(id, LocalName::SRC).map(str::trim).filter(safe);
    let picture = || own.filter(|src| !is_placeholder(src));
    let sizes = || doc.attr(id, LocalName::SRCSET).and_then(largest);
    let named = || doc.attributes(id).find(|found| is_picture(doc.name_str(found.name), found.value));
    let named = || named().map(|found| found.value.trim()).filter(is_whole);
    lazy.or_else(lazy_sizes).or_else(picture).or_else(sizes).or_else(|| of_sources(doc, id)).or_else(named).or(own)
}

/// Whether a picture is one point: it counts readers.
fn is_dot(doc: &Doc, id: NodeId) -> bool {
    let sizes = doc.attributes(id).filter(|found| matches!(doc.name_str(found.name), "width" | "height"));
    sizes.filter(|size| matches!(size.value.trim(), "0" | "1" | "1px")).count() == 2
}

/// Whether an address names what stands for a picture until a script has put it in.
fn is_placeholder(src: &str) -> bool {
    const NAMES: [&str; 7] = ["blank", "spacer", "placeholder", "pixel", "transparent", "lazy", "loading"];
    let file = src.split(['?', '#']).next().and_then(|path| path.rsplit('/').next()).unwrap_or("");
    let stem = file.split('.').next().unwrap_or("");
    NAMES.iter().any(|name| stem.eq_ignore_ascii_case(name))
}

/// Whether an attribute that no standard has holds the address of a picture.
fn is_picture(name: &str, value: &str) -> bool {
    const KINDS: [&str; 7] = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg"];
    let path = value.trim().split(['?', '#']).next().unwrap_or("");
    let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
    name.starts_with("data-")
        && KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known))
        && !path.contains([' ', ','])
}

/// The address that the sources beside an image in a `picture` give.
fn of_sources(doc: &Doc, id: NodeId) -> Option<&str> {
    let picture = doc.parent(id).filter(|&parent| doc.name(parent) == LocalName::PICTURE)?;
    doc.children(picture).filter(|&id| doc.name(id) == LocalName::SOURCE).find_map(|source| {
        let lazy = doc.attributes(source).find(|found| LAZY_SIZES.contains(&doc.name_str(found.name)));
        doc.attr(source, LocalName::SRCSET).or(lazy.map(|found| found.value)).and_then(largest)
    })
}

/// The largest of the candidates of a `srcset`, as the HTML standard divides them: an address may hold commas.
fn largest(srcset: &str) -> Option<&str> {
    const MAX: usize = 100;
    let mut best: Option<(&str, f32)> = None;
    let mut rest = srcset;
    for _ in 0..MAX {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        if rest.is_empty() {
            break;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (address, behind) = rest.split_at(end);
        let bare = address.trim_end_matches(',');
        let (descriptor, behind) = match bare.len() < address.len() {
            true => ("", behind),
            false => behind.split_once(',').unwrap_or((behind, "")),
        };
        let size = descriptor.trim().trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
        if is_safe(bare) && best.is_none_or(|(_, most)| size > most) {
            best = Some((bare, size));
        }
        rest = behind;
    }
    best.map(|(address, _)| address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_candidate_is_taken_and_addresses_may_hold_commas() {
        for (srcset, expected) in [
            ("/a.png 480w, /b.png 960w", Some("/b.png")),
            ("/a,b=1.png 2x, /c.png", Some("/a,b=1.png")),
            ("/a.png", Some("/a.png")),
            ("/a.png, /b.png 2x", Some("/b.png")),
            ("data:image/gif;base64,AA 1w, /b.png 1w", Some("/b.png")),
            (" , ", None),
        ] {
            assert_eq!(largest(srcset), expected, "{srcset}");
        }
    }
}
