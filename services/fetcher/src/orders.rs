//! The loop of whoever fulfils orders: take them, keep many under way, commit what is done. A crash is found out from the outcomes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_log::{ConsumerRecord, Log, LogError, LogReader, RecordOffset, StartOffset};
use gristmill_proto::{Epochs, FetchOrder, FetchOutcome, Instruction, decode};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::epochs;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use prometheus::IntCounter;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::progress::OrderOffsets;

/// How often progress is committed: what a crash repeats is bounded by outcomes, not by this.
const COMMIT_EVERY: Duration = Duration::from_millis(500);

/// Longest wait for the next order before the loop looks around.
const ORDER_WAIT: Duration = Duration::from_secs(1);

/// How often work that must not begin yet looks whether it may.
const LEASE_POLL: Duration = Duration::from_millis(20);

/// Where orders come from and outcomes go to. Both topics have the same keys, so that an order and its outcome stand in the
/// partition of the same number.
#[derive(Debug, Clone, Copy)]
pub struct OrderTopics {
    /// Consumer group, and name of the service.
    pub group: &'static str,
    /// Topic of the orders.
    pub orders: &'static str,
    /// Topic of their outcomes.
    pub outcomes: &'static str,
}

/// An order to be fulfilled.
pub struct AssignedOrder {
    /// What is to be done.
    pub order: FetchOrder,
    /// How long to wait before: the run before may have been asking for this page when it died.
    pub pause: Duration,
    /// Whose log it is, and for how long it is ours.
    pub part: PartitionAssignment,
}

/// Fulfils orders. Clones share their limits and counters.
pub trait OrderExecutor: Clone + Send + Sync + 'static {
    /// The topics.
    fn channel(&self) -> OrderTopics;

    /// Most orders under way at once.
    fn most(&self) -> usize;

    /// Counts orders that a scheduler gave after another one had taken its place.
    fn stale(&self) -> &IntCounter;

    /// Counts records of both topics that could not be read.
    fn unreadable(&self) -> &DecodeErrorCounter;

    /// Waits as long as later stages have too much before them.
    fn ready(&self) -> impl Future<Output = Result<(), LogError>> + Send;

    /// Fulfils an order, and appends all that comes of it with its outcome last; the outcome's position, or `None` if the order
    /// was not begun and will not be here.
    fn fulfil(self, given: AssignedOrder) -> impl Future<Output = anyhow::Result<Option<u64>>> + Send;
}

/// What an earlier run left: orders with outcome, and from where on orders are this run's own.
struct Earlier {
    /// Ids, with the position of the outcome.
    done: HashMap<u64, u64>,
    /// By partition of `orders`, the position after the last order that an earlier run may have begun.
    begun: Vec<u64>,
    /// By partition, whose orders count.
    epochs: BTreeMap<u32, Epochs>,
}

/// How an order ended for the one who keeps the books.
enum Ended {
    /// Its records are in the log, the outcome at this position.
    Reported { place: RecordOffset, outcome_at: u64 },
    /// There is nothing to be done: the order at this position cannot be read, and that is told.
    Unreadable { place: RecordOffset },
    /// It was not begun, and will not be here.
    GivenUp,
}

type Running = JoinSet<anyhow::Result<Ended>>;

/// Works until `stop`, then finishes what is under way and returns.
///
/// # Errors
/// The log failed: orders that were taken come again at the next start.
pub async fn run<W: OrderExecutor>(worker: W, log: &Arc<dyn Log>, stop: CancellationToken) -> anyhow::Result<()> {
    let OrderTopics { group, orders, .. } = worker.channel();
    partition_workers::run(log, group, orders, stop, move |part| work_on(worker.clone(), part)).await
}

/// Waits until `part` is surely ours, so that whoever may have it by now does not meet our request at the same server. False when
/// the order had better be left to the one who has the part next.
pub async fn may_begin(part: &PartitionAssignment) -> bool {
    while !part.lease.holds() {
        if part.stop.is_cancelled() {
            return false;
        }
        tokio::time::sleep(LEASE_POLL).await;
    }
    // Where partitions are divided, what is not begun is better begun by the one who has them next.
    !(part.partition.is_some() && part.stop.is_cancelled())
}

/// Works on a part until it goes elsewhere, finishing what is under way; when it is lost, giving that up.
async fn work_on<W: OrderExecutor>(worker: W, part: PartitionAssignment) -> anyhow::Result<()> {
    let channel = worker.channel();
    let (mut progress, mut earlier) = recover(channel, part.log.as_ref(), worker.unreadable()).await?;
    let mut orders = part.log.reader(&[channel.orders], StartOffset::Group(channel.group)).await?;
    let mut running = Running::new();
    let mut commit = tokio::time::interval(COMMIT_EVERY);
    let mut committed = progress.positions();
    info!(group = channel.group, known_outcomes = earlier.done.len(), "worker on orders started");
    loop {
        let stopping = part.stop.is_cancelled();
        if stopping && running.is_empty() {
            break;
        }
        let room = worker.most().saturating_sub(running.len());
        tokio::select! {
            Some(ended) = running.join_next() => {
                match ended.context("a task failed")?? {
                    Ended::Reported { place, outcome_at } => progress.finish(&place, outcome_at),
                    Ended::Unreadable { place } => progress.pass(&place, None),
                    Ended::GivenUp => {}
                }
            }
            _ = commit.tick() => {
                let positions = progress.positions();
                if positions != committed {
                    part.log.commit(channel.group, &positions).await?;
                    committed = positions;
                }
            }
            taken = take(&worker, orders.as_mut(), room), if room > 0 && !stopping => {
                for stored in taken? {
                    start(&worker, stored, &mut earlier, &mut progress, &mut running, &part);
                }
            }
            () = part.stop.cancelled(), if !stopping => {}
            () = part.lost.cancelled() => {
                running.shutdown().await;
                break;
            }
        }
    }
    if !part.lost.is_cancelled() {
        part.log.commit(channel.group, &progress.positions()).await?;
    }
    info!(group = channel.group, "worker on orders stopped");
    Ok(())
}

async fn take<W: OrderExecutor>(
    worker: &W,
    orders: &mut dyn LogReader,
    room: usize,
) -> Result<Vec<ConsumerRecord>, LogError> {
    worker.ready().await?;
    orders.poll(room, ORDER_WAIT).await
}

fn start<W: OrderExecutor>(
    worker: &W,
    stored: ConsumerRecord,
    earlier: &mut Earlier,
    progress: &mut OrderOffsets,
    running: &mut Running,
    part: &PartitionAssignment,
) {
    let place = stored.place.clone();
    progress.take(&place);
    let order = match Instruction::read(&stored.payload) {
        Ok(instruction) => {
            let counts = earlier.epochs.entry(place.partition).or_default().take(&instruction);
            match instruction {
                Instruction::Order(_) if !counts => {
                    worker.stale().inc();
                    return progress.pass(&place, None);
                }
                Instruction::Order(order) => match earlier.done.get(&order.id) {
                    Some(outcome) => return progress.pass(&place, Some(*outcome)),
                    None => *order,
                },
                Instruction::Claim(_) => return progress.pass(&place, None),
            }
        }
        Err(error) => {
            let (log, reject) = (part.log.clone(), worker.unreadable().note(&stored, &error));
            running.spawn(async move {
                log.append(vec![reject]).await.context("could not write rejects")?;
                Ok(Ended::Unreadable { place })
            });
            return;
        }
    };
    let begun = earlier.begun.get(place.partition as usize).is_some_and(|end| place.position < *end);
    let pause = if begun { Duration::from_millis(order.pause) } else { Duration::ZERO };
    let (worker, given) = (worker.clone(), AssignedOrder { order, pause, part: part.clone() });
    running.spawn(async move {
        let outcome_at = worker.fulfil(given).await?;
        Ok(outcome_at.map_or(Ended::GivenUp, |outcome_at| Ended::Reported { place, outcome_at }))
    });
}

/// Reads which orders behind the committed position have their outcome in the log already.
async fn recover(
    channel: OrderTopics,
    log: &dyn Log,
    unreadable: &DecodeErrorCounter,
) -> anyhow::Result<(OrderOffsets, Earlier)> {
    let OrderTopics { group, orders, outcomes } = channel;
    let mut reader = log.reader(&[outcomes], StartOffset::Group(group)).await?;
    let positions = log.reader(&[orders], StartOffset::Group(group)).await?.positions();
    let begun = log.ends(orders).await?;
    let mut progress = OrderOffsets::of(channel);
    let started = reader.positions();
    for ((_, partition), position) in &positions {
        let outcome = started.get(&(outcomes.to_owned(), *partition)).copied().unwrap_or(0);
        let begun = begun.get(*partition as usize).copied().unwrap_or(0);
        progress.start(*partition, *position, outcome, begun);
    }
    let ends = log.ends(outcomes).await?;
    let mut done = HashMap::new();
    let behind = |reader: &dyn LogReader| {
        reader.positions().iter().any(|((_, partition), position)| ends[*partition as usize] > *position)
    };
    while behind(reader.as_ref()) {
        for stored in reader.poll(1024, Duration::from_secs(1)).await? {
            match decode::<FetchOutcome>(&stored.payload) {
                Ok(outcome) => drop(done.insert(outcome.order_id, stored.place.position)),
                Err(error) => drop(log.append(vec![unreadable.note(&stored, &error)]).await?),
            }
        }
    }
    let epochs = epochs::before(log, orders, &positions).await?;
    Ok((progress, Earlier { done, begun, epochs }))
}
