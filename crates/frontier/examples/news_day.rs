//! A day of made-up newsrooms in simulated time: how long after its publication each story is fetched, and what that costs.
//!
//! `cargo run --release -p gristmill-frontier --example news_day -- [SITES] [REQUESTS AN HOUR AND SITE] [OLD STORIES] [MINUTES BETWEEN VISITS] [WINDOW]`
//!
//! Each site has a home page, four sections that show 15 stories, and three of four a feed that shows 20. Stories come by a Poisson
//! process of 5 to 120 a day, most of them between 6 and 22 hours, and in bursts. The watch begins at eight; its first hour, from the
//! fifth minute on, is told apart from the second day.
//!
//! With WINDOW each place shows so many stories, and at some hour of the second day each site has 80 stories more in half an hour.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use gristmill_frontier::{FetchOrder, FetchOutcome, FetchResult, Frontier, FrontierConfig, NextAction, Outlink};
use gristmill_terms::{FetchKind, LinkSource};
use gristmill_urls::{ScopeConfig, ScopeRule};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const START: u64 = 1_795_219_200_000;
const N_SECTIONS: u64 = 4;
/// When the watch begins.
const BEGIN: u64 = START + 8 * HOUR;
const FIRST_HOUR: Range<u64> = BEGIN + 5 * MINUTE..BEGIN + 65 * MINUTE;
/// What is published in the last hour may still be found.
const SECOND_DAY: Range<u64> = START + DAY..START + 2 * DAY - HOUR;

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Site {
    /// When each story is published, in order.
    stories: Vec<u64>,
    has_feed: bool,
    /// How many each place shows, where that is not its own choice.
    window: Option<usize>,
}

impl Site {
    fn new(random: &mut Random, n_old: usize, window: Option<usize>) -> Self {
        let a_day = 5.0 * 24f64.powf(random.next());
        let mut stories: Vec<u64> = (0..n_old as u64).map(|n| START - DAY - n * MINUTE).rev().collect();
        let mut at = START as f64;
        while at < (START + 2 * DAY) as f64 {
            at += -random.next().max(1e-9).ln() * DAY as f64 / a_day / 1.4;
            let hour = (at as u64 % DAY) / HOUR;
            if (6..22).contains(&hour) || random.next() < 0.15 {
                stories.push(at as u64);
                // A burst: some stories within minutes.
                if random.next() < 0.03 {
                    stories.extend((1..8).map(|n| at as u64 + n * 2 * MINUTE));
                }
            }
        }
        let has_feed = random.next() < 0.75;
        if window.is_some() {
            let begins = START + DAY + (random.next() * 20.0 * HOUR as f64) as u64;
            stories.extend((0..80).map(|n| begins + n * HOUR / 160));
        }
        stories.sort_unstable();
        Self { stories, has_feed, window }
    }

    /// Numbers of the newest stories at a place, newest first.
    fn shown(&self, place: &str, now: u64) -> Vec<usize> {
        let n = self.stories.partition_point(|at| *at <= now);
        let all = (0..n).rev();
        match place.strip_prefix("section/").and_then(|section| section.parse::<u64>().ok()) {
            Some(section) => {
                all.filter(|n| *n as u64 % N_SECTIONS == section).take(self.window.unwrap_or(15)).collect()
            }
            None if place == "feed" => all.take(self.window.unwrap_or(20)).collect(),
            None => all.take(self.window.unwrap_or(12)).collect(),
        }
    }
}

struct Day {
    frontier: Frontier,
    sites: Vec<Site>,
    now: u64,
    /// When each request was made, and whether it was for a page never fetched.
    requests: Vec<(u64, bool)>,
    found: HashMap<(usize, usize), u64>,
}

impl Day {
    fn offer(&mut self, url: &str, kind: FetchKind, source: LinkSource, depth: u16) -> bool {
        let link = Outlink { url, kind, source, depth, hops: 0, anchor_title: None };
        self.frontier.offer(&link, self.now).unwrap() == gristmill_frontier::AdmissionResult::New
    }

    fn fetch(&mut self, order: &FetchOrder) {
        let path = order.url.strip_prefix("http://s").unwrap();
        let (host, place) = path.split_once("/").unwrap();
        let site: usize = host.split('.').next().unwrap().parse().unwrap();
        let mut hash = 1;
        self.requests.push((self.now, place.starts_with("story/") && !order.known));
        if let Some(story) = place.strip_prefix("story/") {
            self.found.entry((site, story.parse().unwrap())).or_insert(self.now);
        } else {
            let shown = self.sites[site].shown(place, self.now);
            hash = shown.first().copied().unwrap_or(0) as u64;
            let source = if place == "feed" { LinkSource::Feed } else { LinkSource::Anchor };
            let urls: Vec<String> = shown.iter().map(|n| format!("http://s{site}.example/story/{n}")).collect();
            let date = |n: usize| (place == "feed").then(|| self.sites[site].stories[n]);
            let dates: Vec<Option<u64>> = shown.iter().map(|n| date(*n)).collect();
            let mut is_new = |url: &String| self.offer(url, FetchKind::Page, source, order.depth + 1);
            let new: Vec<(&str, Option<u64>)> =
                urls.iter().zip(dates).filter(|(url, _)| is_new(url)).map(|(url, date)| (url.as_str(), date)).collect();
            if place.is_empty() {
                for section in 0..N_SECTIONS {
                    self.offer(
                        &format!("http://s{site}.example/section/{section}"),
                        FetchKind::Page,
                        LinkSource::HomeAnchor,
                        1,
                    );
                }
                if self.sites[site].has_feed {
                    self.offer(&format!("http://s{site}.example/feed"), FetchKind::Feed, LinkSource::Feed, 1);
                }
            }
            if !new.is_empty() {
                self.frontier.brought_pages(&order.url, self.now, &new).unwrap();
            }
        }
        let outcome =
            FetchOutcome { content_hash: Some(hash), ..FetchOutcome::new(order.id, FetchResult::Ok, 200, self.now) };
        self.frontier.outcome(&outcome, self.now).unwrap();
    }
}

fn main() {
    let argument = |at: usize, default: u64| std::env::args().nth(at).map_or(default, |text| text.parse().unwrap());
    let (n_sites, budget, n_old) = (argument(1, 100) as usize, argument(2, 60), argument(3, 200) as usize);
    let scope = Some(ScopeConfig { rule: ScopeRule::Host, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.robots.enabled = false;
    config.recrawl.enabled = true;
    config.recrawl.sources = Duration::from_secs(60 * argument(4, 5));
    config.politeness.min_delay = Duration::from_millis(HOUR / budget);
    config.politeness.ip_delay = Duration::ZERO;
    config.politeness.max_crawl_delay = Duration::from_secs(3600);
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    let window = std::env::args().nth(5).map(|text| text.parse().unwrap());
    let sites = (0..n_sites).map(|_| Site::new(&mut random, n_old, window)).collect();
    let frontier = Frontier::open(dir.path(), config).unwrap();
    let mut day = Day { frontier, sites, now: BEGIN, requests: Vec::new(), found: HashMap::new() };
    for site in 0..n_sites {
        day.offer(&format!("http://s{site}.example/"), FetchKind::Page, LinkSource::Seed, 0);
    }
    while day.now < START + 2 * DAY {
        match day.frontier.next(day.now).unwrap() {
            NextAction::Order(order) => day.fetch(&order),
            NextAction::WaitUntil(time) => day.now = time.max(day.now + 1),
            other => panic!("{other:?}"),
        }
    }
    tell(&day, n_sites, "first hour", &FIRST_HOUR);
    tell(&day, n_sites, "second day", &SECOND_DAY);
}

fn tell(day: &Day, n_sites: usize, name: &str, counted: &Range<u64>) {
    let stories = day.sites.iter().enumerate().flat_map(|(site, all)| {
        all.stories.iter().enumerate().filter(|(_, at)| counted.contains(at)).map(move |(n, at)| ((site, n), *at))
    });
    let (mut delays, mut n_missed) = (Vec::new(), 0);
    for (story, at) in stories {
        match day.found.get(&story) {
            Some(found) => delays.push((found - at) as f64 / MINUTE as f64),
            None => n_missed += 1,
        }
    }
    delays.sort_by(f64::total_cmp);
    let quantile = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize];
    let requests: Vec<bool> = day.requests.iter().filter(|(at, _)| counted.contains(at)).map(|(_, new)| *new).collect();
    println!(
        "{name}: {n_sites} sites, {} stories: median {:.1} min, p95 {:.1} min, longest {:.0} min, {n_missed} missed; {:.1} requests a site and hour, {} % for new stories",
        delays.len() + n_missed,
        quantile(0.5),
        quantile(0.95),
        quantile(1.0),
        requests.len() as f64 / n_sites as f64 / ((counted.end - counted.start) as f64 / HOUR as f64),
        100 * requests.iter().filter(|new| **new).count() / requests.len().max(1)
    );
}
