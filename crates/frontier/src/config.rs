//! Settings of the frontier.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gristmill_robots::Agent;
use gristmill_terms::Verdict;
use gristmill_urls::{BlockList, ScopeConfig, SitePattern, TrapLimits};
use serde::{Deserialize, Serialize};

use crate::failure::FailureKind;
use crate::sites::SiteCrawlRules;

/// What is crawled, how gently, how often.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FrontierConfig {
    /// Which addresses belong to the crawl. Default: unset, which means the scope that the store was last opened
    /// with, and `host` for a new one. A change holds for links offered from then on; URLs already known stay.
    pub scope: Option<ScopeConfig>,
    /// Files and folders of block lists, of hosts and addresses that are not fetched. Default: none.
    pub block: Vec<PathBuf>,
    /// What stands in these, read by who opens the frontier. No setting.
    #[serde(skip)]
    pub block_list: Arc<BlockList>,
    /// Whether PDFs are pages: as `extractor.pdf` says.
    #[serde(skip)]
    pub pdf: bool,
    /// Refuse addresses that look like crawler traps. Default: true.
    pub avoid_traps: bool,
    /// From where on an address looks like a trap. No settings.
    #[serde(skip)]
    pub traps: TrapLimits,
    /// Rules for single sites; the first that covers an address and sets a thing decides it.
    #[serde(skip)]
    pub sites: Vec<SiteCrawlConfig>,
    /// How robots.txt is honoured.
    pub robots: RobotsConfig,
    /// How gently a site is treated.
    pub politeness: PolitenessConfig,
    /// What is tried again, and how often.
    pub retry: RetryConfig,
    /// Whether and when pages are visited again.
    pub recrawl: RecrawlConfig,
    /// Most pages of the whole crawl: distinct URLs fetched with success, over all runs on one store. Orders in flight are
    /// reckoned as if they will succeed, so the limit is never exceeded; failures and redirects cost nothing of it.
    /// Once as many sitemaps were fetched, further ones wait until all pages are done, and are not asked for. Default: no limit.
    pub max_pages: Option<u64>,
    /// Most page URLs that one host (scheme, name, port) may bring into the seen set; bounds endless sites.
    /// Sitemaps and feeds do not count. Default: no limit.
    pub max_pages_per_host: Option<u32>,
    /// Most sitemaps and feeds that one site (a registrable domain) may bring into the seen set; bounds endless sitemap indexes,
    /// which besides may lie five deep within one another. No setting: 5 000.
    #[serde(skip)]
    pub max_sitemaps_per_site: u32,
    /// Most redirects from a link to its page. No setting: 10.
    #[serde(skip)]
    pub max_redirects: u8,
    /// Most pages that browsers have in hand or before them; their sites get no other order meanwhile. `0`: none is given to a
    /// browser, and those asked for wait. Default: 16.
    pub max_renders: u32,
    /// After how long without any outcome of a browser its orders are taken back, so that their sites are free; then one order at a
    /// time asks whether a browser is there again. No setting: 10 min.
    #[serde(skip)]
    pub render_patience: Duration,
    /// After how long an order without outcome counts as lost and is tried again. Leave unset where orders are durable in
    /// the log and a fetcher will come back to them, as in one process. Default: unset.
    #[serde(with = "humantime_serde")]
    pub lease_timeout: Option<Duration>,
    /// URLs remembered in memory in front of the seen set, some 40 bytes each; a page's links are mostly seen. No setting: 200 000.
    #[serde(skip)]
    pub recent_urls: usize,
    /// New URLs, at least, that come in while the tails of the seen set are written once, and that wait for rows in the queues; until
    /// then they are in memory, some 50 bytes each. No setting: 262 144.
    #[serde(skip)]
    pub merge_urls: u64,
    /// Memory for blocks and filters of the store, in bytes. Default: 64 MiB.
    pub cache_bytes: u64,
}

impl Default for FrontierConfig {
    fn default() -> Self {
        Self {
            scope: None,
            block: Vec::new(),
            block_list: Arc::default(),
            pdf: false,
            avoid_traps: true,
            traps: TrapLimits::default(),
            sites: Vec::new(),
            robots: RobotsConfig::default(),
            politeness: PolitenessConfig::default(),
            retry: RetryConfig::default(),
            recrawl: RecrawlConfig::default(),
            max_pages: None,
            max_pages_per_host: None,
            max_sitemaps_per_site: 5_000,
            max_redirects: 10,
            max_renders: 16,
            render_patience: Duration::from_secs(600),
            lease_timeout: None,
            recent_urls: 200_000,
            merge_urls: 1 << 18,
            cache_bytes: 64 << 20,
        }
    }
}

/// How one site is crawled, where that differs from the others.
#[derive(Debug, Clone)]
pub struct SiteCrawlConfig {
    /// Its place in the settings, such as `sites[0]`.
    pub name: String,
    /// The addresses that it is about.
    pub pattern: SitePattern,
    /// As `politeness.min_delay`.
    pub delay: Option<Duration>,
    /// As of the scope, which holds besides.
    pub max_depth: Option<u16>,
    /// As of the scope, which holds besides.
    pub include: Vec<String>,
    /// As of the scope, which holds besides.
    pub exclude: Vec<String>,
    /// Time between two visits of a page, whatever they find, where pages are visited again.
    pub recrawl: Option<Duration>,
}

/// How robots.txt is honoured.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotsConfig {
    /// Fetch and obey robots.txt. Turn off only for sites of your own. Default: true.
    pub enabled: bool,
    /// The product token that robots.txt groups are searched for: the setting `agent`, which all parts share.
    #[serde(skip)]
    pub agent: Agent,
    /// How long a robots.txt counts before it is fetched again; at least for the next order of its host. Default: `24h`, as
    /// RFC 9309 §2.4 advises.
    #[serde(with = "humantime_serde")]
    pub refresh: Duration,
    /// How long a host whose robots.txt cannot be had (5xx, no answer) is left alone; pages that come up meanwhile
    /// end as `robots_unavailable`. No setting: `24h`.
    #[serde(skip)]
    pub unavailable_for: Duration,
    /// How long a page that robots.txt closes is kept since its last fetch, as such lines are often mistakes; then it leaves the index.
    /// Default: `30d`.
    #[serde(with = "humantime_serde")]
    pub keep_closed: Duration,
    /// Most redirects to a robots.txt; beyond, there are no rules (RFC 9309 §2.3.1.2). No setting: 5.
    #[serde(skip)]
    pub max_redirects: u8,
    /// Fetch the sitemaps that robots.txt names. Default: true.
    pub sitemaps: bool,
    /// Try `/sitemap.xml` and two others where robots.txt names no sitemap; in a scope of any site when four pages of the domain were
    /// fetched. Default: true.
    pub guess_sitemap: bool,
    /// Most sitemaps taken from one robots.txt. No setting: 50.
    #[serde(skip)]
    pub max_sitemaps: usize,
    /// Fetch `/.well-known/tdmrep.json` after each robots.txt, and keep with each page what it says of text and data mining.
    /// Default: true.
    pub tdm: bool,
    /// Memory for parsed robots.txt, and a quarter as much again for parsed tdmrep.json; what is beyond is parsed anew.
    /// No setting: 64 MiB, those of some 10 000 hosts.
    #[serde(skip)]
    pub cache_bytes: usize,
}

impl Default for RobotsConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            agent: Agent::default(),
            refresh: Duration::from_secs(24 * 3600),
            unavailable_for: Duration::from_secs(24 * 3600),
            keep_closed: Duration::from_secs(30 * 24 * 3600),
            max_redirects: 5,
            sitemaps: true,
            guess_sitemap: true,
            max_sitemaps: 50,
            tdm: true,
            cache_bytes: 64 << 20,
        }
    }
}

/// How gently a site is treated. A site is a registrable domain with all its hosts and ports.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolitenessConfig {
    /// Shortest pause between the end of one fetch and the next to the same site. Default: `1s`.
    #[serde(with = "humantime_serde")]
    pub min_delay: Duration,
    /// Longest `Crawl-delay` that is honoured as written; a longer one means this. Default: `60s`.
    #[serde(with = "humantime_serde")]
    pub max_crawl_delay: Duration,
    /// Shortest time between two requests to one IP address, whatever the names; hosters answer for thousands. Kept between orders,
    /// and at the fetcher where the address is dialled: from the end of a request, or from twice as long after its beginning if it
    /// lasts. Set to zero together with `min_delay` for a site of your own. Default: `100ms`.
    #[serde(with = "humantime_serde")]
    pub ip_delay: Duration,
    /// First pause of a site after 429, 503, a timeout or a transfer below the minimum speed; doubles with each further one, and goes one
    /// step back with each success. Default: `5s`.
    #[serde(with = "humantime_serde")]
    pub backoff: Duration,
    /// Longest such pause. Default: `10m`.
    #[serde(with = "humantime_serde")]
    pub max_backoff: Duration,
    /// Longest `Retry-After` that is honoured as written. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub max_retry_after: Duration,
    /// After how many failures in a row without an answer for us (DNS, connect, TLS, timeout, blocked, 429, 503) a site is given up: its
    /// queued URLs end as `given_up`. No setting: 30.
    #[serde(skip)]
    pub give_up_after: u32,
    /// For how long. No setting: `24h`.
    #[serde(skip)]
    pub give_up_for: Duration,
}

impl Default for PolitenessConfig {
    fn default() -> Self {
        Self {
            min_delay: Duration::from_secs(1),
            max_crawl_delay: Duration::from_secs(60),
            ip_delay: Duration::from_millis(100),
            backoff: Duration::from_secs(5),
            max_backoff: Duration::from_secs(600),
            max_retry_after: Duration::from_secs(3600),
            give_up_after: 30,
            give_up_for: Duration::from_secs(24 * 3600),
        }
    }
}

/// How often a URL is tried again after each kind of failure; 0 means never. What is not listed is permanent:
/// 404, 410 and other 4xx, bodies too large or of the wrong type, addresses that the guard refuses, redirect loops.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetryConfig {
    /// Pause before the first retry of a URL; doubles with each further one. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub delay: Duration,
    /// Longest such pause. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub max_delay: Duration,
    /// 429. The whole site pauses too. Default: 5.
    pub rate_limited: u16,
    /// 503. The whole site pauses too. Default: 5.
    pub unavailable: u16,
    /// Other 5xx. Default: 2.
    pub server_error: u16,
    /// No answer in time. The whole site pauses too. Default: 3.
    pub timeout: u16,
    /// Transfers below the minimum speed. The whole site pauses too. Default: 1.
    pub too_slow: u16,
    /// Names that do not resolve. Default: 2.
    pub dns: u16,
    /// Connections that fail. Default: 3.
    pub connect: u16,
    /// TLS that fails; a wrong certificate seldom gets right. Default: 1.
    pub tls: u16,
    /// Broken HTTP and bodies that end early. Default: 2.
    pub protocol: u16,
    /// Orders whose outcome never came (`lease_timeout`). No setting: 3.
    #[serde(skip)]
    pub lost: u16,
}

impl Default for RetryConfig {
    fn default() -> Self {
        Self {
            delay: Duration::from_secs(10),
            max_delay: Duration::from_secs(3600),
            rate_limited: 5,
            unavailable: 5,
            server_error: 2,
            timeout: 3,
            too_slow: 1,
            dns: 2,
            connect: 3,
            tls: 1,
            protocol: 2,
            lost: 3,
        }
    }
}

impl RetryConfig {
    /// How often a URL that failed by `kind` is tried again.
    #[must_use]
    pub fn limit(&self, kind: FailureKind) -> u16 {
        let FailureKind::Fetch(verdict) = kind else { return if kind == FailureKind::Lost { self.lost } else { 0 } };
        match verdict {
            Verdict::TooManyRequests | Verdict::Blocked => self.rate_limited,
            Verdict::Unavailable => self.unavailable,
            Verdict::ServerError => self.server_error,
            Verdict::Timeout => self.timeout,
            Verdict::TooSlow => self.too_slow,
            Verdict::Dns => self.dns,
            Verdict::Connect => self.connect,
            Verdict::Tls => self.tls,
            Verdict::Protocol | Verdict::Truncated => self.protocol,
            _ => 0,
        }
    }
}

/// Whether and when pages are visited again. Visits are conditional (ETag, Last-Modified).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecrawlConfig {
    /// Visit pages, sitemaps and feeds again that were fetched with success; redirects, failures and disallowed
    /// URLs are not asked again. Off, a crawl ends when everything was fetched once. Default: false.
    pub enabled: bool,
    /// Time to the first revisit. Default: `1d`.
    #[serde(with = "humantime_serde")]
    pub initial: Duration,
    /// Usual time between visits of what leads to new pages: sitemaps, feeds, home and start pages, and pages that brought new ones before.
    /// It holds where one is the first to bring a page every eight minutes; others are visited by the square root of what they bring, the
    /// best of each site at least six times less often. The best takes at most every second request to its site, and all
    /// others every sixth, save where one brings many at once. At most `initial`. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub sources: Duration,
    /// Shortest time between visits of other pages; a change halves the interval down to this. Default: `1h`.
    #[serde(with = "humantime_serde")]
    pub min: Duration,
    /// Longest time between visits; no change makes the interval half as long again up to this. Default: `30d`.
    #[serde(with = "humantime_serde")]
    pub max: Duration,
}

impl Default for RecrawlConfig {
    fn default() -> Self {
        let day = Duration::from_secs(24 * 3600);
        Self {
            enabled: false,
            initial: day,
            sources: Duration::from_secs(3600),
            min: Duration::from_secs(3600),
            max: 30 * day,
        }
    }
}

impl FrontierConfig {
    /// Checks the rules across fields and tells all that are broken at once.
    ///
    /// # Errors
    /// One line for each broken rule.
    pub fn check(&self) -> Result<(), String> {
        let mut broken = Vec::new();
        let mut at_least = |name: &str, value: Duration, least: &str, bound: Duration| {
            if value < bound {
                broken.push(format!("`{name}` must be at least `{least}` ({bound:?}), got {value:?}"));
            }
        };
        let polite = &self.politeness;
        at_least("politeness.max_crawl_delay", polite.max_crawl_delay, "politeness.min_delay", polite.min_delay);
        at_least("politeness.max_backoff", polite.max_backoff, "politeness.backoff", polite.backoff);
        at_least("retry.max_delay", self.retry.max_delay, "retry.delay", self.retry.delay);
        at_least("recrawl.max", self.recrawl.max, "recrawl.min", self.recrawl.min);
        broken.extend(SiteCrawlRules::new(&self.sites).err());
        if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
    }
}

/// Whole milliseconds, the frontier's unit of time; beyond 2⁶³ they saturate.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX / 2).min(u64::MAX / 2)
}
