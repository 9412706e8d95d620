//! Finds orders that will never have an outcome, because the order or its outcome cannot be read.
//!
//! The group of fetchers is past an order only when its outcome is in the log, or when nobody can read the order. So what was
//! given before some moment is lost when the fetchers are past everything of that moment, all outcomes written by then
//! are read, and it is still in flight. The same holds for renderers and their orders, which are looked at apart. Each look takes the
//! next of these three steps; no time limit has a part in it.

use std::time::{Duration, Instant};

use gristmill_frontier::Frontier;
use gristmill_log::{Log, LogError, Positions, StartOffset};
use gristmill_proto::topics;
use tracing::warn;

use crate::metrics::{AppliedEffect, Metrics};

/// Age from which an order in flight is worth a look: most are done by then.
const SUSPECT_AGE: Duration = Duration::from_secs(10);

/// Pause between two looks.
const EVERY: Duration = Duration::from_secs(2);

/// Looks now and then for lost orders of one topic.
pub(crate) struct LostOrderDetector {
    /// Whether they are those of renderers.
    renders: bool,
    orders: &'static str,
    outcomes: &'static str,
    /// The group whose position tells how far orders are worked on.
    group: &'static str,
    looked: Instant,
    step: Step,
}

enum Step {
    /// Nothing is suspected.
    Rest,
    /// Waits until the fetchers are past `ends` of `orders`, where the orders below `bound` stand.
    Given { bound: u64, ends: Positions },
    /// Waits until the outcomes before `ends` are read, which are those of all orders below `bound`.
    Passed { bound: u64, ends: Positions },
}

impl LostOrderDetector {
    pub(crate) fn fetches() -> Self {
        let (orders, outcomes, group) = (topics::ORDERS, topics::OUTCOMES, topics::groups::FETCHER);
        Self { renders: false, orders, outcomes, group, looked: Instant::now(), step: Step::Rest }
    }

    pub(crate) fn renders() -> Self {
        let (orders, outcomes, group) = (topics::RENDERS, topics::RENDER_OUTCOMES, topics::groups::RENDERER);
        Self { renders: true, orders, outcomes, group, ..Self::fetches() }
    }

    /// Takes the next step if it is time for one; `read` says how far outcomes are applied. Lost orders are given again,
    /// as often as `frontier.retry` says.
    ///
    /// # Errors
    /// The log or the frontier's store failed.
    pub(crate) async fn turn(
        &mut self,
        log: &dyn Log,
        frontier: &mut Frontier,
        read: &Positions,
        now: u64,
        metrics: &Metrics,
    ) -> anyhow::Result<()> {
        let suspect = frontier.oldest_order(self.renders).is_some_and(|at| at + SUSPECT_AGE.as_millis() as u64 <= now);
        if !suspect || self.looked.elapsed() < EVERY {
            return Ok(());
        }
        self.looked = Instant::now();
        self.step = match std::mem::replace(&mut self.step, Step::Rest) {
            Step::Rest => Step::Given { bound: frontier.next_order(), ends: ends(log, self.orders).await? },
            Step::Given { bound, ends: given } if covers(&self.worked_on(log).await?, &given) => {
                Step::Passed { bound, ends: ends(log, self.outcomes).await? }
            }
            Step::Passed { bound, ends } if covers(read, &ends) => {
                let lost = tokio::task::block_in_place(|| frontier.lose_before(bound, self.renders, now))?;
                if lost > 0 {
                    warn!(
                        orders = lost,
                        "orders without an outcome are given again: they or their outcomes cannot be read"
                    );
                    metrics.outcomes.of(AppliedEffect::Lost).inc_by(lost);
                }
                Step::Rest
            }
            waiting => waiting,
        };
        Ok(())
    }

    async fn worked_on(&self, log: &dyn Log) -> Result<Positions, LogError> {
        match log.reader(&[self.orders], StartOffset::Group(self.group)).await {
            Ok(reader) => Ok(reader.positions()),
            // Workers that stayed away for longer than the log keeps orders will say so themselves.
            Err(LogError::OutOfRange { .. }) => Ok(Positions::new()),
            Err(error) => Err(error),
        }
    }
}

async fn ends(log: &dyn Log, topic: &'static str) -> Result<Positions, LogError> {
    let (ends, owned) = (log.ends(topic).await?, log.owned());
    let ours = (0u32..).zip(ends).filter(|(partition, _)| owned.contains(partition));
    Ok(ours.map(|(partition, end)| ((topic.to_owned(), partition), end)).collect())
}

fn covers(positions: &Positions, ends: &Positions) -> bool {
    ends.iter().all(|(key, end)| positions.get(key).is_some_and(|position| position >= end))
}
