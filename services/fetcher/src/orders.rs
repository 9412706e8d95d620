//! The loop of whoever fulfils orders: take them, keep many under way, commit what is done. A crash is found out from the outcomes.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use anyhow::Context;
use gristmill_log::{ConsumerRecord, Log, LogError, LogReader, RecordOffset, StartOffset};
use gristmill_proto::{Epochs, FetchOutcome, Instruction, decode};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::epochs;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::executor::{AssignedOrder, OrderContext, OrderExecutor, OrderTopics, fulfil};
use crate::progress::OrderOffsets;

/// How often progress is committed: what a crash repeats is bounded by outcomes, not by this.
const COMMIT_EVERY: Duration = Duration::from_millis(500);

/// Longest wait for the next order before the loop looks around.
const ORDER_WAIT: Duration = Duration::from_secs(1);

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
pub(crate) async fn run<E: OrderExecutor>(executor: E, stop: CancellationToken) -> anyhow::Result<()> {
    let OrderContext { topics: OrderTopics { group, orders, .. }, log, .. } = executor.context().clone();
    partition_workers::run(&log, group, orders, stop, move |part| work_on(executor.clone(), part)).await
}

/// Works on a part until it goes elsewhere, finishing what is under way; when it is lost, giving that up.
async fn work_on<E: OrderExecutor>(executor: E, part: PartitionAssignment) -> anyhow::Result<()> {
    let OrderContext { topics: channel, most, counters, .. } = executor.context();
    let (mut progress, mut earlier) = recover(*channel, part.log.as_ref(), &counters.unreadable).await?;
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
        let room = most.saturating_sub(running.len());
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
            taken = take(executor.context(), orders.as_mut(), room), if room > 0 && !stopping => {
                for stored in taken? {
                    start(&executor, stored, &mut earlier, &mut progress, &mut running, &part);
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

async fn take(
    context: &OrderContext,
    orders: &mut dyn LogReader,
    room: usize,
) -> Result<Vec<ConsumerRecord>, LogError> {
    context.ready().await?;
    orders.poll(room, ORDER_WAIT).await
}

fn start<E: OrderExecutor>(
    executor: &E,
    stored: ConsumerRecord,
    earlier: &mut Earlier,
    progress: &mut OrderOffsets,
    running: &mut Running,
    part: &PartitionAssignment,
) {
    let (place, counters) = (stored.place.clone(), &executor.context().counters);
    progress.take(&place);
    let order = match Instruction::read(&stored.payload) {
        Ok(instruction) => {
            let counts = earlier.epochs.entry(place.partition).or_default().take(&instruction);
            match instruction {
                Instruction::Order(_) if !counts => {
                    counters.stale.inc();
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
            let (log, reject) = (part.log.clone(), counters.unreadable.note(&stored, &error));
            running.spawn(async move {
                log.append(vec![reject]).await.context("could not write rejects")?;
                Ok(Ended::Unreadable { place })
            });
            return;
        }
    };
    let begun = earlier.begun.get(place.partition as usize).is_some_and(|end| place.position < *end);
    let pause = if begun { Duration::from_millis(order.pause) } else { Duration::ZERO };
    let (executor, given) = (executor.clone(), AssignedOrder { order, pause, part: part.clone() });
    running.spawn(async move {
        let outcome_at = fulfil(&executor, given).await?;
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
