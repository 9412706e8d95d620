//! Sizes and weights of the package, told from those of the product.

use gristmill_html::LocalName;

use crate::pair::Pair;
use crate::readers::container_of;
use crate::view::RecordView;

/// What both a product and its package have.
const MEASURES: [&str; 7] = ["weight", "dimensions", "size", "length", "width", "height", "depth"];
/// Parts of names and headings that speak of the package.
const WORDS: [&str; 22] = [
    "packag",
    "packing",
    "packed",
    "shipping",
    "shipment",
    "carton",
    "gross",
    "verpackung",
    "versand",
    "paket",
    "brutto",
    "colis",
    "emballage",
    "embalaje",
    "paquete",
    "imball",
    "упаков",
    "брутто",
    "包装",
    "包裝",
    "梱包",
    "毛重",
];
/// Longest heading in bytes.
const MAX_HEADING: usize = 60;
/// The rank of what heads rows of a table.
const GROUP: u8 = 7;

/// Takes the common name off measures of the package where the product has its own, so that a search by `weight` finds the product's.
/// Below a heading that speaks of the package all measures are its own as soon as one of them is, and their names begin with the
/// heading. Where a page tells the package's measures alone, they stand for the product's. O(rows).
pub(crate) fn set_apart(view: &RecordView, pairs: &mut [Pair]) {
    let measures: Vec<usize> = (0..pairs.len()).filter(|&at| is_measure(&pairs[at])).collect();
    let is_told_twice =
        |&at: &usize| measures.iter().any(|&other| other < at && is_same_measure(&pairs[at], &pairs[other]));
    if !measures.iter().any(is_told_twice) {
        return;
    }
    let headings = headings(view);
    let heading = |pair: &Pair| pair.provenance.row.and_then(|row| headings.get(row as usize).copied().flatten());
    let of_package = |pair: &Pair| speaks_of_package(&pair.name) || heading(pair).is_some();
    let (packages, own): (Vec<usize>, Vec<usize>) = measures.into_iter().partition(|&at| of_package(&pairs[at]));
    let has_own = |&at: &usize| own.iter().any(|&own| is_same_measure(&pairs[at], &pairs[own]));
    let apart: Vec<usize> = packages.iter().copied().filter(has_own).collect();
    let below: Vec<usize> = apart.iter().filter_map(|&at| heading(&pairs[at])).collect();
    for at in packages {
        let heading = heading(&pairs[at]).filter(|heading| below.contains(heading));
        if heading.is_none() && !apart.contains(&at) {
            continue;
        }
        let pair = &mut pairs[at];
        pair.canonical = None;
        if let Some(heading) = heading.filter(|_| !speaks_of_package(&pair.name)) {
            let heading = view.slice(view.span_of(heading)).replace('\n', " ");
            pair.name = format!("{}: {}", heading.trim_end_matches([':', '：', ' ']), pair.name);
        }
    }
}

fn is_measure(pair: &Pair) -> bool {
    pair.canonical.as_deref().is_some_and(|name| MEASURES.contains(&name))
}

fn is_same_measure(pair: &Pair, other: &Pair) -> bool {
    (pair.record, &pair.canonical) == (other.record, &other.canonical)
}

fn speaks_of_package(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// For each row the element of the heading around it that speaks of the package, if there is one.
fn headings(view: &RecordView) -> Vec<Option<usize>> {
    struct Open {
        rank: u8,
        until: usize,
        element: Option<usize>,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::with_capacity(view.rows.len());
    for row in &view.rows {
        let block = row.block.index();
        open.retain(|heading| heading.until > block);
        if let Some((rank, until)) = scope(view, block) {
            open.retain(|heading| heading.rank < rank);
            let text = view.slice(view.span_of(block));
            let element = (text.len() <= MAX_HEADING && speaks_of_package(text)).then_some(block);
            open.push(Open { rank, until, element });
        }
        found.push(open.iter().rev().find_map(|heading| heading.element));
    }
    found
}

/// The rank of a heading, and the node before which its section ends; nothing for what is none.
fn scope(view: &RecordView, block: usize) -> Option<(u8, usize)> {
    let rank = match view.name(block) {
        LocalName::H1 => 1,
        LocalName::H2 => 2,
        LocalName::H3 => 3,
        LocalName::H4 => 4,
        LocalName::H5 => 5,
        LocalName::H6 => 6,
        LocalName::CAPTION => GROUP,
        LocalName::TD | LocalName::TH => {
            let row = view.parent(block);
            let spans = view.doc.attr(view.doc.id(block), LocalName::ROWSPAN).is_some_and(|rows| rows.trim() != "1");
            let is_alone = view.leaf_range(row) == view.leaf_range(block);
            return (is_alone || spans).then(|| (GROUP, view.end(view.parent(row))));
        }
        _ => return None,
    };
    Some((rank, view.end(container_of(view, block))))
}
