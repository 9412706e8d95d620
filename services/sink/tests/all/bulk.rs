//! The sink against an engine over real sockets: what it does when all is well, and when it is not.

use crate::support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gristmill_log::Log;
use gristmill_proto::{Reject, decode, topics};
use gristmill_secrets::Secret;
use gristmill_sink::{BulkConfig, GROUP, Sink, SinkConfig};
use prometheus::Registry;
use support::{Engine, State, document, memory, record, records, removal, until};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const LARGE: usize = 1 << 20;

/// A sink that runs.
struct Running {
    log: Arc<dyn Log>,
    registry: Registry,
    stop: CancellationToken,
    handle: JoinHandle<anyhow::Result<()>>,
}

fn to(url: String) -> SinkConfig {
    let bulk = BulkConfig { url: url.into(), max_backoff: Duration::from_millis(200), ..BulkConfig::default() };
    SinkConfig { bulk, ..SinkConfig::default() }
}

fn run(config: &SinkConfig, log: Arc<dyn Log>) -> Running {
    let (registry, stop) = (Registry::new(), CancellationToken::new());
    let sink = Sink::build(config, log.clone(), &registry).unwrap();
    Running { log, registry, handle: tokio::spawn(sink.run(stop.clone())), stop }
}

impl Running {
    /// Waits until everything is committed, and ends the sink.
    async fn drain(self) -> Registry {
        until("everything is committed", async || {
            assert!(!self.handle.is_finished(), "the sink ended by itself");
            self.log.lag(GROUP, topics::DOCUMENTS).await.unwrap() == 0
        })
        .await;
        self.stop.cancel();
        self.handle.await.unwrap().unwrap();
        self.registry
    }
}

/// The value of a counter whose label values are these, in the order of their names.
fn counted(registry: &Registry, name: &str, labels: &[&str]) -> f64 {
    let families = registry.gather();
    let family = families.iter().find(|family| family.name() == name).unwrap();
    let wanted =
        |metric: &&prometheus::proto::Metric| metric.get_label().iter().map(|l| l.value()).eq(labels.iter().copied());
    family.get_metric().iter().find(wanted).unwrap().get_counter().get_value()
}

fn documents(registry: &Registry, labels: &[&str]) -> f64 {
    // By name, `result` stands before `target`.
    counted(registry, "gristmill_sink_documents_total", labels)
}

async fn log_with(documents: &[gristmill_proto::Document]) -> Arc<dyn Log> {
    let log = memory(LARGE);
    log.append(documents.iter().map(record).collect()).await.unwrap();
    log
}

async fn rejects(log: &dyn Log) -> Vec<Reject> {
    records(log, topics::REJECTS).await.iter().map(|(_, payload)| decode(payload).unwrap()).collect()
}

#[tokio::test]
async fn documents_arrive_by_their_keys_and_removals_take_them_away() {
    let engine = Engine::start().await;
    let log = log_with(&[document("a"), document("b"), document("c")]).await;
    let running = run(&to(engine.url()), log.clone());
    until("three documents", async || engine.state().documents.len() == 3).await;
    log.append(vec![record(&removal("b")), record(&removal("never-there"))]).await.unwrap();
    let registry = running.drain().await;
    let state = engine.state();
    assert_eq!(state.documents.keys().collect::<Vec<_>>(), ["a", "c"]);
    let a = &state.documents["a"];
    assert_eq!((&a["title"], &a["published"]), (&"Title of a".into(), &"2024-05-31T00:00:00Z".into()));
    assert_eq!((&a["fetched_at"], &a["simhash"]), (&"2023-11-14T22:13:20Z".into(), &"fffffffffffffffe".into()));
    let results = ["sent", "removed", "refused"].map(|result| documents(&registry, &[result, "bulk"]));
    assert_eq!(results, [3.0, 2.0, 0.0]);
}

#[tokio::test]
async fn an_item_that_is_busy_is_sent_again_alone_and_one_that_is_refused_becomes_a_reject() {
    let engine = Engine::start().await;
    engine.state().items = [("busy", [429, 503].into()), ("bad", [400].into())].into();
    let log = log_with(&[document("fine"), document("busy"), document("bad")]).await;
    let registry = run(&to(engine.url()), log.clone()).drain().await;
    assert_eq!(engine.state().documents.keys().collect::<Vec<_>>(), ["busy", "fine"]);
    assert!(engine.state().taken.values().all(|&times| times == 1), "{:?}", engine.state().taken);
    let alone = vec!["busy".to_owned()];
    assert_eq!(engine.state().requests.iter().filter(|ids| **ids == alone).count(), 2);
    let rejects = rejects(log.as_ref()).await;
    assert_eq!((rejects.len(), rejects[0].url.as_str()), (1, "https://www.a.example/bad"));
    assert_eq!((rejects[0].stage.as_str(), rejects[0].reason.detail.as_str()), ("sink", "bulk: told_to: no bad today"));
    assert_eq!(documents(&registry, &["refused", "bulk"]), 1.0);
    assert_eq!(counted(&registry, "gristmill_sink_retries_total", &["busy"]), 2.0);
}

#[tokio::test]
async fn requests_that_fail_as_a_whole_are_made_again() {
    let engine = Engine::start().await;
    engine.state().answers =
        [(429, "slow down"), (503, "starting"), (200, "<html>"), (200, "{\"errors\":true}")].into();
    let log = log_with(&[document("a"), document("b")]).await;
    let registry = run(&to(engine.url()), log.clone()).drain().await;
    assert_eq!(engine.state().documents.len(), 2);
    let retries =
        ["busy", "failure", "answer"].map(|cause| counted(&registry, "gristmill_sink_retries_total", &[cause]));
    assert_eq!(retries, [1.0, 1.0, 2.0]);
    assert!(rejects(log.as_ref()).await.is_empty());
}

#[tokio::test]
async fn an_engine_that_is_away_is_waited_for_and_nothing_is_committed_meanwhile() {
    let gone = Engine::start().await;
    let (address, url) = (gone.address, gone.url());
    drop(gone);
    let log = log_with(&[document("a")]).await;
    let running = run(&to(url), log.clone());
    until("two tries", async || counted(&running.registry, "gristmill_sink_retries_total", &["connection"]) >= 2.0)
        .await;
    assert_eq!(log.lag(GROUP, topics::DOCUMENTS).await.unwrap(), 1);
    let back = Engine::start_at(address, State::default()).await;
    running.drain().await;
    assert!(back.state().documents.contains_key("a"));
}

#[tokio::test]
async fn a_sink_that_is_told_to_end_does_not_wait_for_the_engine_and_commits_nothing() {
    let gone = Engine::start().await.url();
    let log = log_with(&[document("a")]).await;
    let mut config = to(gone);
    config.bulk.max_backoff = Duration::from_secs(600);
    let running = run(&config, log.clone());
    until("a try", async || counted(&running.registry, "gristmill_sink_retries_total", &["connection"]) >= 1.0).await;
    let begun = Instant::now();
    running.stop.cancel();
    running.handle.await.unwrap().unwrap();
    assert!(begun.elapsed() < config.bulk.max_backoff / 2);
    assert_eq!(log.lag(GROUP, topics::DOCUMENTS).await.unwrap(), 1);
}

#[tokio::test]
async fn requests_that_are_too_large_are_cut_until_they_fit_and_one_document_that_is_becomes_a_reject() {
    let engine = Engine::start().await;
    engine.state().limit = Some(2500);
    let mut long = document("long");
    long.text = "x".repeat(3000);
    let keys = ["a", "b", "c", "d", "e", "f"];
    let mut all: Vec<_> = keys.iter().map(|key| document(key)).collect();
    all.insert(3, long);
    let log = log_with(&all).await;
    run(&to(engine.url()), log.clone()).drain().await;
    assert_eq!(engine.state().documents.keys().collect::<Vec<_>>(), keys);
    let rejects = rejects(log.as_ref()).await;
    assert_eq!((rejects.len(), rejects[0].url.as_str()), (1, "https://www.a.example/long"));
}

#[tokio::test]
async fn batches_are_bounded_by_count_and_bytes() {
    let engine = Engine::start().await;
    let all: Vec<_> = (0..40).map(|n| document(&format!("k{n:02}"))).collect();
    let log = log_with(&all).await;
    let config = SinkConfig { batch_documents: 10, batch_bytes: 2000, ..to(engine.url()) };
    run(&config, log).drain().await;
    let state = engine.state();
    assert_eq!(state.documents.len(), 40);
    let largest = state.requests.iter().map(Vec::len).max().unwrap();
    assert!((2..=5).contains(&largest), "some 500 bytes each: {largest}");
}

#[tokio::test]
async fn a_wrong_password_ends_the_sink_with_the_setting_and_shows_no_secret() {
    let engine = Engine::start().await;
    engine.state().answers = [(401, "who are you?")].into();
    let log = log_with(&[document("a")]).await;
    let mut config = to(engine.url());
    (config.bulk.username, config.bulk.password) = ("me".into(), Secret::new("hunter2"));
    let told = format!("{:#}", run(&config, log.clone()).handle.await.unwrap().unwrap_err());
    assert!(told.contains("sink.bulk.password") && told.contains("who are you?"), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
    assert_eq!(engine.state().authorization, ["Basic bWU6aHVudGVyMg=="]);
    assert_eq!(log.lag(GROUP, topics::DOCUMENTS).await.unwrap(), 1, "nothing is committed");
}

#[tokio::test]
async fn an_api_key_is_sent_as_such() {
    let engine = Engine::start().await;
    let mut config = to(engine.url());
    config.bulk.api_key = Secret::new("a2V5");
    run(&config, log_with(&[document("a")]).await).drain().await;
    assert_eq!(engine.state().authorization, ["ApiKey a2V5"]);
}

#[tokio::test]
async fn an_index_that_is_missing_or_closed_to_us_is_no_fault_of_the_documents() {
    for (status, setting) in [(404, "sink.bulk.index"), (403, "sink.bulk.api_key")] {
        let engine = Engine::start().await;
        engine.state().items = [("a", [status].into())].into();
        let log = log_with(&[document("a")]).await;
        let told = format!("{:#}", run(&to(engine.url()), log.clone()).handle.await.unwrap().unwrap_err());
        assert!(told.contains(setting) && told.contains("no a today"), "{told}");
        assert!(rejects(log.as_ref()).await.is_empty());
    }
}

#[tokio::test]
async fn an_engine_without_delete_gets_no_removals() {
    let engine = Engine::start().await;
    let mut config = to(engine.url());
    config.bulk.removals = false;
    let registry = run(&config, log_with(&[document("a"), removal("b")]).await).drain().await;
    assert_eq!(engine.state().requests.concat(), ["a"]);
    assert_eq!(counted(&registry, "gristmill_sink_passed_over_total", &["removal"]), 1.0);
}

#[tokio::test]
async fn the_topic_has_documents_as_json_and_removals_that_say_so() {
    let log = memory(2000);
    let mut long = document("long");
    // Fits the log as a message; as JSON each of these is six bytes.
    long.text = "\u{1}".repeat(800);
    let messages = [document("a"), long, removal("b")];
    log.append(messages.iter().map(record).collect()).await.unwrap();
    let config = SinkConfig { topic: true, ..SinkConfig::default() };
    let registry = run(&config, log.clone()).drain().await;
    let mut found = records(log.as_ref(), topics::DOCUMENTS_JSON).await;
    found.sort();
    assert_eq!(found.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(found[0].1, gristmill_indexer::document(document("a")).to_json());
    let removed: serde_json::Value = serde_json::from_slice(&found[1].1).unwrap();
    assert_eq!((&removed["removed"], &removed["key"]), (&true.into(), &"b".into()));
    let rejects = rejects(log.as_ref()).await;
    assert!(rejects.len() == 1 && rejects[0].reason.detail.contains("log.max_record_bytes"), "{rejects:?}");
    let results = ["sent", "removed", "refused"].map(|result| documents(&registry, &[result, "topic"]));
    assert_eq!(results, [1.0, 1.0, 1.0]);
}
