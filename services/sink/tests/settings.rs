//! The settings file that is deployed with this service is one that it reads.

#[path = "../../deployed.rs"]
mod deployed;

use std::process::Command;

fn sink() -> Command {
    deployed::program(env!("CARGO_BIN_EXE_gristmill-sink"))
}

#[test]
fn the_deployed_settings_are_accepted() {
    let mut command = sink();
    // Where the engine is, is said where the service is started, as in compose.yaml.
    command.env("GRISTMILL__SINK__BULK__URL", "http://search:9200").env("GRISTMILL__SINK__TOPIC", "true");
    deployed::assert_accepts(command, "sink");
}

#[test]
fn without_kafka_or_without_a_target_it_says_what_to_set() {
    let said = |output: std::process::Output| {
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let embedded = said(sink().output().unwrap());
    assert!(embedded.contains("log.engine"), "{embedded}");
    let nowhere = said(sink().env("GRISTMILL__LOG__ENGINE", "kafka").output().unwrap());
    assert!(nowhere.contains("sink.bulk.url") && nowhere.contains("sink.topic"), "{nowhere}");
}
