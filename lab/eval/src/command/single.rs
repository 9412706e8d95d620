//! A process for each page: HTML on standard input, text on standard output.

use std::io::{Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::process::ChildProcess;
use super::{CommandLine, DEFAULT_TIMEOUT, MAX_OUTPUT_BYTES};
use crate::package::GoldPage;
use crate::system::{Answer, System, SystemOutput};

/// Starts the command anew for each page. Its start-up is part of the seconds; CPU seconds are not known.
#[derive(Debug, Clone)]
pub struct SingleCommand {
    /// The command.
    pub line: CommandLine,
    /// Longest time for a page; the command is killed then. Default: 60 s.
    pub timeout: Duration,
    /// Most bytes of text for a page. Default: 64 MiB.
    pub max_output: usize,
}

impl SingleCommand {
    /// With default limits.
    pub fn new(line: CommandLine) -> SingleCommand {
        SingleCommand { line, timeout: DEFAULT_TIMEOUT, max_output: MAX_OUTPUT_BYTES }
    }

    fn answer(&self, html: &[u8]) -> Answer {
        let start = Instant::now();
        let deadline = start + self.timeout;
        let mut process = ChildProcess::start(&self.line.words)?;
        if let Some(mut input) = process.child.stdin.take() {
            let html = html.to_vec();
            // A command may answer before it has read all, or read nothing: a broken pipe is no error.
            std::thread::spawn(move || input.write_all(&html));
        }
        let out = process.child.stdout.take().ok_or("no standard output")?;
        let (send, receive) = channel();
        let limit = self.max_output as u64 + 1;
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = out.take(limit).read_to_end(&mut bytes).map(|_| bytes);
            let _ = send.send(read);
        });
        let late = || format!("no answer within {:?}", self.timeout);
        let bytes = match receive.recv_timeout(self.timeout) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return Err(format!("could not read its output: {error}")),
            Err(RecvTimeoutError::Timeout) => return Err(late()),
            Err(RecvTimeoutError::Disconnected) => return Err("its output was lost".to_owned()),
        };
        if bytes.len() > self.max_output {
            return Err(format!("more than {} bytes of text", self.max_output));
        }
        let status = process.wait_until(deadline).ok_or_else(late)?;
        let seconds = start.elapsed().as_secs_f64();
        if !status.success() {
            return Err(process.obituary());
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(SystemOutput { text, seconds: Some(seconds), ..SystemOutput::default() })
    }
}

impl System for SingleCommand {
    fn names(&self) -> Vec<String> {
        vec![self.line.name.clone()]
    }

    fn extract(&self, _: &GoldPage, html: &[u8]) -> Vec<Answer> {
        vec![self.answer(html)]
    }
}
