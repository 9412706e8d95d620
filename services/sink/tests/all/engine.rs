//! The sink against a real OpenSearch or Elasticsearch, where `GRISTMILL_ENGINE` names one such as `http://127.0.0.1:9200`.

use crate::support;

use gristmill_proto::{ProductAttribute, topics};
use gristmill_sink::{BulkConfig, GROUP, Sink, SinkConfig};
use prometheus::Registry;
use reqwest::{Client, Method};
use serde_json::Value;
use support::{document, memory, record, records, removal, until};
use tokio_util::sync::CancellationToken;

const DOCUMENTS: usize = 300;

/// One request to the engine, by hand.
async fn ask(method: Method, url: &str, body: String) -> Value {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let request = Client::builder().no_proxy().build().unwrap().request(method, url).body(body);
    let answer = request.header("content-type", "application/json").send().await.unwrap();
    serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_real_engine_takes_documents_with_the_mapping_that_is_deployed() {
    let Ok(engine) = std::env::var("GRISTMILL_ENGINE") else {
        eprintln!("SKIPPED: `GRISTMILL_ENGINE` names no OpenSearch or Elasticsearch");
        return;
    };
    let index = format!("gristmill-test-{}", std::process::id());
    let mapping = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/opensearch/index.json");
    let made = ask(Method::PUT, &format!("{engine}/{index}"), std::fs::read_to_string(mapping).unwrap()).await;
    assert_eq!(made["acknowledged"], true, "{made}");

    let log = memory(1 << 20);
    let keys: Vec<String> = (0..DOCUMENTS).map(|n| format!("{n:032x}")).collect();
    let mut all: Vec<_> = keys.iter().map(|key| document(key)).collect();
    let attribute = ProductAttribute {
        name: "重量".into(),
        value: "1.2 kg".into(),
        number: Some(1.2),
        ..ProductAttribute::default()
    };
    all[1].attributes = vec![attribute];
    // A word longer than the engine takes as a keyword: refused by itself, and alone.
    all.push(gristmill_proto::Document { method: "x".repeat(40_000), ..document("refused") });
    log.append(all.iter().map(record).collect()).await.unwrap();
    let bulk = BulkConfig { url: engine.clone().into(), index: index.clone(), ..BulkConfig::default() };
    let config = SinkConfig { batch_documents: 64, bulk, ..SinkConfig::default() };
    let (registry, stop) = (Registry::new(), CancellationToken::new());
    let running = tokio::spawn(Sink::build(&config, log.clone(), &registry).unwrap().run(stop.clone()));
    log.append(vec![record(&removal(&keys[0])), record(&removal("never-there"))]).await.unwrap();
    until("everything is committed", async || {
        assert!(!running.is_finished(), "the sink ended by itself");
        log.lag(GROUP, topics::DOCUMENTS).await.unwrap() == 0
    })
    .await;
    stop.cancel();
    running.await.unwrap().unwrap();

    ask(Method::POST, &format!("{engine}/{index}/_refresh"), String::new()).await;
    let count = ask(Method::GET, &format!("{engine}/{index}/_count"), String::new()).await;
    let rejects = records(log.as_ref(), topics::REJECTS).await.len();
    println!("{engine}: {} of {} documents, {rejects} refused", count["count"], DOCUMENTS - 1);
    assert_eq!((&count["count"], rejects), (&(DOCUMENTS - 1).into(), 1), "one was removed, one refused");
    let found = ask(Method::GET, &format!("{engine}/{index}/_doc/{}", keys[1]), String::new()).await;
    let sent: Value = serde_json::from_slice(&gristmill_indexer::document(all[1].clone()).to_json()).unwrap();
    assert_eq!(found["_source"], sent);
    let query = r#"{"query": {"match_phrase": {"text": "石磨"}}, "track_total_hits": true}"#;
    let hits = ask(Method::POST, &format!("{engine}/{index}/_search"), query.into()).await;
    assert_eq!(hits["hits"]["total"]["value"], DOCUMENTS - 1, "{hits}");
    ask(Method::DELETE, &format!("{engine}/{index}"), String::new()).await;
}
