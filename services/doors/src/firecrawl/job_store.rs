//! Crawls that clients have started: how they stand, and their documents on disk.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::document_collector::DocumentCollector;
use super::error::DoorError;
use super::job_file::JobFile;
pub(super) use super::job_phase::{JobKind, JobPhase};
use super::options::ScrapeOptions;
use crate::backend::{CrawlOrder, CrawlProgress};
use crate::crawl_desk::RunningCrawl;
use crate::service::DoorService;

/// How often a running crawl is looked at for documents.
const COLLECT_EVERY: Duration = Duration::from_secs(1);

/// Most bytes of documents in one answer; one document may be larger.
const MAX_ANSWER: u64 = 10 << 20;

/// How the pages of a crawl are read.
pub(super) struct JobOrder {
    pub kind: JobKind,
    pub options: ScrapeOptions,
    pub warnings: Vec<String>,
}

/// A crawl that was started.
pub(super) struct CrawlJob {
    pub id: String,
    pub kind: JobKind,
    pub seed: String,
    pub warnings: Vec<String>,
    pub expires: SystemTime,
    pub progress: watch::Receiver<CrawlProgress>,
    max_pages: u64,
    stop: CancellationToken,
    pub(super) folder: PathBuf,
    state: Mutex<JobResult>,
}

struct JobResult {
    phase: JobPhase,
    /// Where each document begins in the file, and where the last one ends.
    offsets: Vec<u64>,
    error: Option<String>,
}

/// Some documents of a crawl.
pub(super) struct DocumentPage {
    pub documents: Vec<Value>,
    /// The number of the first that is not among them, if there is one.
    pub next: Option<usize>,
}

/// All crawls that are remembered.
pub(super) struct JobStore {
    folder: PathBuf,
    keep: Duration,
    jobs: Mutex<BTreeMap<String, Arc<CrawlJob>>>,
}

impl JobStore {
    pub fn new(folder: &Path, keep: Duration) -> Self {
        Self { folder: folder.to_owned(), keep, jobs: Mutex::default() }
    }

    /// Starts a crawl in a folder of its own, and gives its name.
    pub fn begin(&self, service: &DoorService, order: CrawlOrder, job: JobOrder) -> Result<String, DoorError> {
        self.forget_old();
        let id = new_id();
        let folder = self.folder.join(&id);
        std::fs::create_dir_all(&folder).map_err(|error| {
            tracing::error!(%error, folder = %folder.display(), "no folder for a crawl");
            DoorError::failed("there is no room for the results of a crawl; the log of the server says why")
        })?;
        let seed = order.seeds.first().cloned().unwrap_or_default();
        let max_pages = service.desk().pages(order.max_pages);
        let order = CrawlOrder { folder: Some(folder.clone()), ..order };
        let begun = service.desk().begin(order);
        let running = begun.map_err(|refusal| {
            let _ = std::fs::remove_dir_all(&folder);
            DoorError::busy(refusal)
        })?;
        let state = Mutex::new(JobResult { phase: JobPhase::Scraping, offsets: vec![0], error: None });
        let crawl = Arc::new(CrawlJob {
            id: id.clone(),
            kind: job.kind,
            seed,
            warnings: job.warnings,
            expires: SystemTime::now() + self.keep,
            progress: running.progress.clone(),
            max_pages,
            stop: running.stop.clone(),
            folder,
            state,
        });
        crawl.save();
        self.lock().insert(id.clone(), crawl.clone());
        tokio::spawn(finish(crawl, running, service.clone(), job.options));
        Ok(id)
    }

    pub fn get(&self, id: &str, kind: JobKind) -> Result<Arc<CrawlJob>, DoorError> {
        self.forget_old();
        let known = self.lock().get(id).cloned();
        let found = known.or_else(|| self.earlier(id)).filter(|job| job.kind == kind);
        found.ok_or_else(|| DoorError::absent("Job not found"))
    }

    /// A crawl of an earlier process, which is known from now on.
    fn earlier(&self, id: &str) -> Option<Arc<CrawlJob>> {
        // It becomes the name of a folder.
        let is_id = id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        let folder = self.folder.join(Some(id).filter(|_| is_id)?);
        let job = Arc::new(CrawlJob::resumed(id, folder.clone(), JobFile::read(&folder)?));
        if job.expires <= SystemTime::now() {
            return None;
        }
        Some(self.lock().entry(id.to_owned()).or_insert(job).clone())
    }

    /// Crawls that are at work.
    pub fn active(&self) -> Vec<Arc<CrawlJob>> {
        let jobs = self.lock();
        jobs.values().filter(|job| job.kind == JobKind::Crawl && job.phase() == JobPhase::Scraping).cloned().collect()
    }

    /// Removes what is older than it is kept, also what an earlier process has left.
    fn forget_old(&self) {
        let now = SystemTime::now();
        let old: Vec<Arc<CrawlJob>> = {
            let mut jobs = self.lock();
            let old: Vec<String> = jobs.values().filter(|job| job.expires <= now).map(|job| job.id.clone()).collect();
            old.iter().filter_map(|id| jobs.remove(id)).collect()
        };
        for job in old {
            job.stop.cancel();
            let _ = std::fs::remove_dir_all(&job.folder);
        }
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| now.duration_since(time).ok());
            let known = self.lock().contains_key(&*entry.file_name().to_string_lossy());
            if !known && age.is_some_and(|age| age > self.keep) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<CrawlJob>>> {
        self.jobs.lock().expect("no code panics while it holds this lock")
    }
}

impl CrawlJob {
    fn state(&self) -> MutexGuard<'_, JobResult> {
        self.state.lock().expect("no code panics while it holds this lock")
    }

    /// A crawl as its folder remembers it. One that was at work has failed with the process.
    fn resumed(id: &str, folder: PathBuf, file: JobFile) -> CrawlJob {
        let (mut phase, mut error) = (file.phase, file.error);
        if phase == JobPhase::Scraping {
            let sentence = "the server was stopped while the crawl ran: start it again";
            (phase, error) = (JobPhase::Failed, Some(sentence.to_owned()));
        }
        let n = file.offsets.len() as u64 - 1;
        let (_, progress) = watch::channel(CrawlProgress { done: n, known: n, problems: file.problems });
        CrawlJob {
            id: id.to_owned(),
            kind: file.kind,
            seed: file.seed,
            warnings: file.warnings,
            expires: UNIX_EPOCH + Duration::from_secs(file.expires),
            progress,
            max_pages: file.max_pages,
            stop: CancellationToken::new(),
            folder,
            state: Mutex::new(JobResult { phase, offsets: file.offsets, error }),
        }
    }

    /// Remembers it in its folder. What cannot be written is told, and lives as long as this process.
    fn save(&self) {
        let file = {
            let state = self.state();
            JobFile {
                kind: self.kind,
                seed: self.seed.clone(),
                warnings: self.warnings.clone(),
                expires: self.expires.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
                max_pages: self.max_pages,
                phase: state.phase,
                offsets: state.offsets.clone(),
                error: state.error.clone(),
                problems: self.progress.borrow().problems.clone(),
            }
        };
        if let Err(error) = file.write(&self.folder) {
            tracing::warn!(%error, job = self.id, "a crawl would not outlive this process");
        }
    }

    pub fn phase(&self) -> JobPhase {
        self.state().phase
    }

    pub fn error(&self) -> Option<String> {
        self.state().error.clone()
    }

    /// Documents that are there.
    pub fn n_documents(&self) -> usize {
        self.state().offsets.len() - 1
    }

    /// Stops it; whether it was at work.
    pub fn cancel(&self) -> bool {
        let mut state = self.state();
        let runs = state.phase == JobPhase::Scraping;
        if runs {
            state.phase = JobPhase::Cancelled;
            self.stop.cancel();
        }
        runs
    }

    /// At most `limit` documents from number `skip` on, and no more than fit into an answer.
    pub fn documents(&self, skip: usize, limit: usize) -> std::io::Result<DocumentPage> {
        let offsets = self.state().offsets.clone();
        let n = offsets.len() - 1;
        let (first, mut last) = (skip.min(n), skip.saturating_add(limit).min(n));
        while last > first + 1 && offsets[last] - offsets[first] > MAX_ANSWER {
            last -= 1;
        }
        let mut bytes = vec![0; (offsets[last] - offsets[first]) as usize];
        if first < last {
            let mut file = File::open(self.file())?;
            file.seek(SeekFrom::Start(offsets[first]))?;
            file.read_exact(&mut bytes)?;
        }
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let documents = lines.map(serde_json::from_slice).collect::<Result<_, _>>().map_err(std::io::Error::from)?;
        Ok(DocumentPage { documents, next: (last < n).then_some(last) })
    }

    fn end(&self, result: anyhow::Result<()>) {
        let mut state = self.state();
        match result {
            _ if state.phase == JobPhase::Cancelled => {}
            Ok(()) => state.phase = JobPhase::Completed,
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), job = self.id, "a crawl failed");
                (state.phase, state.error) = (JobPhase::Failed, Some(format!("{error:#}")));
            }
        }
    }

    /// The file of its documents, one a line.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("documents.jsonl")
    }

    /// Takes in a document of so many bytes at the end of the file.
    pub(super) fn add(&self, bytes: u64) {
        let mut state = self.state();
        let begin = state.offsets.last().copied().unwrap_or_default();
        state.offsets.push(begin + bytes);
    }

    /// Whether it has as many documents as were asked for.
    pub(super) fn is_full(&self) -> bool {
        self.n_documents() as u64 >= self.max_pages
    }
}

/// Makes documents of the pages of a crawl, while it runs and when it has ended.
async fn finish(job: Arc<CrawlJob>, running: RunningCrawl, service: DoorService, options: ScrapeOptions) {
    let mut end = running.end;
    let mut collector = DocumentCollector::new(job.clone(), service, options);
    let ended = loop {
        let ended = tokio::select! {
            ended = &mut end => Some(ended.unwrap_or_else(|error| Err(error.into()))),
            () = tokio::time::sleep(COLLECT_EVERY) => None,
        };
        let n_before = job.n_documents();
        let collecting = tokio::task::spawn_blocking(move || {
            let collected = collector.collect();
            if collector.job.n_documents() > n_before {
                collector.job.save();
            }
            (collector, collected)
        });
        let collected;
        match (collecting.await, ended) {
            (Err(error), _) => break Err(error.into()),
            (Ok(done), None) => (collector, collected) = done,
            (Ok((_, collected)), Some(ended)) => break ended.and(collected),
        }
        if let Err(error) = collected {
            // Nothing more can be made of it.
            job.stop.cancel();
            let _ = end.await;
            break Err(error);
        }
    };
    let data = job.folder.join("data");
    let _ = tokio::fs::remove_dir_all(data).await;
    let _ = tokio::fs::remove_dir_all(job.folder.join("archive")).await;
    job.end(ended);
    let saving = job.clone();
    let _ = tokio::task::spawn_blocking(move || saving.save()).await;
}

/// A name that nobody guesses, in the form of a UUID.
fn new_id() -> String {
    let random = || RandomState::new().build_hasher().finish();
    let (high, low) = (random(), random());
    let (version, variant) =
        (high & 0xffff_ffff_ffff_0fff | 0x4000, low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000);
    let (time, rest) = (format!("{version:016x}"), format!("{variant:016x}"));
    format!("{}-{}-{}-{}-{}", &time[..8], &time[8..12], &time[12..], &rest[..4], &rest[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(folder: &Path, documents: &[String]) -> CrawlJob {
        let (_, progress) = watch::channel(CrawlProgress::default());
        let mut offsets = vec![0];
        let mut text = String::new();
        for document in documents {
            text.push_str(document);
            text.push('\n');
            offsets.push(text.len() as u64);
        }
        std::fs::write(folder.join("documents.jsonl"), text).unwrap();
        CrawlJob {
            id: new_id(),
            kind: JobKind::Crawl,
            seed: String::new(),
            warnings: Vec::new(),
            expires: SystemTime::now(),
            progress,
            max_pages: 10,
            stop: CancellationToken::new(),
            folder: folder.to_owned(),
            state: Mutex::new(JobResult { phase: JobPhase::Scraping, offsets, error: None }),
        }
    }

    #[test]
    fn documents_come_in_pages_that_together_are_all_of_them() {
        let dir = tempfile::tempdir().unwrap();
        let large = |n: usize| format!("{{\"n\":{n},\"text\":\"{}\"}}", "x".repeat(4 << 20));
        let job = job(dir.path(), &(0..7).map(large).collect::<Vec<_>>());
        let (mut skip, mut pages, mut all) = (0, 0, Vec::new());
        loop {
            let page = job.documents(skip, 100).unwrap();
            assert!((1..=2).contains(&page.documents.len()), "10 MiB hold two of 4 MiB");
            all.extend(page.documents.iter().map(|document| document["n"].as_u64().unwrap()));
            pages += 1;
            match page.next {
                Some(next) => skip = next,
                None => break,
            }
        }
        assert_eq!((pages, all), (4, (0..7).collect()));
        assert_eq!(job.documents(3, 1).unwrap().documents[0]["n"], 3);
        let behind = job.documents(usize::MAX, usize::MAX).unwrap();
        assert!(behind.documents.is_empty() && behind.next.is_none());
    }

    #[test]
    fn a_crawl_is_cancelled_once_and_names_are_not_guessed() {
        let dir = tempfile::tempdir().unwrap();
        let job = job(dir.path(), &[]);
        assert!(job.cancel() && !job.cancel() && job.stop.is_cancelled());
        assert_eq!(job.phase(), JobPhase::Cancelled);
        let (one, other) = (new_id(), new_id());
        assert!(one != other && one.len() == 36 && one.as_bytes()[14] == b'4', "{one}");
    }

    #[test]
    fn a_crawl_outlives_the_process_and_one_that_was_at_work_has_failed() {
        let dir = tempfile::tempdir().unwrap();
        let begun = |phase: JobPhase| {
            let folder = dir.path().join("new");
            std::fs::create_dir(&folder).unwrap();
            let texts = ["{\"n\":0}".to_owned(), "{\"n\":1}".to_owned()];
            let mut job = job(&folder, &texts);
            job.expires = SystemTime::now() + Duration::from_secs(3600);
            job.state().phase = phase;
            job.save();
            std::fs::rename(&folder, dir.path().join(&job.id)).unwrap();
            job.id
        };
        let (done, broken) = (begun(JobPhase::Completed), begun(JobPhase::Scraping));
        let store = JobStore::new(dir.path(), Duration::from_secs(3600));
        let found = store.get(&done, JobKind::Crawl).ok().unwrap();
        assert_eq!((found.phase(), found.error()), (JobPhase::Completed, None));
        assert_eq!(found.documents(1, 10).unwrap().documents[0]["n"], 1);
        let found = store.get(&broken, JobKind::Crawl).ok().unwrap();
        assert!(found.phase() == JobPhase::Failed && found.error().unwrap().contains("was stopped"));
        std::fs::write(dir.path().join("job.json"), "{}").unwrap();
        for wrong in ["..", ".", "", "/etc", &new_id(), &format!("../{done}")] {
            assert!(store.get(wrong, JobKind::Crawl).is_err(), "{wrong}");
        }
        assert!(store.get(&done, JobKind::Batch).is_err());
    }

    #[test]
    fn what_is_older_than_it_is_kept_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("of-an-earlier-process")).unwrap();
        JobStore::new(dir.path(), Duration::from_secs(3600)).forget_old();
        assert!(dir.path().join("of-an-earlier-process").exists());
        std::thread::sleep(Duration::from_millis(20));
        JobStore::new(dir.path(), Duration::from_millis(1)).forget_old();
        assert!(!dir.path().join("of-an-earlier-process").exists());
    }
}
