//! Taking over partitions: what a predecessor ordered is adopted, and a claim ends its time.
//!
//! A predecessor may be alive and not know that its partitions went elsewhere: it was frozen, or cut off. The claim
//! stands in the same partition as the orders, so that every reader agrees which orders came too late.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use gristmill_frontier::Frontier;
use gristmill_log::{Log, LogError, LogReader, Positions, ProducerRecord, StartOffset, partition_of};
use gristmill_proto::{Epochs, Instruction, PartitionClaim, encode, topics};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::epochs;
use tracing::{info, warn};

use crate::convert;

/// Longest wait for records that are known to be there, before the ends are looked at again.
const WAIT: Duration = Duration::from_secs(1);

/// The orders of one topic, as they are read back.
struct Orders {
    topic: &'static str,
    reader: Box<dyn LogReader>,
    epochs: BTreeMap<u32, Epochs>,
}

impl Orders {
    /// Those behind `positions`; a topic that has no place there is not of this log.
    async fn read(log: &dyn Log, topic: &'static str, positions: &Positions) -> anyhow::Result<Self> {
        let epochs = epochs::before(log, topic, positions).await?;
        Ok(Self { topic, reader: log.reader(&[topic], StartOffset::At(positions.clone())).await?, epochs })
    }
}

/// Takes over the partitions of a log.
pub(crate) struct Takeover<'a> {
    pub(crate) log: &'a dyn Log,
    pub(crate) frontier: &'a mut Frontier,
    unreadable: &'a DecodeErrorCounter,
    /// Orders that were adopted.
    adopted: u64,
    /// Orders of a predecessor whose time was over.
    refused: u64,
}

impl<'a> Takeover<'a> {
    pub(crate) fn of(log: &'a dyn Log, frontier: &'a mut Frontier, unreadable: &'a DecodeErrorCounter) -> Self {
        Self { log, frontier, unreadable, adopted: 0, refused: 0 }
    }

    /// Adopts the orders behind `positions`, which it moves on, and claims the partitions if they may have had another owner.
    /// Returns the epoch of each partition.
    pub(crate) async fn run(mut self, positions: &mut Positions, claims: bool) -> anyhow::Result<BTreeMap<u32, u64>> {
        let mut fetches = Orders::read(self.log, topics::ORDERS, positions).await?;
        let mut renders = Orders::read(self.log, topics::RENDERS, positions).await?;
        for orders in [&mut fetches, &mut renders] {
            let ends = self.log.ends(orders.topic).await?;
            for partition in self.log.owned() {
                self.read_to(orders, partition, ends[partition as usize]).await?;
            }
        }
        if claims {
            for partition in self.log.owned() {
                let epoch = self.claim(&mut fetches, partition).await?;
                self.claim_renders(&mut renders, partition, epoch).await?;
            }
        }
        for orders in [&fetches, &renders] {
            positions.extend(orders.reader.positions());
        }
        if self.adopted + self.refused > 0 {
            info!(adopted = self.adopted, refused = self.refused, "orders of an earlier owner read back");
        }
        self.frontier.commit(positions)?;
        Ok(fetches.epochs.into_iter().map(|(partition, epochs)| (partition, epochs.highest())).collect())
    }

    /// Appends claims until one of them stands first in its epoch, which it answers.
    async fn claim(&mut self, orders: &mut Orders, partition: u32) -> anyhow::Result<u64> {
        loop {
            let epoch = orders.epochs.get(&partition).map_or(0, Epochs::highest) + 1;
            if self.claims(orders, partition, epoch).await? {
                info!(partition, epoch, "partition claimed");
                return Ok(epoch);
            }
            warn!(partition, epoch, "another scheduler claimed the partition at the same time");
        }
    }

    /// Claims the partition of `renders` for the epoch that was won in `orders`.
    async fn claim_renders(&mut self, renders: &mut Orders, partition: u32, epoch: u64) -> anyhow::Result<()> {
        if self.claims(renders, partition, epoch).await? {
            return Ok(());
        }
        let reason = format!("another scheduler claimed partition {partition} after our epoch {epoch} had begun");
        Err(LogError::Fenced { group: topics::groups::SCHEDULER.to_owned(), reason }.into())
    }

    /// Appends a claim and reads up to it; whether it counts.
    async fn claims(&mut self, orders: &mut Orders, partition: u32, epoch: u64) -> anyhow::Result<bool> {
        let claim = PartitionClaim { partition, epoch, owner: random(), at: now_ms() };
        let key = key_of(partition, self.log.partitions());
        let record = ProducerRecord { topic: orders.topic, key, payload: encode(&claim) };
        let places = self.log.append(vec![record]).await.context("could not claim a partition")?;
        let place = places.first().context("an append of one record has one place")?.clone();
        let counting = self.read_to(orders, place.partition, place.position + 1).await?;
        Ok(counting.is_some_and(|counting| counting == claim))
    }

    /// Reads until `partition` is read up to `end`; the last claim of it that counts.
    async fn read_to(
        &mut self,
        orders: &mut Orders,
        partition: u32,
        end: u64,
    ) -> anyhow::Result<Option<PartitionClaim>> {
        let mut last = None;
        let Orders { topic, reader, epochs } = orders;
        let behind = |orders: &dyn LogReader| {
            let position = orders.positions().get(&((*topic).to_owned(), partition)).copied();
            position.is_some_and(|position| position < end)
        };
        while behind(reader.as_ref()) {
            for stored in reader.poll(1024, WAIT).await? {
                let instruction = match Instruction::read(&stored.payload) {
                    Ok(instruction) => instruction,
                    Err(error) => {
                        let reject = self.unreadable.note(&stored, &error);
                        self.log.append(vec![reject]).await.context("could not write rejects")?;
                        continue;
                    }
                };
                let counts = epochs.entry(stored.place.partition).or_default().take(&instruction);
                match instruction {
                    Instruction::Claim(claim) if counts && stored.place.partition == partition => last = Some(claim),
                    Instruction::Claim(_) => {}
                    Instruction::Order(order) if counts => {
                        self.frontier.adopt_order(&convert::order(*order), now_ms())?;
                        self.adopted += 1;
                    }
                    Instruction::Order(_) => self.refused += 1,
                }
            }
        }
        Ok(last)
    }
}

/// A key that belongs to `partition`: claims have no domain, but must stand among the orders of theirs.
fn key_of(partition: u32, partitions: u32) -> String {
    let keys = (0u64..).map(|n| format!("claim-{n}"));
    keys.into_iter()
        .find(|key| partition_of(key.as_bytes(), partitions) == partition)
        .expect("every partition has keys")
}

/// Enough to tell two claimants apart.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gristmill_frontier::FrontierConfig;
    use gristmill_log::{MemoryLog, PartitionView};
    use gristmill_proto::{FetchKind, FetchOrder};
    use gristmill_runtime::process::topic_specs;

    use super::*;

    fn order(id: u64, epoch: u64, host: &str) -> ProducerRecord {
        let order = FetchOrder {
            id,
            url: format!("http://{host}/{id}"),
            kind: FetchKind::Page,
            robots_for: None,
            depth: 0,
            hops: 0,
            attempt: 0,
            anchor_title: None,
            etag: None,
            last_modified: None,
            known: false,
            ordered_at: 1,
            pause: 0,
            ip_pause: 0,
            epoch,
            tdm_reserved: None,
            tdm_policy: None,
            usage: None,
            cookies: Vec::new(),
        };
        ProducerRecord { topic: topics::ORDERS, key: host.into(), payload: encode(&order) }
    }

    fn frontier() -> (tempfile::TempDir, Frontier) {
        let dir = tempfile::tempdir().unwrap();
        let frontier = Frontier::open(dir.path(), FrontierConfig::default()).unwrap();
        (dir, frontier)
    }

    fn unreadable() -> DecodeErrorCounter {
        DecodeErrorCounter::register("scheduler", &[topics::ORDERS], &prometheus::Registry::new()).unwrap()
    }

    fn start() -> Positions {
        [topics::ORDERS, topics::RENDERS].map(|topic| ((topic.to_owned(), 0), 0)).into()
    }

    #[tokio::test]
    async fn orders_of_a_predecessor_count_until_the_claim_and_not_behind_it() {
        let memory: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
        let log = PartitionView::of(memory.clone(), vec![0]);
        log.append(vec![order(1, 0, "a.example"), order(2, 0, "b.example")]).await.unwrap();
        let ((_a, mut first), (_b, mut second)) = (frontier(), frontier());
        let mut positions = start();
        let epochs = Takeover::of(log.as_ref(), &mut first, &unreadable()).run(&mut positions, true).await.unwrap();
        assert_eq!(epochs[&0], 1);
        assert_eq!(first.stats().in_flight, 2, "what was ordered before is adopted");
        log.append(vec![order(3, 1, "c.example"), order(3, 0, "late.example")]).await.unwrap();
        let epochs = Takeover::of(log.as_ref(), &mut second, &unreadable()).run(&mut start(), true).await.unwrap();
        assert_eq!(epochs[&0], 2);
        let urls: Vec<String> = second.in_flight().map(|(_, url)| url.to_owned()).collect();
        assert!(urls.iter().all(|url| !url.contains("late")) && urls.len() == 3, "{urls:?}");
    }

    #[tokio::test]
    async fn orders_for_browsers_are_adopted_and_fenced_by_the_same_epoch() {
        let memory: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
        let log = PartitionView::of(memory.clone(), vec![0]);
        let render = |id, epoch, host: &str| {
            let url = format!("http://{host}/{id}");
            let Ok(Instruction::Order(order)) = Instruction::read(&order(id, epoch, host).payload) else { panic!() };
            let order = FetchOrder { kind: FetchKind::Render, url, ..*order };
            ProducerRecord { topic: topics::RENDERS, key: host.into(), payload: encode(&order) }
        };
        log.append(vec![order(1, 0, "a.example"), render(2, 0, "b.example")]).await.unwrap();
        let ((_a, mut first), (_b, mut second)) = (frontier(), frontier());
        let mut positions = start();
        let epochs = Takeover::of(log.as_ref(), &mut first, &unreadable()).run(&mut positions, true).await.unwrap();
        assert_eq!((epochs[&0], first.stats().in_flight, first.stats().renders.leased), (1, 2, 1));
        assert_eq!(positions[&(topics::RENDERS.to_owned(), 0)], 2, "the order and the claim");
        log.append(vec![render(3, 1, "c.example"), render(4, 0, "late.example")]).await.unwrap();
        let epochs = Takeover::of(log.as_ref(), &mut second, &unreadable()).run(&mut start(), true).await.unwrap();
        assert_eq!((epochs[&0], second.stats().renders.leased), (2, 2), "what came too late does not count");
    }

    #[tokio::test]
    async fn who_begins_behind_a_claim_still_knows_it() {
        let memory: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 1, 1 << 20));
        let log = PartitionView::of(memory, vec![0]);
        let (_dir, mut first) = frontier();
        let mut positions = start();
        Takeover::of(log.as_ref(), &mut first, &unreadable()).run(&mut positions, true).await.unwrap();
        let epochs = epochs::before(log.as_ref(), topics::ORDERS, &positions).await.unwrap();
        assert_eq!(epochs[&0].highest(), 1);
    }

    #[test]
    fn every_partition_has_a_key_for_claims() {
        for partition in 0..64 {
            assert_eq!(partition_of(key_of(partition, 64).as_bytes(), 64), partition);
        }
    }
}
