//! From what a body points at to link records, each link once.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};

use encoding_rs::{Encoding, UTF_8};
use gristmill_fetch::{PageLinks, decode_entities, scan};
use gristmill_log::ProducerRecord;
use gristmill_proto::{FetchKind, FetchOrder, LinkSource, Outlink, OutlinkBatch, encode, topics};
use gristmill_robots::{ListingLimits, SitemapEntry, parse_feed, parse_sitemap};
use gristmill_urls::{CanonicalUrl, UrlKey, join};
use url::Url;

use crate::novelty::NewLinkTargets;

/// Links in one message at most, so that a sitemap of 50 000 entries does not make one record of megabytes.
const MAX_LINKS_IN_RECORD: usize = 1_000;

/// Bytes of URLs and anchor texts in one message, about: long ones must not make a record that the log refuses.
const MAX_BYTES_IN_RECORD: usize = 128 << 10;

/// What is remembered of a link that was reported: URL key and whether as a home page's anchor, and its depth.
pub(crate) type Reported = ((u64, bool), u16);

/// Links that were reported lately. The navigation of a site stands on each of its pages; reporting it to the
/// scheduler once is enough, and what is forgotten here is merely reported again.
///
/// Enough for as long as the scope stays: the scheduler keeps nothing of a link that leads elsewhere. When a seed or its
/// redirect opens that place, its own pages have to report it again. So each origin is remembered
/// apart, and forgotten when one of the origin's pages is fetched as a seed.
pub(crate) struct RecentLinks {
    links: Mutex<ByOrigin>,
    capacity: usize,
}

#[derive(Default)]
struct ByOrigin {
    /// Origin of the page that has the link → URL key and source class → smallest depth reported.
    by_origin: HashMap<u64, HashMap<(u64, bool), u16>>,
    /// Links of all origins.
    len: usize,
}

/// A link that passes [`RecentLinks`], with what to remember once it is in the log.
pub(crate) struct NewOutlink {
    link: Outlink,
    domain: String,
    key: UrlKey,
}

impl NewOutlink {
    pub(crate) fn key(&self) -> UrlKey {
        self.key
    }

    fn reported(&self) -> Reported {
        // A home page's anchor text is news even for a known URL.
        // And so is a later date of its change.
        let key = self.key.low() ^ self.link.modified_at.unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((key, self.link.source == LinkSource::HomeAnchor), self.link.depth)
    }
}

impl RecentLinks {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { links: Mutex::new(ByOrigin::default()), capacity }
    }

    fn lock(&self) -> MutexGuard<'_, ByOrigin> {
        self.links.lock().expect("no code panics while it holds this lock")
    }

    /// Drops the links that pages of `own`'s origin reported already at this depth or less.
    ///
    /// * `is_seed`: the page may have opened its place in the scope, so what the origin reported before counts no more.
    pub(crate) fn filter(&self, own: &CanonicalUrl, is_seed: bool, found: &mut Vec<NewOutlink>) {
        let mut links = self.lock();
        if is_seed {
            let forgotten = links.by_origin.remove(&origin_key(own));
            links.len -= forgotten.map_or(0, |links| links.len());
        }
        let Some(known) = links.by_origin.get(&origin_key(own)) else { return };
        found.retain(|found| {
            let (key, depth) = found.reported();
            known.get(&key).is_none_or(|least| *least > depth)
        });
    }

    /// Remembers links of `own` that are now in the log; before that a crash could lose what another page relies on.
    pub(crate) fn remember(&self, own: &CanonicalUrl, reported: Vec<Reported>) {
        let mut links = self.lock();
        if links.len + reported.len() > self.capacity {
            *links = ByOrigin::default();
        }
        let known = links.by_origin.entry(origin_key(own)).or_default();
        let before = known.len();
        known.extend(reported);
        let added = known.len() - before;
        links.len += added;
    }
}

fn origin_key(url: &CanonicalUrl) -> u64 {
    UrlKey::of(url.origin()).low()
}

/// Collects links by canonical URL: the first place of a URL counts, the longest anchor text stays.
pub(crate) struct OutlinkCollector {
    depth: u16,
    found: Vec<NewOutlink>,
    index: HashMap<UrlKey, usize>,
    /// In which the page escapes its queries.
    charset: &'static Encoding,
}

impl OutlinkCollector {
    pub(crate) fn new(order: &FetchOrder) -> Self {
        Self { depth: order.depth.saturating_add(1), found: Vec::new(), index: HashMap::new(), charset: UTF_8 }
    }

    /// Lets a page be in the charset of that name (Encoding Standard).
    pub(crate) fn in_charset(self, charset: &str) -> Self {
        let charset = Encoding::for_label(charset.as_bytes()).map_or(UTF_8, Encoding::output_encoding);
        Self { charset, ..self }
    }

    fn parse(&self, href: &str, base: &Url) -> Option<CanonicalUrl> {
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|query| self.charset.encode(query).0;
        let is_foreign = self.charset != UTF_8 && !href.is_ascii();
        CanonicalUrl::parse_as(href, base, if is_foreign { Some(encode) } else { None }).ok()
    }

    fn add(&mut self, url: &CanonicalUrl, link: Outlink) {
        let key = url.key();
        match self.index.get(&key) {
            Some(at) => {
                let known = &mut self.found[*at].link;
                let length = |anchor: &Option<String>| anchor.as_ref().map_or(0, String::len);
                if length(&link.anchor) > length(&known.anchor) {
                    known.anchor = link.anchor;
                }
            }
            None => {
                self.index.insert(key, self.found.len());
                self.found.push(NewOutlink { link, domain: url.registrable_domain().to_owned(), key });
            }
        }
    }

    fn link(&self, url: &CanonicalUrl, kind: FetchKind, source: LinkSource) -> Outlink {
        let url = url.as_str().to_owned();
        Outlink { url, kind, source, depth: self.depth, hops: 0, anchor: None, modified_at: None }
    }

    /// How many links to follow a page asks to leave alone: all, where it says `nofollow` of itself.
    pub(crate) fn n_nofollow(links: &PageLinks) -> usize {
        if links.nofollow {
            links.anchors.len()
        } else {
            links.anchors.iter().filter(|anchor| anchor.rel.nofollow).count()
        }
    }

    /// Anchors, frames, canonical link, feeds and sitemaps of a page. `own` is the page's own URL.
    pub(crate) fn page(mut self, links: &PageLinks, own: &CanonicalUrl, follow_nofollow: bool) -> Vec<NewOutlink> {
        let Some(base) = links.base.as_ref() else { return Vec::new() };
        for href in &links.canonicals {
            let Some(canonical) = self.parse(href, base) else { continue };
            let mut link = self.link(&canonical, FetchKind::Page, LinkSource::Canonical);
            link.depth -= 1;
            self.add(&canonical, link);
        }
        if links.nofollow && !follow_nofollow {
            return self.done(own);
        }
        // First, since a home page often links its feed as an anchor too, and the first place of a URL decides.
        if own.is_home() {
            let feeds = links.feeds.iter().map(|feed| (&feed.href, FetchKind::Feed, LinkSource::Feed));
            let sitemaps = links.sitemaps.iter().map(|href| (href, FetchKind::Sitemap, LinkSource::Sitemap));
            for (href, kind, source) in feeds.chain(sitemaps) {
                if let Some(url) = self.parse(href, base) {
                    let mut link = self.link(&url, kind, source);
                    if kind == FetchKind::Sitemap {
                        link.depth = 0;
                    }
                    self.add(&url, link);
                }
            }
        }
        // Only a site's own home page knows the titles of its articles.
        let source = |url: &CanonicalUrl| {
            let own_site = own.is_home() && url.registrable_domain() == own.registrable_domain();
            if own_site { LinkSource::HomeAnchor } else { LinkSource::Anchor }
        };
        for anchor in &links.anchors {
            if anchor.rel.nofollow && !follow_nofollow {
                continue;
            }
            if let Some(url) = self.parse(&anchor.href, base) {
                let text = anchor.text.trim();
                // A link to a part of a page names the part, not the page.
                let names_page = !text.is_empty() && !anchor.href.contains('#');
                let anchor = names_page.then(|| text.to_owned());
                let link = Outlink { anchor, ..self.link(&url, FetchKind::Page, source(&url)) };
                self.add(&url, link);
            }
        }
        let refresh = links.refresh.iter().map(|refresh| &refresh.target);
        for href in links.frames.iter().chain(&links.related).chain(refresh) {
            if let Some(url) = self.parse(href, base) {
                let link = self.link(&url, FetchKind::Page, LinkSource::Anchor);
                self.add(&url, link);
            }
        }
        self.done(own)
    }

    /// Entries of a sitemap or feed, and whether there are more of them than `max_entries`.
    pub(crate) fn listing(
        mut self,
        kind: FetchKind,
        text: &str,
        own: &CanonicalUrl,
        max_entries: usize,
    ) -> (Vec<NewOutlink>, bool) {
        // The client has cut the body already.
        let limits = ListingLimits { max_entries, max_bytes: usize::MAX };
        let (entries, older, is_cut, source) = match kind {
            FetchKind::Feed => {
                let feed = parse_feed(text, &limits);
                (feed.entries, feed.older, feed.truncated, LinkSource::Feed)
            }
            _ => {
                let sitemap = parse_sitemap(text, &limits);
                (sitemap.entries, None, sitemap.truncated, LinkSource::Sitemap)
            }
        };
        let is_full = is_cut && entries.len() >= max_entries;
        let own_url = own.to_url();
        for SitemapEntry { loc, lastmod, title, news, is_sitemap, base, .. } in entries {
            // What a news sitemap lists is as fresh as a feed's entries.
            let source = if news { LinkSource::Feed } else { source };
            let base = base.and_then(|base| join(&base, Some(&own_url)).ok());
            let Some(url) = self.parse(&with_scheme(loc, own), base.as_ref().unwrap_or(&own_url)) else { continue };
            let target = if is_sitemap { FetchKind::Sitemap } else { FetchKind::Page };
            let modified_at = lastmod.and_then(|seconds| u64::try_from(seconds).ok()).map(|seconds| seconds * 1000);
            let anchor = title.map(|title| words_of_title(&title));
            let mut link = Outlink { anchor, modified_at, ..self.link(&url, target, source) };
            // Of a sitemap, the depth counts the indexes around it; its pages are as near as the links of a seed.
            if kind == FetchKind::Sitemap && target == FetchKind::Page {
                link.depth = 1;
            }
            // A feed that is given as a start stands for its entries, wherever they are.
            if kind == FetchKind::Feed && self.depth == 1 {
                link.depth = 0;
            }
            self.add(&url, link);
        }
        if let Some(url) = older.and_then(|older| self.parse(&older, &own_url)) {
            let link = self.link(&url, FetchKind::Feed, LinkSource::Feed);
            self.add(&url, link);
        }
        (self.done(own), is_full)
    }

    fn done(self, own: &CanonicalUrl) -> Vec<NewOutlink> {
        let own = own.key();
        self.found.into_iter().filter(|found| found.key != own).collect()
    }
}

/// An address of a listing that begins with the listing's own host is no path, but lacks its scheme.
fn with_scheme(loc: String, own: &CanonicalUrl) -> String {
    let rest = loc.strip_prefix(own.authority());
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) { format!("//{loc}") } else { loc }
}

/// The words of a title in a listing, where some write text and others HTML: a reference stands for its character, and tags are
/// none of the words where an element ends. One that only begins may be what the title is about.
fn words_of_title(title: &str) -> String {
    if title.contains("</")
        && let Some(link) = scan(&format!("<a href=/>{title}</a>"), "http://title.invalid/").anchors.pop()
    {
        return link.text;
    }
    decode_entities(title, false).into_owned()
}

/// Whether a page has new links, all of which differ from its own address in numbers and values alone, or stay in its folder.
fn only_leads_on(own: &CanonicalUrl, found: &[NewOutlink]) -> bool {
    let folder = &own.path()[..=own.path().rfind('/').unwrap_or(0)];
    let stays = |url: &str| {
        let path = url.strip_prefix(own.origin()).and_then(|path| path.strip_prefix(folder));
        folder.len() > 1 && path.is_some()
    };
    let is_alike = |found: &NewOutlink| shape(&found.link.url).eq(shape(own.as_str())) || stays(&found.link.url);
    !found.is_empty() && found.iter().all(is_alike)
}

/// Where the links of a page lead that are new.
pub(crate) fn new_links(own: &CanonicalUrl, found: &[NewOutlink]) -> NewLinkTargets {
    // Filters, and days of a calendar, are without end and have titles of their own, too.
    let is_day = |run: &str| matches!((run.len(), run.get(..2)), (4, Some("19" | "20")) | (8, _));
    let mut numbers = own.path().split(|character: char| !character.is_ascii_digit());
    match found {
        [] if own.query().is_none() && !numbers.any(is_day) => NewLinkTargets::Nowhere,
        _ if only_leads_on(own, found) => NewLinkTargets::On,
        _ => NewLinkTargets::Elsewhere,
    }
}

/// An address without its numbers and its query.
fn shape(url: &str) -> impl Iterator<Item = u8> {
    let path = url.split('?').next().unwrap_or_default();
    path.bytes().filter(|byte| !byte.is_ascii_digit() && *byte != b'/')
}

/// Link records, each for one registrable domain, and what to remember once they are in the log.
pub(crate) fn records(from: &str, found_at: u64, found: Vec<NewOutlink>) -> (Vec<ProducerRecord>, Vec<Reported>) {
    let reported = found.iter().map(NewOutlink::reported).collect();
    let mut by_domain: BTreeMap<String, Vec<Outlink>> = BTreeMap::new();
    for NewOutlink { link, domain, .. } in found {
        by_domain.entry(domain).or_default().push(link);
    }
    let mut records = Vec::new();
    for (domain, links) in by_domain {
        for links in portions(links) {
            let message = OutlinkBatch { from: from.to_owned(), found_at, links };
            records.push(ProducerRecord { topic: topics::LINKS, key: domain.clone(), payload: encode(&message) });
        }
    }
    (records, reported)
}

/// Cuts links into runs that fit into a record each.
fn portions(links: Vec<Outlink>) -> Vec<Vec<Outlink>> {
    let (mut portions, mut portion, mut bytes) = (Vec::new(), Vec::new(), 0);
    for link in links {
        let size = link.url.len() + link.anchor.as_ref().map_or(0, String::len);
        let full = portion.len() >= MAX_LINKS_IN_RECORD || bytes + size > MAX_BYTES_IN_RECORD;
        if full && !portion.is_empty() {
            portions.push(std::mem::take(&mut portion));
            bytes = 0;
        }
        bytes += size;
        portion.push(link);
    }
    portions.push(portion);
    portions
}

#[cfg(test)]
pub(crate) mod tests {
    use gristmill_fetch::scan;
    use gristmill_proto::decode;

    use super::*;

    pub(crate) fn order(url: &str) -> FetchOrder {
        FetchOrder {
            id: 1,
            url: url.into(),
            kind: FetchKind::Page,
            robots_for: None,
            depth: 3,
            hops: 0,
            attempt: 0,
            anchor_title: None,
            etag: None,
            last_modified: None,
            known: false,
            ordered_at: 0,
            pause: 0,
            ip_pause: 0,
            epoch: 0,
            tdm_reserved: None,
            tdm_policy: None,
            usage: None,
            cookies: Vec::new(),
        }
    }

    fn page(url: &str, html: &str) -> Vec<Outlink> {
        let own = CanonicalUrl::parse(url, None).unwrap();
        let found = OutlinkCollector::new(&order(url)).page(&scan(html, url), &own, false);
        found.into_iter().map(|found| found.link).collect()
    }

    #[test]
    fn links_that_differ_in_numbers_and_values_alone_only_lead_on() {
        let leads_on = |url: &str, html: &str| {
            let own = CanonicalUrl::parse(url, None).unwrap();
            only_leads_on(&own, &OutlinkCollector::new(&order(url)).page(&scan(html, url), &own, false))
        };
        assert!(leads_on("http://n.example/2031/05/", "<a href=/2031/06/>next</a><a href=/2031/04/>before</a>"));
        assert!(leads_on("http://n.example/cal?m=5", "<a href='?m=6'>next</a>"));
        assert!(!leads_on("http://n.example/list?page=5", "<a href='?page=6'>next</a><a href=/item/7>item</a>"));
        assert!(!leads_on("http://n.example/cal?m=5", "<p>the end"));
        assert!(leads_on(
            "http://n.example/tag/rye",
            "<a href=/tag/rye+oats>and oats</a><a href=/tag/rye/bread>bread</a>"
        ));
        assert!(!leads_on("http://n.example/rye", "<a href=/oats>and oats</a>"), "the root is no folder");
    }

    #[test]
    fn the_title_of_an_entry_is_text_or_html() {
        for (title, words) in [
            ("Tom &amp; Jerry", "Tom & Jerry"),
            ("It&#8217;s late&nbsp;now", "It’s late\u{a0}now"),
            ("<em>Deep</em> water<br/> &amp; more", "Deep water & more"),
            ("Why 3 < 5 holds, R&D", "Why 3 < 5 holds, R&D"),
            ("Using <canvas> well", "Using <canvas> well"),
        ] {
            assert_eq!(words_of_title(title), words);
        }
    }

    #[test]
    fn a_url_linked_twice_is_one_link_with_its_longest_words() {
        let html = "<a href=/a>A</a><a href='/a?utm_source=x'>A storm</a><a href=/>home</a>";
        let links = page("http://n.example/list", html);
        assert_eq!(links.len(), 2);
        assert_eq!((links[0].url.as_str(), links[0].anchor.as_deref()), ("http://n.example/a", Some("A storm")));
        assert_eq!((links[0].depth, links[0].source), (4, LinkSource::Anchor));
    }

    #[test]
    fn the_words_of_a_link_into_a_page_are_not_its_title() {
        let links = page("http://n.example/", "<a href=/a#s3>Section three</a><a href=/a>All of it</a>");
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].anchor.as_deref(), Some("All of it"));
    }

    #[test]
    fn anchors_of_a_home_page_are_marked_and_its_feeds_taken() {
        let html = "<link rel=alternate type=application/rss+xml href=/feed.xml>\
                    <a href=/a>Storm hits coast</a><a href=/feed.xml>RSS</a>";
        let links = page("http://n.example/", html);
        assert_eq!((links[0].kind, links[0].url.as_str()), (FetchKind::Feed, "http://n.example/feed.xml"));
        assert_eq!(links[1].source, LinkSource::HomeAnchor);
        assert_eq!(links.len(), 2);
        assert!(page("http://n.example/other", html).iter().all(|link| link.kind == FetchKind::Page));
    }

    #[test]
    fn nofollow_is_obeyed_for_a_link_and_for_a_page() {
        let links = page("http://n.example/x", "<a rel=nofollow href=/a>a</a><a href=/b>b</a>");
        assert_eq!(links.len(), 1);
        let html = "<meta name=robots content=nofollow><link rel=canonical href=/c><a href=/b>b</a>";
        let links = page("http://n.example/x", html);
        assert_eq!(links.len(), 1, "the canonical link is no recommendation but an address");
        assert_eq!((links[0].source, links[0].depth), (LinkSource::Canonical, 3));
    }

    #[test]
    fn pages_of_a_sitemap_are_one_link_deep_and_sitemaps_know_how_many_indexes_are_around_them() {
        let own = CanonicalUrl::parse("http://n.example/s.xml", None).unwrap();
        let order = FetchOrder { depth: 3, kind: FetchKind::Sitemap, ..order(own.as_str()) };
        let depths = |kind, text: &str| -> Vec<u16> {
            let (found, _) = OutlinkCollector::new(&order).listing(kind, text, &own, 10);
            found.iter().map(|found| found.link.depth).collect()
        };
        assert_eq!(depths(FetchKind::Sitemap, "<urlset><url><loc>/a</loc></url></urlset>"), [1]);
        let index = "<sitemapindex><sitemap><loc>/t.xml</loc></sitemap></sitemapindex>";
        assert_eq!(depths(FetchKind::Sitemap, index), [4]);
        let urls = |text: &str| -> Vec<String> {
            let (found, _) = OutlinkCollector::new(&order).listing(FetchKind::Sitemap, text, &own, 10);
            found.into_iter().map(|found| found.link.url).collect()
        };
        let host = own.authority();
        let text = format!("<urlset><url><loc>{host}/1</loc></url><url><loc>{host}.html</loc></url></urlset>");
        assert_eq!(urls(&text)[0], format!("{}/1", own.origin()), "a scheme was forgotten");
        assert!(urls(&text)[1].ends_with(&format!("/{host}.html")), "a path");
        let feed = "<rss><channel><item><link>http://other.example/1</link></item></channel></rss>";
        assert_eq!(depths(FetchKind::Feed, feed), [4]);
        let paged = "<feed><link rel=prev-archive href=/2/><entry><link href=/1/></entry></feed>";
        let (found, _) = OutlinkCollector::new(&order).listing(FetchKind::Feed, paged, &own, 10);
        let kinds: Vec<_> = found.iter().map(|found| (found.link.url.as_str(), found.link.kind)).collect();
        assert_eq!(kinds, [("http://n.example/1", FetchKind::Page), ("http://n.example/2", FetchKind::Feed)]);
        let links = page("http://n.example/", "<link rel=sitemap href=/s.xml>");
        assert_eq!((links[0].kind, links[0].depth), (FetchKind::Sitemap, 0));
    }

    #[test]
    fn queries_are_escaped_in_the_charset_of_the_page_and_paths_are_not() {
        let own = CanonicalUrl::parse("http://n.example/x", None).unwrap();
        let links = scan("<a href='/\u{6587}?q=\u{6587}&amp;a=1'>a</a><a href='?\u{20ac}'>b</a>", own.as_str());
        let urls = |charset: &str| -> Vec<String> {
            let found = OutlinkCollector::new(&order(own.as_str())).in_charset(charset).page(&links, &own, false);
            found.into_iter().map(|found| found.link.url).collect()
        };
        let gbk = ["http://n.example/%E6%96%87?q=%CE%C4&a=1", "http://n.example/x?%80"];
        assert_eq!(urls("GBK")[0], gbk[0]);
        assert_eq!(urls("windows-1252")[1], gbk[1]);
        for utf8 in ["UTF-8", "UTF-16LE", "nonsense"] {
            assert_eq!(urls(utf8)[0], "http://n.example/%E6%96%87?q=%E6%96%87&a=1", "{utf8}");
        }
    }

    #[test]
    fn translations_neighbours_and_what_a_page_holds_within_itself_are_links() {
        let html = "<link rel=alternate hreflang=de href=/de><link rel=next href=/2><link rel='prev' href=/0>\
                    <link rel=alternate type=application/pdf href=/pdf><link rel='stylesheet alternate' hreflang=x href=/css>\
                    <iframe srcdoc='&lt;a href=/inner>i&lt;/a>'></iframe>\
                    <template shadowrootmode=open><a href=/shadow>s</a><template><a href=/no>n</a></template></template>\
                    <a href=/after>a</a><svg><a xlink:href=/drawn><text>t</text></a></svg>";
        let mut urls: Vec<_> = page("http://n.example/x/", html).into_iter().map(|link| link.url).collect();
        urls.sort();
        let expected =
            ["0", "2", "after", "de", "drawn", "inner", "shadow"].map(|path| format!("http://n.example/{path}"));
        assert_eq!(urls, expected);
    }

    #[test]
    fn long_addresses_make_more_records_not_larger_ones() {
        let own = CanonicalUrl::parse("http://n.example/x", None).unwrap();
        let html: String = (0..300).map(|n| format!("<a href='/{}/{n}'>a</a>", "long".repeat(400))).collect();
        let found = OutlinkCollector::new(&order(own.as_str())).page(&scan(&html, own.as_str()), &own, false);
        assert_eq!(found.len(), 300);
        let (records, _) = records(own.as_str(), 0, found);
        assert!(records.len() > 3 && records.iter().all(|record| record.payload.len() < 2 * MAX_BYTES_IN_RECORD));
        let told =
            records.iter().map(|record| decode::<OutlinkBatch>(&record.payload).unwrap().links.len()).sum::<usize>();
        assert_eq!(told, 300);
    }

    /// What the page `url` at `depth` tells of its one link to `/a`, and remembers.
    fn tell(recent: &RecentLinks, url: &str, depth: u16) -> usize {
        let own = CanonicalUrl::parse(url, None).unwrap();
        let order = FetchOrder { depth, ..order(url) };
        let links = scan("<a href=http://n.example/a>a</a>", url);
        let mut found = OutlinkCollector::new(&order).page(&links, &own, false);
        recent.filter(&own, depth == 0, &mut found);
        let (records, reported) = records(url, 0, found);
        recent.remember(&own, reported);
        records.len()
    }

    #[test]
    fn what_was_reported_is_not_reported_again_unless_it_is_nearer() {
        let recent = RecentLinks::new(100);
        assert_eq!(tell(&recent, "http://n.example/x", 5), 1);
        assert_eq!(tell(&recent, "http://n.example/y", 5) + tell(&recent, "http://n.example/z", 9), 0);
        assert_eq!(tell(&recent, "http://n.example/v", 2), 1);
    }

    #[test]
    fn a_link_is_not_remembered_before_it_is_in_the_log() {
        let recent = RecentLinks::new(100);
        let own = CanonicalUrl::parse("http://n.example/x", None).unwrap();
        for _ in 0..2 {
            let links = scan("<a href=/a>a</a>", own.as_str());
            let mut found = OutlinkCollector::new(&order(own.as_str())).page(&links, &own, false);
            recent.filter(&own, false, &mut found);
            assert_eq!(found.len(), 1);
        }
    }

    #[test]
    fn what_a_stranger_reported_before_the_scope_opened_is_reported_again() {
        let recent = RecentLinks::new(100);
        assert_eq!(tell(&recent, "http://stranger.example/", 0), 1);
        assert_eq!(tell(&recent, "http://n.example/list", 1), 1, "its own site tells it all the same");
        assert_eq!(tell(&recent, "http://n.example/seed", 0), 1, "a seed may have opened the place just now");
        assert_eq!(tell(&recent, "http://n.example/other", 1), 0);
    }

    #[test]
    fn what_is_remembered_keeps_its_bound() {
        let recent = RecentLinks::new(2);
        for host in ["a", "b", "c"] {
            tell(&recent, &format!("http://{host}.example/"), 1);
        }
        assert_eq!(recent.lock().len, 1, "only what came last");
        tell(&recent, "http://c.example/", 0);
        assert_eq!(recent.lock().len, 1, "what a seed forgets is counted");
    }

    #[test]
    fn a_sitemap_becomes_links_by_domain() {
        let body = "<urlset><url><loc>/p</loc><lastmod>2020-01-01</lastmod></url><url><loc>http://o.example/</loc></url></urlset>";
        let own = CanonicalUrl::parse("http://n.example/sitemap.xml", None).unwrap();
        let (found, _) = OutlinkCollector::new(&order(own.as_str())).listing(FetchKind::Sitemap, body, &own, 10);
        let (records, _) = records(own.as_str(), 0, found);
        let keys: Vec<&str> = records.iter().map(|record| record.key.as_str()).collect();
        assert_eq!(keys, ["n.example", "o.example"]);
        let links: OutlinkBatch = gristmill_proto::decode(&records[0].payload).unwrap();
        assert_eq!(links.links[0].modified_at, Some(1_577_836_800_000));
    }
}
