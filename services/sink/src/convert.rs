//! From messages to what an engine is told.

use std::collections::HashMap;

use gristmill_log::{ConsumerRecord, ProducerRecord};
use gristmill_proto::{Document, DocumentChange, decode};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use serde::Serialize;

/// What an engine is told of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexAction {
    /// The URL key, which is the identity in the engine.
    pub key: String,
    pub url: String,
    /// The document as `gristmill export` writes it, or `None` when it is to be removed.
    pub json: Option<Vec<u8>>,
}

/// What a batch of messages comes to.
#[derive(Debug, Default)]
pub(crate) struct ActionBatch {
    /// At most one for each key, in the order of the messages.
    pub actions: Vec<IndexAction>,
    /// What `rejects` has to be told of messages that cannot be read.
    pub unreadable: Vec<ProducerRecord>,
    /// Messages that a later one of the batch makes void.
    pub superseded: u64,
}

/// A removal on `documents-json`.
#[derive(Serialize)]
struct Removal<'a> {
    key: &'a str,
    url: &'a str,
    removed: bool,
}

impl IndexAction {
    fn of(message: Document) -> Self {
        let (key, url) = (message.key.clone(), message.url.clone());
        let json = (message.change == DocumentChange::Upsert).then(|| gristmill_indexer::document(message).to_json());
        Self { key, url, json }
    }

    /// The record of `documents-json`: the document, or `{"key": …, "url": …, "removed": true}`.
    pub(crate) fn record(&self) -> Vec<u8> {
        let removal = || {
            let removal = Removal { key: &self.key, url: &self.url, removed: true };
            serde_json::to_vec(&removal).expect("two strings and a bool are JSON")
        };
        self.json.clone().unwrap_or_else(removal)
    }

    pub(crate) fn is_removal(&self) -> bool {
        self.json.is_none()
    }
}

/// What `messages` come to. Of several with one key only the last one stays: an engine that takes a part of a request, and the
/// rest at the next try, would else end with the older one.
pub(crate) fn read(messages: &[ConsumerRecord], unreadable: &DecodeErrorCounter) -> ActionBatch {
    let mut batch = ActionBatch::default();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut actions: Vec<Option<IndexAction>> = Vec::with_capacity(messages.len());
    for stored in messages {
        let message = match decode::<Document>(&stored.payload) {
            Ok(message) => message,
            Err(error) => {
                batch.unreadable.push(unreadable.note(stored, &error));
                continue;
            }
        };
        if message.key.is_empty() {
            // A whole site is taken down: those of its pages that were fetched are removed one by one.
            continue;
        }
        if let Some(earlier) = places.insert(message.key.clone(), actions.len()) {
            actions[earlier] = None;
            batch.superseded += 1;
        }
        actions.push(Some(IndexAction::of(message)));
    }
    batch.actions = actions.into_iter().flatten().collect();
    batch
}

#[cfg(test)]
mod tests {
    use gristmill_log::RecordOffset;
    use gristmill_proto::encode;

    use super::*;

    fn message(key: &str, title: &str, change: DocumentChange) -> Document {
        let removal = Document::removal(key.into(), format!("https://a.example/{key}"));
        Document { change, kind: "article".into(), title: title.into(), ..removal }
    }

    fn read(messages: &[ConsumerRecord]) -> ActionBatch {
        let unreadable = DecodeErrorCounter::register("sink", &["documents"], &prometheus::Registry::new()).unwrap();
        super::read(messages, &unreadable)
    }

    fn stored(payload: Vec<u8>) -> ConsumerRecord {
        let place = RecordOffset { topic: "documents", partition: 0, position: 0 };
        ConsumerRecord { place, key: String::new(), payload }
    }

    #[test]
    fn the_newest_message_of_a_key_wins_and_the_others_keep_their_order() {
        let upsert = |key, title| stored(encode(&message(key, title, DocumentChange::Upsert)));
        let removal = stored(encode(&message("b", "", DocumentChange::Remove)));
        let batch = read(&[upsert("a", "1"), upsert("b", "2"), upsert("c", "3"), removal, upsert("a", "4")]);
        let keys: Vec<(&str, bool)> = batch.actions.iter().map(|one| (one.key.as_str(), one.is_removal())).collect();
        assert_eq!(keys, [("c", false), ("b", true), ("a", false)]);
        assert_eq!((batch.superseded, batch.unreadable.len()), (2, 0));
        let newest = String::from_utf8(batch.actions[2].record()).unwrap();
        assert!(newest.contains(r#""title":"4""#), "{newest}");
    }

    #[test]
    fn a_removal_says_so_and_what_cannot_be_read_is_counted() {
        let batch = read(&[stored(b"rubbish".into()), stored(encode(&message("b", "", DocumentChange::Remove)))]);
        assert_eq!((batch.unreadable.len(), batch.actions.len()), (1, 1));
        let said: serde_json::Value = serde_json::from_slice(&batch.actions[0].record()).unwrap();
        assert_eq!(said, serde_json::json!({"key": "b", "url": "https://a.example/b", "removed": true}));
    }
}
