//! `hosts.jsonl`: a row for each host of the archives, in the order of their names.
//!
//! ```text
//! answers ─▶ rows in memory ─▶ hosts/run-NNNNN, sorted ─▶ merged at the end ─▶ hosts.jsonl
//! ```
//! A run ends with each file of the dataset, and where memory is full. A program that was killed goes on behind the runs of the
//! last file, so the table is that of one that was not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::files::replace;
use super::host_row::{AnswerFacts, HostRow};
use crate::DatasetRow;

const TABLE: &str = "hosts.jsonl";
const RUNS: &str = "hosts";
/// Hosts that are held: some 100 MB where each has many counts.
const MAX_HOSTS: usize = 100_000;
/// Runs that are merged at once, each an open file.
const FAN_IN: usize = 64;
/// Longest name that DNS allows; a longer one is none.
const MAX_NAME: usize = 253;

/// The table under way.
pub struct HostTable {
    out: PathBuf,
    rows: BTreeMap<String, HostRow>,
    runs: u64,
}

impl HostTable {
    /// Goes on behind so many runs of the dataset in the folder.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn open(out: &Path, runs: u64) -> anyhow::Result<HostTable> {
        let folder = out.join(RUNS);
        std::fs::create_dir_all(&folder).with_context(|| format!("could not create `{}`", folder.display()))?;
        Ok(HostTable { out: out.to_owned(), rows: BTreeMap::new(), runs })
    }

    /// Counts an answer, and its row if it became one.
    ///
    /// # Errors
    /// A run that cannot be written.
    pub fn count(&mut self, answer: &AnswerFacts, outcome: &str, row: Option<&DatasetRow>) -> anyhow::Result<()> {
        let host = if answer.host.len() > MAX_NAME { "" } else { answer.host.as_str() };
        if self.rows.len() >= MAX_HOSTS && !self.rows.contains_key(host) {
            self.end_run()?;
        }
        match self.rows.get_mut(host) {
            Some(known) => known.count(answer, outcome, row),
            None => self.rows.entry(host.to_owned()).or_insert_with(|| HostRow::new(host)).count(answer, outcome, row),
        }
        Ok(())
    }

    /// How many runs there are, once all that was counted is in them.
    ///
    /// # Errors
    /// A run that cannot be written.
    pub fn mark(&mut self) -> anyhow::Result<u64> {
        if !self.rows.is_empty() {
            self.end_run()?;
        }
        Ok(self.runs)
    }

    fn end_run(&mut self) -> anyhow::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        replace(&self.run(self.runs), |out| rows.values().try_for_each(|row| write_row(out, row)))?;
        self.runs += 1;
        Ok(())
    }

    fn run(&self, number: u64) -> PathBuf {
        self.out.join(RUNS).join(format!("run-{number:05}"))
    }

    /// Writes the table. The runs stay until [`HostTable::clean`].
    ///
    /// # Errors
    /// Files that cannot be read or written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.mark()?;
        let mut runs: Vec<PathBuf> = (0..self.runs).map(|number| self.run(number)).collect();
        for pass in 0.. {
            if runs.len() <= FAN_IN {
                break;
            }
            let some = runs.chunks(FAN_IN).enumerate();
            let merged = some.map(|(number, some)| -> anyhow::Result<PathBuf> {
                let path = self.out.join(RUNS).join(format!("merged-{pass}-{number:05}"));
                replace(&path, |out| merge(some, |row| write_row(out, row)))?;
                Ok(path)
            });
            runs = merged.collect::<anyhow::Result<_>>()?;
        }
        replace(&self.out.join(TABLE), |out| merge(&runs, |row| write_row(out, row)))
    }

    /// Removes the runs of a dataset that is complete; they may be gone.
    ///
    /// # Errors
    /// Files that cannot be removed.
    pub fn clean(out: &Path) -> anyhow::Result<()> {
        super::row_stage::remove(&out.join(RUNS))
    }
}

fn write_row(out: &mut impl Write, row: &HostRow) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    Ok(out.write_all(b"\n")?)
}

/// Gives the rows of sorted runs in their order, those of one host added up.
fn merge(runs: &[PathBuf], mut take: impl FnMut(&HostRow) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut runs: Vec<RunReader> = runs.iter().map(|path| RunReader::open(path)).collect::<anyhow::Result<_>>()?;
    // By name, then by run, so that sums of the same runs are the same.
    let mut next: BinaryHeap<Reverse<(String, usize)>> = BinaryHeap::new();
    let mut rows: Vec<HostRow> = Vec::with_capacity(runs.len());
    for (number, run) in runs.iter_mut().enumerate() {
        let row = run.next()?;
        next.extend(row.iter().map(|row| Reverse((row.host.clone(), number))));
        rows.push(row.unwrap_or_default());
    }
    let mut sum: Option<HostRow> = None;
    while let Some(Reverse((host, number))) = next.pop() {
        let following = runs[number].next()?;
        next.extend(following.iter().map(|row| Reverse((row.host.clone(), number))));
        let row = std::mem::replace(&mut rows[number], following.unwrap_or_default());
        match &mut sum {
            Some(sum) if sum.host == host => sum.add(&row),
            sum => sum.replace(row).iter().try_for_each(&mut take)?,
        }
    }
    sum.iter().try_for_each(take)
}

struct RunReader {
    lines: BufReader<File>,
    path: PathBuf,
}

impl RunReader {
    fn open(path: &Path) -> anyhow::Result<RunReader> {
        let file = File::open(path).with_context(|| format!("could not open `{}`", path.display()))?;
        Ok(RunReader { lines: BufReader::new(file), path: path.to_owned() })
    }

    fn next(&mut self) -> anyhow::Result<Option<HostRow>> {
        let mut line = Vec::new();
        let read = self.lines.read_until(b'\n', &mut line);
        let row = |line: &[u8]| serde_json::from_slice(line);
        let found = read.map_err(anyhow::Error::from).and_then(|n| Ok((n > 0).then(|| row(&line)).transpose()?));
        found.with_context(|| format!("could not read back `{}`", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(host: &str, status: u16) -> AnswerFacts {
        AnswerFacts { host: host.to_owned(), status: Some(status), bytes: 10, wall: None }
    }

    fn table(out: &Path) -> Vec<HostRow> {
        let text = std::fs::read_to_string(out.join(TABLE)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn rows_of_many_runs_are_added_up_in_the_order_of_their_hosts() {
        let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (mut whole, mut pieces) =
            (HostTable::open(one.path(), 0).unwrap(), HostTable::open(many.path(), 0).unwrap());
        for n in 0..700_u64 {
            let answer = answer(&format!("h{}.example", n * 7 % 31), if n % 3 == 0 { 404 } else { 200 });
            whole.count(&answer, "status", None).unwrap();
            pieces.count(&answer, "status", None).unwrap();
            if n % 5 == 0 {
                // More runs than are merged at once.
                pieces.mark().unwrap();
            }
        }
        whole.finish().unwrap();
        pieces.finish().unwrap();
        let rows = table(many.path());
        assert_eq!((rows.len(), rows.iter().map(|row| row.answers).sum::<u64>()), (31, 700));
        assert!(rows.is_sorted_by(|a, b| a.host < b.host));
        assert_eq!(rows, table(one.path()));
        HostTable::clean(many.path()).unwrap();
        HostTable::clean(many.path()).unwrap();
        assert!(!many.path().join(RUNS).exists());
    }

    #[test]
    fn names_that_strangers_choose_are_bounded() {
        let out = tempfile::tempdir().unwrap();
        let mut table_ = HostTable::open(out.path(), 0).unwrap();
        for n in 0..1000_u64 {
            let row = DatasetRow { robots: vec![format!("max-snippet: {n}")], ..DatasetRow::default() };
            table_.count(&answer(&"a".repeat(300), 200), "pages", Some(&row)).unwrap();
        }
        table_.finish().unwrap();
        let rows = table(out.path());
        assert_eq!((rows[0].host.as_str(), rows[0].usage_directives.len()), ("", 65));
        assert_eq!(rows[0].usage_directives["others"], 936);
    }

    #[test]
    fn a_table_goes_on_behind_its_last_mark() {
        let out = tempfile::tempdir().unwrap();
        let mut first = HostTable::open(out.path(), 0).unwrap();
        first.count(&answer("a.example", 200), "pages", None).unwrap();
        let mark = first.mark().unwrap();
        first.count(&answer("b.example", 200), "pages", None).unwrap();
        first.mark().unwrap();
        drop(first);
        let mut second = HostTable::open(out.path(), mark).unwrap();
        second.count(&answer("c.example", 200), "pages", None).unwrap();
        second.finish().unwrap();
        let hosts: Vec<String> = table(out.path()).into_iter().map(|row| row.host).collect();
        assert_eq!(hosts, ["a.example", "c.example"]);
    }
}
