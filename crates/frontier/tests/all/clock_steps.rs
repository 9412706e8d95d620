//! Crawls with orders of every kind, killed and with the clock set back and ahead at random: none waits for the old time to come
//! again.
//!
//! The log, the fetchers and the browsers are played by vectors and go on whatever happens to the scheduler. They note the times of
//! what they do by the clock that is stepped; the crawl is timed by one that is not.

use crate::common;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use common::{START, answer, plain};
use gristmill_frontier::{
    FailureKind, FetchKind, FetchOrder, FetchOutcome, FetchResult, Frontier, FrontierConfig, LinkSource, NextAction,
    Outlink, Positions, Verdict,
};
use gristmill_urls::CanonicalUrl;
use proptest::prelude::*;

const HOSTS: [&str; 3] = ["one.com", "two.org", "three.net"];
const N_PAGES: usize = 4;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;
/// So far from the true time a clock is, at most.
const FURTHEST: i64 = 50 * YEAR;
const PAUSE: u64 = 1_000;
const LEASE_TIMEOUT: u64 = 60_000;
/// What a kill may cost: what waited is tried anew, and what was in flight and is lost is noticed later.
const COST_OF_A_KILL: u64 = LEASE_TIMEOUT + 30_000;

#[derive(Debug, Clone, Copy)]
struct Disturbance {
    /// Turns of the scheduler before it.
    after: usize,
    kills: bool,
    step: i64,
}

/// What is in the topic `links`.
#[derive(Clone)]
enum Offer {
    Link(String, FetchKind, LinkSource),
    Render(String, u64),
}

struct Request {
    domain: &'static str,
    start: u64,
    end: u64,
}

#[derive(Default)]
struct World {
    links: Vec<Offer>,
    orders: Vec<FetchOrder>,
    outcomes: Vec<FetchOutcome>,
    flying: Vec<(u64, FetchOrder)>,
    n_taken: usize,
    tries: BTreeMap<(FetchKind, String), u32>,
    requests: Vec<Request>,
    /// Milliseconds since the start.
    elapsed: u64,
    /// By how much the clock is wrong.
    offset: i64,
}

impl World {
    fn new() -> Self {
        let seed = |host: &&str| Offer::Link(format!("http://{host}/0"), FetchKind::Page, LinkSource::Seed);
        Self { links: HOSTS.iter().map(seed).collect(), ..Self::default() }
    }

    fn clock(&self) -> u64 {
        (START + self.elapsed).saturating_add_signed(self.offset)
    }

    fn fetch(&mut self) {
        for order in &self.orders[self.n_taken..] {
            let tries = self.tries.entry((order.kind, order.url.clone())).or_insert(0);
            *tries += 1;
            let number = order.url.len() + order.url.bytes().map(usize::from).sum::<usize>();
            // Some first orders are never heard of again.
            if *tries == 1 && number.is_multiple_of(4) {
                continue;
            }
            let end = self.elapsed + 50 + (number as u64 * 37) % 400;
            let domain = HOSTS.iter().find(|host| order.url.contains(**host)).unwrap();
            self.requests.push(Request { domain, start: self.elapsed, end });
            self.flying.push((end, order.clone()));
        }
        self.n_taken = self.orders.len();
        let elapsed = self.elapsed;
        let (over, rest) = std::mem::take(&mut self.flying).into_iter().partition(|(end, _)| *end <= elapsed);
        self.flying = rest;
        let over: Vec<(u64, FetchOrder)> = over;
        for (_, order) in over {
            let outcome = self.answer(&order);
            self.outcomes.push(outcome);
        }
    }

    fn answer(&mut self, order: &FetchOrder) -> FetchOutcome {
        let (now, tries) = (self.clock(), self.tries[&(order.kind, order.url.clone())]);
        let ok = FetchOutcome { ip: Some("192.0.2.1".into()), ..answer(order, FetchResult::Ok, 200, now) };
        let host = order.url.parse::<CanonicalUrl>().unwrap().authority().to_owned();
        match order.kind {
            FetchKind::Robots => {
                let body = format!("User-agent: *\nSitemap: http://{host}/sitemap.xml\n");
                FetchOutcome { robots_body: Some(body.into()), ..ok }
            }
            FetchKind::Tdm => FetchOutcome { robots_body: Some("[]".into()), ..ok },
            FetchKind::Sitemap => {
                let page = |n| Offer::Link(format!("http://{host}/{n}"), FetchKind::Page, LinkSource::Sitemap);
                self.links.extend((0..N_PAGES).map(page));
                ok
            }
            _ if tries == 1 && order.url.ends_with('2') => {
                answer(order, FetchResult::Failed(FailureKind::Fetch(Verdict::ServerError)), 500, now)
            }
            FetchKind::Page => {
                self.links.push(Offer::Render(order.url.clone(), now));
                ok
            }
            _ => ok,
        }
    }

    /// One turn of the scheduler, without its commit.
    fn turn(&mut self, frontier: &mut Frontier, read: &mut [usize; 2]) -> NextAction {
        let now = self.clock();
        for offer in &self.links[read[0]..] {
            match offer {
                Offer::Link(url, kind, source) => {
                    let link = Outlink { url, kind: *kind, source: *source, depth: 1, hops: 0, anchor_title: None };
                    frontier.offer(&link, now).unwrap();
                }
                Offer::Render(url, fetched_at) => _ = frontier.offer_render(url, *fetched_at, now).unwrap(),
            }
        }
        for outcome in &self.outcomes[read[1]..] {
            frontier.outcome(outcome, now).unwrap();
        }
        *read = [self.links.len(), self.outcomes.len()];
        loop {
            match frontier.next(now).unwrap() {
                NextAction::Order(order) => self.orders.push(*order),
                next => return next,
            }
        }
    }
}

fn config() -> FrontierConfig {
    let mut config = plain();
    (config.robots.enabled, config.robots.tdm) = (true, true);
    config.politeness.ip_delay = Duration::from_millis(20);
    config.lease_timeout = Some(Duration::from_millis(LEASE_TIMEOUT));
    config
}

fn position(positions: &Positions, topic: &str) -> usize {
    positions.get(&(topic.to_owned(), 0)).copied().unwrap_or(0) as usize
}

/// Crawls to the end, with a commit every `lazy` turns in which something happened; answers what was done.
fn crawl(mut disturbances: Vec<Disturbance>, lazy: usize) -> World {
    disturbances.reverse();
    let dir = tempfile::tempdir().unwrap();
    let mut world = World::new();
    let (mut turns, mut since, mut uncommitted) = (0usize, 0usize, 0usize);
    'life: loop {
        let mut frontier = Frontier::open(dir.path(), config()).unwrap();
        let positions = frontier.positions().clone();
        for order in &world.orders[position(&positions, "orders")..] {
            frontier.adopt_order(order, world.clock()).unwrap();
        }
        let mut read = [position(&positions, "links"), position(&positions, "outcomes")];
        loop {
            (turns, since) = (turns + 1, since + 1);
            assert!(turns < 50_000, "after {} s the crawl goes on: {:?}", world.elapsed / 1000, frontier.stats());
            let before = (read, world.orders.len());
            let next = world.turn(&mut frontier, &mut read);
            uncommitted += usize::from(before != (read, world.orders.len()));
            world.fetch();
            if let Some(due) = disturbances.pop_if(|next| next.after <= since) {
                since = 0;
                world.offset = (world.offset + due.step).clamp(-FURTHEST, FURTHEST);
                if due.kills {
                    continue 'life;
                }
            } else if uncommitted >= lazy {
                uncommitted = 0;
                let ends = [("links", read[0]), ("outcomes", read[1]), ("orders", world.orders.len())];
                let ends = ends.map(|(topic, end)| ((topic.to_owned(), 0), end as u64));
                frontier.commit(&ends.into()).unwrap();
            }
            let is_read = read == [world.links.len(), world.outcomes.len()];
            let wait = match next {
                NextAction::Drained if is_read && world.flying.is_empty() => return finish(world, &frontier),
                NextAction::WaitUntil(time) => time.saturating_sub(world.clock()).clamp(1, 1_000),
                _ => 1_000,
            };
            let fetched = world.flying.iter().map(|(end, _)| *end).min().unwrap_or(u64::MAX);
            world.elapsed = (world.elapsed + wait).min(fetched.max(world.elapsed));
            world.fetch();
        }
    }
}

fn finish(world: World, frontier: &Frontier) -> World {
    let stats = frontier.stats();
    let pages = (HOSTS.len() * N_PAGES) as u64;
    assert_eq!((stats.pages.done, stats.renders.done, stats.in_flight), (pages, pages, 0), "{stats:?}");
    world
}

fn any_disturbance() -> impl Strategy<Value = Disturbance> {
    let steps = [0, -HOUR, -2 * DAY, -20 * YEAR, HOUR, 2 * DAY, 20 * YEAR];
    (0usize..60, any::<bool>(), prop::sample::select(steps.to_vec())).prop_map(|(after, kills, step)| Disturbance {
        after,
        kills,
        step,
    })
}

fn check(disturbances: &[Disturbance], lazy: usize) -> Result<(), TestCaseError> {
    static CALM: LazyLock<u64> = LazyLock::new(|| crawl(Vec::new(), 20).elapsed);
    let calm = *CALM;
    let world = crawl(disturbances.to_vec(), lazy);
    let longest = 2 * calm + disturbances.len() as u64 * COST_OF_A_KILL;
    prop_assert!(world.elapsed <= longest, "{} ms, and {} with a steady clock", world.elapsed, calm);
    if disturbances.iter().any(|disturbance| disturbance.step > 0) {
        // What became due meanwhile is due.
        return Ok(());
    }
    for (index, request) in world.requests.iter().enumerate() {
        let before = world.requests[..index].iter().rfind(|before| before.domain == request.domain);
        if let Some(before) = before {
            prop_assert!(
                request.start >= before.end + PAUSE,
                "{} to {} at {}",
                before.end,
                request.start,
                request.domain
            );
        }
    }
    Ok(())
}

#[test]
fn orders_in_flight_at_a_kill_do_not_stop_a_crawl_whose_clock_is_set_back() {
    for step in [-HOUR, -2 * DAY, -20 * YEAR] {
        for after in (1..40).step_by(6) {
            check(&[Disturbance { after, kills: true, step }], 7).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 40, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn steps_of_the_clock_and_kills_stop_no_crawl_and_steps_back_shorten_no_pause(
        disturbances in prop::collection::vec(any_disturbance(), 0..10), lazy in 3usize..30,
    ) {
        check(&disturbances, lazy)?;
    }
}
