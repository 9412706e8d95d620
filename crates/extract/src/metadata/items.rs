//! Elements of a page that may name its author or date, found in one pass.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::Page;
use gristmill_text::{ByHash, hash, lower_letters};

use super::class_names::{BYLINES, DATES, is_byline_name, is_date_name};

/// Microdata and named elements worth a look, found in one pass.
pub(super) struct MetadataElements {
    pub(super) product: bool,
    pub(super) dates: Vec<NodeId>,
    /// Elements that hold the date of a creation.
    pub(super) created: Vec<NodeId>,
    pub(super) times: Vec<NodeId>,
    pub(super) authors: Vec<NodeId>,
    pub(super) bylines: Vec<NodeId>,
    /// Elements whose class or id names a date.
    pub(super) dated: Vec<NodeId>,
}

impl MetadataElements {
    pub(super) fn new(page: &Page<'_>) -> MetadataElements {
        let (doc, named) = (page.doc, page.named());
        const MOST: usize = 20;
        let mut items = MetadataElements {
            product: false,
            dates: Vec::new(),
            created: Vec::new(),
            times: Vec::new(),
            authors: Vec::new(),
            bylines: Vec::new(),
            dated: Vec::new(),
        };
        // What a look at the words alone cannot rule out is read when it is met.
        let may_name =
            named.by_value(NameSignals::of_word, |names: &mut NameSignals, of_word| *names = names.or(*of_word));
        let mut known: Vec<Option<NameSignals>> = vec![None; named.n_values()];
        for id in doc.ids().filter(|&id| doc.is_element(id)) {
            if doc.name(id) == LocalName::TIME && !doc.attr(id, LocalName::ITEMPROP).is_some_and(is_of_event) {
                push(&mut items.times, id, MOST);
            }
            for at in doc.attribute_range(id) {
                let value = || doc.attribute_value(at);
                match doc.attribute_name(at) {
                    LocalName::ITEMTYPE => {
                        items.product |= value().trim_end_matches('/').ends_with("schema.org/Product")
                    }
                    LocalName::PROPERTY if doc.name(id) != LocalName::META && says_published(value()) => {
                        push(&mut items.dates, id, MOST)
                    }
                    LocalName::PROPERTY if doc.name(id) != LocalName::META && says_author(value()) => {
                        push(&mut items.authors, id, MOST)
                    }
                    LocalName::ITEMPROP if value().eq_ignore_ascii_case("datePublished") => {
                        push(&mut items.dates, id, MOST)
                    }
                    LocalName::ITEMPROP if value().eq_ignore_ascii_case("dateCreated") => {
                        push(&mut items.created, id, MOST)
                    }
                    LocalName::ITEMPROP | LocalName::REL if value().eq_ignore_ascii_case("author") => {
                        push(&mut items.authors, id, MOST);
                    }
                    LocalName::CLASS | LocalName::ID => {
                        let Some(number) = named.at(at) else { continue };
                        let names = *known[number].get_or_insert_with(|| may_name[number].read(value()));
                        let is_id = doc.attribute_name(at) == LocalName::ID;
                        // Programs name in the class of the page which of its lists it is: `archive author`.
                        let is_page = doc.name(id) == LocalName::BODY;
                        if names.byline && !is_page && !(is_id && is_target_of_own_words(doc, id, value())) {
                            push(&mut items.bylines, id, MOST);
                        }
                        if names.date {
                            push(&mut items.dated, id, MOST);
                        }
                    }
                    _ => {}
                }
            }
        }
        items
    }
}

/// Whether an id is what the element says, as programs that write manuals make them: `the-authors-field` of `The authors field`.
fn is_target_of_own_words(doc: &Doc, id: NodeId, value: &str) -> bool {
    let mut letters = lower_letters(value).peekable();
    let mut said = doc.subtree(id).filter(|&id| doc.is_text(id)).flat_map(|id| lower_letters(doc.text(id)));
    value.contains(['-', '_']) && letters.peek().is_some() && letters.all(|letter| said.next() == Some(letter))
}

/// Whether a property of RDFa is the day of a publication; Drupal writes `dc:date dc:created`.
fn says_published(properties: &str) -> bool {
    const KNOWN: [&str; 5] =
        ["datePublished", "schema:datePublished", "dc:created", "dcterms:created", "dcterms:issued"];
    properties.split_ascii_whitespace().any(|property| KNOWN.iter().any(|known| property.eq_ignore_ascii_case(known)))
}

/// Whether a property of RDFa is who wrote a text.
fn says_author(properties: &str) -> bool {
    const KNOWN: [&str; 4] = ["author", "schema:author", "dc:creator", "dcterms:creator"];
    properties.split_ascii_whitespace().any(|property| KNOWN.iter().any(|known| property.eq_ignore_ascii_case(known)))
}

/// Whether a property is when an event is.
fn is_of_event(property: &str) -> bool {
    ["startDate", "endDate", "doorTime"].iter().any(|known| property.eq_ignore_ascii_case(known))
}

/// What a class or id names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameSignals {
    pub(super) byline: bool,
    pub(super) date: bool,
}

impl NameSignals {
    /// Of one word, by its hash.
    pub(super) fn of_word(word: u64) -> NameSignals {
        static HASHES: LazyLock<ByHash<NameSignals>> = LazyLock::new(|| {
            let mut names: ByHash<NameSignals> = ByHash::default();
            BYLINES.iter().for_each(|name| names.entry(hash(name.as_bytes())).or_default().byline = true);
            DATES.iter().for_each(|name| names.entry(hash(name.as_bytes())).or_default().date = true);
            names
        });
        HASHES.get(&word).copied().unwrap_or_default()
    }

    pub(super) fn or(self, other: NameSignals) -> NameSignals {
        NameSignals { byline: self.byline || other.byline, date: self.date || other.date }
    }

    /// Of a value, when `self` is what its words name. Only letters beyond ASCII make words that end elsewhere than
    /// names do, and for bylines, which know no capitals, a capital after a small letter.
    pub(super) fn read(self, value: &str) -> NameSignals {
        let two = value.as_bytes().windows(2);
        let parted =
            || two.fold(false, |parted, two| parted | two[0].is_ascii_lowercase() & two[1].is_ascii_uppercase());
        let ascii = value.is_ascii();
        NameSignals {
            byline: (self.byline || !ascii || parted()) && is_byline_name(value),
            date: (self.date || !ascii) && is_date_name(value),
        }
    }
}

fn push(ids: &mut Vec<NodeId>, id: NodeId, most: usize) {
    if ids.len() < most {
        ids.push(id);
    }
}
