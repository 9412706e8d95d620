//! Memory for bodies: all of one client take it from one budget as they grow, and wait where nothing is left.
//!
//! How large a body becomes is not known before it is there. Each takes steps from a common part; when that is used up, one at a
//! time goes on from a part that is kept for it and holds the largest body of all. So one always comes to its end, and gives back
//! what the others wait for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::FetchConfig;

/// What every body may have without asking, so that ordinary pages never wait for large ones.
pub(crate) const FREE_BYTES: usize = 256 << 10;

/// What a body takes at a time.
const STEP_BYTES: usize = 256 << 10;

/// The memory of one client. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct BodyMemoryBudget {
    /// One permit for each step.
    common: Arc<Semaphore>,
    /// The right to go on without.
    last: Arc<Semaphore>,
}

/// What one body has of the budget; given back when it is dropped.
#[derive(Debug)]
pub struct BudgetShare {
    budget: BodyMemoryBudget,
    covered: usize,
    steps: Option<OwnedSemaphorePermit>,
    last: Option<OwnedSemaphorePermit>,
    waits: Arc<BudgetWait>,
}

/// How long a body waited for memory: nobody's fault but ours, so that no time limit may count it.
#[derive(Debug, Default)]
pub(crate) struct BudgetWait(Mutex<(Duration, Option<Instant>)>);

impl BodyMemoryBudget {
    /// The budget of `fetch.max_bytes_in_flight`, which [`FetchConfig::validate`] has found large enough.
    pub(crate) fn new(config: &FetchConfig) -> Self {
        let common = config.max_bytes_in_flight.saturating_sub(config.largest_body()) / STEP_BYTES;
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        Self { common: semaphore(common), last: semaphore(1) }
    }

    /// The share of a body that is about to come in.
    pub(crate) fn share(&self, waits: &Arc<BudgetWait>) -> BudgetShare {
        BudgetShare { budget: self.clone(), covered: FREE_BYTES, steps: None, last: None, waits: waits.clone() }
    }
}

impl BudgetShare {
    /// How many bytes the body may have now.
    pub(crate) fn covered(&self) -> usize {
        if self.last.is_some() { usize::MAX } else { self.covered }
    }

    /// All that it has, which is then another's.
    pub(crate) fn take(&mut self) -> BudgetShare {
        let none = self.budget.share(&self.waits);
        std::mem::replace(self, none)
    }

    /// Waits until the body may have `bytes`.
    pub(crate) async fn grow_to(&mut self, bytes: usize) {
        while self.covered() < bytes {
            let (common, last) = (self.budget.common.clone(), self.budget.last.clone());
            let _waiting = self.waits.begin();
            tokio::select! {
                biased;
                Ok(step) = common.acquire_owned() => {
                    self.covered += STEP_BYTES;
                    match &mut self.steps {
                        Some(steps) => steps.merge(step),
                        None => self.steps = Some(step),
                    }
                }
                Ok(last) = last.acquire_owned() => self.last = Some(last),
                else => unreachable!("nobody closes a budget"),
            }
        }
    }
}

impl BudgetWait {
    /// All waiting so far, that which goes on included.
    pub(crate) fn total(&self) -> Duration {
        let waits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waits.0 + waits.1.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn begin(self: &Arc<Self>) -> Waiting {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(Instant::now());
        Waiting(self.clone())
    }
}

/// Ends the waiting when it is dropped.
struct Waiting(Arc<BudgetWait>);

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut waits = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(since) = waits.1.take() {
            waits.0 += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const MIB: usize = 1 << 20;

    fn config() -> FetchConfig {
        FetchConfig {
            max_wire_bytes: 2 * MIB,
            max_body_bytes: 2 * MIB,
            max_listing_bytes: MIB,
            max_bytes_in_flight: 6 * MIB,
            ..FetchConfig::default()
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn bodies_that_grow_at_once_never_have_more_than_the_budget_and_all_come_to_their_end() {
        let budget = BodyMemoryBudget::new(&config());
        let (held, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let bodies = (0..40).map(|n| {
            let (budget, held, most) = (budget.clone(), held.clone(), most.clone());
            tokio::spawn(async move {
                let mut share = budget.share(&Arc::default());
                let mut bytes = FREE_BYTES;
                while bytes < 4 * MIB - n * 10_000 {
                    share.grow_to(bytes + 100_000).await;
                    bytes += 100_000;
                    most.fetch_max(held.fetch_add(100_000, Ordering::SeqCst) + 100_000, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                }
                held.fetch_sub(bytes - FREE_BYTES, Ordering::SeqCst);
                drop(share);
            })
        });
        for body in bodies.collect::<Vec<_>>() {
            tokio::time::timeout(Duration::from_secs(20), body).await.expect("a body waits for ever").unwrap();
        }
        let most = most.load(Ordering::SeqCst);
        assert!((4 * MIB..=6 * MIB).contains(&most), "{most}");
        assert_eq!((budget.common.available_permits(), budget.last.available_permits()), (8, 1));
    }

    #[tokio::test]
    async fn what_is_small_never_waits_and_waiting_is_counted() {
        let budget = BodyMemoryBudget::new(&FetchConfig { max_bytes_in_flight: 4 * MIB, ..config() });
        let waits = Arc::new(BudgetWait::default());
        let mut first = budget.share(&waits);
        first.grow_to(4 * MIB).await;
        let mut small = budget.share(&waits);
        small.grow_to(FREE_BYTES).await;
        let waiting = tokio::time::timeout(Duration::from_millis(60), small.grow_to(FREE_BYTES + 1)).await;
        assert!(waiting.is_err(), "there is nothing left");
        let waited = waits.total();
        assert!(waited >= Duration::from_millis(50), "{waited:?}");
        drop(first);
        small.grow_to(4 * MIB).await;
        assert!(waits.total() < waited + Duration::from_millis(50));
    }
}
