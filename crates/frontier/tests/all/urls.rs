//! One URL's way: discovery, priority, retries, redirects, limits, recrawl.

use crate::common;

use std::time::Duration;

use common::{Bed, START, answer, link, plain, seed};
use gristmill_frontier::{
    AdmissionResult, FailureKind, FetchKind, FetchOutcome, FetchResult, Frontier, FrontierConfig, LinkRejection,
    LinkSource, NextAction, OutcomeEffect, Outlink, UrlState, Verdict,
};
use gristmill_urls::{BlockList, CanonicalUrl, ScopeConfig, ScopeRule, ScopeVerdict};

fn drain(bed: &mut Bed) -> Vec<String> {
    let mut urls = Vec::new();
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                bed.ok(&order);
                urls.push(order.url.trim_start_matches("http://a.com/").to_owned());
            }
            NextAction::WaitUntil(time) => bed.now = time,
            NextAction::Drained => return urls,
            other => panic!("{other:?}"),
        }
    }
}

/// More URLs than fit in memory here, of hosts with many and with few: rows, merges and replays are all under way.
#[test]
fn of_many_urls_each_is_ordered_once_through_kills_and_restarts() {
    const N: usize = 6_000;
    let mut config = plain();
    (config.politeness.min_delay, config.merge_urls) = (Duration::ZERO, 500);
    let mut bed = Bed::new(config);
    let url_of = |n: usize| format!("http://h{}.com/{n}", n % (1 + n % 60));
    let mut committed = 0;
    let mut n = 0;
    while n < N {
        let (url, depth) = (url_of(n), (n % 5) as u16);
        let is_new = bed.offer(&Outlink { depth, ..link(&url) }) == AdmissionResult::New;
        assert!(is_new, "{url} is known before its time");
        n += 1;
        if n.is_multiple_of(150) {
            bed.commit();
            committed = n;
        }
        if n.is_multiple_of(777) {
            // What was not committed is not known.
            bed.reopen();
            n = committed;
            assert_eq!(bed.offer(&Outlink { depth: 9, ..link(&url_of(n / 2)) }), AdmissionResult::Known);
            // Else it would come by here for ever.
            (n..n + 150).for_each(|n| assert_eq!(bed.page(&url_of(n)), AdmissionResult::New));
            bed.commit();
            n += 150;
            committed = n;
        }
    }
    bed.commit();
    let mut ordered = std::collections::BTreeSet::new();
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                bed.ok(&order);
                assert!(ordered.insert(order.url.clone()), "{} is ordered twice", order.url);
            }
            NextAction::WaitUntil(time) => bed.now = time.max(bed.now + 1),
            NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
        if ordered.len().is_multiple_of(400) {
            bed.commit();
            bed.reopen();
        }
    }
    assert_eq!(ordered.len(), n);
    assert!((0..n).all(|n| ordered.contains(&url_of(n))));
}

#[test]
fn a_url_enters_once_in_any_spelling() {
    let mut bed = Bed::new(plain());
    assert_eq!(bed.page("http://a.com/x?utm_source=y"), AdmissionResult::New);
    for spelling in ["http://a.com/x", "http://A.com:80/x#part", "http://a.com/%78"] {
        assert_eq!(bed.page(spelling), AdmissionResult::Known, "{spelling}");
    }
    bed.commit();
    bed.reopen();
    assert_eq!(bed.page("http://a.com/x"), AdmissionResult::Known);
    assert_eq!(drain(&mut bed), ["x"]);
    assert_eq!(bed.page("http://a.com/x"), AdmissionResult::Known);
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn seeds_go_first_then_listings_homes_news_and_links_by_depth() {
    let mut bed = Bed::new(plain());
    let at = |url, source, depth| Outlink { source, depth, ..link(url) };
    bed.offer(&at("http://a.com/deep", LinkSource::Anchor, 7));
    bed.offer(&at("http://a.com/near", LinkSource::Anchor, 1));
    bed.offer(&at("http://a.com/news", LinkSource::Feed, 1));
    bed.offer(&at("http://a.com/", LinkSource::Anchor, 3));
    bed.offer(&Outlink { kind: FetchKind::Feed, ..at("http://a.com/feed", LinkSource::Feed, 1) });
    bed.offer(&seed("http://a.com/seed"));
    assert_eq!(drain(&mut bed), ["seed", "feed", "", "news", "near", "deep"]);
}

#[test]
fn a_better_link_moves_a_waiting_url_forward() {
    let mut bed = Bed::new(plain());
    let deep = |url| Outlink { depth: 9, ..link(url) };
    bed.offer(&deep("http://a.com/one"));
    bed.offer(&deep("http://a.com/two"));
    assert_eq!(bed.offer(&link("http://a.com/two")), AdmissionResult::Known);
    assert_eq!(bed.offer(&deep("http://a.com/two")), AdmissionResult::Known, "a worse link takes nothing back");
    let first = bed.order();
    assert_eq!((first.url.as_str(), first.depth), ("http://a.com/two", 1));
}

#[test]
fn the_title_of_a_home_page_replaces_others_and_travels_with_the_order() {
    let mut bed = Bed::new(plain());
    let titled = |title, source| Outlink { anchor_title: Some(title), source, ..link("http://a.com/story") };
    bed.offer(&titled("  ", LinkSource::Anchor));
    bed.offer(&titled("more", LinkSource::Anchor));
    bed.offer(&titled(" Rain in Spain ", LinkSource::HomeAnchor));
    bed.offer(&titled("again", LinkSource::HomeAnchor));
    assert_eq!(bed.order().anchor_title.as_deref(), Some("Rain in Spain"));
}

#[test]
fn what_does_not_belong_is_rejected_with_the_reason() {
    let mut config = plain();
    config.scope = Some(ScopeConfig { rule: ScopeRule::Host, max_depth: Some(2), ..ScopeConfig::default() });
    config.max_pages_per_host = Some(3);
    let mut bed = Bed::new(config);
    bed.offer(&seed("http://a.com/"));
    let mut reason = |link: &Outlink<'_>| match bed.offer(link) {
        AdmissionResult::Rejected(reason) => reason,
        other => panic!("{other:?}"),
    };
    assert!(matches!(reason(&link("mailto:x@a.com")), LinkRejection::Invalid(_)));
    assert_eq!(reason(&link("http://b.com/")), LinkRejection::Scope(ScopeVerdict::Elsewhere(ScopeRule::Host)));
    assert_eq!(reason(&Outlink { depth: 3, ..link("http://a.com/x") }), LinkRejection::Scope(ScopeVerdict::TooDeep(2)));
    assert_eq!(reason(&link("http://a.com/x.jpg")), LinkRejection::Scope(ScopeVerdict::Binary("jpg".into())));
    assert!(matches!(reason(&link("http://a.com/x/x/x/x/")), LinkRejection::Trap(_)));
    assert!(matches!(reason(&link("http://a.com/2051/01/")), LinkRejection::Trap(_)));
    assert_eq!(reason(&Outlink { hops: 11, ..link("http://a.com/x") }), LinkRejection::TooManyRedirects(10));
    assert_eq!((bed.page("http://a.com/1"), bed.page("http://a.com/2")), (AdmissionResult::New, AdmissionResult::New));
    assert_eq!(bed.page("http://a.com/3"), AdmissionResult::Rejected(LinkRejection::HostBudget(3)));
    assert_eq!(bed.page("http://a.com/2"), AdmissionResult::Known);
    assert_eq!(bed.frontier().stats().pages.known, 3);
}

#[test]
fn the_scope_and_its_seeds_are_kept_with_the_store() {
    let mut config = plain();
    config.scope = Some(ScopeConfig { rule: ScopeRule::Domain, ..ScopeConfig::default() });
    let mut bed = Bed::new(config);
    bed.offer(&seed("http://a.com/"));
    bed.commit();
    bed.config.scope = None;
    bed.reopen();
    assert_eq!(bed.page("http://shop.a.com/x"), AdmissionResult::New);
    assert!(matches!(bed.page("http://b.com/x"), AdmissionResult::Rejected(_)));
    bed.config.scope = Some(ScopeConfig { rule: ScopeRule::Host, ..ScopeConfig::default() });
    bed.commit();
    bed.reopen();
    assert!(matches!(bed.page("http://shop.a.com/y"), AdmissionResult::Rejected(_)), "a new rule holds for new links");
    assert_eq!(bed.state("http://shop.a.com/x"), Some(UrlState::Queued));
}

#[test]
fn retries_are_limited_by_the_kind_of_failure_and_wait_ever_longer() {
    for (kind, tries) in [
        (FailureKind::Fetch(Verdict::ServerError), 3),
        (FailureKind::Fetch(Verdict::Dns), 3),
        (FailureKind::Fetch(Verdict::Tls), 2),
        (FailureKind::Fetch(Verdict::Gone), 1),
        (FailureKind::Fetch(Verdict::ClientError), 1),
        (FailureKind::Fetch(Verdict::RefusedAddress), 1),
        (FailureKind::Fetch(Verdict::TooLarge), 1),
    ] {
        let mut bed = Bed::new(plain());
        bed.page("http://a.com/1");
        let mut waits = Vec::new();
        for attempt in 0..tries {
            let order = bed.order();
            assert_eq!(order.attempt, attempt);
            let applied = bed.fail(&order, kind);
            assert_eq!(
                applied,
                if attempt + 1 < tries { OutcomeEffect::Retry } else { OutcomeEffect::Final },
                "{kind}"
            );
            bed.commit();
            bed.reopen();
            if let NextAction::WaitUntil(time) = bed.next() {
                waits.push(time - bed.now);
                bed.now = time;
            }
        }
        assert_eq!(bed.next(), NextAction::Drained, "{kind}");
        assert_eq!(bed.state("http://a.com/1"), Some(UrlState::Failed(kind)));
        assert_eq!(waits, [10_000, 20_000][..usize::from(tries) - 1]);
    }
}

#[test]
fn a_retry_that_succeeds_is_done_and_counts_once() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    let order = bed.order();
    bed.fail(&order, FailureKind::Fetch(Verdict::Protocol));
    assert_eq!(bed.frontier().stats().pages.retrying, 1);
    let order = bed.await_order();
    bed.ok(&order);
    let stats = bed.frontier().stats();
    assert_eq!((stats.pages.done, stats.pages_done, stats.pages.known, stats.pages.retrying), (1, 1, 1, 0));
}

#[test]
fn a_redirect_offers_its_target_with_title_and_depth() {
    let mut bed = Bed::new(plain());
    bed.offer(&Outlink { depth: 4, anchor_title: Some("Words"), ..link("http://a.com/old") });
    let order = bed.order();
    bed.redirect(&order, "new?utm_source=x");
    assert_eq!(bed.state("http://a.com/old"), Some(UrlState::Redirected));
    let order = bed.await_order();
    assert_eq!((order.url.as_str(), order.depth, order.hops), ("http://a.com/new", 4, 1));
    assert_eq!(order.anchor_title.as_deref(), Some("Words"));
}

#[test]
fn redirect_loops_and_chains_end() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/self");
    let order = bed.order();
    bed.redirect(&order, "/self?PHPSESSID=9f86d081884c7d659a2feaa0c55ad015");
    assert_eq!(bed.state("http://a.com/self"), Some(UrlState::Failed(FailureKind::RedirectLoop)));

    bed.page("http://a.com/ping");
    let ping = bed.await_order();
    bed.redirect(&ping, "/pong");
    let pong = bed.await_order();
    bed.redirect(&pong, "/ping");
    // Each is asked once more, as a cookie may have been set on the way.
    for target in ["/pong", "/ping"] {
        let order = bed.await_order();
        bed.redirect(&order, target);
    }
    bed.now += 10_000;
    assert_eq!(bed.next(), NextAction::Drained);

    bed.page("http://a.com/0");
    for hop in 1..=11 {
        let order = bed.order();
        bed.redirect(&order, &format!("/{hop}"));
        bed.now += 1_000;
    }
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.state("http://a.com/10"), Some(UrlState::Failed(FailureKind::TooManyRedirects)));

    bed.page("http://a.com/nowhere");
    let order = bed.order();
    bed.finish(&order, FetchResult::Redirect(None), 301);
    assert_eq!(bed.state("http://a.com/nowhere"), Some(UrlState::Failed(FailureKind::BadRedirect)));
}

#[test]
fn a_page_that_a_way_of_redirects_leads_back_to_is_asked_once_more() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/board");
    // That it failed before, with no answer, is no reason not to.
    let board = bed.order();
    bed.fail(&board, FailureKind::Fetch(Verdict::Connect));
    let board = bed.await_order();
    bed.redirect(&board, "/sso");
    let sso = bed.await_order();
    bed.redirect(&sso, "/board");
    let board = bed.await_order();
    assert_eq!((board.url.as_str(), bed.ok(&board)), ("http://a.com/board", OutcomeEffect::Final));
    assert_eq!(bed.state("http://a.com/board"), Some(UrlState::Done));
    // Others that redirect to a page that moved ask nothing again.
    bed.page("http://a.com/old");
    let old = bed.await_order();
    bed.redirect(&old, "/new");
    let new = bed.await_order();
    bed.redirect(&new, "/newest");
    let newest = bed.await_order();
    bed.ok(&newest);
    bed.page("http://a.com/older");
    let older = bed.await_order();
    bed.redirect(&older, "/new");
    bed.now += 10_000;
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_scope_that_is_given_later_holds_for_what_is_queued() {
    let mut bed = Bed::new(plain());
    bed.offer(&seed("http://a.com/"));
    bed.page("http://a.com/private/1");
    bed.page("http://a.com/open/1");
    bed.commit();
    bed.config.scope.as_mut().unwrap().exclude = vec!["/private/".to_owned()];
    bed.reopen();
    let first = bed.order();
    bed.ok(&first);
    let second = bed.await_order();
    bed.ok(&second);
    let urls = [first.url, second.url];
    assert_eq!(urls, ["http://a.com/", "http://a.com/open/1"]);
    bed.now += 10_000;
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.state("http://a.com/private/1"), Some(UrlState::Failed(FailureKind::OutOfScope)));
    bed.commit();
    bed.config.scope.as_mut().unwrap().exclude.clear();
    bed.reopen();
    bed.page("http://a.com/private/1");
    assert_eq!(bed.order().url, "http://a.com/private/1", "a wider scope and a link bring it back");
}

#[test]
fn what_block_lists_name_is_not_fetched_nor_what_waits_of_it() {
    let mut bed = Bed::new(plain());
    for url in ["http://a.com/", "http://ads.b.com/"] {
        bed.offer(&seed(url));
    }
    bed.page("http://a.com/banners/1");
    bed.page("http://a.com/open/1");
    bed.commit();
    let mut list = BlockList::default();
    list.add_lines("b.com\nhttps://www.a.com/banners/\n");
    bed.config.block_list = list.into();
    bed.reopen();
    let mut urls = Vec::new();
    for _ in 0..2 {
        let order = bed.next_order();
        bed.ok(&order);
        urls.push(order.url);
    }
    assert_eq!(urls, ["http://a.com/", "http://a.com/open/1"]);
    bed.now += 10_000;
    assert_eq!(bed.next(), NextAction::Drained);
    for url in ["http://a.com/banners/1", "http://ads.b.com/"] {
        assert_eq!(bed.state(url), Some(UrlState::Failed(FailureKind::OutOfScope)), "{url}");
    }
    bed.page("http://a.com/banners/2");
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_seed_that_redirects_takes_the_scope_along() {
    let mut config = plain();
    config.scope = Some(ScopeConfig::default());
    for follow in [true, false] {
        config.scope.as_mut().unwrap().follow_seed_redirects = follow;
        let mut bed = Bed::new(config.clone());
        bed.offer(&seed("http://a.com/"));
        let order = bed.order();
        bed.redirect(&order, "https://shop.a.com/");
        bed.now += 1_000;
        assert_eq!(matches!(bed.next(), NextAction::Order(_)), follow);
        assert_eq!(bed.page("https://shop.a.com/x") == AdmissionResult::New, follow);
        assert!(matches!(bed.page("https://b.com/x"), AdmissionResult::Rejected(_)));
    }
}

#[test]
fn a_seed_that_leads_to_a_stranger_brings_that_one_page() {
    let mut config = plain();
    config.scope = Some(ScopeConfig::default());
    for follow in [true, false] {
        config.scope.as_mut().unwrap().follow_seed_redirects = follow;
        let mut bed = Bed::new(config.clone());
        bed.offer(&seed("http://small.com/"));
        let order = bed.order();
        bed.redirect(&order, "https://social.net/go");
        if !follow {
            assert_eq!(bed.next(), NextAction::Drained);
            continue;
        }
        let order = bed.order();
        bed.redirect(&order, "https://social.net/small");
        bed.now += 1_000;
        let order = bed.order();
        assert_eq!((order.url.as_str(), order.depth, order.hops), ("https://social.net/small", 0, 2));
        bed.ok(&order);
        assert!(matches!(bed.page("https://social.net/other"), AdmissionResult::Rejected(LinkRejection::Scope(_))));
        bed.page("http://small.com/2");
        bed.now += 1_000;
        let order = bed.order();
        bed.redirect(&order, "https://third.org/");
        assert_eq!(bed.next(), NextAction::Drained, "what a link leads to is no seed");
    }
}

#[test]
fn a_feed_that_is_a_start_brings_its_entries_wherever_they_are_and_nothing_else_there() {
    let mut config = plain();
    config.scope = Some(ScopeConfig { exclude: vec!["/tag/".to_owned()], ..ScopeConfig::default() });
    let mut bed = Bed::new(config);
    bed.offer(&Outlink { kind: FetchKind::Feed, ..seed("http://feeds.small.com/rss") });
    let order = bed.order();
    bed.redirect(&order, "http://feeds.other.net/rss");
    let order = bed.order();
    assert_eq!((order.url.as_str(), order.kind, order.depth), ("http://feeds.other.net/rss", FetchKind::Feed, 0));
    bed.ok(&order);
    let entry = |url, depth| Outlink { source: LinkSource::Feed, depth, ..seed(url) };
    let is_left_out = |result| matches!(result, AdmissionResult::Rejected(LinkRejection::Scope(_)));
    assert!(is_left_out(bed.offer(&entry("http://www.small.com/of-another-feed", 1))));
    assert!(is_left_out(bed.offer(&entry("http://www.small.com/tag/rye", 0))));
    assert_eq!(bed.offer(&entry("http://www.small.com/story", 0)), AdmissionResult::New);
    bed.now += 1_000;
    let order = bed.order();
    assert_eq!((order.url.as_str(), order.depth), ("http://www.small.com/story", 0));
    bed.ok(&order);
    assert!(is_left_out(bed.page("http://www.small.com/other")));
}

#[test]
fn the_redirect_of_a_listing_within_its_domain_opens_the_place_that_it_leads_to() {
    let mut config = plain();
    config.scope = Some(ScopeConfig::default());
    let mut bed = Bed::new(config);
    bed.offer(&Outlink { kind: FetchKind::Sitemap, ..seed("http://small.com/sitemap.xml") });
    let order = bed.order();
    bed.redirect(&order, "http://www.small.com/sitemap.xml");
    bed.now += 1_000;
    let order = bed.order();
    assert_eq!((order.url.as_str(), order.kind), ("http://www.small.com/sitemap.xml", FetchKind::Sitemap));
    bed.ok(&order);
    assert_eq!(bed.page("http://www.small.com/mill"), AdmissionResult::New);
}

#[test]
fn an_answer_of_no_change_to_nobodys_question_is_a_failure() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    let order = bed.order();
    assert_eq!(bed.finish(&order, FetchResult::NotModified, 304), OutcomeEffect::Retry);
    let order = bed.await_order();
    assert_eq!((order.attempt, order.etag.as_deref()), (1, None));
    bed.ok(&order);
    assert_eq!(bed.state("http://a.com/1"), Some(UrlState::Done));
}

#[test]
fn a_condition_that_a_server_cannot_meet_is_left_out_at_once() {
    let mut config = plain();
    config.recrawl.enabled = true;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let order = bed.order();
    bed.apply(&FetchOutcome { etag: Some("\"1\"".into()), ..answer(&order, FetchResult::Ok, 200, bed.now) });
    let refused = FetchResult::Failed(FailureKind::Fetch(Verdict::ClientError));
    let order = bed.next_order();
    assert!(order.etag.is_some());
    assert_eq!(bed.finish(&order, refused.clone(), 412), OutcomeEffect::Retry);
    let order = bed.next_order();
    assert_eq!((order.known, order.etag.as_deref()), (true, None));
    assert_eq!(bed.finish(&order, refused, 412), OutcomeEffect::Final);
}

#[test]
fn the_page_limit_counts_successes_and_is_never_exceeded() {
    let mut config = plain();
    config.max_pages = Some(2);
    let mut bed = Bed::new(config);
    for n in 0..9 {
        bed.page(&format!("http://a{n}.com/"));
    }
    let (first, second) = (bed.order(), bed.order());
    assert_eq!(bed.next(), NextAction::Busy, "two in flight may be the two");
    bed.fail(&first, FailureKind::Fetch(Verdict::Gone));
    let third = bed.order();
    bed.ok(&second);
    bed.ok(&third);
    assert_eq!(bed.next(), NextAction::LimitReached);
    bed.commit();
    bed.reopen();
    assert_eq!(bed.next(), NextAction::LimitReached, "over all runs");
    assert_eq!(bed.frontier().stats().pages_done, 2);
}

#[test]
fn done_pages_stay_done_unless_recrawl_is_on() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    let order = bed.order();
    bed.ok(&order);
    bed.now += 400 * 86_400_000;
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn recrawl_adapts_to_change_and_asks_conditionally() {
    let mut config = plain();
    config.recrawl.enabled = true;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let day = 86_400_000;
    let mut order = bed.order();
    assert_eq!((order.known, order.etag.as_deref()), (false, None));
    let visits = [
        (FetchResult::Ok, Some(7), day),
        (FetchResult::Ok, Some(7), day * 3 / 2),
        (FetchResult::NotModified, None, day * 9 / 4),
        (FetchResult::Ok, Some(8), day * 9 / 8),
    ];
    for (result, content_hash, expected) in visits {
        let etag = (result == FetchResult::Ok).then(|| format!("\"{content_hash:?}\""));
        let outcome = FetchOutcome { content_hash, etag, ..answer(&order, result, 200, bed.now) };
        bed.apply(&outcome);
        bed.commit();
        bed.reopen();
        assert_eq!(bed.next(), NextAction::WaitUntil(bed.now + expected));
        bed.now += expected;
        order = bed.order();
        assert!(order.known && order.etag.is_some(), "{order:?}");
    }
    assert_eq!(order.etag.as_deref(), Some("\"Some(8)\""));
    assert_eq!(bed.frontier().stats().pages_done, 1, "revisits are no new pages");
    bed.fail(&order, FailureKind::Fetch(Verdict::Gone));
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_lost_order_is_tried_again_only_with_a_lease_timeout() {
    for timeout in [None, Some(Duration::from_secs(60))] {
        let mut config = plain();
        config.lease_timeout = timeout;
        let mut bed = Bed::new(config);
        bed.page("http://a.com/1");
        let order = bed.order();
        bed.now += 3_600_000;
        match timeout {
            None => assert_eq!(bed.next(), NextAction::Busy),
            Some(_) => {
                assert!(matches!(bed.next(), NextAction::WaitUntil(_)));
                bed.now += 10_000;
                assert!(bed.order().id > order.id);
                assert_eq!(bed.ok(&order), OutcomeEffect::Stale, "the late outcome changes nothing");
            }
        }
    }
}

#[test]
fn unknown_settings_are_refused_and_contradictions_told_together() {
    assert!(serde_json::from_str::<FrontierConfig>(r#"{"max_page": 1}"#).is_err());
    let config: FrontierConfig =
        serde_json::from_str(r#"{"politeness": {"min_delay": "2s"}, "lease_timeout": "5m"}"#).unwrap();
    assert_eq!((config.politeness.min_delay.as_secs(), config.lease_timeout.unwrap().as_secs()), (2, 300));
    let mut config = plain();
    config.politeness.max_crawl_delay = Duration::ZERO;
    config.recrawl.max = Duration::ZERO;
    let dir = tempfile::tempdir().unwrap();
    let error = Frontier::open(dir.path(), config).err().unwrap().to_string();
    assert!(error.contains("`politeness.max_crawl_delay`") && error.contains("`recrawl.max`"), "{error}");
}

#[test]
fn a_store_that_is_open_is_locked() {
    let bed = Bed::new(plain());
    let error = Frontier::open(bed.dir.path(), plain()).err().unwrap();
    assert!(error.to_string().contains("in use by another process"), "{error}");
}

#[test]
fn an_explanation_tells_url_scope_and_host() {
    let mut bed = Bed::new(plain());
    bed.offer(&seed("http://a.com/1"));
    let order = bed.order();
    let url: CanonicalUrl = "http://a.com/1".parse().unwrap();
    let now = bed.now;
    let explained = bed.frontier().explain(&url, now).unwrap();
    let known = explained.known.clone().unwrap();
    assert_eq!((known.state, known.order_id, known.is_seed), (UrlState::Leased, Some(order.id), true));
    assert_eq!((known.first_seen, explained.host.in_flight.clone()), (START, vec![order.id]));
    assert!(serde_json::to_string(&explained).unwrap().contains("\"state\":\"leased\""));
    bed.fail(&order, FailureKind::Fetch(Verdict::ServerError));
    let now = bed.now;
    let known = bed.frontier().explain(&url, now).unwrap().known.unwrap();
    assert_eq!(
        (known.due, known.last_failure, known.status),
        (Some(now + 10_000), Some(FailureKind::Fetch(Verdict::ServerError)), Some(500))
    );
    let stranger = bed.frontier().explain(&"http://a.com/2031/01/".parse().unwrap(), now).unwrap();
    assert!(stranger.known.is_none() && stranger.trap.is_some());
}

#[test]
fn a_seed_given_again_is_tried_anew_if_it_failed_and_left_alone_if_it_was_fetched() {
    let mut bed = Bed::new(plain());
    bed.offer(&seed("http://a.com/fine"));
    let fine = bed.order();
    bed.ok(&fine);
    bed.offer(&seed("http://a.com/lost"));
    let lost = bed.await_order();
    bed.fail(&lost, FailureKind::Fetch(Verdict::RefusedAddress));
    assert_eq!(bed.next(), NextAction::Drained);
    for url in ["http://a.com/fine", "http://a.com/lost"] {
        assert_eq!(bed.offer(&seed(url)), AdmissionResult::Known);
        assert_eq!(bed.page(url), AdmissionResult::Known, "a link to it asks for nothing");
    }
    assert_eq!(bed.state("http://a.com/fine"), Some(UrlState::Done));
    bed.commit();
    bed.reopen();
    let again = bed.await_order();
    assert_eq!((again.url.as_str(), again.attempt), ("http://a.com/lost", 0));
    bed.ok(&again);
    assert_eq!(bed.next(), NextAction::Drained);
    assert_eq!(bed.frontier().stats().pages.failed_total(), 0);
}

#[test]
fn again_puts_all_that_came_to_its_end_into_the_queues_once() {
    let mut bed = Bed::new(plain());
    for n in 0..5 {
        bed.page(&format!("http://a.com/{n}"));
    }
    for n in 0..5 {
        let order = if n == 0 { bed.order() } else { bed.await_order() };
        match n {
            3 => bed.fail(&order, FailureKind::Fetch(Verdict::Gone)),
            4 => bed.redirect(&order, "http://a.com/0"),
            _ => bed.ok(&order),
        };
    }
    assert_eq!(bed.next(), NextAction::Drained);
    bed.page("http://a.com/waiting");
    let now = bed.now;
    assert_eq!(bed.frontier().again(now).unwrap(), 5);
    assert_eq!(bed.frontier().again(now).unwrap(), 0, "they wait already");
    bed.reopen();
    let mut urls = drain(&mut bed);
    assert_eq!(urls[0], "waiting");
    urls.sort();
    assert_eq!(urls, ["0", "1", "2", "3", "4", "waiting"], "in the order of their keys");
    assert_eq!(bed.frontier().stats().pages.done, 6);
}

#[test]
fn pages_that_fail_use_up_the_limit_too_but_some_may() {
    for (limit, most) in [(2, 20), (50, 50)] {
        let mut config = plain();
        config.max_pages = Some(limit);
        let mut bed = Bed::new(config);
        for page in 0..200 {
            bed.page(&format!("http://a.com/{page}"));
        }
        let mut n_failed = 0;
        loop {
            match bed.next() {
                NextAction::Order(order) => {
                    bed.fail(&order, FailureKind::Fetch(Verdict::Gone));
                    n_failed += 1;
                }
                NextAction::WaitUntil(time) => bed.now = time,
                NextAction::LimitReached => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(n_failed, most, "`max_pages` {limit}");
    }
}

#[test]
fn pages_that_bring_nothing_are_left_out_where_they_lead_on_and_not_where_a_start_page_lists_them() {
    for (depth, least, most) in [(1, 90, 90), (2, 40, 60)] {
        let mut bed = Bed::new(plain());
        let urls: Vec<String> = (0..90).map(|n| format!("http://a.com/i/{n}")).collect();
        urls.iter().for_each(|url| _ = bed.offer(&Outlink { depth, ..link(url) }));
        let mut n_asked = 0;
        loop {
            match bed.next() {
                NextAction::Order(order) => {
                    n_asked += 1;
                    let nothing = answer(&order, FetchResult::Ok, 200, bed.now);
                    bed.apply(&FetchOutcome { brings_nothing: Some(true), ..nothing });
                }
                NextAction::WaitUntil(time) => bed.now = time,
                _ => break,
            }
        }
        assert!((least..=most).contains(&n_asked), "{n_asked} at depth {depth}");
    }
}

#[test]
fn lists_that_say_nothing_go_on_while_they_lead_to_pages_that_do() {
    for (n_good, least, most) in [(90, 90, 90), (0, 40, 60)] {
        let mut bed = Bed::new(plain());
        bed.offer(&Outlink { depth: 1, ..link("http://a.com/list/0") });
        let mut n_lists = 0;
        loop {
            match bed.next() {
                NextAction::Order(order) => {
                    let number: usize = order.url.rsplit('/').next().unwrap().parse().unwrap();
                    let is_list = order.url.contains("/list/");
                    if is_list {
                        n_lists += 1;
                        let leads =
                            [format!("http://a.com/photo/{number}"), format!("http://a.com/list/{}", number + 1)];
                        for url in leads.iter().filter(|_| number < 89) {
                            let (now, link) = (bed.now, Outlink { depth: order.depth + 1, ..link(url) });
                            bed.frontier().offer_found(&link, &order.url, now).unwrap();
                        }
                    }
                    let page = answer(&order, FetchResult::Ok, 200, bed.now);
                    bed.apply(&FetchOutcome { brings_nothing: Some(is_list || number >= n_good), ..page });
                }
                NextAction::WaitUntil(time) => bed.now = time,
                _ => break,
            }
        }
        assert!((least..=most).contains(&n_lists), "{n_lists} lists, of which {n_good} lead to something");
    }
}

#[test]
fn parameters_in_another_order_are_left_out_once_a_site_has_told_that_their_order_means_nothing() {
    for (means_nothing, expected) in [(true, 15), (false, 20)] {
        let mut bed = Bed::new(plain());
        for n in 0..10 {
            for query in [format!("size={n}&colour=red"), format!("colour=red&size={n}")] {
                let url = format!("http://a.com/list?{query}");
                bed.offer(&Outlink { depth: 2, ..link(&url) });
            }
        }
        let mut n_asked = 0;
        loop {
            match bed.next() {
                NextAction::Order(order) => {
                    n_asked += 1;
                    let number: u64 = order.url.bytes().filter(u8::is_ascii_digit).map(u64::from).sum();
                    let words = if means_nothing { number } else { n_asked + 1_000 };
                    let page = answer(&order, FetchResult::Ok, 200, bed.now);
                    bed.apply(&FetchOutcome { words_hash: Some(words), ..page });
                }
                NextAction::WaitUntil(time) => bed.now = time,
                _ => break,
            }
        }
        assert_eq!(n_asked, expected);
    }
}

#[test]
fn pages_that_were_left_out_come_back_once_one_like_them_brings_something() {
    let mut bed = Bed::new(plain());
    let urls: Vec<String> = (0..160).map(|n| format!("http://a.com/ad/{n}")).collect();
    urls.iter().for_each(|url| _ = bed.offer(&Outlink { depth: 2, ..link(url) }));
    let mut live = 0;
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                let number: usize = order.url.rsplit('/').next().unwrap().parse().unwrap();
                live += usize::from(number >= 60);
                let page = answer(&order, FetchResult::Ok, 200, bed.now);
                bed.apply(&FetchOutcome { brings_nothing: Some(number < 60), ..page });
            }
            NextAction::WaitUntil(time) => bed.now = time,
            _ => break,
        }
    }
    assert_eq!(live, 100);
}
