//! A store that moved as a stream goes on as the one it was taken from.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use common::{Bed, START, answer, link, plain, seed};
use gristmill_frontier::{
    AdmissionResult, FailureKind, FetchResult, Frontier, FrontierError, FrontierRestore, FrontierSnapshot, NextAction,
    Positions, SnapshotPart, Verdict,
};
use proptest::prelude::*;

/// A snapshot as it lies elsewhere.
#[derive(Clone, Default)]
struct SnapshotCopy {
    layers: Vec<Vec<u8>>,
    parts: BTreeMap<SnapshotPart, (u64, Vec<u8>)>,
}

impl SnapshotCopy {
    fn whole(snapshot: &FrontierSnapshot) -> Self {
        let mut whole = Self::default();
        whole.add(snapshot, false);
        whole
    }

    /// Goes on to a later snapshot; answers how many bytes that took.
    fn add(&mut self, snapshot: &FrontierSnapshot, only_changed: bool) -> usize {
        let mut layer = Vec::new();
        snapshot.write_tables(only_changed, &mut layer).unwrap();
        let mut n_bytes = layer.len();
        if !only_changed {
            self.layers.clear();
        }
        self.layers.push(layer);
        let before = std::mem::take(&mut self.parts);
        for part in snapshot.parts().unwrap() {
            let known = before.get(&part).cloned();
            let copied = known.unwrap_or_else(|| {
                let bytes = snapshot.read(&part).unwrap();
                n_bytes += bytes.len();
                (SnapshotPart::checksum(&bytes), bytes)
            });
            self.parts.insert(part, copied);
        }
        n_bytes
    }

    fn restore(&self, dir: &Path) -> Result<(), FrontierError> {
        let restore = FrontierRestore::begin(dir)?;
        restore.tables(&plain(), self.layers.iter().map(Vec::as_slice).collect())?;
        for (part, (checksum, bytes)) in &self.parts {
            restore.part(part, *checksum, bytes)?;
        }
        restore.finish(&plain())
    }
}

/// A frontier in the midst of work: queues, a lease, a retry, finished pages, robots.txt off.
fn busy() -> Bed {
    let mut bed = Bed::new(plain());
    bed.offer(&seed("http://a.com/"));
    for n in 0..200 {
        bed.page(&format!("http://h{}.com/p{n}", n % 7));
    }
    let done = bed.order();
    bed.ok(&done);
    let failed = bed.order();
    let now = bed.now;
    let outcome = answer(&failed, FetchResult::Failed(FailureKind::Fetch(Verdict::ServerError)), 500, now);
    bed.frontier().outcome(&outcome, now).unwrap();
    let _leased = bed.order();
    bed
}

fn positions() -> Positions {
    Positions::from([(("links".to_owned(), 3), 17), (("orders".to_owned(), 3), 4)])
}

/// Everything that a frontier does from here to its end.
fn future_of(mut frontier: Frontier, mut now: u64) -> Vec<String> {
    let mut steps: Vec<String> = frontier.in_flight().map(|(id, url)| format!("leased {id} {url}")).collect();
    for _ in 0..2_000 {
        match frontier.next(now).unwrap() {
            NextAction::Order(order) => {
                steps.push(format!("{now} {} {} {}", order.id, order.url, order.attempt));
                frontier.outcome(&answer(&order, FetchResult::Ok, 200, now), now).unwrap();
            }
            NextAction::WaitUntil(time) => now = time.max(now + 1),
            NextAction::Busy | NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
    }
    steps
}

#[test]
fn a_restored_frontier_does_what_its_origin_would_have_done() {
    let mut bed = busy();
    bed.frontier().commit(&positions()).unwrap();
    let snapshot = bed.frontier().snapshot();
    assert_eq!(snapshot.positions(), &positions());
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("frontier/p0003");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("old"), b"an older state").unwrap();
    let copied = SnapshotCopy::whole(&snapshot);
    drop(snapshot);
    copied.restore(&place).unwrap();
    assert!(!place.join("old").exists(), "what was there before is gone");
    let restored = Frontier::open(&place, plain()).unwrap();
    assert_eq!(restored.positions(), &positions());
    assert_eq!(restored.stats(), bed.frontier().stats());
    let now = bed.now + 1;
    let origin = future_of(bed.frontier.take().unwrap(), now);
    assert!(origin.len() > 150, "{}", origin.len());
    assert_eq!(future_of(restored, now), origin);
}

#[test]
fn a_snapshot_is_of_one_moment_however_late_it_is_written() {
    let mut bed = busy();
    bed.frontier().commit(&positions()).unwrap();
    let (snapshot, known) = (bed.frontier().snapshot(), bed.frontier().stats().pages.known);
    let at_once = SnapshotCopy::whole(&snapshot);
    for n in 0..500 {
        bed.page(&format!("http://later.com/{n}"));
    }
    bed.now += Duration::from_secs(60).as_millis() as u64;
    let order = bed.order();
    bed.ok(&order);
    bed.frontier().commit(&Positions::new()).unwrap();
    bed.page("http://never-committed.com/");
    let later = SnapshotCopy::whole(&snapshot);
    assert!(later.layers == at_once.layers && later.parts == at_once.parts, "it changed after it was taken");
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    at_once.restore(&place).unwrap();
    assert_eq!(Frontier::open(&place, plain()).unwrap().stats().pages.known, known);
}

/// Every 60th byte or so of what a snapshot has, so that a few dozen are tried.
fn some(bytes: &[u8], tries: usize) -> impl Iterator<Item = usize> {
    (0..bytes.len()).step_by(bytes.len() / tries + 1)
}

#[test]
fn a_snapshot_that_is_cut_or_damaged_leaves_what_was_there() {
    let mut bed = Bed::new(plain());
    for n in 0..40 {
        bed.page(&format!("http://a.com/{n}"));
    }
    bed.frontier().commit(&positions()).unwrap();
    let mut whole = SnapshotCopy::whole(&bed.frontier().snapshot());
    bed.page("http://b.com/x");
    bed.frontier().commit(&positions()).unwrap();
    whole.add(&bed.frontier().snapshot(), true);
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("kept"), b"x").unwrap();
    for layer in 0..2 {
        // Of the later one most is bits, of which one more says that a row is gone that is not.
        for at in some(&whole.layers[layer], 12) {
            let mut damaged = whole.clone();
            damaged.layers[layer].truncate(at);
            assert!(matches!(damaged.restore(&place).unwrap_err(), FrontierError::SnapshotDamaged(_)), "{at}");
            damaged = whole.clone();
            damaged.layers[layer][at] ^= 0x41;
            damaged.restore(&place).unwrap_err();
        }
    }
    for part in whole.parts.keys() {
        for wrong in [Vec::new(), vec![7; part.length as usize]] {
            let mut damaged = whole.clone();
            damaged.parts.get_mut(part).unwrap().1 = wrong;
            assert!(matches!(damaged.restore(&place).unwrap_err(), FrontierError::SnapshotDamaged(_)));
        }
        let mut damaged = whole.clone();
        damaged.parts.remove(part);
        damaged.restore(&place).unwrap_err();
    }
    for layers in [&whole.layers[..0], &whole.layers[1..], &[whole.layers[0].clone(), whole.layers[0].clone()]] {
        let damaged = SnapshotCopy { layers: layers.to_vec(), ..whole.clone() };
        assert!(matches!(damaged.restore(&place).unwrap_err(), FrontierError::SnapshotDamaged(_)));
    }
    assert!(place.join("kept").exists() && !dir.path().join("f.restoring").exists());
    whole.restore(&place).unwrap();
    assert!(!place.join("kept").exists());
}

#[test]
fn parts_are_written_into_files_of_the_store_only() {
    let dir = tempfile::tempdir().unwrap();
    let restore = FrontierRestore::begin(&dir.path().join("f")).unwrap();
    let checksum = SnapshotPart::checksum(b"x");
    for file in
        ["../x", "links/../../../../../tmp/x", "x", "seen/x", "links/000000000000000g", "/links/0000000000000001"]
    {
        let part = SnapshotPart { file: file.to_owned(), offset: 0, length: 1 };
        assert!(
            matches!(restore.part(&part, checksum, b"x").unwrap_err(), FrontierError::SnapshotDamaged(_)),
            "{file}"
        );
    }
    let part = SnapshotPart { file: "links/0000000000000001".to_owned(), offset: 1 << 63, length: 1 };
    restore.part(&part, checksum, b"x").unwrap_err();
}

/// URLs, orders, outcomes, a restart now and then: whatever a frontier does between two snapshots.
#[test]
fn each_snapshot_has_what_changed_since_the_one_before_and_makes_the_same_frontier() {
    let mut config = plain();
    (config.merge_urls, config.politeness.min_delay) = (300, Duration::ZERO);
    let mut bed = Bed::new(config);
    let mut copied = SnapshotCopy::default();
    let dir = tempfile::tempdir().unwrap();
    let mut sizes = Vec::new();
    for round in 0..8 {
        let n_urls = if round == 0 { 6_000 } else { 60 };
        for n in 0..n_urls {
            bed.page(&format!("http://h{}.com/r{round}/{n}", n % (1 + n % 70)));
            if n % 500 == 0 {
                bed.commit();
            }
        }
        for n in 0..n_urls / 20 {
            let order = bed.next_order();
            if n % 7 == 0 {
                bed.fail(&order, FailureKind::Fetch(Verdict::ServerError))
            } else {
                bed.ok(&order)
            };
        }
        bed.frontier().commit(&positions()).unwrap();
        let snapshot = bed.frontier().snapshot();
        // After a restart nobody knows what changed.
        let only_changed = snapshot.follows().is_some();
        sizes.push((only_changed, copied.add(&snapshot, only_changed)));
        assert!(only_changed || snapshot.write_tables(true, &mut Vec::new()).is_err());
        drop(snapshot);
        let place = dir.path().join(format!("f{round}"));
        copied.restore(&place).unwrap();
        let restored = Frontier::open(&place, bed.config.clone()).unwrap();
        assert_eq!(restored.stats(), bed.frontier().stats());
        if round % 4 == 3 {
            bed.reopen();
            let origin = future_of(bed.frontier.take().unwrap(), bed.now);
            assert!(future_of(restored, bed.now) == origin, "round {round}");
            bed.reopen();
        }
    }
    let changes: Vec<usize> = sizes.iter().filter(|(only_changed, _)| *only_changed).map(|(_, bytes)| *bytes).collect();
    assert!(changes.len() == 6 && changes.iter().all(|bytes| *bytes < sizes[0].1), "{sizes:?}");
}

/// Golden: written by the version before parts and layers.
#[test]
fn snapshots_of_older_versions_are_read() {
    let bytes = include_bytes!("../golden/snapshot-3");
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    for at in some(bytes, 20) {
        let error = Frontier::restore(&place, &plain(), &mut &bytes[..at]).unwrap_err();
        assert!(matches!(error, FrontierError::SnapshotDamaged(_)), "{at}: {error}");
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 0x41;
        Frontier::restore(&place, &plain(), &mut damaged.as_slice()).unwrap_err();
    }
    assert!(!place.exists() && !dir.path().join("f.restoring").exists());
    Frontier::restore(&place, &plain(), &mut &bytes[..]).unwrap();
    let mut restored = Frontier::open(&place, plain()).unwrap();
    let pages = restored.stats().pages;
    assert_eq!((pages.known, pages.queued, pages.leased, pages.done), (41, 35, 1, 5));
    assert_eq!(restored.positions(), &positions());
    for n in 0..40 {
        let url = format!("http://h{}.com/p{n}", n % 7);
        assert_eq!(restored.offer(&link(&url), START).unwrap(), AdmissionResult::Known, "{url}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn any_bytes_get_an_answer(tail in proptest::collection::vec(any::<u8>(), 0..200), table in 0usize..3) {
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = b"GMFR\x02\0\0\0".to_vec();
        bytes.extend_from_slice([&b""[..], b"\x04urls", b"\x04meta"][table]);
        bytes.extend(tail);
        Frontier::restore(&dir.path().join("f"), &plain(), &mut bytes.as_slice()).unwrap_err();
    }

    #[test]
    fn keys_out_of_order_are_refused(keys in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..4), 2..6)) {
        prop_assume!(keys.windows(2).any(|pair| pair[0] >= pair[1]));
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = b"GMFR\x02\0\0\0\x04urls".to_vec();
        for key in &keys {
            bytes.extend_from_slice(&(key.len() as u32 + 1).to_le_bytes());
            bytes.extend_from_slice(&0u32.to_le_bytes());
            bytes.extend_from_slice(key);
        }
        prop_assert!(matches!(Frontier::restore(&dir.path().join("f"), &plain(), &mut bytes.as_slice()), Err(FrontierError::SnapshotDamaged(_))));
    }
}

#[test]
fn a_restored_frontier_knows_its_urls() {
    let mut config = plain();
    config.merge_urls = 64;
    let mut bed = Bed::new(config);
    let urls: Vec<String> = (0..500).map(|n| format!("http://h{}.com/p{n}", n % 7)).collect();
    for (n, url) in urls.iter().enumerate() {
        bed.page(url);
        if n % 50 == 0 {
            bed.commit();
        }
    }
    bed.frontier().commit(&positions()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    SnapshotCopy::whole(&bed.frontier().snapshot()).restore(&place).unwrap();
    let mut restored = Frontier::open(&place, plain()).unwrap();
    for url in &urls {
        assert_eq!(restored.offer(&link(url), bed.now).unwrap(), AdmissionResult::Known, "{url}");
    }
}

#[test]
fn what_is_leased_stays_leased() {
    let mut bed = Bed::new(plain());
    bed.offer(&link("http://a.com/x"));
    let order = bed.order();
    bed.frontier().commit(&positions()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    SnapshotCopy::whole(&bed.frontier().snapshot()).restore(&place).unwrap();
    let mut restored = Frontier::open(&place, plain()).unwrap();
    assert_eq!(restored.in_flight().map(|(id, _)| id).collect::<Vec<_>>(), [order.id]);
    assert!(matches!(restored.next(bed.now).unwrap(), NextAction::Busy), "its page is not ordered again");
}

#[test]
fn orders_of_several_partitions_are_adopted_whichever_is_read_first() {
    let mut bed = Bed::new(plain());
    for host in ["a.com", "b.com", "c.com"] {
        bed.page(&format!("http://{host}/x"));
    }
    bed.frontier().commit(&positions()).unwrap();
    let orders = [bed.order(), bed.order(), bed.order()];
    bed.reopen();
    let now = bed.now;
    for order in orders.iter().rev() {
        bed.frontier().adopt_order(order, now).unwrap();
        bed.frontier().adopt_order(order, now).unwrap();
    }
    assert_eq!(bed.frontier().in_flight().count(), 3);
    assert!(matches!(bed.next(), NextAction::Busy), "one was given twice");
    for order in &orders {
        bed.ok(order);
    }
    assert!(matches!(bed.next(), NextAction::Drained));
}
