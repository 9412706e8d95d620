//! Sitemaps and feeds of every kind, whole, broken and hostile.

use gristmill_robots::{Entry, ListingLimits, SitemapKind, parse_feed, parse_sitemap};
use proptest::prelude::*;

fn sitemap(text: &str) -> gristmill_robots::Sitemap {
    parse_sitemap(text, &ListingLimits::default())
}

fn locations(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.loc.as_str()).collect()
}

#[test]
fn a_url_set_gives_addresses_dates_and_priorities() {
    let read = sitemap(
        r#"<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc> http://h/a?x=1&amp;y=2 </loc><lastmod>2026-11-21</lastmod><priority>0.8</priority></url>
        <url><loc><![CDATA[http://h/b]]></loc><priority>7</priority></url>
        <url><lastmod>2026-11-21</lastmod></url></urlset>"#,
    );
    assert_eq!(read.kind, SitemapKind::UrlSet);
    assert!(!read.truncated);
    assert_eq!(locations(&read.entries), ["http://h/a?x=1&y=2", "http://h/b"]);
    assert_eq!((read.entries[0].lastmod, read.entries[0].priority), (Some(1_795_219_200), Some(0.8)));
    assert_eq!(read.entries[1].priority, None, "out of range is not a priority");
}

#[test]
fn an_index_names_sitemaps_under_any_prefix() {
    let read = sitemap(
        r#"<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>http://h/1.xml.gz</s:loc></s:sitemap></s:sitemapindex>"#,
    );
    assert_eq!((read.kind, locations(&read.entries)), (SitemapKind::Index, vec!["http://h/1.xml.gz"]));
}

#[test]
fn news_entries_carry_title_and_publication_and_images_are_passed_over() {
    let read = sitemap(
        r#"<urlset xmlns:news="n" xmlns:image="i"><url><loc>http://h/story</loc>
        <image:image><image:loc>http://h/photo.jpg</image:loc><image:title>Photo</image:title></image:image>
        <news:news><news:publication><news:name>The Paper</news:name></news:publication>
        <news:publication_date>2026-11-21T08:30Z</news:publication_date><news:title>Rain &#38; wind</news:title></news:news></url></urlset>"#,
    );
    assert_eq!(
        read.entries,
        [Entry {
            loc: "http://h/story".into(),
            lastmod: Some(1_795_249_800),
            title: Some("Rain & wind".into()),
            priority: None,
            news: true
        }]
    );
}

#[test]
fn plain_text_has_an_address_a_line() {
    let read = sitemap("\u{feff}http://h/a\r\nnot an address\n  HTTPS://h/b  \nftp://h/c");
    assert_eq!((read.kind, locations(&read.entries)), (SitemapKind::Text, vec!["http://h/a", "HTTPS://h/b"]));
}

#[test]
fn pages_and_noise_are_no_sitemaps() {
    for text in
        ["<!DOCTYPE html><html><body><url><loc>http://h/</loc></url></body></html>", "", "404 not found", "<", "<?xml"]
    {
        let read = sitemap(text);
        assert_eq!((read.kind, read.entries.len()), (SitemapKind::Unknown, 0), "{text}");
    }
}

#[test]
fn a_broken_file_gives_what_came_before() {
    let read = sitemap("<urlset><url><loc>http://h/a</loc></url><url><loc>http://h/b</loc></url><url><loc>http://h/c<");
    assert_eq!(locations(&read.entries), ["http://h/a", "http://h/b"]);
    assert!(read.truncated);
}

#[test]
fn missing_end_tags_lose_no_entry() {
    let read = sitemap("<urlset><url><loc>http://h/a</loc><url><loc>http://h/b</loc></url></urlset>");
    assert_eq!(locations(&read.entries), ["http://h/a", "http://h/b"]);
}

#[test]
fn limits_cut_and_say_so() {
    let text: String = (0..10).map(|n| format!("<url><loc>http://h/{n}</loc></url>")).collect();
    let text = format!("<urlset>{text}</urlset>");
    let few = parse_sitemap(&text, &ListingLimits { max_entries: 3, ..ListingLimits::default() });
    assert_eq!((few.entries.len(), few.truncated), (3, true));
    let short = parse_sitemap(&text, &ListingLimits { max_bytes: 60, ..ListingLimits::default() });
    assert_eq!((short.entries.len(), short.truncated), (1, true));
    let all = parse_sitemap(&text, &ListingLimits { max_entries: 10, ..ListingLimits::default() });
    assert_eq!((all.entries.len(), all.truncated), (10, false));
}

#[test]
fn entities_of_a_doctype_do_not_expand() {
    let read = sitemap(
        r#"<!DOCTYPE urlset [<!ENTITY a "http://evil/"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
        <urlset><url><loc>http://h/&b;&x;z</loc></url></urlset>"#,
    );
    assert_eq!(locations(&read.entries), ["http://h/z"]);
}

#[test]
fn depth_and_length_cost_no_memory() {
    let deep = format!("<urlset>{}<url><loc>http://h/a</loc></url>", "<x>".repeat(300_000));
    assert_eq!(locations(&sitemap(&deep).entries), ["http://h/a"]);
    let long = format!(
        "<urlset><url><loc>http://h/{}</loc></url><url><loc>http://h/b</loc></url></urlset>",
        "a".repeat(1 << 20)
    );
    assert_eq!(locations(&sitemap(&long).entries), ["http://h/b"], "an endless address is none");
}

#[test]
fn rss_items_have_links_titles_and_dates() {
    let text = r#"<?xml version="1.0"?><rss version="2.0" xmlns:atom="a" xmlns:media="m"><channel><title>The Feed</title>
        <atom:link href="http://h/feed" rel="self"/><image><title>Logo</title><link>http://h/</link></image>
        <item><title><![CDATA[One & only]]></title><link>http://h/1</link><pubDate>Sat, 21 Nov 2026 08:30:15 GMT</pubDate>
          <media:content><media:title>Clip</media:title></media:content></item>
        <item><title>Two</title><guid>http://h/2</guid></item>
        <item><title>Three</title><guid isPermaLink="false">http://h/no</guid></item></channel></rss>"#;
    let feed = parse_feed(text, &ListingLimits::default());
    assert_eq!(feed.title.as_deref(), Some("The Feed"));
    assert_eq!(locations(&feed.entries), ["http://h/1", "http://h/2"]);
    assert_eq!((feed.entries[0].title.as_deref(), feed.entries[0].lastmod), (Some("One & only"), Some(1_795_249_815)));
    assert_eq!(sitemap(text).kind, SitemapKind::Feed, "a feed may stand in for a sitemap");
}

#[test]
fn atom_entries_have_alternate_links_and_the_date_of_change() {
    let text = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry>
        <author><name>A</name></author><title type="xhtml"><div>Big <b>news</b></div></title>
        <link rel="enclosure" href="http://h/sound.mp3"/><link href="http://h/1?a=1&amp;b=2"/>
        <published>2026-11-20T00:00:00Z</published><updated>2026-11-21T00:00:00Z</updated></entry></feed>"#;
    let feed = parse_feed(text, &ListingLimits::default());
    let entry = &feed.entries[0];
    assert_eq!((entry.loc.as_str(), entry.title.as_deref()), ("http://h/1?a=1&b=2", Some("Big news")));
    assert_eq!(entry.lastmod, Some(1_795_219_200));
}

#[test]
fn rdf_items_stand_beside_the_channel() {
    let text = r#"<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><channel><title>C</title></channel>
        <item rdf:about="http://h/1"><title>T</title><link>http://h/1</link><dc:date>2026-11-21</dc:date></item></rdf:RDF>"#;
    let feed = parse_feed(text, &ListingLimits::default());
    assert_eq!((feed.entries.len(), feed.entries[0].lastmod), (1, Some(1_795_219_200)));
}

proptest! {
    #[test]
    fn any_text_is_read_within_the_limits(text in "\\PC{0,300}", max_entries in 0usize..4) {
        let limits = ListingLimits { max_entries, max_bytes: 200 };
        prop_assert!(parse_sitemap(&text, &limits).entries.len() <= max_entries);
        prop_assert!(parse_feed(&text, &limits).entries.len() <= max_entries);
    }

    #[test]
    fn any_markup_is_read_within_the_limits(
        parts in prop::collection::vec(prop::sample::select(vec!["<urlset>", "<rss>", "<feed>", "<url>", "</url>", "<loc>", "</loc>", "<item>", "</item>", "<entry>", "<link href='x'/>", "<link>", "</link>", "http://h/", "&amp;", "&", "<![CDATA[", "]]>", "<!--", "-->", "<title>", "<image:image>", "</", ">", "<!DOCTYPE ["]), 0..30),
    ) {
        let limits = ListingLimits { max_entries: 3, ..ListingLimits::default() };
        let text = parts.concat();
        prop_assert!(parse_sitemap(&text, &limits).entries.len() <= 3);
        prop_assert!(parse_feed(&text, &limits).entries.len() <= 3);
    }
}
