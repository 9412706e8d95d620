//! The texts that a page declares for machines: those of the thing that it is about, and those of other things.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use gristmill_html::{Doc, LocalName};
use gristmill_text::lower_letters;

use super::items::{Item, Items, PropertyValue};

/// A text that is declared, as it stands there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DeclaredText<'i> {
    pub(super) text: Cow<'i, str>,
    /// Whether it is one of what the page is about.
    pub(super) own: bool,
    /// Whether it is one of several values of its property.
    pub(super) listed: bool,
}

/// Things that a page is not about: its site, who made it, what is around it.
const FURNITURE: &[&str] = &[
    "AggregateRating",
    "BreadcrumbList",
    "ContactPoint",
    "Corporation",
    "ImageObject",
    "ListItem",
    "NewsMediaOrganization",
    "Offer",
    "Organization",
    "Person",
    "PostalAddress",
    "Rating",
    "SearchAction",
    "SiteNavigationElement",
    "WPFooter",
    "WPHeader",
    "WPSideBar",
    "WebSite",
];

/// Properties that lead to other things, whose texts may stand on the page, too.
const OTHERS: &[&str] = &[
    "comment",
    "comments",
    "isRelatedTo",
    "isSimilarTo",
    "mentions",
    "recommendation",
    "relatedLink",
    "review",
    "reviews",
    "significantLink",
];

/// Properties whose values are no texts of the page.
const NO_TEXTS: &[&str] = &[
    "about",
    "aggregateRating",
    "author",
    "brand",
    "breadcrumb",
    "citation",
    "contributor",
    "creator",
    "editor",
    "image",
    "isPartOf",
    "keywords",
    "logo",
    "mainEntityOfPage",
    "manufacturer",
    "offers",
    "photo",
    "potentialAction",
    "provider",
    "publisher",
    "sameAs",
    "sourceOrganization",
    "speakable",
    "thumbnail",
    "url",
    "video",
];

/// The texts of all items, O(items + properties). Of several top items of one class the page is about the one that its heading or title
/// names; a list of things is what it is about when there is nothing else.
pub(super) fn of_items<'i>(items: &'i Items, doc: &Doc) -> Vec<DeclaredText<'i>> {
    let tops: Vec<usize> = (0..items.items.len()).filter(|&at| is_thing(&items.items[at])).collect();
    let mut by_class: HashMap<&str, usize> = HashMap::new();
    tops.iter().for_each(|&at| *by_class.entry(class(&items.items[at])).or_default() += 1);
    let names = PageNames::new(doc);
    let is_own = |at: usize| {
        let item = &items.items[at];
        let is_alone = by_class[class(item)] == 1 && (class(item) != "ItemList" || by_class.len() == 1);
        is_alone || ["name", "headline"].iter().filter_map(|name| item.text(name)).any(|name| names.has(name))
    };
    let mut reader = Reader { items, met: HashSet::new(), open: Vec::new(), texts: Vec::new() };
    reader.open.extend(tops.iter().rev().map(|&at| OpenItem { at, own: is_own(at), listed: false }));
    reader.run();
    reader.texts
}

fn is_thing(item: &Item) -> bool {
    item.top && !item.types.is_empty() && !item.types.iter().any(|own| FURNITURE.contains(&own.as_str()))
}

fn class(item: &Item) -> &str {
    item.types.first().map_or("", String::as_str)
}

/// What the page calls itself.
struct PageNames {
    names: Vec<String>,
}

impl PageNames {
    fn new(doc: &Doc) -> PageNames {
        const MAX_BYTES: usize = 1_000;
        let heading = doc.first(LocalName::H1).map(|h1| doc.readable(h1, MAX_BYTES));
        let titles = [heading, doc.title(), doc.meta("og:title").map(str::to_owned)];
        PageNames { names: titles.into_iter().flatten().map(|name| lower_letters(&name).collect()).collect() }
    }

    /// Whether one of the names is or contains this one.
    fn has(&self, name: &str) -> bool {
        let name: String = lower_letters(name).collect();
        name.len() >= 4 && self.names.iter().any(|own| own.contains(&name))
    }
}

struct OpenItem {
    at: usize,
    own: bool,
    listed: bool,
}

struct Reader<'i> {
    items: &'i Items,
    met: HashSet<(usize, bool)>,
    open: Vec<OpenItem>,
    texts: Vec<DeclaredText<'i>>,
}

impl<'i> Reader<'i> {
    fn run(&mut self) {
        while let Some(open) = self.open.pop() {
            if self.met.insert((open.at, open.own)) {
                self.read(&open);
            }
        }
    }

    fn read(&mut self, open: &OpenItem) {
        let item = &self.items.items[open.at];
        // A label and its value may be one text of the page.
        if let (Some(name), Some(value)) = (item.text("name"), item.text("value")) {
            self.push(Cow::Owned(format!("{name} {value}")), open.own, true);
        }
        let mut values: HashMap<&str, usize> = HashMap::new();
        item.properties.iter().for_each(|(name, _)| *values.entry(name).or_default() += 1);
        for (name, value) in item.properties.iter().filter(|(name, _)| !NO_TEXTS.contains(&name.as_str())) {
            let own = open.own && !OTHERS.contains(&name.as_str());
            let listed = open.listed || values[name.as_str()] > 1;
            match value {
                PropertyValue::Item(at) => self.open.push(OpenItem { at: *at, own, listed }),
                PropertyValue::Text(text) | PropertyValue::Seen(text) => self.push(Cow::Borrowed(text), own, listed),
            }
        }
    }

    fn push(&mut self, text: Cow<'i, str>, own: bool, listed: bool) {
        self.texts.push(DeclaredText { text, own, listed });
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn texts(html: &str, json: &str) -> Vec<(String, bool, bool)> {
        let mut items = Items::default();
        assert!(super::super::read(json, &mut items));
        items.link();
        let doc = Doc::parse(html, &TreeLimits::default());
        let mut texts: Vec<_> =
            of_items(&items, &doc).into_iter().map(|text| (text.text.into_owned(), text.own, text.listed)).collect();
        texts.sort();
        texts
    }

    fn text(text: &str, own: bool, listed: bool) -> (String, bool, bool) {
        (text.to_owned(), own, listed)
    }

    #[test]
    fn steps_are_lists_and_comments_are_of_others() {
        let json = r#"{"@graph": [{"@type": "HowTo", "name": "Milling", "step": [{"@type": "HowToStep", "text": "Pour"},
            {"@type": "HowToStep", "text": "Turn"}], "comment": {"@type": "Comment", "text": "Thanks"},
            "author": {"@type": "Person", "description": "A miller"}}, {"@type": "WebSite", "description": "Mills"}]}"#;
        let expected = [
            text("Milling", true, false),
            text("Pour", true, true),
            text("Thanks", false, false),
            text("Turn", true, true),
        ];
        assert_eq!(texts("<h1>Mill</h1>", json), expected);
    }

    #[test]
    fn of_several_things_of_a_class_the_one_that_the_heading_names_is_that_of_the_page() {
        let json = r#"[{"@type": "Article", "name": "The old mill", "text": "one"}, {"@type": "Article", "name": "The ferry", "text": "two"}]"#;
        let own = |html: &str| -> Vec<bool> { texts(html, json).into_iter().map(|(_, own, _)| own).collect() };
        assert_eq!(own("<h1>The ferry</h1>"), [true, false, false, true]);
        assert_eq!(own("<title>Stories</title>"), [false; 4]);
    }

    #[test]
    fn labels_and_values_are_also_one_text_and_circles_end() {
        let json = r##"{"@id": "#p", "@type": "Product", "additionalProperty": [{"name": "Weight", "value": "2 kg"}, {"name": "Size", "value": "M"}],
            "isVariantOf": {"@id": "#p"}}"##;
        let found = texts("", json);
        assert!(
            found.contains(&text("Weight 2 kg", true, true)) && found.contains(&text("M", true, true)),
            "{found:?}"
        );
    }
}
