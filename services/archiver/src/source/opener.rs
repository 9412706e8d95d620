//! The ways to the bytes of archives: files, standard input, web servers, buckets.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use anyhow::Context;
use gristmill_blobs::BlobStore;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_runtime::blobs::S3Config;
use gristmill_warc::ArchiveStream;
use tokio::runtime::Handle;
use url::Url;

use super::inputs::{ArchiveInput, ENDINGS};
use super::remote::{ArchiveLocation, RemoteArchive, of_bucket};
use super::remote_zip::RemoteZip;

/// Opens archives wherever they are. Blocks: not for async threads.
pub struct ArchiveOpener {
    runtime: Handle,
    fetch: FetchConfig,
    s3: S3Config,
}

impl ArchiveOpener {
    /// Network traffic runs on `runtime`.
    pub fn new(fetch: FetchConfig, s3: S3Config, runtime: Handle) -> ArchiveOpener {
        ArchiveOpener { runtime, fetch, s3 }
    }

    /// The bytes of an archive from `offset` on, of this version if one is named.
    ///
    /// # Errors
    /// It cannot be opened, or is another version ([`ArchiveChanged`](super::ArchiveChanged)).
    pub fn open(&self, input: &ArchiveInput, offset: u64, version: Option<u64>) -> anyhow::Result<ArchiveStream> {
        let name = &input.name;
        if is_remote(name) {
            anyhow::ensure!(
                offset == 0 || version.is_some(),
                "could not read `{name}`: the server names neither version nor length, so it cannot be read on where a run stopped"
            );
            let remote = self.remote(input.address(), input.start + offset, version)?;
            let (len, version) = (input.len.or(remote.length()), remote.version());
            let rest = len.map_or(u64::MAX, |len| len.saturating_sub(offset));
            return Ok(ArchiveStream { bytes: Box::new(remote.take(rest)), len, version });
        }
        let Some(len) = input.len else {
            return Ok(ArchiveStream { bytes: Box::new(std::io::stdin()), len: None, version: None });
        };
        let mut file = File::open(&input.path).with_context(|| format!("could not open `{name}`"))?;
        file.seek(SeekFrom::Start(input.start + offset))?;
        Ok(ArchiveStream { bytes: Box::new(file.take(len.saturating_sub(offset))), len: Some(len), version: None })
    }

    /// The bytes of a list.
    pub(super) fn list(&self, name: &str) -> anyhow::Result<Box<dyn Read + Send>> {
        match is_remote(name) {
            true => Ok(Box::new(self.remote(name, 0, None)?)),
            false => Ok(Box::new(File::open(Path::new(name))?)),
        }
    }

    fn remote(&self, name: &str, offset: u64, version: Option<u64>) -> anyhow::Result<RemoteArchive> {
        let remote = self.remote_file(name, offset, version)?;
        anyhow::ensure!(
            !remote.is_zip(),
            "could not read `{name}`: it is a ZIP; if it is a WACZ, its address must end with `.wacz`, or download it"
        );
        Ok(remote)
    }

    /// A ZIP on the network, to read its directory.
    pub(super) fn remote_zip<'a>(&'a self, name: &'a str) -> anyhow::Result<RemoteZip<'a>> {
        RemoteZip::open(Box::new(|offset, version| self.remote_file(name, offset, version)))
            .with_context(|| format!("could not read the WACZ `{name}`"))
    }

    fn remote_file(&self, name: &str, offset: u64, version: Option<u64>) -> anyhow::Result<RemoteArchive> {
        let origin = match bucket_and_key(name) {
            Some((bucket, key)) => ArchiveLocation::Bucket(self.bucket(bucket)?, key.to_owned()),
            None => ArchiveLocation::Web(Client::new(&self.fetch)?, url_of(name)?),
        };
        RemoteArchive::open(origin, self.runtime.clone(), offset, version)
            .with_context(|| format!("could not read `{name}`"))
    }

    fn bucket(&self, name: &str) -> anyhow::Result<BlobStore> {
        Ok(BlobStore::s3(&self.s3.of_bucket(name, ""))?)
    }

    /// The archives below `s3://bucket/prefix/`, by their keys, with their lengths.
    pub(super) fn below(&self, name: &str) -> anyhow::Result<Vec<(String, u64)>> {
        let (bucket, prefix) = bucket_and_key(name).context("only buckets have lists of what is in them")?;
        let store = self.bucket(bucket)?;
        let found = self.runtime.block_on(store.list(prefix.trim_end_matches('/')));
        let found = found.map_err(of_bucket).with_context(|| format!("could not list `{name}`"))?;
        let archives = found.into_iter().filter(|blob| ENDINGS.iter().any(|ending| blob.key.ends_with(ending)));
        let archives: Vec<_> = archives.map(|blob| (format!("s3://{bucket}/{}", blob.key), blob.size)).collect();
        anyhow::ensure!(
            !archives.is_empty(),
            "no archive (*.warc, *.warc.gz, *.warc.zst, *.arc, *.arc.gz, *.wet, *.wet.gz, *.wacz) below `{name}`"
        );
        Ok(archives)
    }
}

/// Whether a name is an address of the network.
pub fn is_remote(name: &str) -> bool {
    ["http://", "https://", "s3://"].iter().any(|scheme| name.starts_with(scheme))
}

/// The parts of `s3://bucket/key`.
pub fn bucket_and_key(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("s3://")?;
    Some(rest.split_once('/').unwrap_or((rest, "")))
}

/// The URL of an archive on a web server.
pub fn url_of(name: &str) -> anyhow::Result<Url> {
    let url = Url::parse(name).with_context(|| format!("`{name}` is no URL"))?;
    let names_user = !url.username().is_empty() || url.password().is_some();
    anyhow::ensure!(
        !names_user,
        "a URL of `{}` names a user; leave out what stands before the `@`",
        url.host_str().unwrap_or("")
    );
    Ok(url)
}
