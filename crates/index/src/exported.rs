//! Documents as `gristmill export` writes them, read back.

use crate::document::IndexDocument;

/// Reads one line of an export. Fields that are not known are passed over, those that are missing are empty.
///
/// # Errors
/// What is wrong with the line.
pub fn read_exported(line: &[u8]) -> Result<IndexDocument, String> {
    let document: IndexDocument =
        serde_json::from_slice(line).map_err(|error| format!("it is no document: {error}"))?;
    if document.key.is_empty() {
        return Err("it has no `key`".to_owned());
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_is_read_back() {
        let document = IndexDocument {
            key: "k".into(),
            published: Some(1_546_222_500),
            fetched_at: 1_700_000_000,
            simhash: u64::MAX,
            ..IndexDocument::default()
        };
        assert_eq!(read_exported(&document.to_json()), Ok(document.clone()));
        let text = br#"{"key":"k","published":"2018-12-31T10:15:00+08:00","fetched_at":"2023-11-14T22:13:20Z",
                        "simhash":"ffffffffffffffff","unknown":1}"#;
        assert_eq!(read_exported(text), Ok(document));
        for (line, says) in
            [("[]", "key"), ("{", "no document"), ("{}", "key"), (r#"{"key":"k","published":"soon"}"#, "soon")]
        {
            let error = read_exported(line.as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
