//! Keys under the hour of their birth, and the removal of whole hours.
//!
//! ```text
//! bodies/2026-11-22-08/<name>      removed when 09:00 of that day is longer ago than asked
//! ```

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tracing::debug;

use crate::error::BlobError;
use crate::store::BlobStore;

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// What a removal took away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RemovalCounts {
    pub blobs: u64,
    pub bytes: u64,
}

/// The key of the blob `name` under `prefix` that is born at `unix_ms`.
#[must_use]
pub fn hourly_key(prefix: &str, unix_ms: u64, name: &str) -> String {
    let seconds = unix_ms / 1000;
    let (year, month, day) = civil(seconds / DAY);
    format!("{prefix}/{year:04}-{month:02}-{day:02}-{:02}/{name}", seconds % DAY / HOUR)
}

impl BlobStore {
    /// Removes what stands under `prefix` by [`hourly_key`] and is older than `age` at the time `now`, in whole hours: what is
    /// removed is at least that old. Folders with other names are left alone.
    ///
    /// # Errors
    /// The store failed; what it had removed is removed.
    pub async fn remove_older(&self, prefix: &str, age: Duration, now: SystemTime) -> Result<RemovalCounts, BlobError> {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let mut removed = RemovalCounts::default();
        for name in self.folders(prefix).await? {
            let Some(begin) = hour_of(&name) else { continue };
            if begin.saturating_add(HOUR).saturating_add(age.as_secs()) > now {
                continue;
            }
            let folder = format!("{prefix}/{name}");
            let blobs = self.list(&folder).await?;
            debug!(folder, blobs = blobs.len(), "old blobs go");
            removed.bytes += blobs.iter().map(|blob| blob.size).sum::<u64>();
            removed.blobs += self.delete_all(blobs).await?;
            self.remove_leavings(&folder).await;
        }
        Ok(removed)
    }

    /// A put that a crash cut off leaves a file that no listing shows; nothing else is in the folder any more.
    async fn remove_leavings(&self, folder: &str) {
        if let (Some(base), Ok(path)) = (&self.folder, self.path(folder)) {
            // It may be gone with its last blob.
            let _ = tokio::fs::remove_dir_all(base.join(path.as_ref())).await;
        }
    }
}

/// Unix seconds of the beginning of the hour that a folder is named after.
fn hour_of(name: &str) -> Option<u64> {
    let mut parts =
        name.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u64>().ok())?);
    let mut next = || parts.next().flatten();
    let (year, month, day, hour) = (next()?, next()?, next()?, next()?);
    let named = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24;
    (named && parts.next().is_none()).then(|| days(year, month, day) * DAY + hour * HOUR)
}

/// Year, month and day of a number of days since 1970 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013,
/// `civil_from_days`, for dates after 1970 only).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

/// The inverse of [`civil`] (`days_from_civil` there).
fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = year - u64::from(month <= 2);
    let (era, of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_reads_back_as_it_was_written() {
        for seconds in [0, 951_782_399, 951_782_400, 1_700_000_000, 1_709_164_800, 4_102_444_799] {
            let key = hourly_key("bodies", seconds * 1000, "x");
            let folder = key.split('/').nth(1).unwrap();
            assert_eq!(hour_of(folder), Some(seconds / HOUR * HOUR), "{key}");
        }
        assert_eq!(hourly_key("b", 1_700_000_000_000, "x"), "b/2023-11-14-22/x");
    }

    #[test]
    fn other_names_are_no_hours() {
        for name in [
            "",
            "2023-11-14",
            "2023-11-14-24",
            "2023-13-01-00",
            "2023-11-14-22-1",
            "+023-11-14-22",
            "p0001",
            "1969-01-01-00",
        ] {
            assert_eq!(hour_of(name), None, "{name}");
        }
    }
}
