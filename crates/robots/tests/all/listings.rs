//! Sitemaps and feeds of every kind, whole, broken and hostile.

use gristmill_robots::{ListingLimits, SitemapEntry, SitemapKind, parse_feed, parse_sitemap};
use proptest::prelude::*;

fn sitemap(text: &str) -> gristmill_robots::Sitemap {
    parse_sitemap(text, &ListingLimits::default())
}

fn locations(entries: &[SitemapEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.loc.as_str()).collect()
}

#[test]
fn a_tag_without_an_end_in_a_title_hides_no_link() {
    let feed = "<rss><channel><item><title>Up <b>and away & more</title><link>http://a.test/1</link></item>\
        <item><title>Two</title><link>http://a.test/2</link></item></channel></rss>";
    let feed = parse_feed(feed, &ListingLimits::default());
    let entries: Vec<_> = feed.entries.iter().map(|entry| (entry.loc.as_str(), entry.title.as_deref())).collect();
    assert_eq!(entries, [("http://a.test/1", Some("Up and away & more")), ("http://a.test/2", Some("Two"))]);
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
        [SitemapEntry {
            loc: "http://h/story".into(),
            lastmod: Some(1_795_249_800),
            title: Some("Rain & wind".into()),
            news: true,
            ..SitemapEntry::default()
        }]
    );
}

#[test]
fn addresses_are_found_wherever_a_sitemap_puts_them() {
    let of = |text: &str| {
        let read = sitemap(text);
        read.entries.iter().map(|entry| (entry.loc.clone(), entry.is_sitemap)).collect::<Vec<_>>()
    };
    let page = |loc: &str| (loc.to_owned(), false);
    let map = |loc: &str| (loc.to_owned(), true);
    for (text, entries) in [
        ("<urlset><url><loc>/a</loc><loc>/b</loc></url></urlset>", vec![page("/a"), page("/b")]),
        ("<sitemapindex><sitemap><loc>/1</loc><loc>/2</loc></sitemap></sitemapindex>", vec![map("/1"), map("/2")]),
        ("<urlset><loc>/a</loc><loc>/b</loc></urlset>", vec![page("/a"), page("/b")]),
        ("<sitemapindex><loc>/1</loc></sitemapindex>", vec![map("/1")]),
        ("<sitemapindex><sitemap> /1 </sitemap><sitemap>/2</sitemap></sitemapindex>", vec![map("/1"), map("/2")]),
        ("<urlset><sitemap><loc>/1</loc></sitemap></urlset>", vec![map("/1")]),
        ("<sitemapindex><url><loc>/a</loc></url></sitemapindex>", vec![page("/a")]),
        (
            "<urlset><url><loc>/m.xml</loc></url><url><loc>/n.XML.gz?v=1</loc></url></urlset>",
            vec![map("/m.xml"), map("/n.XML.gz?v=1")],
        ),
        ("<URLSET><Url><LOC>/a</LOC></Url></URLSET>", vec![page("/a")]),
        (
            "<b>Warning</b>: x on line <b>3</b><br /><?xml version='1.0'?><urlset><url><loc>/a</loc></url></urlset>",
            vec![page("/a")],
        ),
        ("Notice: x\n<urlset><url><loc>/a</loc></url></urlset>", vec![page("/a")]),
        (
            "<urlset xmlns:x='x'><url><loc>/en</loc><x:link rel='alternate' hreflang='it' href='/it'/><x:link rel='icon' href='/no'/></url></urlset>",
            vec![page("/it"), page("/en")],
        ),
        ("<urlset><url><lastmod>2026</lastmod></url></urlset>", vec![]),
    ] {
        assert_eq!(of(text), entries, "{text}");
    }
}

#[test]
fn links_of_feeds_are_found_in_every_dialect() {
    const ATOM: &str = "http://www.w3.org/2005/Atom";
    let of = |text: &str| {
        let entries = parse_feed(text, &ListingLimits::default()).entries;
        entries.into_iter().map(|entry| (entry.loc, entry.base)).collect::<Vec<_>>()
    };
    let at = |loc: &str| vec![(loc.to_owned(), None)];
    let below = |loc: &str, base: &str| vec![(loc.to_owned(), Some(base.to_owned()))];
    for (text, entries) in [
        (format!("<a:feed xmlns:a='{ATOM}'><a:entry><a:title>e</a:title><a:link href='/p'/></a:entry></a:feed>"), at("/p")),
        (format!("<feed xmlns='{ATOM}' xml:base='http://h/p/'><entry><link href='x'/></entry></feed>"), below("x", "http://h/p/")),
        ("<feed xml:base='http://h/a/b'><entry xml:base='p/'><link href='x'/></entry></feed>".to_owned(), below("x", "http://h/a/p/")),
        ("<feed xml:base='a/'><entry xml:base='http://i/'><link href='x'/></entry></feed>".to_owned(), below("x", "http://i/")),
        ("<rss><channel><item><atom:link rel='alternate' href='/p'/></item></channel></rss>".to_owned(), at("/p")),
        ("<rss><channel><item><atom:link rel='self' href='/p'/></item></channel></rss>".to_owned(), vec![]),
        ("<r:RDF><rss:item><rss:link>/p</rss:link></rss:item></r:RDF>".to_owned(), at("/p")),
        ("<feed><entry><link rel='http://www.iana.org/assignments/relation/alternate' href='/p'/></entry></feed>".to_owned(), at("/p")),
        ("<feed><entry><id>http://h/p</id></entry></feed>".to_owned(), at("http://h/p")),
        ("<feed><entry><id>urn:x</id></entry></feed>".to_owned(), vec![]),
        (format!("<entry xmlns='{ATOM}'><link href='/p'/></entry>"), at("/p")),
        ("<br/>Warning: x<br/><?xml version='1.0'?><rss><item><link>/p</link></item></rss>".to_owned(), at("/p")),
        ("<RSS><CHANNEL><ITEM><LINK>/p</LINK></ITEM></CHANNEL></RSS>".to_owned(), at("/p")),
        (
            r#"{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": 1, "url": "/p"}, {"id": "x"}]}"#.to_owned(),
            at("/p"),
        ),
    ] {
        assert_eq!(of(&text), entries, "{text}");
    }
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
        <item><link>http://counter/~r/4</link><feedburner:origLink>http://h/4</feedburner:origLink></item>
        <item><title>Three</title><guid isPermaLink="false">http://h/no</guid></item></channel></rss>"#;
    let feed = parse_feed(text, &ListingLimits::default());
    assert_eq!(feed.title.as_deref(), Some("The Feed"));
    assert_eq!(locations(&feed.entries), ["http://h/1", "http://h/2", "http://h/4"]);
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
fn a_feed_names_the_one_with_the_entries_before_its_own() {
    let older = |text: &str| parse_feed(text, &ListingLimits::default()).older;
    let entry = "<entry><link rel='next' href='/no'/><link href='/1'/></entry>";
    let atom = |rel: &str| older(&format!("<feed><link rel='{rel}' href='?page=2'/>{entry}</feed>"));
    assert_eq!((atom("next"), atom("prev-archive")), (Some("?page=2".to_owned()), Some("?page=2".to_owned())));
    assert_eq!((atom("self"), atom("previous")), (None, None));
    let rss =
        "<rss xmlns:a='http://www.w3.org/2005/Atom'><channel><a:link rel='next' href='http://h/2'/></channel></rss>";
    assert_eq!(older(rss), Some("http://h/2".to_owned()));
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "next_url": "/2.json", "items": []}"#;
    assert_eq!(older(json), Some("/2.json".to_owned()));
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
