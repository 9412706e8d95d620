//! What a document does to the corpus, as a message for those who follow it, and as the JSON that they are given.

use gristmill_index::{CaptureChange, IndexDocument, PastOffer, format_millis};
use gristmill_proto::{Change, ChangeKind, PageState};
use serde_json::{Value, json};

/// The message on a capture that was taken in at `at`; none where a reader sees nothing new.
pub(crate) fn of_capture(
    before: Option<&IndexDocument>,
    after: &IndexDocument,
    at: u64,
    change: &CaptureChange,
) -> Option<Change> {
    let kind = match change {
        CaptureChange::First => ChangeKind::New,
        CaptureChange::None => return None,
        CaptureChange::Offer | CaptureChange::Edit { .. } => ChangeKind::Changed,
    };
    let (words_added, words_removed) = match *change {
        CaptureChange::Edit { words_added, words_removed } => (words_added, words_removed),
        _ => (0, 0),
    };
    Some(Change {
        before: before.map(state),
        words_added,
        words_removed,
        ..message(kind, after, at, Some(state(after)))
    })
}

/// The message on the removal of a document.
pub(crate) fn of_removal(before: &IndexDocument, at: u64) -> Change {
    Change { before: Some(state(before)), ..message(ChangeKind::Gone, before, at, None) }
}

fn message(kind: ChangeKind, document: &IndexDocument, at: u64, after: Option<PageState>) -> Change {
    Change {
        id: format!("{}-{at}", document.key),
        kind,
        key: document.key.clone(),
        url: document.url.clone(),
        site: document.site.clone(),
        document_kind: document.kind.to_string(),
        at,
        before: None,
        after,
        words_added: 0,
        words_removed: 0,
        position: 0,
    }
}

fn state(document: &IndexDocument) -> PageState {
    let PastOffer { price, currency, availability, title, .. } = PastOffer::of(document, 0);
    let known = |text: String| Some(text).filter(|text| !text.is_empty());
    PageState { title, price, currency: known(currency), availability: known(availability) }
}

/// A change as JSON: what `gristmill changes` prints and webhooks are sent.
///
/// `title`, `price`, `currency` and `availability` are those of now, of a page that is gone the last ones. `changes` has the old
/// and the new value of each field that changed; of the text how many words came and went.
pub fn change_json(change: &Change) -> Value {
    let now = change.after.as_ref().or(change.before.as_ref()).cloned().unwrap_or_default();
    json!({
        "id": change.id,
        "kind": change.kind.as_str(),
        "at": format_millis(change.at),
        "key": change.key,
        "url": change.url,
        "domain": change.site,
        "document_kind": change.document_kind,
        "title": now.title,
        "price": now.price,
        "currency": now.currency,
        "availability": now.availability,
        "changes": fields(change),
    })
}

fn fields(change: &Change) -> Vec<Value> {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return Vec::new() };
    // A price that comes or goes takes its currency along, which is no news.
    let has_prices = before.price.is_some() == after.price.is_some();
    let currency = |state: &PageState| state.currency.clone().filter(|_| has_prices);
    let pairs = [
        ("title", json!(before.title), json!(after.title)),
        ("price", json!(before.price), json!(after.price)),
        ("currency", json!(currency(before)), json!(currency(after))),
        ("availability", json!(before.availability), json!(after.availability)),
    ];
    let differ = pairs.into_iter().filter(|(_, before, after)| before != after);
    let mut fields: Vec<Value> =
        differ.map(|(field, before, after)| json!({ "field": field, "before": before, "after": after })).collect();
    if change.words_added + change.words_removed > 0 {
        let (added, removed) = (change.words_added, change.words_removed);
        fields.push(json!({ "field": "text", "words_added": added, "words_removed": removed }));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_names_the_fields_that_differ_with_both_values() {
        let before = PageState { title: "Mill".into(), price: Some(20.0), ..PageState::default() };
        let after = PageState { price: Some(15.5), availability: Some("InStock".into()), ..before.clone() };
        let document = IndexDocument { key: "k".into(), ..IndexDocument::default() };
        let change = message(ChangeKind::Changed, &document, 1_250, Some(after));
        let said = change_json(&Change { before: Some(before), words_added: 2, ..change });
        let expected = json!([
            { "field": "price", "before": 20.0, "after": 15.5 },
            { "field": "availability", "before": null, "after": "InStock" },
            { "field": "text", "words_added": 2, "words_removed": 0 },
        ]);
        assert_eq!(said["changes"], expected);
        assert_eq!((&said["id"], &said["at"]), (&json!("k-1250"), &json!("1970-01-01T00:00:01.25Z")));
        assert_eq!((&said["price"], &said["kind"]), (&json!(15.5), &json!("changed")));
    }

    #[test]
    fn a_page_that_is_gone_is_told_as_it_was_last() {
        let document = IndexDocument { key: "k".into(), title: "Mill".into(), ..IndexDocument::default() };
        let said = change_json(&of_removal(&document, 7));
        assert_eq!((&said["kind"], &said["title"], &said["changes"]), (&json!("gone"), &json!("Mill"), &json!([])));
    }
}
