//! The columns: name, type, and where the value stands in a row.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::language_codes::{language_3, script_of};
use crate::row::DatasetRow;
use crate::shape::{RECORDS, SHARES, Shape, TEXTS};
use crate::times::micros;

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

/// Raised when a column of the same name gets another type: files of both are no dataset.
pub const SCHEMA: u32 = 3;

/// The type of a column. Any value of any type may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// Microseconds in UTC in Parquet, RFC 3339 elsewhere.
    Time,
    /// Lists and structs. In CSV a list of texts has commas between them; what is deeper is JSON there.
    Nested(&'static Shape),
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
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnValue<'a> {
    Null,
    Text(Cow<'a, str>),
    /// Microseconds since 1970.
    Time(i64),
    /// In the shape of the column.
    Nested(Value),
    /// The same as the text of its JSON.
    Json(&'a str),
    Float(f64),
    Integer(i64),
    Hash(u64),
    /// Names and values of header fields, as they stand in the row.
    Metadata(&'a [(String, String)]),
}

impl<'a> ColumnValue<'a> {
    /// About how many bytes the value takes, uncompressed.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Text(text) => text.len(),
            Self::Json(text) => text.len(),
            Self::Time(_) | Self::Float(_) | Self::Integer(_) | Self::Hash(_) => 8,
            Self::Nested(value) => bytes(value),
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

/// About how many bytes a value takes. It is no deeper than its [`Shape`].
fn bytes(value: &Value) -> usize {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 8,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(fields) => fields.values().map(bytes).sum(),
    }
}

/// How Parquet stores a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnEncoding {
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
    type_: ColumnType,
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "the other formats store all columns alike"))]
    storage: ColumnEncoding,
    get: Getter,
}

/// Where the value of a column stands in a row.
#[derive(Clone, Copy)]
enum Getter {
    Field(for<'a> fn(&'a DatasetRow) -> ColumnValue<'a>),
    Signal(usize),
}

impl Column {
    /// A column of the row's signal with this number.
    pub(crate) fn of_signal(name: &'static str, number: usize) -> Self {
        Self { name, type_: ColumnType::Float, storage: ColumnEncoding::Unique, get: Getter::Signal(number) }
    }

    /// The name in the file: lower case letters and `_`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn column_type(&self) -> ColumnType {
        self.type_
    }

    /// The value in a row.
    pub fn value<'a>(&self, row: &'a DatasetRow) -> ColumnValue<'a> {
        match self.get {
            Getter::Field(get) => get(row),
            Getter::Signal(number) => float(row.signals.get(number).copied()),
        }
    }

    #[cfg(feature = "parquet")]
    pub(crate) fn storage(&self) -> ColumnEncoding {
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

const fn column(
    name: &'static str,
    type_: ColumnType,
    storage: ColumnEncoding,
    get: for<'a> fn(&'a DatasetRow) -> ColumnValue<'a>,
) -> Column {
    Column { name, type_, storage, get: Getter::Field(get) }
}

/// Null where nothing is known.
fn known(text: &str) -> ColumnValue<'_> {
    if text.is_empty() { ColumnValue::Null } else { ColumnValue::Text(text.into()) }
}

fn text(text: &Option<String>) -> ColumnValue<'_> {
    text.as_deref().map_or(ColumnValue::Null, |text| ColumnValue::Text(text.into()))
}

/// Null for what is no time.
fn time(text: &str) -> ColumnValue<'static> {
    micros(text).map_or(ColumnValue::Null, ColumnValue::Time)
}

/// Null for an empty list.
fn texts(list: &[String]) -> ColumnValue<'static> {
    if list.is_empty() { ColumnValue::Null } else { ColumnValue::Nested(list.into()) }
}

/// Null for an empty list.
fn shares(list: &[(String, f64)]) -> ColumnValue<'static> {
    if list.is_empty() {
        return ColumnValue::Null;
    }
    ColumnValue::Nested(list.iter().map(|(language, share)| json!({"language": language, "share": share})).collect())
}

fn float(number: Option<f64>) -> ColumnValue<'static> {
    number.map_or(ColumnValue::Null, ColumnValue::Float)
}

use ColumnEncoding::{Label, Long, Unique};

/// All columns, in the order of our own layout. A new one is a line here and a field of [`DatasetRow`].
pub(crate) const ALL: &[Column] = &[
    column("url", ColumnType::Text, Unique, |row| ColumnValue::Text(row.url.as_str().into())),
    column("title", ColumnType::Text, Unique, |row| text(&row.title)),
    column("text", ColumnType::Text, Long, |row| ColumnValue::Text(row.text.as_str().into())),
    column("author", ColumnType::Text, Label, |row| text(&row.author)),
    column("published", ColumnType::Text, Unique, |row| text(&row.published)),
    column("published_at", ColumnType::Time, Unique, |row| time(row.published.as_deref().unwrap_or_default())),
    column("site_name", ColumnType::Text, Label, |row| text(&row.site_name)),
    column("domain", ColumnType::Text, Label, |row| known(&row.domain)),
    column("language", ColumnType::Text, Label, |row| known(&row.language)),
    column("language_score", ColumnType::Float, Unique, |row| float(row.language_score)),
    column("script", ColumnType::Text, Label, |row| text(&row.script)),
    column("languages", ColumnType::Nested(&SHARES), Unique, |row| shares(&row.languages)),
    column("kind", ColumnType::Text, Label, |row| text(&row.kind)),
    column("kind_probability", ColumnType::Float, Unique, |row| float(row.kind_probability)),
    column("confidence", ColumnType::Float, Unique, |row| float(row.confidence)),
    column("method", ColumnType::Text, Label, |row| known(&row.method)),
    column("reason", ColumnType::Text, Label, |row| text(&row.reason)),
    column("token_count", ColumnType::Integer, Unique, |row| ColumnValue::Integer(row.token_count)),
    column("simhash", ColumnType::Hash, Unique, |row| row.simhash.map_or(ColumnValue::Null, ColumnValue::Hash)),
    column("markdown", ColumnType::Text, Long, |row| text(&row.markdown)),
    column("records", ColumnType::Nested(&RECORDS), Long, |row| {
        row.records.as_ref().map_or(ColumnValue::Null, |records| ColumnValue::Json(records.as_str()))
    }),
    column("price_amount", ColumnType::Float, Unique, |row| float(row.price_amount)),
    column("price_currency", ColumnType::Text, Label, |row| text(&row.price_currency)),
    column("robots", ColumnType::Nested(&TEXTS), Unique, |row| texts(&row.robots)),
    column("tdm_reservation", ColumnType::Integer, Unique, |row| {
        row.tdm_reservation.map_or(ColumnValue::Null, ColumnValue::Integer)
    }),
    column("tdm_policy", ColumnType::Text, Label, |row| text(&row.tdm_policy)),
    column("licence", ColumnType::Text, Label, |row| text(&row.licence)),
    column("licence_url", ColumnType::Text, Label, |row| text(&row.licence_url)),
    column("copyright", ColumnType::Text, Label, |row| text(&row.copyright)),
    column("rendered", ColumnType::Text, Label, |row| text(&row.rendered)),
    column("render_ended", ColumnType::Text, Label, |row| text(&row.render_ended)),
    column("fetched_at", ColumnType::Time, Unique, |row| time(&row.fetched_at)),
    column("id", ColumnType::Text, Unique, |row| known(&row.id)),
    column("dump", ColumnType::Text, Label, |row| known(&row.dump)),
    column("file_path", ColumnType::Text, Label, |row| known(&row.file_path)),
    column("warcinfo", ColumnType::Text, Label, |row| known(&row.warcinfo)),
    column("metadata", ColumnType::Metadata, Unique, |row| ColumnValue::Metadata(&row.warc)),
];

/// The same page read with other weights, for who asks for them.
pub(crate) const VARIANTS: [Column; 3] = [
    column("text_precision", ColumnType::Text, Long, |row| text(&row.text_precision)),
    column("text_recall", ColumnType::Text, Long, |row| text(&row.text_recall)),
    column("variant_agreement", ColumnType::Float, Unique, |row| float(row.variant_agreement)),
];

/// What we call `fetched_at`, under the name and with the type that FineWeb gives it.
pub(crate) const DATE: Column = column("date", ColumnType::Text, Unique, |row| known(&row.fetched_at));

/// The columns that FineWeb-2 has beside those of FineWeb, with its codes of languages. How many duplicates a row stands for is not known
/// when it is written.
pub(crate) const FINE_WEB_2: [Column; 4] = [
    column("language", ColumnType::Text, Label, |row| known(language_3(&row.language))),
    column("language_script", ColumnType::Text, Label, |row| {
        known(row.script.as_deref().map(script_of).unwrap_or_default())
    }),
    column("minhash_cluster_size", ColumnType::Integer, Unique, |_| ColumnValue::Null),
    column("top_langs", ColumnType::Text, Unique, top_langs),
];

/// An object of probabilities by language and script, as a text: `{"deu_Latn_score": 0.98}`.
fn top_langs(row: &DatasetRow) -> ColumnValue<'_> {
    let (Some(score), Some(script)) = (row.language_score, row.script.as_deref()) else { return ColumnValue::Null };
    let name = format!("{}_{}_score", language_3(&row.language), script_of(script));
    ColumnValue::Text(json!({ name: score }).to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_field_is_found_in_any_case_and_the_first_of_a_repeated_name_counts() {
        let fields = [("warc-date", "1"), ("WARC-Date", "2"), ("X-Other", "3")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let values = ColumnValue::warc(&fields);
        assert_eq!(values.iter().flatten().collect::<Vec<_>>(), [&"1"]);
        assert_eq!(values[4], Some("1"));
    }
}
