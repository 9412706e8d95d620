//! The sink as a process over a real Kafka broker, killed again and again: every document arrives.

use crate::{common, support};

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use gristmill_log::conformance::broker;
use gristmill_log::{KafkaLog, Log};
use gristmill_proto::topics;
use gristmill_runtime::process::topic_specs;
use gristmill_sink::GROUP;
use support::{Engine, State, document, record, records, removal, until};

const PARTITIONS: u32 = 4;
const DOCUMENTS: usize = 600;
const BATCH: usize = 10;

/// A process that does not outlive its test.
struct Process(Child);

impl Process {
    fn start(settings: &std::path::Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GRISTMILL__")) {
            command.env_remove(name);
        }
        Self(command.arg("--config").arg(settings).args(["run", "sink"]).stdin(Stdio::null()).spawn().unwrap())
    }

    fn kill(mut self) {
        assert!(self.0.try_wait().unwrap().is_none(), "it ended by itself");
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The engine holds `keys` and nothing else, and has seen few documents twice.
fn check(state: &State, keys: &[String], kills: usize) {
    assert_eq!(state.documents.keys().collect::<Vec<_>>(), keys.iter().collect::<Vec<_>>());
    for (key, document) in &state.documents {
        assert_eq!(document["title"], format!("Title of {key}").as_str());
    }
    // Besides the documents, the removal.
    let again = state.taken.values().map(|times| *times as usize).sum::<usize>() - DOCUMENTS - 1;
    println!("{DOCUMENTS} documents, {kills} kills, {again} sent again");
    let most = kills * PARTITIONS as usize * BATCH;
    assert!(again <= most, "{again} sent again; a kill repeats at most a batch of each partition, {most} in all");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sink_that_is_killed_again_and_again_hands_every_document_on_under_its_key() {
    let Some(address) = broker::shared() else { return };
    let kills = if common::soak() { 5 } else { 2 };
    let kafka = broker::settings(&address);
    let log = KafkaLog::open(&topic_specs(), PARTITIONS, 1 << 20, kafka.clone()).await.unwrap();
    let log: Arc<dyn Log> = Arc::new(log);
    let keys: Vec<String> = (0..DOCUMENTS).map(|n| format!("{n:032x}")).collect();
    log.append(keys.iter().map(|key| record(&document(key))).collect()).await.unwrap();
    log.append(vec![record(&removal(&keys[0]))]).await.unwrap();

    let engine = Engine::start().await;
    engine.state().pause = Duration::from_millis(60);
    let dir = tempfile::tempdir().unwrap();
    let settings = dir.path().join("sink.toml");
    let text = format!(
        "[log]\nengine = \"kafka\"\npartitions = {PARTITIONS}\nmax_record_bytes = 1048576\n[log.kafka]\n\
         brokers = \"{address}\"\ntopic_prefix = \"{}\"\nreplication = 1\ninstance = \"sink-0\"\nsession_timeout = \"3s\"\n\
         [telemetry]\nfilter = \"info\"\n[sink]\ntopic = true\nbatch_documents = {BATCH}\n[sink.bulk]\nurl = \"{}\"\n",
        kafka.topic_prefix,
        engine.url()
    );
    std::fs::write(&settings, text).unwrap();

    let mut process = Process::start(&settings);
    for round in 1..=kills {
        let wanted = round * DOCUMENTS / (kills + 2);
        until("the next part has arrived", async || engine.state().taken.len() >= wanted).await;
        process.kill();
        process = Process::start(&settings);
    }
    until("all is committed", async || log.lag(GROUP, topics::DOCUMENTS).await.unwrap() == 0).await;
    process.kill();

    check(&engine.state(), &keys[1..], kills);
    let copied: BTreeSet<String> =
        records(log.as_ref(), topics::DOCUMENTS_JSON).await.into_iter().map(|(key, _)| key).collect();
    assert_eq!(copied.into_iter().collect::<Vec<_>>(), keys);
}
