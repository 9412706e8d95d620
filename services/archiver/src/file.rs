//! One archive under way: captures become records.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use gristmill_proto::{BodyRef, Capture, FetchKind};
use gristmill_warc::format_date;
use gristmill_warc::write::{NewRecord, WarcWriter, sha1_digest, urn_uuid};
use xxhash_rust::xxh3::xxh3_128;

use crate::config::ArchiverConfig;
use crate::message::head;
use crate::name::{ArchiveName, OPEN};
use crate::revisit_cache::RevisitCache;

/// A file that is not finished.
pub(crate) struct OpenArchive {
    pub name: ArchiveName,
    pub path: PathBuf,
    pub since: Instant,
    /// Keys of bodies in the blob store that nobody needs once the file is finished.
    pub stored: Vec<String>,
    writer: WarcWriter<BufWriter<File>>,
    warcinfo: String,
}

/// What an answer was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenType {
    Response,
    Revisit,
    /// A page as a browser drew it.
    Conversion,
    /// A picture of such a page.
    Screenshot,
}

impl OpenArchive {
    /// Begins the file whose first capture is `first`, at `position` of `partition`.
    ///
    /// # Errors
    /// It cannot be written; the message names it.
    pub(crate) fn create(
        folder: &Path,
        config: &ArchiverConfig,
        first: &Capture,
        (partition, position): (u32, u64),
    ) -> anyhow::Result<Self> {
        let date = date_of(first);
        let timestamp = date.chars().filter(char::is_ascii_digit).collect();
        let name = ArchiveName { prefix: config.prefix.clone(), timestamp, first: position, partition };
        let path = folder.join(format!("{name}{OPEN}"));
        let cannot = || format!("cannot write `{}`", path.display());
        let file = File::create(&path).with_context(cannot)?;
        // It says to others that somebody is at it.
        file.try_lock().with_context(cannot)?;
        let warcinfo = id(&name.to_string(), "warcinfo");
        let mut writer = WarcWriter::new(BufWriter::new(file));
        let record = NewRecord::warcinfo(&warcinfo, &date, &name.to_string());
        writer.write(&record, &[information(config).as_bytes()]).with_context(cannot)?;
        Ok(Self { name, path, since: Instant::now(), stored: Vec::new(), writer, warcinfo })
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> u64 {
        self.writer.offset()
    }

    /// Adds the request and the answer of `capture`, whose body is `body`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn add(
        &mut self,
        capture: &Capture,
        body: &[u8],
        seen: &mut RevisitCache,
    ) -> anyhow::Result<WrittenType> {
        let wrote =
            self.write(capture, body, seen).with_context(|| format!("cannot write `{}`", self.path.display()))?;
        if let BodyRef::Stored { key, .. } = &capture.body {
            self.stored.push(key.clone());
        }
        Ok(wrote)
    }

    fn write(&mut self, capture: &Capture, body: &[u8], seen: &mut RevisitCache) -> std::io::Result<WrittenType> {
        let (date, url) = (date_of(capture), capture.url.as_str());
        let exchange = format!("{url} {} {}", capture.order_id, capture.started_at);
        if capture.kind == FetchKind::Render && capture.request.is_empty() {
            return match header(capture, "content-type").as_str() {
                "image/png" => self.write_screenshot(capture, body, &exchange),
                _ => self.write_drawn(capture, body, &exchange),
            };
        }
        let [request, answer] = ["request", "answer"].map(|role| id(&exchange, role));
        let record = NewRecord::request(&request, &date, url).concurrent_to(&answer);
        self.writer.write(&self.of_exchange(record, capture), &[&capture.request])?;

        let head = head(capture, body.len());
        let is_whole = capture.status == 200 && capture.cut.is_none() && !body.is_empty();
        let digest = is_whole.then(|| sha1_digest(&[body]));
        let same = digest.as_ref().and_then(|digest| seen.same(url, digest));
        let (record, wrote) = match (capture.status, &digest, same) {
            (304, _, _) => {
                let record = NewRecord::not_modified(&answer, &date, url);
                let earlier = seen.at(url).map(format_date);
                (earlier.iter().fold(record, |record, earlier| record.refers_to(url, earlier)), WrittenType::Revisit)
            }
            (_, Some(digest), Some(at)) => {
                (NewRecord::revisit(&answer, &date, url, digest, (url, &format_date(at))), WrittenType::Revisit)
            }
            _ => (NewRecord::response(&answer, &date, url), WrittenType::Response),
        };
        let record = self.of_exchange(record.concurrent_to(&request), capture);
        let record = match capture.cut {
            Some(cut) if wrote == WrittenType::Response => record.truncated(cut.as_str()),
            _ => record,
        };
        match wrote {
            WrittenType::Response => self.writer.write(&record, &[&head, body])?,
            _ => self.writer.write(&record, &[&head])?,
        };
        if let (WrittenType::Response, Some(digest)) = (wrote, digest) {
            seen.remember(url, &digest, seconds(capture));
        }
        Ok(wrote)
    }

    /// Writes a page as a browser drew it: another form of the answer of the same exchange.
    fn write_drawn(&mut self, capture: &Capture, body: &[u8], exchange: &str) -> std::io::Result<WrittenType> {
        let field = |name| header(capture, name);
        let anchor = Some(field("x-anchor-text")).filter(|anchor| !anchor.is_empty());
        let [drawn, answer] = ["drawn", "answer"].map(|role| id(exchange, role));
        let record = NewRecord::conversion(&drawn, &date_of(capture), &capture.url, &answer, &field("content-type"));
        let record = record.warcinfo_id(&self.warcinfo).field("X-Rendered", &field("x-rendered"));
        let record = anchor.iter().fold(record, |record, anchor| record.field("X-Anchor-Text", anchor));
        let record = match capture.cut {
            Some(cut) => record.truncated(cut.as_str()),
            None => record,
        };
        self.writer.write(&record, &[body])?;
        Ok(WrittenType::Conversion)
    }

    /// Writes a picture of such a page, under the address by which players of archives look for it.
    fn write_screenshot(&mut self, capture: &Capture, body: &[u8], exchange: &str) -> std::io::Result<WrittenType> {
        let url = format!("urn:fullPage:{}", capture.url);
        let record = NewRecord::resource(&id(exchange, "screenshot"), &date_of(capture), &url, "image/png");
        let record = record.warcinfo_id(&self.warcinfo).concurrent_to(&id(exchange, "answer"));
        let record = capture.cut.iter().fold(record, |record, cut| record.truncated(cut.as_str()));
        self.writer.write(&record, &[body])?;
        Ok(WrittenType::Screenshot)
    }

    /// Adds what the records of one exchange have in common.
    fn of_exchange(&self, record: NewRecord, capture: &Capture) -> NewRecord {
        let record = record.warcinfo_id(&self.warcinfo).field("WARC-Protocol", &capture.protocol);
        let record = capture.resource.iter().fold(record, |record, kind| record.field("WARC-Resource-Type", kind));
        match capture.ip.as_deref().and_then(|ip| ip.parse().ok()) {
            Some(ip) => record.ip_address(ip),
            None => record,
        }
    }

    /// Brings everything to the disk.
    ///
    /// # Errors
    /// The disk is full or fails.
    pub(crate) fn sync(&mut self) -> anyhow::Result<()> {
        let out = self.writer.get_mut();
        let synced = out.flush().and_then(|()| out.get_ref().sync_all());
        synced.with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

/// A header field of a capture; empty if it has none.
fn header(capture: &Capture, name: &str) -> String {
    let found = capture.fields.iter().find(|(found, _)| found == name);
    String::from_utf8_lossy(found.map_or(&[], |(_, value)| value)).into_owned()
}

fn seconds(capture: &Capture) -> i64 {
    i64::try_from(capture.started_at / 1000).unwrap_or_default()
}

fn date_of(capture: &Capture) -> String {
    format_date(seconds(capture))
}

/// The same for the same record, so that a file that is written again is the same file.
fn id(what: &str, role: &str) -> String {
    urn_uuid(xxh3_128(format!("{role} {what}").as_bytes()).to_be_bytes())
}

/// What the first record of a file says.
fn information(config: &ArchiverConfig) -> String {
    let mut lines = vec![
        ("software", concat!("gristmill/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
    ];
    let told = [("operator", config.operator.as_str()), ("description", config.description.as_str())];
    lines.extend(told.into_iter().filter(|(_, value)| !value.is_empty()));
    lines.iter().map(|(name, value)| format!("{name}: {}\r\n", value.replace(['\r', '\n'], " "))).collect()
}
