//! A process that reads one document: fed from a file without a name, read through a pipe, and killed when it is late.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How often a process that has closed its pipe is looked at.
const POLL: Duration = Duration::from_millis(2);

/// What one document may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) cpu_seconds: u32,
    pub(crate) wall: Duration,
    /// Bytes of address space.
    pub(crate) memory: u64,
    /// Most bytes of text.
    pub(crate) output: usize,
    /// Most bytes that are kept of what it says of errors: the last ones.
    pub(crate) said: usize,
}

/// How a process ended.
pub(crate) enum ProcessEnd {
    Done {
        text: Vec<u8>,
    },
    Failed {
        said: String,
    },
    /// By a signal, such as at a limit of the kernel.
    Killed,
    Late,
    /// It had more to say than may be.
    Long,
}

/// Runs `setpriv` with these arguments. Whatever comes of it, the process is gone afterwards.
///
/// # Errors
/// The process could not be started or fed.
pub(crate) fn run(words: &[String], input: &[u8], limits: &Limits) -> io::Result<ProcessEnd> {
    let mut command = Command::new("setpriv");
    // Nothing of our environment is for a document to see.
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
    command.env("LANG", "C.UTF-8").current_dir("/").args(words);
    command.stdin(unlinked(input)?).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = ChildGuard(command.spawn()?);
    let deadline = Instant::now() + limits.wall;
    let (Some(out), Some(err)) = (child.0.stdout.take(), child.0.stderr.take()) else {
        return Err(io::Error::other("the process has no pipes"));
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut text = Vec::new();
            let read = out.take(limits.output as u64 + 1).read_to_end(&mut text);
            // Who waits may have given up.
            let _ = sender.send(read.map(|_| text));
        });
        let said = scope.spawn(move || last_of(err, limits.said));
        let ended = match receiver.recv_timeout(limits.wall) {
            Err(_) => Ok(ProcessEnd::Late),
            Ok(Err(error)) => Err(error),
            Ok(Ok(text)) if text.len() > limits.output => Ok(ProcessEnd::Long),
            Ok(Ok(text)) => child.wait_until(deadline).map(|status| match status {
                None => ProcessEnd::Late,
                Some(status) if status.success() => ProcessEnd::Done { text },
                Some(status) if status.signal().is_some() => ProcessEnd::Killed,
                Some(_) => ProcessEnd::Failed { said: String::new() },
            }),
        };
        // Else the threads would wait for the ends of its pipes.
        drop(child);
        let said = said.join().map_err(|_| io::Error::other("a thread panicked"))?;
        Ok(match ended? {
            // Of a child that was killed, `unshare` of util-linux 2.38 says only that it cannot die of the same.
            ProcessEnd::Failed { .. } if said.contains("unshare: sigprocmask") => ProcessEnd::Killed,
            ProcessEnd::Failed { .. } => ProcessEnd::Failed { said },
            ended => ended,
        })
    })
}

/// A process that does not outlive this.
struct ChildGuard(Child);

impl ChildGuard {
    /// Its status, if it ends before `deadline`.
    fn wait_until(&mut self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        loop {
            match self.0.try_wait()? {
                None if Instant::now() < deadline => std::thread::sleep(POLL),
                status => return Ok(status),
            }
        }
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // An error says that it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A file with these bytes that nobody else can open, at its beginning.
fn unlinked(bytes: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Reads to the end and keeps the last bytes: a damaged document gives a line for each of its faults.
fn last_of(mut from: impl Read, most: usize) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
    // What cannot be read is not told.
    while let Ok(n @ 1..) = from.read(&mut piece) {
        kept.extend_from_slice(&piece[..n]);
        kept.drain(..kept.len().saturating_sub(most));
    }
    String::from_utf8_lossy(&kept).into_owned()
}
