//! The settings file that is deployed with this service is one that it reads.

use std::process::Command;

#[test]
fn the_deployed_settings_are_accepted() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/config/fetcher.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_gristmill-fetcher"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GRISTMILL__")) {
        command.env_remove(name);
    }
    // An address that no machine has: the process ends right after it has read its settings.
    let output = command.arg(file).env("GRISTMILL__ADMIN__LISTEN", "192.0.2.1:9").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && !said.contains("could not read the settings"), "{said}");
    assert!(said.contains("192.0.2.1:9"), "it ended for another reason: {said}");
}
