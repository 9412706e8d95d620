//! Layouts: which columns a dataset has, and in which order.

use std::fmt;
use std::str::FromStr;

use crate::column::*;

/// Whose columns a dataset has. Those of the known corpus come first, with its names and types; ours follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// The columns of FineWeb, which its tools and those of many language models read.
    FineWeb,
    /// The columns of DCLM-Baseline.
    Dclm,
    /// All columns, with those that people look at first.
    #[default]
    Gristmill,
}

const FINE_WEB: &[Column] = &[
    // FineWeb's.
    TEXT,
    ID,
    DUMP,
    URL,
    DATE,
    FILE_PATH,
    LANGUAGE,
    LANGUAGE_SCORE,
    TOKEN_COUNT,
    // Ours.
    TITLE,
    AUTHOR,
    PUBLISHED,
    SITE,
    KIND,
    KIND_PROBABILITY,
    CONFIDENCE,
    SIMHASH,
    MARKDOWN,
    METHOD,
    REASON,
    RECORDS,
    PRICE_AMOUNT,
    PRICE_CURRENCY,
];

const DCLM: &[Column] = &[
    // DCLM's.
    TEXT,
    URL,
    WARCINFO,
    METADATA,
    // Ours.
    LANGUAGE,
    LANGUAGE_SCORE,
    TOKEN_COUNT,
    TITLE,
    AUTHOR,
    PUBLISHED,
    SITE,
    KIND,
    KIND_PROBABILITY,
    CONFIDENCE,
    SIMHASH,
    MARKDOWN,
    METHOD,
    REASON,
    RECORDS,
    PRICE_AMOUNT,
    PRICE_CURRENCY,
];

const GRISTMILL: &[Column] = &[
    URL,
    TITLE,
    TEXT,
    AUTHOR,
    PUBLISHED,
    SITE,
    LANGUAGE,
    LANGUAGE_SCORE,
    KIND,
    KIND_PROBABILITY,
    CONFIDENCE,
    METHOD,
    REASON,
    TOKEN_COUNT,
    SIMHASH,
    MARKDOWN,
    RECORDS,
    PRICE_AMOUNT,
    PRICE_CURRENCY,
    DATE,
    ID,
    DUMP,
    FILE_PATH,
    WARCINFO,
    METADATA,
];

impl Layout {
    pub const ALL: [Self; 3] = [Self::FineWeb, Self::Dclm, Self::Gristmill];

    /// The name that [`Layout::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::FineWeb => "fineweb",
            Self::Dclm => "dclm",
            Self::Gristmill => "gristmill",
        }
    }

    /// All columns of the layout, in order.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::FineWeb => FINE_WEB,
            Self::Dclm => DCLM,
            Self::Gristmill => GRISTMILL,
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No layout has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown layout `{0}`, known are fineweb, dclm and gristmill")]
pub struct UnknownLayout(pub String);

impl FromStr for Layout {
    type Err = UnknownLayout;

    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        Self::ALL.into_iter().find(|layout| layout.name() == name).ok_or_else(|| UnknownLayout(name.to_owned()))
    }
}

/// A layout has no column of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the layout {layout} has no column `{name}`, it has {}", names(*.layout))]
pub struct UnknownColumn {
    pub name: String,
    pub layout: Layout,
}

fn names(layout: Layout) -> String {
    layout.columns().iter().map(Column::name).collect::<Vec<_>>().join(", ")
}

/// The columns of one dataset, in the order of the file. There is at least one, and no two have the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Vec<Column>);

impl Columns {
    /// The columns of these names, in the order given; a repeated name counts once.
    ///
    /// `None` or no names at all: all columns of the layout.
    ///
    /// # Errors
    ///
    /// A name that the layout does not have.
    pub fn choose(layout: Layout, names: Option<&[String]>) -> Result<Self, UnknownColumn> {
        let mut chosen = Vec::new();
        for name in names.unwrap_or_default() {
            let found = layout.columns().iter().find(|column| column.name() == name);
            let column = *found.ok_or_else(|| UnknownColumn { name: name.clone(), layout })?;
            if !chosen.contains(&column) {
                chosen.push(column);
            }
        }
        Ok(if chosen.is_empty() { layout.into() } else { Self(chosen) })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Column> {
        self.0.iter()
    }
}

/// All columns of the layout.
impl From<Layout> for Columns {
    fn from(layout: Layout) -> Self {
        Self(layout.columns().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(layout: Layout, n: usize) -> Vec<(&'static str, Type)> {
        layout.columns()[..n].iter().map(|column| (column.name(), column.column_type())).collect()
    }

    #[test]
    fn the_columns_of_known_corpora_come_first_with_their_types() {
        let texts = ["text", "id", "dump", "url", "date", "file_path", "language"].map(|name| (name, Type::Text));
        let numbers = [("language_score", Type::Float), ("token_count", Type::Integer)];
        assert_eq!(head(Layout::FineWeb, 9), [&texts[..], &numbers].concat());
        let dclm = [("text", Type::Text), ("url", Type::Text), ("warcinfo", Type::Text), ("metadata", Type::Metadata)];
        assert_eq!(head(Layout::Dclm, 4), dclm);
    }

    #[test]
    fn no_layout_has_two_columns_of_one_name_and_ours_has_all() {
        for layout in Layout::ALL {
            for (i, column) in layout.columns().iter().enumerate() {
                assert!(!layout.columns()[..i].contains(column), "{layout}: {column:?}");
                assert!(Layout::Gristmill.columns().contains(column), "{layout}: {column:?}");
            }
            assert_eq!(layout.name().parse(), Ok(layout));
        }
    }

    #[test]
    fn columns_are_chosen_by_name_in_the_order_given() {
        let names = ["title", "url", "title"].map(String::from);
        let chosen = Columns::choose(Layout::Dclm, Some(&names)).unwrap();
        assert_eq!(chosen.iter().map(Column::name).collect::<Vec<_>>(), ["title", "url"]);
        assert_eq!(Columns::choose(Layout::Dclm, Some(&[])), Ok(Layout::Dclm.into()));
    }

    #[test]
    fn an_unknown_column_is_refused_with_the_list_of_those_that_exist() {
        let error = Columns::choose(Layout::Dclm, Some(&["file_path".to_owned()])).unwrap_err().to_string();
        let start = "the layout dclm has no column `file_path`, it has text, url, warcinfo, metadata, language, ";
        assert!(error.starts_with(start), "{error}");
        let error = "common".parse::<Layout>().unwrap_err().to_string();
        assert_eq!(error, "unknown layout `common`, known are fineweb, dclm and gristmill");
    }
}
