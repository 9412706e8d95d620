//! Random webs with random failures, crawled by a frontier that is killed at random moments.
//!
//! The services around it are played by three vectors: the topics `links`, `orders` and `outcomes`. The scheduler reads
//! inputs, gives out orders, appends them, commits; it may die between any two of these. The fetcher takes each order of the log once.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use common::{START, answer, plain};
use gristmill_frontier::{
    FailureKind, FetchKind, FetchOrder, FetchOutcome, FetchResult, Frontier, FrontierConfig, LinkSource, NextAction,
    Outlink, Positions, UrlState, Verdict,
};
use gristmill_urls::CanonicalUrl;
use proptest::prelude::*;

const DELAY: u64 = 1_000;
const CRAWL_DELAY: u64 = 3_000;

#[derive(Debug, Clone)]
enum Behaviour {
    /// Links to these pages, after so many failures of this kind.
    Page {
        links: Vec<usize>,
        failures: u16,
        kind: FailureKind,
    },
    Redirect(usize),
    Gone,
}

#[derive(Debug, Clone, Copy)]
enum Rules {
    Missing,
    ForbidOddPages,
    CrawlDelay,
    /// Redirects to the robots.txt of host 0.
    AsHostZero,
    /// Fails once, then is `ForbidOddPages`.
    Flaky,
}

#[derive(Debug, Clone)]
struct Web {
    pages: Vec<Behaviour>,
    rules: Vec<Rules>,
}

const N_HOSTS: usize = 5;
/// Two hosts in one domain, so that a domain's hosts share their pauses.
const HOSTS: [&str; N_HOSTS] = ["a.one.com", "b.one.com", "two.org", "three.net", "127.0.0.1:8080"];

fn url_of(page: usize) -> String {
    format!("http://{}/{}/{page}", HOSTS[page % N_HOSTS], if page % 2 == 1 { "odd" } else { "even" })
}

fn page_of(url: &str) -> usize {
    url.rsplit('/').next().unwrap().parse().unwrap()
}

fn host_of(url: &str) -> usize {
    HOSTS.iter().position(|host| url.contains(&format!("//{host}/"))).unwrap()
}

impl Web {
    fn effective(&self, host: usize) -> Rules {
        match self.rules[host] {
            // Host zero pointing at itself is a loop, which means no rules.
            Rules::AsHostZero if host == 0 => Rules::Missing,
            // The file of host zero as a fetcher sees it there; its failures and redirects are host zero's own affair.
            Rules::AsHostZero => match self.rules[0] {
                Rules::AsHostZero => Rules::Missing,
                Rules::Flaky => Rules::ForbidOddPages,
                other => other,
            },
            Rules::Flaky => Rules::ForbidOddPages,
            other => other,
        }
    }

    fn disallows(&self, page: usize) -> bool {
        page % 2 == 1 && matches!(self.effective(page % N_HOSTS), Rules::ForbidOddPages)
    }

    /// What a crawl must end with: each reachable URL and its final state.
    fn expected(&self) -> BTreeMap<String, UrlState> {
        let (mut states, mut todo) = (BTreeMap::new(), vec![0]);
        while let Some(page) = todo.pop() {
            if states.contains_key(&url_of(page)) {
                continue;
            }
            let state = match &self.pages[page] {
                _ if self.disallows(page) => UrlState::Disallowed,
                Behaviour::Gone => UrlState::Failed(FailureKind::Fetch(Verdict::Gone)),
                Behaviour::Redirect(target) if *target == page => UrlState::Failed(FailureKind::RedirectLoop),
                Behaviour::Redirect(target) => {
                    todo.push(*target);
                    UrlState::Redirected
                }
                Behaviour::Page { links, .. } => {
                    todo.extend(links);
                    UrlState::Done
                }
            };
            states.insert(url_of(page), state);
        }
        states
    }
}

prop_compose! {
    fn any_web()(
        size in 2usize..40,
        seed in prop::collection::vec((0u8..10, prop::collection::vec(any::<prop::sample::Index>(), 0..6), 0u16..3, 0u8..5), 40),
        rules in prop::collection::vec(0u8..8, N_HOSTS),
    ) -> Web {
        let kinds = [FailureKind::Fetch(Verdict::Timeout), FailureKind::Fetch(Verdict::TooManyRequests), FailureKind::Fetch(Verdict::Unavailable), FailureKind::Fetch(Verdict::Protocol), FailureKind::Fetch(Verdict::Connect)];
        let pages = seed.into_iter().take(size).map(|(what, links, failures, kind)| {
            let links: Vec<usize> = links.into_iter().map(|link| link.index(size)).collect();
            match (what, links.first()) {
                (0, _) => Behaviour::Gone,
                (1, Some(target)) => Behaviour::Redirect(*target),
                _ => Behaviour::Page { links, failures, kind: kinds[usize::from(kind)] },
            }
        }).collect();
        let rules = rules.into_iter().map(|rule| match rule {
            0 | 1 => Rules::ForbidOddPages,
            2 => Rules::CrawlDelay,
            3 => Rules::AsHostZero,
            4 => Rules::Flaky,
            _ => Rules::Missing,
        }).collect();
        Web { pages, rules }
    }
}

/// One request as the servers saw it.
struct Request {
    domain: String,
    start: u64,
    end: u64,
    url: String,
    succeeded: bool,
}

/// The log, the fetcher and the clock: what survives the scheduler's death.
struct World {
    web: Web,
    links: Vec<(String, LinkSource, u16, u8)>,
    orders: Vec<FetchOrder>,
    outcomes: Vec<FetchOutcome>,
    /// Orders that the fetcher has begun, with the time of their end.
    fetching: Vec<(u64, FetchOrder)>,
    n_taken: usize,
    tries: BTreeMap<String, u16>,
    requests: Vec<Request>,
    now: u64,
    duration: u64,
}

impl World {
    fn new(web: Web) -> Self {
        Self {
            web,
            links: vec![(url_of(0), LinkSource::Seed, 0, 0)],
            orders: Vec::new(),
            outcomes: Vec::new(),
            fetching: Vec::new(),
            n_taken: 0,
            tries: BTreeMap::new(),
            requests: Vec::new(),
            now: START,
            duration: 0,
        }
    }

    /// Begins what was ordered and ends what is over.
    fn run_fetcher(&mut self) {
        for order in &self.orders[self.n_taken..] {
            self.duration = (self.duration * 7 + 131) % 2_500;
            self.fetching.push((self.now + self.duration, order.clone()));
            let domain = order.url.parse::<CanonicalUrl>().unwrap().registrable_domain().to_owned();
            let end = self.now + self.duration;
            self.requests.push(Request { domain, start: self.now, end, url: order.url.clone(), succeeded: false });
        }
        self.n_taken = self.orders.len();
        let now = self.now;
        let (over, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.fetching).into_iter().partition(|(end, _)| *end <= now);
        self.fetching = rest;
        for (end, order) in over {
            let outcome =
                if order.kind == FetchKind::Robots { self.robots(&order, end) } else { self.page(&order, end) };
            if outcome.result == FetchResult::Ok {
                let request = self.requests.iter_mut().rfind(|request| request.url == order.url).unwrap();
                request.succeeded = true;
            }
            self.outcomes.push(outcome);
        }
    }

    fn robots(&mut self, order: &FetchOrder, end: u64) -> FetchOutcome {
        let host = host_of(&order.url);
        let tries = self.tries.entry(order.url.clone()).or_insert(0);
        *tries += 1;
        let file =
            |body: &str| FetchOutcome { robots_body: Some(body.into()), ..answer(order, FetchResult::Ok, 200, end) };
        match self.web.rules[host] {
            Rules::Missing => answer(order, FetchResult::Failed(FailureKind::Fetch(Verdict::Gone)), 404, end),
            Rules::Flaky if *tries == 1 => {
                answer(order, FetchResult::Failed(FailureKind::Fetch(Verdict::Unavailable)), 503, end)
            }
            Rules::ForbidOddPages | Rules::Flaky => file("User-agent: *\nDisallow: /odd/"),
            Rules::CrawlDelay => file(&format!("User-agent: *\nCrawl-delay: {}", CRAWL_DELAY / 1_000)),
            Rules::AsHostZero => {
                let target = format!("http://{}/robots.txt", HOSTS[0]);
                answer(order, FetchResult::Redirect(Some(target)), 301, end)
            }
        }
    }

    fn page(&mut self, order: &FetchOrder, end: u64) -> FetchOutcome {
        let page = page_of(&order.url);
        let tries = self.tries.entry(order.url.clone()).or_insert(0);
        *tries += 1;
        match self.web.pages[page].clone() {
            Behaviour::Gone => answer(order, FetchResult::Failed(FailureKind::Fetch(Verdict::Gone)), 404, end),
            Behaviour::Redirect(target) => answer(order, FetchResult::Redirect(Some(url_of(target))), 302, end),
            Behaviour::Page { failures, kind, .. } if *tries <= failures => {
                answer(order, FetchResult::Failed(kind), 0, end)
            }
            Behaviour::Page { links, .. } => {
                for link in links {
                    self.links.push((url_of(link), LinkSource::Anchor, order.depth + 1, 0));
                }
                answer(order, FetchResult::Ok, 200, end)
            }
        }
    }
}

/// When the scheduler dies, counted in steps of its loop: after reading, after appending, after committing.
struct Deaths(Vec<u8>);

impl Deaths {
    fn strikes(&mut self) -> bool {
        self.0.pop().is_some_and(|chance| chance < 30)
    }
}

fn position(positions: &Positions, topic: &str) -> usize {
    positions.get(&(topic.to_owned(), 0)).copied().unwrap_or(0) as usize
}

/// One turn of the scheduler; `None` when it died.
fn turn(
    frontier: &mut Frontier,
    world: &mut World,
    read: &mut [usize; 2],
    deaths: &mut Deaths,
    batch: usize,
    commits: bool,
) -> Option<NextAction> {
    for (url, source, depth, hops) in world.links.iter().skip(read[0]).take(batch) {
        let link =
            Outlink { url, kind: FetchKind::Page, source: *source, depth: *depth, hops: *hops, anchor_title: None };
        frontier.offer(&link, world.now).unwrap();
        read[0] += 1;
    }
    for outcome in world.outcomes.iter().skip(read[1]).take(batch) {
        frontier.outcome(outcome, world.now).unwrap();
        read[1] += 1;
    }
    let behind = read[0] < world.links.len() || read[1] < world.outcomes.len();
    let mut orders = Vec::new();
    let mut next = frontier.next(world.now).unwrap();
    while let NextAction::Order(order) = next {
        orders.push(*order);
        next = frontier.next(world.now).unwrap();
    }
    if deaths.strikes() {
        return None;
    }
    if deaths.strikes() {
        // The log took some of the batch.
        world.orders.extend(orders.drain(..orders.len() / 2));
        return None;
    }
    world.orders.append(&mut orders);
    if deaths.strikes() {
        return None;
    }
    let positions = [("links", read[0]), ("outcomes", read[1]), ("orders", world.orders.len())];
    let positions = positions.into_iter().map(|(topic, at)| ((topic.to_owned(), 0), at as u64)).collect();
    if commits {
        frontier.commit(&positions).unwrap();
    }
    Some(if behind { NextAction::WaitUntil(world.now) } else { next })
}

/// Crawls the web to the end; the scheduler reads `batch` records a turn and commits every `lazy` turns.
fn crawl(web: Web, mut deaths: Deaths, batch: usize, lazy: usize) -> (World, BTreeMap<String, UrlState>) {
    let mut config: FrontierConfig = plain();
    config.robots.enabled = true;
    config.politeness.min_delay = Duration::from_millis(DELAY);
    config.retry.connect = 5;
    config.merge_urls = [1, 20, 100_000][batch % 3];
    let dir = tempfile::tempdir().unwrap();
    let mut world = World::new(web);
    let mut turns = 0;
    'life: loop {
        let mut frontier = Frontier::open(dir.path(), config.clone()).unwrap();
        let positions = frontier.positions().clone();
        for order in &world.orders[position(&positions, "orders")..] {
            frontier.adopt_order(order, world.now).unwrap();
        }
        let mut read = [position(&positions, "links"), position(&positions, "outcomes")];
        loop {
            turns += 1;
            assert!(turns < 20_000, "the crawl does not end");
            let Some(next) = turn(&mut frontier, &mut world, &mut read, &mut deaths, batch, turns % lazy == 0) else {
                continue 'life;
            };
            world.run_fetcher();
            let wake = match next {
                NextAction::Drained
                    if world.fetching.is_empty() && read == [world.links.len(), world.outcomes.len()] =>
                {
                    let states =
                        frontier.seen().map(|seen| seen.map(|(url, _, state)| (url, state)).unwrap()).collect();
                    return (world, states);
                }
                NextAction::WaitUntil(time) => Some(time),
                _ => None,
            };
            let fetched = world.fetching.iter().map(|(end, _)| *end).min();
            world.now = wake.into_iter().chain(fetched).min().unwrap_or(world.now).max(world.now);
            world.run_fetcher();
        }
    }
}

fn check(world: &World, states: &BTreeMap<String, UrlState>) -> Result<(), TestCaseError> {
    prop_assert_eq!(states, &world.web.expected());
    let ids: BTreeSet<u64> = world.orders.iter().map(|order| order.id).collect();
    prop_assert_eq!(ids.len(), world.orders.len(), "an order id was given out twice");
    for (index, request) in world.requests.iter().enumerate() {
        for other in &world.requests[index + 1..] {
            let (first, second) = if request.start <= other.start { (request, other) } else { (other, request) };
            let apart = second.start >= first.end + DELAY;
            prop_assert!(apart || first.domain != second.domain, "{} and {} are too close", first.url, second.url);
        }
    }
    for page in 0..world.web.pages.len() {
        let url = url_of(page);
        let tries = world.requests.iter().filter(|request| request.url == url).count();
        let successes = world.requests.iter().filter(|request| request.url == url && request.succeeded).count();
        prop_assert!(successes <= 1, "{url} was fetched {successes} times");
        if let (Behaviour::Page { failures, .. }, Some(UrlState::Done)) = (&world.web.pages[page], states.get(&url)) {
            prop_assert_eq!(tries, usize::from(*failures) + 1, "tries of {}", url);
        }
    }
    Ok(())
}

fn check_crawl_delay(world: &World) -> Result<(), TestCaseError> {
    for (host, name) in HOSTS.iter().enumerate() {
        if !matches!(world.web.effective(host), Rules::CrawlDelay) {
            continue;
        }
        let pages = world
            .requests
            .iter()
            .filter(|request| request.url.contains(&format!("//{name}/")) && !request.url.ends_with("robots.txt"));
        let mut pages: Vec<_> = pages.collect();
        pages.sort_by_key(|request| request.start);
        for pair in pages.windows(2) {
            prop_assert!(pair[1].start >= pair[0].end + CRAWL_DELAY, "{} after {}", pair[1].url, pair[0].url);
        }
    }
    Ok(())
}

/// Each case is a whole crawl.
fn cases() -> u32 {
    if std::env::var_os("GRISTMILL_SOAK").is_some() { 100 } else { 15 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn an_undisturbed_crawl_ends_with_every_reachable_url_in_its_final_state(web in any_web(), batch in 1usize..40) {
        let (world, states) = crawl(web, Deaths(Vec::new()), batch, 1);
        check(&world, &states)?;
        check_crawl_delay(&world)?;
    }

    #[test]
    fn a_crawl_that_is_killed_again_and_again_ends_the_same(
        web in any_web(), deaths in prop::collection::vec(any::<u8>(), 0..400), batch in 1usize..40, lazy in 1usize..30,
    ) {
        let (world, states) = crawl(web, Deaths(deaths), batch, lazy);
        check(&world, &states)?;
        check_crawl_delay(&world)?;
    }

    #[test]
    fn pages_that_redirect_to_each_other_are_asked_twice_whatever_is_killed(
        deaths in prop::collection::vec(any::<u8>(), 0..60), batch in 1usize..40, lazy in 1usize..30,
    ) {
        let mut pages: Vec<Behaviour> = (0..3 * N_HOSTS).map(|_| Behaviour::Gone).collect();
        let links = (0..pages.len()).collect();
        pages[0] = Behaviour::Page { links, failures: 0, kind: FailureKind::Fetch(Verdict::Timeout) };
        (pages[N_HOSTS], pages[2 * N_HOSTS]) = (Behaviour::Redirect(2 * N_HOSTS), Behaviour::Redirect(N_HOSTS));
        let (world, _) = crawl(Web { pages, rules: vec![Rules::Missing; N_HOSTS] }, Deaths(deaths), batch, lazy);
        let tries = [N_HOSTS, 2 * N_HOSTS].map(|page| world.tries[&url_of(page)]);
        prop_assert_eq!(tries, [2, 2]);
    }
}
