//! Notices that orders were appended behind somebody else's claim, before the state remembers them.
//!
//! A process that was frozen between its look at the lease and its append wakes up and appends. Nobody follows such orders,
//! so a state that knows them would wait for their outcomes for ever, and its place in `orders` would lie behind those of
//! the owner. The records of a partition are consecutive: what stands between our last place and the new one came from
//! somebody else, and is read.

use std::time::Duration;

use gristmill_log::{Log, LogError, Positions, RecordOffset, StartOffset};
use gristmill_proto::Instruction;

/// Longest wait for a record that is known to be there.
const WAIT: Duration = Duration::from_secs(1);

/// Checks the `places` in the topic `orders` that the owner of `partition` in `epoch` has appended, whose state stands at
/// `positions`.
///
/// # Errors
/// [`LogError::Fenced`] if a claim of a higher epoch stands before one of them.
pub(crate) async fn check(
    log: &dyn Log,
    group: &str,
    orders: &'static str,
    positions: &Positions,
    places: &[RecordOffset],
    partition: u32,
    epoch: u64,
) -> Result<(), LogError> {
    let ours = || places.iter().filter(|place| place.topic == orders && place.partition == partition);
    let Some(last) = ours().next_back() else { return Ok(()) };
    let key = (orders.to_owned(), last.partition);
    let from = positions.get(&key).copied().unwrap_or(0);
    if last.position + 1 - from == ours().count() as u64 {
        return Ok(());
    }
    let start = StartOffset::At(Positions::from([(key.clone(), from)]));
    let mut reader = log.reader_of(&[orders], &[last.partition], start).await?;
    while reader.positions()[&key] <= last.position {
        for stored in reader.poll(1024, WAIT).await? {
            if let Ok(Instruction::Claim(claim)) = Instruction::read(&stored.payload)
                && claim.epoch > epoch
                && stored.place.position < last.position
            {
                let reason = format!("a claim of epoch {} stands before our orders of epoch {epoch}", claim.epoch);
                return Err(LogError::Fenced { group: group.to_owned(), reason });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gristmill_log::{MemoryLog, ProducerRecord};
    use gristmill_proto::{PartitionClaim, encode, topics};
    use gristmill_runtime::process::topic_specs;

    use super::*;

    fn claim(epoch: u64) -> ProducerRecord {
        let claim = PartitionClaim { partition: 0, epoch, owner: 1, at: 1 };
        ProducerRecord { topic: topics::ORDERS, key: "k".into(), payload: encode(&claim) }
    }

    /// Appends ours behind `others`, at a state that stands before them.
    async fn behind(others: Vec<ProducerRecord>) -> Result<(), LogError> {
        let log = MemoryLog::new(&topic_specs(), 1, 1 << 20);
        log.append(vec![claim(1), claim(2)]).await.unwrap();
        let positions = Positions::from([((topics::ORDERS.to_owned(), 0), 2)]);
        log.append(others).await.unwrap();
        let places = log.append(vec![claim(2), claim(2)]).await.unwrap();
        check(&log, "scheduler", topics::ORDERS, &positions, &places, 0, 2).await
    }

    #[tokio::test]
    async fn orders_behind_a_higher_claim_are_noticed_and_those_behind_a_late_order_are_not() {
        assert!(behind(Vec::new()).await.is_ok());
        assert!(behind(vec![claim(1)]).await.is_ok(), "a predecessor's late record");
        assert!(matches!(behind(vec![claim(1), claim(3)]).await, Err(LogError::Fenced { .. })));
    }
}
