//! What an engine says of each document of a request.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Characters of an engine's reason that are kept.
const REASON_CHARS: usize = 500;

/// What became of one action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemStatus {
    Done,
    /// The engine has no room for it now.
    Later(String),
    /// The engine will never take this document.
    Refused(String),
    /// We may not write there.
    NoAccess(u16, String),
    /// The index does not exist.
    NoIndex(String),
}

#[derive(Deserialize)]
struct Answer {
    errors: bool,
    #[serde(default)]
    items: Vec<BTreeMap<String, Item>>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "_id")]
    id: Option<String>,
    status: u16,
    #[serde(default)]
    error: Option<Value>,
}

/// The fate of each of `actions`, given by key and whether it is a removal, in their order.
///
/// # Errors
/// The answer does not fit what was asked; what became of the actions is not known.
pub(crate) fn fates(body: &[u8], actions: &[(&str, bool)]) -> Result<Vec<ItemStatus>, String> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| format!("no answer of `_bulk`: {error}"))?;
    // Not every engine lists what went well.
    if !answer.errors && answer.items.is_empty() {
        return Ok(vec![ItemStatus::Done; actions.len()]);
    }
    if answer.items.len() != actions.len() {
        return Err(format!("an answer for {} of {} actions", answer.items.len(), actions.len()));
    }
    let mut fates = Vec::with_capacity(actions.len());
    for (item, (key, removal)) in answer.items.iter().zip(actions) {
        let item = item.values().next().ok_or("an answer without a word for an action")?;
        if item.id.as_deref().is_some_and(|id| id != *key) {
            return Err(format!("an answer for another document than `{key}`"));
        }
        fates.push(fate(item, *removal));
    }
    Ok(fates)
}

fn fate(item: &Item, removal: bool) -> ItemStatus {
    let reason = || item.error.as_ref().map_or_else(|| format!("status {}", item.status), reason);
    match item.status {
        200..=299 => ItemStatus::Done,
        // What is not there need not be removed.
        404 if removal => ItemStatus::Done,
        404 => ItemStatus::NoIndex(reason()),
        401 | 403 => ItemStatus::NoAccess(item.status, reason()),
        408 | 429 | 500.. => ItemStatus::Later(reason()),
        _ => ItemStatus::Refused(reason()),
    }
}

/// The words of an error: type and reason, and those of what caused it.
fn reason(error: &Value) -> String {
    let mut words = Vec::new();
    let mut next = Some(error);
    // An engine nests two or three.
    for _ in 0..4 {
        let Some(error) = next else { break };
        match error {
            Value::String(text) => words.push(text.clone()),
            error => {
                let named = ["type", "reason"].map(|name| error[name].as_str().unwrap_or_default());
                words.push(named.join(": "));
            }
        }
        next = error.get("caused_by");
    }
    shortened(&words.join("; "))
}

/// The first line of what an engine says, cut to a length that logs and rejects can hold.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judge(items: Value, actions: &[(&str, bool)]) -> Result<Vec<ItemStatus>, String> {
        fates(json!({"took": 3, "errors": true, "items": items}).to_string().as_bytes(), actions)
    }

    #[test]
    fn each_action_has_the_fate_that_its_status_says() {
        let error = json!({"type": "mapper_parsing_exception", "reason": "failed to parse field [published]",
            "caused_by": {"type": "illegal_argument_exception", "reason": "not a date"}});
        let busy = json!({"type": "rejected_execution_exception", "reason": "queue is full"});
        let items = json!([
            {"index": {"_id": "a", "status": 201}},
            {"index": {"_id": "b", "status": 400, "error": error}},
            {"index": {"_id": "c", "status": 429, "error": busy}},
            {"delete": {"_id": "d", "status": 404, "result": "not_found"}},
            {"index": {"_id": "e", "status": 404, "error": "no such index"}},
            {"index": {"_id": "f", "status": 403}},
            {"index": {"_id": "g", "status": 503}},
        ]);
        let actions = ["a", "b", "c", "d", "e", "f", "g"].map(|key| (key, key == "d"));
        let told = judge(items, &actions).unwrap();
        let reason =
            "mapper_parsing_exception: failed to parse field [published]; illegal_argument_exception: not a date";
        assert_eq!(told[..2], [ItemStatus::Done, ItemStatus::Refused(reason.into())]);
        assert_eq!(
            told[2..4],
            [ItemStatus::Later("rejected_execution_exception: queue is full".into()), ItemStatus::Done]
        );
        assert_eq!(
            told[4..6],
            [ItemStatus::NoIndex("no such index".into()), ItemStatus::NoAccess(403, "status 403".into())]
        );
        assert_eq!(told[6], ItemStatus::Later("status 503".into()));
    }

    #[test]
    fn an_answer_that_does_not_fit_is_believed_in_nothing() {
        let one = json!([{"index": {"_id": "a", "status": 201}}]);
        assert!(judge(one.clone(), &[("a", false), ("b", false)]).is_err(), "one item for two actions");
        assert!(judge(one.clone(), &[("b", false)]).is_err(), "another document");
        assert!(judge(json!([]), &[("a", false)]).is_err(), "errors, and no word which");
        assert!(judge(json!([{}]), &[("a", false)]).is_err());
        assert!(fates(b"<html>a proxy</html>", &[("a", false)]).is_err());
        assert_eq!(fates(br#"{"took":1,"errors":false}"#, &[("a", false)]), Ok(vec![ItemStatus::Done]));
    }

    #[test]
    fn a_reason_is_bounded_and_of_one_line() {
        let long = shortened(&"a\n".repeat(10_000));
        assert_eq!((long.chars().count(), long.contains('\n')), (REASON_CHARS, false));
    }
}
