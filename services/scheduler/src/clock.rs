//! Watches the system's clock for steps, so that a log tells why times in it jump.

use std::time::Instant;

/// Smaller steps, in milliseconds, are corrections that nobody would look for.
const TOLERANCE: u64 = 2_000;

/// A jump of the clock, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClockJump {
    /// Also against the run before, or the machine that had the frontier before.
    Back(u64),
    /// Or the machine slept.
    Ahead(u64),
}

/// What the clock showed last.
#[derive(Debug, Default)]
pub(crate) struct ClockMonitor {
    last: Option<(u64, Instant)>,
    behind: u64,
}

impl ClockMonitor {
    /// Looks at the clock, which shows `now` in Unix milliseconds at `at`; `behind` is how far the frontier says that it is behind.
    pub(crate) fn look(&mut self, now: u64, at: Instant, behind: u64) -> Option<ClockJump> {
        let back = behind.saturating_sub(std::mem::replace(&mut self.behind, behind));
        let last = self.last.replace((now, at));
        let expected = last.map(|(then, since)| then + at.saturating_duration_since(since).as_millis() as u64);
        let ahead = expected.map_or(0, |expected| now.saturating_sub(expected));
        match (back > TOLERANCE, ahead > TOLERANCE) {
            (true, _) => Some(ClockJump::Back(back)),
            (_, true) => Some(ClockJump::Ahead(ahead)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_step_of_the_clock_is_told_once_and_its_going_on_never() {
        let (mut watch, zero) = (ClockMonitor::default(), Instant::now());
        let at = |seconds| zero + Duration::from_secs(seconds);
        assert_eq!(watch.look(5_000_000, at(0), 0), None);
        assert_eq!(watch.look(5_060_500, at(60), 0), None);
        assert_eq!(watch.look(4_761_000, at(61), 300_000), Some(ClockJump::Back(300_000)));
        assert_eq!(watch.look(4_762_000, at(62), 300_000), None);
        assert_eq!(watch.look(8_363_000, at(63), 300_000), Some(ClockJump::Ahead(3_600_000)));
        assert_eq!(watch.look(8_364_000, at(64), 300_000), None);
        let mut restarted = ClockMonitor::default();
        assert_eq!(
            restarted.look(4_000_000, at(64), 1_000_000),
            Some(ClockJump::Back(1_000_000)),
            "since the run before"
        );
    }
}
