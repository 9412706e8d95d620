//! Schedulers that share nothing but brokers and a blob store: what one leaves the next one takes up.

use crate::common;

use std::time::Duration;

use common::processes::{PARTITIONS, Processes, assert_same};
use common::{Crawl, fetches};
use gristmill_log::conformance::broker;
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

/// Longest wait for the whole web to be in the index.
const LIMIT: Duration = Duration::from_secs(150);

#[test]
fn a_scheduler_whose_machine_is_gone_is_followed_by_another_that_asks_for_nothing_again() {
    let Some(address) = broker::shared() else { return };
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 8, n_pages: 60, ..TestSiteConfig::default() })).unwrap();
    let calm = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    calm.run();
    let ((calm, _), calm_fetches) = (calm.documents(), fetches(&web));
    web.clear_log();

    let store = "[scheduler]\nsnapshot_every = \"300ms\"\n[blobs]\ninline_limit = 3000\n";
    let folder = tempfile::tempdir().unwrap();
    let mut machines = Processes::of(&web, &address, &format!("{store}url = \"file://{}\"\n", folder.path().display()));
    // Each is a machine of its own, with a data directory of its own.
    let start = |machines: &mut Processes, name: &str, service| machines.start(name, service, name, None);
    // Each has its part before anything is fetched: what one has given away it knows without a snapshot.
    start(&mut machines, "first", "scheduler");
    machines.until("the first has its parts", LIMIT, |machines| machines.told("first").contains("partition claimed"));
    start(&mut machines, "second", "scheduler");
    machines.until("the second has its part", LIMIT, |machines| machines.told("second").contains("partition claimed"));
    for service in ["fetcher", "extractor", "indexer"] {
        start(&mut machines, service, service);
    }
    let all: u32 = calm_fetches.values().sum();
    machines.until("a quarter is fetched", LIMIT, |_| web.log().len() as u32 > all / 4);
    let restored = |machines: &Processes| machines.told("second").matches("frontier restored").count();
    let before = restored(&machines);
    machines.kill("first");
    // The machine is gone with its disk.
    std::fs::remove_dir_all(machines.data("first")).unwrap();
    machines.until("the other has taken over", LIMIT, |machines| restored(machines) > before);
    let at_takeover = web.log().len();
    // Another machine joins: what goes there is handed over in peace.
    start(&mut machines, "third", "scheduler");
    machines.until("the third has its part", LIMIT, |machines| machines.told("third").contains("frontier restored"));
    let at_handover = web.log().len();
    machines.until("all is indexed", LIMIT, |machines| machines.count("indexer") >= calm.len() as u64);
    // What should not be there would come now.
    std::thread::sleep(Duration::from_secs(2));
    machines.check_alive();
    println!("{all} requests in all; {at_takeover} at the takeover, {at_handover} at the handover");
    assert!((at_handover as u32) < all, "the crawl was over before the handover: make the web larger");

    assert_same(&calm, &machines.documents("indexer"));
    let again: Vec<_> =
        fetches(&web).into_iter().filter(|(url, count)| *count > calm_fetches.get(url).copied().unwrap_or(0)).collect();
    assert!(again.is_empty(), "asked for again: {again:?}");
    for partition in 0..PARTITIONS {
        let prefix = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let entries = std::fs::read_dir(prefix.join(format!("frontier/p{partition:04}"))).unwrap();
        // Beside them is the folder of their parts.
        let kept = entries.filter(|entry| entry.as_ref().unwrap().path().is_file()).count();
        assert!((1..=3).contains(&kept), "{kept} snapshots of partition {partition} are kept");
    }
}
