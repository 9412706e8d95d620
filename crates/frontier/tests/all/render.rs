//! Pages that a browser draws are ordered like any URL: politely, few at a time, once for each visit, and never lost.

use crate::common;

use std::time::Duration;

use common::{Bed, answer, plain, with_robots};
use gristmill_frontier::{
    AdmissionResult, FailureKind, FetchKind, FetchOrder, FetchResult, FrontierConfig, LinkRejection, NextAction,
    OutcomeEffect, UrlState, Verdict,
};
use gristmill_urls::CanonicalUrl;

const PAGE: &str = "http://shop.test/a";

impl Bed {
    fn wish(&mut self, url: &str, fetched_at: u64) -> AdmissionResult {
        let now = self.now;
        self.frontier().offer_render(url, fetched_at, now).unwrap()
    }

    /// Fetches a page that nobody knows yet.
    fn fetch(&mut self, url: &str) -> u64 {
        self.page(url);
        let order = self.await_any();
        assert_eq!((order.kind, order.url.as_str()), (FetchKind::Page, url));
        self.ok(&order);
        self.now
    }

    fn render_state(&mut self, url: &str) -> Option<UrlState> {
        let (now, url) = (self.now, url.parse::<CanonicalUrl>().unwrap());
        self.frontier().explain(&url, now).unwrap().render.map(|render| render.state)
    }

    fn await_any(&mut self) -> FetchOrder {
        match self.next() {
            NextAction::Order(order) => *order,
            NextAction::WaitUntil(time) => {
                self.now = time;
                self.order()
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A bed with one page fetched, and a browser asked for it.
fn asked(config: FrontierConfig) -> Bed {
    let mut bed = Bed::new(config);
    let at = bed.fetch(PAGE);
    assert_eq!(bed.wish(PAGE, at), AdmissionResult::New);
    bed
}

#[test]
fn a_page_is_drawn_after_the_pause_of_its_site_and_is_no_further_page() {
    let mut bed = asked(plain());
    let before = bed.now;
    assert_eq!(bed.next(), NextAction::WaitUntil(before + 1000));
    let order = bed.await_any();
    assert_eq!((order.kind, order.url.as_str(), order.depth), (FetchKind::Render, PAGE, 1));
    assert_eq!(bed.next(), NextAction::Busy);
    assert_eq!(bed.ok(&order), OutcomeEffect::Final);
    let stats = bed.frontier().stats();
    assert_eq!((stats.pages.done, stats.pages_done, stats.renders.done, stats.in_flight), (1, 1, 1, 0));
    assert_eq!((bed.state(PAGE), bed.render_state(PAGE)), (Some(UrlState::Done), Some(UrlState::Done)));
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_wish_counts_once_for_each_visit_and_only_for_pages_of_the_crawl() {
    let mut bed = asked(plain());
    let fetched_at = bed.now;
    assert_eq!(bed.wish(PAGE, fetched_at), AdmissionResult::Known, "it waits");
    let order = bed.await_any();
    assert_eq!(bed.wish(PAGE, fetched_at), AdmissionResult::Known, "it is under way");
    bed.ok(&order);
    assert_eq!(bed.wish(PAGE, fetched_at), AdmissionResult::Known, "it was drawn since");
    assert_eq!(bed.next(), NextAction::Drained);
    let later = bed.now + 1;
    bed.now += 10;
    assert_eq!(bed.wish(PAGE, later), AdmissionResult::Known);
    assert_eq!(bed.await_any().kind, FetchKind::Render, "the page was visited again");
    assert_eq!(bed.wish("http://shop.test/unknown", later), AdmissionResult::Rejected(LinkRejection::NoPage));
}

#[test]
fn browsers_have_no_more_than_they_may_and_other_pages_go_on() {
    let config = FrontierConfig { max_renders: 1, ..plain() };
    let mut bed = Bed::new(config);
    for host in ["one", "two"] {
        let url = format!("http://{host}.test/");
        let at = bed.fetch(&url);
        bed.wish(&url, at);
    }
    bed.now += 5000;
    let render = bed.order();
    assert_eq!(render.kind, FetchKind::Render);
    assert_eq!(bed.next(), NextAction::Busy);
    let other = if render.url.contains("one") { "http://two.test/more" } else { "http://one.test/more" };
    bed.page(other);
    let page = bed.order();
    assert_eq!(
        (page.kind, page.url.as_str()),
        (FetchKind::Page, other),
        "its host waits for a browser, its pages do not"
    );
    bed.ok(&page);
    bed.ok(&render);
    bed.now += 5000;
    assert_eq!(bed.order().kind, FetchKind::Render);
}

#[test]
fn a_page_limit_does_not_keep_fetched_pages_from_being_drawn() {
    let config = FrontierConfig { max_pages: Some(1), ..plain() };
    let mut bed = asked(config);
    bed.page("http://shop.test/b");
    let order = bed.await_any();
    assert_eq!(order.kind, FetchKind::Render);
    assert_eq!(bed.next(), NextAction::Busy);
    bed.ok(&order);
    assert_eq!(bed.next(), NextAction::LimitReached);
}

#[test]
fn what_fails_is_tried_again_and_what_cannot_be_drawn_is_not() {
    let mut bed = asked(plain());
    let order = bed.await_any();
    assert_eq!(bed.fail(&order, FailureKind::Fetch(Verdict::ServerError)), OutcomeEffect::Retry);
    let again = bed.await_any();
    assert_eq!((again.kind, again.attempt), (FetchKind::Render, 1));
    assert_eq!(
        bed.finish(&again, FetchResult::Failed(FailureKind::Fetch(Verdict::Unrendered)), 200),
        OutcomeEffect::Final
    );
    assert_eq!(bed.render_state(PAGE), Some(UrlState::Failed(FailureKind::Fetch(Verdict::Unrendered))));
    assert_eq!(bed.state(PAGE), Some(UrlState::Done), "the page itself is there");
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_page_that_moved_is_fetched_where_it_went() {
    let mut bed = asked(plain());
    let order = bed.await_any();
    bed.redirect(&order, "http://shop.test/moved");
    let order = bed.await_any();
    assert_eq!((order.kind, order.url.as_str()), (FetchKind::Page, "http://shop.test/moved"));
}

#[test]
fn robots_txt_holds_for_browsers_too() {
    let mut bed = Bed::new(with_robots());
    bed.page(PAGE);
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nAllow: /\n");
    let page = bed.await_any();
    bed.ok(&page);
    let at = bed.now;
    bed.now += 25 * 3600 * 1000;
    assert_eq!(bed.wish(PAGE, at), AdmissionResult::New);
    let robots = bed.order();
    assert_eq!(robots.kind, FetchKind::Robots, "the file is a day old");
    bed.robots(&robots, "User-agent: *\nDisallow: /\n");
    bed.now += 2000;
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.render_state(PAGE), Some(UrlState::Disallowed));
}

#[test]
fn a_crash_loses_no_wish_and_an_order_in_the_log_is_adopted() {
    let mut bed = asked(plain());
    bed.commit();
    let order = bed.await_any();
    bed.reopen();
    let now = bed.now;
    bed.frontier().adopt_order(&order, now).unwrap();
    assert_eq!((bed.next(), bed.render_state(PAGE)), (NextAction::Busy, Some(UrlState::Leased)));
    bed.commit();
    bed.reopen();
    assert_eq!(bed.next(), NextAction::Busy, "the lease is stored");
    bed.ok(&order);
    bed.commit();
    bed.reopen();
    assert_eq!((bed.next(), bed.render_state(PAGE)), (NextAction::Drained, Some(UrlState::Done)));
    assert_eq!(bed.frontier().stats().renders.done, 1);
}

#[test]
fn wishes_survive_the_disk_in_their_order() {
    let mut bed = Bed::new(FrontierConfig { max_renders: 0, ..plain() });
    let urls: Vec<String> = (0..60).map(|n| format!("http://shop.test/{n}")).collect();
    for url in &urls {
        let at = bed.fetch(url);
        bed.wish(url, at);
    }
    bed.commit();
    bed.config.max_renders = 16;
    bed.reopen();
    for url in &urls {
        let order = bed.await_any();
        assert_eq!((order.kind, &order.url), (FetchKind::Render, url));
        bed.ok(&order);
    }
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn where_no_browser_runs_wishes_wait_and_hold_nothing_up() {
    let mut bed = asked(plain());
    let order = bed.await_any();
    bed.page("http://shop.test/b");
    bed.commit();
    bed.config.max_renders = 0;
    bed.reopen();
    assert_eq!(bed.next(), NextAction::Busy);
    let now = bed.now;
    assert_eq!(bed.frontier().take_back_renders(now).unwrap(), 1);
    let page = bed.order();
    assert_eq!(page.url, "http://shop.test/b");
    bed.ok(&page);
    assert_eq!(bed.next(), NextAction::Drained, "the wish waits for a browser, and the crawl does not");
    assert_eq!(bed.render_state(PAGE), Some(UrlState::Queued));
    let late = answer(&order, FetchResult::Ok, 200, bed.now);
    assert_eq!(bed.apply(&late), OutcomeEffect::Stale);
    bed.commit();
    bed.config.max_renders = 1;
    bed.config.politeness.min_delay = Duration::from_secs(2);
    bed.reopen();
    assert_eq!(bed.await_any().kind, FetchKind::Render);
}

#[test]
fn where_browsers_fall_silent_sites_are_free_and_one_order_at_a_time_asks_for_them() {
    let patience = Duration::from_secs(60);
    let mut bed = Bed::new(FrontierConfig { render_patience: patience, ..plain() });
    let hosts: Vec<String> = (0..3).map(|n| format!("http://shop{n}.test/a")).collect();
    for url in &hosts {
        let at = bed.fetch(url);
        bed.wish(url, at);
    }
    let given: Vec<FetchOrder> = hosts.iter().map(|_| bed.await_any()).collect();
    assert!(given.iter().all(|order| order.kind == FetchKind::Render));
    for n in 0..3 {
        bed.page(&format!("http://shop{n}.test/b"));
    }
    assert_eq!(bed.next(), NextAction::Busy, "the sites wait for browsers");
    // A restart starts the wait anew, since nothing was heard by this process yet.
    bed.commit();
    bed.reopen();
    assert_eq!(bed.next(), NextAction::Busy);
    bed.now += 60_000;
    let (mut renders, mut pages) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let order = bed.await_any();
        if order.kind == FetchKind::Render { renders.push(order) } else { pages.push(order) }
    }
    assert_eq!((renders.len(), pages.len()), (1, 2), "{renders:?} {pages:?}");
    for page in &pages {
        bed.ok(page);
    }
    assert_eq!(bed.next(), NextAction::Busy, "the others wait, and hold no site");
    let late = answer(&given[1], FetchResult::Ok, 200, bed.now);
    assert_eq!(bed.apply(&late), OutcomeEffect::Stale);
    bed.ok(&renders[0]);
    let again: Vec<FetchOrder> = (0..2).map(|_| bed.await_any()).collect();
    assert!(again.iter().all(|order| order.kind == FetchKind::Render), "a browser is there again: {again:?}");
}
