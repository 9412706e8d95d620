//! Work dealt out to threads piece by piece, results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// `work` on 0 to `n`, on so many threads; results in order. The caller's thread is one of them: it keeps its memory from call to call.
pub fn each<T: Send + Default>(n: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots: Vec<Mutex<T>> = (0..n).map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = slots.get(at) else { break };
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = work(at);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, n.max(1)) {
            scope.spawn(take);
        }
        take();
    });
    slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// `work` on all items, on as many threads as there are cores; results in order.
pub fn in_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let done = each(items.len(), n_threads, |at| Some(work(&items[at])));
    done.into_iter().map(|done| done.expect("a panic ends the program")).collect()
}
