//! From a request to its answer.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use crate::answer::{TestResponse, gzip};
use crate::broad;
use crate::hostile;
use crate::log::unix_ms;
use crate::news;
use crate::page::{TestPageKind, encode};
use crate::site::{SPECIAL_INDEXED, SPECIAL_NEVER, TestSite};

/// When every page was last changed: 2024-05-01 00:00:00 UTC.
const MODIFIED: u64 = 1_714_521_600;

/// The parts of a request that the web looks at.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestParts {
    pub(crate) method: String,
    /// Path and query as sent.
    pub(crate) path: String,
    pub(crate) host: String,
    pub(crate) user_agent: String,
    pub(crate) accept_encoding: String,
    pub(crate) if_none_match: Option<String>,
    pub(crate) if_modified_since: Option<String>,
    pub(crate) cookie: bool,
    pub(crate) close: bool,
}

/// Answers one request.
pub(crate) fn answer(site: &TestSite, ask: &RequestParts) -> TestResponse {
    if ask.method != "GET" && ask.method != "HEAD" {
        return TestResponse::new(405, "text/plain", b"only GET and HEAD\n".to_vec());
    }
    if let Some(path) = ask.path.strip_prefix("/hostile/") {
        return hostile::answer(path, ask.cookie);
    }
    let Some(host) = site.host_number(&ask.host) else {
        return TestResponse::new(421, "text/plain", b"no such host on this web\n".to_vec());
    };
    let path = ask.path.split(['?', ';']).next().unwrap_or_default();
    if let Some(plan) = &site.config().news {
        return news::answer(site, plan, host, path, unix_ms());
    }
    if site.config().broad {
        return broad::answer(site, host, path);
    }
    if site.config().special
        && let Some(answer) = special(site, host, path)
    {
        return answer;
    }
    match page(site, host, path) {
        Some((html, kind, number)) => deliver(html, kind, number, ask),
        None if path == "/robots.txt" => TestResponse::new(200, "text/plain", robots(site, host).into_bytes()),
        None => TestResponse::new(404, "text/html", b"<h1>Not found</h1>".to_vec()),
    }
}

/// A page of the plan: its bytes, its kind, and a number that spreads the transfer forms over the pages.
fn page(site: &TestSite, host: usize, path: &str) -> Option<(Vec<u8>, TestPageKind, usize)> {
    if path == "/" {
        return Some((site.home_html(host).into_bytes(), TestPageKind::Article, 1));
    }
    let (folder, file) = path.strip_prefix('/')?.split_once('/')?;
    let number: usize = file.strip_suffix(".html")?.parse().ok()?;
    if folder == "s" {
        let known = (1..=site.n_lists()).contains(&number) && path == format!("/s/{number}.html");
        return known.then(|| (site.list_html(host, number).into_bytes(), TestPageKind::Article, number + 1));
    }
    if !(1..=site.config().n_pages).contains(&number) || site.page_path(number) != path {
        return None;
    }
    let kind = site.page_kind(number);
    Some((encode(site.page_html(host, number), kind), kind, number))
}

/// Sends a page in one of the transfer forms, or 304 when the client has it.
fn deliver(body: Vec<u8>, kind: TestPageKind, number: usize, ask: &RequestParts) -> TestResponse {
    let tag = format!(
        "W/\"{:016x}\"",
        body.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
    );
    let modified = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(MODIFIED));
    let fresh = match (&ask.if_none_match, &ask.if_modified_since) {
        (Some(known), _) => *known == tag,
        (None, Some(since)) => *since == modified,
        (None, None) => false,
    };
    if fresh {
        return TestResponse::bare(304, Vec::new()).with("ETag", tag).with("Last-Modified", modified);
    }
    // GBK and Big5 pages leave it to their `meta` every other time.
    let content_type = match kind {
        TestPageKind::Gbk | TestPageKind::Big5 if number.is_multiple_of(4) => "text/html".to_owned(),
        kind => format!("text/html; charset={}", kind.charset()),
    };
    let (coding, packed) = pack(body, number, &ask.accept_encoding);
    let mut answer = TestResponse::new(200, &content_type, packed).with("ETag", tag).with("Last-Modified", modified);
    if let Some(coding) = coding {
        answer = answer.with("Content-Encoding", coding).with("Vary", "Accept-Encoding");
    }
    if kind == TestPageKind::NoindexHeader {
        answer = answer.with("X-Robots-Tag", "noindex");
    }
    answer.chunked = number.is_multiple_of(3);
    answer
}

fn pack(body: Vec<u8>, number: usize, accept: &str) -> (Option<&'static str>, Vec<u8>) {
    let coding = ["", "gzip", "br", "zstd", "deflate", "gzip"][number % 6];
    let accepted = accept.split(',').any(|word| word.split(';').next().unwrap_or_default().trim() == coding);
    if coding.is_empty() || !accepted {
        return (None, body);
    }
    let packed = match coding {
        "gzip" => gzip(&body),
        "deflate" => {
            let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
            writer.write_all(&body).expect("a Vec takes all writes");
            writer.finish().expect("a Vec takes all writes")
        }
        "br" => {
            let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 14, 4, 18);
            writer.write_all(&body).expect("a Vec takes all writes");
            writer.into_inner()
        }
        _ => zstd::bulk::compress(&body, 1).expect("compression into a Vec of its own bound"),
    };
    (Some(coding), packed)
}

fn special(site: &TestSite, host: usize, path: &str) -> Option<TestResponse> {
    let next = (host + 1) % site.config().n_hosts;
    Some(match path {
        "/sitemap.xml" => xml(sitemap_index(site, host)),
        "/sitemap-pages.xml" => xml(sitemap(site, host, &["/", "/island/1.html", "/private/open.html"])),
        "/sitemap-more.xml.gz" => {
            TestResponse::new(200, "application/gzip", gzip(sitemap(site, host, &["/island/2.html"]).as_bytes()))
        }
        "/feed.xml" => TestResponse::new(200, "application/rss+xml; charset=utf-8", feed(site, host).into_bytes()),
        "/old/1" => TestResponse::redirect(301, "2"),
        "/old/2" => TestResponse::redirect(302, "/article/1.html"),
        "/away" => TestResponse::redirect(307, &site.url(next, "/article/1.html")),
        "/loop/a" => TestResponse::redirect(302, "/loop/b"),
        "/loop/b" => TestResponse::redirect(302, "/loop/a"),
        "/self" => TestResponse::redirect(301, "/self"),
        "/gone.html" => TestResponse::new(410, "text/html", b"<h1>Gone</h1>".to_vec()),
        "/disguised.html" => TestResponse::new(200, "text/html", hostile::png()),
        "/files/report.pdf" => hostile::answer("pdf", false),
        path if SPECIAL_INDEXED.contains(&path) || SPECIAL_NEVER.contains(&path) => {
            TestResponse::new(200, "text/html; charset=utf-8", site.special_html(host, path).into_bytes())
        }
        _ => return None,
    })
}

fn xml(body: String) -> TestResponse {
    TestResponse::new(200, "application/xml", body.into_bytes())
}

fn robots(site: &TestSite, host: usize) -> String {
    let mut text = "# Rules of the test web\nUser-agent: *\n".to_owned();
    if site.config().special {
        text.push_str("Disallow: /private/\nAllow: /private/open\n");
    }
    if let Some(seconds) = site.config().crawl_delay {
        let _ = writeln!(text, "Crawl-delay: {seconds}");
    }
    if site.config().special {
        let _ = write!(text, "\nUser-agent: badbot\nDisallow: /\n\nSitemap: {}\n", site.url(host, "/sitemap.xml"));
    }
    text
}

fn sitemap_index(site: &TestSite, host: usize) -> String {
    let parts = ["/sitemap-pages.xml", "/sitemap-more.xml.gz"]
        .map(|path| format!("<sitemap><loc>{}</loc></sitemap>\n", site.url(host, path)));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</sitemapindex>\n",
        parts.concat()
    )
}

fn sitemap(site: &TestSite, host: usize, paths: &[&str]) -> String {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
            .to_owned();
    for path in paths {
        let _ = writeln!(text, "<url><loc>{}</loc><lastmod>2024-05-01</lastmod></url>", site.url(host, path));
    }
    text.push_str("</urlset>\n");
    text
}

fn feed(site: &TestSite, host: usize) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>News of {}</title><link>{}</link>\n",
        site.host_name(host),
        site.url(host, "/")
    );
    for (path, title) in
        [("/news/1.html".to_owned(), "The latest news".to_owned()), (site.page_path(1), site.page_title(host, 1))]
    {
        let _ = writeln!(
            text,
            "<item><title>{title}</title><link>{}</link><pubDate>Wed, 01 May 2024 00:00:00 GMT</pubDate></item>",
            site.url(host, &path)
        );
    }
    text.push_str("</channel></rss>\n");
    text
}
