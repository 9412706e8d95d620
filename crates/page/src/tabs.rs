//! Tabs: the label of each stands at the head of its panel, as for one who opens them one after the other.
//!
//! ```text
//! [Debian] [macOS]  (apt install mill) (brew install mill)   ⇒   (Debian: apt install mill) (macOS: brew install mill)
//! ```

use std::collections::{HashMap, HashSet};

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::collapse;

use crate::attribute_words::has;

/// Words of the classes of lists of labels that have no role.
const LISTS: [&str; 3] = ["tabs", "tabbed", "tablist"];
/// A list of more tabs, longer labels or more nodes is something else.
const MAX_TABS: usize = 30;
const MAX_BYTES: usize = 80;
const MAX_NODES: usize = 500;
/// Elements between a list of labels and what it shares with its panels.
const MAX_AROUND: usize = 3;

/// Makes the label of each tab the `summary` of its panel, if that does not say the same itself. O(nodes) where a page has tabs.
pub(crate) fn write(doc: &mut Doc) {
    let lists: Vec<(NodeId, Vec<NodeId>)> = match LISTS.iter().any(|word| doc.mentions(word)) {
        true => doc.ids().filter_map(|list| Some((list, labels(doc, list)?))).collect(),
        false => return,
    };
    if lists.is_empty() {
        return;
    }
    let (moves, labels) = moves(doc, &lists);
    labels.into_iter().for_each(|label| doc.set_name(label, LocalName::SUMMARY));
    if !moves.is_empty() {
        doc.rearrange(&moves);
    }
}

/// What becomes a part of what, and the labels among it.
fn moves(doc: &Doc, lists: &[(NodeId, Vec<NodeId>)]) -> (Vec<(NodeId, NodeId)>, Vec<NodeId>) {
    let references = References::new(doc);
    let mut taken = HashSet::new();
    let (mut moves, mut moved) = (Vec::new(), Vec::new());
    for (list, labels) in lists {
        let pairs = references.panels(doc, *list, labels).into_iter();
        for (label, panel) in pairs.filter(|(label, panel)| taken.insert(*panel) && !is_said(doc, *label, *panel)) {
            moved.push(label);
            moves.push((label, panel));
            moves.extend(doc.children(panel).map(|child| (child, panel)));
        }
    }
    (moves, moved)
}

/// The labels of a list of tabs, which say different things in words: `1`, `2` and `slide 3` are marks of pictures.
fn labels(doc: &Doc, list: NodeId) -> Option<Vec<NodeId>> {
    let is_list = doc.attr(list, LocalName::ROLE) == Some("tablist");
    if !is_list && !doc.attr(list, LocalName::CLASS).is_some_and(|class| has(class, &LISTS)) {
        return None;
    }
    let is_for = |id: NodeId| doc.attributes(id).any(|attribute| doc.name_str(attribute.name) == "for");
    let is_label = |id: &NodeId| match is_list {
        true => doc.attr(*id, LocalName::ROLE) == Some("tab"),
        false if doc.name(*id) == LocalName::LABEL => doc.parent(*id) == Some(list) && is_for(*id),
        false => {
            let mut around = doc.ancestors(*id).take(MAX_AROUND);
            let is_item = around.next().is_some_and(|id| doc.name(id) == LocalName::LI) && around.any(|id| id == list);
            doc.name(*id) == LocalName::A && doc.attr(*id, LocalName::HREF).is_some_and(is_place) && is_item
        }
    };
    let labels: Vec<NodeId> = doc.subtree(list).take(MAX_NODES).skip(1).filter(is_label).take(MAX_TABS + 1).collect();
    let is_small = |id: &NodeId| doc.end(*id) - id.index() <= MAX_NODES;
    if !(2..=MAX_TABS).contains(&labels.len()) || !labels.iter().all(is_small) {
        return None;
    }
    let texts: Vec<String> = labels.iter().map(|&id| doc.readable(id, 4 * MAX_BYTES)).collect();
    let words = |text: &String| text.replace(|c: char| !c.is_alphabetic(), "");
    let distinct: HashSet<String> = texts.iter().map(words).filter(|words| !words.is_empty()).collect();
    let are_short = texts.iter().all(|text| text.trim().len() <= MAX_BYTES);
    (distinct.len() == labels.len() && are_short).then_some(labels)
}

fn is_place(href: &str) -> bool {
    href.len() > 1 && href.starts_with('#')
}

/// Whether the panel begins with its label, or stands below it once more.
fn is_said(doc: &Doc, label: NodeId, panel: NodeId) -> bool {
    let words = |id: NodeId| collapse(&doc.readable(id, 4 * MAX_BYTES)).to_lowercase();
    let said = words(label);
    let is_text = |id: &NodeId| doc.is_text(*id) && !doc.text(*id).trim().is_empty();
    let first = doc.subtree(panel).take(MAX_NODES).find(is_text);
    let mut titles = first.into_iter().flat_map(|first| doc.ancestors(first)).take_while(|&id| id != panel);
    let before = std::iter::successors(doc.prev_sibling(panel), |&id| doc.prev_sibling(id));
    let before = before.take(MAX_TABS).find(|&id| doc.is_element(id));
    before.is_some_and(|id| words(id) == said) || titles.any(|id| words(id) == said)
}

/// Elements by what may refer to them.
struct References<'d> {
    by_id: HashMap<&'d str, NodeId>,
    by_label: HashMap<&'d str, NodeId>,
}

impl<'d> References<'d> {
    fn new(doc: &'d Doc) -> References<'d> {
        let (mut by_id, mut by_label) = (HashMap::new(), HashMap::new());
        for id in doc.ids().filter(|&id| doc.is_element(id)) {
            for attribute in doc.attributes(id) {
                if attribute.name == LocalName::ID {
                    by_id.entry(attribute.value).or_insert(id);
                } else if doc.name_str(attribute.name) == "aria-labelledby" {
                    by_label.entry(attribute.value).or_insert(id);
                }
            }
        }
        References { by_id, by_label }
    }

    /// Labels of a list with their panels: those that they refer to, or those that follow in the same number.
    fn panels(&self, doc: &Doc, list: NodeId, labels: &[NodeId]) -> Vec<(NodeId, NodeId)> {
        let end = labels.last().map_or(0, |&last| doc.end(last));
        let is_behind = |panel: &NodeId| panel.index() >= end;
        let referred = labels.iter().filter_map(|&label| Some((label, self.panel(doc, label).filter(is_behind)?)));
        let referred: Vec<(NodeId, NodeId)> = referred.collect();
        let is_one_by_one = referred.windows(2).all(|pair| doc.end(pair[0].1) <= pair[1].1.index());
        // A link to a place that is not on the page is a button of some script.
        let is_link = |id: &NodeId| doc.attr(*id, LocalName::HREF).is_some();
        match referred.is_empty() && !labels.iter().any(is_link) {
            true => labels.iter().copied().zip(following(doc, list, labels.len())).collect(),
            false => referred.into_iter().filter(|_| is_one_by_one).collect(),
        }
    }

    fn panel(&self, doc: &Doc, label: NodeId) -> Option<NodeId> {
        let by_id = |id: &str| self.by_id.get(id.trim_start_matches('#')).copied();
        let of_label = doc.attributes(label).find_map(|attribute| match doc.name_str(attribute.name) {
            "aria-controls" | "data-bs-target" | "data-target" => by_id(attribute.value),
            "href" if is_place(attribute.value) => by_id(attribute.value),
            _ => None,
        });
        of_label.or_else(|| self.by_label.get(doc.attr(label, LocalName::ID)?).copied())
    }
}

/// As many panels as there are labels, behind their list: elements that say they are panels, or all within the next.
fn following(doc: &Doc, list: NodeId, n_labels: usize) -> Vec<NodeId> {
    let is_panel = |id: &NodeId| doc.attr(*id, LocalName::ROLE) == Some("tabpanel");
    for at in std::iter::once(list).chain(doc.ancestors(list)).take(MAX_AROUND) {
        let behind: Vec<NodeId> = doc.elements_behind(at).take(MAX_TABS + 1).take_while(is_panel).collect();
        if behind.len() == n_labels {
            return behind;
        }
        if let Some(next) = doc.elements_behind(at).next() {
            let within: Vec<NodeId> = doc.children(next).filter(|&id| doc.is_element(id)).take(MAX_TABS + 1).collect();
            return if within.len() == n_labels { within } else { Vec::new() };
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::Page;

    fn text(html: &str) -> String {
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        Page::new(&doc).text.trim().replace('\n', " / ")
    }

    #[test]
    fn each_label_stands_at_the_head_of_its_panel() {
        for tabs in [
            "<ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul><div><p role=tabpanel>one</p><p role=tabpanel hidden>two</p></div>",
            "<div><ul role=tablist><li><a role=tab aria-controls=a>npm</a><li><a role=tab aria-controls=b>Yarn</a></ul></div><div><p id=a>one</p><hr><p id=b>two</p></div>",
            "<div role=tablist><button role=tab id=a>npm</button><button role=tab id=b>Yarn</button></div><p aria-labelledby=a>one</p><p aria-labelledby=b>two</p>",
            "<div class=tabs><input id=x><label for=x>npm</label><input id=y><label for=y>Yarn</label></div><div class=blocks><div>one</div><div>two</div></div>",
            "<div class=tabbed-labels><label for=x>npm</label><label for=y>Yarn</label></div><div><div><p>one</div><div><p>two</div></div>",
            "<div class=tabs><ul><li><a href=#x>npm</a><li><a href=#y>Yarn</a></ul><div><div id=x>one</div><div id=y>two</div></div></div>",
            "<ul class=ui-tabs-nav><li><a href=#x>npm</a><li><a href=#y>Yarn</a></ul><div id=x>one</div><div id=y>two</div>",
        ] {
            assert_eq!(
                text(&format!("<p>Before.</p>{tabs}<p>Behind.")),
                "Before. / npm / one / Yarn / two / Behind.",
                "{tabs}"
            );
        }
    }

    #[test]
    fn what_a_panel_says_itself_is_not_said_twice() {
        let list = "<ul class='tabs'><li><a href=#x>Text</a><li><a href=#y>More  words</a></ul>";
        let panels = "<div id=x><h2>Text</h2><p>Text one</div><h3>more words</h3><div id=y>two</div>";
        assert_eq!(text(&format!("{list}{panels}")), "Text / More words / Text / Text one / more words / two");
        let list = "<ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul><pre role=tabpanel>npm i</pre><p role=tabpanel>two</p>";
        assert_eq!(text(list), "npm / npm i / Yarn / two");
    }

    #[test]
    fn other_lists_stay_as_they_are() {
        for html in [
            "<ul role=tablist><li role=tab aria-controls=x>slide 1<li role=tab aria-controls=y>slide 2</ul><p id=x>one</p><p id=y>two</p>",
            "<ul class=tabs><li><a href=/a>News</a><li><a href=/b>Sport</a></ul><div><p>one</p><p>two</p></div>",
            "<ul role=tablist><li role=tab aria-controls=x>One<li role=tab aria-controls=x>Two</ul><p id=x>one</p>",
            "<ul role=tablist><li role=tab>One<li role=tab>Two</ul><div><p>one</p></div>",
            "<p id=x>one</p><ul role=tablist><li role=tab aria-controls=x>One<li role=tab aria-controls=y>Two</ul>",
        ] {
            let doc = Doc::parse(html, &TreeLimits::default());
            assert_eq!(text(html), Page::new(&doc).text.trim().replace('\n', " / "), "{html}");
        }
    }

    #[test]
    fn tabs_in_tabs_take_linear_time() {
        text(
            &"<ul role=tablist><li role=tab>a<li role=tab>b</ul><div><p role=tabpanel>x</p><div role=tabpanel>"
                .repeat(3_000),
        );
        text(&"<ul role=tablist>".repeat(3_000));
    }
}
