//! Which orders are done although an earlier one is not.
//!
//! Orders and their outcomes have the same key, so both topics put them in the partition of the same number. For each
//! partition this keeps the orders from the lowest unfinished one on, and where their outcomes stand. What is
//! committed is that lowest position in `orders`, and in `outcomes` a position before which no outcome of a later order stands:
//! after a crash, the outcomes from there on name exactly the orders that must not be fetched again.

use std::collections::BTreeMap;

use gristmill_log::{Place, Positions};
use gristmill_proto::topics;

#[derive(Default)]
struct Partition {
    /// Position of an order → position of its outcome, from the lowest unfinished order on.
    open: BTreeMap<u64, Option<u64>>,
    /// Position after the last order taken.
    taken: u64,
    /// Position after the last outcome that is known.
    outcomes: u64,
}

/// The state of all orders taken and not yet committed.
#[derive(Default)]
pub(crate) struct Progress {
    partitions: BTreeMap<u32, Partition>,
}

impl Progress {
    /// Starts `partition` where an earlier run left it.
    pub(crate) fn start(&mut self, partition: u32, orders: u64, outcomes: u64) {
        self.partitions.insert(partition, Partition { open: BTreeMap::new(), taken: orders, outcomes });
    }

    /// An order was taken from the log.
    pub(crate) fn take(&mut self, order: &Place) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.open.insert(order.position, None);
        partition.taken = partition.taken.max(order.position + 1);
    }

    /// The outcome of `order` is in the log at position `outcome`.
    pub(crate) fn finish(&mut self, order: &Place, outcome: u64) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.open.insert(order.position, Some(outcome));
        partition.outcomes = partition.outcomes.max(outcome + 1);
        partition.close();
    }

    /// `order` needs no work: its outcome is below what this run knows, or it cannot be read.
    pub(crate) fn pass(&mut self, order: &Place) {
        let partition = self.partitions.entry(order.partition).or_default();
        partition.open.insert(order.position, Some(partition.outcomes));
        partition.close();
    }

    /// What may be committed now.
    pub(crate) fn positions(&self) -> Positions {
        let mut positions = Positions::new();
        for (number, partition) in &self.partitions {
            let orders = partition.open.first_key_value().map_or(partition.taken, |(position, _)| *position);
            let outcomes = partition.open.values().flatten().min().copied().unwrap_or(partition.outcomes);
            positions.insert((topics::ORDERS.to_owned(), *number), orders);
            positions.insert((topics::OUTCOMES.to_owned(), *number), outcomes);
        }
        positions
    }
}

impl Partition {
    /// Forgets the finished orders at the front.
    fn close(&mut self) {
        while let Some(first) = self.open.first_entry() {
            if first.get().is_none() {
                break;
            }
            first.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(position: u64) -> Place {
        Place { topic: topics::ORDERS, partition: 0, position }
    }

    fn committed(progress: &Progress) -> (u64, u64) {
        let positions = progress.positions();
        (positions[&(topics::ORDERS.to_owned(), 0)], positions[&(topics::OUTCOMES.to_owned(), 0)])
    }

    #[test]
    fn the_slowest_order_holds_the_position_back() {
        let mut progress = Progress::default();
        progress.start(0, 10, 20);
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

    proptest! {
        /// Whatever finishes when: after a crash at any moment, an order is either below the committed position, or its
        /// outcome is found from the committed outcome position on, or it never finished.
        #[test]
        fn no_finished_order_is_forgotten(finishing in Just((0u64..20).collect::<Vec<_>>()).prop_shuffle(), stop in 0usize..20) {
            let mut progress = Progress::default();
            progress.start(0, 0, 0);
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
