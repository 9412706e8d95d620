//! Which epoch a partition of a topic of orders is in, for one who begins to read in the middle of it.

use std::collections::BTreeMap;
use std::time::Duration;

use gristmill_log::{Log, LogError, Positions, StartOffset};
use gristmill_proto::{Epochs, Instruction};

/// Records looked at before a position. Every order carries its epoch, so one order of the last claimant would do;
/// a predecessor that does not know of its end writes few more before its group tells it.
const LOOK_BACK: u64 = 256;

/// Longest wait for a record that is known to be there.
const PATIENCE: Duration = Duration::from_secs(30);

/// The epochs of the partitions of `orders`, a topic of them, in `positions`, as of these positions.
///
/// # Errors
/// The log failed, or a position is beyond its end.
pub async fn before(
    log: &dyn Log,
    orders: &'static str,
    positions: &Positions,
) -> Result<BTreeMap<u32, Epochs>, LogError> {
    let of_orders = || positions.iter().filter(|((topic, _), _)| topic == orders);
    let partitions: Vec<u32> = of_orders().map(|((_, partition), _)| *partition).collect();
    let mut start: Positions =
        of_orders().map(|(key, position)| (key.clone(), position.saturating_sub(LOOK_BACK))).collect();
    let mut reader = loop {
        match log.reader_of(&[orders], &partitions, StartOffset::At(start.clone())).await {
            Ok(reader) => break reader,
            Err(LogError::OutOfRange { partition, wanted, oldest, topic, next }) => {
                let key = (orders.to_owned(), partition);
                // What is looked back at may be dropped; what is looked for may not.
                if wanted >= oldest || oldest > positions[&key] {
                    return Err(LogError::OutOfRange { partition, wanted, oldest, topic, next });
                }
                start.insert(key, oldest);
            }
            Err(error) => return Err(error),
        }
    };
    let mut epochs: BTreeMap<u32, Epochs> =
        partitions.iter().map(|partition| (*partition, Epochs::default())).collect();
    let begun = tokio::time::Instant::now();
    while reader.positions().iter().any(|(key, position)| position < &positions[key]) && begun.elapsed() < PATIENCE {
        for stored in reader.poll(1024, Duration::from_secs(1)).await? {
            let place = &stored.place;
            let wanted = place.position < positions[&(orders.to_owned(), place.partition)];
            if let (true, Ok(instruction)) = (wanted, Instruction::read(&stored.payload)) {
                epochs.entry(place.partition).or_default().take(&instruction);
            }
        }
    }
    Ok(epochs)
}
