//! tdmrep.json: asked for after robots.txt and before pages, and told with each order of a page.

use crate::common;

use common::{Bed, with_robots};
use gristmill_frontier::{
    FailureKind, FetchKind, FetchOrder, FetchResult, FrontierConfig, NextAction, OutcomeEffect, Reservation, Verdict,
};

fn with_tdm() -> FrontierConfig {
    let mut config = with_robots();
    config.robots.tdm = true;
    config
}

fn reserved(policy: Option<&str>) -> Option<Reservation> {
    Some(Reservation { reserved: true, policy: policy.map(str::to_owned) })
}

/// A bed that has learnt the robots.txt of a.com, and the next order.
fn after_robots(robots: &str) -> (Bed, FetchOrder) {
    let mut bed = Bed::new(with_tdm());
    for path in ["plans/1", "plans/2", "news/1"] {
        bed.page(&format!("http://a.com/{path}"));
    }
    let order = bed.order();
    bed.robots(&order, robots);
    let order = bed.await_order();
    (bed, order)
}

const FILE: &str = r#"[{"location": "/plans/", "tdm-reservation": 1, "tdm-policy": "/terms.json"}]"#;

#[test]
fn pages_wait_for_the_file_and_carry_what_it_says_across_restarts_too() {
    let (mut bed, file) = after_robots("");
    assert_eq!((file.kind, file.url.as_str()), (FetchKind::Tdm, "http://a.com/.well-known/tdmrep.json"));
    assert_eq!((file.robots_for.as_deref(), file.tdm.as_ref()), (Some("http://a.com"), None));
    assert_eq!(bed.robots(&file, FILE), OutcomeEffect::Final);
    let first = bed.await_order();
    assert_eq!(
        (first.url.as_str(), first.tdm.clone()),
        ("http://a.com/plans/1", reserved(Some("http://a.com/terms.json")))
    );
    bed.ok(&first);
    bed.commit();
    bed.reopen();
    let second = bed.await_order();
    assert_eq!((second.url.as_str(), second.tdm.clone()), ("http://a.com/plans/2", first.tdm));
    bed.ok(&second);
    assert_eq!(bed.await_order().tdm, None, "no rule is about news");
}

#[test]
fn a_task_in_flight_outlives_a_restart_and_a_lost_commit() {
    let (mut bed, file) = after_robots("");
    bed.commit();
    bed.reopen();
    assert_eq!(bed.robots(&file, FILE), OutcomeEffect::Final);
    assert!(bed.await_order().tdm.is_some());

    let (mut bed, file) = after_robots("");
    bed.reopen();
    let now = bed.now;
    bed.frontier().adopt_order(&file, now).unwrap();
    assert_eq!(bed.robots(&file, FILE), OutcomeEffect::Final);
}

#[test]
fn an_answer_that_is_read_again_behind_the_order_that_followed_it_counts() {
    for robots_is_committed in [true, false] {
        let mut bed = Bed::new(with_tdm());
        bed.page("http://a.com/plans/1");
        bed.commit();
        let robots = bed.order();
        if robots_is_committed {
            bed.commit();
        }
        bed.robots(&robots, "User-agent: *\nDisallow: /news/");
        let file = bed.await_order();
        bed.reopen();
        let now = bed.now;
        [&robots, &file].into_iter().for_each(|order| bed.frontier().adopt_order(order, now).unwrap());
        assert_eq!(bed.robots(&robots, "User-agent: *\nDisallow: /news/"), OutcomeEffect::Final);
        assert!(matches!(bed.next(), NextAction::WaitUntil(_) | NextAction::Busy), "the file is still asked for");
        assert_eq!(bed.robots(&file, FILE), OutcomeEffect::Final);
        let page = bed.await_order();
        assert_eq!((page.kind, page.tdm.is_some()), (FetchKind::Page, true), "{robots_is_committed}: {page:?}");
    }
}

#[test]
fn redirects_are_followed_and_what_fails_stops_nothing() {
    let (mut bed, file) = after_robots("");
    bed.finish(&file, FetchResult::Redirect(Some("https://b.com/tdm.json".to_owned())), 301);
    let moved = bed.order();
    assert_eq!((moved.kind, moved.url.as_str(), moved.hops), (FetchKind::Tdm, "https://b.com/tdm.json", 1));
    bed.robots(&moved, FILE);
    assert!(bed.await_order().tdm.is_some());

    for kind in [
        FailureKind::Fetch(Verdict::Gone),
        FailureKind::Fetch(Verdict::ServerError),
        FailureKind::Fetch(Verdict::Timeout),
        FailureKind::Fetch(Verdict::BadType),
    ] {
        let (mut bed, file) = after_robots("");
        bed.fail(&file, kind);
        let page = bed.await_order();
        assert_eq!((page.kind, page.tdm), (FetchKind::Page, None), "{kind}");
    }
}

#[test]
fn a_fault_keeps_what_was_known_and_a_missing_file_does_not() {
    for (kind, kept) in [(FailureKind::Fetch(Verdict::Timeout), true), (FailureKind::Fetch(Verdict::Gone), false)] {
        let (mut bed, file) = after_robots("");
        bed.robots(&file, FILE);
        let page = bed.await_order();
        bed.ok(&page);
        bed.now += 25 * 3_600_000;
        let robots = bed.order();
        assert_eq!(robots.kind, FetchKind::Robots);
        bed.robots(&robots, "");
        let again = bed.await_order();
        assert_eq!(again.kind, FetchKind::Tdm);
        bed.fail(&again, kind);
        assert_eq!(bed.await_order().tdm.is_some(), kept, "{kind}");
    }
}

#[test]
fn robots_txt_may_forbid_it_and_a_setting_turn_it_off() {
    let (_, order) = after_robots("User-agent: *\nDisallow: /.well-known/");
    assert_eq!(order.kind, FetchKind::Page);
    let mut config = with_tdm();
    config.robots.tdm = false;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.robots(&robots, "");
    assert_eq!(bed.await_order().kind, FetchKind::Page);
}
