//! A clock that is set back or ahead: pauses keep their lengths, and nothing waits for the old time to come again.

use crate::common;

use std::time::Duration;

use common::{Bed, START, answer, plain, with_robots};
use gristmill_frontier::{FailureKind, FetchOutcome, FetchResult, NextAction, Verdict};

const HOUR: u64 = 3_600_000;
const YEAR: u64 = 365 * 24 * HOUR;

fn pages(bed: &mut Bed, n: usize) {
    for page in 0..n {
        bed.page(&format!("http://a.com/{page}"));
    }
}

/// What the frontier waits for now, from now on.
fn wait(bed: &mut Bed) -> u64 {
    match bed.next() {
        NextAction::WaitUntil(time) => time - bed.now,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_clock_set_back_while_it_runs_neither_stops_a_site_nor_shortens_its_pause() {
    let mut bed = Bed::new(plain());
    pages(&mut bed, 5);
    for back in [5 * 60_000, HOUR, YEAR] {
        let order = bed.order();
        bed.ok(&order);
        bed.now -= back;
        assert_eq!(wait(&mut bed), 1_000, "{back}");
        bed.now += 1_000;
    }
    let last = bed.order();
    assert_eq!(last.ordered_at, bed.now, "times that others see are of the caller's clock");
    assert_eq!(bed.frontier().clock_behind(), 5 * 60_000 + HOUR + YEAR);
}

#[test]
fn a_clock_set_back_between_two_runs_stops_no_site() {
    let mut config = with_robots();
    config.politeness.ip_delay = Duration::from_millis(200);
    let mut bed = Bed::new(config);
    pages(&mut bed, 3);
    let robots = bed.order();
    bed.robots(&robots, "");
    let order = bed.await_order();
    let finished_at = bed.now;
    bed.apply(&FetchOutcome { ip: Some("1.1.1.1".into()), ..answer(&order, FetchResult::Ok, 200, finished_at) });
    bed.commit();
    for back in [5 * 60_000, YEAR] {
        bed.now -= back;
        bed.reopen();
        assert!(wait(&mut bed) <= 1_000, "{back}");
    }
    let again = bed.await_order();
    assert_eq!(again.url, "http://a.com/1", "robots.txt counts as long as it would have");
}

#[test]
fn retries_and_revisits_come_in_time_after_a_clock_was_set_back() {
    let mut config = plain();
    config.recrawl.enabled = true;
    config.recrawl.initial = Duration::from_secs(60);
    let mut bed = Bed::new(config);
    pages(&mut bed, 1);
    let order = bed.order();
    bed.fail(&order, FailureKind::Fetch(Verdict::ServerError));
    bed.now -= 2 * HOUR;
    assert_eq!(wait(&mut bed), 10_000);
    let order = bed.await_order();
    bed.ok(&order);
    bed.commit();
    bed.now -= YEAR;
    bed.reopen();
    assert_eq!(wait(&mut bed), HOUR, "`recrawl.min`");
    assert!(bed.await_order().known);
}

#[test]
fn a_fetcher_whose_clock_is_behind_does_not_shorten_the_pause() {
    let mut bed = Bed::new(plain());
    pages(&mut bed, 2);
    let order = bed.order();
    let ordered_at = bed.now;
    bed.now += 300;
    bed.apply(&answer(&order, FetchResult::Ok, 200, START - HOUR));
    assert_eq!(wait(&mut bed), ordered_at + 1_000 - bed.now, "from the order on, which was before the end");
}

#[test]
fn an_order_adopted_after_a_kill_and_a_step_back_keeps_no_site_waiting() {
    for back in [5 * 60_000, 2 * 24 * HOUR, 20 * YEAR] {
        let mut bed = Bed::new(plain());
        pages(&mut bed, 2);
        bed.commit();
        bed.now += 300;
        let order = bed.order();
        bed.now -= back;
        bed.reopen();
        let now = bed.now;
        bed.frontier().adopt_order(&order, now).unwrap();
        bed.ok(&order);
        assert!(wait(&mut bed) <= 1_000, "{back}");
    }
}
