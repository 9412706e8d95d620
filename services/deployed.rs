//! Checks for the tests of every service: the settings file that is deployed with it is one that it reads.

use std::process::Command;

/// The program, without settings of the caller's environment.
pub fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GRISTMILL__")) {
        command.env_remove(name);
    }
    command
}

/// Runs the program with an option and without a settings file: it says what it takes, and that it needs Kafka.
#[allow(dead_code, reason = "not every service has a log")]
pub fn assert_says_what_it_needs(path: &str) {
    let said = |command: &mut Command| {
        let output = command.env("GRISTMILL__ADMIN__LISTEN", "127.0.0.1:0").output().unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let asked = said(program(path).arg("--help"));
    assert!(asked.contains("`--help` is no settings file"), "{asked}");
    let alone = said(&mut program(path));
    assert!(alone.contains("log.engine = \"kafka\""), "{alone}");
}

/// Runs `command`, a service, with the settings in `deploy/config/NAME.toml`.
pub fn assert_accepts(mut command: Command, name: &str) {
    let file = format!("{}/../../deploy/config/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    // An address that no machine has: the process ends right after it has read its settings.
    let output = command.arg(file).env("GRISTMILL__ADMIN__LISTEN", "192.0.2.1:9").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && !said.contains("could not read the settings"), "{said}");
    assert!(said.contains("192.0.2.1:9"), "it ended for another reason: {said}");
}
