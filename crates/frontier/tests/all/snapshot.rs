//! A store that moved as a stream goes on as the one it was taken from.

use crate::common;

use std::path::Path;
use std::time::Duration;

use common::{Bed, answer, link, plain, seed};
use gristmill_frontier::{
    AdmissionResult, FetchResult, Frontier, FrontierError, FrontierSnapshot, NextAction, Positions, Verdict,
};
use proptest::prelude::*;

fn stream(snapshot: &FrontierSnapshot) -> Vec<u8> {
    let mut bytes = Vec::new();
    let size = snapshot.write(&mut bytes).unwrap();
    assert_eq!(size.bytes, bytes.len() as u64);
    bytes
}

fn restore(dir: &Path, mut bytes: &[u8]) -> Result<(), FrontierError> {
    Frontier::restore(dir, &plain(), &mut bytes).map(drop)
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
    let outcome =
        answer(&failed, FetchResult::Failed(gristmill_frontier::FailureKind::Fetch(Verdict::ServerError)), 500, now);
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
    restore(&place, &stream(&snapshot)).unwrap();
    drop(snapshot);
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
    let at_once = stream(&snapshot);
    for n in 0..500 {
        bed.page(&format!("http://later.com/{n}"));
    }
    bed.now += Duration::from_secs(60).as_millis() as u64;
    let order = bed.order();
    bed.ok(&order);
    bed.frontier().commit(&Positions::new()).unwrap();
    bed.page("http://never-committed.com/");
    assert!(stream(&snapshot) == at_once, "it changed after it was taken");
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    restore(&place, &at_once).unwrap();
    assert_eq!(Frontier::open(&place, plain()).unwrap().stats().pages.known, known);
}

#[test]
fn a_stream_that_is_cut_or_damaged_leaves_what_was_there() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/x");
    bed.frontier().commit(&positions()).unwrap();
    let bytes = stream(&bed.frontier().snapshot());
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("f");
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("kept"), b"x").unwrap();
    for cut in (0..bytes.len()).step_by(41) {
        let error = restore(&place, &bytes[..cut]).unwrap_err();
        assert!(matches!(error, FrontierError::SnapshotDamaged(_)), "{cut}: {error}");
    }
    for at in (0..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        restore(&place, &damaged).unwrap_err();
    }
    assert!(place.join("kept").exists() && !dir.path().join("f.restoring").exists());
    restore(&place, &bytes).unwrap();
    assert!(!place.join("kept").exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn any_bytes_get_an_answer(tail in proptest::collection::vec(any::<u8>(), 0..200), table in 0usize..3) {
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = b"GMFR\x02\0\0\0".to_vec();
        bytes.extend_from_slice([&b""[..], b"\x04urls", b"\x04meta"][table]);
        bytes.extend(tail);
        restore(&dir.path().join("f"), &bytes).unwrap_err();
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
        prop_assert!(matches!(restore(&dir.path().join("f"), &bytes), Err(FrontierError::SnapshotDamaged(_))));
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
    restore(&place, &stream(&bed.frontier().snapshot())).unwrap();
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
    restore(&place, &stream(&bed.frontier().snapshot())).unwrap();
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
