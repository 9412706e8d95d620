//! `gristmill extract --replay`: pages, and what they ask for, from web archives instead of the network.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use gristmill_archiver::source::{ArchiveInput, ArchiveOpener, expand};
use gristmill_browser::{LoadRefusal, LoadedResource, ResourceLoader, ResourceRequest, ResourceResponse};
use gristmill_dataset::archives::MAX_PAGE_BYTES;
use gristmill_warc::http::{DecodeBuffers, HttpMessage, decode};
use gristmill_warc::{ReadLimits, ReaderItem, RecordKind, WarcReader, WarcRecord};
use xxhash_rust::xxh3::xxh3_64;

/// Where the answers to all URLs stand in some archives. Some 60 bytes of memory for each.
#[derive(Clone)]
pub struct Replay {
    archives: Arc<Archives>,
}

struct Archives {
    sources: ArchiveOpener,
    inputs: Vec<ArchiveInput>,
    /// By the hash of the URL.
    answers: HashMap<u64, Vec<Place>>,
    /// Drawn pages, by the hash of the URL.
    drawn: HashMap<u64, Drawing>,
}

/// The last time that a browser drew a page.
#[derive(Debug, Clone, Default)]
struct Drawing {
    /// When the page was fetched for it, in seconds since 1970.
    at: i64,
    /// Words of the link that led to it.
    anchor_title: Option<String>,
}

/// A page of the archives.
pub struct ReplayedPage {
    pub content: LoadedResource,
    /// Words of the link that led to it, where they are known.
    pub anchor_title: Option<String>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    /// Seconds since 1970.
    at: i64,
    input: usize,
    /// Where a reader can begin.
    offset: u64,
    /// Records from there.
    ordinal: u64,
}

impl Replay {
    /// Reads through all archives once. Blocks.
    ///
    /// # Errors
    /// An archive cannot be read, or none is named.
    pub fn open(named: &[String], sources: ArchiveOpener) -> anyhow::Result<Replay> {
        let inputs = expand(named, None, &sources)?;
        let mut archives = Archives { sources, inputs, answers: HashMap::new(), drawn: HashMap::new() };
        for n in 0..archives.inputs.len() {
            archives.index(n).with_context(|| format!("could not read `{}`", archives.inputs[n].name))?;
        }
        Ok(Replay { archives: Arc::new(archives) })
    }

    /// What the server answered when a browser drew the page last, or else its last answer.
    ///
    /// # Errors
    /// The archives have no answer to it.
    pub async fn page(&self, url: &str) -> anyhow::Result<ReplayedPage> {
        let answer = self.answer_at(url, self.archives.time_of(url)).await?;
        let content = answer.with_context(|| format!("the archives have no answer to `{url}`"))?;
        let drawing = self.archives.drawn.get(&xxh3_64(url.as_bytes()));
        Ok(ReplayedPage { content, anchor_title: drawing.and_then(|drawing| drawing.anchor_title.clone()) })
    }

    async fn answer_at(&self, url: &str, at: i64) -> anyhow::Result<Option<LoadedResource>> {
        let (archives, url) = (Arc::clone(&self.archives), url.to_owned());
        tokio::task::spawn_blocking(move || archives.read(&url, at)).await?
    }
}

#[async_trait]
impl ResourceLoader for Replay {
    /// The answer that came next to the time when the page was fetched.
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
        match self.answer_at(&request.url, self.archives.time_of(&request.page)).await {
            Ok(Some(content)) => ResourceResponse::Found(content),
            Ok(None) => ResourceResponse::Refused(LoadRefusal::new("the archives have no answer to it")),
            Err(error) => ResourceResponse::Refused(LoadRefusal::new(format!("{error:#}"))),
        }
    }
}

impl Archives {
    /// Notes where the answers of an archive stand.
    fn index(&mut self, input: usize) -> anyhow::Result<()> {
        let limits = ReadLimits { body_bytes: MAX_PAGE_BYTES, ..ReadLimits::default() };
        let mut reader = WarcReader::new(self.sources.open(&self.inputs[input], 0, None)?.bytes, limits);
        while let Some(entry) = reader.next()? {
            let ReaderItem::Record(record) = entry else { continue };
            let Some(url) = record.target_uri().map(|url| xxh3_64(url.as_bytes())) else { continue };
            let at = record.date_seconds().unwrap_or_default();
            match record.kind() {
                RecordKind::Response => {
                    let (offset, ordinal) = (record.offset(), record.ordinal());
                    self.answers.entry(url).or_default().push(Place { at, input, offset, ordinal });
                }
                RecordKind::Conversion if record.field("x-rendered").is_some() => {
                    let drawing = self.drawn.entry(url).or_default();
                    if at >= drawing.at {
                        let anchor_title = record.field("x-anchor-text").map(Cow::into_owned);
                        *drawing = Drawing { at, anchor_title };
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn time_of(&self, page: &str) -> i64 {
        self.drawn.get(&xxh3_64(page.as_bytes())).map_or(i64::MAX, |drawing| drawing.at)
    }

    fn read(&self, url: &str, at: i64) -> anyhow::Result<Option<LoadedResource>> {
        let places = self.answers.get(&xxh3_64(url.as_bytes())).into_iter().flatten();
        let Some(place) = places.min_by_key(|place| place.at.abs_diff(at)) else { return Ok(None) };
        let limits = ReadLimits { body_bytes: MAX_PAGE_BYTES, ..ReadLimits::default() };
        let bytes = self.sources.open(&self.inputs[place.input], place.offset, None)?.bytes;
        let mut reader = WarcReader::resume(bytes, place.offset, limits);
        for _ in 0..=place.ordinal {
            let Some(entry) = reader.next()? else { break };
            let ReaderItem::Record(record) = entry else { continue };
            if record.kind() == RecordKind::Response && record.target_uri().is_some_and(|found| found == url) {
                return Ok(content_of(&record));
            }
        }
        Ok(None)
    }
}

/// The answer in a record; none if it is not one of HTTP.
fn content_of(record: &WarcRecord<'_>) -> Option<LoadedResource> {
    let message = HttpMessage::parse(record.body()).ok()?;
    let field = |name: &str| Some((name.to_owned(), message.field(name)?.into_owned()));
    let headers = ["content-type", "location"].into_iter().filter_map(field).collect();
    let mut scratch = DecodeBuffers::default();
    let body = decode(&message, MAX_PAGE_BYTES, &mut scratch).bytes.into_owned();
    Some(LoadedResource { status: message.status()?, headers, body: body.into() })
}
