//! The end of a search's time, looked at now and then.

use std::time::Instant;

/// Steps between two looks at the clock.
const STRIDE: u32 = 1024;

/// Whether a search may go on.
pub(crate) struct SearchDeadline {
    deadline: Option<Instant>,
    steps: u32,
    is_over: bool,
}

impl SearchDeadline {
    pub(crate) fn new(deadline: Option<Instant>) -> Self {
        Self { deadline, steps: 0, is_over: false }
    }

    /// Counts so much work, and says whether the time is over.
    pub(crate) fn tick(&mut self, steps: u32) -> bool {
        self.steps += steps;
        if self.steps >= STRIDE {
            self.steps = 0;
            self.is_over |= self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        }
        self.is_over
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}
