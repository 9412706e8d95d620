//! Merges of segments, started after each commit and watched to their end: a merge that fails must not go unnoticed.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{LogMergePolicy, MergePolicy};
use tantivy::{FutureResult, Index, IndexWriter, TantivyError};

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
    pub(crate) fn check(&mut self, index: &Index) -> tantivy::Result<()> {
        let mut context = Context::from_waker(Waker::noop());
        let mut outcome = Ok(());
        self.running.retain_mut(|merge| match merge.end.as_mut().poll(&mut context) {
            Poll::Pending => true,
            Poll::Ready(ended) => {
                let ended = excused(ended, &merge.segments, index);
                outcome = std::mem::replace(&mut outcome, Ok(())).and(ended);
                false
            }
        });
        outcome
    }

    /// Waits for all of them.
    ///
    /// # Errors
    /// That of the first one that failed.
    pub(crate) fn wait(self, index: &Index) -> tantivy::Result<()> {
        let mut outcome = Ok(());
        for merge in self.running {
            outcome = outcome.and(excused(wait_for(merge.end), &merge.segments, index));
        }
        outcome
    }
}

/// The end of a merge. One is no failure that is in vain because a commit dropped one of its segments meanwhile, all documents of which
/// had been taken out: the others stay as they were, and are merged with the next ones.
fn excused(ended: tantivy::Result<Option<SegmentMeta>>, segments: &[SegmentId], index: &Index) -> tantivy::Result<()> {
    match ended {
        Ok(_) => Ok(()),
        Err(TantivyError::InvalidArgument(why)) => {
            let there = index.searchable_segment_ids()?;
            match segments.iter().all(|segment| there.contains(segment)) {
                true => Err(TantivyError::InvalidArgument(why)),
                false => Ok(()),
            }
        }
        Err(error) => Err(error),
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

#[cfg(test)]
mod tests {
    use tantivy::doc;
    use tantivy::schema::{Schema, TEXT};

    use super::*;

    #[test]
    fn a_merge_whose_segment_was_emptied_meanwhile_is_no_failure() {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("text", TEXT);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        writer.add_document(doc!(field => "kept")).unwrap();
        writer.commit().unwrap();
        let kept = index.searchable_segment_ids().unwrap()[0];
        // As if a commit had dropped the second one.
        let segments = vec![kept, SegmentId::generate_random()];
        for by_waiting in [false, true] {
            let end = Box::pin(writer.merge(&segments));
            let mut tracker = MergeTracker { running: vec![Merge { segments: segments.clone(), end }] };
            while !by_waiting && !tracker.running.is_empty() {
                tracker.check(&index).unwrap();
            }
            tracker.wait(&index).unwrap();
        }
        let broken = || TantivyError::InvalidArgument("broken".to_owned());
        assert!(excused(Err(broken()), &[kept], &index).is_err(), "its segments are all there");
        assert!(excused(Err(TantivyError::SystemError("lost".to_owned())), &segments, &index).is_err());
    }
}
