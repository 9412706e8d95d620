//! The commit payload: up to where the input is in the index.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The next input position to read, by topic and partition.
pub type Positions = BTreeMap<(String, u32), u64>;

/// What stands as JSON in the commit: `{"version":1,"positions":{"documents":{"0":1234}}}`.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    version: u32,
    positions: BTreeMap<String, BTreeMap<u32, u64>>,
}

/// Writes positions as the payload of a commit.
pub(crate) fn encode(positions: &Positions) -> String {
    let mut nested: BTreeMap<String, BTreeMap<u32, u64>> = BTreeMap::new();
    for ((topic, partition), &next) in positions {
        nested.entry(topic.clone()).or_default().insert(*partition, next);
    }
    serde_json::to_string(&Payload { version: 1, positions: nested }).expect("maps of numbers have a JSON form")
}

/// Reads positions back; an index that was never committed has none.
pub(crate) fn decode(payload: Option<&str>) -> Result<Positions, serde_json::Error> {
    let Some(payload) = payload else { return Ok(Positions::new()) };
    let payload: Payload = serde_json::from_str(payload)?;
    let flat = payload.positions.into_iter().flat_map(|(topic, partitions)| {
        partitions.into_iter().map(move |(partition, next)| ((topic.clone(), partition), next))
    });
    Ok(flat.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_went_in() {
        let positions = Positions::from([(("a".into(), 0), 7), (("a".into(), 3), u64::MAX), (("b \"".into(), 1), 0)]);
        assert_eq!(decode(Some(&encode(&positions))).unwrap(), positions);
        assert_eq!(decode(None).unwrap(), Positions::new());
        assert!(decode(Some("junk")).is_err());
    }
}
