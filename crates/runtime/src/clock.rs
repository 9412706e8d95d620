//! The wall clock as messages and the frontier count it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in Unix milliseconds.
pub fn now_ms() -> u64 {
    unix_ms(SystemTime::now())
}

/// Unix milliseconds of `time`; 0 for times before 1970.
pub fn unix_ms(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}
