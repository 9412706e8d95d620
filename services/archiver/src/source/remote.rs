//! Archives over the network, read as if they were files: what breaks off is asked for again from the byte where it stopped.
//!
//! Every answer must be of the version of the first one, by its ETag (or else date) and length. So a file that changes while it is
//! read is an error and never a mixture.

use std::fmt;
use std::io::{self, Read};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use gristmill_blobs::{BlobDownload, BlobError, BlobStore};
use gristmill_fetch::{Client, FetchError, Retry, StreamedResponse, retry_after};
use tokio::runtime::Handle;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// Redirects that are followed, each past the address guard.
const MAX_HOPS: usize = 10;
/// Tries in a row without [`PROGRESS`] before it is given up.
const MAX_TRIES: u32 = 8;
/// The same while nothing has come at all: more likely a wrong address than a bad line.
const FIRST_TRIES: u32 = 3;
/// Bytes after which the tries count anew.
const PROGRESS: u64 = 1 << 20;
/// First and longest pause before the next try.
const BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(10);
/// Longest pause that a server may ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);

/// How a ZIP begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// Where an archive is.
pub enum ArchiveLocation {
    Web(Client, Url),
    Bucket(BlobStore, String),
}

/// The archive is not the one that was read before.
#[derive(Debug)]
pub struct ArchiveChanged;

impl fmt::Display for ArchiveChanged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not the file any more that was read before (other ETag, date or length)")
    }
}

impl std::error::Error for ArchiveChanged {}

/// By what a version is known.
#[derive(Clone, PartialEq, Eq)]
struct Version {
    /// ETag, or else the date of the last change.
    tag: Option<String>,
    length: Option<u64>,
}

impl Version {
    /// A number that stands for it; none if nothing is known.
    fn key(&self) -> Option<u64> {
        let known = self.tag.is_some() || self.length.is_some();
        known.then(|| xxh3_64(format!("{:?} {:?}", self.tag, self.length).as_bytes()))
    }
}

/// A body that is coming.
enum Body {
    Web(Box<StreamedResponse>),
    Bucket(BlobDownload),
    /// There is nothing behind the place that was asked for.
    End,
}

/// An answer, judged.
struct Answer {
    body: Body,
    version: Version,
    /// Bytes that come before the place that was asked for: the server knows no ranges.
    before: u64,
}

/// Why there is no answer, and whether the same may succeed later.
type Failure = (anyhow::Error, Again);

#[derive(Clone, Copy)]
enum Again {
    Never,
    /// After the usual pause, or the one that the server asks for.
    After(Option<Duration>),
}

/// The bytes of a remote archive.
pub struct RemoteArchive {
    origin: ArchiveLocation,
    runtime: Handle,
    version: Version,
    body: Option<Body>,
    piece: Bytes,
    /// Bytes still to be passed over.
    skip: u64,
    /// Behind the last piece that was taken.
    offset: u64,
    tries: u32,
    /// Offset from which on the tries count anew.
    progress_at: u64,
}

impl RemoteArchive {
    /// Asks for the bytes from `offset` on, of this version if one is named. Blocks.
    ///
    /// # Errors
    /// No answer, a status that is none of success, or another version ([`ArchiveChanged`]).
    pub fn open(
        origin: ArchiveLocation,
        runtime: Handle,
        offset: u64,
        version: Option<u64>,
    ) -> anyhow::Result<RemoteArchive> {
        let mut remote = RemoteArchive {
            origin,
            runtime,
            version: Version { tag: None, length: None },
            body: None,
            piece: Bytes::new(),
            skip: 0,
            offset,
            tries: 0,
            progress_at: 0,
        };
        let runtime = remote.runtime.clone();
        runtime.block_on(remote.begin(version))?;
        Ok(remote)
    }

    /// Its length in bytes, if the server tells.
    pub fn length(&self) -> Option<u64> {
        self.version.length
    }

    /// Which version it is, if the server tells.
    pub fn version(&self) -> Option<u64> {
        self.version.key()
    }

    /// Whether it begins as a ZIP does; known from its first byte on.
    pub fn is_zip(&self) -> bool {
        self.piece.starts_with(ZIP)
    }

    /// Whether the server began where it was asked to.
    pub fn has_ranges(&self) -> bool {
        self.skip == 0
    }

    async fn begin(&mut self, version: Option<u64>) -> anyhow::Result<()> {
        let answer = loop {
            match self.ask().await {
                Ok(answer) => break answer,
                Err(failure) => self.pause(failure, FIRST_TRIES).await?,
            }
        };
        self.version = answer.version.clone();
        if version.is_some() && self.version.key() != version {
            return Err(ArchiveChanged.into());
        }
        self.take(answer);
        if self.offset == 0 {
            let mut first = BytesMut::new();
            while first.len() < ZIP.len()
                && let Some(piece) = self.next().await?
            {
                first.extend_from_slice(&piece);
            }
            self.piece = first.freeze();
        }
        Ok(())
    }

    fn take(&mut self, answer: Answer) {
        self.skip = answer.before;
        self.body = Some(answer.body);
    }

    /// Asks for all from the present place on.
    async fn ask(&self) -> Result<Answer, Failure> {
        match &self.origin {
            ArchiveLocation::Web(client, url) => ask_web(client, url, self.offset, self.version.tag.as_deref()).await,
            ArchiveLocation::Bucket(store, key) => {
                let download = store.download_from(key, self.offset).await;
                // The client of buckets has tried several times itself.
                let download = download.map_err(|error| (of_bucket(error), Again::Never))?;
                let version = Version { tag: download.version().map(str::to_owned), length: Some(download.size()) };
                Ok(Answer { body: Body::Bucket(download), version, before: 0 })
            }
        }
    }

    /// The next piece that has bytes; none at the end.
    async fn next(&mut self) -> anyhow::Result<Option<Bytes>> {
        loop {
            let failure = match self.step().await {
                Ok(piece) => return Ok(piece),
                Err(failure) => failure,
            };
            self.body = None;
            if self.offset >= self.progress_at {
                (self.tries, self.progress_at) = (0, self.offset + PROGRESS);
            }
            self.pause(failure, MAX_TRIES).await?;
        }
    }

    async fn step(&mut self) -> Result<Option<Bytes>, Failure> {
        if self.body.is_none() {
            let answer = self.ask().await?;
            if answer.version != self.version {
                return Err((ArchiveChanged.into(), Again::Never));
            }
            if self.version.key().is_none() {
                let error = anyhow::anyhow!(
                    "the connection broke, and the server names neither version nor length to go on by"
                );
                return Err((error, Again::Never));
            }
            self.take(answer);
        }
        loop {
            let piece = match self.body.as_mut().unwrap_or(&mut Body::End) {
                Body::Web(download) => download.next().await.map_err(fault)?,
                Body::Bucket(download) => download.next().await.map_err(|error| (error.into(), Again::After(None)))?,
                Body::End => None,
            };
            let Some(mut piece) = piece else {
                return match self.version.length.filter(|length| self.offset < *length) {
                    Some(length) => {
                        let error = anyhow::anyhow!("it broke off at byte {} of {length}", self.offset);
                        Err((error, Again::After(None)))
                    }
                    None => Ok(None),
                };
            };
            let passed = self.skip.min(piece.len() as u64);
            piece.advance(passed as usize);
            self.skip -= passed;
            if !piece.is_empty() {
                self.offset += piece.len() as u64;
                return Ok(Some(piece));
            }
        }
    }

    /// Waits before the next try.
    ///
    /// # Errors
    /// The failure itself, when another try is of no use or there were `limit`.
    async fn pause(&mut self, (error, again): Failure, limit: u32) -> anyhow::Result<()> {
        let Again::After(asked) = again else { return Err(error) };
        self.tries += 1;
        if self.tries >= limit {
            let tries = self.tries;
            return Err(error.context(format!("given up after {tries} tries in a row")));
        }
        let usual = (BACKOFF * 2u32.pow(self.tries - 1)).min(MAX_BACKOFF);
        tracing::info!(error = format!("{error:#}"), offset = self.offset, tries = self.tries, "asked for again");
        tokio::time::sleep(asked.unwrap_or(usual).max(usual)).await;
        Ok(())
    }
}

impl Read for RemoteArchive {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            let runtime = self.runtime.clone();
            let piece = runtime.block_on(self.next()).map_err(|error| io::Error::other(format!("{error:#}")))?;
            let Some(piece) = piece else { return Ok(0) };
            self.piece = piece;
        }
        let n = buffer.len().min(self.piece.len());
        self.piece.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}

async fn ask_web(client: &Client, url: &Url, offset: u64, tag: Option<&str>) -> Result<Answer, Failure> {
    let mut url = url.clone();
    for _ in 0..=MAX_HOPS {
        let download = client.download(&url, offset, tag).await.map_err(fault)?;
        if let Some(target) = download.redirect_target() {
            url = target;
            continue;
        }
        let headers = &download.headers;
        let tag = headers.etag.clone().or_else(|| headers.last_modified.clone());
        let version = Version { tag, length: download.length };
        let before = offset - download.start.min(offset);
        return match download.status {
            200 | 206 => Ok(Answer { body: Body::Web(Box::new(download)), version, before }),
            // Nothing stands behind the end.
            416 if download.length == Some(offset) => Ok(Answer { body: Body::End, version, before: 0 }),
            status => Err(answered(status, headers.retry_after.as_deref())),
        };
    }
    Err((anyhow::anyhow!("more than {MAX_HOPS} redirects"), Again::Never))
}

fn answered(status: u16, wait: Option<&str>) -> Failure {
    let what = match status {
        401 | 403 | 407 => "it refuses to give this file; check the address, and whether it needs credentials",
        404 | 410 => "it has no such file; check the address",
        429 | 503 => "it is too busy",
        _ => "which is neither the file nor a part of it",
    };
    let error = anyhow::anyhow!("the server answered with status {status}: {what}");
    let wait = wait.and_then(|value| retry_after(value, std::time::SystemTime::now(), MAX_RETRY_AFTER));
    let passes = matches!(status, 408 | 429 | 500 | 502 | 503 | 504);
    (error, if passes { Again::After(wait) } else { Again::Never })
}

fn fault(error: FetchError) -> Failure {
    let again = if error.retry() == Retry::Never { Again::Never } else { Again::After(None) };
    (error.into(), again)
}

/// What a bucket says, on one line.
pub fn of_bucket(error: BlobError) -> anyhow::Error {
    let refused = error.is_refused();
    let told = format!("{:#}", anyhow::Error::from(error)).split_whitespace().collect::<Vec<_>>().join(" ");
    match refused {
        true => anyhow::anyhow!(
            "{told}: check `blobs.s3.access_key` and `blobs.s3.secret_key` (or `AWS_ACCESS_KEY_ID` and so on); \
             a public bucket takes `AWS_SKIP_SIGNATURE=true`"
        ),
        false => anyhow::anyhow!("{told}"),
    }
}
