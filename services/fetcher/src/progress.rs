//! Which orders are done although an earlier one is not.
//!
//! Orders and their outcomes have the same key, so both topics put them in the partition of the same number. For each
//! partition this keeps the orders from the lowest unfinished one on, and where their outcomes stand. What is
//! committed is that lowest position in `orders`, and in `outcomes` a position before which no outcome of these orders stands:
//! after a crash, the outcomes from there on name exactly the orders that must not be fetched again.
//!
//! Orders that an earlier run had begun may have their outcome anywhere in what that run wrote. Until all of them are taken
//! again, the position in `outcomes` stays where the run before left it: the next crash needs them as this start did.

use std::collections::BTreeMap;

use gristmill_log::{Positions, RecordOffset};

use crate::executor::OrderTopics;

/// What became of an order that was taken.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Its outcome may stand in the log already, but not before this position: it was written after the order was taken.
    Running(u64),
    /// Its outcome stands at this position.
    Reported(u64),
    /// It has no outcome and needs none.
    Void,
}

#[derive(Default)]
struct Partition {
    /// By position, from the lowest unfinished order on.
    open: BTreeMap<u64, State>,
    /// Position after the last order taken.
    taken: u64,
    /// Position after the last order that an earlier run may have begun.
    begun: u64,
    /// Where this run began to read outcomes.
    started: u64,
    /// Position after the last outcome that this run wrote.
    outcomes: u64,
}

/// The state of all orders taken and not yet committed.
pub(crate) struct OrderOffsets {
    channel: OrderTopics,
    partitions: BTreeMap<u32, Partition>,
}

impl OrderOffsets {
    pub(crate) fn of(channel: OrderTopics) -> Self {
        Self { channel, partitions: BTreeMap::new() }
    }

    /// Starts `partition` where an earlier run left it; that run may have begun orders below `begun`.
    pub(crate) fn start(&mut self, partition: u32, orders: u64, outcomes: u64, begun: u64) {
        let state = Partition { open: BTreeMap::new(), taken: orders, begun, started: outcomes, outcomes };
        self.partitions.insert(partition, state);
    }

    /// An order was taken from the log.
    pub(crate) fn take(&mut self, order: &RecordOffset) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.open.insert(order.position, State::Running(partition.outcomes));
        partition.taken = partition.taken.max(order.position + 1);
    }

    /// The outcome of `order` is in the log at position `outcome`.
    pub(crate) fn finish(&mut self, order: &RecordOffset, outcome: u64) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.outcomes = partition.outcomes.max(outcome + 1);
        partition.end(order.position, State::Reported(outcome));
    }

    /// `order` needs no work: an earlier run told its outcome at position `outcome`, or it will never have one.
    pub(crate) fn pass(&mut self, order: &RecordOffset, outcome: Option<u64>) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.end(order.position, outcome.map_or(State::Void, State::Reported));
    }

    /// What may be committed now.
    pub(crate) fn positions(&self) -> Positions {
        let mut positions = Positions::new();
        for (number, partition) in &self.partitions {
            let orders = partition.open.first_key_value().map_or(partition.taken, |(position, _)| *position);
            positions.insert((self.channel.orders.to_owned(), *number), orders);
            positions.insert((self.channel.outcomes.to_owned(), *number), partition.outcomes());
        }
        positions
    }
}

impl Partition {
    fn end(&mut self, order: u64, state: State) {
        self.open.insert(order, state);
        // The finished orders at the front are below what is committed.
        while let Some(first) = self.open.first_entry().filter(|first| !matches!(first.get(), State::Running(_))) {
            first.remove();
        }
    }

    /// The position in `outcomes` before which no outcome of an open or later order stands.
    fn outcomes(&self) -> u64 {
        if self.taken < self.begun {
            return self.started;
        }
        let told = self.open.values().filter_map(|state| match state {
            State::Reported(outcome) | State::Running(outcome) => Some(*outcome),
            State::Void => None,
        });
        told.min().unwrap_or(self.outcomes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use gristmill_proto::topics;

    use super::*;

    fn progress() -> OrderOffsets {
        OrderOffsets::of(OrderTopics { group: "fetcher", orders: topics::ORDERS, outcomes: topics::OUTCOMES })
    }

    fn order(position: u64) -> RecordOffset {
        RecordOffset { topic: topics::ORDERS, partition: 0, position }
    }

    fn committed(progress: &OrderOffsets) -> (u64, u64) {
        let positions = progress.positions();
        (positions[&(topics::ORDERS.to_owned(), 0)], positions[&(topics::OUTCOMES.to_owned(), 0)])
    }

    #[test]
    fn the_slowest_order_holds_the_position_back() {
        let mut progress = self::progress();
        progress.start(0, 10, 20, 10);
        assert_eq!(committed(&progress), (10, 20));
        for position in 10..13 {
            progress.take(&order(position));
        }
        progress.finish(&order(11), 20);
        progress.finish(&order(12), 21);
        assert_eq!(committed(&progress), (10, 20), "orders 11 and 12 are told by outcomes 20 and 21");
        progress.finish(&order(10), 22);
        assert_eq!(committed(&progress), (13, 23));
    }

    #[test]
    fn an_outcome_of_the_run_before_is_needed_until_no_order_before_it_is_open() {
        let mut progress = self::progress();
        progress.start(0, 0, 0, 3);
        (0..2).for_each(|position| progress.take(&order(position)));
        progress.finish(&order(1), 7);
        assert_eq!(committed(&progress), (0, 0), "order 2, not yet taken again, may have its outcome anywhere");
        progress.take(&order(2));
        progress.pass(&order(2), Some(4));
        assert_eq!(committed(&progress), (0, 0), "order 0 is open, and was taken before any outcome was known");
        progress.finish(&order(0), 8);
        assert_eq!(committed(&progress), (3, 9));
    }

    #[test]
    fn an_order_without_an_outcome_holds_nothing_back() {
        let mut progress = self::progress();
        progress.start(0, 0, 5, 0);
        (0..2).for_each(|position| progress.take(&order(position)));
        progress.pass(&order(1), None);
        assert_eq!(committed(&progress), (0, 5));
        progress.finish(&order(0), 5);
        assert_eq!(committed(&progress), (2, 6));
    }

    /// A log of 12 orders, their outcomes in the order of writing, and what the group has committed.
    #[derive(Default)]
    struct Crashing {
        outcomes: Vec<u64>,
        committed: (u64, u64),
    }

    impl Crashing {
        const ORDERS: u64 = 12;

        /// A run that is killed after `steps`: each takes the next order or finishes one of those running; some commit.
        fn run(&mut self, steps: &[u8]) {
            let (orders, outcomes) = self.committed;
            let mut progress = self::progress();
            progress.start(0, orders, outcomes, Self::ORDERS);
            let found = self.outcomes.iter().enumerate().skip(outcomes as usize);
            let done: BTreeMap<u64, u64> = found.map(|(at, order)| (*order, at as u64)).collect();
            // An outcome is in the log before the worker hears of it, and a crash may come between.
            let (mut next, mut running, mut written) = (orders, Vec::new(), Vec::new());
            for step in steps {
                if !written.is_empty() && step % 5 == 0 {
                    let (ended, at) = written.swap_remove(usize::from(*step) % written.len());
                    progress.finish(&order(ended), at);
                } else if next < Self::ORDERS && (step % 2 == 0 || running.is_empty()) {
                    progress.take(&order(next));
                    match done.get(&next) {
                        Some(outcome) => progress.pass(&order(next), Some(*outcome)),
                        None => running.push(next),
                    }
                    next += 1;
                } else if !running.is_empty() {
                    let ended = running.swap_remove(usize::from(*step) % running.len());
                    written.push((ended, self.outcomes.len() as u64));
                    self.outcomes.push(ended);
                }
                if step % 3 == 0 {
                    self.committed = committed(&progress);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn no_order_is_fetched_again_after_any_number_of_crashes(
            runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..6),
        ) {
            let mut log = Crashing::default();
            runs.iter().for_each(|steps| log.run(steps));
            let mut fetched = log.outcomes.clone();
            fetched.sort_unstable();
            fetched.dedup();
            prop_assert_eq!(fetched.len(), log.outcomes.len(), "{:?}", log.outcomes);
        }

        /// Whatever finishes when: after a crash at any moment, an order is either below the committed position, or its
        /// outcome is found from the committed outcome position on, or it never finished.
        #[test]
        fn no_finished_order_is_forgotten(finishing in Just((0u64..20).collect::<Vec<_>>()).prop_shuffle(), stop in 0usize..20) {
            let mut progress = self::progress();
            progress.start(0, 0, 0, 0);
            (0..20).for_each(|position| progress.take(&order(position)));
            let mut outcome_of = BTreeMap::new();
            for (outcome, position) in finishing.into_iter().take(stop).enumerate() {
                progress.finish(&order(position), outcome as u64);
                outcome_of.insert(position, outcome as u64);
            }
            let (orders, outcomes) = committed(&progress);
            for position in 0..20 {
                match outcome_of.get(&position) {
                    None => prop_assert!(position >= orders),
                    Some(outcome) => prop_assert!(position < orders || *outcome >= outcomes),
                }
            }
        }
    }
}
