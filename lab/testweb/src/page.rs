//! The bodies of pages: each a pure function of seed, host and page.

use std::fmt::Write;

use crate::rng::Rng;
use crate::site::{LIST_PAGES, TestSite};
use crate::words::{self, PageLanguage};

/// What a numbered page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TestPageKind {
    /// An English article.
    Article,
    /// A Chinese article in UTF-8.
    Chinese,
    /// A Chinese article in GBK.
    Gbk,
    /// A Chinese article in traditional characters, in Big5.
    Big5,
    /// A product with schema.org data.
    Product,
    /// The article of the nearest article page before it, with a sentence changed.
    Copy,
    /// The same article again, naming that page canonical.
    Print,
    /// An English article with `meta name=robots content=noindex`.
    NoindexMeta,
    /// An English article with `X-Robots-Tag: noindex`.
    NoindexHeader,
}

pub(crate) fn kind_of(site: &TestSite, page: usize) -> TestPageKind {
    if !site.config().special {
        return TestPageKind::Article;
    }
    match page % 20 {
        2 | 12 => TestPageKind::Chinese,
        4 => TestPageKind::Product,
        6 => TestPageKind::Gbk,
        8 => TestPageKind::Big5,
        10 => TestPageKind::Copy,
        14 => TestPageKind::Print,
        16 => TestPageKind::NoindexMeta,
        18 => TestPageKind::NoindexHeader,
        _ => TestPageKind::Article,
    }
}

impl TestPageKind {
    /// Name of the character set that the page is sent in.
    pub(crate) fn charset(self) -> &'static str {
        match self {
            TestPageKind::Gbk => "gbk",
            TestPageKind::Big5 => "big5",
            _ => "utf-8",
        }
    }

    pub(crate) fn language(self) -> PageLanguage {
        match self {
            TestPageKind::Chinese | TestPageKind::Gbk => PageLanguage::Simplified,
            TestPageKind::Big5 => PageLanguage::Traditional,
            _ => PageLanguage::English,
        }
    }
}

impl TestSite {
    /// The title of a numbered page: its `h1`, and the anchor text of the links to it.
    pub fn page_title(&self, host: usize, page: usize) -> String {
        let page = self.source_page(page);
        let mut rng = self.rng(host, page, 1);
        match kind_of(self, page) {
            TestPageKind::Product => format!("{} No. {page}", words::product(&mut rng)),
            kind => words::title(&mut rng, kind.language()),
        }
    }

    /// The paragraphs of a numbered page's main text, its [unique word](Site::unique_word) in the last one.
    pub fn main_text(&self, host: usize, page: usize) -> Vec<String> {
        let source = self.source_page(page);
        let language = kind_of(self, source).language();
        let mut rng = self.rng(host, source, 2);
        let n_paragraphs = self.config().n_paragraphs.max(1);
        let mut paragraphs: Vec<String> = (0..n_paragraphs).map(|_| words::paragraph(&mut rng, language)).collect();
        let word = self.unique_word(host, page);
        let last = match language {
            PageLanguage::English => format!("The reference of this page is {word}."),
            PageLanguage::Simplified => format!("本文编号为 {word}。"),
            PageLanguage::Traditional => format!("本文編號為 {word}。"),
        };
        paragraphs.push(last);
        paragraphs
    }

    /// A word that stands on this page of the whole web and on no other; for `/print/` pages, also on their original.
    pub fn unique_word(&self, host: usize, page: usize) -> String {
        let page = if kind_of(self, page) == TestPageKind::Print { self.source_page(page) } else { page };
        let letters =
            |n: usize| n.to_string().bytes().map(|digit| char::from(b'a' + (digit - b'0'))).collect::<String>();
        format!("ref{}q{}", letters(host), letters(page))
    }

    /// The page whose text a copy repeats; itself for all others. Page 9 and 13 of twenty are articles.
    fn source_page(&self, page: usize) -> usize {
        match kind_of(self, page) {
            TestPageKind::Copy | TestPageKind::Print => page - 1,
            _ => page,
        }
    }

    fn rng(&self, host: usize, page: usize, part: u64) -> Rng {
        Rng::of(&[self.config().seed, host as u64, page as u64, part])
    }

    /// The HTML of a numbered page, before its character set is applied.
    pub(crate) fn page_html(&self, host: usize, page: usize) -> String {
        let kind = kind_of(self, page);
        let title = self.page_title(host, page);
        let mut head = format!("<meta charset=\"{}\">\n", kind.charset());
        if kind == TestPageKind::NoindexMeta {
            head.push_str("<meta name=\"robots\" content=\"noindex, follow\">\n");
        }
        if kind == TestPageKind::Print {
            let source = self.page_path(self.source_page(page));
            let _ = writeln!(head, "<link rel=\"canonical\" href=\"{}\">", self.url(host, &source));
        }
        let mut rng = self.rng(host, page, 3);
        let author = words::person(&mut rng);
        let date = format!("20{:02}-{:02}-{:02}", 10 + rng.below(15), 1 + rng.below(12), 1 + rng.below(28));
        let body = if kind == TestPageKind::Product {
            self.product(host, page, &title, &mut head)
        } else {
            self.article(host, page, (&title, &author, &date), &mut head)
        };
        self.frame(host, kind.language(), &title, &head, &format!("{body}{}", self.related(host, page)))
    }

    fn article(
        &self,
        host: usize,
        page: usize,
        (title, author, date): (&str, &str, &str),
        head: &mut String,
    ) -> String {
        let _ = write!(
            head,
            "<meta name=\"author\" content=\"{author}\">\n<meta property=\"og:type\" content=\"article\">\n\
             <meta property=\"og:title\" content=\"{title}\">\n\
             <meta property=\"article:published_time\" content=\"{date}T08:30:00+00:00\">\n",
        );
        let mut body = format!(
            "<article>\n<h1>{title}</h1>\n<p class=\"byline\">{author}, <time datetime=\"{date}\">{date}</time></p>\n"
        );
        for paragraph in self.main_text(host, page) {
            let _ = writeln!(body, "<p>{paragraph}</p>");
        }
        body.push_str("</article>\n");
        body
    }

    fn product(&self, host: usize, page: usize, title: &str, head: &mut String) -> String {
        let mut rng = self.rng(host, page, 4);
        let price = format!("{}.{:02}", 5 + rng.below(400), rng.below(100));
        let weight = 100 + rng.below(4000);
        let brand = words::person(&mut rng);
        let word = self.unique_word(host, page);
        let _ = writeln!(
            head,
            "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\
             \"name\":\"{title}\",\"sku\":\"{word}\",\"brand\":{{\"@type\":\"Brand\",\"name\":\"{brand}\"}},\
             \"offers\":{{\"@type\":\"Offer\",\"price\":\"{price}\",\"priceCurrency\":\"EUR\"}}}}</script>"
        );
        let text = words::paragraph(&mut rng, PageLanguage::English);
        format!(
            "<main class=\"product\"><h1>{title}</h1>\n<p class=\"price\">{price} EUR</p>\n<p>{text}</p>\n\
             <table class=\"attributes\">\n<tr><th>Brand</th><td>{brand}</td></tr>\n<tr><th>Weight</th><td>{weight} g</td></tr>\n\
             <tr><th>Reference</th><td>{word}</td></tr>\n</table></main>\n"
        )
    }

    /// Links to other pages: the next one, and three that hang on chance, in every spelling.
    fn related(&self, host: usize, page: usize) -> String {
        let mut rng = self.rng(host, page, 5);
        let n_pages = self.config().n_pages;
        let mut html = "<ul class=\"related\">\n".to_owned();
        for way in 0..4 {
            let target = if way == 0 { page % n_pages + 1 } else { 1 + rng.below(n_pages) };
            let path = self.page_path(target);
            let href = match way {
                0 => format!("..{path}"),
                1 => path,
                2 => format!("{path}?utm_source=related&amp;utm_medium=list#top"),
                _ => self.url(host, &path),
            };
            let _ = writeln!(html, "<li><a href=\"{href}\">{}</a></li>", self.anchor_text(host, target));
        }
        if page.is_multiple_of(7) {
            let other = (host + 1) % self.config().n_hosts;
            let _ = writeln!(
                html,
                "<li><a href=\"{}\">{}</a></li>",
                self.url(other, &self.page_path(1)),
                self.anchor_text(other, 1)
            );
        }
        html.push_str("</ul>\n");
        html
    }

    fn anchor_text(&self, host: usize, page: usize) -> String {
        self.page_title(host, page)
    }

    /// The home page, which leads to everything.
    pub(crate) fn home_html(&self, host: usize) -> String {
        let mut head = "<meta charset=\"utf-8\">\n".to_owned();
        let mut body = "<main>\n<h1>Front page</h1>\n<ul class=\"headlines\">\n".to_owned();
        for page in 1..=self.config().n_pages.min(12) {
            let _ =
                writeln!(body, "<li><a href=\"{}\">{}</a></li>", self.page_path(page), self.anchor_text(host, page));
        }
        body.push_str("</ul>\n<ul class=\"sections\">\n");
        for list in 1..=self.n_lists() {
            let _ = writeln!(body, "<li><a href=\"/s/{list}.html\">All pages, part {list}</a></li>");
        }
        body.push_str("</ul>\n");
        if self.config().n_hosts > 1 {
            let next = (host + 1) % self.config().n_hosts;
            let _ = writeln!(
                body,
                "<p>Our neighbour: <a href=\"{}\">{}</a></p>",
                self.url(next, "/"),
                self.host_name(next)
            );
        }
        if self.config().special {
            head.push_str("<link rel=\"alternate\" type=\"application/rss+xml\" title=\"News\" href=\"/feed.xml\">\n");
            body.push_str(&self.special_links());
        }
        if self.config().link_hostile {
            body.push_str(&crate::hostile::links());
        }
        body.push_str("</main>\n");
        self.frame(host, PageLanguage::English, "Front page", &head, &body)
    }

    fn special_links(&self) -> String {
        let mut html = "<ul class=\"more\">\n".to_owned();
        for (path, text) in [
            ("/private/open.html", "An open room of the private wing"),
            ("/private/closed.html", "The closed room"),
            ("/dead-end.html", "A page that leads nowhere"),
            ("/old/1", "The old address"),
            ("/away", "A page of our neighbour"),
            ("/loop/a", "Round and round"),
            ("/self", "Here again"),
            ("/missing.html", "Lost page"),
            ("/gone.html", "Removed page"),
            ("/disguised.html", "A picture in disguise"),
            ("/files/report.pdf", "The report as a file"),
            ("/article/1.html;jsessionid=5C1B2A7E90D34F6688AA0E1B2C3D4E5F", "The first page in a session"),
        ] {
            let _ = writeln!(html, "<li><a href=\"{path}\">{text}</a></li>");
        }
        html.push_str("<li><a rel=\"nofollow\" href=\"/unvouched.html\">Something unvouched</a></li>\n</ul>\n");
        html
    }

    /// A list of pages.
    pub(crate) fn list_html(&self, host: usize, list: usize) -> String {
        let first = (list - 1) * LIST_PAGES + 1;
        let mut body = format!("<main>\n<h1>All pages, part {list}</h1>\n<ol>\n");
        for page in first..(first + LIST_PAGES).min(self.config().n_pages + 1) {
            let _ =
                writeln!(body, "<li><a href=\"..{}\">{}</a></li>", self.page_path(page), self.anchor_text(host, page));
        }
        body.push_str("</ol>\n</main>\n");
        self.frame(host, PageLanguage::English, &format!("All pages, part {list}"), "<meta charset=\"utf-8\">\n", &body)
    }

    /// A special page: an article of its own under a path of its own.
    pub(crate) fn special_html(&self, host: usize, path: &str) -> String {
        let number = path.bytes().fold(1_000_003u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let mut rng = Rng::of(&[self.config().seed, host as u64, number]);
        let title = words::title(&mut rng, PageLanguage::English);
        let mut body = format!("<article>\n<h1>{title}</h1>\n");
        for _ in 0..self.config().n_paragraphs.max(1) {
            let _ = writeln!(body, "<p>{}</p>", words::paragraph(&mut rng, PageLanguage::English));
        }
        body.push_str("</article>\n");
        let mut head = "<meta charset=\"utf-8\">\n".to_owned();
        if path == "/dead-end.html" {
            head.push_str("<meta name=\"robots\" content=\"nofollow\">\n");
            body.push_str("<p><a href=\"/hidden.html\">Behind the curtain</a></p>\n");
        }
        self.frame(host, PageLanguage::English, &title, &head, &body)
    }

    /// What all pages of a host share: the boilerplate that an extractor has to tell from the text.
    fn frame(&self, host: usize, language: PageLanguage, title: &str, head: &str, body: &str) -> String {
        let name = self.host_name(host);
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n{head}<title>{title} | {name}</title>\n\
             <style>body {{ margin: 2em }} .related a::before {{ content: \"<a href='/style-is-no-link'>\" }}</style>\n\
             <script>document.write(\"<a href='/script-is-no-link'>\");</script>\n</head>\n<body>\n\
             <!-- <a href=\"/comment-is-no-link\"> -->\n\
             <nav><a href=\"/\">Home</a> <a href=\"#main\">Skip</a> <a href=\"mailto:desk@{name}\">Contact</a></nav>\n\
             {body}<footer><p>All rights reserved. {name} is made up.</p></footer>\n</body>\n</html>\n",
            language.tag()
        )
    }
}

/// Puts a page into its character set, as the server sends it.
pub(crate) fn encode(html: String, kind: TestPageKind) -> Vec<u8> {
    let encoding = match kind {
        TestPageKind::Gbk => encoding_rs::GBK,
        TestPageKind::Big5 => encoding_rs::BIG5,
        _ => return html.into_bytes(),
    };
    encoding.encode(&html).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::TestSiteConfig;

    #[test]
    fn a_page_depends_on_seed_host_and_page_alone() {
        let site = TestSite::new(TestSiteConfig::default());
        let larger = TestSite::new(TestSiteConfig {
            n_hosts: 9,
            delay: std::time::Duration::from_secs(1),
            ..TestSiteConfig::default()
        });
        assert_eq!(site.main_text(1, 5), larger.main_text(1, 5));
        assert_eq!(site.page_html(2, 6), TestSite::new(TestSiteConfig::default()).page_html(2, 6));
        let other = TestSite::new(TestSiteConfig { seed: 2, ..TestSiteConfig::default() });
        assert_ne!(site.main_text(1, 5), other.main_text(1, 5));
        assert_ne!(site.main_text(1, 5), site.main_text(0, 5));
    }

    #[test]
    fn unique_words_are_unique_over_the_web() {
        let site = TestSite::new(TestSiteConfig { n_hosts: 12, n_pages: 40, ..TestSiteConfig::default() });
        let mut seen = std::collections::HashSet::new();
        for host in 0..12 {
            for page in (1..=40).filter(|page| site.page_kind(*page) != TestPageKind::Print) {
                assert!(seen.insert(site.unique_word(host, page)));
            }
        }
    }

    #[test]
    fn the_text_of_a_page_survives_its_character_set() {
        let site = TestSite::new(TestSiteConfig::default());
        for page in 1..=60 {
            let kind = site.page_kind(page);
            let bytes = encode(site.page_html(0, page), kind);
            let encoding = encoding_rs::Encoding::for_label(kind.charset().as_bytes()).unwrap();
            let (decoded, _, broken) = encoding.decode(&bytes);
            assert!(!broken && decoded.contains(&site.page_title(0, page)), "page {page}, {kind:?}");
            for paragraph in site.main_text(0, page).iter().filter(|_| kind != TestPageKind::Product) {
                assert!(decoded.contains(paragraph), "page {page}, {kind:?}: {paragraph}");
            }
        }
    }

    #[test]
    fn a_copy_differs_from_its_original_in_little() {
        let site = TestSite::new(TestSiteConfig::default());
        let (original, copy) = (site.main_text(0, 9), site.main_text(0, 10));
        assert_eq!(original[..original.len() - 1], copy[..copy.len() - 1]);
        assert_ne!(original.last(), copy.last());
    }
}
