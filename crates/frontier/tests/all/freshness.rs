//! How long after its publication a page is found: for news only, each page once.

use std::time::Duration;

use gristmill_frontier::{FetchOrder, FrontierConfig, Outlink};
use gristmill_terms::{FetchKind, LinkSource};
use gristmill_urls::CanonicalUrl;

use crate::common::{Bed, link, plain};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const FEED: &str = "http://a.com/feed.xml";

fn watching() -> FrontierConfig {
    let mut config = plain();
    config.recrawl.enabled = true;
    config.recrawl.sources = Duration::from_secs(300);
    config
}

/// Lets the feed, whose order is given, list these, before its outcome is told or after; returns when.
fn list(bed: &mut Bed, order: &FetchOrder, stories: &[(&str, Option<u64>)], outcome_first: bool) -> u64 {
    assert_eq!(order.url, FEED);
    if outcome_first {
        bed.ok(order);
    }
    for (url, _) in stories {
        bed.offer(&Outlink { source: LinkSource::Feed, ..link(url) });
    }
    let now = bed.now;
    bed.frontier().brought_pages(FEED, now, stories).unwrap();
    if !outcome_first {
        bed.ok(order);
    }
    now
}

fn begin() -> (Bed, FetchOrder) {
    let mut bed = Bed::new(watching());
    bed.offer(&Outlink { kind: FetchKind::Feed, source: LinkSource::Feed, ..link(FEED) });
    let order = bed.next_order();
    (bed, order)
}

fn found(bed: &mut Bed, url: &str, published: Option<u64>, at: u64) -> Option<u64> {
    let url = CanonicalUrl::parse(url, None).unwrap();
    bed.frontier().found(&url, published, at, at).unwrap()
}

#[test]
fn what_a_source_lists_at_its_first_visit_is_old_and_what_comes_later_is_news_once() {
    for outcome_first in [false, true] {
        let (mut bed, order) = begin();
        list(&mut bed, &order, &[("http://a.com/old", None)], outcome_first);
        let old = bed.next_order();
        bed.ok(&old);
        let order = bed.next_order();
        let seen = list(&mut bed, &order, &[("http://a.com/new", None)], outcome_first);
        let new = bed.next_order();
        bed.ok(&new);
        bed.commit();
        bed.reopen();
        let at = seen + 30_000;
        assert_eq!(found(&mut bed, "http://a.com/old", Some(at), at), None, "outcome first: {outcome_first}");
        assert_eq!(found(&mut bed, "http://a.com/new", None, at), Some(30_000), "outcome first: {outcome_first}");
        assert_eq!(found(&mut bed, "http://a.com/new", None, at + HOUR), None, "it comes back");
        assert_eq!(found(&mut bed, "http://a.com/never-met", None, at), None);
    }
}

#[test]
fn the_date_of_the_page_goes_before_that_of_its_source_and_one_in_the_future_is_none() {
    let (mut bed, order) = begin();
    list(&mut bed, &order, &[], false);
    bed.now += HOUR;
    let order = bed.next_order();
    let seen = bed.now;
    let listed = Some(seen - 5 * MINUTE);
    let stories = [
        ("http://a.com/page", Some(seen - 4 * MINUTE), 4),
        ("http://a.com/feed", None, 5),
        ("http://a.com/future", Some(seen + 3 * HOUR), 0),
        ("http://a.com/before-the-watch", Some(seen - 2 * HOUR), 999),
        ("http://a.com/years-ago", Some(0), 999),
    ];
    list(&mut bed, &order, &stories.map(|(url, ..)| (url, listed)), false);
    for (url, published, minutes) in stories {
        let delay = found(&mut bed, url, published, seen + MINUTE);
        assert_eq!(delay.map_or(999, |delay| delay / MINUTE - 1), minutes, "{url}");
    }
}

#[test]
fn a_story_that_is_reached_over_a_redirect_is_as_new_as_the_redirect() {
    let (mut bed, order) = begin();
    list(&mut bed, &order, &[], false);
    let order = bed.next_order();
    let seen = list(&mut bed, &order, &[("http://a.com/short", None)], false);
    let short = bed.next_order();
    bed.redirect(&short, "/long");
    let long = bed.next_order();
    assert_eq!(long.url, "http://a.com/long");
    bed.ok(&long);
    assert_eq!(found(&mut bed, "http://a.com/long", None, seen + MINUTE), Some(MINUTE));
}

#[test]
fn news_go_before_what_was_there_when_the_site_was_met() {
    let (mut bed, order) = begin();
    let old: Vec<String> = (0..50).map(|n| format!("http://a.com/old/{n}")).collect();
    list(&mut bed, &order, &old.iter().map(|url| (url.as_str(), None)).collect::<Vec<_>>(), false);
    let mut order = bed.next_order();
    while order.url != FEED {
        assert!(order.url.contains("/old/"));
        bed.ok(&order);
        // A pause is a minute: the old ones are not half done when the feed has its turn again.
        bed.now += MINUTE;
        order = bed.next_order();
    }
    let now = bed.now;
    bed.page("http://a.com/new");
    bed.frontier().brought_pages(FEED, now, &[("http://a.com/new", None)]).unwrap();
    bed.ok(&order);
    assert_eq!(bed.next_order().url, "http://a.com/new");
}
