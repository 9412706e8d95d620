//! One process for many pages: JSON lines in, JSON lines out, in the same order.
//!
//! ```text
//! ─▶ {"id":"package/0001","path":"/…/0001.html.gz","url":"https://…","language":"en"}    the last two if known;
//!                                                                      a path that ends in .gz is gzip-packed
//! ◀─ {"id":"package/0001","text":"…","seconds":0.01,"cpu_seconds":0.01}   or "error":"…"; the times may be missing
//!     "title", "author", "published", "language", "site_name"                   of those who judge metadata, each optional
//!     "records":[{"attributes":[{"name":"Brand","value":"Acme"},…]},…]     instead of a text, or beside it
//! ```
//! Requests are written ahead of the answers, since a command may take in several pages before it answers the first.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::process::ChildProcess;
use super::{CommandLine, DEFAULT_TIMEOUT, MAX_OUTPUT_BYTES};
use crate::extracted_metadata::FoundMetadata;
use crate::package::GoldPage;
use crate::system::{Answer, ExtractedAttribute, SystemOutput};

/// A command that is started so often in a row without a single answer is left alone.
const MAX_BARREN_STARTS: usize = 3;

/// Speaks JSON lines, such as `gristmill extract --batch`.
#[derive(Debug, Clone)]
pub struct BatchCommand {
    /// In tables.
    pub name: String,
    /// Program and arguments.
    pub words: Vec<String>,
    /// Longest wait for the next answer; the command is killed then and started again for the pages left.
    /// Default: 60 s.
    pub timeout: Duration,
    /// Most bytes of an answer line. Default: 64 MiB.
    pub max_output: usize,
}

#[derive(Serialize)]
struct Request<'d> {
    id: String,
    path: &'d Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'d str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'d str>,
}

#[derive(Deserialize)]
struct Reply {
    id: serde_json::Value,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    author: Option<String>,
    #[serde(default)]
    published: Option<String>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    site_name: Option<String>,
    #[serde(default)]
    records: Vec<Record>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    cpu_seconds: Option<f64>,
    #[serde(default)]
    error: Option<String>,
}

/// A product; what else is told of it does not matter here.
#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    attributes: Vec<Attribute>,
}

#[derive(Deserialize)]
struct Attribute {
    name: String,
    value: String,
}

impl Record {
    fn pairs(self) -> Vec<ExtractedAttribute> {
        self.attributes
            .into_iter()
            .map(|Attribute { name, value }| ExtractedAttribute { name, value, layout: None })
            .collect()
    }
}

impl BatchCommand {
    /// With default limits.
    pub fn new(line: CommandLine) -> BatchCommand {
        BatchCommand { name: line.name, words: line.words, timeout: DEFAULT_TIMEOUT, max_output: MAX_OUTPUT_BYTES }
    }

    /// Hands `documents` to one process and each answer, in order, to `each`. A page at which the command dies, hangs
    /// or answers something else gets an error; the pages after it go to a new process.
    pub fn answer_all(&self, documents: &[&GoldPage], each: &mut dyn FnMut(usize, Answer)) {
        let (mut next, mut barren) = (0, 0);
        while next < documents.len() {
            let before = next;
            let failure = self.answer_some(documents, &mut next, each);
            let Err(reason) = failure else { continue };
            barren = if next == before { barren + 1 } else { 0 };
            each(next, Err(reason.clone()));
            next += 1;
            if barren >= MAX_BARREN_STARTS {
                for n in next..documents.len() {
                    each(n, Err(format!("not asked, since {barren} starts brought no answer: {reason}")));
                }
                return;
            }
        }
    }

    /// One process, from `next` on, until all is answered or it fails at `next`.
    fn answer_some(
        &self,
        documents: &[&GoldPage],
        next: &mut usize,
        each: &mut dyn FnMut(usize, Answer),
    ) -> Result<(), String> {
        let mut process = ChildProcess::start(&self.words)?;
        let requests = requests(&documents[*next..])?;
        let mut input = process.child.stdin.take().ok_or("no standard input")?;
        // Ends when all is written, or with a broken pipe; the pipe's end tells the command that there is no more.
        std::thread::spawn(move || input.write_all(&requests));
        let lines = lines(process.child.stdout.take().ok_or("no standard output")?, self.max_output);
        while *next < documents.len() {
            let line = match lines.recv_timeout(self.timeout) {
                Ok(line) => line?,
                Err(RecvTimeoutError::Timeout) => return Err(format!("no answer within {:?}", self.timeout)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("ended without an answer ({})", process.obituary()));
                }
            };
            let answer = read(&line, documents[*next])?;
            each(*next, answer);
            *next += 1;
        }
        Ok(())
    }
}

fn requests(documents: &[&GoldPage]) -> Result<Vec<u8>, String> {
    let mut requests = Vec::new();
    for document in documents {
        let path = std::path::absolute(&document.html).map_err(|error| error.to_string())?;
        let request = Request {
            id: id(document),
            path: &path,
            url: document.url.as_deref(),
            language: document.language.as_deref(),
        };
        serde_json::to_writer(&mut requests, &request).map_err(|error| error.to_string())?;
        requests.push(b'\n');
    }
    Ok(requests)
}

fn id(document: &GoldPage) -> String {
    format!("{}/{}", document.package, document.id)
}

/// `Err` when the answer belongs to another page: then nothing that follows can be trusted.
fn read(line: &[u8], document: &GoldPage) -> Result<Answer, String> {
    let reply: Reply = match serde_json::from_slice(line) {
        Ok(reply) => reply,
        Err(error) => return Ok(Err(format!("not an answer: {error}"))),
    };
    let wanted = id(document);
    if reply.id != wanted {
        return Err(format!("answered `{}` instead of `{wanted}`", reply.id));
    }
    Ok(match reply.error {
        Some(error) => Err(error),
        None => Ok(SystemOutput {
            text: reply.text.unwrap_or_default(),
            records: reply.records.into_iter().map(Record::pairs).collect(),
            metadata: FoundMetadata {
                title: reply.title,
                author: reply.author,
                date: reply.published,
                language: reply.language,
                site: reply.site_name,
            },
            seconds: reply.seconds,
            cpu_seconds: reply.cpu_seconds,
            shared_cpu_seconds: None,
        }),
    })
}

/// The lines of a pipe that are not empty; few wait, so that a command cannot fill the memory.
fn lines(pipe: impl Read + Send + 'static, limit: usize) -> Receiver<Result<Vec<u8>, String>> {
    let (send, receive) = sync_channel(4);
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            let read = (&mut pipe).take(limit as u64 + 1).read_until(b'\n', &mut line);
            let line = match read {
                Ok(0) => return,
                Ok(_) if line.len() > limit => Err(format!("an answer of more than {limit} bytes")),
                Ok(_) if line.trim_ascii().is_empty() => continue,
                Ok(_) => Ok(line),
                Err(error) => Err(format!("could not read its output: {error}")),
            };
            let failed = line.is_err();
            if send.send(line).is_err() || failed {
                return;
            }
        }
    });
    receive
}
