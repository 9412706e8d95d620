//! Layouts: which columns a dataset has, and in which order.

use std::fmt;
use std::str::FromStr;

use crate::column::{ALL, Column, DATE, FINE_WEB_2, VARIANTS};

/// Whose columns a dataset has. Those of the known corpus come first, with its names and types; ours follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DatasetLayout {
    /// The columns of FineWeb, which its tools and those of many language models read.
    FineWeb,
    /// The columns of FineWeb-2, its corpus of many languages.
    FineWeb2,
    /// The columns of DCLM-Baseline.
    Dclm,
    /// All columns, with those that people look at first.
    #[default]
    Gristmill,
}

/// The columns of FineWeb.
const FINE_WEB: &[&str] =
    &["text", "id", "dump", "url", "date", "file_path", "language", "language_score", "token_count"];

/// The columns of FineWeb-2.
const FINE_WEB_2_NAMES: &[&str] = &[
    "text",
    "id",
    "dump",
    "url",
    "date",
    "file_path",
    "language",
    "language_score",
    "language_script",
    "minhash_cluster_size",
    "top_langs",
];

/// The columns of DCLM-Baseline.
const DCLM: &[&str] = &["text", "url", "warcinfo", "metadata"];

/// Where a page came from: each known corpus says it in its own way, and has no more of these.
const ORIGIN: &[&str] = &["fetched_at", "id", "dump", "file_path", "warcinfo", "metadata"];

impl DatasetLayout {
    pub const ALL: [Self; 4] = [Self::FineWeb, Self::FineWeb2, Self::Dclm, Self::Gristmill];

    /// The name that [`DatasetLayout::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::FineWeb => "fineweb",
            Self::FineWeb2 => "fineweb-2",
            Self::Dclm => "dclm",
            Self::Gristmill => "gristmill",
        }
    }

    /// All columns of the layout, in order.
    pub fn columns(self) -> Vec<Column> {
        let (first, own): (_, &[Column]) = match self {
            Self::FineWeb => (FINE_WEB, &[]),
            Self::FineWeb2 => (FINE_WEB_2_NAMES, &FINE_WEB_2),
            Self::Dclm => (DCLM, &[]),
            Self::Gristmill => return ALL.to_vec(),
        };
        let find = |&name| own.iter().chain(ALL).chain([&DATE]).find(|column| column.name() == name).copied();
        let named = first.iter().flat_map(find);
        let ours = ALL.iter().filter(|column| !first.contains(&column.name()) && !ORIGIN.contains(&column.name()));
        named.chain(ours.copied()).collect()
    }
}

impl fmt::Display for DatasetLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No layout has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown layout `{0}`, known are fineweb, fineweb-2, dclm and gristmill")]
pub struct UnknownLayout(pub String);

impl FromStr for DatasetLayout {
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
    pub layout: DatasetLayout,
}

fn names(layout: DatasetLayout) -> String {
    Columns::from(layout).names().join(", ")
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
    pub fn choose(layout: DatasetLayout, names: Option<&[String]>) -> Result<Self, UnknownColumn> {
        let (all, mut chosen) = (layout.columns(), Vec::new());
        for name in names.unwrap_or_default() {
            let found = all.iter().find(|column| column.name() == name);
            let column = *found.ok_or_else(|| UnknownColumn { name: name.clone(), layout })?;
            if !chosen.contains(&column) {
                chosen.push(column);
            }
        }
        Ok(if chosen.is_empty() { layout.into() } else { Self(chosen) })
    }

    /// These, and behind them one column of a number for each signal of a row, under these names.
    #[must_use]
    pub fn with_signals(mut self, names: &[&'static str]) -> Self {
        let signals = names.iter().enumerate().map(|(number, name)| Column::of_signal(name, number));
        self.0.extend(signals);
        self
    }

    /// These, and behind them the texts of these variants, `precision` and `recall`, with how much both have in common. Other
    /// names have none.
    #[must_use]
    pub fn with_variants(mut self, variants: &[&str]) -> Self {
        let [precision, recall, agreement] = VARIANTS;
        let texts = [("precision", precision), ("recall", recall)];
        let asked = texts.into_iter().filter(|(name, _)| variants.contains(name)).map(|(_, column)| column);
        self.0.extend(asked.chain([agreement]));
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = &Column> {
        self.0.iter()
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(Column::name).collect()
    }

    /// Whether a column of this name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.iter().any(|column| column.name() == name)
    }
}

/// All columns of the layout.
impl From<DatasetLayout> for Columns {
    fn from(layout: DatasetLayout) -> Self {
        Self(layout.columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::ColumnType;

    fn head(layout: DatasetLayout, n: usize) -> Vec<(&'static str, ColumnType)> {
        layout.columns()[..n].iter().map(|column| (column.name(), column.column_type())).collect()
    }

    #[test]
    fn the_columns_of_known_corpora_come_first_with_their_types() {
        let texts = ["text", "id", "dump", "url", "date", "file_path", "language"].map(|name| (name, ColumnType::Text));
        let numbers = [("language_score", ColumnType::Float), ("token_count", ColumnType::Integer)];
        assert_eq!(head(DatasetLayout::FineWeb, 9), [&texts[..], &numbers].concat());
        let more = [
            ("language_script", ColumnType::Text),
            ("minhash_cluster_size", ColumnType::Integer),
            ("top_langs", ColumnType::Text),
        ];
        assert_eq!(head(DatasetLayout::FineWeb2, 11), [&texts[..], &numbers[..1], &more].concat());
        let dclm = [
            ("text", ColumnType::Text),
            ("url", ColumnType::Text),
            ("warcinfo", ColumnType::Text),
            ("metadata", ColumnType::Metadata),
        ];
        assert_eq!(head(DatasetLayout::Dclm, 4), dclm);
    }

    #[test]
    fn no_layout_has_two_columns_of_one_name_and_ours_has_all() {
        let known = |name: &&str| *name == "date" || ALL.iter().any(|column| column.name() == *name);
        assert!(FINE_WEB.iter().chain(DCLM).chain(ORIGIN).all(known));
        for layout in DatasetLayout::ALL {
            for (i, column) in layout.columns().iter().enumerate() {
                assert!(!layout.columns()[..i].contains(column), "{layout}: {column:?}");
                let is_ours = DatasetLayout::Gristmill.columns().contains(column) || layout == DatasetLayout::FineWeb2;
                let is_ours = is_ours || column.name() == "date";
                assert!(is_ours, "{layout}: {column:?}");
            }
            assert_eq!(layout.name().parse(), Ok(layout));
        }
    }

    #[test]
    fn columns_are_chosen_by_name_in_the_order_given() {
        let names = ["title", "url", "title"].map(String::from);
        let chosen = Columns::choose(DatasetLayout::Dclm, Some(&names)).unwrap();
        assert_eq!(chosen.iter().map(Column::name).collect::<Vec<_>>(), ["title", "url"]);
        assert_eq!(Columns::choose(DatasetLayout::Dclm, Some(&[])), Ok(DatasetLayout::Dclm.into()));
    }

    #[test]
    fn an_unknown_column_is_refused_with_the_list_of_those_that_exist() {
        let error = Columns::choose(DatasetLayout::Dclm, Some(&["file_path".to_owned()])).unwrap_err().to_string();
        let start = "the layout dclm has no column `file_path`, it has text, url, warcinfo, metadata, title, ";
        assert!(error.starts_with(start), "{error}");
        let error = "common".parse::<DatasetLayout>().unwrap_err().to_string();
        assert_eq!(error, "unknown layout `common`, known are fineweb, fineweb-2, dclm and gristmill");
    }
}
