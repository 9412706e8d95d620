//! Settings of the doors.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which doors `gristmill serve` has, and how much crawling they may start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DoorsConfig {
    /// Speaks the Model Context Protocol at `/mcp`. Default: false.
    pub mcp: bool,
    /// Speaks version 2 of Firecrawl's API below `/v2`. Default: false.
    pub firecrawl: bool,
    /// Crawls of clients at once; more are refused. Default: 2.
    pub max_crawls: usize,
    /// Most pages of one of them. Default: 1000.
    pub max_pages: u64,
    /// Longest time of one of them; what it has by then is its result. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub time_limit: Duration,
    /// How long the results of Firecrawl's crawls are kept, in `crawls` of the data directory. Default: `1day`.
    #[serde(with = "humantime_serde")]
    pub keep: Duration,
}

impl Default for DoorsConfig {
    fn default() -> Self {
        Self {
            mcp: false,
            firecrawl: false,
            max_crawls: 2,
            max_pages: 1000,
            time_limit: Duration::from_secs(3600),
            keep: Duration::from_secs(24 * 3600),
        }
    }
}

impl DoorsConfig {
    /// Checks the rules between settings.
    ///
    /// # Errors
    /// The first one that is broken, naming the key.
    pub fn check(&self) -> Result<(), String> {
        for (key, is_zero) in [
            ("max_crawls", self.max_crawls == 0),
            ("max_pages", self.max_pages == 0),
            ("time_limit", self.time_limit.is_zero()),
            ("keep", self.keep.is_zero()),
        ] {
            if is_zero {
                return Err(format!("`doors.{key}` must be more than 0"));
            }
        }
        Ok(())
    }
}
