//! Archivers as processes over a real Kafka broker, killed again and again: every capture is archived once.

use crate::common;

use std::time::Duration;

use common::archive::{answers, check, records};
use common::processes::Processes;
use common::{fetches, soak};
use gristmill_log::conformance::broker;
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

/// Longest wait for the next part of the web to be archived.
const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn an_archiver_that_is_killed_again_and_again_archives_every_capture_once() {
    let Some(address) = broker::shared() else { return };
    let (kills, n_pages) = if soak() { (5, 40) } else { (2, 20) };
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 4, n_pages, ..TestSiteConfig::default() })).unwrap();
    // Captures have bodies in the blob store, too, and two archivers share a folder.
    let shared = tempfile::tempdir().unwrap();
    let (folder, blobs) = (shared.path().join("archive"), shared.path().join("blobs"));
    let settings = format!(
        "[fetcher]\ncaptures = true\n[archiver]\ndir = \"{}\"\nrotate_bytes = 20000\nrotate_after = \"500ms\"\n\
         [blobs]\ninline_limit = 3000\nurl = \"file://{}\"\n",
        folder.display(),
        blobs.display()
    );
    let mut processes = Processes::of(&web, &address, &settings);
    for service in ["scheduler", "fetcher"] {
        processes.start(service, service, service, None);
    }
    processes.start("calm", "archiver", "calm", Some("calm"));
    processes.start("killed", "archiver", "killed", Some("killed"));
    let archived = |_: &Processes| answers(&records(&folder)).values().sum::<u32>() as usize;
    let expected = web.site().expected();
    let pages = expected.indexed.len() + expected.fetched_only.len();
    for round in 1..=kills {
        let wanted = round * pages / (kills + 2);
        processes.until("the next part is archived", LIMIT, |all| archived(all) >= wanted);
        processes.kill("killed");
        processes.start("killed", "archiver", "killed", Some("killed"));
    }
    processes.until("all is archived", LIMIT, |_| {
        let answers = answers(&records(&folder));
        let has = |url: &String| answers.contains_key(url);
        let mut wanted = expected.indexed.iter().chain(&expected.fetched_only);
        wanted.all(has) && answers.values().sum::<u32>() as usize >= web.log().len()
    });
    for name in ["killed", "calm", "fetcher", "scheduler"] {
        processes.end(name);
    }
    let records = records(&folder);
    check(&folder, &records);
    assert_eq!(answers(&records), fetches(&web));
}
