//! Rules for single sites: their pace, their scope, their revisits.

use crate::common;

use std::time::Duration;

use common::{Bed, link, plain};
use gristmill_frontier::{AdmissionResult, FailureKind, NextAction, SiteCrawlConfig, SiteState};
use gristmill_terms::Verdict;
use gristmill_urls::SitePattern;

fn site(host: &str, path: Option<&str>) -> SiteCrawlConfig {
    let pattern = SitePattern::new(&[host.to_owned()], path).unwrap();
    SiteCrawlConfig {
        name: "sites[0]".into(),
        pattern,
        delay: None,
        max_depth: None,
        include: vec![],
        exclude: vec![],
        recrawl: None,
    }
}

#[test]
fn a_site_has_its_own_pause_and_the_others_keep_theirs() {
    let mut config = plain();
    config.sites = vec![
        SiteCrawlConfig { delay: Some(Duration::from_secs(30)), ..site("*.slow.com", None) },
        SiteCrawlConfig { delay: Some(Duration::from_millis(200)), ..site("fast.com", None) },
    ];
    for (url, pause) in [("http://www.slow.com/", 30_000), ("http://fast.com/", 200), ("http://other.com/", 1_000)] {
        let mut bed = Bed::new(config.clone());
        bed.page(&format!("{url}1"));
        bed.page(&format!("{url}2"));
        let order = bed.order();
        assert_eq!(order.pause, pause, "{url}");
        bed.ok(&order);
        assert_eq!(bed.next(), NextAction::WaitUntil(bed.now + pause), "{url}");
    }
}

#[test]
fn a_site_is_narrowed_and_what_waits_of_it_is_left_out_when_the_rules_come_later() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/print/1");
    bed.commit();
    bed.config.sites =
        vec![SiteCrawlConfig { exclude: vec!["/print/".into()], max_depth: Some(1), ..site("a.com", None) }];
    bed.reopen();
    assert_eq!(bed.next(), NextAction::Drained, "it was queued before");
    assert!(matches!(bed.page("http://a.com/print/2"), AdmissionResult::Rejected(_)));
    assert!(matches!(
        bed.offer(&gristmill_frontier::Outlink { depth: 2, ..link("http://a.com/x") }),
        AdmissionResult::Rejected(_)
    ));
    assert!(matches!(bed.page("http://a.com/x"), AdmissionResult::New));
    assert!(matches!(bed.page("http://b.com/print/2"), AdmissionResult::New));
}

#[test]
fn pages_below_a_path_are_visited_again_in_their_own_time() {
    let mut config = plain();
    config.recrawl.enabled = true;
    config.sites = vec![SiteCrawlConfig { recrawl: Some(Duration::from_secs(600)), ..site("a.com", Some("/prices/")) }];
    let mut bed = Bed::new(config);
    bed.page("http://a.com/prices/1");
    bed.page("http://a.com/about");
    let visits = bed.visits(3_600_000);
    let count = |path: &str| visits.iter().filter(|url| url.ends_with(path)).count();
    assert_eq!((count("/prices/1"), count("/about")), (6, 1), "{visits:?}");
}

#[test]
fn the_sites_that_matter_are_told_with_their_state_and_their_next_turn() {
    let mut config = plain();
    config.recrawl.enabled = true;
    let mut bed = Bed::new(config);
    for site in ["waiting", "busy", "failing", "paused", "quiet"] {
        bed.page(&format!("http://{site}.com/"));
    }
    let mut busy = None;
    while let NextAction::Order(order) = bed.next() {
        match order.url.as_str() {
            "http://busy.com/" => busy = Some(order),
            "http://failing.com/" => _ = bed.fail(&order, FailureKind::Fetch(Verdict::Unavailable)),
            _ => _ = bed.ok(&order),
        }
    }
    assert!(busy.is_some());
    bed.page("http://waiting.com/more");
    bed.page("http://waiting.com/still-more");
    bed.frontier().pause(Some("paused.com"));
    let now = bed.now;
    let told = bed.frontier().site_activity(10, now).unwrap();
    let states: Vec<_> = told.iter().map(|site| (site.site.as_str(), site.state)).collect();
    let expected = [
        ("busy.com", SiteState::AtWork),
        ("failing.com", SiteState::BackingOff),
        ("waiting.com", SiteState::Waiting),
        ("quiet.com", SiteState::Waiting),
        ("paused.com", SiteState::Paused),
    ];
    assert_eq!(states, expected, "{told:?}");
    assert_eq!((told[2].queued, told[2].next_turn.is_some_and(|turn| turn <= now + 1_000)), (2, true), "{told:?}");
    assert!(told[3].next_turn.is_some_and(|turn| turn > now + 60_000), "its home page has its time: {told:?}");
    assert_eq!(bed.frontier().site_activity(2, now).unwrap().len(), 2);
}
