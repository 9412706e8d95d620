//! robots.txt: asked for first, obeyed, refreshed, and what follows when it cannot be had.

use crate::common;

use common::{Bed, START, seed, with_robots};
use gristmill_frontier::{FailureKind, FetchKind, FetchResult, NextAction, UrlState, Verdict};
use gristmill_urls::{CanonicalUrl, ScopeConfig};

#[test]
fn the_first_order_for_a_host_is_its_robots_txt_and_pages_wait_for_it() {
    let mut bed = Bed::new(with_robots());
    bed.page("http://a.com/page");
    bed.page("https://a.com:8443/page");
    let robots = bed.order();
    assert_eq!((robots.kind, robots.url.as_str()), (FetchKind::Robots, "http://a.com/robots.txt"));
    assert_eq!(robots.robots_for.as_deref(), Some("http://a.com"));
    assert_eq!(bed.next(), NextAction::Busy);
    bed.robots(&robots, "User-agent: *\nDisallow: /private");
    let page = bed.await_order();
    assert_eq!(page.url, "http://a.com/page");
    bed.ok(&page);
    let other = bed.await_order();
    assert_eq!(other.url, "https://a.com:8443/robots.txt", "another scheme or port has its own rules");
    bed.fail(&other, FailureKind::Fetch(Verdict::Gone));
    assert_eq!(bed.await_order().url, "https://a.com:8443/page");
}

#[test]
fn disallowed_urls_end_without_an_order_and_say_which_rule() {
    let mut bed = Bed::new(with_robots());
    for path in ["private/1", "private/2", "open"] {
        bed.page(&format!("http://a.com/{path}"));
    }
    let robots = bed.order();
    bed.robots(&robots, "User-agent: Gristmill\nDisallow: /private\n");
    let open = bed.await_order();
    assert_eq!(open.url, "http://a.com/open");
    bed.ok(&open);
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.frontier().stats().pages.disallowed, 2);
    let (now, url): (u64, CanonicalUrl) = (bed.now, "http://a.com/private/1".parse().unwrap());
    let explained = bed.frontier().explain(&url, now).unwrap();
    assert_eq!(explained.known.unwrap().state, UrlState::Disallowed);
    assert_eq!((explained.host.allowed, explained.host.rule.as_deref()), (Some(false), Some("Disallow: /private")));
}

#[test]
fn rules_are_kept_across_restarts_and_fetched_again_after_a_day() {
    let mut bed = Bed::new(with_robots());
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nDisallow: /x");
    bed.commit();
    bed.reopen();
    let page = bed.await_order();
    assert_eq!(page.url, "http://a.com/1");
    bed.ok(&page);
    bed.page("http://a.com/x/2");
    bed.now += 1_000;
    assert_eq!(bed.next(), NextAction::Drained, "the kept rules forbid it");
    bed.now = START + 25 * 3_600_000;
    bed.page("http://a.com/3");
    assert_eq!(bed.order().kind, FetchKind::Robots);
}

#[test]
fn a_refresh_that_fails_keeps_the_old_rules() {
    let mut config = with_robots();
    config.retry.unavailable = 0;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nDisallow: /x");
    bed.now += 25 * 3_600_000;
    let robots = bed.order();
    bed.page("http://a.com/x");
    bed.fail(&robots, FailureKind::Fetch(Verdict::Unavailable));
    let page = bed.await_order();
    assert_eq!(page.url, "http://a.com/1");
    bed.ok(&page);
    bed.now += 10_000;
    bed.next();
    assert_eq!(bed.state("http://a.com/x"), Some(UrlState::Disallowed));
}

#[test]
fn kept_rules_are_refreshed_as_often_as_the_settings_say() {
    let mut config = with_robots();
    config.retry.unavailable = 0;
    config.robots.refresh = std::time::Duration::from_secs(3600);
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nDisallow: /x");
    let page = bed.await_order();
    bed.ok(&page);
    bed.now += 2 * 3_600_000;
    bed.page("http://a.com/2");
    let robots = bed.order();
    assert_eq!(robots.kind, FetchKind::Robots);
    bed.fail(&robots, FailureKind::Fetch(Verdict::Unavailable));
    let page = bed.await_order();
    assert_eq!(page.url, "http://a.com/2", "the kept rules allow it");
    bed.ok(&page);
    bed.now += 3_600_000;
    bed.page("http://a.com/3");
    assert_eq!(bed.order().kind, FetchKind::Robots, "not only when `unavailable_for` is over");
}

#[test]
fn without_robots_txt_everything_is_allowed() {
    for kind in [FailureKind::Fetch(Verdict::Gone), FailureKind::Fetch(Verdict::ClientError)] {
        let mut bed = Bed::new(with_robots());
        bed.page("http://a.com/1");
        let robots = bed.order();
        bed.fail(&robots, kind);
        assert_eq!(bed.await_order().url, "http://a.com/1");
    }
}

#[test]
fn an_unreachable_robots_txt_is_retried_and_then_forbids_everything() {
    let mut config = with_robots();
    config.retry.server_error = 2;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    for attempt in 0..3 {
        let robots = if attempt == 0 { bed.order() } else { bed.await_order() };
        assert_eq!((robots.kind, robots.attempt), (FetchKind::Robots, attempt));
        bed.commit();
        bed.reopen();
        bed.fail(&robots, FailureKind::Fetch(Verdict::ServerError));
    }
    bed.now += 1_000_000;
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.state("http://a.com/1"), Some(UrlState::Failed(FailureKind::RobotsUnavailable)));
    bed.now += 25 * 3_600_000;
    bed.page("http://a.com/2");
    assert_eq!(bed.order().kind, FetchKind::Robots, "a day later it is asked again");
}

#[test]
fn redirects_of_robots_txt_are_polite_orders_of_their_own() {
    let mut bed = Bed::new(with_robots());
    bed.page("http://a.com/1");
    bed.page("http://b.com/1");
    let (first, second) = (bed.order(), bed.order());
    let (a, b) = if first.url.contains("a.com") { (first, second) } else { (second, first) };
    bed.redirect(&a, "http://b.com/moved.txt");
    assert_eq!(bed.next(), NextAction::Busy, "b.com is busy with its own robots.txt");
    bed.robots(&b, "");
    let moved = bed.await_order();
    assert_eq!(
        (moved.url.as_str(), moved.hops, moved.robots_for.as_deref()),
        ("http://b.com/moved.txt", 1, Some("http://a.com"))
    );
    bed.robots(&moved, "User-agent: *\nDisallow: /1");
    bed.now += 10_000;
    assert_eq!(bed.order().url, "http://b.com/1", "the rules are a.com's");
    bed.next();
    assert_eq!(bed.state("http://a.com/1"), Some(UrlState::Disallowed));
}

#[test]
fn endless_redirects_of_robots_txt_mean_no_rules() {
    let mut bed = Bed::new(with_robots());
    bed.page("http://a.com/1");
    let mut order = bed.order();
    for hop in 1..=5 {
        bed.redirect(&order, &format!("/robots{hop}.txt"));
        order = bed.await_order();
        assert_eq!((order.kind, order.hops), (FetchKind::Robots, hop));
    }
    bed.redirect(&order, "/robots6.txt");
    assert_eq!(bed.await_order().url, "http://a.com/1");
}

#[test]
fn sitemaps_that_robots_txt_names_are_ordered_and_guessed_ones_only_without_names() {
    let mut config = with_robots();
    config.robots.guess_sitemap = true;
    let mut bed = Bed::new(config.clone());
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.robots(&robots, "Sitemap: http://a.com/map.xml\nSitemap: /relative.xml.gz\nSitemap: ftp://a.com/x");
    let orders: Vec<_> = (0..3)
        .map(|_| {
            let order = bed.await_order();
            bed.ok(&order);
            (order.url, order.kind)
        })
        .collect();
    assert_eq!(orders[0], ("http://a.com/map.xml".to_owned(), FetchKind::Sitemap));
    assert_eq!(orders[1], ("http://a.com/relative.xml.gz".to_owned(), FetchKind::Sitemap));
    assert_eq!(orders[2], ("http://a.com/1".to_owned(), FetchKind::Page));
    assert_eq!(bed.frontier().stats().sitemaps.done, 2);

    config.scope = Some(ScopeConfig::default());
    let mut bed = Bed::new(config);
    bed.offer(&seed("http://a.com/1"));
    let robots = bed.order();
    bed.finish(&robots, FetchResult::Failed(FailureKind::Fetch(Verdict::Gone)), 404);
    let named = bed.await_order();
    assert_eq!(named.url, "http://a.com/1");
    bed.ok(&named);
    assert_eq!(bed.await_order().url, "http://a.com/sitemap.xml");
}

#[test]
fn a_site_of_costly_rules_leaves_the_others_their_turns() {
    let mut bed = Bed::new(with_robots());
    bed.page("http://hostile.com/first");
    let robots = bed.order();
    let rules: String = (0..20_000).map(|n| format!("Disallow: /*xy*y{n:05}z\n")).collect();
    bed.robots(&robots, &format!("User-agent: *\n{rules}Disallow: /"));
    for n in 0..1_000 {
        bed.page(&format!("http://hostile.com/{n}/{}", "xyab".repeat(450)));
    }
    bed.now += 2_000;
    let decided = |bed: &mut Bed| bed.frontier().stats().pages.disallowed;
    assert_eq!(bed.next(), NextAction::WaitUntil(bed.now), "the others may be asked for at once");
    let first = decided(&mut bed);
    assert!((1..=10).contains(&first), "{first} URLs against 5 000 rules each");

    bed.page("http://other.com/");
    let other = bed.order();
    assert_eq!((other.kind, other.url.as_str()), (FetchKind::Robots, "http://other.com/robots.txt"));
    assert_eq!(decided(&mut bed), first, "the site that used up a call waits");
    bed.now += 600;
    bed.next();
    assert!(decided(&mut bed) > first, "and goes on after that");
}

#[test]
fn an_answer_holds_for_the_next_page_however_short_it_counts() {
    let mut config = with_robots();
    config.robots.refresh = std::time::Duration::ZERO;
    let mut bed = Bed::new(config);
    for path in ["x/1", "2", "3"] {
        bed.page(&format!("http://a.com/{path}"));
    }
    let robots = bed.order();
    bed.robots(&robots, "User-agent: *\nDisallow: /x");
    for path in ["2", "3"] {
        let page = bed.await_order();
        assert_eq!(page.url, format!("http://a.com/{path}"));
        bed.ok(&page);
        if path == "2" {
            let robots = bed.await_order();
            assert_eq!(robots.kind, FetchKind::Robots, "for the page after that it is too old");
            bed.robots(&robots, "User-agent: *\nDisallow: /x");
        }
    }
    bed.page("http://a.com/4");
    assert_eq!(bed.await_order().kind, FetchKind::Robots);
}

#[test]
fn a_failure_counts_for_what_waits_however_short() {
    let mut config = with_robots();
    (config.robots.unavailable_for, config.retry.server_error) = (std::time::Duration::ZERO, 0);
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let robots = bed.order();
    bed.fail(&robots, FailureKind::Fetch(Verdict::ServerError));
    bed.now += 10_000;
    assert_eq!(bed.next(), NextAction::Drained);
    bed.page("http://a.com/2");
    assert_eq!(bed.order().kind, FetchKind::Robots, "the next page asks again");
}

#[test]
fn a_seed_given_again_asks_for_a_robots_txt_that_could_not_be_had_before() {
    let mut bed = Bed::new(with_robots());
    bed.offer(&seed("http://a.com/page"));
    let robots = bed.order();
    bed.fail(&robots, FailureKind::Fetch(Verdict::RefusedAddress));
    if let NextAction::WaitUntil(time) = bed.next() {
        bed.now = time;
    }
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.state("http://a.com/page"), Some(UrlState::Failed(FailureKind::RobotsUnavailable)));
    bed.offer(&seed("http://a.com/page"));
    let robots = bed.order();
    bed.robots(&robots, "");
    assert_eq!(bed.await_order().url, "http://a.com/page");
}
