//! Where large byte strings go: which store, what goes there instead of into the log, and for how long.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use gristmill_blobs::{BlobError, BlobStore, RemovalCounts, S3};
use gristmill_log::{LogConfig, LogEngine, LogError, ProducerRecord};
use gristmill_secrets::{Address, Secret};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use tracing::warn;

/// Folder of the bodies of pages in the store.
pub const BODIES: &str = "bodies";

/// Folder of the bodies of captures.
pub const CAPTURES: &str = "captures";

/// Bytes of a page record besides its body: URL, headers, anchor text.
const RECORD_OVERHEAD: usize = 64 << 10;

/// The smallest limit that holds all else that travels: a robots.txt of 500 KiB in its outcome.
const SMALLEST_RECORD: usize = 640 << 10;

/// First and longest pause before the store is asked again.
const BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(10);

/// Where large byte strings go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BlobsConfig {
    /// `file:///folder`, which all services must see, or `s3://bucket/prefix`, which needs the cargo feature `s3`. Empty: the
    /// folder `blobs` in the data directory with the embedded log, none on Kafka. Default: `""`.
    pub url: Address,
    /// Largest body of a page, as it is carried, that travels in its record; larger ones go to the store.
    /// Default: `1048576` (1 MiB).
    pub inline_limit: usize,
    /// How long a body stays in the store. On Kafka longer than `log.kafka.retention`. With the embedded log a body goes as soon
    /// as it is read, and this is for what a crash left. Default: `8days`.
    #[serde(with = "humantime_serde")]
    pub keep: Duration,
    pub s3: S3Config,
}

impl Default for BlobsConfig {
    fn default() -> Self {
        let keep = Duration::from_secs(8 * 24 * 3600);
        Self { url: Address::default(), inline_limit: 1 << 20, keep, s3: S3Config::default() }
    }
}

/// How the bucket of `blobs.url` is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3Config {
    /// `https://host` or `http://host:port`. Empty: Amazon's own of the region. Default: `""`.
    pub endpoint: Address,
    /// Empty: as `AWS_REGION` says, else `us-east-1`. Default: `""`.
    pub region: String,
    /// Empty: as `AWS_ACCESS_KEY_ID` says, else what the machine or its service account is given; never shown.
    /// Default: `""`.
    pub access_key: Secret,
    /// Belongs to `access_key`; never shown. Default: `""`.
    pub secret_key: Secret,
    /// Of credentials that end; never shown. Default: `""`.
    pub session_token: Secret,
    /// Whether the bucket stands in the host name instead of the path. Default: `false`.
    pub virtual_host: bool,
}

/// When a body may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lifetime {
    /// As soon as its reader has committed past its record: the log forgets the record then, too.
    UntilRead,
    /// After a time: the log keeps the page for less.
    Aged,
}

/// The store as the services see it. Clones are the same store.
#[derive(Debug, Clone)]
pub struct Blobs {
    store: Option<BlobStore>,
    inline_limit: usize,
    max_record_bytes: usize,
    keep: Duration,
    lifetime: Lifetime,
}

impl Blobs {
    /// Opens the store that `config` names, for services over the log of `log` and with the data directory `data`.
    ///
    /// # Errors
    /// A setting that breaks a rule, or a folder that cannot be made. A bucket is not asked.
    pub fn open(data: &Path, config: &BlobsConfig, log: &LogConfig) -> anyhow::Result<Self> {
        let on_kafka = log.engine == LogEngine::Kafka;
        let store = match config.place(data, on_kafka)? {
            None => None,
            Some(Place::Folder(folder)) => Some(BlobStore::local(&folder)),
            Some(Place::Bucket(s3)) => Some(BlobStore::s3(&s3)),
        };
        // Corpora that share brokers may share a store: each has its own folder, named as its topics are.
        let folder = if on_kafka { log.kafka.topic_prefix.as_str() } else { "" };
        let store = store.transpose().and_then(|store| store.map(|store| store.below(folder)).transpose());
        let store = store.context("could not open the blob store")?;
        config.check_limits(store.is_some(), log)?;
        let (inline_limit, max_record_bytes) = (config.inline_limit, log.max_record_bytes);
        let lifetime = if on_kafka { Lifetime::Aged } else { Lifetime::UntilRead };
        Ok(Self { store, inline_limit, max_record_bytes, keep: config.keep, lifetime })
    }

    /// Checks that a body of `max_wire_bytes`, the largest that is fetched, can be carried.
    ///
    /// # Errors
    /// Without a store it must fit into one record of the log.
    pub fn check_carries(&self, max_wire_bytes: usize) -> anyhow::Result<()> {
        carries(self.store.is_some(), self.max_record_bytes, max_wire_bytes)
    }

    /// Whether the log takes `record`.
    ///
    /// # Errors
    /// The reason why not, with the setting.
    pub fn check_record(&self, record: &ProducerRecord) -> Result<(), LogError> {
        let (size, limit) = (record.key.len() + record.payload.len(), self.max_record_bytes);
        if size > limit {
            return Err(LogError::TooLarge { topic: record.topic.to_owned(), size, limit });
        }
        Ok(())
    }

    /// Most bytes of a body that can be carried, with the few that stand beside it.
    pub fn largest_body(&self) -> usize {
        if self.store.is_some() { usize::MAX } else { self.max_record_bytes.saturating_sub(RECORD_OVERHEAD) }
    }

    /// The store, if there is one.
    pub fn store(&self) -> Option<&BlobStore> {
        self.store.as_ref()
    }

    /// The store, if a body of `size` bytes goes there.
    pub fn store_for(&self, size: usize) -> Option<&BlobStore> {
        self.store.as_ref().filter(|_| size > self.inline_limit)
    }

    /// Deletes bodies whose readers have committed past their records, where the log has forgotten the records too.
    /// What cannot be deleted now is collected later.
    pub async fn forget(&self, keys: &[String]) {
        let Some(store) = self.store.as_ref().filter(|_| self.lifetime == Lifetime::UntilRead) else { return };
        for key in keys {
            if let Err(error) = store.delete(key).await {
                warn!(
                    error = format!("{:#}", anyhow::Error::new(error)),
                    key, "a body that was read could not be deleted"
                );
            }
        }
    }

    /// Removes bodies in `folder` that nobody can ask for any more: older than the records that may name them. `waiting` says
    /// whether such records wait; the embedded log keeps those however old they are, so nothing goes while there are any.
    ///
    /// # Errors
    /// The store failed.
    pub async fn collect(&self, folder: &str, waiting: bool, now: SystemTime) -> Result<RemovalCounts, BlobError> {
        match &self.store {
            Some(store) if self.lifetime == Lifetime::Aged || !waiting => {
                store.remove_older(folder, self.keep, now).await
            }
            _ => Ok(RemovalCounts::default()),
        }
    }
}

/// Asks a store until it answers, with growing pauses: nothing is given up because it is away. `None` once `until` is cancelled.
///
/// # Errors
/// An answer that would be the same again, such as [`BlobError::Missing`].
pub async fn persist<T, F>(until: &CancellationToken, ask: impl Fn() -> F) -> Result<Option<T>, BlobError>
where
    F: Future<Output = Result<T, BlobError>>,
{
    let mut pause = BACKOFF;
    loop {
        match ask().await {
            Err(error) if error.passes() => {
                warn!(error = format!("{:#}", anyhow::Error::new(error)), retry_in = ?pause, "the blob store failed");
            }
            answer => return answer.map(Some),
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => pause = (pause * 2).min(MAX_BACKOFF),
            () = until.cancelled() => return Ok(None),
        }
    }
}

/// What a URL names.
enum Place {
    Folder(PathBuf),
    Bucket(S3),
}

/// Checks that a body of `max_wire_bytes` finds room in a store or in a record.
fn carries(has_store: bool, record: usize, max_wire_bytes: usize) -> anyhow::Result<()> {
    anyhow::ensure!(
        has_store || record >= max_wire_bytes.saturating_add(RECORD_OVERHEAD),
        "`log.max_record_bytes` ({record}) must be at least `fetch.max_wire_bytes` ({max_wire_bytes}) + {RECORD_OVERHEAD}, \
         or `blobs.url` must say where larger bodies go"
    );
    Ok(())
}

impl BlobsConfig {
    /// Checks what [`Blobs::open`] and [`Blobs::check_carries`] would refuse, and opens nothing.
    ///
    /// # Errors
    /// A setting that breaks a rule.
    pub fn check(&self, data: &Path, log: &LogConfig, max_wire_bytes: usize) -> anyhow::Result<()> {
        let has_store = self.place(data, log.engine == LogEngine::Kafka)?.is_some();
        self.check_limits(has_store, log)?;
        carries(has_store, log.max_record_bytes, max_wire_bytes)
    }

    fn check_limits(&self, has_store: bool, log: &LogConfig) -> anyhow::Result<()> {
        let on_kafka = log.engine == LogEngine::Kafka;
        let (inline_limit, max_record_bytes) = (self.inline_limit, log.max_record_bytes);
        anyhow::ensure!(
            !on_kafka || !has_store || self.keep > log.kafka.retention,
            "`blobs.keep` ({:?}) must be longer than `log.kafka.retention` ({:?}), since a page may be read for as long",
            self.keep,
            log.kafka.retention
        );
        anyhow::ensure!(
            !has_store || max_record_bytes >= inline_limit.saturating_add(RECORD_OVERHEAD),
            "`log.max_record_bytes` ({max_record_bytes}) must be at least `blobs.inline_limit` ({inline_limit}) + {RECORD_OVERHEAD}"
        );
        anyhow::ensure!(
            max_record_bytes >= SMALLEST_RECORD,
            "`log.max_record_bytes` ({max_record_bytes}) must be at least {SMALLEST_RECORD}, since robots.txt files travel in one record"
        );
        Ok(())
    }

    fn place(&self, data: &Path, on_kafka: bool) -> anyhow::Result<Option<Place>> {
        if self.url.is_empty() {
            return Ok((!on_kafka).then(|| Place::Folder(data.join("blobs"))));
        }
        if let Some(path) = self.url.reveal().strip_prefix("file://") {
            anyhow::ensure!(path.starts_with('/'), "`blobs.url`: `{}` names no folder from the root on", self.url);
            return Ok(Some(Place::Folder(path.into())));
        }
        let Some(s3) = self.s3.named(self.url.reveal()) else {
            anyhow::bail!("`blobs.url`: `{}` is neither `file:///folder` nor `s3://bucket/prefix`", self.url);
        };
        Ok(Some(Place::Bucket(s3)))
    }
}

impl S3Config {
    /// The store that `s3://bucket/prefix` names; `None` for another URL. Nothing is asked of it yet.
    ///
    /// # Errors
    /// As [`BlobStore::s3`].
    pub fn store(&self, url: &str) -> Result<Option<BlobStore>, BlobError> {
        self.named(url).map(|s3| BlobStore::s3(&s3)).transpose()
    }

    fn named(&self, url: &str) -> Option<S3> {
        let rest = url.strip_prefix("s3://")?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        Some(self.of_bucket(bucket, prefix.trim_end_matches('/')))
    }

    /// Another bucket, reached in the same way.
    pub fn of_bucket(&self, bucket: &str, prefix: &str) -> S3 {
        S3 {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            endpoint: self.endpoint.reveal().to_owned(),
            region: self.region.clone(),
            access_key: self.access_key.reveal().to_owned(),
            secret_key: self.secret_key.reveal().to_owned(),
            session_token: self.session_token.reveal().to_owned(),
            virtual_host: self.virtual_host,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn kafka() -> LogConfig {
        LogConfig { engine: LogEngine::Kafka, ..LogConfig::default() }
    }

    fn refused(config: &BlobsConfig, log: &LogConfig) -> String {
        format!("{:#}", Blobs::open(Path::new("/nowhere"), config, log).unwrap_err())
    }

    #[test]
    fn one_machine_has_a_store_by_itself_and_brokers_need_one_named() {
        let dir = tempfile::tempdir().unwrap();
        let config = BlobsConfig::default();
        let alone = Blobs::open(dir.path(), &config, &LogConfig::default()).unwrap();
        assert!(alone.store_for(config.inline_limit).is_none() && alone.store_for(config.inline_limit + 1).is_some());
        assert!(dir.path().join("blobs").is_dir());
        let shared = Blobs::open(dir.path(), &config, &kafka()).unwrap();
        assert!(shared.store().is_none());
        assert!(shared.check_carries(10 << 20).is_ok());
        let told = shared.check_carries(16 << 20).unwrap_err().to_string();
        assert!(told.contains("blobs.url") && told.contains("log.max_record_bytes"), "{told}");
        assert!(alone.check_carries(1 << 30).is_ok());
    }

    #[test]
    fn settings_that_would_lose_bodies_are_refused_with_their_keys() {
        let at = |url: &str| BlobsConfig { url: url.into(), ..BlobsConfig::default() };
        for url in ["blobs", "ftp://x/y", "file://blobs"] {
            assert!(refused(&at(url), &kafka()).contains("`blobs.url`"), "{url}");
        }
        let dir = tempfile::tempdir().unwrap();
        let url = format!("file://{}", dir.path().display());
        let short = BlobsConfig { keep: Duration::from_secs(3600), ..at(&url) };
        assert!(refused(&short, &kafka()).contains("log.kafka.retention"));
        assert!(Blobs::open(dir.path(), &short, &LogConfig::default()).is_ok(), "the embedded log keeps no time");
        let large = BlobsConfig { inline_limit: 16 << 20, ..at(&url) };
        assert!(refused(&large, &LogConfig::default()).contains("blobs.inline_limit"));
        let narrow = LogConfig { max_record_bytes: 500 << 10, ..LogConfig::default() };
        assert!(refused(&BlobsConfig { inline_limit: 1000, ..at(&url) }, &narrow).contains("robots.txt"));
    }

    #[test]
    fn secrets_of_a_bucket_show_nowhere() {
        let text = "url = \"s3://b/p\"\n[s3]\naccess_key = \"hunter3\"\nsecret_key = \"hunter2\"\nsession_token = \"swordfish\"\n";
        let config: BlobsConfig = toml::from_str(text).unwrap();
        let shown = format!("{config:?} {}", toml::to_string(&config).unwrap());
        assert!(!shown.contains("hunter") && !shown.contains("swordfish") && shown.contains("***"), "{shown}");
    }

    #[tokio::test]
    async fn nothing_is_collected_that_the_embedded_log_may_still_name() {
        let dir = tempfile::tempdir().unwrap();
        let alone = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
        let key = gristmill_blobs::hourly_key(BODIES, 0, "x");
        alone.store().unwrap().put(&key, vec![1; 10].into()).await.unwrap();
        let now = SystemTime::now();
        assert_eq!(alone.collect(BODIES, true, now).await.unwrap(), RemovalCounts::default());
        assert_eq!(alone.collect(BODIES, false, now).await.unwrap(), RemovalCounts { blobs: 1, bytes: 10 });
    }

    #[tokio::test]
    async fn a_store_that_is_away_is_asked_again_and_one_that_says_no_is_not() {
        let (asked, until) = (AtomicU32::new(0), CancellationToken::new());
        let away = || BlobError::Store { doing: "get", key: "k".into(), source: "away".into() };
        let answer =
            persist(&until, || async { if asked.fetch_add(1, Ordering::Relaxed) < 2 { Err(away()) } else { Ok(7) } });
        assert_eq!((answer.await.unwrap(), asked.load(Ordering::Relaxed)), (Some(7), 3));
        let missing = persist(&until, || async { Err::<(), _>(BlobError::Missing { key: "k".into() }) }).await;
        assert!(matches!(missing, Err(BlobError::Missing { .. })));
        until.cancel();
        assert!(persist(&until, || async { Err::<(), _>(away()) }).await.unwrap().is_none());
    }
}
