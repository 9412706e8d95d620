//! Exact-match rates of metadata: title, author, date, language, site.

use std::collections::{BTreeMap, BTreeSet};

use crate::found::FoundMetadata;
use crate::package::GoldPage;

/// A field that is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
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

impl Field {
    /// All, in the order of tables.
    pub const ALL: [Field; 5] = [Field::Title, Field::Author, Field::Date, Field::Language, Field::Site];

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Author => "author",
            Field::Date => "date",
            Field::Language => "language",
            Field::Site => "site",
        }
    }

    fn of(self, metadata: &FoundMetadata) -> Option<&str> {
        let value = match self {
            Field::Title => &metadata.title,
            Field::Author => &metadata.author,
            Field::Date => &metadata.date,
            Field::Language => &metadata.language,
            Field::Site => &metadata.site,
        };
        value.as_deref().filter(|value| !value.trim().is_empty())
    }

    /// What the package says.
    pub fn gold(self, document: &GoldPage) -> Option<&str> {
        match self {
            Field::Language => document.language.as_deref(),
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
            Field::Title | Field::Site => one_line(gold) == one_line(found),
            Field::Author => names(gold) == names(found),
            Field::Date => day(gold).is_some() && day(gold) == day(found),
            Field::Language => primary(gold) == primary(found),
        }
    }
}

/// How often a system was right on a field of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Pages whose package names a value.
    pub gold: usize,
    /// Of these, pages for which the system names one.
    pub found: usize,
    /// Of these, pages on which it is the same.
    pub right: usize,
    /// Pages without a value in the package for which the system names one.
    pub extra: usize,
}

impl Tally {
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
) -> BTreeMap<(String, Field), Tally> {
    let mut tallies: BTreeMap<(String, Field), Tally> = BTreeMap::new();
    for (document, found) in pages {
        for field in Field::ALL {
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
        assert!(Field::Title.agrees("A  b\u{a0}c ", "A b c") && !Field::Title.agrees("A b", "a b"));
        assert!(Field::Author.agrees("Ann Lee; Bo Wu", "Bo Wu and Ann Lee") && !Field::Author.agrees("Ann Lee", "Ann"));
        assert!(
            Field::Date.agrees("2018-3-1 10:15", "2018-03-01T23:00:00Z") && !Field::Date.agrees("2018", "2018-01-01")
        );
        assert!(Field::Language.agrees("zh", "zh-Hans") && !Field::Language.agrees("en", "de"));
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
        let title = tallies[&("p".to_owned(), Field::Title)];
        assert_eq!(title, Tally { gold: 2, found: 1, right: 1, extra: 1 });
    }
}
