//! Microdata (`itemscope`, `itemprop`, `itemref`) and the lite part of RDFa (`typeof`, `property`) as items.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName, NodeId};

use super::EmbeddedItems;
use super::items::{Item, Items, PropertyValue, local};

/// Most references that the `itemref`s of one page may follow.
const MAX_REFERENCES: usize = 200;

/// The items of the page. Linear in the nodes but for `itemref`, which is bounded; cycles end because a node is
/// never read twice for one item.
pub(super) fn read(doc: &Doc) -> EmbeddedItems {
    let mut items = Items::default();
    let mut reader = Reader { doc, items: &mut items, of: HashMap::new(), typeof_: doc.find_name("typeof") };
    let may_open = |name| matches!(name, LocalName::ITEMSCOPE | LocalName::ITEMTYPE) || Some(name) == reader.typeof_;
    if !(0..doc.n_attributes()).any(|at| may_open(doc.attribute_name(at))) {
        return EmbeddedItems { items, is_rdfa: true };
    }
    reader.walk(NodeId::DOCUMENT, None, false);
    reader.references();
    let of_microdata = |node: usize| doc.attr(doc.id(node), LocalName::ITEMSCOPE).is_some();
    let is_rdfa = !items.items.iter().filter_map(|item| item.node).any(of_microdata);
    EmbeddedItems { items, is_rdfa }
}

/// Longest text of one property in bytes.
const MAX_TEXT: usize = 10_000;

/// Text as it is kept: collapsed and cut at a bound.
fn tidy(text: &str) -> String {
    gristmill_text::collapse(&text[..text.floor_char_boundary(MAX_TEXT)])
}

struct Reader<'r> {
    doc: &'r Doc,
    items: &'r mut Items,
    /// Node → item.
    of: HashMap<usize, usize>,
    typeof_: Option<LocalName>,
}

/// `itemprop` or `property`, `itemtype` or `typeof`, and whether an item begins.
#[derive(Default)]
struct Said<'d> {
    name: Option<&'d str>,
    kind: Option<&'d str>,
    is_item: bool,
}

impl<'r> Reader<'r> {
    /// Walks a subtree; properties belong to the innermost item around them, at first to `holder`.
    fn walk(&mut self, root: NodeId, holder: Option<usize>, again: bool) {
        // Open items with the node after their end.
        let mut open: Vec<(usize, usize)> = holder.map(|item| (item, usize::MAX)).into_iter().collect();
        for id in self.doc.subtree(root).filter(|&id| self.doc.is_element(id)) {
            while open.last().is_some_and(|&(_, end)| end <= id.index()) {
                open.pop();
            }
            let holder = open.last().map(|&(item, _)| item);
            let Said { name, kind, is_item } = self.said(id);
            let own = if !is_item {
                None
            } else if again {
                self.of.get(&id.index()).copied()
            } else {
                self.open_item(id, kind.unwrap_or(""), name.is_none() || holder.is_none())
            };
            if let (Some(holder), Some(name)) = (holder, name) {
                let content = match own {
                    Some(item) if item != holder => PropertyValue::Item(item),
                    Some(_) => continue,
                    None => self.value(id, name),
                };
                for name in name.split_whitespace().take(4) {
                    self.items.items[holder].push(name, content.clone());
                }
            }
            if let Some(item) = own {
                open.push((item, self.doc.end(id)));
            }
        }
    }

    /// What an element says of itself, read in one pass.
    fn said(&self, id: NodeId) -> Said<'r> {
        let (mut said, mut property, mut typeof_) = (Said::default(), None, None);
        for at in self.doc.attribute_range(id) {
            let value = || Some(self.doc.attribute_value(at));
            match self.doc.attribute_name(at) {
                LocalName::ITEMPROP => said.name = value(),
                LocalName::PROPERTY => property = value(),
                LocalName::ITEMTYPE => said.kind = value(),
                LocalName::ITEMSCOPE => said.is_item = true,
                name if Some(name) == self.typeof_ => typeof_ = value(),
                _ => {}
            }
        }
        let (name, kind) = (said.name.or(property), said.kind.or(typeof_));
        Said { name, kind, is_item: said.is_item || kind.is_some() }
    }

    fn open_item(&mut self, id: NodeId, kind: &str, top: bool) -> Option<usize> {
        let types = kind.split_whitespace().take(8).map(|kind| local(kind).to_owned()).collect();
        let item = self.items.add(Item { types, top, node: Some(id.index()), ..Item::default() })?;
        self.of.insert(id.index(), item);
        Some(item)
    }

    fn references(&mut self) {
        let Some(itemref) = self.doc.find_name("itemref") else { return };
        let mut by_id: HashMap<&str, NodeId> = HashMap::new();
        for id in self.doc.ids() {
            if let Some(own) = self.doc.attr(id, LocalName::ID) {
                by_id.entry(own).or_insert(id);
            }
        }
        let holders: Vec<(usize, usize)> = self.of.iter().map(|(&node, &item)| (node, item)).collect();
        let mut holders = holders;
        holders.sort_unstable();
        let mut left = MAX_REFERENCES;
        for (node, item) in holders {
            let list = self.doc.attr(self.doc.id(node), itemref).unwrap_or("");
            for target in list.split_whitespace().filter_map(|id| by_id.get(id).copied()) {
                // A reference to an element around the item would make the item a part of itself.
                if left == 0 || self.doc.contains(target, self.doc.id(node)) {
                    continue;
                }
                left -= 1;
                self.walk(target, Some(item), true);
            }
        }
    }

    /// The value of a property by its element (HTML, microdata §5.2.4). A picture in the place of a name has it as its text.
    fn value(&self, id: NodeId, name: &str) -> PropertyValue {
        if let Some(content) = self.doc.attr(id, LocalName::CONTENT) {
            return PropertyValue::Text(tidy(content));
        }
        let is_name = || name.split_whitespace().any(|name| matches!(local(name), "name" | "brand" | "manufacturer"));
        if let Some(alt) = self.doc.attr(id, LocalName::ALT).filter(|alt| !alt.trim().is_empty() && is_name()) {
            return PropertyValue::Text(tidy(alt));
        }
        let attribute = match self.doc.name(id) {
            LocalName::IMG
            | LocalName::SOURCE
            | LocalName::EMBED
            | LocalName::IFRAME
            | LocalName::AUDIO
            | LocalName::VIDEO => Some(LocalName::SRC),
            LocalName::A | LocalName::LINK => Some(LocalName::HREF),
            LocalName::TIME => Some(LocalName::DATETIME),
            name if matches!(self.doc.name_str(name), "data" | "meter") => Some(LocalName::VALUE),
            _ => None,
        };
        let text = || {
            // At most a screenful: a `description` may hold half of the page.
            let pieces = self.doc.subtree(id).take(400).map(|id| self.doc.text(id));
            tidy(&pieces.collect::<Vec<_>>().join(" "))
        };
        match attribute.and_then(|name| self.doc.attr(id, name)) {
            // The text of a link says more than its address for names, brands and categories.
            Some(href) if self.doc.name(id) == LocalName::A => {
                let text = text();
                if text.is_empty() { PropertyValue::Text(tidy(href)) } else { PropertyValue::Seen(text) }
            }
            Some(value) => PropertyValue::Text(tidy(value)),
            None => PropertyValue::Seen(text()),
        }
    }
}
