//! Exact-match rates of metadata: title, author, date, language, site.

use std::collections::{BTreeMap, BTreeSet};

use crate::extracted_metadata::FoundMetadata;
use crate::package::GoldPage;

/// A field that is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MetadataField {
    /// Equal up to white space.
    Title,
    /// The same set of names, up to case, whatever separates them.
    Author,
    /// The same day.
    Date,
    /// The same primary subtag.
    Language,
    /// Equal up to white space.
    Site,
}

impl MetadataField {
    /// All, in the order of tables.
    pub const ALL: [MetadataField; 5] = [
        MetadataField::Title,
        MetadataField::Author,
        MetadataField::Date,
        MetadataField::Language,
        MetadataField::Site,
    ];

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            MetadataField::Title => "title",
            MetadataField::Author => "author",
            MetadataField::Date => "date",
            MetadataField::Language => "language",
            MetadataField::Site => "site",
        }
    }

    fn of(self, metadata: &FoundMetadata) -> Option<&str> {
        let value = match self {
            MetadataField::Title => &metadata.title,
            MetadataField::Author => &metadata.author,
            MetadataField::Date => &metadata.date,
            MetadataField::Language => &metadata.language,
            MetadataField::Site => &metadata.site,
        };
        value.as_deref().filter(|value| !value.trim().is_empty())
    }

    /// What the package says.
    pub fn gold(self, document: &GoldPage) -> Option<&str> {
        match self {
            MetadataField::Language => document.language.as_deref(),
            field => field.of(&document.metadata),
        }
    }

    /// Whether a system found what the package says; nothing where either says nothing.
    pub fn is_right(self, document: &GoldPage, found: &FoundMetadata) -> Option<bool> {
        Some(self.agrees(self.gold(document)?, self.of(found)?))
    }

    /// Whether a value is the one of the package.
    pub fn agrees(self, gold: &str, found: &str) -> bool {
        match self {
            MetadataField::Title | MetadataField::Site => one_line(gold) == one_line(found),
            MetadataField::Author => names(gold) == names(found),
            MetadataField::Date => day(gold).is_some() && day(gold) == day(found),
            MetadataField::Language => primary(gold) == primary(found),
        }
    }
}

/// How often a system was right on a field of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FieldScore {
    /// Pages whose package names a value.
    pub gold: usize,
    /// Of these, pages for which the system names one.
    pub found: usize,
    /// Of these, pages on which it is the same.
    pub right: usize,
    /// Pages without a value in the package for which the system names one.
    pub extra: usize,
}

impl FieldScore {
    /// Share of the pages with gold on which the value is right.
    pub fn rate(&self) -> Option<f64> {
        (self.gold > 0).then(|| self.right as f64 / self.gold as f64)
    }
}

/// Tallies by package and field of what one system found, page by page.
///
/// O(text of the values).
pub fn tally<'d>(
    pages: impl IntoIterator<Item = (&'d GoldPage, &'d FoundMetadata)>,
) -> BTreeMap<(String, MetadataField), FieldScore> {
    let mut tallies: BTreeMap<(String, MetadataField), FieldScore> = BTreeMap::new();
    for (document, found) in pages {
        for field in MetadataField::ALL {
            let tally = tallies.entry((document.package.clone(), field)).or_default();
            match (field.gold(document), field.of(found)) {
                (Some(gold), value) => {
                    tally.gold += 1;
                    tally.found += usize::from(value.is_some());
                    tally.right += usize::from(value.is_some_and(|value| field.agrees(gold, value)));
                }
                (None, value) => tally.extra += usize::from(value.is_some()),
            }
        }
    }
    tallies
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Between names; the words for "and" in the languages of the packages.
fn names(text: &str) -> BTreeSet<String> {
    const AND: [&str; 8] = ["and", "und", "et", "y", "e", "&", "och", "en"];
    let mut names = BTreeSet::new();
    for part in text.split([',', ';', '、']) {
        let words: Vec<&str> = part.split_whitespace().collect();
        for name in words.split(|word| AND.contains(word)) {
            if !name.is_empty() {
                names.insert(name.join(" ").to_lowercase());
            }
        }
    }
    names
}

/// Year, month and day at the start of a date.
fn day(text: &str) -> Option<(u16, u8, u8)> {
    let mut numbers = text.trim().split(|c: char| !c.is_ascii_digit());
    let year = numbers.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let month = numbers.next()?.parse().ok()?;
    Some((year, month, numbers.next()?.parse().ok()?))
}

fn primary(code: &str) -> String {
    code.split(['-', '_']).next().unwrap_or("").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_as_their_kind_asks() {
        assert!(MetadataField::Title.agrees("A  b\u{a0}c ", "A b c") && !MetadataField::Title.agrees("A b", "a b"));
        assert!(
            MetadataField::Author.agrees("Ann Lee; Bo Wu", "Bo Wu and Ann Lee")
                && !MetadataField::Author.agrees("Ann Lee", "Ann")
        );
        assert!(
            MetadataField::Date.agrees("2018-3-1 10:15", "2018-03-01T23:00:00Z")
                && !MetadataField::Date.agrees("2018", "2018-01-01")
        );
        assert!(MetadataField::Language.agrees("zh", "zh-Hans") && !MetadataField::Language.agrees("en", "de"));
    }

    #[test]
    fn a_value_where_the_package_has_none_is_counted_apart() {
        let gold = |title: Option<&str>| GoldPage {
            package: "p".into(),
            metadata: FoundMetadata { title: title.map(str::to_owned), ..FoundMetadata::default() },
            ..GoldPage::default()
        };
        let found = FoundMetadata { title: Some("x".into()), ..FoundMetadata::default() };
        let (with, without) = (gold(Some("x")), gold(None));
        let tallies = tally([(&with, &found), (&without, &found), (&with, &FoundMetadata::default())]);
        let title = tallies[&("p".to_owned(), MetadataField::Title)];
        assert_eq!(title, FieldScore { gold: 2, found: 1, right: 1, extra: 1 });
    }
}
