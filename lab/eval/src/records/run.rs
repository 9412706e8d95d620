//! Pages × systems, each pair judged.

use std::collections::HashSet;
use std::sync::Mutex;

use super::measure::{Score, compare, normal_name, normal_value};
use super::package::RecordPage;
use crate::command::BatchCommand;
use crate::package::{GoldPage, SkippedDocument};
use crate::run::{SystemOutputs, drive};
use crate::system::{ExtractedAttribute, System, SystemOutput};

/// One system on one page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordRow {
    /// Index in [`RecordRun::pages`].
    pub page: usize,
    /// Index in [`RecordRun::systems`].
    pub system: usize,
    /// Products that it found.
    pub n_products: usize,
    /// Its pairs against the gold; on a negative page all are wrong.
    pub score: Score,
    /// The same for names alone.
    pub names: Score,
    /// The same for values alone: what is stated at all, whatever it is called.
    pub values: Score,
    /// Pairs that are neither gold nor optional.
    pub wrong: Vec<WrongPair>,
    /// Indexes of the gold pairs that it did not find.
    pub missed: Vec<usize>,
    /// CPU seconds, where they are known.
    pub cpu_seconds: Option<f64>,
    /// The part of them that is the parse.
    pub shared_cpu_seconds: Option<f64>,
    /// What went wrong; nothing counted as found then.
    pub error: Option<String>,
}

/// A pair that should not have been found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongPair {
    /// As the system gave it.
    pub pair: ExtractedAttribute,
    /// The gold has the name, with another value.
    pub name_is_gold: bool,
}

/// All that was measured.
#[derive(Debug, Default)]
pub struct RecordRun {
    /// Names, in the order of columns.
    pub systems: Vec<String>,
    /// In the order given.
    pub pages: Vec<RecordPage>,
    /// By page, then system; a page that could not be read has none.
    pub rows: Vec<RecordRow>,
    /// Pages that could not be read.
    pub problems: Vec<SkippedDocument>,
}

/// Runs every system on every page; the order of the rows does not depend on the number of threads.
///
/// `progress` is called from the workers with the number of answers judged since the last call. What counts is the
/// union of the pairs of all products that a system finds on a page ([`SystemOutput::records`]).
pub fn run_records(
    pages: Vec<RecordPage>,
    systems: &[&dyn System],
    batches: &[BatchCommand],
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> RecordRun {
    let documents: Vec<&GoldPage> = pages.iter().map(|page| &page.document).collect();
    let rows = Mutex::new(Vec::new());
    let mut problems = drive(&documents, systems, batches, threads, &|answered: SystemOutputs| {
        let n = answered.answers.len();
        let page = Judged::new(&pages[answered.document]);
        for (k, (answer, _)) in answered.answers.into_iter().enumerate() {
            let row = page.row(answered.document, answered.first + k, answer);
            rows.lock().expect("nothing panics under the lock").push(row);
        }
        progress(n);
    });
    let mut rows: Vec<RecordRow> = rows.into_inner().expect("nothing panics under the lock");
    rows.sort_by_key(|row| (row.page, row.system));
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    let mut names: Vec<String> = systems.iter().flat_map(|system| system.names()).collect();
    names.extend(batches.iter().map(|batch| batch.name.clone()));
    RecordRun { systems: names, pages, rows, problems }
}

type Pairs = HashSet<(String, String)>;

/// A page whose pairs are in the form that the measure compares.
struct Judged<'p> {
    page: &'p RecordPage,
    gold: Pairs,
    optional: Pairs,
}

fn key(pair: &(String, String)) -> (String, String) {
    (normal_name(&pair.0), normal_value(&pair.1))
}

impl<'p> Judged<'p> {
    fn new(page: &'p RecordPage) -> Judged<'p> {
        let set = |pairs: &[(String, String)]| pairs.iter().map(key).collect();
        Judged { page, gold: set(&page.gold), optional: set(&page.optional) }
    }

    fn row(&self, page: usize, system: usize, answer: Result<SystemOutput, String>) -> RecordRow {
        let (output, error) = match answer {
            Ok(output) => (output, None),
            Err(error) => (SystemOutput::default(), Some(error)),
        };
        let mut found = Pairs::new();
        let mut wrong = Vec::new();
        let n_products = output.records.len();
        let gold_names: HashSet<&str> = self.gold.iter().map(|(name, _)| name.as_str()).collect();
        for pair in output.records.into_iter().flatten() {
            let key = (normal_name(&pair.name), normal_value(&pair.value));
            let is_wrong = !self.gold.contains(&key) && !self.optional.contains(&key);
            let name_is_gold = gold_names.contains(key.0.as_str());
            if found.insert(key) && is_wrong {
                wrong.push(WrongPair { pair, name_is_gold });
            }
        }
        let missed = (0..self.page.gold.len()).filter(|&n| !found.contains(&key(&self.page.gold[n]))).collect();
        RecordRow {
            page,
            system,
            n_products,
            score: compare(&found, &self.gold, &self.optional),
            names: self.part(&found, |(name, _)| name),
            values: self.part(&found, |(_, value)| value),
            wrong,
            missed,
            cpu_seconds: output.cpu_seconds,
            shared_cpu_seconds: output.shared_cpu_seconds,
            error,
        }
    }

    /// The score of names or values alone.
    fn part(&self, found: &Pairs, of: fn(&(String, String)) -> &String) -> Score {
        let only = |pairs: &Pairs| pairs.iter().map(|pair| (of(pair).clone(), String::new())).collect::<Pairs>();
        compare(&only(found), &only(&self.gold), &only(&self.optional))
    }
}
