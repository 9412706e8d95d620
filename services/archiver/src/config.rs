//! Where archives go, and what their files are like.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gristmill_secrets::Address;
use serde::{Deserialize, Serialize};

/// Where archives go, and what their files are like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ArchiverConfig {
    /// Folder of the archives; with `bucket` only of those that are not finished. Empty: the folder `archive` in the data directory.
    /// Default: `""`.
    pub dir: PathBuf,
    /// `s3://bucket/prefix` for finished archives, reached as `blobs.s3` says. Empty: none. Default: `""`.
    pub bucket: Address,
    /// First part of the names of files: letters, digits, `.`, `_` and `-`. Crawls that share a folder need different ones.
    /// Default: `"gristmill"`.
    pub prefix: String,
    /// Size from which on a file is finished. The last capture is never split. Default: `1000000000` (1 GB).
    pub rotate_bytes: u64,
    /// Longest time that a file is open: what it holds is read again after a crash. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub rotate_after: Duration,
    /// Who runs the crawl, for the first record of each file. Default: `""`.
    pub operator: String,
    /// What the crawl is, likewise. Default: `""`.
    pub description: String,
}

impl Default for ArchiverConfig {
    fn default() -> Self {
        Self {
            dir: PathBuf::new(),
            bucket: Address::default(),
            prefix: "gristmill".into(),
            rotate_bytes: 1_000_000_000,
            rotate_after: Duration::from_secs(3600),
            operator: String::new(),
            description: String::new(),
        }
    }
}

impl ArchiverConfig {
    /// The folder, for a crawl into the data directory `data`.
    #[must_use]
    pub fn folder(&self, data: &Path) -> PathBuf {
        if self.dir.as_os_str().is_empty() { data.join("archive") } else { self.dir.clone() }
    }

    /// Checks the settings, each by itself.
    ///
    /// # Errors
    /// The first that cannot work, by its key.
    pub fn check(&self) -> anyhow::Result<()> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        anyhow::ensure!(
            !self.prefix.is_empty() && self.prefix.len() <= 100 && self.prefix.chars().all(is_plain),
            "`archiver.prefix`: `{}` is not of 1 to 100 letters, digits, `.`, `_` and `-`",
            self.prefix
        );
        anyhow::ensure!(self.rotate_bytes > 0, "`archiver.rotate_bytes` must be at least 1");
        anyhow::ensure!(!self.rotate_after.is_zero(), "`archiver.rotate_after` must be longer than 0s");
        anyhow::ensure!(
            self.bucket.is_empty() || self.bucket.reveal().starts_with("s3://"),
            "`archiver.bucket`: `{}` is not `s3://bucket/prefix`",
            self.bucket
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_cannot_work_are_refused_with_their_key() {
        let fine = ArchiverConfig::default();
        assert!(fine.check().is_ok());
        for (config, key) in [
            (ArchiverConfig { prefix: "a/b".into(), ..fine.clone() }, "archiver.prefix"),
            (ArchiverConfig { rotate_bytes: 0, ..fine.clone() }, "archiver.rotate_bytes"),
            (ArchiverConfig { rotate_after: Duration::ZERO, ..fine.clone() }, "archiver.rotate_after"),
            (ArchiverConfig { bucket: "b".into(), ..fine.clone() }, "archiver.bucket"),
        ] {
            assert!(config.check().unwrap_err().to_string().contains(key), "{key}");
        }
    }

    #[test]
    fn archives_are_in_the_data_directory_unless_told_otherwise() {
        let config = ArchiverConfig::default();
        assert_eq!(config.folder(Path::new("data")), Path::new("data/archive"));
        assert_eq!(ArchiverConfig { dir: "a".into(), ..config }.folder(Path::new("data")), Path::new("a"));
    }
}
