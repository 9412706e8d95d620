//! The columns: name, type, and where the value stands in a row.

use crate::row::Row;

/// The fields of the column `metadata`: the header fields that Common Crawl gives the records of pages.
///
/// Every row has all of them, null where the record has none, so that all files of a dataset have one schema. Other
/// fields of a record are left out.
pub const WARC_FIELDS: [&str; 13] = [
    "Content-Length",
    "Content-Type",
    "WARC-Block-Digest",
    "WARC-Concurrent-To",
    "WARC-Date",
    "WARC-IP-Address",
    "WARC-Identified-Payload-Type",
    "WARC-Payload-Digest",
    "WARC-Record-ID",
    "WARC-Target-URI",
    "WARC-Truncated",
    "WARC-Type",
    "WARC-Warcinfo-ID",
];

/// The type of a column. Any value of any type may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// UTF-8 text.
    Text,
    /// 64 bits. In JSON lines, NaN and the infinities are null.
    Float,
    /// 64 bits, signed.
    Integer,
    /// 64 bits without sign in Parquet, 16 hexadecimal digits elsewhere: JSON readers round above 2^53.
    Hash,
    /// A struct of the texts [`WARC_FIELDS`] in Parquet, an object in JSON lines, the text of that object in CSV.
    Metadata,
}

/// The value of a column in one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Null,
    Text(&'a str),
    Float(f64),
    Integer(i64),
    Hash(u64),
    /// Names and values of header fields, as they stand in the row.
    Metadata(&'a [(String, String)]),
}

impl<'a> Value<'a> {
    /// About how many bytes the value takes, uncompressed.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Text(text) => text.len(),
            Self::Float(_) | Self::Integer(_) | Self::Hash(_) => 8,
            Self::Metadata(fields) => fields.iter().map(|(name, value)| name.len() + value.len()).sum(),
        }
    }

    /// The value of each of [`WARC_FIELDS`], for metadata. Names match in any case; the first of a repeated name counts.
    pub(crate) fn warc(fields: &'a [(String, String)]) -> [Option<&'a str>; WARC_FIELDS.len()] {
        WARC_FIELDS.map(|wanted| {
            let found = fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.as_str())
        })
    }
}

/// How Parquet stores a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Few values that repeat: with a dictionary.
    Label,
    /// A value of its own in nearly every row: without a dictionary.
    Unique,
    /// Long text: without a dictionary, and without statistics, which nobody filters by.
    Long,
}

/// A column of a dataset.
#[derive(Clone, Copy)]
pub struct Column {
    name: &'static str,
    type_: Type,
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "the other formats store all columns alike"))]
    storage: Storage,
    get: for<'a> fn(&'a Row) -> Value<'a>,
}

impl Column {
    /// The name in the file: lower case letters and `_`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn column_type(&self) -> Type {
        self.type_
    }

    /// The value in a row.
    pub fn value<'a>(&self, row: &'a Row) -> Value<'a> {
        (self.get)(row)
    }

    #[cfg(feature = "parquet")]
    pub(crate) fn storage(&self) -> Storage {
        self.storage
    }
}

/// Two columns are equal when their names are: no two have the same.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Column {}

impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Column({}: {:?})", self.name, self.type_)
    }
}

const fn column(name: &'static str, type_: Type, storage: Storage, get: for<'a> fn(&'a Row) -> Value<'a>) -> Column {
    Column { name, type_, storage, get }
}

/// Null where nothing is known.
fn known(text: &str) -> Value<'_> {
    if text.is_empty() { Value::Null } else { Value::Text(text) }
}

fn text(text: &Option<String>) -> Value<'_> {
    text.as_deref().map_or(Value::Null, Value::Text)
}

fn float(number: Option<f64>) -> Value<'static> {
    number.map_or(Value::Null, Value::Float)
}

use Storage::{Label, Long, Unique};

/// All columns, in the order of our own layout. A new one is a line here and a field of [`Row`].
pub(crate) const ALL: &[Column] = &[
    column("url", Type::Text, Unique, |row| Value::Text(&row.url)),
    column("title", Type::Text, Unique, |row| text(&row.title)),
    column("text", Type::Text, Long, |row| Value::Text(&row.text)),
    column("author", Type::Text, Label, |row| text(&row.author)),
    column("published", Type::Text, Unique, |row| text(&row.published)),
    column("site", Type::Text, Label, |row| text(&row.site)),
    column("domain", Type::Text, Label, |row| known(&row.domain)),
    column("language", Type::Text, Label, |row| known(&row.language)),
    column("language_score", Type::Float, Unique, |row| float(row.language_score)),
    column("kind", Type::Text, Label, |row| text(&row.kind)),
    column("kind_probability", Type::Float, Unique, |row| float(row.kind_probability)),
    column("confidence", Type::Float, Unique, |row| float(row.confidence)),
    column("method", Type::Text, Label, |row| known(&row.method)),
    column("reason", Type::Text, Label, |row| text(&row.reason)),
    column("token_count", Type::Integer, Unique, |row| Value::Integer(row.token_count)),
    column("simhash", Type::Hash, Unique, |row| row.simhash.map_or(Value::Null, Value::Hash)),
    column("markdown", Type::Text, Long, |row| text(&row.markdown)),
    column("records", Type::Text, Long, |row| text(&row.records)),
    column("price_amount", Type::Text, Label, |row| text(&row.price_amount)),
    column("price_currency", Type::Text, Label, |row| text(&row.price_currency)),
    column("robots", Type::Text, Label, |row| text(&row.robots)),
    column("tdm_reservation", Type::Integer, Unique, |row| row.tdm_reservation.map_or(Value::Null, Value::Integer)),
    column("tdm_policy", Type::Text, Label, |row| text(&row.tdm_policy)),
    column("licence", Type::Text, Label, |row| text(&row.licence)),
    column("licence_url", Type::Text, Label, |row| text(&row.licence_url)),
    column("copyright", Type::Text, Label, |row| text(&row.copyright)),
    column("rendered", Type::Text, Label, |row| text(&row.rendered)),
    column("render_ended", Type::Text, Label, |row| text(&row.render_ended)),
    column("date", Type::Text, Unique, |row| known(&row.date)),
    column("id", Type::Text, Unique, |row| known(&row.id)),
    column("dump", Type::Text, Label, |row| known(&row.dump)),
    column("file_path", Type::Text, Label, |row| known(&row.file_path)),
    column("warcinfo", Type::Text, Label, |row| known(&row.warcinfo)),
    column("metadata", Type::Metadata, Unique, |row| Value::Metadata(&row.warc)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_field_is_found_in_any_case_and_the_first_of_a_repeated_name_counts() {
        let fields = [("warc-date", "1"), ("WARC-Date", "2"), ("X-Other", "3")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let values = Value::warc(&fields);
        assert_eq!(values.iter().flatten().collect::<Vec<_>>(), [&"1"]);
        assert_eq!(values[4], Some("1"));
    }
}
