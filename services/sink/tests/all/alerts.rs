//! Webhooks against a real receiver that fails, hangs and comes back: nothing is lost, and what comes twice has one id.

use crate::support;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use gristmill_fetch::FetchConfig;
use gristmill_index::{IndexConfig, IndexDocument, IndexWriter};
use gristmill_log::{Log, ProducerRecord, partition_of};
use gristmill_proto::{Change, ChangeKind, PageState, encode, topics};
use gristmill_secrets::Secret;
use gristmill_sink::{AlertConfig, AlertService};
use prometheus::Registry;
use ring::hmac;
use serde_json::Value;
use support::{memory, until};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const SECRET: &str = "hunter2";

/// What a receiver does with the next request.
#[derive(Clone, Copy)]
enum Answer {
    Status(u16),
    /// It says nothing for so long.
    Hang(Duration),
}

#[derive(Default)]
struct Receiver {
    answers: VecDeque<Answer>,
    /// Ids in the order in which they were taken.
    taken: Vec<String>,
    bodies: Vec<Value>,
    requests: usize,
}

type Shared = Arc<Mutex<Receiver>>;

/// A receiver that checks each signature. Without an answer that is planned it takes everything.
async fn receive(at: SocketAddr, receiver: Shared) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind(at).await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = move |headers: HeaderMap, body: String| {
        let receiver = receiver.clone();
        async move {
            let field = |name: &str| headers[name].to_str().unwrap().to_owned();
            let signed = format!("{}.{body}", field("gristmill-timestamp"));
            let tag: Vec<u8> = hex(field("gristmill-signature").strip_prefix("sha256=").unwrap());
            let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
            hmac::verify(&key, signed.as_bytes(), &tag).expect("it is signed");
            let planned = {
                let mut receiver = receiver.lock().unwrap();
                receiver.requests += 1;
                receiver.answers.pop_front()
            };
            match planned {
                Some(Answer::Status(status)) => return StatusCode::from_u16(status).unwrap(),
                Some(Answer::Hang(time)) => tokio::time::sleep(time).await,
                None => {}
            }
            let said: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(said["change"]["id"], field("gristmill-id"));
            let mut receiver = receiver.lock().unwrap();
            receiver.taken.push(field("gristmill-id"));
            receiver.bodies.push(said);
            StatusCode::NO_CONTENT
        }
    };
    let app = Router::new().route("/hook", post(answer));
    (address, tokio::spawn(async move { axum::serve(listener, app).await.unwrap() }))
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

async fn receiver(answers: &[Answer]) -> (Shared, SocketAddr) {
    let shared = Shared::default();
    shared.lock().unwrap().answers.extend(answers);
    let (address, _) = receive(([127, 0, 0, 1], 0).into(), shared.clone()).await;
    (shared, address)
}

fn alert(name: &str, address: SocketAddr) -> AlertConfig {
    AlertConfig {
        name: name.into(),
        url: format!("http://{address}/hook").into(),
        secret: Secret::new(SECRET),
        allow_private: true,
        ..AlertConfig::default()
    }
}

fn change(n: u64) -> Change {
    let state = |price| Some(PageState { title: "Mill".into(), price: Some(price), ..PageState::default() });
    Change {
        id: format!("key{n}-{n}"),
        kind: ChangeKind::Changed,
        key: format!("key{n}"),
        url: format!("https://shop.example/{n}"),
        site: "shop.example".into(),
        document_kind: "product".into(),
        at: n,
        before: state(20.0),
        after: state(15.0),
        words_added: 0,
        words_removed: 0,
        position: 0,
    }
}

async fn append(log: &dyn Log, changes: &[Change]) {
    let record =
        |change: &Change| ProducerRecord { topic: topics::CHANGES, key: change.key.clone(), payload: encode(change) };
    log.append(changes.iter().map(record).collect()).await.unwrap();
}

/// Alerts that run, in a runtime of their own, with which all their tasks end.
struct Running {
    runtime: Runtime,
    registry: Registry,
    stop: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Running {
    async fn start(alerts: &[AlertConfig], log: &Arc<dyn Log>, index: &Path) -> Self {
        let (registry, stop) = (Registry::new(), CancellationToken::new());
        let service = AlertService::build(alerts, &FetchConfig::default(), index, log.clone(), &registry).unwrap();
        service.begin().await.unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let task = runtime.spawn(service.run(stop.clone()));
        Self { runtime, registry, stop, task }
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
        self.runtime.shutdown_background();
    }

    /// Ends it where it stands.
    fn kill(self) {
        self.runtime.shutdown_background();
    }

    fn count(&self, metric: &str, value: &str) -> u64 {
        let families = self.registry.gather();
        let family = families.iter().find(|family| family.name() == metric).unwrap();
        let of_value = |labels: &[prometheus::proto::LabelPair]| labels[0].value() == value;
        let metric = family.get_metric().iter().find(|metric| of_value(metric.get_label())).unwrap();
        metric.get_counter().get_value() as u64
    }
}

fn taken(receiver: &Shared) -> Vec<String> {
    let mut taken = receiver.lock().unwrap().taken.clone();
    taken.sort();
    taken.dedup();
    taken
}

fn ids(numbers: std::ops::Range<u64>) -> Vec<String> {
    let mut ids: Vec<String> = numbers.map(|n| change(n).id).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn a_receiver_that_fails_hangs_and_comes_back_hears_of_everything() {
    let plan = [Answer::Status(500), Answer::Status(404), Answer::Hang(Duration::from_secs(11))];
    let (heard, address) = receiver(&plan).await;
    let (log, nowhere) = (memory(1 << 20), Path::new("/nowhere"));
    let running = Running::start(&[alert("all", address)], &log, nowhere).await;
    append(log.as_ref(), &(0..20).map(change).collect::<Vec<_>>()).await;
    until("all are taken", async || taken(&heard) == ids(0..20)).await;
    // The receiver has the last one before its answer is counted.
    until("all are counted", async || running.count("gristmill_alert_changes_total", "delivered") == 20).await;
    assert_eq!(running.count("gristmill_alert_retries_total", "status"), 2);
    assert_eq!(running.count("gristmill_alert_retries_total", "connection"), 1, "one that hangs");
    let said = heard.lock().unwrap().bodies[0].clone();
    assert_eq!((&said["alert"], &said["change"]["changes"][0]["field"]), (&"all".into(), &"price".into()));
    running.end().await;
}

#[tokio::test]
async fn what_a_receiver_refused_for_a_moment_is_sent_before_the_end() {
    let (heard, address) = receiver(&[Answer::Status(500), Answer::Status(503)]).await;
    let log = memory(1 << 20);
    let running = Running::start(&[alert("last", address)], &log, Path::new("/nowhere")).await;
    append(log.as_ref(), &[change(0)]).await;
    until("it is refused", async || running.count("gristmill_alert_retries_total", "status") > 0).await;
    running.end().await;
    assert_eq!(taken(&heard), ids(0..1));
}

#[tokio::test]
async fn a_receiver_that_is_away_over_kills_loses_nothing_and_hears_twice_only_of_the_last() {
    let (heard, address) = receiver(&[]).await;
    let (log, nowhere) = (memory(1 << 20), Path::new("/nowhere"));
    let alerts = [alert("away", address)];
    let running = Running::start(&alerts, &log, nowhere).await;
    append(log.as_ref(), &(0..5).map(change).collect::<Vec<_>>()).await;
    until("the first are taken", async || taken(&heard) == ids(0..5)).await;
    running.kill();
    // Nobody listens at this address any more: another one, of which we know that it is shut.
    let shut = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    for _ in 0..2 {
        let running = Running::start(&[alert("away", shut)], &log, nowhere).await;
        append(log.as_ref(), &(5..10).map(change).collect::<Vec<_>>()).await;
        until("it is tried", async || running.count("gristmill_alert_retries_total", "connection") > 0).await;
        running.kill();
    }
    let running = Running::start(&alerts, &log, nowhere).await;
    until("the others are taken", async || taken(&heard) == ids(0..10)).await;
    running.end().await;
    // Five were appended twice, and of those from before the kill only the one under way may have come again.
    assert!(heard.lock().unwrap().taken.len() <= 5 + 10 + 1, "{:?}", heard.lock().unwrap().taken);
}

#[tokio::test]
async fn a_slow_receiver_holds_up_its_own_alert_only() {
    let (slow, at_slow) = receiver(&[Answer::Hang(Duration::from_secs(8))]).await;
    let (quick, at_quick) = receiver(&[]).await;
    let (log, nowhere) = (memory(1 << 20), Path::new("/nowhere"));
    let running = Running::start(&[alert("slow", at_slow), alert("quick", at_quick)], &log, nowhere).await;
    let begun = Instant::now();
    append(log.as_ref(), &(0..30).map(change).collect::<Vec<_>>()).await;
    until("the quick one has all", async || taken(&quick) == ids(0..30)).await;
    assert!(begun.elapsed() < Duration::from_secs(7) && taken(&slow).is_empty());
    until("the slow one has all", async || taken(&slow) == ids(0..30)).await;
    running.end().await;
}

#[tokio::test]
async fn a_private_address_is_asked_only_where_this_is_allowed() {
    let (heard, address) = receiver(&[]).await;
    let (log, nowhere) = (memory(1 << 20), Path::new("/nowhere"));
    let shut = AlertConfig { allow_private: false, ..alert("private", address) };
    let running = Running::start(std::slice::from_ref(&shut), &log, nowhere).await;
    append(log.as_ref(), &[change(1)]).await;
    until("it is refused", async || running.count("gristmill_alert_retries_total", "address") > 0).await;
    running.end().await;
    assert_eq!(heard.lock().unwrap().requests, 0);
    // It waits until the setting is mended.
    let running = Running::start(&[alert("private", address)], &log, nowhere).await;
    until("it is told", async || taken(&heard) == ids(1..2)).await;
    running.end().await;
}

#[tokio::test]
async fn an_alert_begins_with_what_comes_and_rules_choose() {
    let (heard, address) = receiver(&[]).await;
    let (log, nowhere) = (memory(1 << 20), Path::new("/nowhere"));
    append(log.as_ref(), &[change(1)]).await;
    let alerts = [AlertConfig { price_below: Some(16.0), ..alert("cheap", address) }];
    let running = Running::start(&alerts, &log, nowhere).await;
    let gone = Change { kind: ChangeKind::Gone, after: None, ..change(2) };
    let dear = Change { after: change(3).before, ..change(3) };
    append(log.as_ref(), &[gone, dear, change(4)]).await;
    until("one is told", async || taken(&heard) == ids(4..5)).await;
    running.end().await;
    assert_eq!(heard.lock().unwrap().requests, 1);
}

#[tokio::test]
async fn a_saved_search_waits_for_the_index_and_tells_what_it_finds() {
    let (heard, address) = receiver(&[]).await;
    let (log, dir) = (memory(1 << 20), tempfile::tempdir().unwrap());
    let alerts = [AlertConfig { query: "granite".into(), ..alert("stone", address) }];
    let running = Running::start(&alerts, &log, dir.path()).await;
    append(log.as_ref(), &[change(1), change(2)]).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(heard.lock().unwrap().requests, 0, "the index is not there yet");
    let mut writer = IndexWriter::open(dir.path(), &IndexConfig::default()).unwrap();
    for (n, text) in [(1, "A mill of oak."), (2, "A mill of granite.")] {
        let document = IndexDocument { key: change(n).key, text: text.into(), ..IndexDocument::default() };
        writer.upsert(&document).unwrap();
    }
    let positions = |next| {
        let partitions = [1, 2].map(|n| partition_of(change(n).key.as_bytes(), 2));
        partitions.map(|partition| ((topics::DOCUMENTS.to_owned(), partition), next)).into()
    };
    writer.commit(&positions(0)).unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(heard.lock().unwrap().requests, 0, "what it has may be an earlier capture");
    writer.commit(&positions(1)).unwrap();
    until("it is told", async || taken(&heard) == ids(2..3)).await;
    running.end().await;
    assert_eq!(heard.lock().unwrap().requests, 1);
}
