//! What one site is owed: pauses, back-off, Retry-After, addresses; kept across restarts.

use crate::common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{Bed, START, answer, plain, seed, with_robots};
use gristmill_frontier::{FailureKind, FetchOutcome, FetchResult, NextAction, OutcomeEffect, UrlState, Verdict};

#[test]
fn a_domain_has_one_order_in_flight_and_rests_from_the_end_of_it() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.example.com/1");
    bed.page("http://b.example.com/2");
    let first = bed.order();
    assert_eq!(bed.next(), NextAction::Busy, "another host of the same domain waits too");
    bed.now += 5_000;
    bed.ok(&first);
    let end = bed.now;
    assert_eq!(bed.next(), NextAction::WaitUntil(end + 1_000));
    bed.now = end + 999;
    assert_eq!(bed.next(), NextAction::WaitUntil(end + 1_000));
    bed.now = end + 1_000;
    bed.order();
}

#[test]
fn other_domains_do_not_wait_and_take_turns() {
    let mut bed = Bed::new(plain());
    for n in 0..3 {
        bed.page(&format!("http://one.com/{n}"));
        bed.page(&format!("http://two.com/{n}"));
    }
    let mut hosts = Vec::new();
    for _ in 0..3 {
        let (a, b) = (bed.order(), bed.order());
        hosts.push((a.url.contains("one"), b.url.contains("one")));
        bed.ok(&a);
        bed.ok(&b);
        bed.now += 1_000;
    }
    assert!(hosts.iter().all(|(a, b)| a != b), "{hosts:?}");
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn crawl_delay_lengthens_the_pause_up_to_its_limit() {
    for (asked, pause) in [("7", 7_000), ("0.1", 1_000), ("9999", 60_000)] {
        let mut bed = Bed::new(with_robots());
        bed.page("http://a.com/");
        let robots = bed.order();
        bed.robots(&robots, &format!("User-agent: *\nCrawl-delay: {asked}"));
        assert_eq!(bed.next(), NextAction::WaitUntil(bed.now + pause), "{asked}");
    }
}

#[test]
fn too_many_requests_slow_the_whole_domain_ever_more_and_success_speeds_it_up_step_by_step() {
    let mut config = plain();
    (config.retry.rate_limited, config.retry.unavailable, config.retry.timeout) = (0, 0, 0);
    let mut bed = Bed::new(config);
    for n in 0..9 {
        bed.page(&format!("http://a.com/{n}"));
    }
    let mut pauses = Vec::new();
    let mut step = |bed: &mut Bed, failure: Option<FailureKind>| {
        let order = bed.order();
        match failure {
            Some(kind) => bed.fail(&order, kind),
            None => bed.ok(&order),
        };
        let NextAction::WaitUntil(time) = bed.next() else { panic!("work is left") };
        pauses.push(time - bed.now);
        bed.now = time;
    };
    for kind in [
        FailureKind::Fetch(Verdict::TooManyRequests),
        FailureKind::Fetch(Verdict::Unavailable),
        FailureKind::Fetch(Verdict::Timeout),
    ] {
        step(&mut bed, Some(kind));
    }
    step(&mut bed, None);
    step(&mut bed, None);
    assert_eq!(pauses, [5_000, 10_000, 20_000, 10_000, 5_000]);
}

#[test]
fn server_errors_do_not_slow_the_domain() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    bed.page("http://a.com/2");
    let order = bed.order();
    bed.fail(&order, FailureKind::Fetch(Verdict::ServerError));
    assert_eq!(bed.next(), NextAction::WaitUntil(bed.now + 1_000));
}

#[test]
fn retry_after_is_honoured_up_to_its_limit_by_domain_and_url() {
    for (asked, pause) in [(90_000, 90_000), (u64::MAX, 3_600_000)] {
        let mut bed = Bed::new(plain());
        bed.page("http://a.com/1");
        let order = bed.order();
        let outcome = FetchOutcome {
            retry_after_ms: Some(asked),
            ..answer(&order, FetchResult::Failed(FailureKind::Fetch(Verdict::Unavailable)), 503, START)
        };
        assert_eq!(bed.apply(&outcome), OutcomeEffect::Retry);
        bed.page("http://a.com/2");
        assert_eq!(bed.next(), NextAction::WaitUntil(START + pause));
    }
}

#[test]
fn a_page_that_asks_for_pauses_while_others_are_answered_waits_alone() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/closed");
    (0..9).for_each(|n| _ = bed.page(&format!("http://a.com/{n}")));
    let (mut pauses, mut n_closed) = (Vec::new(), 0);
    loop {
        match bed.next() {
            NextAction::Order(order) if order.url.ends_with("closed") => {
                n_closed += 1;
                let refusal = FetchResult::Failed(FailureKind::Fetch(Verdict::Unavailable));
                let asked = Some(60_000);
                let outcome = FetchOutcome { retry_after_ms: asked, ..answer(&order, refusal, 503, bed.now) };
                bed.apply(&outcome);
                bed.page(&format!("http://a.com/behind-{n_closed}"));
                match bed.next() {
                    NextAction::WaitUntil(time) => pauses.push(time - bed.now),
                    other => panic!("{other:?}"),
                }
            }
            NextAction::Order(order) => _ = bed.ok(&order),
            NextAction::WaitUntil(time) => bed.now = time,
            NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(pauses, [60_000, 1_000, 1_000, 1_000, 1_000, 1_000], "nobody knows the first time");
}

#[test]
fn pages_that_ask_for_a_pause_once_more_make_it_no_longer() {
    let mut config = plain();
    config.retry.delay = Duration::from_secs(1);
    let mut bed = Bed::new(config);
    (0..3).for_each(|n| _ = bed.page(&format!("http://a.com/{n}")));
    let mut longest = 0;
    loop {
        match bed.next() {
            NextAction::Order(order) => _ = bed.fail(&order, FailureKind::Fetch(Verdict::Unavailable)),
            NextAction::WaitUntil(time) => {
                longest = longest.max(time - bed.now);
                bed.now = time;
            }
            NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(longest, 20_000, "three pages, three steps");
}

#[test]
fn a_site_that_only_asks_for_pauses_is_given_up_in_the_end() {
    let mut config = plain();
    config.politeness.give_up_after = 4;
    let mut bed = Bed::new(config);
    (0..10).for_each(|n| _ = bed.page(&format!("http://busy.com/{n}")));
    let mut n = 0;
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                bed.fail(&order, FailureKind::Fetch(Verdict::Unavailable));
                n += 1;
            }
            NextAction::WaitUntil(time) => bed.now = time,
            NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(n, 4);
    assert!(bed.frontier().stats().pages.failed[&FailureKind::GivenUp] >= 6);
}

#[test]
fn one_address_behind_many_names_is_spared() {
    let mut config = plain();
    config.politeness.ip_delay = Duration::from_secs(3);
    let mut bed = Bed::new(config);
    for name in ["one", "two"] {
        bed.page(&format!("http://{name}.com/a"));
        let order = bed.order();
        let outcome = FetchOutcome { ip: Some("192.0.2.7".into()), ..answer(&order, FetchResult::Ok, 200, bed.now) };
        bed.apply(&outcome);
    }
    bed.page("http://one.com/b");
    bed.page("http://two.com/b");
    assert_eq!(bed.next(), NextAction::WaitUntil(START + 3_000));
    bed.commit();
    bed.reopen();
    bed.now = START + 3_000;
    let first = bed.order();
    assert_eq!(bed.next(), NextAction::WaitUntil(START + 6_000), "the second name waits for the address");
    bed.now = START + 6_000;
    assert_ne!(bed.order().url, first.url);
}

#[test]
fn politeness_survives_a_restart() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    bed.page("http://a.com/2");
    bed.page("http://a.com/3");
    let order = bed.order();
    bed.fail(&order, FailureKind::Fetch(Verdict::TooManyRequests));
    let end = bed.now;
    bed.commit();
    bed.reopen();
    assert_eq!(bed.next(), NextAction::WaitUntil(end + 5_000), "back-off is kept");
    bed.now = end + 5_000;
    let flying = bed.order();
    bed.commit();
    bed.reopen();
    assert_eq!(bed.frontier().stats().in_flight, 1);
    bed.now += 1_000_000;
    assert_eq!(bed.next(), NextAction::Busy, "the order in flight keeps the domain busy");
    assert_eq!(bed.ok(&flying), OutcomeEffect::Final);
    assert_eq!(bed.ok(&flying), OutcomeEffect::Stale);
}

#[test]
fn a_site_that_never_answers_is_given_up() {
    let mut config = plain();
    config.politeness.give_up_after = 3;
    config.retry.connect = 0;
    let mut bed = Bed::new(config);
    for n in 0..10 {
        bed.page(&format!("http://dead.com/{n}"));
    }
    for _ in 0..3 {
        let order = bed.order();
        bed.fail(&order, FailureKind::Fetch(Verdict::Connect));
        bed.now += 1_000;
    }
    assert_eq!(bed.next(), NextAction::Drained);
    let failed = bed.frontier().stats().pages.failed;
    assert_eq!((failed[&FailureKind::Fetch(Verdict::Connect)], failed[&FailureKind::GivenUp]), (3, 7));
    assert_eq!(bed.state("http://dead.com/9"), Some(UrlState::Failed(FailureKind::GivenUp)));
}

#[test]
fn a_start_whose_site_never_answers_is_waited_for_where_pages_are_visited_again() {
    const HOUR: u64 = 3_600_000;
    let mut config = plain();
    config.politeness.give_up_after = 3;
    config.retry.connect = 1;
    config.recrawl.enabled = true;
    let mut bed = Bed::new(config);
    let (url, now) = ("http://dead.com/", bed.now);
    bed.frontier().offer(&seed(url), now).unwrap();
    bed.page("http://dead.com/1");
    let (mut asked, mut silent_until) = (Vec::new(), START + 4 * HOUR);
    while bed.now < START + 8 * HOUR {
        match bed.next() {
            NextAction::Order(order) if bed.now < silent_until => {
                asked.extend((order.url == url).then_some(bed.now));
                bed.fail(&order, FailureKind::Fetch(Verdict::Connect));
            }
            NextAction::Order(order) => {
                assert_eq!(order.url, url, "others ended with the site");
                bed.ok(&order);
                silent_until = 0;
                break;
            }
            NextAction::WaitUntil(time) => bed.now = time,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(silent_until, 0, "it was found");
    assert!(asked.len() > 4 && asked.windows(2).all(|pair| pair[1] - pair[0] <= 2 * HOUR), "{asked:?}");
    assert_eq!(bed.state("http://dead.com/1"), Some(UrlState::Failed(FailureKind::GivenUp)));
}

#[test]
fn a_clock_ahead_of_ours_does_not_stop_a_domain() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    bed.page("http://a.com/2");
    let order = bed.order();
    bed.apply(&answer(&order, FetchResult::Ok, 200, u64::MAX));
    assert_eq!(bed.next(), NextAction::WaitUntil(START + 1_000));
}

#[test]
fn many_domains_of_one_address_take_turns() {
    const N_DOMAINS: u64 = 300;
    let delay = 200;
    let mut config = plain();
    config.politeness.ip_delay = Duration::from_millis(delay);
    let mut bed = Bed::new(config);
    for page in 0..3 {
        for domain in 0..N_DOMAINS {
            bed.page(&format!("http://site{domain}.com/{page}"));
        }
    }
    let (mut orders, mut last, mut n_waits) = (Vec::new(), 0, 0);
    loop {
        match bed.next() {
            NextAction::WaitUntil(time) => {
                assert!(time > bed.now, "there is nothing to be had at once");
                (bed.now, n_waits) = (time, n_waits + 1);
            }
            NextAction::Order(order) => {
                let is_known = orders.len() as u64 >= N_DOMAINS;
                assert!(!is_known || bed.now >= last + delay, "the address had {} ms", bed.now - last);
                last = bed.now;
                let outcome =
                    FetchOutcome { ip: Some("192.0.2.7".into()), ..answer(&order, FetchResult::Ok, 200, last) };
                bed.apply(&outcome);
                orders.push(order.url);
            }
            _ => break,
        }
    }
    assert_eq!(orders.len() as u64, 3 * N_DOMAINS);
    let second: BTreeSet<&String> = orders[N_DOMAINS as usize..2 * N_DOMAINS as usize].iter().collect();
    assert!(second.iter().all(|url| url.ends_with("/1")), "none has a third page before all had their second");
    assert!(n_waits <= 3 * N_DOMAINS, "{n_waits} waits");
}
