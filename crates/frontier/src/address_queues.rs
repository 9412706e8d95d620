//! Domains whose time has come and whose IP address is still being left alone, as others stand on it.
//!
//! Thousands of domains may share one address, which is asked once in a pause. Were each of them scheduled anew for the end of every pause,
//! an order would cost as many steps as there are; here they wait in a queue of their address, which lets one go at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::fast_map::FastMap;
use crate::host_queues::DueEntry;

#[derive(Default)]
pub(crate) struct AddressQueues {
    waiting: FastMap<String, BinaryHeap<Reverse<DueEntry>>>,
    /// For each address with a queue, when its first domain may go.
    times: BinaryHeap<Reverse<(u64, String)>>,
}

impl AddressQueues {
    /// Lets a domain wait for `ip`, which is left alone until `time`.
    pub(crate) fn push(&mut self, ip: &str, time: u64, entry: DueEntry) {
        if let Some(queue) = self.waiting.get_mut(ip) {
            return queue.push(Reverse(entry));
        }
        self.waiting.insert(ip.to_owned(), BinaryHeap::from([Reverse(entry)]));
        self.times.push(Reverse((time, ip.to_owned())));
    }

    /// When the first address has its turn.
    pub(crate) fn next_time(&self) -> Option<u64> {
        self.times.peek().map(|Reverse((time, _))| *time)
    }

    /// Takes out the best domain of an address that may be asked at `now`. The address lets its next one go `pause` later, or when it may be
    /// asked again, whatever became of this one.
    ///
    /// * `ips`: until when addresses are left alone.
    /// * `is_valid`: whether an entry still stands for its domain.
    pub(crate) fn pop(
        &mut self,
        now: u64,
        pause: u64,
        ips: &FastMap<String, u64>,
        is_valid: impl Fn(&DueEntry) -> bool,
    ) -> Option<DueEntry> {
        while self.next_time().is_some_and(|time| time <= now) {
            let Reverse((_, ip)) = self.times.pop()?;
            let ready = ips.get(&ip).copied().unwrap_or(0);
            if ready > now {
                self.times.push(Reverse((ready, ip)));
                continue;
            }
            let Some(queue) = self.waiting.get_mut(&ip) else { continue };
            let mut first = None;
            while first.is_none()
                && let Some(Reverse(entry)) = queue.pop()
            {
                first = Some(entry).filter(&is_valid);
            }
            if queue.is_empty() {
                self.waiting.remove(&ip);
            } else {
                self.times.push(Reverse((now.saturating_add(pause.max(1)), ip)));
            }
            if first.is_some() {
                return first;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_lets_its_best_domain_go_and_the_next_a_pause_later() {
        let mut queues = AddressQueues::default();
        let entry = |class, id| DueEntry { class, time: 5, tick: u64::from(id), id };
        for (class, id) in [(3, 1), (1, 2), (2, 3), (0, 4)] {
            queues.push("192.0.2.1", 10, entry(class, id));
        }
        queues.push("192.0.2.2", 20, entry(9, 5));
        let mut ips = FastMap::default();
        let mut pop = |now, ips: &_| queues.pop(now, 100, ips, |entry| entry.id != 4).map(|entry| entry.id);
        assert_eq!([pop(9, &ips), pop(10, &ips), pop(10, &ips)], [None, Some(2), None]);
        assert_eq!([pop(20, &ips), pop(20, &ips)], [Some(5), None]);
        ips.insert("192.0.2.1".to_owned(), 150);
        assert_eq!([pop(110, &ips), pop(150, &ips), pop(250, &ips), pop(999, &ips)], [None, Some(3), Some(1), None]);
        assert_eq!(queues.next_time(), None);
        assert!(queues.waiting.is_empty());
    }
}
