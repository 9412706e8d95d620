//! Histories, the feed of changes and alerts over a real Kafka broker, while indexer and sink are killed: nothing is lost.

use crate::{common, support};

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::server::{field, path, serve_heads};
use common::{finish, gristmill, text};
use gristmill_index::IndexReader;
use gristmill_log::conformance::broker;
use gristmill_log::{KafkaLog, Log};
use gristmill_proto::{Document, ProductAttribute, topics};
use gristmill_runtime::process::topic_specs;
use serde_json::Value;
use support::{document, record, removal, until};

const PARTITIONS: u32 = 2;
const PRODUCTS: usize = 40;

/// A service that does not outlive its test, and may be killed.
struct Process {
    child: Child,
    service: &'static str,
}

fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = gristmill();
    command.arg("--config").arg(dir.join("gristmill.toml")).arg("--data").arg(dir.join("data")).args(arguments);
    command
}

impl Process {
    fn start(dir: &Path, service: &'static str) -> Self {
        let child = command(dir, &["run", service]).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        Self { child, service }
    }

    fn kill_and_start(&mut self, dir: &Path) {
        assert!(self.child.try_wait().unwrap().is_none(), "the {} ended by itself", self.service);
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        *self = Self::start(dir, self.service);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn key(n: usize) -> String {
    format!("{n:032x}")
}

/// A product with a price, as it was fetched in this round.
fn product(n: usize, price: f64, round: u64) -> Document {
    let attribute = ProductAttribute {
        name: "price".into(),
        canonical: Some("price".into()),
        number: Some(price),
        unit: Some("EUR".into()),
        ..ProductAttribute::default()
    };
    let document = document(&key(n));
    let fetched_at = document.fetched_at + round * 60_000;
    Document { kind: "product".into(), attributes: vec![attribute], fetched_at, ..document }
}

fn settings(dir: &Path, address: &str, prefix: &str, hook: std::net::SocketAddr) {
    let alert = |name: &str, rule: &str| {
        format!(
            "[[alerts]]\nname = \"{name}\"\nurl = \"http://{hook}/{name}\"\nsecret = \"s\"\nallow_private = true\n{rule}\n"
        )
    };
    let alerts = [alert("all", ""), alert("dropped", "query = \"price_dropped:[20 TO *]\"\nkinds = [\"changed\"]")];
    let log = format!(
        "[log]\nengine = \"kafka\"\npartitions = {PARTITIONS}\nmax_record_bytes = 1048576\n[log.kafka]\n\
         brokers = \"{address}\"\ntopic_prefix = \"{prefix}\"\nreplication = 1\ninstance = \"one\"\nsession_timeout = \"3s\"\n\
         [indexer]\ncommit_every = \"300ms\"\n"
    );
    std::fs::write(dir.join("gristmill.toml"), alerts.concat() + &log).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_and_alerts_are_whole_while_indexer_and_sink_are_killed() {
    let Some(address) = broker::shared() else { return };
    let kafka = broker::settings(&address);
    let log = KafkaLog::open(&topic_specs(), PARTITIONS, 1 << 20, kafka.clone()).await.unwrap();
    let log: Arc<dyn Log> = Arc::new(log);
    let heard: Arc<Mutex<BTreeSet<(String, String)>>> = Arc::default();
    let told = heard.clone();
    let hook = serve_heads(move |head| {
        let id = field(head, "gristmill-id");
        // A sender that is killed leaves half a head.
        if !id.is_empty() {
            told.lock().unwrap().insert((path(head).to_owned(), id));
        }
        ("200 OK", "", String::new())
    });
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    settings(dir, &address, &kafka.topic_prefix, hook);
    let mut running = [Process::start(dir, "indexer"), Process::start(dir, "sink")];
    until("alerts have begun", async || {
        let known = log.committed("alert-dropped", topics::CHANGES).await.unwrap();
        known.iter().all(Option::is_some)
    })
    .await;
    let count = |name: &str| heard.lock().unwrap().iter().filter(|(path, _)| path == name).count();
    let rounds: [(Vec<Document>, usize, usize); 3] = [
        ((0..PRODUCTS).map(|n| product(n, 20.0, 0)).collect(), PRODUCTS, 0),
        ((0..PRODUCTS).map(|n| product(n, 15.0, 1)).collect(), 2 * PRODUCTS, PRODUCTS),
        (
            (0..PRODUCTS / 2)
                .map(|n| Document { fetched_at: product(n, 0.0, 2).fetched_at, ..removal(&key(n)) })
                .collect(),
            2 * PRODUCTS + PRODUCTS / 2,
            PRODUCTS,
        ),
    ];
    for (documents, all, dropped) in rounds {
        // Each document comes twice, as after a kill of the extractor.
        let twice = documents.iter().chain(&documents).map(record).collect();
        log.append(twice).await.unwrap();
        tokio::time::sleep(Duration::from_millis(700)).await;
        running.iter_mut().for_each(|process| process.kill_and_start(dir));
        until("receivers have heard of all", async || (count("/all"), count("/dropped")) == (all, dropped)).await;
    }
    let output = finish(command(dir, &["changes"]));
    assert!(output.status.success(), "{}", text(&output));
    let changes: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |kind: &str| -> BTreeSet<&str> {
        changes.iter().filter(|change| change["kind"] == kind).map(|change| change["id"].as_str().unwrap()).collect()
    };
    assert_eq!(["new", "changed", "gone"].map(|kind| of_kind(kind).len()), [PRODUCTS, PRODUCTS, PRODUCTS / 2]);
    let known: BTreeSet<&str> = changes.iter().map(|change| change["id"].as_str().unwrap()).collect();
    assert!(heard.lock().unwrap().iter().all(|(_, id)| known.contains(id.as_str())));
    let reader = IndexReader::open(&dir.join("data/index")).unwrap();
    let prices: Vec<Option<f64>> =
        reader.get(&key(PRODUCTS - 1)).unwrap().unwrap().history.offers.iter().map(|offer| offer.price).collect();
    assert_eq!((prices, reader.count()), (vec![Some(20.0), Some(15.0)], (PRODUCTS / 2) as u64));
}
