//! An engine that answers like `_bulk` over real sockets, and fails when it is told to; documents to send it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use gristmill_log::{Log, MemoryLog, ProducerRecord, StartOffset};
use gristmill_proto::{Document, DocumentChange, HeadingLine, encode, topics};
use gristmill_runtime::process::topic_specs;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What the engine has, has seen, and will do.
#[derive(Default)]
pub struct State {
    pub documents: BTreeMap<String, Value>,
    /// Times that each key was taken.
    pub taken: BTreeMap<String, u32>,
    /// Ids of each request.
    pub requests: Vec<Vec<String>>,
    pub authorization: Vec<String>,
    /// Whole answers for the next requests: status and text.
    pub answers: VecDeque<(u16, &'static str)>,
    /// Statuses of the next actions on a key.
    pub items: BTreeMap<&'static str, VecDeque<u16>>,
    /// Bytes above which a request is refused.
    pub limit: Option<usize>,
    /// How long each request takes.
    pub pause: Duration,
}

/// An engine that listens.
pub struct Engine {
    pub address: SocketAddr,
    pub state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl Engine {
    pub async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), State::default()).await
    }

    pub async fn start_at(address: SocketAddr, state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let engine = state.clone();
        let answer = move |headers: HeaderMap, body: String| {
            let engine = engine.clone();
            async move {
                let pause = engine.lock().unwrap().pause;
                tokio::time::sleep(pause).await;
                engine.lock().unwrap().answer(&headers, &body)
            }
        };
        let app = Router::new().route("/es/_bulk", post(answer)).layer(DefaultBodyLimit::disable());
        let serving = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { address, state, serving }
    }

    pub fn url(&self) -> String {
        format!("http://{}/es", self.address)
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl State {
    fn answer(&mut self, headers: &HeaderMap, body: &str) -> (StatusCode, String) {
        let authorization = headers.get("authorization").map_or("", |value| value.to_str().unwrap());
        self.authorization.push(authorization.to_owned());
        assert_eq!(headers["content-type"], "application/x-ndjson");
        assert!(body.ends_with('\n'), "the last line ends too");
        let mut lines = body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let (mut ids, mut actions) = (Vec::new(), Vec::new());
        while let Some(line) = lines.next() {
            let (action, target) = line.as_object().unwrap().iter().next().unwrap();
            assert_eq!(target["_index"], "gristmill");
            let id = target["_id"].as_str().unwrap().to_owned();
            let document = (action == "index").then(|| lines.next().unwrap());
            ids.push(id.clone());
            actions.push((action.clone(), id, document));
        }
        self.requests.push(ids);
        if let Some((status, text)) = self.answers.pop_front() {
            return (StatusCode::from_u16(status).unwrap(), text.into());
        }
        if self.limit.is_some_and(|limit| body.len() > limit) {
            return (StatusCode::PAYLOAD_TOO_LARGE, String::new());
        }
        let items: Vec<Value> = actions.into_iter().map(|action| self.item(action)).collect();
        let errors =
            items.iter().any(|item| item.as_object().unwrap().values().any(|item| item.get("error").is_some()));
        (StatusCode::OK, json!({"took": 1, "errors": errors, "items": items}).to_string())
    }

    fn item(&mut self, (action, id, document): (String, String, Option<Value>)) -> Value {
        if let Some(status) = self.items.get_mut(id.as_str()).and_then(VecDeque::pop_front) {
            let error = json!({"type": "told_to", "reason": format!("no {id} today")});
            return json!({action: {"_id": id, "status": status, "error": error}});
        }
        *self.taken.entry(id.clone()).or_default() += 1;
        let status = match document {
            Some(document) => self.documents.insert(id.clone(), document).map_or(201, |_| 200),
            None => self.documents.remove(&id).map_or(404, |_| 200),
        };
        json!({action: {"_id": id, "status": status}})
    }
}

/// A document that says its key in its title.
pub fn document(key: &str) -> Document {
    Document {
        change: DocumentChange::Upsert,
        kind: "article".into(),
        kind_probability: Some(0.875),
        title: format!("Title of {key}"),
        text: "Mills grind.\n石磨。".into(),
        headings: vec![HeadingLine { line: 0, level: 2 }],
        site: "a.example".into(),
        host: "www.a.example".into(),
        published: Some("2024-05-31".into()),
        language: Some("en".into()),
        language_score: Some(0.75),
        script: Some("Latn".into()),
        languages: Vec::new(),
        fetched_at: 1_700_000_000_123,
        simhash: u64::MAX - 1,
        simhash_version: 2,
        anchor_title: None,
        method: "sun".into(),
        confidence: 0.5,
        rendered: None,
        ..Document::removal(key.into(), format!("https://www.a.example/{key}"))
    }
}

/// The message that a page is gone.
pub fn removal(key: &str) -> Document {
    Document { change: DocumentChange::Remove, title: String::new(), ..document(key) }
}

pub fn record(document: &Document) -> ProducerRecord {
    ProducerRecord { topic: topics::DOCUMENTS, key: document.key.clone(), payload: encode(document) }
}

/// A log of two partitions with the topics of the pipeline.
pub fn memory(max_record_bytes: usize) -> Arc<dyn Log> {
    Arc::new(MemoryLog::new(&topic_specs(), 2, max_record_bytes))
}

/// Waits until `done`, or panics with `what`.
pub async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..3000 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

/// Key and payload of each record of a topic, by partition.
pub async fn records(log: &dyn Log, topic: &'static str) -> Vec<(String, Vec<u8>)> {
    let count: u64 = log.ends(topic).await.unwrap().iter().sum();
    let mut reader = log.reader(&[topic], StartOffset::At([].into())).await.unwrap();
    let mut records = Vec::new();
    for _ in 0..100 {
        let batch =
            reader.poll(1000, Duration::from_millis(if records.is_empty() { 1000 } else { 100 })).await.unwrap();
        records.extend(batch.into_iter().map(|stored| (stored.key, stored.payload)));
        if records.len() as u64 >= count {
            break;
        }
    }
    records
}
