//! The pause between two requests to one IP address, whatever the names, within this process.
//!
//! The scheduler spaces its orders by the address that a site had last. A site's first request has none yet, and orders are
//! not requests: one waits for its name, another for the disk. So the last word is here, where the address is known.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedMutexGuard, watch};
use tokio::time::Instant;

/// Addresses remembered before those without a request are forgotten, some 15 MB.
const MAX_ADDRESSES: usize = 65_536;

/// The pauses of all addresses. Clones are the same.
#[derive(Clone, Default)]
pub struct AddressLimiter {
    known: Arc<Mutex<HashMap<IpAddr, Arc<Address>>>>,
}

struct Address {
    /// Held by the one who is next.
    queue: Arc<tokio::sync::Mutex<()>>,
    pace: watch::Sender<Pace>,
}

#[derive(Clone, Copy)]
struct Pace {
    /// No request before.
    next: Instant,
    /// When the last request began.
    last: Option<Instant>,
}

/// The right to send the next request to an address, as soon as everything else is ready.
pub struct AddressPermit {
    address: Arc<Address>,
    pause: Duration,
    _next: OwnedMutexGuard<()>,
}

/// A request under way; dropped at its end.
pub struct ActiveRequest {
    address: Arc<Address>,
    pause: Duration,
    begun: Instant,
}

impl AddressLimiter {
    /// Waits until a request may go to `ip`: `pause` after the end of each before it, or twice `pause` after the beginning of one
    /// that takes longer than `pause`. So the server sees at least `pause` between two, as long as a request reaches it within
    /// that time.
    pub async fn wait(&self, ip: IpAddr, pause: Duration) -> AddressPermit {
        let address = self.address(ip);
        let next = address.queue.clone().lock_owned().await;
        let mut pace = address.pace.subscribe();
        loop {
            let until = pace.borrow_and_update().next;
            if until <= Instant::now() {
                break;
            }
            // The sender lives as long as `address`.
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                _ = pace.changed() => {}
            }
        }
        AddressPermit { address, pause, _next: next }
    }

    fn address(&self, ip: IpAddr) -> Arc<Address> {
        let mut known = self.known.lock().expect("nothing under this lock panics");
        if known.len() >= MAX_ADDRESSES {
            let now = Instant::now();
            known.retain(|_, address| Arc::strong_count(address) > 1 || address.pace.borrow().next > now);
        }
        let new = || {
            let pace = watch::Sender::new(Pace { next: Instant::now(), last: None });
            Arc::new(Address { queue: Arc::default(), pace })
        };
        known.entry(ip).or_insert_with(new).clone()
    }
}

impl AddressPermit {
    /// The request goes out now.
    #[must_use = "the pause begins when this is dropped"]
    pub fn begin(self) -> ActiveRequest {
        let begun = Instant::now();
        self.address.pace.send_replace(Pace { next: begun + 2 * self.pause, last: Some(begun) });
        ActiveRequest { address: self.address, pause: self.pause, begun }
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let after = Instant::now() + self.pause;
        self.address.pace.send_modify(|pace| {
            let is_last = pace.last == Some(self.begun);
            pace.next = if is_last { after } else { pace.next.max(after) };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(40);

    fn ip(last: u8) -> IpAddr {
        [127, 0, 0, last].into()
    }

    #[tokio::test]
    async fn requests_to_one_address_keep_the_pause_and_others_do_not_wait() {
        let (addresses, zero) = (AddressLimiter::default(), Instant::now());
        drop(addresses.wait(ip(1), PAUSE).await.begin());
        drop(addresses.wait(ip(1), PAUSE).await.begin());
        assert!(zero.elapsed() >= PAUSE);
        // So long that a test which waited for it would be ended.
        const LONG: Duration = Duration::from_secs(600);
        drop(addresses.wait(ip(1), LONG).await.begin());
        drop(addresses.wait(ip(2), LONG).await.begin());
    }

    #[tokio::test]
    async fn a_long_request_holds_others_up_for_no_more_than_twice_the_pause() {
        let (addresses, zero) = (AddressLimiter::default(), Instant::now());
        let long = addresses.wait(ip(1), PAUSE).await.begin();
        let second = addresses.wait(ip(1), PAUSE).await.begin();
        assert!(zero.elapsed() >= 2 * PAUSE);
        drop(long);
        let ended = Instant::now();
        drop(addresses.wait(ip(1), PAUSE).await.begin());
        assert!(ended.elapsed() >= PAUSE, "an end counts whichever request it is of");
        drop(second);
    }

    #[tokio::test]
    async fn who_is_next_starts_when_an_answer_came_early() {
        let addresses = AddressLimiter::default();
        let long_pause = Duration::from_secs(600);
        let first = addresses.wait(ip(1), long_pause).await.begin();
        let next = tokio::spawn({
            let addresses = addresses.clone();
            async move { drop(addresses.wait(ip(1), PAUSE).await) }
        });
        tokio::time::sleep(PAUSE).await;
        assert!(!next.is_finished());
        first.address.pace.send_modify(|pace| pace.next = Instant::now());
        next.await.unwrap();
    }
}
