//! Merges of segments, started after each commit and watched to their end: a merge that fails must not go unnoticed.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{LogMergePolicy, MergePolicy};
use tantivy::{FutureResult, Index, IndexWriter};

/// The merges under way.
#[derive(Default)]
pub(crate) struct MergeTracker {
    running: Vec<Merge>,
}

struct Merge {
    segments: Vec<SegmentId>,
    end: Pin<Box<FutureResult<Option<SegmentMeta>>>>,
}

impl MergeTracker {
    /// Starts the merges that tantivy's own policy wants of the segments of the last commit, which are in none yet.
    pub(crate) fn start(&mut self, index: &Index, writer: &mut IndexWriter) -> tantivy::Result<()> {
        let taken: HashSet<SegmentId> = self.running.iter().flat_map(|merge| merge.segments.iter().copied()).collect();
        let mut free = index.searchable_segment_metas()?;
        free.retain(|segment| !taken.contains(&segment.id()));
        for candidate in LogMergePolicy::default().compute_merge_candidates(&free) {
            let segments = candidate.0;
            let end = Box::pin(writer.merge(&segments));
            self.running.push(Merge { segments, end });
        }
        Ok(())
    }

    /// Forgets the merges that have ended.
    ///
    /// # Errors
    /// That of the first one that failed.
    pub(crate) fn check(&mut self) -> tantivy::Result<()> {
        let mut context = Context::from_waker(Waker::noop());
        let mut outcome = Ok(());
        self.running.retain_mut(|merge| match merge.end.as_mut().poll(&mut context) {
            Poll::Pending => true,
            Poll::Ready(ended) => {
                if let (Err(error), Ok(())) = (ended, &outcome) {
                    outcome = Err(error);
                }
                false
            }
        });
        outcome
    }

    /// Waits for all of them.
    ///
    /// # Errors
    /// That of the first one that failed.
    pub(crate) fn wait(self) -> tantivy::Result<()> {
        let mut outcome = Ok(());
        for merge in self.running {
            outcome = outcome.and(wait_for(merge.end).map(drop));
        }
        outcome
    }
}

/// Waits for a future on this thread. tantivy's own blocking wait panics on what [`MergeTracker::check`] has polled.
fn wait_for<F: Future>(mut future: Pin<Box<F>>) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}
