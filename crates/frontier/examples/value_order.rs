//! Crawls a made-up web whose value is known, and tells how much of it the first pages bring, against breadth first:
//! `cargo run --release -p gristmill-frontier --example value_order -- [PAGES]`.
//!
//! Of 6,000 domains most are plain. A page is worth as much as its domain, whose worth goes with how many links from other domains lead
//! there, give or take a factor of four; sizes are drawn apart, by Zipf's law. What was fetched before under whatever address is worth
//! nothing. Some domains have deep archives worth a twentieth, some have addresses without end (by number, by word, by word at the root,
//! or with new words on each page), some are mirrors, some a farm: they link to one another and say the same.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::Duration;

use gristmill_frontier::{
    FetchKind, FetchOrder, FetchOutcome, FetchResult, Fingerprint, Frontier, FrontierConfig, FrontierError, LinkSource,
    News, NextAction, Notice, Outlink, Positions,
};
use gristmill_urls::{ScopeConfig, ScopeRule};

const N_DOMAINS: u64 = 6_000;
const N_SEEDS: u64 = 60;

/// Milliseconds between two requests of the crawl: 200 a second, far fewer than the domains would bear.
const PACE: u64 = 5;

/// Milliseconds that a site is left alone for.
const PAUSE: u64 = 1_000;

/// The inverse of the factor in `rank_of`.
const INVERSE: u64 = {
    let mut candidate = 1;
    while candidate * FACTOR % N_DOMAINS != 1 {
        candidate += 1;
    }
    candidate
};

/// Has no divisor in common with the number of domains.
const FACTOR: u64 = 2_347;

/// Pages fetched between two commits.
const BATCH: usize = 2_000;

/// What a domain is; see `nature_of` for how many are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Nature {
    Plain,
    Archive,
    Trap,
    Mirror,
    Farm,
}

/// Parts of a site.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Page,
    Archive,
    Numbers,
    Words,
    RootWords,
    Babble,
}

const PARTS: [(Part, &str); 6] = [
    (Part::Page, "p"),
    (Part::Archive, "archive"),
    (Part::Numbers, "calendar"),
    (Part::Words, "tags"),
    (Part::RootWords, ""),
    (Part::Babble, "wiki"),
];

struct Page {
    links: Vec<String>,
    /// Stands for what it says.
    text: u64,
    value: f64,
    brings_nothing: bool,
    /// What its fetch is counted as.
    nature: Nature,
}

/// A crawl's account: value after each fetch, and fetches by nature.
#[derive(Default)]
struct Account {
    texts: HashSet<u64>,
    value: f64,
    curve: Vec<f64>,
    fetches: HashMap<Nature, usize>,
}

impl Account {
    fn add(&mut self, page: &Page) {
        let is_new = self.texts.insert(page.text);
        self.value += if is_new { page.value } else { 0.0 };
        self.curve.push(self.value);
        *self.fetches.entry(page.nature).or_default() += 1;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages: usize = std::env::args().nth(1).map_or(Ok(60_000), |text| text.parse())?;
    let crawls = [
        ("breadth first", breadth_first(n_pages)),
        ("turns alone", by_frontier(n_pages, false)?),
        ("by value", by_frontier(n_pages, true)?),
    ];
    println!("value found, of the best possible with as many pages:");
    print!("{:>14}", "pages");
    crawls.iter().for_each(|(name, _)| print!("{name:>15}"));
    println!();
    for tenths in [1, 2, 5, 10] {
        let n = n_pages * tenths / 10;
        print!("{n:>14}");
        crawls.iter().for_each(|(_, crawl)| print!("{:>13.1} %", 100.0 * crawl.curve[n - 1] / best(n)));
        println!();
    }
    println!("fetches, % of all:");
    for nature in [Nature::Plain, Nature::Archive, Nature::Trap, Nature::Mirror, Nature::Farm] {
        print!("{:>14}", format!("{nature:?}").to_lowercase());
        for (_, crawl) in &crawls {
            let n = crawl.fetches.get(&nature).copied().unwrap_or(0);
            print!("{:>13.1} %", 100.0 * n as f64 / n_pages as f64);
        }
        println!();
    }
    Ok(())
}

/// What was met first goes first, wherever the pauses of sites let it.
fn breadth_first(n_pages: usize) -> Account {
    let mut queues: HashMap<u64, VecDeque<(usize, String)>> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    // Domains with the number of their first page, and those that pause.
    let (mut ready, mut pausing) = (BTreeSet::new(), VecDeque::new());
    let (mut account, mut now, mut found) = (Account::default(), 0, seeds().collect::<Vec<_>>());
    while account.curve.len() < n_pages {
        for url in found.drain(..) {
            let (domain, ..) = read(&url);
            if !seen.insert(url.clone()) {
                continue;
            }
            let queue = queues.entry(domain).or_default();
            queue.push_back((seen.len(), url));
            if queue.len() == 1 && !pausing.iter().any(|(other, _)| *other == domain) {
                ready.insert((seen.len(), domain));
            }
        }
        while let Some((domain, _)) = pausing.pop_front_if(|(_, until)| *until <= now) {
            ready.extend(queues[&domain].front().map(|(number, _)| (*number, domain)));
        }
        now += PACE;
        let Some((_, domain)) = ready.pop_first() else { continue };
        let next = queues.get_mut(&domain).and_then(VecDeque::pop_front);
        let page = next.map(|(_, url)| fetch(&url));
        pausing.push_back((domain, now + PAUSE));
        account.add(page.as_ref().expect("a domain that is ready has a page"));
        found.extend(page.into_iter().flat_map(|page| page.links));
    }
    account
}

/// The crawl by a frontier, with or without what tells value.
fn by_frontier(n_pages: usize, with_signals: bool) -> Result<Account, Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("gristmill-value-order-{}", std::process::id()));
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.politeness.min_delay = Duration::from_millis(PAUSE);
    (config.politeness.ip_delay, config.robots.enabled) = (Duration::ZERO, false);
    let mut frontier = Frontier::open(&folder, config)?;
    let (mut account, mut now) = (Account::default(), 1_795_219_200_000);
    for url in seeds() {
        frontier.offer(&Outlink { source: LinkSource::Seed, depth: 0, ..link(&url, 0) }, now)?;
    }
    while account.curve.len() < n_pages {
        match frontier.next(now)? {
            NextAction::Order(order) => {
                let page = fetch(&order.url);
                report(&mut frontier, &order, &page, with_signals, now)?;
                account.add(&page);
                now += PACE;
            }
            NextAction::WaitUntil(time) => now = time,
            other => return Err(format!("{other:?}").into()),
        }
        if account.curve.len().is_multiple_of(BATCH) {
            frontier.commit(&Positions::new())?;
        }
    }
    drop(frontier);
    std::fs::remove_dir_all(&folder)?;
    Ok(account)
}

/// Hands over links, outcome, and what the page says, as the services do.
fn report(
    frontier: &mut Frontier,
    order: &FetchOrder,
    page: &Page,
    with_signals: bool,
    now: u64,
) -> Result<(), FrontierError> {
    for url in &page.links {
        frontier.offer(&link(url, order.depth + 1), now)?;
        if with_signals {
            frontier.linked(&order.url, url);
        }
    }
    let outcome = FetchOutcome {
        brings_nothing: with_signals.then_some(page.brings_nothing),
        ..FetchOutcome::new(order.id, FetchResult::Ok, 200, now)
    };
    frontier.outcome(&outcome, now)?;
    let said = Fingerprint { text: page.text, title: page.text };
    let news = News::Read { fingerprint: Some(said).filter(|_| with_signals), asks_password: false };
    frontier.notice(&Notice { url: order.url.clone(), news }, now).map(drop)
}

fn link(url: &str, depth: u16) -> Outlink<'_> {
    Outlink { url, kind: FetchKind::Page, source: LinkSource::Anchor, depth, hops: 0, anchor_title: None }
}

/// What so many fetches bring at best, were all addresses known from the start: pauses let each domain have so many.
fn best(n_pages: usize) -> f64 {
    let most = n_pages as u64 * PACE / PAUSE + 1;
    let pages = |domain| (0..size_of(domain).min(most)).map(move |_| worth_of(domain));
    let is_original = |domain: &u64| !matches!(nature_of(*domain), Nature::Mirror | Nature::Farm);
    let mut values: Vec<f64> = (0..N_DOMAINS).filter(is_original).flat_map(pages).collect();
    values.sort_by(|one, other| other.total_cmp(one));
    values.iter().take(n_pages).sum()
}

fn seeds() -> impl Iterator<Item = String> {
    (0..).filter(|domain| nature_of(*domain) == Nature::Plain).take(N_SEEDS as usize).map(home_of)
}

fn nature_of(domain: u64) -> Nature {
    match mixed(1, domain) % 20 {
        0 | 1 => Nature::Archive,
        2..=4 => Nature::Trap,
        5 => Nature::Mirror,
        6 | 7 => Nature::Farm,
        _ => Nature::Plain,
    }
}

/// The domain's place by the links that lead to it.
fn rank_of(domain: u64) -> u64 {
    // A permutation.
    (domain * FACTOR + 11) % N_DOMAINS + 1
}

/// Of one page of the domain.
fn worth_of(domain: u64) -> f64 {
    let noise = (unit(mixed(2, domain)) * 4.0 - 2.0).exp2();
    noise / (rank_of(domain) as f64).sqrt()
}

/// Pages that are worth something.
fn size_of(domain: u64) -> u64 {
    ((8.0 / unit(mixed(3, domain)).max(1e-9)) as u64).min(20_000)
}

fn home_of(domain: u64) -> String {
    format!("http://site{domain}.example/")
}

fn url_of(domain: u64, part: Part, n: u64) -> String {
    let (_, name) = PARTS[part as usize];
    match part {
        Part::Page if n == 0 => home_of(domain),
        Part::Words | Part::Babble => format!("{}{name}/{}", home_of(domain), word(n)),
        Part::RootWords => format!("{}{}", home_of(domain), word(n)),
        _ => format!("{}{name}/{n}", home_of(domain)),
    }
}

/// Domain, part and number of an address.
fn read(url: &str) -> (u64, Part, u64) {
    let rest = url.trim_start_matches("http://site");
    let (domain, path) = rest.split_once(".example/").unwrap_or((rest, ""));
    let domain = domain.parse().unwrap_or(0);
    match path.split_once('/') {
        None if path.is_empty() => (domain, Part::Page, 0),
        None => (domain, Part::RootWords, unword(path)),
        Some((name, n)) => {
            let (part, _) = PARTS.into_iter().find(|(_, known)| *known == name).unwrap_or(PARTS[0]);
            (domain, part, n.parse().unwrap_or_else(|_| unword(n)))
        }
    }
}

/// A number in letters.
fn word(mut n: u64) -> String {
    let mut letters = String::new();
    loop {
        letters.push(char::from(b'a' + (n % 26) as u8));
        n /= 26;
        if n == 0 {
            return letters;
        }
    }
}

fn unword(word: &str) -> u64 {
    word.bytes().rev().fold(0, |n, letter| n * 26 + u64::from(letter.saturating_sub(b'a')))
}

fn fetch(url: &str) -> Page {
    let (domain, part, n) = read(url);
    let nature = nature_of(domain);
    if nature == Nature::Farm {
        return farm_page(domain, n);
    }
    let counted = if part == Part::Page || nature == Nature::Archive { nature } else { Nature::Trap };
    // A page of a trap's domain is a page like others.
    let counted = if part == Part::Page && nature == Nature::Trap { Nature::Plain } else { counted };
    let text = mixed(4, mixed(part as u64, original_of(domain) << 32 | n));
    let page = |links, value, brings_nothing| Page { links, text, value, brings_nothing, nature: counted };
    match part {
        Part::Page => page(links_of(domain, n), worth_of(original_of(domain)), false),
        Part::Archive => {
            let next = (1..=5).map(|step| url_of(domain, Part::Archive, n + step));
            page(next.collect(), worth_of(domain) / 20.0, false)
        }
        _ => {
            let next = (1..=8).map(|step| url_of(domain, part, n * 8 + step));
            page(next.chain([home_of(domain)]).collect(), 0.0, part != Part::Babble)
        }
    }
}

/// The domain whose texts a domain has.
fn original_of(domain: u64) -> u64 {
    let is_plain = |domain: &u64| nature_of(*domain) == Nature::Plain;
    match nature_of(domain) {
        // Popular sites have mirrors.
        Nature::Mirror => (0..).map(|turn| popular(mixed(5 + turn, domain))).find(is_plain).unwrap_or(0),
        _ => domain,
    }
}

/// A domain, the popular ones more often: by Zipf's law.
fn popular(random: u64) -> u64 {
    let rank = (unit(random) * (N_DOMAINS as f64).ln()).exp() as u64;
    // The domain of that rank: the permutation, turned round.
    (rank + N_DOMAINS - 12) % N_DOMAINS * INVERSE % N_DOMAINS
}

/// Those of a plain page: eight below it, some elsewhere in the site, three to other sites.
fn links_of(domain: u64, n: u64) -> Vec<String> {
    let (size, seed) = (size_of(original_of(domain)), mixed(6, domain << 32 | n));
    let below = (n * 8 + 1..=n * 8 + 8).filter(|child| *child < size);
    let aside = (0..3).map(|turn| mixed(turn, seed) % size);
    let mut links: Vec<String> = below.chain(aside).map(|n| url_of(domain, Part::Page, n)).collect();
    match nature_of(domain) {
        Nature::Archive => links.push(url_of(domain, Part::Archive, n)),
        Nature::Trap => {
            let traps = [Part::Numbers, Part::Words, Part::RootWords, Part::Babble];
            let trap = traps[(mixed(7, domain) % 4) as usize];
            links.extend((0..4).map(|turn| url_of(domain, trap, mixed(turn, seed) % 10_000)));
        }
        _ => {}
    }
    links.extend((10..13).map(|turn| {
        let random = mixed(turn, seed);
        let other = if random.is_multiple_of(50) { farm(random / 50) } else { popular(random) };
        let deep = mixed(8, random) % size_of(original_of(other));
        if random.is_multiple_of(2) { home_of(other) } else { url_of(other, Part::Page, deep) }
    }));
    links
}

/// A domain of the farm.
fn farm(random: u64) -> u64 {
    let is_farm = |domain: &u64| nature_of(*domain) == Nature::Farm;
    (0..N_DOMAINS).map(|step| (random + step) % N_DOMAINS).find(is_farm).unwrap_or(0)
}

fn farm_page(domain: u64, n: u64) -> Page {
    let seed = mixed(9, domain << 32 | n);
    let own = (1..=8).map(|step| url_of(domain, Part::Page, n * 8 + step));
    let others = (0..10).map(|turn| home_of(farm(mixed(turn, seed))));
    let brings_nothing = n >= 50;
    Page { links: own.chain(others).collect(), text: n % 50 + 1, value: 0.0, brings_nothing, nature: Nature::Farm }
}

/// A number drawn by a seed (the finalizer of SplitMix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = number.wrapping_add(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The same between 0 and 1.
fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}
