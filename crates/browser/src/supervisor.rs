//! The thread that holds a browser: it starts it, writes to it, and ends all of its processes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdout, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::cdp_pipe::{PipeError, next};

/// Lines of the browser's standard error that are kept.
const KEPT_LINES: usize = 20;
/// Messages that wait for us at most; then the browser waits.
const WAITING: usize = 256;

/// A started browser.
pub(crate) struct BrowserHandle {
    pub(crate) pid: u32,
    /// Messages to it; when this is dropped, the browser is ended.
    pub(crate) to: Sender<Vec<u8>>,
    /// Messages from it.
    pub(crate) from: mpsc::Receiver<Result<Value, PipeError>>,
    pub(crate) said: StderrTail,
    pub(crate) thread: JoinHandle<()>,
}

/// The last lines of the browser's standard error, and whether it is closed.
#[derive(Clone, Default)]
pub(crate) struct StderrTail(Arc<(Mutex<VecDeque<String>>, AtomicBool)>);

impl StderrTail {
    fn push(&self, line: String) {
        let mut lines = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Whether nothing more is to come.
    pub(crate) fn is_whole(&self) -> bool {
        self.0.1.load(Ordering::Acquire)
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Starts the browser on a thread of its own. It is the parent whose end the browser does not survive, so it must live as long
/// (prctl(2), `PR_SET_PDEATHSIG`: the signal comes at the end of the parent's *thread*).
pub(crate) fn start(mut command: Command) -> std::io::Result<BrowserHandle> {
    let (to, messages) = channel::<Vec<u8>>();
    let (started, start) = channel();
    let said = StderrTail::default();
    let heard = said.clone();
    // What it is ended by, whatever else becomes of it.
    command.process_group(0);
    let thread = std::thread::Builder::new().name("browser".to_owned()).spawn(move || match command.spawn() {
        Err(error) => drop(started.send(Err(error))),
        Ok(mut child) => {
            let from = listen(child.stdout.take(), child.stderr.take(), heard);
            let _ = started.send(Ok((child.id(), from)));
            write(&mut child, &messages);
            end(&mut child);
        }
    })?;
    let gone = || std::io::Error::other("its thread ended");
    let (pid, from) = start.recv().map_err(|_| gone())??;
    Ok(BrowserHandle { pid, to, from, said, thread })
}

/// Until nobody has anything to say any more, or nobody listens.
fn write(child: &mut Child, messages: &Receiver<Vec<u8>>) {
    let Some(mut pipe) = child.stdin.take() else { return };
    let _ = messages.iter().try_for_each(|message| pipe.write_all(&message));
    // A browser that does not listen may still write; who waits for that learns of its end from the other pipe.
}

fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself; nothing is lost with it either way.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn listen(
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    said: StderrTail,
) -> mpsc::Receiver<Result<Value, PipeError>> {
    let (sender, receiver) = mpsc::channel(WAITING);
    if let Some(stdout) = stdout {
        std::thread::spawn(move || {
            let mut pipe = BufReader::with_capacity(1 << 16, stdout);
            loop {
                let message = next(&mut pipe);
                let is_last = message.is_err();
                if sender.blocking_send(message).is_err() || is_last {
                    return;
                }
            }
        });
    }
    if let Some(stderr) = stderr {
        std::thread::spawn(move || hear(stderr, &said));
    }
    receiver
}

/// Lines of at most 500 bytes; the rest of a longer one is a line of its own.
fn hear(stderr: ChildStderr, said: &StderrTail) {
    let mut pipe = BufReader::new(stderr);
    let mut line = Vec::new();
    while let Ok(1..) = pipe.by_ref().take(500).read_until(b'\n', &mut line) {
        said.push(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
    said.0.1.store(true, Ordering::Release);
}
