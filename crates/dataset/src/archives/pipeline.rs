//! One thread reads an archive, several read its pages, and the results come in the order of the archive.
//!
//! ```text
//! archive ─▶ reading thread ─▶ jobs ─▶ workers ─▶ results ─▶ put in order ─▶ `take`
//!                 ▲                                                            │
//!                 └──────────────────── permits ───────────────────────────────┘
//! ```
//! There are as many permits as pieces may be under way, so memory does not grow with one slow page.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use gristmill_warc::Damage;

use super::pages::{ArchiveItem, ArchivePages, ArchiveRecordPage, LocatedItem};
use super::rows::RowResult;
use crate::output::{AnswerFacts, ArchiveOffset, SourceItem};
use crate::pages::NoRow;

/// Pieces under way for each worker.
const WINDOW: usize = 16;

/// What became of a piece of the archive.
pub struct PipelineItem {
    pub outcome: EntryResult,
    /// How to read on behind it.
    pub next: Option<ArchiveOffset>,
    pub is_cut: bool,
    pub answer: Option<Box<AnswerFacts>>,
}

/// A row, no row by the reason that is counted, or damage.
pub enum EntryResult {
    Row(Box<SourceItem>),
    Passed(NoRow),
    Damaged(Damage),
}

type Numbered<T> = (u64, T);
type Answer = Numbered<std::io::Result<PipelineItem>>;
type Job = Numbered<(Box<ArchiveRecordPage>, Option<ArchiveOffset>, Option<Box<AnswerFacts>>)>;

/// Reads all pieces, makes rows of the pages on so many threads, and gives everything to `take` in order.
///
/// # Errors
/// Those of the archive's file and of `take`; nothing is given after the first.
pub fn run(
    pages: ArchivePages,
    threads: usize,
    make: impl Fn(ArchiveRecordPage) -> RowResult + Sync,
    mut take: impl FnMut(PipelineItem) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let window = threads * WINDOW;
    let (permits, permitted) = sync_channel(window);
    (0..window).for_each(|_| _ = permits.send(()));
    let (jobs, todo) = sync_channel::<Job>(window);
    let (results, answers) = channel::<Answer>();
    let todo = Mutex::new(todo);
    std::thread::scope(|scope| {
        let sent = results.clone();
        scope.spawn(move || read(pages, &permitted, &jobs, &sent));
        for _ in 0..threads {
            let results = results.clone();
            let (todo, make) = (&todo, &make);
            scope.spawn(move || work(todo, make, &results));
        }
        drop(results);
        // Dropped with an error, the permits and answers end the threads.
        in_order(answers, permits, &mut take)
    })
}

fn read(mut pages: ArchivePages, permitted: &Receiver<()>, jobs: &SyncSender<Job>, results: &Sender<Answer>) {
    for number in 0.. {
        if permitted.recv().is_err() {
            return;
        }
        let sent = match pages.next_item() {
            Ok(None) => return,
            Err(error) => {
                let _ = results.send((number, Err(error)));
                return;
            }
            Ok(Some(LocatedItem { piece: ArchiveItem::Page(page), next, answer })) => {
                jobs.send((number, (page, next, answer))).is_ok()
            }
            Ok(Some(LocatedItem { piece, next, answer })) => {
                let outcome = match piece {
                    ArchiveItem::Passed(reason) => EntryResult::Passed(reason.into()),
                    ArchiveItem::Damaged(damage) => EntryResult::Damaged(damage),
                    ArchiveItem::Page(_) => unreachable!("pages are jobs"),
                };
                results.send((number, Ok(PipelineItem { outcome, next, is_cut: false, answer }))).is_ok()
            }
        };
        if !sent {
            return;
        }
    }
}

fn work(todo: &Mutex<Receiver<Job>>, make: &impl Fn(ArchiveRecordPage) -> RowResult, results: &Sender<Answer>) {
    loop {
        let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, (page, next, answer))) = job else { return };
        let is_cut = page.page.is_cut;
        let outcome = match make(*page) {
            RowResult::Row(row) => EntryResult::Row(row),
            RowResult::Passed(none) => EntryResult::Passed(none),
        };
        if results.send((number, Ok(PipelineItem { outcome, next, is_cut, answer }))).is_err() {
            return;
        }
    }
}

fn in_order(
    answers: Receiver<Answer>,
    permits: SyncSender<()>,
    take: &mut impl FnMut(PipelineItem) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut number = 0;
    for (of, step) in answers {
        waiting.insert(of, step);
        while let Some(step) = waiting.remove(&number) {
            take(step?)?;
            number += 1;
            // The reading thread is gone once it has read everything.
            let _ = permits.try_send(());
        }
    }
    Ok(())
}
