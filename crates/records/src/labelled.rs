//! Names that stand only in attributes, from where a style sheet shows them (`td::before { content: attr(data-label) }`).
//!
//! Names of candidates are text of the page, so these are read apart, and only where the page shows no pair otherwise.

use std::collections::HashMap;

use gristmill_html::LocalName;

use crate::candidate::is_name;
use crate::dictionary::Dictionary;
use crate::pair::{Pair, PairProvenance, PairSource};
use crate::view::{ByteRange, RecordView};

/// Attributes that style sheets show before the text of their element.
const LABELS: [&str; 6] = ["data-label", "data-title", "data-th", "data-name", "data-header", "data-column"];

/// So many labelled elements make a specification: one or two may be anything.
const LEAST: usize = 3;

/// Most labelled elements that are looked at.
const MOST: usize = 2_000;

/// Longest value in bytes.
const MAX_VALUE: usize = 300;

/// How sure such a pair is.
const CONFIDENCE: f32 = 0.8;

/// An element with a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Labelled<'d> {
    name: &'d str,
    value: ByteRange,
    element: usize,
}

/// The pairs whose names stand in attributes, in page order. O(nodes) on a page that has such attributes, else nothing.
pub(crate) fn pairs(view: &RecordView, dictionary: &Dictionary) -> Vec<Pair> {
    let pair = |Labelled { name, value, element }: Labelled| {
        let row = view.leaves[view.leaf_at(value.start)].row;
        let path = view.doc.path(view.doc.id(element));
        let provenance = PairProvenance { source: PairSource::Attribute, path, row: Some(row) };
        Pair::of(dictionary, name.to_owned(), view.slice(value).replace('\n', " "), provenance, CONFIDENCE)
    };
    labelled(view).into_iter().map(pair).collect()
}

/// The labelled values that stand together in one element, each with a name of its own. Where two elements have the same names, they
/// are rows of a table of several things, and none of them is taken.
fn labelled<'d>(view: &RecordView<'d>) -> Vec<Labelled<'d>> {
    let labels: Vec<LocalName> = LABELS.iter().filter_map(|label| view.doc.find_name(label)).collect();
    if labels.is_empty() {
        return Vec::new();
    }
    let all = all(view, &labels);
    let mut among: HashMap<usize, usize> = HashMap::new();
    for one in &all {
        *among.entry(view.parent(one.element)).or_default() += 1;
    }
    // One in each row belongs with those of the other rows.
    let together = |one: &Labelled| {
        let parent = view.parent(one.element);
        if among[&parent] == 1 { view.parent(parent) } else { parent }
    };
    let mut names_of: HashMap<usize, Vec<&str>> = HashMap::new();
    for one in &all {
        names_of.entry(together(one)).or_default().push(one.name);
    }
    let mut seen: HashMap<&[&str], usize> = HashMap::new();
    names_of.values_mut().for_each(|names| names.sort_unstable());
    for names in names_of.values() {
        *seen.entry(names).or_default() += 1;
    }
    let is_specification =
        |names: &[&str]| names.len() >= LEAST && seen[names] == 1 && names.windows(2).all(|two| two[0] != two[1]);
    all.iter().filter(|one| is_specification(&names_of[&together(one)])).copied().collect()
}

/// All labelled elements with a short text that hold no other, in page order.
fn all<'d>(view: &RecordView<'d>, labels: &[LocalName]) -> Vec<Labelled<'d>> {
    let mut all: Vec<Labelled> = Vec::new();
    for id in view.doc.ids() {
        if all.len() >= MOST {
            break;
        }
        let element = id.index();
        let Some(name) = labels.iter().find_map(|&label| view.doc.attr(id, label)).map(str::trim) else { continue };
        if all.last().is_some_and(|last| view.end(last.element) > element) {
            all.pop();
        }
        let value = view.span_of(element);
        let text = view.slice(value);
        let is_value = (1..=MAX_VALUE).contains(&text.len()) && !text.contains(name);
        if is_value && is_name(name) {
            all.push(Labelled { name, value, element });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use super::*;

    fn read(html: &str) -> Vec<(String, String)> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let pairs = pairs(&RecordView::new(&page), &Dictionary::built_in());
        pairs.into_iter().map(|pair| (pair.name, pair.value)).collect()
    }

    fn cells(values: [&str; 3]) -> String {
        ["Weight", "Height", "Power"]
            .iter()
            .zip(values)
            .map(|(name, value)| format!("<td data-label='{name}'>{value}</td>"))
            .collect()
    }

    #[test]
    fn values_with_names_of_their_own_are_pairs() {
        let one = read(&format!("<table><tr>{}</tr></table>", cells(["2 kg", "<b>30</b> cm", "9 W"])));
        let names: Vec<&str> = one.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Weight", "Height", "Power"]);
        assert_eq!(one[1].1, "30 cm");
        let rows = "<ul><li><p data-title=Weight>2 kg</p></li><li><p data-title=Height>30 cm</p></li><li><p data-title=Power>9 W</p></li></ul>";
        assert_eq!(read(rows).len(), 3);
    }

    #[test]
    fn rows_of_the_same_names_and_names_that_are_shown_are_left_alone() {
        let rows = [["2 kg", "30 cm", "9 W"], ["3 kg", "40 cm", "12 W"]].map(|row| format!("<tr>{}</tr>", cells(row)));
        assert_eq!(read(&format!("<table>{}</table>", rows.concat())), []);
        let shown = "<ul><li data-label=Weight>Weight 2 kg</li><li data-label=Height>Height 3 cm</li><li data-label=Power>Power 9 W</li></ul>";
        assert_eq!(read(shown), []);
        let two = "<ul><li data-label=Weight>2 kg</li><li data-label=Height>3 cm</li></ul>";
        assert_eq!(read(two), []);
    }
}
