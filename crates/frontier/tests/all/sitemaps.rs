//! Sitemaps without end: nesting, number and the page budget bound them.

use crate::common;

use common::{Bed, link, plain, seed, with_robots};
use gristmill_frontier::{
    AdmissionResult, FailureKind, FetchKind, LinkRejection, LinkSource, NextAction, Outlink, Verdict,
};
use gristmill_urls::ScopeConfig;

fn sitemap(url: &str, depth: u16) -> Outlink<'_> {
    Outlink { kind: FetchKind::Sitemap, source: LinkSource::Sitemap, depth, ..link(url) }
}

/// Fetches until nothing is due any more; each sitemap is an index of `n` sitemaps nobody has seen. How many were fetched.
fn crawl_random_indexes(bed: &mut Bed, n: usize, most: usize) -> (usize, NextAction) {
    let (mut fetched, mut made) = (0, 0);
    loop {
        match bed.next() {
            NextAction::WaitUntil(time) => bed.now = bed.now.max(time),
            NextAction::Order(order) if order.kind == FetchKind::Robots => {
                bed.robots(&order, "Sitemap: /sitemap.xml");
            }
            NextAction::Order(order) => {
                bed.ok(&order);
                fetched += usize::from(order.kind == FetchKind::Sitemap);
                assert!(fetched <= most, "no end");
                for _ in 0..if order.kind == FetchKind::Sitemap { n } else { 0 } {
                    made += 1;
                    bed.offer(&sitemap(&format!("http://a.com/{made}.xml"), order.depth + 1));
                }
            }
            end => return (fetched, end),
        }
    }
}

#[test]
fn a_sitemap_within_six_indexes_is_refused() {
    let mut bed = Bed::new(plain());
    assert_eq!(bed.offer(&sitemap("http://a.com/5.xml", 5)), AdmissionResult::New);
    let refused = bed.offer(&sitemap("http://a.com/6.xml", 6));
    assert_eq!(refused, AdmissionResult::Rejected(LinkRejection::SitemapNesting(5)));
    assert_eq!(bed.offer(&link("http://a.com/page")), AdmissionResult::New);
}

#[test]
fn indexes_that_list_one_random_index_each_end_by_their_nesting() {
    let mut bed = Bed::new(with_robots());
    bed.offer(&seed("http://a.com/"));
    assert_eq!(crawl_random_indexes(&mut bed, 1, 100), (6, NextAction::Drained));
}

#[test]
fn indexes_of_many_random_indexes_end_by_the_number_that_a_site_may_have() {
    let mut config = with_robots();
    config.max_sitemaps_per_site = 40;
    let mut bed = Bed::new(config);
    bed.offer(&seed("http://a.com/"));
    assert_eq!(crawl_random_indexes(&mut bed, 9, 100), (40, NextAction::Drained));
    bed.commit();
    bed.reopen();
    let refused = AdmissionResult::Rejected(LinkRejection::SiteSitemaps(40));
    assert_eq!(bed.offer(&sitemap("http://www.a.com/x.xml", 0)), refused, "a site is a domain with all its hosts");
    assert_eq!(bed.offer(&sitemap("http://b.com/x.xml", 0)), AdmissionResult::New);
    assert_eq!(bed.offer(&link("http://a.com/page")), AdmissionResult::New, "pages are not counted");
}

#[test]
fn a_page_budget_bounds_sitemaps_too_and_a_larger_one_goes_on_with_them() {
    let mut config = with_robots();
    config.max_pages = Some(20);
    let mut bed = Bed::new(config.clone());
    bed.offer(&seed("http://a.com/"));
    assert_eq!(crawl_random_indexes(&mut bed, 9, 100), (20, NextAction::LimitReached));
    bed.commit();
    bed.config.max_pages = Some(30);
    bed.reopen();
    assert_eq!(crawl_random_indexes(&mut bed, 0, 100), (10, NextAction::LimitReached));
}

#[test]
fn sitemaps_beyond_the_budget_do_not_stand_before_pages_and_take_the_room_of_those_that_fail() {
    let mut config = plain();
    config.max_pages = Some(3);
    let mut bed = Bed::new(config);
    for n in 1..=5 {
        let url = format!("http://a.com/{n}.xml");
        bed.offer(&sitemap(&url, 0));
    }
    for n in 1..=2 {
        let url = format!("http://a.com/{n}");
        bed.offer(&link(&url));
    }
    let first = bed.order();
    bed.ok(&first);
    let mut asked = vec![first.url];
    for fails in [true, false, false, false, false] {
        let order = bed.await_order();
        if fails {
            bed.fail(&order, FailureKind::Fetch(Verdict::Gone))
        } else {
            bed.ok(&order)
        };
        asked.push(order.url);
    }
    let expected = ["/1.xml", "/2.xml", "/3.xml", "/4.xml", "/1", "/2"].map(|path| format!("http://a.com{path}"));
    assert_eq!(asked, expected, "the second one failed, so there is room for the fourth and none for the fifth");
    assert_eq!(bed.next(), NextAction::LimitReached);
}

#[test]
fn sitemaps_are_guessed_one_after_the_other_where_robots_txt_names_none() {
    let mut config = with_robots();
    config.robots.guess_sitemap = true;
    config.scope = Some(ScopeConfig::default());
    for (rules, asked) in [
        ("", &["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"][..]),
        ("Sitemap: /sitemap.xml", &["/sitemap.xml"]),
    ] {
        let mut bed = Bed::new(config.clone());
        bed.offer(&seed("http://a.com/"));
        let order = bed.order();
        bed.robots(&order, rules);
        let mut sitemaps = Vec::new();
        loop {
            match bed.next() {
                NextAction::WaitUntil(time) => bed.now = time,
                NextAction::Order(order) if order.kind == FetchKind::Sitemap => {
                    sitemaps.push(order.url.trim_start_matches("http://a.com").to_owned());
                    bed.fail(&order, FailureKind::Fetch(Verdict::Gone));
                }
                NextAction::Order(order) => _ = bed.ok(&order),
                _ => break,
            }
        }
        assert_eq!(sitemaps, asked, "{rules:?}");
    }
}

#[test]
fn without_bounds_the_sitemap_of_a_domain_is_guessed_when_some_pages_of_it_were_fetched() {
    let mut config = with_robots();
    config.robots.guess_sitemap = true;
    for (n_pages, wanted) in [(1, 0), (3, 0), (4, 1), (9, 1)] {
        let mut bed = Bed::new(config.clone());
        bed.offer(&seed("http://a.com/"));
        let urls: Vec<String> = (1..n_pages).map(|page| format!("http://a.com/{page}")).collect();
        urls.iter().for_each(|url| _ = bed.offer(&link(url)));
        let (mut before, mut n_sitemaps) = (0, 0);
        loop {
            match bed.next() {
                NextAction::WaitUntil(time) => bed.now = time,
                NextAction::Order(order) if order.kind == FetchKind::Robots => _ = bed.robots(&order, ""),
                NextAction::Order(order) => {
                    n_sitemaps += usize::from(order.kind == FetchKind::Sitemap);
                    before += usize::from(n_sitemaps == 0);
                    bed.ok(&order);
                }
                _ => break,
            }
        }
        assert_eq!((n_sitemaps, before), (wanted, if wanted == 0 { n_pages } else { 4 }), "{n_pages} pages");
    }
}
