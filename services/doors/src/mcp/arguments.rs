//! What each tool is given.

use std::str::FromStr;

use rmcp::schemars::{self, JsonSchema};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Most tokens of an answer, unless another number is asked for.
pub(super) const BUDGET: usize = 4_000;
/// Most that may be asked for.
pub(super) const MAX_BUDGET: usize = 50_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// Words, "phrases", title:word, site:example.org, lang:zh, kind:product, date:2024..2025, price:[10 TO 50], -without, OR
    #[serde(deserialize_with = "text")]
    pub query: String,
    /// Most hits, 1 to 50; 10 if left out
    #[serde(default, deserialize_with = "number_or_text")]
    pub limit: Option<usize>,
    /// Hits to pass over
    #[serde(default, deserialize_with = "number_or_text")]
    pub offset: Option<usize>,
    /// Only this registrable domain or host
    pub site: Option<String>,
    /// Only this kind of page: article, product, listing, thread, other …
    pub kind: Option<String>,
    /// Only this language, such as en or zh
    pub language: Option<String>,
    /// Published then or later: 2024, 2024-05, 2024-05-31, today, yesterday
    #[serde(default, deserialize_with = "text_or_number")]
    pub from: Option<String>,
    /// Published then or earlier
    #[serde(default, deserialize_with = "text_or_number")]
    pub to: Option<String>,
    /// score, date, updated, price or price-desc
    pub sort: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadArguments {
    /// Key or address of a document of the corpus, as `search` gives it
    pub document: String,
    /// Only the section below this heading: its words, or its number in the list of sections
    #[serde(default, deserialize_with = "text_or_number")]
    pub section: Option<String>,
    /// Most tokens of the answer; 4000 if left out, at most 50000
    #[serde(default, deserialize_with = "number_or_text")]
    pub budget: Option<usize>,
    /// Where to go on, as the end of a cut answer says
    #[serde(default, deserialize_with = "number_or_text")]
    pub start: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtractArguments {
    /// Address of a page, http or https; private networks are refused
    pub url: String,
    /// Only the section below this heading: its words, or its number in the list of sections
    #[serde(default, deserialize_with = "text_or_number")]
    pub section: Option<String>,
    /// Most tokens of the answer; 4000 if left out, at most 50000
    #[serde(default, deserialize_with = "number_or_text")]
    pub budget: Option<usize>,
    /// Where to go on, as the end of a cut answer says
    #[serde(default, deserialize_with = "number_or_text")]
    pub start: Option<usize>,
    /// Let a browser draw the page, where there is one: for pages that scripts build
    #[serde(default, deserialize_with = "number_or_text")]
    pub draw: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CrawlArguments {
    /// Where to start: an address of a page, or `sitemap:URL` or `feed:URL`
    pub url: String,
    /// Most pages; 20 if left out
    #[serde(default, deserialize_with = "number_or_text")]
    pub max_pages: Option<u64>,
    /// Most links from the start to a page
    #[serde(default, deserialize_with = "number_or_text")]
    pub max_depth: Option<u16>,
    /// How far to go: listed (follow no link), prefix (below the address), host, or domain; host if left out
    pub scope: Option<String>,
    /// Regular expressions, one of which the address of a page must match
    #[serde(default, deserialize_with = "one_or_many")]
    pub include: Vec<String>,
    /// Regular expressions of which none may match
    #[serde(default, deserialize_with = "one_or_many")]
    pub exclude: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordsArguments {
    /// Which products, in the language of `search`; all if left out. attr.NAME:word asks for an attribute
    #[serde(default, deserialize_with = "text_or_number")]
    pub query: Option<String>,
    /// Most products, 1 to 50; 10 if left out
    #[serde(default, deserialize_with = "number_or_text")]
    pub limit: Option<usize>,
    /// Products to pass over
    #[serde(default, deserialize_with = "number_or_text")]
    pub offset: Option<usize>,
    /// Only this registrable domain or host
    pub site: Option<String>,
    /// score, updated, price or price-desc
    pub sort: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangesArguments {
    /// Only what was seen then or later: 2024-05-31, 2024-05-31T10:30, today, yesterday
    #[serde(default, deserialize_with = "text_or_number")]
    pub since: Option<String>,
    /// Most changes, the newest, 1 to 200; 50 if left out
    #[serde(default, deserialize_with = "number_or_text")]
    pub limit: Option<usize>,
}

/// A number, or `true` and `false`, that a model may have put into quotes.
fn number_or_text<'de, T: DeserializeOwned + FromStr, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error>
where
    T::Err: std::fmt::Display,
{
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::String(text) => {
            text.trim().parse().map(Some).map_err(|error| D::Error::custom(format!("`{text}`: {error}")))
        }
        value => serde_json::from_value(value).map(Some).map_err(D::Error::custom),
    }
}

/// A text that a model may have written as the number that it is, such as a year or the number of a section.
fn text_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) => Ok(Some(number.to_string())),
        value => Err(D::Error::custom(format!("{value} where a text is expected"))),
    }
}

/// As [`text_or_number`], of what has to be there.
fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    text_or_number(from)?.ok_or_else(|| D::Error::custom("null where a text is expected"))
}

/// A list, or its only item.
fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(Vec::new()),
        Value::String(item) => Ok(vec![item]),
        value => serde_json::from_value(value).map_err(D::Error::custom),
    }
}

/// A number within its bounds.
pub(super) fn bounded(number: Option<usize>, default: usize, most: usize) -> usize {
    number.unwrap_or(default).clamp(1, most)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_may_be_written_as_the_numbers_that_they_are() {
        let asked = json!({"document": "abc", "section": 3});
        assert_eq!(serde_json::from_value::<ReadArguments>(asked).unwrap().section.as_deref(), Some("3"));
        let asked: SearchArguments = serde_json::from_value(json!({"query": 1984, "from": 2024, "to": null})).unwrap();
        assert_eq!((asked.query.as_str(), asked.from.as_deref(), asked.to), ("1984", Some("2024"), None));
        let error = serde_json::from_value::<SearchArguments>(json!({"query": ["rye"]})).unwrap_err();
        assert!(error.to_string().contains("[\"rye\"] where a text is expected"), "{error}");
        assert!(serde_json::from_value::<SearchArguments>(json!({"query": null})).is_err());
    }

    #[test]
    fn numbers_in_quotes_and_lists_of_one_are_understood() {
        let asked = json!({"url": "https://a.example/", "max_pages": "3", "max_depth": 2, "include": "/news/", "exclude": null});
        let asked: CrawlArguments = serde_json::from_value(asked).unwrap();
        assert_eq!((asked.max_pages, asked.max_depth), (Some(3), Some(2)));
        assert_eq!((asked.include.as_slice(), asked.exclude.len()), (["/news/".to_owned()].as_slice(), 0));
        let error = serde_json::from_value::<SearchArguments>(json!({"query": "rye", "limit": "few"})).unwrap_err();
        assert!(error.to_string().contains("`few`: invalid digit"), "{error}");
        let error = serde_json::from_value::<SearchArguments>(json!({"query": "rye", "limit": -1})).unwrap_err();
        assert!(error.to_string().contains("`-1`"), "{error}");
    }
}
