//! Documents as `gristmill export` writes them, read back: times as Unix seconds or RFC 3339, fingerprints as numbers or in
//! hexadecimal.

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::document::Document;

/// Fields that hold a time.
const TIMES: [&str; 2] = ["published", "fetched_at"];

/// Reads one line of an export. Fields that are not known are passed over, those that are missing are empty.
///
/// # Errors
/// What is wrong with the line.
pub fn read_exported(line: &[u8]) -> Result<Document, String> {
    let mut value: Value = serde_json::from_slice(line).map_err(|error| format!("it is no JSON: {error}"))?;
    let object = value.as_object_mut().ok_or("it is no JSON object")?;
    for name in TIMES {
        if let Some(Value::String(text)) = object.get(name) {
            let seconds = OffsetDateTime::parse(text, &Rfc3339).map(OffsetDateTime::unix_timestamp);
            let seconds = seconds.map_err(|_| format!("`{name}` is `{text}`, which is no RFC 3339 time"))?;
            object.insert(name.to_owned(), seconds.into());
        }
    }
    if let Some(Value::String(text)) = object.get("simhash") {
        let simhash = u64::from_str_radix(text.trim_start_matches("0x"), 16);
        let simhash = simhash.map_err(|_| format!("`simhash` is `{text}`, which is no hexadecimal number"))?;
        object.insert("simhash".to_owned(), simhash.into());
    }
    // A time of fetching that is not known is none.
    if object.get("fetched_at").is_some_and(Value::is_null) {
        object.remove("fetched_at");
    }
    let document: Document = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if document.key.is_empty() {
        return Err("it has no `key`".to_owned());
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_is_read_back_with_times_and_fingerprints_in_either_form() {
        let document = Document {
            key: "k".into(),
            published: Some(1_546_222_500),
            fetched_at: 1_700_000_000,
            simhash: u64::MAX,
            ..Document::default()
        };
        assert_eq!(read_exported(&document.to_json()), Ok(document.clone()));
        let text = br#"{"key":"k","published":"2018-12-31T10:15:00+08:00","fetched_at":"2023-11-14T22:13:20Z",
                        "simhash":"ffffffffffffffff","unknown":1}"#;
        assert_eq!(read_exported(text), Ok(document));
        for (line, says) in
            [("[]", "object"), ("{", "JSON"), ("{}", "key"), (r#"{"key":"k","published":"soon"}"#, "soon")]
        {
            let error = read_exported(line.as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
