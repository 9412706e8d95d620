//! Programs that are run to their end.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longest time that one run of a program may take.
pub const LIMIT: Duration = Duration::from_secs(180);

/// A program, without settings of the caller's environment.
pub fn without_settings(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GRISTMILL__") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a command to its end, or kills it after [`LIMIT`] and panics.
pub fn finish(mut command: Command) -> Output {
    let out = tempfile::tempfile().unwrap();
    let err = tempfile::tempfile().unwrap();
    let mut child = command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap()).spawn().unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("no end after {LIMIT:?}: {}", read(err));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    Output { status, stdout: read(out).into_bytes(), stderr: read(err).into_bytes() }
}

fn read(mut file: std::fs::File) -> String {
    use std::io::{Read, Seek};
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

/// What a run printed.
pub fn text(output: &Output) -> String {
    format!(
        "{}\n--- stdout\n{}\n--- stderr\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
