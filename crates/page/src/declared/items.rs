//! Items with properties, the common form of JSON-LD, microdata and RDFa.

use std::collections::HashMap;

/// What a property holds.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValue {
    /// A value of JSON or of an attribute, as it stands there.
    Text(String),
    /// What readers see, as microdata and RDFa have it: a number there is written as the page's language does.
    Seen(String),
    /// Index of another item of the arena.
    Item(usize),
}

/// An item: its types and properties, names without their vocabulary (`https://schema.org/name` is `name`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// Names of its classes.
    pub types: Vec<String>,
    /// Names and values in the order of the source, a name once for each value.
    pub properties: Vec<(String, PropertyValue)>,
    /// `@id`, if any.
    pub id: Option<String>,
    /// Whether no other item holds it.
    pub top: bool,
    /// The element it came from, for microdata and RDFa.
    pub node: Option<usize>,
}

/// All items of a page from one source.
#[derive(Debug, Clone, Default)]
pub struct Items {
    /// The items; [`PropertyValue::Item`] is an index here. Links may form circles.
    pub items: Vec<Item>,
}

/// Most items of one page, and most properties of one item.
pub(super) const MAX_ITEMS: usize = 5_000;
const MAX_PROPERTIES: usize = 2_000;

impl PropertyValue {
    /// The text, unless it is blank.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            PropertyValue::Text(text) | PropertyValue::Seen(text) => {
                Some(text.as_str()).filter(|text| !text.trim().is_empty())
            }
            PropertyValue::Item(_) => None,
        }
    }
}

impl Item {
    /// Whether it is of a class.
    pub fn is(&self, kind: &str) -> bool {
        self.types.iter().any(|own| own == kind)
    }

    /// The values of a property.
    pub fn all<'i>(&'i self, name: &'i str) -> impl Iterator<Item = &'i PropertyValue> + 'i {
        self.properties.iter().filter(move |(own, _)| own == name).map(|(_, content)| content)
    }

    /// The first value of a property that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.properties.iter().filter(|(own, _)| own == name).find_map(|(_, content)| content.as_text())
    }

    /// Adds a value; beyond 2,000 they are left out.
    pub fn push(&mut self, name: &str, content: PropertyValue) {
        if self.properties.len() < MAX_PROPERTIES {
            self.properties.push((local(name).to_owned(), content));
        }
    }
}

impl Items {
    /// Adds an item and gives its index; `None` beyond 5,000.
    pub fn add(&mut self, item: Item) -> Option<usize> {
        (self.items.len() < MAX_ITEMS).then(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }

    /// The item that a property holds.
    pub fn get(&self, content: &PropertyValue) -> Option<&Item> {
        match content {
            PropertyValue::Item(at) => self.items.get(*at),
            PropertyValue::Text(_) | PropertyValue::Seen(_) => None,
        }
    }

    /// Replaces properties that only name another item by `@id` with that item. O(properties).
    pub fn link(&mut self) {
        let known = self.items.iter().enumerate().filter(|(_, item)| !item.properties.is_empty());
        let by_id: HashMap<&str, usize> = known.filter_map(|(at, item)| Some((item.id.as_deref()?, at))).collect();
        if by_id.is_empty() {
            return;
        }
        let target = |item: &Item| {
            let id = item.id.as_deref().filter(|_| item.properties.is_empty())?;
            by_id.get(id).copied()
        };
        let targets: Vec<Option<usize>> = self.items.iter().map(target).collect();
        for content in self.items.iter_mut().flat_map(|item| item.properties.iter_mut().map(|(_, content)| content)) {
            if let PropertyValue::Item(at) = content {
                *at = targets[*at].unwrap_or(*at);
            }
        }
    }
}

/// The last part of a name or address: `schema:Product`, `http://schema.org/Product` → `Product`.
pub fn local(name: &str) -> &str {
    let name = name.trim();
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}
