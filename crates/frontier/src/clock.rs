//! The frontier's own time, which goes on where the caller's clock is set back.

/// Smaller steps back, in milliseconds, are two threads that asked the clock in the other order.
const JITTER: u64 = 1_000;

/// Unix milliseconds that never go back.
///
/// All stored times are of this clock. When the caller's clock is set back, by an operator or between two machines, its distance
/// is remembered: pauses and retries keep their lengths, where else a site would be left alone until the old time comes again.
#[derive(Debug, Default)]
pub(crate) struct MonotonicClock {
    /// The latest time told.
    pub(crate) now: u64,
    /// By how much the caller's clock is behind.
    behind: u64,
}

impl MonotonicClock {
    /// A clock that goes on at `latest`.
    pub(crate) fn after(latest: u64) -> Self {
        Self { now: latest, behind: 0 }
    }

    /// The time now, when the caller's clock shows `caller`.
    pub(crate) fn tell(&mut self, caller: u64) -> u64 {
        if self.own(caller).saturating_add(JITTER) < self.now {
            self.behind = self.now - caller;
        }
        self.now = self.now.max(self.own(caller));
        self.now
    }

    /// A time of the caller's clock in this one's.
    pub(crate) fn own(&self, caller: u64) -> u64 {
        caller.saturating_add(self.behind)
    }

    /// A moment of the caller's clock that has passed, in this one's. Whoever noted it may have done so before the clock was set
    /// back, so it counts as now where it would lie ahead.
    pub(crate) fn past(&self, caller: u64) -> u64 {
        self.own(caller).min(self.now)
    }

    /// A time of this clock in the caller's.
    pub(crate) fn callers(&self, own: u64) -> u64 {
        own.saturating_sub(self.behind)
    }

    pub(crate) fn behind(&self) -> u64 {
        self.behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_after_a_step_back_and_ahead() {
        let mut clock = MonotonicClock::after(1_000_000);
        assert_eq!(clock.tell(1_000_500), 1_000_500);
        assert_eq!((clock.tell(999_900), clock.behind()), (1_000_500, 0), "jitter");
        assert_eq!((clock.tell(700_500), clock.behind()), (1_000_500, 300_000));
        assert_eq!((clock.tell(701_000), clock.callers(1_001_000)), (1_001_000, 701_000));
        assert_eq!(clock.tell(1_001_000), 1_301_000, "set right again");
        assert_eq!((clock.tell(5), clock.tell(6)), (1_301_000, 1_301_001));
        assert_eq!((clock.past(5), clock.past(1_301_000)), (1_301_000, 1_301_001), "noted before the step");
    }
}
