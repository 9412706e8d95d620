//! `gristmill check`: whether everything in the data directory is as it was written, and what to do where it is not.

use std::collections::BTreeMap;
use std::time::Duration;

use gristmill_blobs::BlobError;
use gristmill_index::{IndexError, IndexReader};
use gristmill_log::{ConsumerRecord, EmbeddedLog, Log, LogEngine, Positions, StartOffset};
use gristmill_proto::topics::{self, groups};
use gristmill_proto::{
    BodyRef, Capture, Document, FetchOutcome, FetchedPage, Instruction, MessageKind, Notice, OutlinkBatch, ProtoError,
    Reject, decode, peek,
};
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::process::topic_specs;

use crate::crawl::lock;
use crate::repair_advice;
use crate::settings::Settings;

/// Unreadable records that are named, for each topic.
const NAMED: usize = 5;

/// What was found, as it is found.
#[derive(Default)]
struct Findings {
    /// Advice for the parts that are damaged, each once.
    advice: Vec<String>,
    /// Parts that could not be looked at.
    unchecked: u64,
    damaged: u64,
    /// What index and frontier remember of the log, by part and place.
    remembered: Vec<(&'static str, Positions)>,
}

/// Checks index, log, frontier and bodies.
///
/// # Errors
/// Something is damaged, or could not be looked at.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        settings.data.is_dir(),
        "there is no data directory `{}`: `--data` names the one to check",
        settings.data.display()
    );
    let mut findings = Findings::default();
    findings.index(&settings);
    match lock(&settings.data) {
        Ok(_lock) => {
            findings.frontier(&settings);
            findings.log_and_bodies(&settings).await?;
        }
        Err(error) => findings.unchecked("log, frontier and bodies", &format!("{error:#}")),
    }
    for advice in &findings.advice {
        say!("\n{advice}");
    }
    match (findings.damaged, findings.unchecked) {
        (0, 0) => Ok(()),
        (0, _) => anyhow::bail!("not everything could be checked"),
        (count, _) => anyhow::bail!("faults in `{}`: {count}", settings.data.display()),
    }
}

impl Findings {
    fn sound(part: &str, what: &str) {
        say!("{part:<9} sound: {what}");
    }

    fn damaged(&mut self, part: &str, what: &str) {
        self.damaged += 1;
        say!("{part:<9} DAMAGED: {what}");
    }

    fn unchecked(&mut self, part: &str, why: &str) {
        self.unchecked += 1;
        say!("{part:<9} not checked: {why}");
    }

    fn advise(&mut self, advice: String) {
        if !self.advice.contains(&advice) {
            self.advice.push(advice);
        }
    }

    fn index(&mut self, settings: &Settings) {
        match gristmill_index::check(&settings.index_dir()) {
            Err(IndexError::Missing { .. }) => Self::sound("index", "there is none yet"),
            Err(error) => self.unchecked("index", &format!("{:#}", anyhow::Error::new(error))),
            Ok(checked) if checked.damaged.is_empty() => {
                let positions = IndexReader::open(&settings.index_dir()).and_then(|reader| reader.positions());
                self.remembered.extend(positions.ok().map(|positions| ("index", positions)));
                Self::sound("index", &format!("{} files, {}", checked.files, megabytes(checked.bytes)));
            }
            Ok(checked) => {
                for file in &checked.damaged {
                    self.damaged("index", &format!("`{}`: {}", file.path.display(), file.what));
                }
                self.advise(repair_advice::index(&settings.data));
            }
        }
    }

    fn frontier(&mut self, settings: &Settings) {
        let base = settings.frontier_dir();
        let parts = (0..settings.log.partitions).map(|number| base.join(format!("p{number:04}")));
        let dirs: Vec<_> =
            std::iter::once(base.clone()).chain(parts).filter(|dir| dir.join("version").is_file()).collect();
        if dirs.is_empty() {
            Self::sound("frontier", "there is none yet");
        }
        for dir in dirs {
            match gristmill_frontier::check(&dir, &settings.frontier) {
                Err(error) if error.is_damage() => {
                    self.damaged("frontier", &format!("`{}`: {:#}", dir.display(), anyhow::Error::new(error)));
                    self.advise(repair_advice::log_or_frontier(&settings.data));
                }
                Err(error) => self.unchecked("frontier", &format!("{:#}", anyhow::Error::new(error))),
                Ok(checked) if checked.files.is_empty() && checked.unreadable.is_empty() => {
                    self.remembered.push(("frontier", checked.positions));
                    Self::sound("frontier", &format!("{} entries, {}", checked.entries, megabytes(checked.bytes)));
                }
                Ok(checked) => {
                    for (table, file) in &checked.files {
                        self.damaged(
                            "frontier",
                            &format!("`{}`, of the table {table}: its checksum does not fit", file.display()),
                        );
                    }
                    for (table, why) in &checked.unreadable {
                        self.damaged("frontier", &format!("the table {table} cannot be read to its end: {why}"));
                    }
                    self.advise(repair_advice::log_or_frontier(&settings.data));
                }
            }
        }
    }

    async fn log_and_bodies(&mut self, settings: &Settings) -> anyhow::Result<()> {
        if settings.log.engine == LogEngine::Kafka {
            // The brokers compare checksums by themselves, and so does every reader.
            Self::sound("log", "it is on Kafka, which checks its records itself");
            return Ok(());
        }
        let path = settings.data.join("log");
        if !path.join("version").is_file() {
            Self::sound("log", "there is none yet");
            return Ok(());
        }
        let log = match EmbeddedLog::open(&path, &topic_specs(), settings.log.embedded()) {
            Err(error) if error.is_damage() => {
                self.damaged("log", &format!("{:#}", anyhow::Error::new(error)));
                self.advise(repair_advice::log_or_frontier(&settings.data));
                return Ok(());
            }
            opened => opened?,
        };
        let checked = log.check()?;
        for (topic, file) in &checked.damaged {
            self.damaged("log", &format!("`{}`, of {topic}: its checksum does not fit", file.display()));
            self.advise(repair_advice::log_or_frontier(&settings.data));
        }
        self.ends(&log).await?;
        let (mut records, mut bodies) = (0u64, Vec::new());
        let mut read_up_to = Positions::new();
        for (topic, group) in [(topics::PAGES, groups::EXTRACTOR), (topics::CAPTURES, groups::ARCHIVER)] {
            read_up_to.extend(log.reader(&[topic], StartOffset::Group(group)).await?.positions());
        }
        let mut unreadable: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for topic in topics::TABLE.map(|topic| topic.name) {
            // A group that never commits reads from the oldest record on.
            let mut reader = log.reader(&[topic], StartOffset::Group("check")).await?;
            loop {
                let batch = reader.poll(1024, Duration::ZERO).await?;
                if batch.is_empty() {
                    break;
                }
                records += batch.len() as u64;
                for stored in batch {
                    match body_of(topic, &stored) {
                        Ok(body) => bodies.extend(body.filter(|_| waits(&read_up_to, &stored))),
                        Err(error) => {
                            let place = &stored.place;
                            let at = format!("{topic}/{}/{}: {error}", place.partition, place.position);
                            unreadable.entry(topic).or_default().push(at);
                        }
                    }
                }
            }
        }
        for places in unreadable.values() {
            for place in places.iter().take(NAMED) {
                self.damaged("log", &format!("the record at {place}"));
            }
            if let Some(more) = places.len().checked_sub(NAMED + 1) {
                self.damaged("log", &format!("and {} more records of this topic", more + 1));
            }
            self.advise(repair_advice::records());
        }
        if checked.damaged.is_empty() && unreadable.is_empty() {
            Self::sound("log", &format!("{records} records, {} in tables", megabytes(checked.bytes)));
        }
        self.bodies(&Blobs::open(&settings.data, &settings.blobs, &settings.log)?, bodies).await;
        Ok(())
    }

    /// A journal whose end is damaged is cut there when it is opened; others remember how far it went.
    async fn ends(&mut self, log: &EmbeddedLog) -> anyhow::Result<()> {
        for (part, positions) in std::mem::take(&mut self.remembered) {
            for ((topic, partition), position) in positions {
                let Some(topic) = topics::TABLE.iter().map(|topic| topic.name).find(|name| *name == topic) else {
                    continue;
                };
                let end = log.ends(topic).await?.get(partition as usize).copied().unwrap_or(0);
                if position > end {
                    self.damaged(
                        "log",
                        &format!("{topic}/{partition} ends at {end}, and the {part} has read it up to {position}"),
                    );
                    self.advise(repair_advice::log_or_frontier(log.path().parent().unwrap_or(log.path())));
                }
            }
        }
        Ok(())
    }

    /// Bodies that records name which wait for their readers.
    async fn bodies(&mut self, blobs: &Blobs, bodies: Vec<Named>) {
        let Some(store) = blobs.store() else { return };
        let mut sound = 0;
        for Named { key, size, checksum } in bodies {
            match store.get(&key, size).await {
                Ok(bytes) if bytes.len() as u64 == size && crc32c::crc32c(&bytes) == checksum => sound += 1,
                Err(BlobError::Missing { .. }) => {
                    self.damaged("bodies", &format!("`{key}` is missing"));
                    self.advise(repair_advice::bodies());
                }
                Ok(_) | Err(BlobError::TooLarge { .. }) => {
                    self.damaged("bodies", &format!("`{key}` is not what its record says it is"));
                    self.advise(repair_advice::bodies());
                }
                Err(error) => self.unchecked("bodies", &format!("{:#}", anyhow::Error::new(error))),
            }
        }
        Self::sound("bodies", &format!("{sound} that wait in the blob store"));
    }
}

/// A body in the blob store, as its record names it.
struct Named {
    key: String,
    size: u64,
    checksum: u32,
}

/// Reads a record as its reader would; the body that it names, if it has one elsewhere.
fn body_of(topic: &str, stored: &ConsumerRecord) -> Result<Option<Named>, ProtoError> {
    let bytes = &stored.payload;
    match topic {
        topics::ORDERS => Instruction::read(bytes).map(|_| None),
        topics::OUTCOMES => decode::<FetchOutcome>(bytes).map(|_| None),
        topics::LINKS => match peek(bytes)? {
            (MessageKind::Notice, _) => decode::<Notice>(bytes).map(|_| None),
            _ => decode::<OutlinkBatch>(bytes).map(|_| None),
        },
        topics::DOCUMENTS => decode::<Document>(bytes).map(|_| None),
        topics::REJECTS => decode::<Reject>(bytes).map(|_| None),
        topics::PAGES => decode::<FetchedPage>(bytes).map(|page| named(page.body)),
        topics::CAPTURES => decode::<Capture>(bytes).map(|capture| named(capture.body)),
        // Other engines' JSON.
        _ => Ok(None),
    }
}

fn named(body: BodyRef) -> Option<Named> {
    match body {
        BodyRef::Stored { key, size, checksum } => Some(Named { key, size, checksum }),
        BodyRef::Inline(_) => None,
    }
}

/// Whether a record still waits for its reader: the bodies of those that do not are gone already.
fn waits(read_up_to: &Positions, stored: &ConsumerRecord) -> bool {
    let place = &stored.place;
    let next = read_up_to.get(&(place.topic.to_owned(), place.partition)).copied();
    next.is_none_or(|next| place.position >= next)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
