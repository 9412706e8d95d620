//! How many requests a host gets in a minute, whichever pages make them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Hosts that are counted at a time.
const MAX_HOSTS: usize = 10_000;
const MINUTE: Duration = Duration::from_secs(60);

/// Requests by host in the minute that runs.
pub(crate) struct HostRateLimiter {
    limit: u32,
    hosts: HashMap<String, (Instant, u32)>,
}

impl HostRateLimiter {
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit, hosts: HashMap::new() }
    }

    /// Counts a request at `now`, unless the host has had all that it gets.
    pub(crate) fn take(&mut self, host: &str, now: Instant) -> bool {
        if let Some((since, n)) = self.hosts.get_mut(host) {
            if now.duration_since(*since) >= MINUTE {
                (*since, *n) = (now, 0);
            }
            *n += 1;
            return *n <= self.limit;
        }
        if self.hosts.len() >= MAX_HOSTS {
            self.hosts.retain(|_, (since, _)| now.duration_since(*since) < MINUTE);
        }
        if self.hosts.len() >= MAX_HOSTS {
            // So many within a minute: nobody else gets any.
            return false;
        }
        self.hosts.insert(host.to_owned(), (now, 1));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_gets_its_number_and_again_in_the_next_minute() {
        let (mut minutes, now) = (HostRateLimiter::new(2), Instant::now());
        let taken: Vec<bool> = (0..3).map(|_| minutes.take("a.test", now)).collect();
        assert_eq!(taken, [true, true, false]);
        assert!(minutes.take("b.test", now));
        assert!(minutes.take("a.test", now + MINUTE));
    }
}
