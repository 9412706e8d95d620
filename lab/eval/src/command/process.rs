//! A child process in a group of its own, so that ending it ends what it started too.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Most that is kept of what a command writes to standard error.
const MAX_STDERR_BYTES: usize = 400;

/// Killed and reaped when dropped.
pub(super) struct ChildProcess {
    pub child: Child,
    stderr: Receiver<String>,
}

impl ChildProcess {
    pub fn start(words: &[String]) -> Result<ChildProcess, String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("could not start `{program}`: {error}"))?;
        let (send, stderr) = channel();
        let pipe = child.stderr.take();
        // Not joined: a grandchild that left the group may keep the pipe open for ever.
        std::thread::spawn(move || {
            let _ = send.send(pipe.map(last_words).unwrap_or_default());
        });
        Ok(ChildProcess { child, stderr })
    }

    /// How it ended, if it ends before `deadline`.
    pub fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// The status and the end of standard error, for messages.
    pub fn obituary(&mut self) -> String {
        let status = self.wait_until(Instant::now() + Duration::from_millis(500));
        let status = status.map_or_else(|| "no exit".to_owned(), |status| status.to_string());
        match self.stderr.recv_timeout(Duration::from_millis(200)) {
            Ok(words) if !words.is_empty() => format!("{status}: {words}"),
            _ => status,
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            // Fails when all of the group have ended, which is what is wanted.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end, keeps the last bytes, on one line.
fn last_words(mut pipe: impl Read) -> String {
    let (mut tail, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(n @ 1..) = pipe.read(&mut buffer) {
        tail.extend_from_slice(&buffer[..n]);
        if tail.len() > 2 * MAX_STDERR_BYTES {
            tail.drain(..tail.len() - MAX_STDERR_BYTES);
        }
    }
    let start = tail.len().saturating_sub(MAX_STDERR_BYTES);
    gristmill_text::collapse(&String::from_utf8_lossy(&tail[start..]))
}
