//! The loop: read links and outcomes, apply them, append what is due, commit.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use cpu_time::ThreadTime;
use gristmill_frontier::{
    AdmissionResult, Explanation, FailureKind, FetchOrder, Frontier, FrontierConfig, FrontierError, LinkRejection,
    NextAction, OutcomeEffect,
};
use gristmill_log::{
    ConsumerRecord, Log, LogError, LogReader, PartitionLease, Positions, ProducerRecord, StartOffset, partition_of,
};
use gristmill_proto::{
    ControlAction, ControlCommand, FetchKind, FetchOutcome, MessageKind, News, Notice, OutlinkBatch, decode, encode,
    peek,
    topics::{self, groups},
};
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::partition_workers::PartitionAssignment;
use gristmill_urls::{CanonicalUrl, Takedown};
use prometheus::Registry;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::clock::{ClockJump, ClockMonitor};
use crate::config::SchedulerConfig;
use crate::convert;
use crate::fence;
use crate::freshness::FreshnessWindow;
use crate::frontier_opener::{FrontierOpener, OpenedFrontier};
use crate::lost_orders::LostOrderDetector;
use crate::metrics::{AppliedEffect, Metrics};
use crate::snapshot_writer::SnapshotWriter;
use crate::status::{CrawlStatus, FetchProblem, SiteStatus};
use crate::takeover::Takeover;

/// The consumer group of all schedulers.
pub const GROUP: &str = groups::SCHEDULER;

/// What the scheduler reads.
const INPUTS: [&str; 3] = [topics::OUTCOMES, topics::RENDER_OUTCOMES, topics::LINKS];

/// What it writes orders to.
const OUTPUTS: [&str; 2] = [topics::ORDERS, topics::RENDERS];

/// Longest sleep between two looks at the frontier: bounds what a clock that jumps can do.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// How often a scheduler that may not be the owner any more looks whether it is.
const LEASE_POLL: Duration = Duration::from_millis(20);

/// Longest time from a step to its commit. A commit waits for the disk, which the sites that are crawled must not do with it; a
/// crash reads back what came after the last one.
const COMMIT_EVERY: Duration = Duration::from_millis(100);

/// How often it looks whether the extractor has read all pages, when nothing else is left to do.
const READ_POLL: Duration = Duration::from_millis(20);

/// How often the log is told how far the scheduler is.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// Hosts named in a status at most.
const SHOWN_HOSTS: usize = 50;

/// Sites named in a status at most, and how often they are looked at.
const SHOWN_SITES: usize = 30;
const TELL_SITES_EVERY: Duration = Duration::from_secs(2);

/// Why a scheduler ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedulerExit {
    /// Every URL that is known has reached its final state.
    Drained,
    /// `frontier.max_pages` is reached.
    LimitReached,
    /// It was told to stop.
    Stopped,
}

/// Asks a running scheduler about a URL.
#[derive(Clone)]
pub struct Explainer {
    questions: mpsc::Sender<Question>,
}

type Question = (CanonicalUrl, oneshot::Sender<Explanation>);

impl Explainer {
    /// What the frontier knows of `url`; `None` when the scheduler has ended.
    pub async fn explain(&self, url: CanonicalUrl) -> Option<Explanation> {
        let (reply, answer) = oneshot::channel();
        self.questions.send((url, reply)).await.ok()?;
        answer.await.ok()
    }
}

/// Decides what is fetched next, for all partitions of its log or for some.
pub struct Scheduler {
    config: SchedulerConfig,
    frontier: Frontier,
    /// Number of its partition, 0 where it has all.
    number: u32,
    /// Whether it waits for more when the frontier is drained, since others may find links for it.
    lasting: bool,
    /// Under which claim orders are given, by partition.
    epochs: BTreeMap<u32, u64>,
    /// Nothing is ordered without it.
    lease: PartitionLease,
    /// When the next commit is due; `None` when there is nothing to commit.
    due: Option<Instant>,
    /// When the group's positions were last told to the log.
    told: Option<Instant>,
    /// Copies the frontier, if that is wanted.
    keeper: Option<SnapshotWriter>,
    log: Arc<dyn Log>,
    metrics: Metrics,
    status: watch::Sender<CrawlStatus>,
    troubles: Vec<FetchProblem>,
    freshness: FreshnessWindow,
    /// The sites that matter, as of when they were looked at.
    sites: Vec<SiteStatus>,
    sites_told: Option<Instant>,
    explainer: Explainer,
    questions: mpsc::Receiver<Question>,
    watch: ClockMonitor,
    /// Look for orders that will have no outcome.
    lost: [LostOrderDetector; 2],
    /// Whether the crawl goes on as long as the extractor has pages to read, which may need a browser.
    awaits_readings: bool,
    /// What `rejects` has to be told of records that could not be read.
    rejects: Vec<ProducerRecord>,
}

impl Scheduler {
    /// Opens the frontier in `dir`, or the newest snapshot of it, for all partitions of `log`.
    ///
    /// # Errors
    /// The frontier's store cannot be opened, or metrics are registered already.
    pub async fn build(
        config: &SchedulerConfig,
        frontier: &FrontierConfig,
        dir: PathBuf,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let part = PartitionAssignment::whole(log, CancellationToken::new());
        Self::open(config, frontier, dir, blobs, &part, Metrics::register(registry)?).await
    }

    /// The scheduler of a part, over the frontier in `dir` or a snapshot of it. Where the part is one of several, it ends only
    /// when that goes elsewhere.
    pub(crate) async fn open(
        config: &SchedulerConfig,
        frontier: &FrontierConfig,
        dir: PathBuf,
        blobs: &Blobs,
        part: &PartitionAssignment,
        metrics: Metrics,
    ) -> anyhow::Result<Self> {
        config.check()?;
        let (number, lasting) = (part.partition.unwrap_or(0), part.partition.is_some());
        let snapshots = config.snapshots(blobs, part.partition)?;
        let (config_of, stop) = (frontier, &part.stop);
        let opening = FrontierOpener {
            dir,
            config: config_of,
            snapshots: snapshots.as_ref(),
            shared: lasting,
            stop,
            metrics: &metrics,
        };
        let opened = opening.run().await?;
        let keeper = snapshots
            .map(|snapshots| SnapshotWriter::new(snapshots, config.snapshot_every, number, &opened, metrics.clone()));
        let OpenedFrontier { frontier, .. } = opened;
        let partitions = part.log.partitions();
        let frontier = match part.partition {
            Some(own) => frontier.owning(move |domain| partition_of(domain.as_bytes(), partitions) == own),
            None => frontier,
        };
        let status = watch::Sender::new(status_of(&frontier));
        let (sender, questions) = mpsc::channel(16);
        Ok(Self {
            config: config.clone(),
            frontier,
            number,
            lasting,
            epochs: BTreeMap::new(),
            lease: part.lease.clone(),
            due: None,
            told: None,
            keeper,
            log: part.log.clone(),
            metrics,
            status,
            troubles: Vec::new(),
            freshness: FreshnessWindow::default(),
            sites: Vec::new(),
            sites_told: None,
            explainer: Explainer { questions: sender },
            questions,
            watch: ClockMonitor::default(),
            lost: [LostOrderDetector::fetches(), LostOrderDetector::renders()],
            awaits_readings: false,
            rejects: Vec::new(),
        })
    }

    /// Lets it end only when the extractor has read all pages too, since those that need a browser come back.
    pub fn awaits_readings(&mut self, awaits: bool) {
        self.awaits_readings = awaits;
    }

    /// The state of the crawl, renewed with every step.
    pub fn status(&self) -> watch::Receiver<CrawlStatus> {
        self.status.subscribe()
    }

    /// A way to ask this scheduler about URLs while it runs.
    pub fn explainer(&self) -> Explainer {
        self.explainer.clone()
    }

    /// Works until the frontier is drained, a limit is reached, or `stop`.
    ///
    /// # Errors
    /// The log or the store failed; the next start goes on from the last committed step.
    pub async fn run(mut self, stop: CancellationToken) -> anyhow::Result<SchedulerExit> {
        let mut positions = self.frontier.positions().clone();
        // A frontier without positions needs the log from its first record on; if that is gone, the log says so.
        for topic in INPUTS.into_iter().chain(OUTPUTS) {
            for partition in self.log.owned() {
                positions.entry((topic.to_owned(), partition)).or_insert(0);
            }
        }
        let mut reader = self
            .log
            .reader(&INPUTS, StartOffset::At(positions.clone()))
            .await
            .context("the frontier does not fit the log beside it")?;
        let takeover = Takeover::of(self.log.as_ref(), &mut self.frontier, &self.metrics.unreadable);
        self.epochs = takeover.run(&mut positions, self.lasting).await?;
        if let Some(keeper) = &mut self.keeper {
            keeper.begin(self.epochs.get(&self.number).copied().unwrap_or(0));
        }
        if self.frontier.config().max_renders == 0 {
            self.frontier.take_back_renders(now_ms())?;
        }
        info!(?positions, "scheduler started");
        let ended = self.work(reader.as_mut(), &mut positions, &stop).await?;
        // `next` may have settled URLs (disallowed ones) since the last step.
        self.frontier.commit(&positions)?;
        self.tell_last(&positions).await?;
        self.metrics.forget(self.number);
        info!(?ended, "scheduler stopped");
        Ok(ended)
    }

    /// Tells the log how far this scheduler came, copying the frontier before if it is copied at all.
    async fn tell_last(&mut self, positions: &Positions) -> Result<(), LogError> {
        let Some(keeper) = &mut self.keeper else { return self.log.commit(GROUP, positions).await };
        // Who lost its part to another has nothing to hand over.
        if self.lease.holds() && keeper.finish(&mut self.frontier).await {
            self.log.commit(GROUP, keeper.covered()).await?;
        }
        Ok(())
    }

    /// Tells the log now and then how far this scheduler is: the state remembers its own positions, these free old records
    /// and show the lag. With copies no further than the newest one reaches, for who has only that must find the rest.
    async fn tell(&mut self, positions: &Positions) -> Result<(), LogError> {
        if self.keeper.is_none() && self.told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            self.log.commit(GROUP, positions).await?;
            self.told = Some(Instant::now());
        }
        Ok(())
    }

    async fn work(
        &mut self,
        reader: &mut dyn LogReader,
        positions: &mut Positions,
        stop: &CancellationToken,
    ) -> anyhow::Result<SchedulerExit> {
        let mut wait = Duration::ZERO;
        loop {
            self.until_ours(stop).await;
            let batch = tokio::select! {
                batch = reader.poll(self.config.batch, wait) => batch?,
                () = stop.cancelled() => return Ok(SchedulerExit::Stopped),
                Some((url, reply)) = self.questions.recv() => {
                    // Who asked may be gone.
                    let _ = reply.send(self.frontier.explain(&url, now_ms())?);
                    continue;
                }
            };
            // What was read while the part may have been somebody else's may be of that one's doing: outcomes of orders that this
            // state does not know. It counts only if the part is surely ours now.
            self.until_ours(stop).await;
            if !self.lease.holds() {
                return Ok(SchedulerExit::Stopped);
            }
            let idle = batch.is_empty();
            positions.extend(reader.positions());
            wait = match self.step(batch, positions).await? {
                NextAction::Order(_) => Duration::ZERO,
                NextAction::WaitUntil(time) => Duration::from_millis(time.saturating_sub(now_ms())).min(LONGEST_WAIT),
                NextAction::Busy | NextAction::Paused => LONGEST_WAIT,
                NextAction::Drained | NextAction::LimitReached
                    if !idle || !self.log.is_read(&INPUTS, &reader.positions()).await? =>
                {
                    Duration::ZERO
                }
                NextAction::Drained | NextAction::LimitReached if self.lasting => LONGEST_WAIT,
                NextAction::Drained | NextAction::LimitReached
                    if !self.is_all_extracted(&reader.positions()).await? =>
                {
                    READ_POLL
                }
                NextAction::Drained => return Ok(SchedulerExit::Drained),
                NextAction::LimitReached => return Ok(SchedulerExit::LimitReached),
            };
            if let Some(due) = self.due {
                wait = wait.min(due.saturating_duration_since(Instant::now()));
            }
        }
    }

    /// Whether no page is left for the extractor, and what it asked for is read; always where nobody asks it.
    async fn is_all_extracted(&self, read: &Positions) -> Result<bool, LogError> {
        if !self.awaits_readings {
            return Ok(true);
        }
        // In this order: what it wrote before its last commit is in the log then.
        Ok(self.log.lag(groups::EXTRACTOR, topics::PAGES).await? == 0 && self.log.is_read(&INPUTS, read).await?)
    }

    async fn until_ours(&self, stop: &CancellationToken) {
        while !self.lease.holds() && !stop.is_cancelled() {
            tokio::time::sleep(LEASE_POLL).await;
        }
    }

    /// Applies a batch, appends what is due, commits now and then; tells what comes next.
    async fn step(&mut self, batch: Vec<ConsumerRecord>, positions: &mut Positions) -> anyhow::Result<NextAction> {
        let idle = batch.is_empty();
        // The store reads and writes files: other tasks must not wait for it.
        let (orders, next) = tokio::task::block_in_place(|| self.apply(batch))?;
        let referred = convert::referrals(self.frontier.take_referrals(), now_ms());
        let notices = convert::notices(self.frontier.take_notices(), now_ms());
        let removed = convert::removals(self.frontier.take_departed(), now_ms());
        if !referred.is_empty() {
            self.log.append(referred).await.context("could not write links")?;
        }
        if !notices.is_empty() {
            self.log.append(notices).await.context("could not write notices")?;
        }
        if !removed.is_empty() {
            self.log.append(removed).await.context("could not write removals")?;
        }
        let taken_down = convert::takedowns(self.frontier.take_taken_down(), self.log.partitions(), now_ms());
        if !taken_down.is_empty() {
            self.log.append(taken_down).await.context("could not write takedowns")?;
        }
        if !self.rejects.is_empty() {
            self.log.append(std::mem::take(&mut self.rejects)).await.context("could not write rejects")?;
        }
        if !idle || !orders.is_empty() {
            let places = self.log.append(orders).await.context("could not write orders")?;
            if self.lasting {
                let epoch = self.epochs.get(&self.number).copied().unwrap_or(0);
                for topic in OUTPUTS {
                    fence::check(self.log.as_ref(), GROUP, topic, positions, &places, self.number, epoch).await?;
                }
            }
            for place in places {
                positions.insert((place.topic.to_owned(), place.partition), place.position + 1);
            }
            self.due.get_or_insert_with(|| Instant::now() + COMMIT_EVERY);
        }
        if self.due.is_some_and(|due| due <= Instant::now()) {
            tokio::task::block_in_place(|| self.commit(positions))?;
            self.tell(positions).await?;
        }
        if let Some(keeper) = &mut self.keeper
            && keeper.turn(&mut self.frontier).await
        {
            self.log.commit(GROUP, keeper.covered()).await?;
        }
        for lost in &mut self.lost {
            lost.turn(self.log.as_ref(), &mut self.frontier, positions, now_ms(), &self.metrics).await?;
        }
        if self.sites_told.is_none_or(|told| told.elapsed() >= TELL_SITES_EVERY) {
            self.sites = self.sites_now()?;
            self.sites_told = Some(Instant::now());
        }
        let (troubles, sites) = (self.troubles.clone(), self.sites.clone());
        let freshness = self.freshness.summary(now_ms());
        let next_turn = if let NextAction::WaitUntil(turn) = next { Some(turn) } else { None };
        let status = CrawlStatus { troubles, sites, freshness, next_turn, ..status_of(&self.frontier) };
        self.metrics.show(self.number, &status);
        self.status.send_replace(status);
        Ok(next)
    }

    /// The sites that matter now, each with what went wrong there.
    fn sites_now(&mut self) -> Result<Vec<SiteStatus>, FrontierError> {
        let sites = self.frontier.site_activity(SHOWN_SITES, now_ms())?;
        Ok(SiteStatus::all(sites, &self.troubles))
    }

    fn commit(&mut self, positions: &Positions) -> Result<(), FrontierError> {
        let cpu = ThreadTime::now();
        self.frontier.commit(positions)?;
        self.due = None;
        self.metrics.cpu.inc_by(cpu.elapsed().as_secs_f64());
        self.metrics.commits.inc();
        Ok(())
    }

    fn apply(&mut self, mut batch: Vec<ConsumerRecord>) -> anyhow::Result<(Vec<ProducerRecord>, NextAction)> {
        let (now, cpu) = (now_ms(), ThreadTime::now());
        // Seeds go first where both are read again after a crash: they widen the scope that judges what an answer leads to.
        batch.sort_by_key(|stored| stored.place.topic != topics::LINKS);
        for stored in batch {
            match stored.place.topic {
                topics::LINKS if holds(&stored, MessageKind::Notice) => self.apply_notice(&stored, now)?,
                topics::LINKS if holds(&stored, MessageKind::Control) => self.apply_control(&stored, now)?,
                topics::LINKS => self.apply_links(&stored, now)?,
                _ => self.apply_outcome(&stored, now)?,
            }
        }
        let mut records = Vec::new();
        let mut next = NextAction::Busy;
        while self.frontier.stats().in_flight < self.config.max_in_flight && records.len() < self.config.batch {
            next = self.frontier.next(now)?;
            match next {
                NextAction::Order(order) => {
                    next = NextAction::Busy;
                    if order.kind.is_wish() {
                        // The seeds are to be in the state before the answer comes.
                        self.due = Some(Instant::now());
                    }
                    records.push(self.record(*order));
                }
                _ => break,
            }
        }
        self.watch_clock(now);
        self.metrics.cpu.inc_by(cpu.elapsed().as_secs_f64());
        Ok((records, next))
    }

    fn watch_clock(&mut self, now: u64) {
        match self.watch.look(now, Instant::now(), self.frontier.clock_behind()) {
            Some(ClockJump::Back(millis)) => {
                let by = Duration::from_millis(millis);
                warn!(?by, "the clock was set back: pauses go on from the time before");
            }
            Some(ClockJump::Ahead(millis)) => {
                let by = Duration::from_millis(millis);
                warn!(?by, "the clock was set ahead, or the machine slept: what became due meanwhile is due");
            }
            None => {}
        }
    }

    fn record(&self, order: FetchOrder) -> ProducerRecord {
        let mut message = convert::message(order, 0);
        let url = CanonicalUrl::parse(message.subject(), None);
        let key = url.as_ref().map_or(message.subject(), CanonicalUrl::registrable_domain).to_owned();
        let partition = partition_of(key.as_bytes(), self.log.partitions());
        message.epoch = self.epochs.get(&partition).copied().unwrap_or(0);
        debug!(url = message.url, order = message.id, attempt = message.attempt, "order given");
        self.metrics.orders.of(message.kind).inc();
        let topic = if message.kind == FetchKind::Render { topics::RENDERS } else { topics::ORDERS };
        ProducerRecord { topic, key, payload: encode(&message) }
    }

    fn apply_outcome(&mut self, stored: &ConsumerRecord, now: u64) -> anyhow::Result<()> {
        let effect = match decode::<FetchOutcome>(&stored.payload) {
            Ok(message) => {
                let is_named = message.kind == FetchKind::Sitemap && self.names_sitemap(&message.url)?;
                let trouble = FetchProblem::of(&message, is_named);
                let applied = self.frontier.outcome(&convert::outcome(message), now)?;
                if let Some(trouble) = trouble {
                    FetchProblem { again: applied == OutcomeEffect::Retry, ..trouble }.note(&mut self.troubles);
                }
                match applied {
                    OutcomeEffect::Final => AppliedEffect::Final,
                    OutcomeEffect::Retry => AppliedEffect::Retry,
                    OutcomeEffect::Stale => AppliedEffect::Stale,
                }
            }
            Err(error) => {
                self.rejects.push(self.metrics.unreadable.note(stored, &error));
                AppliedEffect::Unreadable
            }
        };
        self.metrics.outcomes.of(effect).inc();
        Ok(())
    }

    fn names_sitemap(&mut self, url: &str) -> anyhow::Result<bool> {
        let Ok(url) = CanonicalUrl::parse(url, None) else { return Ok(false) };
        Ok(self.frontier.names_sitemap(&url)?)
    }

    fn apply_notice(&mut self, stored: &ConsumerRecord, now: u64) -> anyhow::Result<()> {
        let message = match decode::<Notice>(&stored.payload) {
            Ok(message) => message,
            Err(error) => {
                self.rejects.push(self.metrics.unreadable.note(stored, &error));
                return Ok(());
            }
        };
        if let News::Indexed { published } = message.news {
            return self.note_indexed(&message.url, published, message.at, now);
        }
        let Some(notice) = convert::notice(message) else { return Ok(()) };
        if !self.frontier.notice(&notice, now)? {
            warn!(subject = notice.subject(), "a notice about the domain of another partition is refused");
        }
        Ok(())
    }

    /// Notes how long after its publication a page can be found, where that says something of the crawl.
    fn note_indexed(&mut self, url: &str, published: Option<u64>, at: u64, now: u64) -> anyhow::Result<()> {
        let Ok(url) = CanonicalUrl::parse(url, None) else { return Ok(()) };
        if let Some(delay) = self.frontier.found(&url, published, at, now)? {
            debug!(url = url.as_str(), delay, "found after publication");
            self.metrics.publication_to_hit.observe(delay as f64 / 1000.0);
            self.freshness.note(at, delay);
        }
        Ok(())
    }

    fn apply_control(&mut self, stored: &ConsumerRecord, now: u64) -> anyhow::Result<()> {
        let command = match decode::<ControlCommand>(&stored.payload) {
            Ok(command) => command,
            Err(error) => {
                self.rejects.push(self.metrics.unreadable.note(stored, &error));
                return Ok(());
            }
        };
        info!(action = ?command.action, target = command.target, "told by the operator");
        let site = Some(command.target.as_str()).filter(|site| !site.is_empty());
        match (command.action, Takedown::parse(&command.target)) {
            (ControlAction::Pause, _) => self.frontier.pause(site),
            (ControlAction::Resume, _) => self.frontier.resume(site)?,
            (ControlAction::TakeDown, Ok(takedown)) => self.frontier.take_down(&takedown, now)?,
            (ControlAction::TakeDown, Err(error)) => {
                self.rejects.push(self.metrics.unreadable.note(stored, &error));
            }
        }
        self.due = Some(Instant::now());
        Ok(())
    }

    fn apply_links(&mut self, stored: &ConsumerRecord, now: u64) -> anyhow::Result<()> {
        let message = match decode::<OutlinkBatch>(&stored.payload) {
            Ok(message) => message,
            Err(error) => {
                self.rejects.push(self.metrics.unreadable.note(stored, &error));
                return Ok(());
            }
        };
        let mut new = Vec::new();
        for link in &message.links {
            let offered = match link.kind {
                FetchKind::Render => self.frontier.offer_render(&link.url, link.modified_at.unwrap_or(0), now)?,
                _ => self.frontier.offer_found(&convert::link(link), &message.from, now)?,
            };
            let result = match offered {
                AdmissionResult::New => {
                    if link.kind == FetchKind::Page {
                        new.push((link.url.as_str(), link.modified_at));
                    }
                    "new"
                }
                AdmissionResult::Known => {
                    if let Some(modified_at) = link.modified_at.filter(|_| link.kind == FetchKind::Page) {
                        self.frontier.modified(&link.url, modified_at, now)?;
                    }
                    "known"
                }
                AdmissionResult::Rejected(reason @ LinkRejection::NotOwn) => {
                    warn!(
                        url = link.url,
                        from = message.from,
                        "a link into the domain of another partition is refused"
                    );
                    reason.name()
                }
                AdmissionResult::Rejected(reason) => {
                    debug!(url = link.url, from = message.from, ?reason, "link rejected");
                    reason.name()
                }
            };
            self.metrics.links.of(result).inc();
        }
        // All are of one domain, so that one link speaks for them.
        if let Some(link) = message.links.first() {
            self.frontier.linked(&message.from, &link.url);
        }
        if !new.is_empty() {
            self.frontier.brought_pages(&message.from, message.found_at, &new)?;
        }
        Ok(())
    }
}

/// Whether a record of `links` holds a message of this kind, and no links.
fn holds(stored: &ConsumerRecord, kind: MessageKind) -> bool {
    peek(&stored.payload).is_ok_and(|(found, _)| found == kind)
}

fn status_of(frontier: &Frontier) -> CrawlStatus {
    let stats = frontier.stats();
    let pages = &stats.pages;
    let nothing_new = pages.failed.get(&FailureKind::NothingNew).copied().unwrap_or(0);
    let host = |url: &str| CanonicalUrl::parse(url, None).map(|url| url.authority().to_owned()).ok();
    CrawlStatus {
        known: pages.known,
        queued: pages.queued + pages.retrying,
        in_flight: stats.in_flight,
        done: pages.done,
        failed: pages.failed_total() - nothing_new,
        unreached: pages.failed.iter().filter(|(kind, _)| kind.is_unreached()).map(|(_, n)| n).sum(),
        nothing_new,
        disallowed: pages.disallowed,
        redirected: pages.redirected,
        to_render: stats.renders.queued + stats.renders.leased + stats.renders.retrying,
        hosts: frontier.in_flight().take(SHOWN_HOSTS).filter_map(|(_, url)| host(url)).collect(),
        next_turn: None,
        paused: frontier.paused().map(str::to_owned).collect(),
        troubles: Vec::new(),
        freshness: None,
        sites: Vec::new(),
    }
}
