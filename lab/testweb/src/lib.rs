//! A small web to crawl: made from a seed, served on loopback, with a log of every request.
//!
//! The same seed always gives the same bytes, so a crawl's result can be compared with what it must be:
//!
//! ```
//! use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
//!
//! let site = TestSite::new(TestSiteConfig { n_hosts: 2, n_pages: 40, ..TestSiteConfig::default() });
//! let web = TestWeb::start(site).unwrap();
//! let resolve = web.resolve_map();          // for `fetch.resolve`: site0.test → 127.0.0.1:PORT
//! let seeds = web.site().seeds();           // http://site0.test/, http://site1.test/
//! // … crawl with `fetch.allow_private` and that map …
//! let must_be_found = web.site().expected().indexed;
//! # assert_eq!((resolve.len(), seeds.len()), (2, 2));
//! # assert!(must_be_found.len() > 80);
//! for entry in web.log() {
//!     println!("{} {}{} {}", entry.started_ms, entry.host, entry.path, entry.status);
//! }
//! ```
//!
//! # What stands on a host
//!
//! | Path | What | In [`ExpectedCrawl`] |
//! |---|---|---|
//! | `/`, `/s/K.html` | home page, lists of pages | indexed |
//! | `/article/N.html`, `/zh/N.html`, `/gbk/N.html`, `/big5/N.html`, `/product/N.html` | articles and products | indexed |
//! | `/copy/N.html` | near-duplicate of an earlier article | indexed |
//! | `/print/N.html` | `link rel=canonical` to an article that says the same | fetched, not indexed |
//! | `/internal/N.html`, `/quiet/N.html` | noindex by `meta`, by `X-Robots-Tag` | fetched, not indexed |
//! | `/private/open.html` | allowed by a longer robots.txt rule | indexed |
//! | `/private/closed.html` | disallowed | never fetched |
//! | `/dead-end.html` → `/hidden.html` | page with `meta nofollow`, and its only child | indexed; never |
//! | `/unvouched.html` | linked with `rel=nofollow` only | never |
//! | `/island/1.html`, `/island/2.html` | only in the sitemap; only in the gzip sitemap | indexed |
//! | `/news/1.html` | only in the feed that the home page names | indexed |
//! | `/old/1` → `/old/2` → `/article/1.html` | redirects 301, 302 | fetched, not indexed |
//! | `/away` | 307 to the next host's `/article/1.html` | fetched, not indexed |
//! | `/loop/a` ⇄ `/loop/b`, `/self` | endless redirects | fetched, not indexed |
//! | `/missing.html`, `/gone.html` | 404, 410 | fetched, not indexed |
//! | `/disguised.html` | a picture called `text/html` | fetched, not indexed |
//! | `/files/report.pdf` | PDF; a crawler may skip it by its name | not in the sets |
//! | `/robots.txt`, `/sitemap.xml`, `/sitemap-pages.xml`, `/sitemap-more.xml.gz`, `/feed.xml` | what they say | not in the sets |
//! | `/feed.xml`, `/news.xml`, `/section/K`, `/story/N` | instead of all this, with [`NewsConfig`]: stories that come while it is served | see `stories` |
//! | `/`, `/p/N.html`, `/r/N`, `/cal/N.html` | instead of all this, with `broad`: hosts of every size and temper | not in the sets |
//! | `/hostile/…` | see [`hostile`]; linked from home pages only with `link_hostile` | not in the sets |
//!
//! Links come relative and absolute, with `utm_…` and `;jsessionid=…` decorations that name the same page. Bodies come
//! plain, gzip, deflate, br and zstd by page and as the client accepts; some chunked. Pages carry `ETag` and
//! `Last-Modified` and answer 304. Hosts link to one another's home pages in a ring, and here and there to articles.
//!
//! # What the log says
//!
//! An entry begins when a request's header is complete and ends when the last byte of the answer is handed to the
//! kernel. So the server's `finished` is never later than the client's, and the pause that a client keeps is never
//! longer than the one seen here: `next.started - previous.finished >= delay` must hold for a polite client, which
//! [`shortest_pauses`] works out for each host.

pub mod answer;
mod broad;
mod hostile;
mod log;
mod news;
mod page;
mod rng;
mod route;
mod server;
mod site;
mod words;

pub use log::{LogEntry, shortest_pauses};
pub use news::NewsConfig;
pub use page::TestPageKind;
pub use server::TestWeb;
pub use site::{ExpectedCrawl, TestSite, TestSiteConfig};
