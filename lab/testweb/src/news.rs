//! News sites: hosts that publish while they are served, each at its own pace and in its own manner.
//!
//! | Path | What |
//! |---|---|
//! | `/` | the newest twelve stories, and links to the sections; on every eighth host every third story only, as of an editor's choice |
//! | `/section/K` | the newest fifteen of each section |
//! | `/feed.xml` | the newest ten or twenty, on three of four hosts; made anew every minute on every second of these |
//! | `/news.xml` | a news sitemap of the newest hundred, on every fifth host and where there is no feed |
//! | `/story/N` | a story, once it is published |
//!
//! Of every ten hosts one shows times five hours behind, one three hours ahead, and one none at all.

use std::fmt::Write as _;
use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};

use crate::answer::TestResponse;
use crate::rng::Rng;
use crate::site::TestSite;
use crate::words::{self, PageLanguage};

const N_SECTIONS: usize = 4;
const HOUR: i64 = 3_600_000;

/// When and how often the hosts publish.
#[derive(Debug, Clone, PartialEq)]
pub struct NewsConfig {
    /// When the first story appears that was not there before, in milliseconds since 1970; the pages show what was published until now.
    pub begins_at: u64,
    /// How long stories come from then on.
    pub lasts: Duration,
    /// Mean time between two stories of the host that publishes most.
    pub shortest: Duration,
    /// And of the one that publishes least.
    pub longest: Duration,
    /// Stories of each host before the first of them.
    pub n_old: usize,
}

/// A host as it shows itself.
struct NewsHost<'a> {
    site: &'a TestSite,
    news: &'a NewsConfig,
    host: usize,
}

/// Answers a request for a news site, at a time in milliseconds since 1970.
pub(crate) fn answer(site: &TestSite, news: &NewsConfig, host: usize, path: &str, now: u64) -> TestResponse {
    let own = NewsHost { site, news, host };
    let html = |body: String| TestResponse::new(200, "text/html; charset=utf-8", body.into_bytes());
    match path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or((path, "")) {
        ("/", _) => html(own.home(now)),
        ("/robots.txt", _) => TestResponse::new(200, "text/plain", own.robots().into_bytes()),
        ("/feed.xml", _) if own.has_feed() => TestResponse::new(200, "application/rss+xml", own.feed(now).into_bytes()),
        ("/news.xml", _) if own.has_sitemap() => {
            TestResponse::new(200, "application/xml", own.sitemap(now).into_bytes())
        }
        ("section", number) if number.parse().is_ok_and(|number: usize| number < N_SECTIONS) => {
            html(own.section(number.parse().unwrap_or(0), now))
        }
        ("story", number) => match number.parse().ok().and_then(|number| own.story(number, now)) {
            Some(story) => html(story),
            None => TestResponse::new(404, "text/html", b"<h1>Not found</h1>".to_vec()),
        },
        _ => TestResponse::new(404, "text/html", b"<h1>Not found</h1>".to_vec()),
    }
}

impl TestSite {
    /// The stories of a host, and when each appears, in milliseconds since 1970, in this order; none where it is no news site.
    pub fn stories(&self, host: usize) -> Vec<(String, u64)> {
        let Some(news) = &self.config().news else { return Vec::new() };
        let times = NewsHost { site: self, news, host }.times();
        times.into_iter().enumerate().map(|(n, at)| (self.url(host, &format!("/story/{n}")), at)).collect()
    }
}

impl NewsHost<'_> {
    fn rng(&self, part: u64) -> Rng {
        Rng::of(&[self.site.config().seed, self.host as u64, 77, part])
    }

    /// Mean milliseconds between two stories: between the shortest and the longest in even ratios.
    fn pace(&self) -> f64 {
        let n_hosts = self.site.config().n_hosts.max(2);
        let (shortest, longest) = (self.news.shortest.as_secs_f64(), self.news.longest.as_secs_f64());
        1000.0 * shortest * (longest / shortest).powf(self.host as f64 / (n_hosts - 1) as f64)
    }

    /// When each story appears: a Poisson process, in which one of 30 begins a burst of eight.
    fn times(&self) -> Vec<u64> {
        let (mut rng, pace) = (self.rng(0), self.pace());
        let old = self.news.n_old as u64;
        let mut times: Vec<u64> =
            (1..=old).rev().map(|n| self.news.begins_at.saturating_sub((pace * n as f64) as u64 + 1)).collect();
        let ends = self.news.begins_at + self.news.lasts.as_millis() as u64;
        let mut at = self.news.begins_at as f64;
        while (at as u64) < ends {
            let share = (rng.next() >> 11) as f64 / (1_u64 << 53) as f64;
            at -= share.max(1e-9).ln() * pace;
            let n_stories = if rng.below(30) == 0 { 8 } else { 1 };
            times.extend((0..n_stories).map(|n| at as u64 + n * (pace / 20.0) as u64));
        }
        times.retain(|time| *time < ends);
        times.sort_unstable();
        times
    }

    fn has_feed(&self) -> bool {
        !self.host.is_multiple_of(4)
    }

    fn has_sitemap(&self) -> bool {
        !self.has_feed() || self.host.is_multiple_of(5)
    }

    /// A time as the host shows it, in milliseconds; `None` where it shows none.
    fn shown(&self, at: u64) -> Option<OffsetDateTime> {
        let error = match self.host % 10 {
            7 => return None,
            8 => -5 * HOUR,
            9 => 3 * HOUR,
            _ => 0,
        };
        OffsetDateTime::from_unix_timestamp((at as i64 + error) / 1000).ok()
    }

    fn title(&self, story: usize) -> String {
        words::title(&mut self.rng(1 + story as u64), PageLanguage::English)
    }

    /// The newest stories that `is_shown`, newest first, as numbers.
    fn newest(&self, most: usize, now: u64, is_shown: impl Fn(usize) -> bool) -> Vec<usize> {
        let n_published = self.times().partition_point(|at| *at <= now);
        (0..n_published).rev().filter(|story| is_shown(*story)).take(most).collect()
    }

    fn links(&self, stories: &[usize]) -> String {
        stories
            .iter()
            .map(|story| format!("<li><a href=\"/story/{story}\">{}</a></li>\n", self.title(*story)))
            .collect()
    }

    fn page(&self, title: &str, head: &str, body: &str) -> String {
        let sections: String = (0..N_SECTIONS).map(|n| format!("<a href=\"/section/{n}\">Section {n}</a> ")).collect();
        format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\n\
             <body><nav><a href=\"/\">Home</a> {sections}</nav>\n{body}</body></html>\n"
        )
    }

    fn home(&self, now: u64) -> String {
        let by_hand = self.host % 8 == 6;
        let links = self.links(&self.newest(12, now, |story| !by_hand || story.is_multiple_of(3)));
        let feed = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed.xml\">";
        let name = self.site.host_name(self.host);
        let head = if self.has_feed() { feed } else { "" };
        self.page(&format!("News of {name}"), head, &format!("<h1>News of {name}</h1><ul>{links}</ul>"))
    }

    fn section(&self, section: usize, now: u64) -> String {
        let links = self.links(&self.newest(15, now, |story| story % N_SECTIONS == section));
        self.page(&format!("Section {section}"), "", &format!("<h1>Section {section}</h1><ul>{links}</ul>"))
    }

    fn story(&self, story: usize, now: u64) -> Option<String> {
        let at = *self.times().get(story).filter(|at| **at <= now)?;
        let title = self.title(story);
        let time = self.shown(at).and_then(|time| time.format(&Rfc3339).ok());
        let head = time.map(|time| format!("<meta property=\"article:published_time\" content=\"{time}\">"));
        let mut rng = self.rng((1 << 40) + story as u64);
        let text: String =
            (0..4).map(|_| format!("<p>{}</p>\n", words::paragraph(&mut rng, PageLanguage::English))).collect();
        let body = format!("<article><h1>{title}</h1>\n{text}</article>");
        Some(self.page(&title, &head.unwrap_or_default(), &body))
    }

    fn robots(&self) -> String {
        let sitemap = format!("Sitemap: {}\n", self.site.url(self.host, "/news.xml"));
        format!("User-agent: *\nAllow: /\n{}", if self.has_sitemap() { &sitemap } else { "" })
    }

    fn feed(&self, now: u64) -> String {
        let now = if self.host.is_multiple_of(2) { now - now % 60_000 } else { now };
        let window = if self.host.is_multiple_of(3) { 10 } else { 20 };
        let times = self.times();
        let mut text = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>News</title>\n".to_owned();
        for story in self.newest(window, now, |_| true) {
            let date = self.shown(times[story]).and_then(|time| time.format(&Rfc2822).ok());
            let date = date.map(|date| format!("<pubDate>{date}</pubDate>")).unwrap_or_default();
            let url = self.site.url(self.host, &format!("/story/{story}"));
            let _ = writeln!(text, "<item><title>{}</title><link>{url}</link>{date}</item>", self.title(story));
        }
        text + "</channel></rss>\n"
    }

    fn sitemap(&self, now: u64) -> String {
        let times = self.times();
        let mut text = "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                        xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\n"
            .to_owned();
        for story in self.newest(100, now, |_| true) {
            let date = self.shown(times[story]).and_then(|time| time.format(&Rfc3339).ok());
            let date = date.map(|date| format!("<news:publication_date>{date}</news:publication_date>"));
            let url = self.site.url(self.host, &format!("/story/{story}"));
            let _ = writeln!(
                text,
                "<url><loc>{url}</loc><news:news>{}<news:title>{}</news:title></news:news></url>",
                date.unwrap_or_default(),
                self.title(story)
            );
        }
        text + "</urlset>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::TestSiteConfig;

    const BEGIN: u64 = 1_795_219_200_000;

    fn site() -> TestSite {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let news =
            NewsConfig { begins_at: BEGIN, lasts: minutes(600), shortest: minutes(5), longest: minutes(60), n_old: 30 };
        TestSite::new(TestSiteConfig { n_hosts: 10, news: Some(news), ..TestSiteConfig::default() })
    }

    fn text(site: &TestSite, host: usize, path: &str, now: u64) -> String {
        let news = site.config().news.clone().unwrap();
        let answer = answer(site, &news, host, path, now);
        String::from_utf8(if answer.status == 200 { answer.body } else { Vec::new() }).unwrap()
    }

    #[test]
    fn a_story_is_there_from_its_time_on_and_listed_first() {
        let site = site();
        for host in 0..10 {
            let stories = site.stories(host);
            assert!(stories.len() > 30 && stories.is_sorted_by_key(|(_, at)| *at), "{host}: {}", stories.len());
            let (newest, at) = &stories[31];
            let path = &newest[newest.find("/story").unwrap()..];
            assert_eq!(text(&site, host, path, at - 1), "");
            assert!(text(&site, host, path, *at).contains("<article>"));
            let listing = if host % 4 == 0 { "/news.xml" } else { "/feed.xml" };
            let now = at + 60_000;
            assert!(
                text(&site, host, listing, now).contains(path)
                    && !text(&site, host, listing, at - 60_000).contains(path)
            );
            assert!(text(&site, host, &format!("/section/{}", 31 % N_SECTIONS), now).contains(path));
        }
        let n_stories = |host| site.stories(host).len();
        assert!(n_stories(0) > 2 * n_stories(9), "{} and {}", n_stories(0), n_stories(9));
    }
}
