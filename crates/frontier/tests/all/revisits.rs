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
    let order = next(bed);
    (bed.now, order)
}

/// The next order, now or later.
fn next(bed: &mut Bed) -> FetchOrder {
    loop {
        match bed.next() {
            NextAction::Order(order) => return *order,
            NextAction::WaitUntil(time) => bed.now = time,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_new_story_goes_before_all_visits_to_old_ones() {
    let mut bed = Bed::new(watching());
    for n in 0..20 {
        bed.page(&format!("http://a.com/old/{n}"));
        let order = next(&mut bed);
        bed.ok(&order);
    }
    bed.now += 3 * DAY;
    let first = bed.order();
    assert!(first.known, "all old ones are due: {first:?}");
    bed.offer(&story("http://a.com/new"));
    bed.page("http://a.com/found-on-a-page");
    bed.ok(&first);
    for expected in ["http://a.com/new", "http://a.com/found-on-a-page"] {
        let order = next(&mut bed);
        assert_eq!((order.url.as_str(), order.known), (expected, false));
        bed.ok(&order);
    }
    assert!(next(&mut bed).known);
}

#[test]
fn sources_come_back_within_minutes_and_sooner_where_they_bring_something() {
    let mut bed = Bed::new(watching());
    bed.offer(&feed("http://a.com/feed.xml"));
    let (begun, order) = (bed.now, bed.order());
    bed.ok(&order);
    let (first, order) = due(&mut bed);
    assert_eq!((first - begun) / MINUTE, 5, "the usual time");
    // It brings a story.
    bed.offer(&story("http://a.com/1"));
    let now = bed.now;
    bed.frontier().brought_pages("http://a.com/feed.xml", now, &[]).unwrap();
    bed.ok(&order);
    let (_, page) = due(&mut bed);
    bed.ok(&page);
    let (second, order) = due(&mut bed);
    assert_eq!(
        (order.url.as_str(), (second - first) / MINUTE),
        ("http://a.com/feed.xml", 5),
        "the usual time, as before"
    );
    let mut times = vec![second];
    let mut order = order;
    for _ in 0..12 {
        bed.ok(&order);
        let (time, next) = due(&mut bed);
        times.push(time);
        order = next;
    }
    let pauses: Vec<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]) / MINUTE).collect();
    assert!(pauses.windows(2).all(|pair| pair[0] <= pair[1]), "{pauses:?}");
    assert!(*pauses.last().unwrap() <= 30, "one that brought something is never left for longer: {pauses:?}");
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
        order = next(&mut bed);
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
        let order = next(&mut bed);
        bed.ok(&order);
        let mut order = next(&mut bed);
        while bed.state(url) == Some(UrlState::Leased) {
            bed.fail(&order, kind);
            if bed.state(url) == Some(UrlState::Retrying) {
                order = next(&mut bed);
            }
        }
        assert_eq!(bed.state(url), Some(UrlState::Done), "{kind}");
        let order = next(&mut bed);
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
    let again = next(&mut bed);
    assert_eq!((again.kind, again.known), (FetchKind::Feed, true));
    bed.ok(&again);
    bed.offer(&seed("http://a.com/"));
    let page = next(&mut bed);
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
        let order = next(&mut bed);
        bed.ok(&order);
    }
    for _ in 0..4 {
        let order = next(&mut bed);
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
    let robots = next(&mut bed);
    bed.robots(&robots, "");
    let page = next(&mut bed);
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
