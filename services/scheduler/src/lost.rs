//! Finds orders that will never have an outcome, because the order or its outcome cannot be read.
//!
//! A fetcher's group is past an order only when its outcome is in the log, or when nobody can read the order. So what was
//! given before some moment is lost when the fetchers are past everything of that moment, all outcomes written by then
//! are read, and it is still in flight. Each look takes the next of these three steps; no time limit has a part in it.

use std::time::{Duration, Instant};

use gristmill_frontier::Frontier;
use gristmill_log::{Log, LogError, Positions, Start};
use gristmill_proto::topics;
use tracing::warn;

use crate::metrics::Metrics;

/// The group whose position tells how far orders are worked on.
const FETCHERS: &str = topics::groups::FETCHER;

/// Age from which an order in flight is worth a look: most are done by then.
const SUSPECT_AGE: Duration = Duration::from_secs(10);

/// Pause between two looks.
const EVERY: Duration = Duration::from_secs(2);

/// Looks now and then for lost orders.
pub(crate) struct Lost {
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

impl Lost {
    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), step: Step::Rest }
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
        let suspect = frontier.oldest_order().is_some_and(|at| at + SUSPECT_AGE.as_millis() as u64 <= now);
        if !suspect || self.looked.elapsed() < EVERY {
            return Ok(());
        }
        self.looked = Instant::now();
        self.step = match std::mem::replace(&mut self.step, Step::Rest) {
            Step::Rest => Step::Given { bound: frontier.next_order(), ends: ends(log, topics::ORDERS).await? },
            Step::Given { bound, ends: given } if covers(&worked_on(log).await?, &given) => {
                Step::Passed { bound, ends: ends(log, topics::OUTCOMES).await? }
            }
            Step::Passed { bound, ends } if covers(read, &ends) => {
                let lost = tokio::task::block_in_place(|| frontier.lose_before(bound, now))?;
                if lost > 0 {
                    warn!(
                        orders = lost,
                        "orders without an outcome are given again: they or their outcomes cannot be read"
                    );
                    metrics.outcomes.with_label_values(&["lost"]).inc_by(lost);
                }
                Step::Rest
            }
            waiting => waiting,
        };
        Ok(())
    }
}

async fn ends(log: &dyn Log, topic: &'static str) -> Result<Positions, LogError> {
    let (ends, owned) = (log.ends(topic).await?, log.owned());
    let ours = (0u32..).zip(ends).filter(|(partition, _)| owned.contains(partition));
    Ok(ours.map(|(partition, end)| ((topic.to_owned(), partition), end)).collect())
}

async fn worked_on(log: &dyn Log) -> Result<Positions, LogError> {
    match log.reader(&[topics::ORDERS], Start::Group(FETCHERS)).await {
        Ok(reader) => Ok(reader.positions()),
        // Fetchers that stayed away for longer than the log keeps orders will say so themselves.
        Err(LogError::OutOfRange { .. }) => Ok(Positions::new()),
        Err(error) => Err(error),
    }
}

fn covers(positions: &Positions, ends: &Positions) -> bool {
    ends.iter().all(|(key, end)| positions.get(key).is_some_and(|position| position >= end))
}
