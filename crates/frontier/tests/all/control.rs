//! What an operator tells a crawl: pauses that last, and pages that go for good.

use crate::common;

use common::{Bed, link, plain, seed};
use gristmill_frontier::{AdmissionResult, NextAction};
use gristmill_urls::Takedown;

#[test]
fn a_paused_site_gets_no_order_and_the_others_do_and_a_restart_does_not_end_it() {
    let mut bed = Bed::new(plain());
    bed.page("http://www.slow.com/1");
    bed.page("http://other.com/1");
    bed.frontier().pause(Some("slow.com"));
    bed.commit();
    for _ in 0..2 {
        bed.reopen();
        assert_eq!(bed.frontier().paused().collect::<Vec<_>>(), ["slow.com"]);
        let order = bed.order();
        assert_eq!(order.url, "http://other.com/1");
        assert_eq!(bed.next(), NextAction::Busy);
        bed.ok(&order);
        assert_eq!(bed.next(), NextAction::Paused, "what is left is paused, so the crawl has not come to its end");
    }
    bed.frontier().resume(Some("slow.com")).unwrap();
    assert_eq!(bed.order().url, "http://www.slow.com/1");
}

#[test]
fn a_paused_crawl_orders_nothing_whatever_is_found_until_it_goes_on() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    let order = bed.order();
    bed.frontier().pause(None);
    bed.page("http://b.com/1");
    assert_eq!(bed.next(), NextAction::Busy, "what is in flight ends");
    bed.ok(&order);
    assert_eq!(bed.next(), NextAction::Paused);
    bed.commit();
    bed.reopen();
    assert_eq!(bed.next(), NextAction::Paused);
    bed.frontier().pause(Some("b.com"));
    bed.frontier().resume(None).unwrap();
    assert_eq!(bed.order().url, "http://b.com/1", "all pauses end");
}

#[test]
fn what_is_taken_down_leaves_the_corpus_and_never_comes_back() {
    for text in ["http://news.a.com/1", "news.a.com"] {
        let mut config = plain();
        config.recrawl.enabled = true;
        let mut bed = Bed::new(config);
        bed.page("http://news.a.com/1");
        let order = bed.order();
        bed.ok(&order);
        bed.page("http://www.a.com/2");
        let takedown = Takedown::parse(text).unwrap();
        let now = bed.now;
        bed.frontier().take_down(&takedown, now).unwrap();
        let departed: Vec<String> = bed.frontier().take_departed().iter().map(|url| url.as_str().to_owned()).collect();
        assert_eq!(departed, ["http://news.a.com/1"], "{text}");
        assert_eq!(bed.frontier().take_taken_down(), [takedown]);
        bed.commit();
        bed.reopen();
        assert!(matches!(
            bed.offer(&seed("http://news.a.com/1")),
            AdmissionResult::Known | AdmissionResult::Rejected(_)
        ));
        let other = bed.offer(&link("http://sub.news.a.com/3"));
        assert_eq!(matches!(other, AdmissionResult::Rejected(_)), text == "news.a.com", "{other:?}");
        let visits = bed.visits(90 * 24 * 3_600_000);
        assert!(visits.iter().any(|url| url == "http://www.a.com/2"), "{text}: {visits:?}");
        assert!(!visits.iter().any(|url| url == "http://news.a.com/1"), "{text}: {visits:?}");
    }
}
