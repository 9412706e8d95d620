//! Visiting again: what is new goes first, sources come often, and what fails is not forgotten.

use std::time::Duration;

use gristmill_frontier::{
    FailureKind, FetchOrder, FetchOutcome, FetchResult, FrontierConfig, NextAction, Outlink, UrlState, Verdict,
};
use gristmill_terms::{FetchKind, LinkSource};

use crate::common::{Bed, answer, link, plain, seed};

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

fn watching() -> FrontierConfig {
    let mut config = plain();
    config.recrawl.enabled = true;
    config.recrawl.sources = Duration::from_secs(300);
    config
}

fn feed(url: &str) -> Outlink<'_> {
    Outlink { kind: FetchKind::Feed, source: LinkSource::Feed, ..link(url) }
}

fn story(url: &str) -> Outlink<'_> {
    Outlink { source: LinkSource::Feed, ..link(url) }
}

/// When the next order is due, and the order.
fn due(bed: &mut Bed) -> (u64, FetchOrder) {
    let order = bed.next_order();
    (bed.now, order)
}

#[test]
fn a_new_story_goes_before_all_visits_to_old_ones() {
    let mut bed = Bed::new(watching());
    for n in 0..20 {
        bed.page(&format!("http://a.com/old/{n}"));
        let order = bed.next_order();
        bed.ok(&order);
    }
    bed.now += 3 * DAY;
    let first = bed.order();
    assert!(first.known, "all old ones are due: {first:?}");
    bed.offer(&story("http://a.com/new"));
    bed.page("http://a.com/found-on-a-page");
    bed.ok(&first);
    for expected in ["http://a.com/new", "http://a.com/found-on-a-page"] {
        let order = bed.next_order();
        assert_eq!((order.url.as_str(), order.known), (expected, false));
        bed.ok(&order);
    }
    assert!(bed.next_order().known);
}

/// Lets a source of which the order is given bring so many pages, and fetches them.
fn bring(bed: &mut Bed, order: &FetchOrder, pages: std::ops::Range<u32>) {
    let urls: Vec<String> = pages.map(|n| format!("http://a.com/story/{n}")).collect();
    urls.iter().for_each(|url| _ = bed.offer(&story(url)));
    let (now, new) = (bed.now, urls.iter().map(|url| (url.as_str(), None)).collect::<Vec<_>>());
    if !new.is_empty() {
        bed.frontier().brought_pages(&order.url, now, &new).unwrap();
    }
    bed.ok(order);
}

#[test]
fn a_source_comes_back_the_sooner_the_more_it_brings_and_the_best_of_a_site_within_half_an_hour() {
    let mut pauses = Vec::new();
    for pages in [0, 1, 3] {
        let mut bed = Bed::new(watching());
        bed.offer(&feed("http://a.com/feed.xml"));
        let order = bed.order();
        bed.ok(&order);
        let (mut last, mut pause, mut n) = (bed.now, 0, 0);
        while n < 40 {
            let (time, order) = due(&mut bed);
            if order.url.ends_with("feed.xml") {
                (last, pause, n) = (time, (time - last) / MINUTE, n + 1);
                bring(&mut bed, &order, n * pages..(n + 1) * pages);
            } else {
                bed.ok(&order);
            }
        }
        pauses.push(pause);
    }
    assert_eq!(pauses[0], 30, "it brings nothing, and is all that the site has: {pauses:?}");
    assert!(pauses[1] > pauses[2] && pauses[1] < 20 && pauses[2] < 5, "{pauses:?}");
}

/// A site with one feed and ten minutes between requests, after the first visit.
fn slow_newsroom() -> Bed {
    let mut config = watching();
    let pause = Duration::from_secs(600);
    (config.politeness.min_delay, config.politeness.max_crawl_delay) = (pause, pause);
    let mut bed = Bed::new(config);
    bed.offer(&feed("http://a.com/feed.xml"));
    let order = bed.order();
    bed.ok(&order);
    bed
}

/// The numbers of the stories that 40 further orders fetch, where each visit of the feed brings so many by its own number.
fn stories(bed: &mut Bed, brings: impl Fn(u32) -> u32) -> Vec<u32> {
    let (mut visits, mut brought, mut fetched) = (0, 0, Vec::new());
    for _ in 0..40 {
        let (_, order) = due(bed);
        if order.url.ends_with("feed.xml") {
            let pages = brings(visits);
            bring(bed, &order, brought..brought + pages);
            (visits, brought) = (visits + 1, brought + pages);
        } else {
            fetched.extend(order.url.rsplit('/').next().unwrap().parse::<u32>());
            bed.ok(&order);
        }
    }
    fetched
}

#[test]
fn a_burst_of_news_is_fetched_though_its_source_is_always_due_and_brings_others() {
    let fetched = stories(&mut slow_newsroom(), |visit| if visit == 0 { 8 } else { 1 });
    assert!((0..8).all(|story| fetched.contains(&story)), "{fetched:?}");
}

#[test]
fn a_source_that_always_brings_more_than_can_be_fetched_leaves_a_fourth_of_the_requests() {
    let fetched = stories(&mut slow_newsroom(), |_| 6);
    assert!((9..=12).contains(&fetched.len()), "{fetched:?}");
}

#[test]
fn a_source_that_brings_what_another_brought_before_is_left_alone_for_longer() {
    let mut bed = Bed::new(watching());
    for url in ["http://a.com/feed.xml", "http://a.com/rss.xml"] {
        bed.offer(&feed(url));
    }
    let mut visits = [0, 0];
    let begun = bed.now;
    let mut n = 0;
    while bed.now < begun + 2 * DAY {
        let (_, order) = due(&mut bed);
        match order.url.as_str() {
            "http://a.com/feed.xml" => {
                visits[0] += 1;
                n += 1;
                bring(&mut bed, &order, n..n + 1);
            }
            "http://a.com/rss.xml" => {
                visits[1] += 1;
                bed.ok(&order);
            }
            _ => _ = bed.ok(&order),
        }
    }
    assert!(visits[0] > 5 * visits[1] && visits[1] > 5, "{visits:?}");
}

#[test]
fn a_source_that_may_have_lost_pages_is_read_again_soon_and_so_are_the_others_of_its_site() {
    let mut bed = Bed::new(watching());
    for url in ["http://a.com/feed.xml", "http://a.com/rss.xml"] {
        bed.offer(&feed(url));
    }
    let begun = bed.now;
    let mut order = bed.order();
    while bed.now < begun + DAY || !order.url.ends_with("feed.xml") {
        bed.ok(&order);
        order = bed.next_order();
    }
    let flood = bed.now;
    bring(&mut bed, &order, 0..10);
    let mut met = Vec::new();
    while met.len() < 2 {
        let (time, order) = due(&mut bed);
        if order.kind == FetchKind::Feed {
            met.push(((time - flood) / MINUTE, order.url.clone()));
        }
        bed.ok(&order);
    }
    assert_eq!(met[0], (0, "http://a.com/rss.xml".to_owned()), "before the stories themselves");
    assert!(met[1].0 <= 16 && met[1].1.ends_with("feed.xml"), "{met:?}");
}

#[test]
fn pages_that_say_the_same_are_visited_ever_less_often_whatever_their_bytes() {
    let mut bed = Bed::new(watching());
    bed.page("http://a.com/1");
    let mut order = bed.order();
    let mut pauses = Vec::new();
    for n in 0..4 {
        let told = bed.now;
        let outcome = FetchOutcome {
            content_hash: Some(n),
            brings_nothing: Some(n > 0),
            ..answer(&order, FetchResult::Ok, 200, bed.now)
        };
        bed.apply(&outcome);
        order = bed.next_order();
        pauses.push((bed.now - told) / DAY);
    }
    assert_eq!(pauses, [1, 1, 2, 3]);
}

#[test]
fn a_page_that_was_there_and_fails_is_asked_again_and_one_that_is_gone_is_not() {
    let mut bed = Bed::new(watching());
    for (url, kind) in [
        ("http://a.com/1", FailureKind::Fetch(Verdict::ServerError)),
        ("http://a.com/2", FailureKind::Fetch(Verdict::ClientError)),
    ] {
        bed.page(url);
        let order = bed.next_order();
        bed.ok(&order);
        let mut order = bed.next_order();
        while bed.state(url) == Some(UrlState::Leased) {
            bed.fail(&order, kind);
            if bed.state(url) == Some(UrlState::Retrying) {
                order = bed.next_order();
            }
        }
        assert_eq!(bed.state(url), Some(UrlState::Done), "{kind}");
        let order = bed.next_order();
        assert_eq!(order.url, url);
        bed.fail(&order, FailureKind::Fetch(Verdict::Gone));
        assert_eq!(bed.state(url), Some(UrlState::Failed(FailureKind::Fetch(Verdict::Gone))));
    }
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_date_of_a_listing_brings_a_visit_until_such_dates_were_wrong_too_often() {
    let mut bed = Bed::new(plain());
    bed.page("http://a.com/1");
    let order = bed.order();
    let hash = |n| FetchOutcome { content_hash: Some(n), ..answer(&order, FetchResult::Ok, 200, 0) };
    bed.apply(&FetchOutcome { finished_at: bed.now, ..hash(1) });
    let modified = |bed: &mut Bed, at: u64| {
        let now = bed.now;
        bed.frontier().modified("http://a.com/1", at, now).unwrap()
    };
    let before = bed.now - 1_000;
    assert!(!modified(&mut bed, before), "it was fetched after that");
    let mut n_visits = 0;
    for _ in 0..20 {
        bed.now += DAY;
        let now = bed.now;
        if !modified(&mut bed, now) {
            break;
        }
        n_visits += 1;
        let order = bed.order();
        bed.apply(&FetchOutcome { order_id: order.id, finished_at: bed.now, ..hash(1) });
    }
    assert_eq!(n_visits, 4, "the page never changed");
    assert_eq!(bed.next(), NextAction::Drained);
}

#[test]
fn a_listing_that_is_given_again_is_read_again() {
    let mut bed = Bed::new(plain());
    let given = Outlink { kind: FetchKind::Feed, ..seed("http://a.com/feed.xml") };
    bed.offer(&given);
    let order = bed.order();
    bed.ok(&order);
    bed.offer(&given);
    let again = bed.next_order();
    assert_eq!((again.kind, again.known), (FetchKind::Feed, true));
    bed.ok(&again);
    bed.offer(&seed("http://a.com/"));
    let page = bed.next_order();
    bed.ok(&page);
    bed.offer(&seed("http://a.com/"));
    bed.now += DAY;
    assert_eq!(bed.next(), NextAction::Drained, "a page that was fetched costs nothing");
}

#[test]
fn a_page_that_leads_to_one_that_is_gone_departs_and_one_that_leads_to_another_stays() {
    let mut bed = Bed::new(watching());
    for page in ["lost", "lent"] {
        bed.page(&format!("http://a.com/{page}"));
        let order = bed.next_order();
        bed.ok(&order);
    }
    for _ in 0..4 {
        let order = bed.next_order();
        _ = match order.url.rsplit('/').next().unwrap() {
            "lost" => bed.redirect(&order, "/nowhere"),
            "lent" => bed.redirect(&order, "/other"),
            "nowhere" => bed.fail(&order, FailureKind::Fetch(Verdict::Gone)),
            _ => bed.ok(&order),
        };
    }
    let departed: Vec<String> = bed.frontier().take_departed().iter().map(ToString::to_string).collect();
    assert_eq!(departed, ["http://a.com/lost"]);
}

#[test]
fn a_page_that_robots_txt_closes_stays_for_its_time_and_departs_then() {
    let mut config = watching();
    config.robots.enabled = true;
    config.robots.tdm = false;
    config.robots.guess_sitemap = false;
    let mut bed = Bed::new(config);
    bed.page("http://a.com/1");
    let robots = bed.next_order();
    bed.robots(&robots, "");
    let page = bed.next_order();
    bed.ok(&page);
    let begun = bed.now;
    let mut departed = Vec::new();
    while departed.is_empty() && bed.now < begun + 60 * DAY {
        match bed.next() {
            NextAction::Order(order) => _ = bed.robots(&order, "User-agent: *\nDisallow: /"),
            NextAction::WaitUntil(time) => bed.now = time,
            other => assert_eq!(other, NextAction::Drained),
        }
        departed = bed.frontier().take_departed();
    }
    assert_eq!((departed[0].as_str(), (bed.now - begun) / DAY), ("http://a.com/1", 30));
    assert_eq!(bed.state("http://a.com/1"), Some(UrlState::Disallowed));
}

#[test]
fn what_was_fetched_without_visits_is_visited_once_there_are_some() {
    let mut bed = Bed::new(plain());
    bed.offer(&seed("http://a.com/"));
    bed.offer(&feed("http://a.com/feed"));
    (0..3).for_each(|n| _ = bed.page(&format!("http://a.com/{n}")));
    for _ in 0..5 {
        let order = bed.next_order();
        bed.ok(&order);
    }
    assert_eq!(bed.next(), NextAction::Drained);
    bed.commit();
    bed.config = watching();
    bed.reopen();
    let now = bed.now;
    bed.frontier().begin_visits(now).unwrap();
    bed.reopen();
    let mut sources = bed.visits(20 * MINUTE);
    sources.sort();
    sources.dedup();
    assert_eq!(sources, ["http://a.com/", "http://a.com/feed"]);
    bed.now += DAY;
    assert!(bed.visits(10 * MINUTE).contains(&"http://a.com/2".to_owned()), "pages after their time");
    bed.commit();
    bed.config = plain();
    bed.reopen();
    let now = bed.now;
    assert_eq!(bed.frontier().again(now).unwrap(), 5, "those that waited for a visit, too");
}

#[test]
fn a_story_under_one_more_address_is_no_news_of_a_source_and_not_fetched() {
    let mut bed = Bed::new(watching());
    bed.offer(&feed("http://a.com/feed"));
    let order = bed.next_order();
    bed.ok(&order);
    let read = |bed: &mut Bed, url: &str, words: u64| {
        bed.page(url);
        let order = bed.next_order();
        assert_eq!(order.url, url);
        bed.apply(&FetchOutcome { words_hash: Some(words), ..answer(&order, FetchResult::Ok, 200, bed.now) });
    };
    for n in 0..4 {
        read(&mut bed, &format!("http://a.com/{n}"), n);
        if n < 3 {
            read(&mut bed, &format!("http://a.com/{n}?ref=home"), n);
        }
    }
    let visit = bed.next_order();
    assert_eq!(visit.url, "http://a.com/feed");
    let urls = ["http://a.com/3?ref=home", "http://a.com/4?ref=home"];
    urls.iter().for_each(|url| _ = bed.offer(&story(url)));
    let now = bed.now;
    bed.frontier().brought_pages(&visit.url, now, &urls.map(|url| (url, None))).unwrap();
    bed.ok(&visit);
    let order = bed.next_order();
    assert_eq!(order.url, urls[1], "a story that is new comes under any address");
    bed.ok(&order);
    bed.now += MINUTE;
    let _ = bed.next();
    assert_eq!(bed.state(urls[0]), Some(UrlState::Failed(FailureKind::NothingNew)));
}
