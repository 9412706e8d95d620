//! Places that clients share: bounded for each client and in all.
//!
//! Who comes gets a place. When a bound is reached, the place is taken from whoever has kept us waiting longest, so that clients who
//! send nothing make room for those who do; only when all places are worked for there is none.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use prometheus::IntGauge;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio_util::sync::CancellationToken;

/// How many places there are, and whose may be taken.
pub(crate) struct Bounds {
    pub(crate) max: usize,
    pub(crate) max_per_client: usize,
    /// Who has kept us waiting for less keeps its place.
    pub(crate) least_wait: Duration,
}

/// All places. Clones are the same ones.
#[derive(Clone)]
pub(crate) struct RequestLimiter {
    shared: Arc<Shared>,
}

struct Shared {
    bounds: Bounds,
    /// How many are taken.
    taken: IntGauge,
    holders: Mutex<Holders>,
    /// Told when a place is given back.
    freed: Notify,
}

#[derive(Default)]
struct Holders {
    next: u64,
    by_number: BTreeMap<u64, Holder>,
    /// How many have lost their place and are not gone yet.
    leaving: usize,
    /// Who waits for a place, in the order in which they came.
    queue: BTreeMap<u64, IpAddr>,
}

struct Holder {
    client: IpAddr,
    /// Since when it keeps us waiting; `None` while we work for it.
    waiting: Option<Instant>,
    lost: CancellationToken,
}

/// A request's place among those that wait; dropping it leaves the queue.
pub(crate) struct QueueTicket {
    places: RequestLimiter,
    number: u64,
    address: IpAddr,
}

/// A client's place; dropping it gives it back.
pub(crate) struct RequestPermit {
    places: RequestLimiter,
    number: u64,
    /// Cancelled when it was taken for another.
    pub(crate) lost: CancellationToken,
}

impl RequestLimiter {
    /// Places within `bounds`, counted by `taken`.
    pub(crate) fn new(bounds: Bounds, taken: IntGauge) -> Self {
        Self { shared: Arc::new(Shared { bounds, taken, holders: Mutex::default(), freed: Notify::new() }) }
    }

    fn holders(&self) -> MutexGuard<'_, Holders> {
        self.shared.holders.lock().expect("no code panics while it holds this lock")
    }

    /// A place for a client at `address`, who is waited for until [`RequestPermit::begin`]; another one may lose its own. `None` when all are
    /// worked for.
    pub(crate) fn take(&self, address: IpAddr) -> Option<RequestPermit> {
        let (client, bounds) = (client_network(address), &self.shared.bounds);
        let mut holders = self.holders();
        let of_client = holders.by_number.values().filter(|holder| holder.client == client).count();
        let has_room = (of_client < bounds.max_per_client || holders.evict(Some(client), bounds.least_wait))
            && (holders.by_number.len() < bounds.max || holders.evict(None, bounds.least_wait));
        if !has_room {
            return None;
        }
        let number = holders.next;
        holders.next += 1;
        let lost = CancellationToken::new();
        holders.by_number.insert(number, Holder { client, waiting: Some(Instant::now()), lost: lost.clone() });
        self.shared.taken.set(holders.by_number.len() as i64);
        Some(RequestPermit { places: self.clone(), number, lost })
    }

    /// Joins the queue for a place.
    pub(crate) fn queue(&self, address: IpAddr) -> QueueTicket {
        let mut holders = self.holders();
        let number = holders.next;
        holders.next += 1;
        holders.queue.insert(number, client_network(address));
        QueueTicket { places: self.clone(), number, address }
    }

    /// Ends when a place was given back since this was called.
    pub(crate) fn freed(&self) -> Notified<'_> {
        self.shared.freed.notified()
    }

    /// Takes the place of whoever has kept us waiting longest, unless some who lost theirs are still to go: what they hold comes free by
    /// itself.
    pub(crate) fn make_room(&self) {
        let mut holders = self.holders();
        if holders.leaving == 0 {
            holders.evict(None, Duration::ZERO);
        }
    }
}

impl Holders {
    /// Takes the place of whoever has kept us waiting longest, and for no less than `least`; of `client` if one is named. Whether there
    /// was one.
    fn evict(&mut self, client: Option<IpAddr>, least: Duration) -> bool {
        let waiting = self.by_number.iter().filter(|(_, holder)| client.is_none_or(|one| holder.client == one));
        let longest = waiting.filter_map(|(number, holder)| Some((holder.waiting?, *number))).min();
        let longest = longest.filter(|(since, _)| since.elapsed() >= least);
        let evicted = longest.and_then(|(_, number)| self.by_number.remove(&number));
        if let Some(holder) = &evicted {
            holder.lost.cancel();
            self.leaving += 1;
        }
        evicted.is_some()
    }
}

impl QueueTicket {
    /// A place, if none of the same client has waited for longer.
    pub(crate) fn take(&self) -> Option<RequestPermit> {
        let client = client_network(self.address);
        let is_first = !self.places.holders().queue.range(..self.number).any(|(_, other)| *other == client);
        if is_first { self.places.take(self.address) } else { None }
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        self.places.holders().queue.remove(&self.number);
        self.places.shared.freed.notify_waiters();
    }
}

impl RequestPermit {
    /// The client has sent what it had to, and is worked for.
    pub(crate) fn begin(&self) {
        self.set(None);
    }

    /// The client is waited for.
    pub(crate) fn end(&self) {
        self.set(Some(Instant::now()));
    }

    fn set(&self, waiting: Option<Instant>) {
        // It may be taken already.
        if let Some(holder) = self.places.holders().by_number.get_mut(&self.number) {
            holder.waiting = waiting;
        }
    }
}

impl Drop for RequestPermit {
    fn drop(&mut self) {
        let mut holders = self.places.holders();
        if holders.by_number.remove(&self.number).is_none() {
            holders.leaving -= 1;
        }
        self.places.shared.taken.set(holders.by_number.len() as i64);
        drop(holders);
        self.places.shared.freed.notify_waiters();
    }
}

/// Who a client is: an IPv4 address, or the network that one subscriber of IPv6 has at least.
pub(crate) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(max: usize, max_per_client: usize, least_wait: Duration) -> RequestLimiter {
        RequestLimiter::new(Bounds { max, max_per_client, least_wait }, IntGauge::new("taken", "places").unwrap())
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn who_waits_longest_makes_room_and_who_is_busy_stays() {
        let places = places(3, 2, Duration::ZERO);
        let first = places.take(address(1)).unwrap();
        let second = places.take(address(1)).unwrap();
        first.begin();
        let third = places.take(address(1)).unwrap();
        assert!(second.lost.is_cancelled() && !first.lost.is_cancelled());
        third.begin();
        assert!(places.take(address(1)).is_none(), "both of this client are busy");
        let other = places.take(address(2)).unwrap();
        let another = places.take(address(3)).unwrap();
        assert!(other.lost.is_cancelled() && !another.lost.is_cancelled(), "three in all");
        assert_eq!(places.shared.taken.get(), 3);
        drop(first);
        assert!(places.take(address(1)).is_some());
    }

    #[test]
    fn nobody_makes_room_while_one_that_lost_its_place_is_still_to_go() {
        let places = places(2, 2, Duration::ZERO);
        let (first, second) = (places.take(address(1)).unwrap(), places.take(address(2)).unwrap());
        let third = places.take(address(3)).unwrap();
        assert!(first.lost.is_cancelled());
        places.make_room();
        assert!(!second.lost.is_cancelled() && !third.lost.is_cancelled(), "the first gives its handle back");
        drop(first);
        places.make_room();
        assert!(second.lost.is_cancelled() && !third.lost.is_cancelled());
    }

    #[test]
    fn who_has_waited_for_a_moment_only_keeps_its_place() {
        let places = places(2, 2, Duration::from_millis(50));
        let (first, second) = (places.take(address(1)).unwrap(), places.take(address(2)).unwrap());
        assert!(places.take(address(3)).is_none());
        std::thread::sleep(Duration::from_millis(60));
        assert!(places.take(address(3)).is_some() && first.lost.is_cancelled() && !second.lost.is_cancelled());
    }

    #[test]
    fn who_came_first_is_first_and_other_clients_do_not_wait_for_that() {
        let places = places(2, 1, Duration::from_secs(60));
        let held = places.take(address(1)).unwrap();
        let (first, second, other) = (places.queue(address(1)), places.queue(address(1)), places.queue(address(2)));
        assert!(first.take().is_none() && other.take().is_some());
        drop(held);
        assert!(second.take().is_none(), "the first has waited for longer");
        let taken = first.take().unwrap();
        drop(first);
        assert!(second.take().is_none(), "one place a client");
        drop(taken);
        assert!(second.take().is_some());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let one = client_network("2001:db8:1:2:3::4".parse().unwrap());
        assert_eq!(one, client_network("2001:db8:1:2:ffff::1".parse().unwrap()));
        assert_ne!(one, client_network("2001:db8:1:3::4".parse().unwrap()));
        assert_eq!(client_network("::ffff:192.0.2.1".parse().unwrap()), address(1));
    }
}
