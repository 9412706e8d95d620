//! How a document's times and fingerprint are written in JSON.

use serde::{Deserialize, Deserializer, Serializer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Unix seconds as RFC 3339 in UTC; nothing outside of the years 0 to 9999, which it cannot write.
pub fn format_time(unix_seconds: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(unix_seconds).ok()?.format(&Rfc3339).ok()
}

/// Unix milliseconds as RFC 3339 in UTC, as [`format_time`].
pub fn format_millis(unix_millis: u64) -> Option<String> {
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(unix_millis) * 1_000_000);
    time.ok()?.format(&Rfc3339).ok()
}

/// A time that may be unknown.
pub(crate) mod optional_time {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(seconds: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
        match seconds.and_then(format_time) {
            Some(time) => to.serialize_str(&time),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let said = |_| serde::de::Error::custom(format!("`{text}` is no time such as 2024-05-31T10:15:00Z"));
        let time = OffsetDateTime::parse(&text, &Rfc3339).map_err(said)?;
        Ok(Some(time.unix_timestamp()))
    }
}

/// A time that is always known; 0 for `null`.
pub(crate) mod plain_time {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(seconds: &i64, to: S) -> Result<S::Ok, S::Error> {
        super::optional_time::serialize(&Some(*seconds), to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        Ok(super::optional_time::deserialize(from)?.unwrap_or(0))
    }
}

/// Milliseconds since 1970; `null` for 0, which stands for unknown.
pub(crate) mod milliseconds {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(millis: &u64, to: S) -> Result<S::Ok, S::Error> {
        match format_millis(*millis).filter(|_| *millis > 0) {
            Some(time) => to.serialize_str(&time),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(0) };
        let said = |_| serde::de::Error::custom(format!("`{text}` is no time such as 2024-05-31T10:15:00.25Z"));
        let time = OffsetDateTime::parse(&text, &Rfc3339).map_err(said)?;
        Ok(u64::try_from(time.unix_timestamp_nanos() / 1_000_000).unwrap_or(0))
    }
}

/// 64 bits as 16 digits.
pub(crate) mod hexadecimal {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bits: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{bits:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        let said = |_| serde::de::Error::custom(format!("`{text}` are no 16 hexadecimal digits"));
        u64::from_str_radix(&text, 16).map_err(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IndexDocument;

    #[test]
    fn times_and_fingerprints_come_back_as_they_went_out() {
        let document = IndexDocument {
            published: Some(-1),
            fetched_at: 1_700_000_000,
            simhash: u64::MAX - 1,
            simhash_version: 2,
            ..IndexDocument::default()
        };
        let json = String::from_utf8(document.to_json()).unwrap();
        for part in [
            r#""published":"1969-12-31T23:59:59Z""#,
            r#""fetched_at":"2023-11-14T22:13:20Z""#,
            r#""simhash":"fffffffffffffffe""#,
        ] {
            assert!(json.contains(part), "{json}");
        }
        assert_eq!(serde_json::from_str::<IndexDocument>(&json).unwrap(), document);
    }

    #[test]
    fn what_is_no_time_and_no_fingerprint_is_named() {
        let said = |json| serde_json::from_str::<IndexDocument>(json).unwrap_err().to_string();
        assert!(said(r#"{"published":"soon"}"#).contains("`soon`"));
        assert!(said(r#"{"simhash":"mill"}"#).contains("`mill`"));
    }

    #[test]
    fn a_time_that_rfc_3339_cannot_write_is_null() {
        assert_eq!(format_time(i64::MAX), None);
        let document = IndexDocument { published: Some(i64::MAX), ..IndexDocument::default() };
        assert!(String::from_utf8(document.to_json()).unwrap().contains(r#""published":null"#));
    }
}
