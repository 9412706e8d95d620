//! The plan of the web: its hosts and pages, and what a correct crawl makes of them.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::news::NewsConfig;
use crate::page::{TestPageKind, kind_of};

/// How many pages one list page shows.
pub(crate) const LIST_PAGES: usize = 20;

/// How large the web is, and how it behaves.
#[derive(Debug, Clone, PartialEq)]
pub struct TestSiteConfig {
    /// Everything is a function of this. Default: 1.
    pub seed: u64,
    /// Hosts `site0.test`, `site1.test` …, each a registrable domain of its own. Default: 3.
    pub n_hosts: usize,
    /// Numbered pages on each host, besides home, lists and the special pages; at least 1. Default: 60.
    pub n_pages: usize,
    /// Paragraphs of an article; some 350 bytes each. Default: 6.
    pub n_paragraphs: usize,
    /// Pause before each answer. Default: none.
    pub delay: Duration,
    /// `Crawl-delay` in each robots.txt, in seconds. Default: none.
    pub crawl_delay: Option<f64>,
    /// Loopback addresses to spread the hosts over: 127.0.0.1, and from the second on 127.0.1.1, 127.0.1.2 … Default: 1.
    pub n_addresses: usize,
    /// Port to listen on, 0 for a free one. Default: 0.
    pub port: u16,
    /// Whether home pages link to the hostile endpoints that end by themselves, and to the traps. Default: false.
    pub link_hostile: bool,
    /// Whether the special pages exist (redirects, robots.txt rules, sitemap …); without them a host is its home, its
    /// lists and its numbered pages, all English articles, as benchmarks want it. Default: true.
    pub special: bool,
    /// Lets the hosts be news sites, with stories in place of all else. Default: none.
    pub news: Option<NewsConfig>,
    /// Lets the hosts be a broad web, in place of all else: 40,000 pages on the largest, four on the smallest of 100,000. Default: false.
    pub broad: bool,
}

impl Default for TestSiteConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            n_hosts: 3,
            n_pages: 60,
            n_paragraphs: 6,
            delay: Duration::ZERO,
            crawl_delay: None,
            n_addresses: 1,
            port: 0,
            link_hostile: false,
            special: true,
            news: None,
            broad: false,
        }
    }
}

/// What a correct crawl from all [`TestSite::seeds`] makes of the web. The three sets are disjoint, and hold canonical URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedCrawl {
    /// To be in the index, each exactly once.
    pub indexed: BTreeSet<String>,
    /// To be fetched, and not to be in the index: redirects, faults, noindex, and what is left out for its canonical page.
    pub fetched_only: BTreeSet<String>,
    /// Not to be fetched at all: disallowed, or reachable only where following is forbidden.
    pub never: BTreeSet<String>,
}

/// A web that could be served: a pure function of its configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct TestSite {
    config: TestSiteConfig,
}

impl TestSite {
    /// Plans a web. Costs nothing: pages are made when they are asked for.
    pub fn new(config: TestSiteConfig) -> Self {
        Self { config: TestSiteConfig { n_hosts: config.n_hosts.max(1), n_pages: config.n_pages.max(1), ..config } }
    }

    /// The configuration it was planned with.
    pub fn config(&self) -> &TestSiteConfig {
        &self.config
    }

    /// The host names in order.
    pub fn hosts(&self) -> Vec<String> {
        (0..self.config.n_hosts).map(|host| self.host_name(host)).collect()
    }

    /// The name of a host by its number.
    pub fn host_name(&self, host: usize) -> String {
        format!("site{}.test", host % self.config.n_hosts)
    }

    /// The number of a host by its name, a port behind it or not.
    pub fn host_number(&self, name: &str) -> Option<usize> {
        let name = name.split(':').next().unwrap_or_default();
        let number = name.strip_prefix("site")?.strip_suffix(".test")?.parse().ok()?;
        (number < self.config.n_hosts && self.host_name(number) == name).then_some(number)
    }

    /// The home page of each host: the seeds of a crawl.
    pub fn seeds(&self) -> Vec<String> {
        (0..self.config.n_hosts).map(|host| self.url(host, "/")).collect()
    }

    /// The URL of a path, without a port: clients reach the server's port by the resolve map.
    pub fn url(&self, host: usize, path: &str) -> String {
        format!("http://{}{path}", self.host_name(host))
    }

    /// The path of a numbered page, 1 to `n_pages`.
    pub fn page_path(&self, page: usize) -> String {
        let folder = match kind_of(self, page) {
            TestPageKind::Article => "article",
            TestPageKind::Chinese => "zh",
            TestPageKind::Gbk => "gbk",
            TestPageKind::Big5 => "big5",
            TestPageKind::Product => "product",
            TestPageKind::Copy => "copy",
            TestPageKind::Print => "print",
            TestPageKind::NoindexMeta => "internal",
            TestPageKind::NoindexHeader => "quiet",
        };
        format!("/{folder}/{page}.html")
    }

    /// The kind of a numbered page.
    pub fn page_kind(&self, page: usize) -> TestPageKind {
        kind_of(self, page)
    }

    /// How many list pages a host has.
    pub fn n_lists(&self) -> usize {
        self.config.n_pages.div_ceil(LIST_PAGES)
    }

    /// What a correct crawl of all hosts makes of them.
    pub fn expected(&self) -> ExpectedCrawl {
        let mut expected = ExpectedCrawl::default();
        for host in 0..self.config.n_hosts {
            self.expect_host(host, &mut expected);
        }
        expected
    }

    /// The same for one host, crawled from its home page within its own bounds.
    pub fn expected_of(&self, host: usize) -> ExpectedCrawl {
        let mut expected = ExpectedCrawl::default();
        self.expect_host(host, &mut expected);
        expected
    }

    /// The URLs that must be in the index, and nothing else: short for [`TestSite::expected`]`().indexed`.
    pub fn expected_urls(&self) -> BTreeSet<String> {
        self.expected().indexed
    }

    fn expect_host(&self, host: usize, expected: &mut ExpectedCrawl) {
        expected.indexed.insert(self.url(host, "/"));
        for list in 1..=self.n_lists() {
            expected.indexed.insert(self.url(host, &format!("/s/{list}.html")));
        }
        for page in 1..=self.config.n_pages {
            let url = self.url(host, &self.page_path(page));
            match kind_of(self, page) {
                TestPageKind::NoindexMeta | TestPageKind::NoindexHeader | TestPageKind::Print => {
                    expected.fetched_only.insert(url);
                }
                _ => {
                    expected.indexed.insert(url);
                }
            }
        }
        if !self.config.special {
            return;
        }
        let urls = |paths: &[&str]| paths.iter().map(|path| self.url(host, path)).collect::<Vec<_>>();
        expected.indexed.extend(urls(SPECIAL_INDEXED));
        expected.fetched_only.extend(urls(SPECIAL_FETCHED));
        expected.never.extend(urls(SPECIAL_NEVER));
    }
}

/// Special pages that belong into the index.
pub(crate) const SPECIAL_INDEXED: &[&str] =
    &["/private/open.html", "/dead-end.html", "/island/1.html", "/island/2.html", "/news/1.html"];
/// Special paths that are fetched and lead to no document.
pub(crate) const SPECIAL_FETCHED: &[&str] =
    &["/old/1", "/old/2", "/away", "/loop/a", "/loop/b", "/self", "/missing.html", "/gone.html", "/disguised.html"];
/// Special pages that exist and may not be fetched.
pub(crate) const SPECIAL_NEVER: &[&str] = &["/private/closed.html", "/hidden.html", "/unvouched.html"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_sets_are_disjoint() {
        let site = TestSite::new(TestSiteConfig::default());
        let expected = site.expected();
        assert!(expected.indexed.is_disjoint(&expected.fetched_only));
        assert!(expected.indexed.is_disjoint(&expected.never));
        assert!(expected.fetched_only.is_disjoint(&expected.never));
        let by_host: usize = (0..3).map(|host| site.expected_of(host).indexed.len()).sum();
        assert_eq!(by_host, expected.indexed.len());
    }

    #[test]
    fn host_names_and_numbers_agree() {
        let site = TestSite::new(TestSiteConfig::default());
        for (number, name) in site.hosts().iter().enumerate() {
            assert_eq!(site.host_number(&format!("{name}:8080")), Some(number));
        }
        for name in ["site3.test", "site01.test", "other.test", ""] {
            assert_eq!(site.host_number(name), None, "{name}");
        }
    }
}
