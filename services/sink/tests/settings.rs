//! The settings file that is deployed with this service is one that it reads.

use std::process::Command;

fn sink() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill-sink"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GRISTMILL__")) {
        command.env_remove(name);
    }
    command
}

#[test]
fn the_deployed_settings_are_accepted() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/config/sink.toml");
    let mut command = sink();
    // Where the engine is, is said where the service is started, as in compose.yaml.
    command.arg(file).env("GRISTMILL__SINK__BULK__URL", "http://search:9200").env("GRISTMILL__SINK__TOPIC", "true");
    // An address that no machine has: the process ends right after it has read its settings.
    let output = command.env("GRISTMILL__ADMIN__LISTEN", "192.0.2.1:9").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && !said.contains("could not read the settings"), "{said}");
    assert!(said.contains("192.0.2.1:9"), "it ended for another reason: {said}");
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
