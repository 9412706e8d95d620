//! Where a value of the metadata stands on its page, and how often what stands there is right.

use serde::Serialize;

impl ValueSource {
    /// Whether a date from there is what the page declares of itself, and not one that it shows somewhere or carries for its scripts.
    pub fn is_declared(self) -> bool {
        use ValueSource::{JsonLd, Meta, Microdata, Rule, TimeElement, Url};
        matches!(self, Rule | JsonLd | Meta | Microdata | TimeElement | Url)
    }

    /// Whether the value stands apart from what the page shows.
    pub(crate) fn is_hidden(self) -> bool {
        matches!(self, ValueSource::JsonLd | ValueSource::Meta)
    }
}

macro_rules! value_sources {
    ($($source:ident $name:literal $meaning:literal)*) => {
        /// Where a title, an author or a date was found.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
        pub enum ValueSource {
            $(#[doc = $meaning] #[serde(rename = $name)] $source,)*
        }

        impl ValueSource {
            /// The name that the product uses, in lower case with hyphens.
            pub fn name(self) -> &'static str {
                match self {
                    $(ValueSource::$source => $name,)*
                }
            }
        }
    };
}

value_sources! {
    Rule           "rule"            "The rule of the user for the site."
    JsonLd         "json-ld"         "JSON-LD."
    Meta           "meta"            "A `meta` element."
    TitleElement   "title-element"   "The `title` element."
    Microdata      "microdata"       "An element with `itemprop`."
    RelAuthor      "rel-author"      "An element with `rel=author`."
    TimeElement    "time-element"    "A `time` element."
    ClassName      "class-name"      "An element whose class or id says what it is."
    NearTitle      "near-title"      "A row near the title."
    Label          "label"           "A row with words that say what it is."
    ShortRow       "short-row"       "A short row below the title."
    Row            "row"             "Any row of the page."
    Attribute      "attribute"       "An attribute that components of pages are given."
    PageState      "page-state"      "The state that the page carries for its scripts."
    Url            "url"             "The address of the page."
    Modified       "modified"        "When the page was changed, for when it was published."
    Office         "office"          "JSON-LD or `meta`: an office or account, which no byline replaces."
    Organisation   "organisation"    "JSON-LD: an organisation."
    SiteName       "site-name"       "`meta` or microdata: somebody named like the site."
    FirstPost      "first-post"      "The first post of a thread."
    Heading        "heading"         "A heading of the first rank that is the declared title or a part of it."
    SimilarHeading "similar-heading" "A heading of the first rank that shares words with the declared title."
    SubHeading     "sub-heading"     "A heading of the second rank that is a part of the declared title."
    Linked         "linked"          "The heading or declared title that the link to the page confirms."
    NearestHeading "nearest-heading" "The heading that is nearest to the declared title."
    LinkText       "link-text"       "The text of the link to the page."
    Placeholder    "placeholder"     "What the page says, though it names the site or no page."
}

/// Where a value was found, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ValueProvenance {
    /// Where on the page, or beside it.
    pub source: ValueSource,
    /// 0 to 1: the share of the values from there that were exactly those of the test packages; of dates the same day. What a
    /// rule of the user says has 1. It depends on the source alone.
    pub confidence: f64,
}

impl ValueProvenance {
    /// Of what the user says of the site.
    pub const RULE: ValueProvenance = ValueProvenance { source: ValueSource::Rule, confidence: 1.0 };
}

/// Where the values of a page were found.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ValueSources {
    /// Of the title.
    pub title: Option<ValueProvenance>,
    /// Of the author.
    pub author: Option<ValueProvenance>,
    /// Of the date of publication.
    pub published: Option<ValueProvenance>,
}

/// A value with its provenance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SourcedValue<T> {
    pub(crate) value: T,
    pub(crate) provenance: ValueProvenance,
}

/// One row of a table of sources: where to look, how sure what is found there is, and what looks.
///
/// A confidence is measured: of the pages of the data packages that name the value and on which the source won, the share where
/// both are the same, `(same + 1) / (pages + 2)`, so that few pages move it little from one half and none leave it there.
/// `gristmill-lab eval --metadata ../shared/data/articles/*/` prints these numbers by source.
pub(crate) type SourceRow<F> = (ValueSource, f64, F);

/// What the first row of a table finds that finds anything. The rows below it are not asked.
pub(crate) fn first<F, T>(table: &[SourceRow<F>], look: impl Fn(&F) -> Option<T>) -> Option<SourcedValue<T>> {
    table.iter().find_map(|(source, confidence, row)| {
        let provenance = ValueProvenance { source: *source, confidence: *confidence };
        Some(SourcedValue { value: look(row)?, provenance })
    })
}

impl<T> SourcedValue<T> {
    /// Value and provenance apart.
    pub(crate) fn parts(found: Option<SourcedValue<T>>) -> (Option<T>, Option<ValueProvenance>) {
        found.map(|found| (found.value, found.provenance)).unzip()
    }
}

/// Each source stands once in a table, and each confidence is a share.
#[cfg(test)]
pub(crate) fn assert_is_sound<F>(table: &[SourceRow<F>]) {
    for (at, (source, confidence, _)) in table.iter().enumerate() {
        assert!((0.0..=1.0).contains(confidence), "{}: {confidence}", source.name());
        assert!(table[..at].iter().all(|(other, _, _)| other != source), "{} twice", source.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_that_finds_something_is_told_and_no_other_is_asked() {
        let asked = std::cell::Cell::new(0);
        let table =
            [(ValueSource::JsonLd, 0.9, None), (ValueSource::Meta, 0.5, Some(7)), (ValueSource::Url, 0.1, Some(8))];
        let found = first(&table, |row: &Option<i32>| {
            asked.set(asked.get() + 1);
            *row
        });
        let provenance = ValueProvenance { source: ValueSource::Meta, confidence: 0.5 };
        assert_eq!((found, asked.get()), (Some(SourcedValue { value: 7, provenance }), 2));
        assert_eq!(first(&table[..1], |row| *row), None);
    }
}
