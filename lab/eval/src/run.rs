//! Documents × systems on all cores; whatever one of them does, the run goes on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::command::BatchCommand;
use crate::measures::{MeasureOptions, TextScorer, TextScores};
use crate::package::{GoldPage, SkippedDocument};
use crate::system::{Answer, System, guarded};

/// One system on one document.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResultRow {
    /// Index in [`EvalRun::documents`].
    pub document: usize,
    /// Index in [`EvalRun::systems`].
    pub system: usize,
    /// Size of the page, unpacked.
    pub bytes: u64,
    /// Wall seconds of the extraction; `None` for batches whose answers do not tell.
    pub seconds: Option<f64>,
    /// CPU seconds of the extraction, where they are known.
    pub cpu_seconds: Option<f64>,
    /// The part of them that systems share.
    pub shared_cpu_seconds: Option<f64>,
    /// What the text scores.
    pub scores: TextScores,
    /// What went wrong; the text then counted as empty.
    pub error: Option<String>,
}

/// All that was measured.
#[derive(Debug, Default)]
pub struct EvalRun {
    /// Names, in the order of columns.
    pub systems: Vec<String>,
    /// In the order given.
    pub documents: Vec<GoldPage>,
    /// By document, then system; a document that could not be read has none.
    pub rows: Vec<ResultRow>,
    /// Documents that could not be read.
    pub problems: Vec<SkippedDocument>,
}

/// How a run is done.
#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// Workers; as many processes for each batch command.
    pub threads: usize,
    /// What is measured.
    pub settings: MeasureOptions,
}

impl Default for RunOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        RunOptions { threads, settings: MeasureOptions::default() }
    }
}

/// Runs every system on every document.
///
/// `progress` is called from the workers after each document with the number of texts judged since the last call.
/// The order of the rows does not depend on the number of threads. Memory: the pages in work and the rows, never
/// all texts.
pub fn run(
    documents: Vec<GoldPage>,
    systems: &[&dyn System],
    batches: &[BatchCommand],
    options: &RunOptions,
    progress: &(dyn Fn(usize) + Sync),
) -> EvalRun {
    let mut names: Vec<String> = systems.iter().flat_map(|system| system.names()).collect();
    names.extend(batches.iter().map(|batch| batch.name.clone()));
    let documents_in_order: Vec<&GoldPage> = documents.iter().collect();
    let rows = Mutex::new(Vec::new());
    let mut problems = drive(&documents_in_order, systems, batches, options.threads, &|answered: SystemOutputs| {
        let n = answered.answers.len();
        let judge = judge(&documents[answered.document], options);
        for (k, (answer, waited)) in answered.answers.into_iter().enumerate() {
            let row = row(answered.document, answered.first + k, answered.bytes, waited, &judge, answer);
            rows.lock().expect("nothing panics under the lock").push(row);
        }
        progress(n);
    });
    let mut rows = rows.into_inner().expect("workers hand over panics, they do not pass on");
    rows.sort_by_key(|row: &ResultRow| (row.document, row.system));
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    EvalRun { systems: names, documents, rows, problems }
}

fn judge(document: &GoldPage, options: &RunOptions) -> TextScorer {
    let gold = (!document.fragmented).then_some(document.gold.as_str());
    TextScorer::new(gold, &document.with, &document.without, options.settings)
}

/// What some systems answered for one document.
pub(crate) struct SystemOutputs {
    /// Index of the document.
    pub document: usize,
    /// Size of the page, unpacked.
    pub bytes: u64,
    /// Index of the first of the systems.
    pub first: usize,
    /// Their answers in order, with the wall seconds that were waited, where that says something.
    pub answers: Vec<(Answer, Option<f64>)>,
}

/// Asks every system for every document and hands the answers to `each`, from the workers and in no order; returns the
/// documents that could not be read.
pub(crate) fn drive(
    documents: &[&GoldPage],
    systems: &[&dyn System],
    batches: &[BatchCommand],
    threads: usize,
    each: &(dyn Fn(SystemOutputs) + Sync),
) -> Vec<SkippedDocument> {
    let shared = Shared { documents, threads, each, problems: Mutex::default() };
    let n_paged: usize = systems.iter().map(|system| system.names().len()).sum();
    let bytes = shared.pages(systems);
    for (n, batch) in batches.iter().enumerate() {
        shared.batch(batch, n_paged + n, &bytes);
    }
    shared.problems.into_inner().expect("workers hand over panics, they do not pass on")
}

struct Shared<'r> {
    documents: &'r [&'r GoldPage],
    threads: usize,
    each: &'r (dyn Fn(SystemOutputs) + Sync),
    problems: Mutex<Vec<SkippedDocument>>,
}

impl Shared<'_> {
    /// Reads each page once and hands it to the systems; returns the sizes, `None` where a page could not be read.
    fn pages(&self, systems: &[&dyn System]) -> Vec<Option<u64>> {
        let sizes = Mutex::new(vec![None; self.documents.len()]);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, self.documents.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(document) = self.documents.get(at) else { break };
                        match document.read_html() {
                            Ok(html) => {
                                sizes.lock().expect("nothing panics under the lock")[at] = Some(html.len() as u64);
                                self.page(at, &html, systems);
                            }
                            Err(problem) => self.problems.lock().expect("nothing panics under the lock").push(problem),
                        }
                    }
                });
            }
        });
        sizes.into_inner().expect("nothing panics under the lock")
    }

    fn page(&self, at: usize, html: &[u8], systems: &[&dyn System]) {
        let mut all = Vec::new();
        for system in systems {
            let n_systems = system.names().len();
            let start = Instant::now();
            let answers = guarded(|| system.extract(self.documents[at], html));
            let seconds = start.elapsed().as_secs_f64();
            let mut answers = answers.unwrap_or_else(|panic| vec![Err(panic); n_systems]);
            answers.resize_with(n_systems, || Err("no answer".to_owned()));
            all.extend(answers.into_iter().map(|answer| (answer, Some(seconds))));
        }
        (self.each)(SystemOutputs { document: at, bytes: html.len() as u64, first: 0, answers: all });
    }

    /// Document `k` goes to process `k mod threads`: a process may take in pages ahead of its answers, so what it
    /// has been given cannot be given to another.
    fn batch(&self, batch: &BatchCommand, system: usize, bytes: &[Option<u64>]) {
        let readable: Vec<usize> = (0..self.documents.len()).filter(|&at| bytes[at].is_some()).collect();
        let threads = self.threads.clamp(1, readable.len().max(1));
        std::thread::scope(|scope| {
            for first in 0..threads {
                let mine: Vec<usize> = readable.iter().copied().skip(first).step_by(threads).collect();
                scope.spawn(move || {
                    let documents: Vec<&GoldPage> = mine.iter().map(|&at| self.documents[at]).collect();
                    batch.answer_all(&documents, &mut |n, answer| {
                        let at = mine[n];
                        let bytes = bytes[at].unwrap_or(0);
                        (self.each)(SystemOutputs {
                            document: at,
                            bytes,
                            first: system,
                            answers: vec![(answer, None)],
                        });
                    });
                });
            }
        });
    }
}

fn row(
    document: usize,
    system: usize,
    bytes: u64,
    waited: Option<f64>,
    judge: &TextScorer,
    answer: Answer,
) -> ResultRow {
    let (output, error) = match answer {
        Ok(output) => (output, None),
        Err(error) => (Default::default(), Some(error)),
    };
    ResultRow {
        document,
        system,
        bytes,
        seconds: output.seconds.or(waited),
        cpu_seconds: output.cpu_seconds,
        shared_cpu_seconds: output.shared_cpu_seconds,
        scores: judge.score(&output.text),
        error,
    }
}
