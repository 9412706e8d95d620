//! What goes first where more is due than can be asked: by what domains are worth, and mirrors hardly at all.

use crate::common;

use std::time::Duration;

use common::{Bed, answer, link, plain, seed};
use gristmill_frontier::{
    FailureKind, FetchKind, FetchOutcome, FetchResult, Fingerprint, LinkSource, News, NextAction, Notice, Outlink,
    UrlState,
};
use gristmill_urls::UrlKey;

fn at(url: &str, depth: u16) -> Outlink<'_> {
    Outlink { depth, ..link(url) }
}

/// The domains of the next orders, each of which is fetched at once.
fn turns(bed: &mut Bed, n: usize, brings_nothing: impl Fn(&str) -> bool) -> Vec<String> {
    let mut turns = Vec::new();
    while turns.len() < n {
        let order = bed.next_order();
        let domain = order.url.split('/').nth(2).unwrap().to_owned();
        let page = answer(&order, FetchResult::Ok, 200, bed.now);
        bed.apply(&FetchOutcome { brings_nothing: Some(brings_nothing(&domain)), ..page });
        turns.push(domain);
    }
    turns
}

fn share(turns: &[String], domain: &str) -> usize {
    turns.iter().filter(|turn| *turn == domain).count()
}

/// Domains that are always due, with pages each.
fn bed_of(domains: &[&str], pages: usize) -> Bed {
    let mut config = plain();
    config.politeness.min_delay = Duration::ZERO;
    let mut bed = Bed::new(config);
    for page in 0..pages {
        domains.iter().for_each(|domain| _ = bed.page(&format!("http://{domain}/{page}")));
    }
    bed
}

#[test]
fn equals_take_turns_and_the_more_domains_link_to_one_the_more_turns_it_has() {
    let mut bed = bed_of(&["a.com", "b.com", "c.com"], 200);
    let even = turns(&mut bed, 60, |_| false);
    assert_eq!(["a.com", "b.com", "c.com"].map(|domain| share(&even, domain)), [20; 3]);
    for n in 0..8 {
        bed.frontier().linked(&format!("http://from{n}.com/x"), "http://b.com/7");
        bed.frontier().linked(&format!("http://www.c.com/{n}"), "http://c.com/7");
        bed.frontier().linked("http://one.com/x", &format!("http://c.com/{n}"));
    }
    bed.frontier().linked("", "http://a.com/");
    bed.commit();
    bed.reopen();
    let uneven = turns(&mut bed, 200, |_| false);
    let [a, b, c] = ["a.com", "b.com", "c.com"].map(|domain| share(&uneven, domain));
    assert!(b > 2 * c && c > a && a > 0, "{a} {b} {c}");
}

#[test]
fn a_domain_whose_pages_bring_nothing_gives_way_and_loses_no_time_where_nothing_better_is_due() {
    let mut bed = bed_of(&["trap.com", "good.com"], 150);
    for n in 0..30 {
        bed.frontier().linked(&format!("http://from{n}.com/x"), "http://trap.com/7");
    }
    let taken = turns(&mut bed, 150, |domain| domain == "trap.com");
    assert!((5..40).contains(&share(&taken, "trap.com")), "{}", share(&taken, "trap.com"));
    let now = bed.now;
    let rest = turns(&mut bed, 150, |domain| domain == "trap.com");
    assert!(rest.iter().rev().take(100).all(|domain| domain == "trap.com"));
    assert_eq!(bed.now, now, "it waits for nothing");
}

#[test]
fn a_domain_of_whose_pages_none_is_kept_gives_way() {
    let mut bed = bed_of(&["unwanted.com", "good.com"], 100);
    let mut taken = Vec::new();
    for _ in 0..100 {
        let order = bed.next_order();
        bed.ok(&order);
        let is_kept = order.url.contains("good.com");
        let said = Fingerprint { text: UrlKey::of(&order.url).to_bytes()[0].into(), title: 1 };
        let news = News::Read { fingerprint: is_kept.then_some(said), asks_password: false };
        let now = bed.now;
        bed.frontier().notice(&Notice { url: order.url.clone(), news }, now).unwrap();
        taken.push(order.url.split('/').nth(2).unwrap().to_owned());
    }
    assert!((5..35).contains(&share(&taken, "unwanted.com")), "{taken:?}");
}

#[test]
fn what_cannot_wait_goes_before_the_links_of_better_domains() {
    let mut bed = bed_of(&["spent.com", "fresh.com"], 50);
    for n in 0..50 {
        bed.frontier().linked(&format!("http://from{n}.com/x"), "http://fresh.com/7");
    }
    let listed = |url| Outlink { source: LinkSource::Feed, ..link(url) };
    for url in ["http://spent.com/news/1", "http://spent.com/news/2"] {
        bed.offer(&listed(url));
    }
    bed.offer(&Outlink { kind: FetchKind::Feed, ..listed("http://spent.com/feed") });
    bed.offer(&seed("http://spent.com/seed"));
    assert_eq!(turns(&mut bed, 6, |_| false)[..4], ["spent.com"; 4]);
}

#[test]
fn pages_like_those_that_brought_nothing_go_behind_pages_that_are_further_away() {
    let mut bed = Bed::new(plain());
    for n in 0..8 {
        let url = format!("http://a.com/tag/{}", "xy".repeat(n + 1));
        bed.offer(&at(&url, 2));
    }
    turns(&mut bed, 8, |_| true);
    bed.offer(&at("http://a.com/tag/one", 2));
    bed.offer(&at("http://a.com/page/far", 3));
    bed.offer(&at("http://a.com/page/near", 2));
    let order = |bed: &mut Bed| {
        let order = bed.next_order();
        bed.ok(&order);
        order.url
    };
    assert_eq!(order(&mut bed), "http://a.com/page/near");
    assert_eq!(order(&mut bed), "http://a.com/page/far");
    assert_eq!(order(&mut bed), "http://a.com/tag/one");
}

/// Fetches and reads all pages; what each says tells `text`, by host and number. Answers the URLs that were fetched.
fn read_all(bed: &mut Bed, text: impl Fn(&str, u64) -> u64) -> Vec<String> {
    let mut fetched = Vec::new();
    loop {
        match bed.next() {
            NextAction::Order(order) => {
                bed.ok(&order);
                let parts: Vec<&str> = order.url.split('/').collect();
                let (host, number) = (parts[2], parts[4].parse().unwrap());
                let said = Fingerprint { text: text(host, number), title: 1 };
                let news = News::Read { fingerprint: Some(said), asks_password: false };
                let now = bed.now;
                bed.frontier().notice(&Notice { url: order.url.clone(), news }, now).unwrap();
                fetched.push(order.url);
            }
            NextAction::WaitUntil(time) => bed.now = time,
            NextAction::Drained => return fetched,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn of_hosts_that_say_the_same_under_the_same_paths_the_first_is_crawled_and_the_others_hardly() {
    let offer =
        |bed: &mut Bed, host: &str| (0..120).for_each(|n| _ = bed.offer(&at(&format!("http://{host}/p/{n}"), 2)));
    let count = |urls: &[String], host: &str| urls.iter().filter(|url| url.contains(host)).count();
    let mut bed = Bed::new(plain());
    ["first.com", "mirror.com", "other.com", "wall.com"].into_iter().for_each(|host| offer(&mut bed, host));
    bed.offer(&seed("http://mirror.com/p/119"));
    let fetched = read_all(&mut bed, |host, n| match host {
        "other.com" => n + 1_000,
        // Says on each page what the others say on one.
        "wall.com" => 8,
        _ => n + 1,
    });
    assert_eq!([count(&fetched, "first.com"), count(&fetched, "other.com"), count(&fetched, "wall.com")], [120; 3]);
    let n_mirrored = count(&fetched, "mirror.com");
    assert!((12..40).contains(&n_mirrored), "{n_mirrored}");
    assert!(fetched.contains(&"http://mirror.com/p/119".to_owned()), "it was asked for");
    let nothing_new = Some(UrlState::Failed(FailureKind::NothingNew));
    let left_out = (0..119).map(|n| format!("http://mirror.com/p/{n}")).filter(|url| bed.state(url) == nothing_new);
    let left_out: Vec<String> = left_out.collect();
    assert!(!left_out.is_empty());
    for url in &left_out {
        bed.offer(&Outlink { source: LinkSource::Sitemap, ..link(url) });
        assert_eq!(bed.state(url), Some(UrlState::Queued), "its sitemap lists it");
    }
    assert_eq!(read_all(&mut bed, |_, n| n + 1).len(), left_out.len());
}

#[test]
fn a_host_that_has_its_own_pages_too_is_no_mirror() {
    let mut bed = Bed::new(plain());
    for n in 0..120 {
        for host in ["http://first.com", "http://half.com"] {
            bed.offer(&at(&format!("{host}/p/{n}"), 2));
        }
    }
    let fetched = read_all(&mut bed, |host, n| n + if host == "half.com" && n % 3 == 0 { 1_000 } else { 1 });
    assert_eq!(fetched.len(), 240);
}

#[test]
fn a_host_that_differs_after_many_equal_pages_loses_none() {
    let mut bed = Bed::new(plain());
    for n in 0..120 {
        for host in ["http://first.com", "http://later.com"] {
            bed.offer(&at(&format!("{host}/p/{n}"), 2));
        }
    }
    let fetched = read_all(&mut bed, |host, n| n + if host == "later.com" && n >= 40 { 1_000 } else { 1 });
    let own = (40..120).filter(|n| fetched.contains(&format!("http://later.com/p/{n}"))).count();
    assert_eq!(own, 80);
}
