//! Frontiers that share a crawl by domain find what one frontier finds, and each hears of all its orders.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use common::{START, answer, link, with_robots};
use gristmill_frontier::{
    AdmissionResult, FetchKind, FetchOrder, FetchOutcome, FetchResult, Frontier, LinkRejection, LinkSource, NextAction,
    OutcomeEffect, Outlink,
};
use gristmill_urls::CanonicalUrl;
use proptest::prelude::*;

const N_DOMAINS: usize = 9;

/// How a page is reached, and in no other way.
#[derive(Debug, Clone, Copy)]
enum Way {
    Link,
    /// By the redirect of a page that is linked.
    Redirect,
    /// By a sitemap that the robots.txt of another domain names.
    Sitemap,
}

/// What URLs answer.
#[derive(Debug, Default)]
struct Web {
    links: BTreeMap<String, Vec<String>>,
    redirects: BTreeMap<String, String>,
    /// By domain.
    robots: BTreeMap<usize, String>,
    sitemaps: BTreeMap<String, String>,
    robots_at: BTreeMap<usize, usize>,
    pages: BTreeSet<String>,
}

fn domain(number: usize) -> String {
    format!("d{number}.test")
}

impl Web {
    /// * `units`: parent, way, domain of what leads there, domain of the page.
    /// * `moved`: domains whose robots.txt redirects to that of another domain.
    fn new(units: &[(prop::sample::Index, Way, usize, usize)], moved: &[(usize, usize)]) -> Self {
        let mut web = Self::default();
        let mut pages = vec!["http://d0.test/".to_owned()];
        // A chain would end at the limit; and what a robots.txt elsewhere says is not what this is about.
        for (from, to) in moved {
            if from != to && !web.robots_at.contains_key(to) && !web.robots_at.values().any(|at| at == from) {
                web.robots_at.insert(*from, *to);
            }
        }
        for (n, (parent, way, d1, d2)) in units.iter().enumerate() {
            let parent = parent.get(&pages).clone();
            let page = format!("http://{}/{n}", domain(*d2));
            let first = format!("http://{}/{n}/first", domain(*d1));
            let linked = match way {
                Way::Link => page.clone(),
                Way::Redirect => {
                    web.redirects.insert(first.clone(), page.clone());
                    first
                }
                Way::Sitemap => {
                    let sitemap = format!("http://{}/{n}.xml", domain(*d2));
                    let holder = web.robots_at.get(d1).copied().unwrap_or(*d1);
                    web.robots.entry(holder).or_default().push_str(&format!("Sitemap: {sitemap}\n"));
                    web.sitemaps.insert(sitemap, page.clone());
                    web.pages.insert(first.clone());
                    first
                }
            };
            web.links.entry(parent).or_default().push(linked);
            pages.push(page);
        }
        web.pages.extend(pages);
        web
    }

    fn outcome(&self, order: &FetchOrder, now: u64) -> FetchOutcome {
        let url = CanonicalUrl::parse(&order.url, None).unwrap();
        let number = (0..N_DOMAINS).find(|number| domain(*number) == url.registrable_domain()).unwrap();
        if order.kind == FetchKind::Robots {
            return match self.robots_at.get(&number) {
                Some(to) => {
                    let target = format!("http://{}/robots.txt", domain(*to));
                    answer(order, FetchResult::Redirect(Some(target)), 301, now)
                }
                None => {
                    let body = self.robots.get(&number).cloned().unwrap_or_default();
                    FetchOutcome { robots_body: Some(body.into()), ..answer(order, FetchResult::Ok, 200, now) }
                }
            };
        }
        match self.redirects.get(&order.url) {
            Some(target) => answer(order, FetchResult::Redirect(Some(target.clone())), 302, now),
            None => answer(order, FetchResult::Ok, 200, now),
        }
    }

    /// What a fetcher tells of the links behind an order.
    fn found<'a>(&'a self, order: &FetchOrder) -> Vec<Outlink<'a>> {
        if let Some(page) = self.sitemaps.get(&order.url) {
            return vec![Outlink { source: LinkSource::Sitemap, ..link(page) }];
        }
        let links = self.links.get(&order.url).into_iter().flatten();
        links.map(|url| Outlink { depth: order.depth + 1, ..link(url) }).collect()
    }

    /// Crawls with so many frontiers; which pages were fetched, and how many requests that took.
    fn crawl(&self, shares: usize) -> (BTreeSet<String>, usize) {
        let dirs: Vec<_> = (0..shares).map(|_| tempfile::tempdir().unwrap()).collect();
        let open = |(share, dir): (usize, &tempfile::TempDir)| {
            let frontier = Frontier::open(dir.path(), with_robots()).unwrap();
            frontier.owning(move |domain| owner(domain, shares) == share)
        };
        let mut frontiers: Vec<Frontier> = dirs.iter().enumerate().map(open).collect();
        let offer = |frontiers: &mut [Frontier], link: &Outlink<'_>, now| {
            let offered = frontiers[owner_of(link.url, shares)].offer(link, now).unwrap();
            assert!(!matches!(offered, AdmissionResult::Rejected(_)), "{offered:?}: {link:?}");
        };
        let (mut now, mut asked, mut n_asked) = (START, BTreeSet::new(), 0);
        offer(&mut frontiers, &common::seed("http://d0.test/"), now);
        let mut idle = 0;
        while idle <= 2 {
            idle += 1;
            now += 1_000;
            for share in 0..shares {
                while let NextAction::Order(order) = frontiers[share].next(now).unwrap() {
                    idle = 0;
                    n_asked += 1;
                    let subject = order.robots_for.as_deref().unwrap_or(&order.url);
                    assert_eq!(owner_of(subject, shares), share, "the outcome goes where the order came from");
                    let applied = frontiers[share].outcome(&self.outcome(&order, now), now).unwrap();
                    assert_ne!(applied, OutcomeEffect::Stale);
                    if order.kind == FetchKind::Page && !self.redirects.contains_key(&order.url) {
                        assert!(asked.insert(order.url.clone()), "{} twice", order.url);
                    }
                    for link in self.found(&order) {
                        offer(&mut frontiers, &link, now);
                    }
                    for referral in frontiers[share].take_referrals() {
                        let url = referral.url.as_str();
                        assert_ne!(owner_of(url, shares), share, "what is its own it takes in itself");
                        let link = Outlink {
                            url,
                            kind: referral.kind,
                            source: referral.source,
                            depth: referral.depth,
                            hops: referral.hops,
                            anchor_title: referral.anchor_title.as_deref(),
                        };
                        offer(&mut frontiers, &link, now);
                    }
                }
            }
        }
        let in_flight: u64 = frontiers.iter().map(|frontier| frontier.stats().in_flight).sum();
        assert_eq!(in_flight, 0, "no order without an outcome");
        (asked, n_asked)
    }
}

fn owner(domain: &str, shares: usize) -> usize {
    domain.bytes().map(usize::from).sum::<usize>() % shares
}

fn owner_of(url: &str, shares: usize) -> usize {
    owner(CanonicalUrl::parse(url, None).unwrap().registrable_domain(), shares)
}

#[test]
fn a_frontier_refuses_a_link_into_a_domain_that_is_not_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let mut frontier = Frontier::open(dir.path(), with_robots()).unwrap().owning(|domain| domain == "a.com");
    assert_eq!(frontier.offer(&link("http://www.a.com/"), START).unwrap(), AdmissionResult::New);
    assert_eq!(
        frontier.offer(&link("http://b.com/"), START).unwrap(),
        AdmissionResult::Rejected(LinkRejection::NotOwn)
    );
    assert_eq!(frontier.stats().pages.known, 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn several_frontiers_fetch_what_one_fetches_and_miss_no_outcome(
        units in prop::collection::vec((
            any::<prop::sample::Index>(),
            prop_oneof![Just(Way::Link), Just(Way::Redirect), Just(Way::Sitemap)],
            0..N_DOMAINS,
            0..N_DOMAINS,
        ), 1..30),
        moved in prop::collection::vec((0..N_DOMAINS, 0..N_DOMAINS), 0..3),
        shares in 2usize..9,
    ) {
        let web = Web::new(&units, &moved);
        let (one, requests) = web.crawl(1);
        let missed: Vec<_> = web.pages.difference(&one).collect();
        prop_assert!(missed.is_empty(), "one frontier misses {missed:?}");
        let (several, of_several) = web.crawl(shares);
        prop_assert_eq!(&several, &one);
        prop_assert_eq!(of_several, requests);
    }
}
