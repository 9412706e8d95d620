//! A broad web: hosts of every size that link to one another, some of them slow, failing or without end.
//!
//! | Path | What |
//! |---|---|
//! | `/`, `/p/N.html` | home page and articles; each links to ten of its host and three of others, popular ones most |
//! | `/r/N` | 301 to `/p/N.html`; one link in twenty leads over it |
//! | `/cal/N.html` | on one host of twenty: pages that say nothing and lead to the next, without end |
//! | `/sitemap.xml` | on one host of five: its first thousand pages |
//!
//! Of a hundred hosts three take .2 to 2 s for each answer, three answer 503, two hang up, and the home of three leads to another host.

use std::fmt::Write as _;
use std::time::Duration;

use crate::answer::{RawAction, TestResponse};
use crate::rng::Rng;
use crate::site::TestSite;
use crate::words::{self, PageLanguage};

/// Pages of the host that has most, and by what power of its rank others have less.
const LARGEST: f64 = 40_000.0;
const FALL: f64 = 0.8;
const OWN_LINKS: usize = 10;
const OTHER_LINKS: usize = 3;

/// How a host answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostTemper {
    Sound,
    Slow(Duration),
    Failing,
    Dead,
    Moved,
}

struct BroadHost<'a> {
    site: &'a TestSite,
    host: usize,
    n_pages: usize,
}

/// Answers a request for a host of the broad web. Costs one page, however large the web is.
pub(crate) fn answer(site: &TestSite, host: usize, path: &str) -> TestResponse {
    let own = BroadHost::new(site, host);
    match own.temper() {
        HostTemper::Dead => TestResponse::raw(vec![RawAction::Reset]),
        HostTemper::Failing => TestResponse::new(503, "text/html", b"<p>Come again.".to_vec()),
        HostTemper::Moved if path == "/" => TestResponse::redirect(301, &site.url(own.other(0), "/")),
        HostTemper::Slow(pause) => TestResponse { pause, ..own.answer(path) },
        _ => own.answer(path),
    }
}

impl<'a> BroadHost<'a> {
    fn new(site: &'a TestSite, host: usize) -> Self {
        let rank = 1.0 + host as f64;
        Self { site, host, n_pages: (LARGEST / rank.powf(FALL)) as usize + 2 }
    }

    fn rng(&self, page: usize, part: u64) -> Rng {
        Rng::of(&[self.site.config().seed, self.host as u64, page as u64, 90 + part])
    }

    fn temper(&self) -> HostTemper {
        let mut rng = self.rng(0, 0);
        match rng.below(100) {
            0..=2 => HostTemper::Slow(Duration::from_millis(200 + rng.below(1800) as u64)),
            3..=5 => HostTemper::Failing,
            6..=7 => HostTemper::Dead,
            8..=10 => HostTemper::Moved,
            _ => HostTemper::Sound,
        }
    }

    /// Another host, more often one with a small number, which has many pages.
    fn other(&self, draw: u64) -> usize {
        let (mut rng, n_hosts) = (self.rng(0, 100 + draw), self.site.config().n_hosts);
        let share = (rng.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (n_hosts as f64 * share.powi(2)) as usize % n_hosts
    }

    fn has_trap(&self) -> bool {
        self.host % 20 == 7
    }

    fn answer(&self, path: &str) -> TestResponse {
        let numbered =
            |folder: &str, end: &str| -> Option<usize> { path.strip_prefix(folder)?.strip_suffix(end)?.parse().ok() };
        let in_web = |page: &usize| (1..=self.n_pages).contains(page);
        if path == "/robots.txt" {
            return TestResponse::new(200, "text/plain", self.robots().into_bytes());
        }
        if path == "/sitemap.xml" && self.has_sitemap() {
            return TestResponse::new(200, "application/xml", self.sitemap().into_bytes());
        }
        if let Some(page) = numbered("/r/", "").filter(in_web) {
            return TestResponse::redirect(301, &format!("/p/{page}.html"));
        }
        let page = if path == "/" { Some(0) } else { numbered("/p/", ".html").filter(in_web) };
        let html = match (page, numbered("/cal/", ".html").filter(|_| self.has_trap())) {
            (Some(page), _) => self.page(page),
            (None, Some(month)) => self.calendar(month),
            (None, None) => return TestResponse::new(404, "text/html", b"<h1>Not found</h1>".to_vec()),
        };
        TestResponse::new(200, "text/html; charset=utf-8", html.into_bytes())
    }

    fn has_sitemap(&self) -> bool {
        self.host % 5 == 3
    }

    fn robots(&self) -> String {
        let mut text = "User-agent: *\nDisallow: /private/\n".to_owned();
        if self.has_sitemap() {
            let _ = writeln!(text, "Sitemap: {}", self.site.url(self.host, "/sitemap.xml"));
        }
        text
    }

    fn sitemap(&self) -> String {
        let mut text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        for page in 1..=self.n_pages.min(1000) {
            let _ = writeln!(text, "<url><loc>{}</loc></url>", self.site.url(self.host, &format!("/p/{page}.html")));
        }
        text.push_str("</urlset>\n");
        text
    }

    fn page(&self, page: usize) -> String {
        let mut rng = self.rng(page, 1);
        let language = if self.host % 7 == 5 { PageLanguage::Simplified } else { PageLanguage::English };
        let title = words::title(&mut rng, language);
        let mut html = format!(
            "<!doctype html><html lang={}><head><title>{title} - {}</title></head><body><nav><a href=\"/\">Home</a></nav>\
             <article><h1>{title}</h1>",
            language.tag(),
            self.site.host_name(self.host)
        );
        for _ in 0..self.site.config().n_paragraphs {
            let _ = write!(html, "<p>{}</p>", words::paragraph(&mut rng, language));
        }
        html.push_str("</article><ul class=more>");
        for n in 0..OWN_LINKS {
            let to = if n == 0 { page % self.n_pages + 1 } else { 1 + rng.below(self.n_pages) };
            let path = if rng.below(20) == 0 { format!("/r/{to}") } else { format!("/p/{to}.html") };
            let _ = write!(html, "<li><a href=\"{path}\">{}</a></li>", words::title(&mut rng, language));
        }
        for _ in 0..OTHER_LINKS {
            let to = self.other(rng.next());
            let _ = write!(html, "<li><a href=\"{}\">{}</a></li>", self.site.url(to, "/"), self.site.host_name(to));
        }
        if self.has_trap() {
            html.push_str("<li><a href=\"/cal/1.html\">Calendar</a></li>");
        }
        html.push_str("</ul></body></html>");
        html
    }

    fn calendar(&self, month: usize) -> String {
        format!("<!doctype html><title>Calendar</title><p>No events.</p><a href=\"/cal/{}.html\">Next</a>", month + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::TestSiteConfig;

    #[test]
    fn pages_lead_to_pages_that_are_there() {
        let site = TestSite::new(TestSiteConfig { n_hosts: 1000, broad: true, ..TestSiteConfig::default() });
        let sound = (0..1000).filter(|host| BroadHost::new(&site, *host).temper() == HostTemper::Sound);
        let (mut n_links, mut n_traps) = (0, 0);
        for host in sound.take(60) {
            let home = String::from_utf8(answer(&site, host, "/").body).unwrap();
            for path in home.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let status = match path.starts_with('/') {
                    true => answer(&site, host, path).status,
                    false => {
                        u16::from(site.host_number(path.trim_start_matches("http://").trim_end_matches('/')).is_some())
                            * 200
                    }
                };
                assert!(matches!(status, 200 | 301), "{path} of {host}: {status}");
                n_links += 1;
                n_traps += usize::from(path.starts_with("/cal/"));
            }
        }
        assert!(n_links > 600 && n_traps > 0, "{n_links} links, {n_traps} traps");
        assert_eq!(answer(&site, 0, "/p/1.html").body, answer(&site, 0, "/p/1.html").body);
    }
}
