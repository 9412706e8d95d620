//! A crawler of forty lines over the test web: client and link scan together find exactly what the web's plan says.

use std::collections::{BTreeSet, VecDeque};

use gristmill_fetch::{Client, FetchConfig, FetchKind, Request, Verdict, scan};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
use url::Url;

/// One name for a page: no query, fragment or session.
fn canonical(mut url: Url) -> Url {
    url.set_fragment(None);
    url.set_query(None);
    let path = url.path().split(';').next().unwrap_or("/").to_owned();
    url.set_path(&path);
    url
}

fn locations(xml: &str, tag: &str) -> Vec<Url> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    xml.split(&open).skip(1).filter_map(|part| part.split(&close).next()?.parse().ok()).collect()
}

struct Crawl {
    client: Client,
    queue: VecDeque<Url>,
    seen: BTreeSet<String>,
    indexed: BTreeSet<String>,
}

impl Crawl {
    fn offer(&mut self, url: Url) {
        let url = canonical(url);
        let forbidden = url.path().starts_with("/private/") && !url.path().starts_with("/private/open");
        if !forbidden && !url.path().starts_with("/files/") && self.seen.insert(url.to_string()) {
            self.queue.push_back(url);
        }
    }

    async fn list(&mut self, url: &str, kind: FetchKind, tag: &str) -> Vec<Url> {
        let response = self.client.fetch(&Request::of_kind(url.parse().unwrap(), kind)).await.unwrap();
        locations(std::str::from_utf8(&response.body.decoded).unwrap(), tag)
    }

    async fn visit(&mut self, url: Url) {
        let Ok(response) = self.client.fetch(&Request::page(url.clone())).await else { return };
        if let Some(target) = response.redirect_target() {
            self.offer(target);
        }
        if response.verdict() != Verdict::Ok {
            return;
        }
        let html = String::from_utf8_lossy(&response.body.decoded);
        let links = scan(&html, url.as_str());
        // Every page here that names a canonical one says what that says.
        let is_kept = !links.noindex && links.canonicals.is_empty();
        if is_kept && response.headers.x_robots_tag.is_empty() {
            self.indexed.insert(url.to_string());
        }
        for anchor in links.anchors.iter().filter(|anchor| !links.nofollow && !anchor.rel.nofollow) {
            if let Some(target) = links.resolve(&anchor.href) {
                self.offer(target);
            }
        }
        for feed in &links.feeds {
            let feed = links.resolve(&feed.href).unwrap();
            for target in self.list(feed.as_str(), FetchKind::Feed, "link").await {
                self.offer(target);
            }
        }
    }
}

#[tokio::test]
async fn a_small_crawl_finds_what_the_plan_says_and_nothing_else() {
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 45, ..TestSiteConfig::default() })).unwrap();
    let config = FetchConfig { allow_private: true, resolve: web.resolve_map(), ..FetchConfig::default() };
    let client = Client::new(&config).unwrap();
    let mut crawl = Crawl { client, queue: VecDeque::new(), seen: BTreeSet::new(), indexed: BTreeSet::new() };
    for seed in web.site().seeds() {
        let robots = crawl.list(&format!("{seed}robots.txt"), FetchKind::Robots, "none").await;
        assert!(robots.is_empty());
        crawl.offer(seed.parse().unwrap());
        for map in crawl.list(&format!("{seed}sitemap.xml"), FetchKind::Sitemap, "loc").await {
            for url in crawl.list(map.as_str(), FetchKind::Sitemap, "loc").await {
                crawl.offer(url);
            }
        }
    }
    while let Some(url) = crawl.queue.pop_front() {
        crawl.visit(url).await;
    }
    let expected = web.site().expected();
    assert_eq!(crawl.indexed, expected.indexed);
    let fetched: BTreeSet<String> = crawl.seen.difference(&crawl.indexed).cloned().collect();
    assert_eq!(fetched, expected.fetched_only);
    assert!(expected.never.iter().all(|url| web.log().iter().all(|entry| entry.url() != *url)));
}
