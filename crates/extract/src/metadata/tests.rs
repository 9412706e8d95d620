//! Tests of the metadata of whole pages.

use super::*;
use gristmill_html::TreeLimits;

pub(super) fn metadata(html: &str) -> Metadata {
    metadata_at(html, "https://example.com/news/1.html")
}

pub(super) fn metadata_at(html: &str, url: &str) -> Metadata {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let title = crate::title::title(&doc, None, &mut crate::Trace::default());
    Metadata::new(&page, title.as_deref(), Some(url), "gristmill")
}

/// Rows between the title and what is not near it.
const FILLER: &str = "<h1>Storm hits the coast</h1><p>a<p>b<p>c<p>d<p>e<p>f<p>g<p>h<p>i<p>j<p>k<p>l<p>m";

/// The page without its first parts: each part names another value, with its number, by another source.
fn from_part(parts: &[(&str, &str)], first: usize) -> String {
    let parts = parts.iter().enumerate().filter(|(at, (source, _))| source.is_empty() || *at >= first);
    parts.map(|(_, (_, html))| *html).collect()
}

#[test]
fn the_sources_of_an_author_are_asked_in_their_order() {
    let script = "<script type=application/ld+json>";
    let parts = [
        ("json-ld", &*format!("{script}{{\"@type\":\"Article\",\"author\":\"Ann Zero\"}}</script>")),
        ("meta", "<meta name=author content='Ann One'>"),
        ("microdata", "<p><b itemprop=author content='Ann Two'></b>"),
        ("rel-author", "<p><a rel=author content='Ann Three'></a>"),
        ("", FILLER),
        ("class-name", "<p class=byline>Ann Five"),
        ("", "<h2>Storm</h2>"),
    ];
    for at in [0, 1, 2, 3, 5] {
        let found = metadata(&from_part(&parts, at));
        assert_eq!(found.sources.author.unwrap().source.name(), parts[at].0);
    }
    let organisation =
        "{\"@type\":\"Article\",\"author\":{\"@type\":\"Organization\",\"name\":\"Mill Works\"}}</script>";
    let office = "<meta name=byl content='mill editing team'>";
    let site = "<meta name=citation_author content='Jane Doe'><meta property=og:site_name content='Jane Doe'>";
    let head = format!("{office}{script}{organisation}{site}");
    let cases = [
        ("near-title", format!("{head}<h1>Storm</h1><p>By Ann Lee</p>{FILLER}<p>Written by Bo Wu"), "Ann Lee"),
        ("label", format!("{head}{FILLER}<p>Written by Bo Wu"), "Bo Wu"),
        ("office", format!("{head}{FILLER}"), "mill editing team"),
        ("organisation", format!("{script}{organisation}{site}{FILLER}"), "Mill Works"),
        ("site-name", format!("{site}{FILLER}"), "Jane Doe"),
    ];
    for (source, html, author) in cases {
        let found = metadata(&html);
        assert_eq!((found.sources.author.unwrap().source.name(), found.author.unwrap()), (source, author.to_owned()));
    }
    assert_eq!(metadata(FILLER).sources.author, None);
}

#[test]
fn the_sources_of_a_date_are_asked_in_their_order() {
    let parts = [
        (
            "json-ld",
            "<script type=application/ld+json>{\"@type\":\"Article\",\"datePublished\":\"2001-01-01\"}</script>",
        ),
        ("meta", "<meta name=datepublished content=2001-01-02>"),
        ("microdata", "<b itemprop=datePublished content=2001-01-03></b>"),
        ("time-element", "<p>The mill</p><time datetime=2001-01-04></time>"),
        ("near-title", "<p>5 January 2001</p>"),
        ("", FILLER),
        ("class-name", "<p class=date>2001-01-07"),
        ("label", "<p>Published 2001-01-08"),
        ("short-row", "<p>at the mill, 2001-01-09"),
        ("page-state", "<script>{\"publishedAt\":\"2001-01-10\"}</script>"),
        ("url", ""),
        ("modified", "<meta name=last-modified content=2001-01-12>"),
        ("attribute", "<b data-date=2001-01-13></b>"),
        ("row", "<p>Jane Doe at the mill | 2001-01-14 10:15 | Quay 3 | Harbour of the old town"),
    ];
    for (at, (source, _)) in parts.iter().enumerate().filter(|(_, (source, _))| !source.is_empty()) {
        let url = if at <= 10 { "https://example.com/2001/01/11/a" } else { "https://example.com/a" };
        let found = metadata_at(&from_part(&parts, at), url);
        assert_eq!(found.sources.published.map(|found| found.source.name()), Some(*source));
        assert_eq!(found.published.unwrap()[..10], format!("2001-01-{:02}", at + 1));
    }
    assert_eq!(metadata(FILLER).sources.published, None);
}

#[test]
fn json_ld_in_a_graph_is_read() {
    let found = metadata(
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","description":"page"},
        {"@type":["NewsArticle"],"datePublished":"2018-12-31T10:15:00+08:00","author":[{"name":"Ann Lee"},{"name":"Bo Wu"}],
        "description":"article","image":{"url":"/i.png"},"publisher":{"name":"Daily"},"keywords":["a","b"]}]}</script>"#,
    );
    assert_eq!(found.published.as_deref(), Some("2018-12-31T10:15:00+08:00"));
    assert_eq!(found.author.as_deref(), Some("Ann Lee, Bo Wu"));
    assert_eq!(found.description.as_deref(), Some("article"));
    assert_eq!(found.image.as_deref(), Some("https://example.com/i.png"));
    assert_eq!(found.site_name.as_deref(), Some("Daily"));
    assert_eq!(found.keywords, ["a", "b"]);
}

#[test]
fn json_ld_with_raw_line_breaks_and_a_semicolon_is_read_and_worse_is_reported() {
    let found = metadata(
        "<script type=application/ld+json><!--\n{\"@type\":\"Article\",\"description\":\"a\nb\"};\n--></script>",
    );
    assert_eq!(found.description.as_deref(), Some("a b"));
    let found = metadata("<script type=application/ld+json>{{{</script>");
    assert_eq!(found.warnings.len(), 1);
}

#[test]
fn json_ld_nested_beyond_reason_is_survived() {
    let html = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
    assert_eq!(metadata(&html).warnings.len(), 1);
}

#[test]
fn meta_elements_give_what_they_declare() {
    let found = metadata(
        "<base href=/b/><meta property=og:site_name content=Site><meta name=author content='By Jane Doe'>
         <meta name=keywords content='one, two，one'><meta property=article:published_time content='2020-02-03T04:05:06Z'>
         <link rel=canonical href=c.html><link rel=alternate type=application/rss+xml title=News href=//feeds.example.com/r>
         <meta name=ROBOTS content='NoIndex, follow'><meta name=gristmill content=none><meta property=og:type content=product.item>",
    );
    assert_eq!(found.site_name.as_deref(), Some("Site"));
    assert_eq!(found.author.as_deref(), Some("Jane Doe"));
    assert_eq!(found.keywords, ["one", "two"]);
    assert_eq!(found.published.as_deref(), Some("2020-02-03T04:05:06Z"));
    assert_eq!(found.canonical.as_deref(), Some("https://example.com/b/c.html"));
    assert_eq!(found.feeds, [FeedLink { url: "https://feeds.example.com/r".into(), title: "News".into() }]);
    assert!(found.noindex && found.nofollow);
    assert!(found.declares_product);
}

#[test]
fn only_robots_rules_for_all_or_for_us_count() {
    let found = metadata("<meta name=otherbot content=noindex><meta name=robots content=nofollow>");
    assert_eq!((found.noindex, found.nofollow), (false, true));
    let found = metadata("<meta name=robots content='noindex; nofollow'>");
    assert_eq!((found.noindex, found.nofollow), (true, true));
}

#[test]
fn microdata_and_time_elements_are_read() {
    let found = metadata(
        "<article itemscope itemtype='https://schema.org/Product'><h1>A headline here</h1><span itemprop=author>Kim Ro</span>
         <time datetime='2019-07-08T09:10:11-05:00'>July</time>",
    );
    assert!(found.declares_product);
    assert_eq!(found.author.as_deref(), Some("Kim Ro"));
    assert_eq!(found.published.as_deref(), Some("2019-07-08T09:10:11-05:00"));
}

#[test]
fn date_and_byline_are_found_near_the_title() {
    let found = metadata(
        "<p>1999-01-01 founded</p><p>a<p>b<p>c<p>d<h1>台风登陆沿海</h1><div>2018年12月31日 10:15 来源：新闻 作者：张三 编辑</div>",
    );
    assert_eq!(found.published.as_deref(), Some("2018-12-31T10:15:00"));
    assert_eq!(found.author.as_deref(), Some("张三"));
    let found = metadata("<h1>Storm hits the coast</h1><p>By Jane van Doe | May 3, 2020</p>");
    assert_eq!(found.author.as_deref(), Some("Jane van Doe"));
    assert_eq!(found.published.as_deref(), Some("2020-05-03"));
}

#[test]
fn bylines_and_days_below_a_heading_of_other_pages_are_theirs() {
    let other = "<div><a href=/1>Bridge closed</a> <span>28.11.2026</span> <span>Von Uwe Lang</span></div>";
    let found = metadata(&format!("<h1>Tram line reopens</h1><p>It runs again.</p><h3>Mehr zum Thema</h3>{other}"));
    assert_eq!((found.author, found.published), (None, None));
}

#[test]
fn a_class_that_only_contains_the_letters_is_no_byline() {
    assert_eq!(metadata("<h1>Some headline</h1><div class=authority>Port</div>").author, None);
    assert_eq!(
        metadata("<h1>Some headline</h1><div class=post-author>Max Port</div>").author.as_deref(),
        Some("Max Port")
    );
}

#[test]
fn addresses_that_are_not_web_addresses_are_left_out() {
    let found = metadata(
        "<link rel=canonical href='javascript:alert(1)'><meta property=og:image content='data:image/png;base64,x'>",
    );
    assert_eq!((found.canonical, found.image), (None, None));
}

#[test]
fn words_rule_out_no_class_that_names_a_byline_or_a_date() {
    let values = [
        "byline",
        "byLine",
        "BYLINE",
        "post-author2",
        "author2 author",
        "postDate",
        "PubDate",
        "DATE",
        "date1 x",
        "üdate",
        "dateü",
        "aDate",
        "xAuthorName",
        "entry_timestamp",
        "authority",
        "update-button",
        "journalist",
        "Éauthor",
        "",
    ];
    for value in values {
        let mut said = super::items::NameSignals::default();
        gristmill_page::attribute_words::for_each_word(value, |word| {
            said = said.or(super::items::NameSignals::of_word(word))
        });
        let names = said.read(value);
        assert_eq!(names.byline, super::class_names::is_byline_name(value), "{value}");
        assert_eq!(names.date, super::class_names::is_date_name(value), "{value}");
    }
}

#[test]
fn commenters_labels_and_words_before_a_name_are_no_authors() {
    for html in [
        "<p class=comment-form-author><label for=author>Name <span>*</span></label>",
        "<div class='comment-author vcard'><cite>Florence</cite> <span>says:</span></div>",
        "<ol class=comment-list><li><b class=author>Florence Ray</b></ol>",
        "<form><p class=author>Your Name</p></form>",
        "<span class=author-label>Written By:</span>",
        "<p class=author>Article by</p>",
    ] {
        assert_eq!(metadata(html).author, None, "{html}");
    }
    let html = "<p class=author>Text by Jane Doe</p><ol class=comment-list><li><b class=author>Florence Ray</b></ol>";
    assert_eq!(metadata(html).author.as_deref(), Some("Jane Doe"));
    let open = "<body class='single comments-open'><p class=author>Eingestellt von Jane Doe</p>";
    assert_eq!(metadata(open).author.as_deref(), Some("Jane Doe"));
}

#[test]
fn whoever_is_named_like_the_site_is_the_author_when_nobody_else_is() {
    let site = "<meta property=og:site_name content='Eric Ries'>";
    let meta = format!("{site}<meta name=author content='Eric Ries'>");
    assert_eq!(metadata(&meta).author.as_deref(), Some("Eric Ries"));
    let item = format!("{site}<b itemprop=author>Eric Ries</b>");
    assert_eq!(metadata(&item).author.as_deref(), Some("Eric Ries"));
    let other = format!("{meta}<p class=byline>By Jane Doe</p>");
    assert_eq!(metadata(&other).author.as_deref(), Some("Jane Doe"));
}

#[test]
fn sites_bots_and_labels_write_nothing() {
    let site = "<meta property=og:site_name content='The Daily Storm'>";
    for html in [
        format!("{site}<meta name=author content='The Daily Storm'>"),
        format!("{site}<p class=author>By The Daily Storm</p>"),
        "<meta property=og:site_name content=Vendor><meta name=author content=vendor>".into(),
        "<a class=author>AutoModerator</a>".into(),
        "<p class=author>執筆者 募集</p>".into(),
        "<meta name=author content='Super User'>".into(),
    ] {
        assert_eq!(metadata(&html).author, None, "{html}");
    }
}

#[test]
fn a_byline_goes_before_a_declared_office_or_account() {
    let office = "<meta name=author content='FullStack editorial team'>";
    assert_eq!(metadata(office).author.as_deref(), Some("FullStack editorial team"));
    let both = format!("{office}<h1>A headline here</h1><p>By Jane Doe</p>");
    assert_eq!(metadata(&both).author.as_deref(), Some("Jane Doe"));
    for account in ["jdoe", "jdoe82", "Mill Verlag GmbH", "Norrbladet Media AB"] {
        let both = format!("<meta name=author content='{account}'><h1>A headline here</h1><p>By Jane Doe</p>");
        assert_eq!(metadata(&both).author.as_deref(), Some("Jane Doe"), "{account}");
        let alone = format!("<meta name=author content='{account}'><h1>A headline here</h1>");
        assert_eq!(metadata(&alone).author.as_deref(), Some(account));
    }
}

#[test]
fn whoever_stands_beside_a_day_wrote_it_and_a_place_did_not() {
    for (row, name) in [
        ("Harriet Snow, 10 October 2020", Some("Harriet Snow")),
        ("Harriet Snow, October 10, 2020", Some("Harriet Snow")),
        ("Eric Dahlgren — 2020-10-10", Some("Eric Dahlgren")),
        ("10 October 2020 · Ann Lee", Some("Ann Lee")),
        ("Hugh Garrick, March 2015", Some("Hugh Garrick")),
        ("New York, 10 October 2020", None),
        ("Breaking News · 10 October 2020", None),
        ("Recensie: De lange oever, 10 October 2020", None),
        ("By Chidi Onwudiwe, Transport Correspondent", Some("Chidi Onwudiwe")),
        ("By Harriet Snow and Ann Lee Special to the Ledger", Some("Harriet Snow, Ann Lee")),
        ("Piše: Ivana Horvatić", Some("Ivana Horvatić")),
        ("Saggio di Pietro Balestra", Some("Pietro Balestra")),
        ("ავტორი: ნინო ბერიძე", Some("ნინო ბერიძე")),
        ("文・写真　高橋美咲", Some("高橋美咲")),
        ("김하늘 선임기자", Some("김하늘")),
        ("撰稿：林晓峰 摄影：王建", Some("林晓峰")),
    ] {
        let html = format!(
            "<h1>The kiln is hot again</h1><p>{row}</p><p>It was lit on Monday, and it will burn for a week.</p>"
        );
        assert_eq!(metadata(&html).author.as_deref(), name, "{row}");
    }
    let comment = "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>Klaus D.</b></div>";
    assert_eq!(metadata(comment).author, None);
}

#[test]
fn a_bar_with_the_day_of_the_visit_and_days_of_other_pages_are_none_of_the_page() {
    let published = |html: &str| metadata(html).published;
    let bar = "<div class=bar>Sunday, November 29, 2026</div><h1>The kiln is hot</h1><p class=date>12 March 2024</p><p>It burns.</p>";
    assert_eq!(published(bar).as_deref(), Some("2024-03-12"));
    let above = "<p>12 March 2024</p><h1>The kiln is hot</h1><p>It burns.</p>";
    assert_eq!(published(above).as_deref(), Some("2024-03-12"));
    let aside = "<h1>The kiln is hot</h1><p>It burns.</p><aside class=popular><a href=/x>Old</a> <time>3 Jan 2020</time></aside>";
    assert_eq!(published(aside), None);
    let epoch = r#"<script type=application/ld+json>{"@type":"Article","datePublished":"1970-01-01T00:00:00Z"}</script><h1>Kiln</h1><p>12 March 2024</p>"#;
    assert_eq!(published(epoch).as_deref(), Some("2024-03-12"));
    let state =
        r#"<h1>Kiln</h1><script id=__NEXT_DATA__>{"article": {"publishedAt": "2022-05-30T06:00:00Z"}}</script>"#;
    assert_eq!(published(state).as_deref(), Some("2022-05-30T06:00:00Z"));
}

#[test]
fn all_authors_of_a_key_are_named_and_libraries_turn_names_round() {
    let several = "<meta name=citation_author content='Doe, Jane'><meta name=citation_author content='Wu, Bo M.'>";
    assert_eq!(metadata(several).author.as_deref(), Some("Jane Doe, Bo M. Wu"));
    let keys = "<meta name=author content='Ann Lee'><meta name=author content='Bo Wu'><meta name=author content='Image: Shutter'><meta name=byl content='No One'>";
    assert_eq!(metadata(keys).author.as_deref(), Some("Ann Lee, Bo Wu"));
    for (creator, name) in [
        ("García Márquez, Gabriel", "Gabriel García Márquez"),
        ("Ann Lee, Bo Wu", "Ann Lee, Bo Wu"),
        ("Acme, Inc.", "Acme, Inc."),
    ] {
        assert_eq!(metadata(&format!("<meta name=DC.creator content='{creator}'>")).author.as_deref(), Some(name));
    }
    assert_eq!(metadata("<meta name=author content='Lee, Wu'>").author.as_deref(), Some("Lee, Wu"));
}

#[test]
fn json_ld_is_read_across_scripts_and_through_its_usual_faults() {
    let found = metadata(
        r##"<script type=application/ld+json>{"@graph":[{"@type":"Article","author":{"@id":"#ann"},"publisher":{"@id":"#p"}},
        {"@type":"Person","@id":"#ann","name":"Maria &amp; Kat&#233;rina"},]}</script>
        <script type=application/ld+json>{"@type":"Organization","@id":"#p","name":"Daily"}</script>"##,
    );
    assert_eq!(found.author.as_deref(), Some("Maria & Katérina"));
    assert_eq!(found.site_name.as_deref(), Some("Daily"));
    assert!(found.warnings.is_empty());
    let circle = r##"<script type=application/ld+json>{"@type":"Question","@id":"#q","mainEntity":{"@id":"#q"},
        "comment":[{"@id":"#q"},{"@id":"#c"}]}</script><script type=application/ld+json>
        {"@id":"#c","comment":{"@id":"#q"},"text":"An answer"}</script>"##;
    assert_eq!(metadata(circle).bodies.body.as_deref(), Some("An answer"));
}

#[test]
fn words_of_neighbouring_blocks_stay_apart() {
    let html = "<div class=author><div>Jane Doe</div><div>Oakley</div></div>";
    assert_eq!(metadata(html).author.as_deref(), Some("Jane Doe Oakley"));
    let role = "<p class=author><b>Jane Doe</b> <i>Head of Research</i></p>";
    assert_eq!(metadata(role).author.as_deref(), Some("Jane Doe"));
    let parts = "<p class=author>Jane Doe | Author</p>";
    assert_eq!(metadata(parts).author.as_deref(), Some("Jane Doe"));
    let glued = "<p class=author><span>Written by</span><span>Dan Pantelo</span>";
    assert_eq!(metadata(glued).author.as_deref(), Some("Dan Pantelo"));
}

#[test]
fn a_name_may_stand_below_its_label_and_far_from_the_title() {
    let of = |rows: &[&str]| {
        let rows: String = rows.iter().map(|row| format!("<p>{row}</p>")).collect();
        metadata(&format!("<h1>Storm hits coast</h1>{rows}")).author
    };
    assert_eq!(of(&["Written by", "Jane Doe", "Text."]).as_deref(), Some("Jane Doe"));
    assert_eq!(of(&["Author(s):", "JD", "Jane Doe", "Text."]).as_deref(), Some("Jane Doe"));
    assert_eq!(of(&["Author", "Subscribe to all 12 newsletters of ours"]), None);
    let far = |last| [["text"; 15].as_slice(), &[last]].concat();
    assert_eq!(of(&far("Written by Jane Doe")).as_deref(), Some("Jane Doe"));
    assert_eq!(of(&far("By Jane Doe")), None, "far from the title it may be of another page");
}

fn author(html: &str) -> Option<String> {
    metadata(html).author
}

#[test]
fn keys_of_systems_cards_and_links_to_writers_name_the_author() {
    let head = "<title>Storm</title><meta name=author content=admin>";
    for html in [
        "<meta name=cXenseParse:author content='Jane Doe'>",
        "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'>",
        "<meta name=twitter:label2 content='Verfasst von'><meta name=twitter:data2 content='Jane Doe'>",
        "<h1>Storm</h1><p><a rel=author href=/author/jd><img alt=JD></a><a href=/author/jd/>Jane Doe</a><i>Senior Reporter</i>",
        "<h1>Storm</h1><ul><li><a href='https://mill.example/autoren/jane-doe'>Jane Doe</a></ul>",
    ] {
        assert_eq!(author(&format!("{head}{html}{FILLER}")).as_deref(), Some("Jane Doe"), "{html}");
    }
    for html in [
        "<meta name=smartbanner:author content='Mill Apps'>",
        "<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='Jane Doe'>",
        "<h1>Storm</h1><p><a href=/authors>All Writers</a>",
        "<h1>Storm</h1><p><a href=/tags/jane-doe>Jane Doe</a>",
    ] {
        assert_eq!(author(&format!("{head}{html}{FILLER}")), None, "{html}");
    }
}

#[test]
fn a_date_or_role_behind_a_name_is_no_part_of_it() {
    for html in [
        "<p class=author>Jane Doe, 3 May 2020</p>",
        "<p class=author>Jane DoeApril 3, 2020</p>",
        "<p class=author>Jane Doe 03.05.2020 10:15</p>",
        "<p class=author>03/05/2020 | Jane Doe</p>",
        "<span class=authorname-txt>Jane Doe</span>",
        "<span class=postAuthor>Jane Doe</span>",
        "<div class=author><b>Jane Doe</b><i>Writer</i></div>",
        "<div class=author><b>Jane Doe</b><i>Staff writer at the Mill</i></div>",
        "<div class=author><div>Written by <b>Jane Doe</b></div><div>Content Marketing Coordinator</div></div>",
        "<p class=author>Jane Doe @ Mill Post</p>",
        "<meta name=author content='Jane Doe @ Mill Post'>",
        "<h1>Storm hits coast</h1><p>By Jane DoeNovember 24, 2025",
        "<h1>Storm hits coast</h1><div><span>Jane Doe</span> <span>3 May 2020</span></div>",
        "<h1>Storm hits coast</h1><p><b>Jane Doe</b> · <i>May 3, 2020</i> · 5 min",
    ] {
        assert_eq!(author(html).as_deref(), Some("Jane Doe"), "{html}");
    }
    let beside = "<h1>Storm hits coast</h1><p><b>Quay Harbour News</b> <i>3 May 2020</i>";
    assert_eq!(author(beside), None, "an organisation");
}

#[test]
fn several_authors_are_all_named() {
    let two = Some("Ann Lee, Bo Wu");
    for html in [
        "<p class=authors><a href=/a>Ann Lee</a>, <a href=/b>Bo Wu</a></p>",
        "<p><a rel=author href=/a>Ann Lee</a> <a rel=author href=/b>Bo Wu</a></p>",
        "<p><span itemprop=author>Ann Lee</span><span itemprop=author>Bo Wu</span></p>",
        "<h1>Storm hits coast</h1><p>Authors</p><p>Ann Lee</p><p>Bo Wu</p><p>The storm came in the night.</p>",
        "<script type=application/ld+json>{\"@type\":\"Article\",\"author\":[{\"@type\":\"Person\",\"givenName\":\"Ann\",
         \"familyName\":\"Lee\"},{\"@type\":\"Person\",\"name\":\"Bo Wu\"}]}</script>",
    ] {
        assert_eq!(author(html).as_deref(), two, "{html}");
    }
    let and = "<p class=author><a href=/a>Anna van der Lee</a> and <a href=/b>Bo Chang Wu</a></p>";
    assert_eq!(author(and).as_deref(), Some("Anna van der Lee, Bo Chang Wu"));
}

#[test]
fn a_person_goes_before_the_company_of_the_page() {
    let company = "<meta name=author content='Mill Works Ltd'><meta property=article:author content='Jane Doe'>";
    assert_eq!(author(company).as_deref(), Some("Jane Doe"));
    let at = |html: &str| metadata_at(html, "https://www.millworks.example/a").author;
    let host = "<meta name=author content=MillWorks><h1>Storm hits coast</h1><p>By Jane Doe</p>";
    assert_eq!(at(host).as_deref(), Some("Jane Doe"));
    let own = metadata_at("<meta name=author content='Jane Doe'>", "https://janedoe.example/a");
    assert_eq!(own.author.as_deref(), Some("Jane Doe"), "her own site");
}

#[test]
fn buttons_sections_and_customers_are_no_authors() {
    for html in [
        "<p class=author>Twitter Facebook</p>",
        "<p class=author>Insights from</p>",
        "<div class=testimonial><p>A good mill.</p><p class=author>Florence Ray</p></div>",
        "<blockquote><p>A good mill.</p><cite class=author>Florence Ray</cite></blockquote>",
        "<div class=reviews><span itemprop=author>Florence Ray</span></div>",
        "<meta name=author content='No Author'>",
        "<h3 id=the-authors-field><a href=#the-authors-field>The <code>authors</code> field</a></h3>",
    ] {
        assert_eq!(author(html), None, "{html}");
    }
    assert_eq!(author("<p class=author>Linh To</p>").as_deref(), Some("Linh To"));
}

#[test]
fn names_are_read_as_many_sites_write_them() {
    let wrong: Vec<String> = [
        ("<h1>Storm hits coast</h1><p>Words by Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Von Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Par Jane Doe, à Brest</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Por Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>di Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Door Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>By JANE DOE</p>", Some("JANE DOE")),
        ("<h1>Storm hits coast</h1><p>By <a href=/a>Jane Doe</a> and <a href=/b>Bo Wu</a></p>", Some("Jane Doe, Bo Wu")),
        ("<h1>Storm hits coast</h1><p>By Jane Doe, Staff Writer</p>", Some("Jane Doe")),
        ("<h1>Mill squeaks</h1><p class=author>von <b><a href=/u/7>miller_92</a></b> » 3. Feb 2021, 21:14</p>", Some("miller_92")),
        ("<h1>Storm hits coast</h1><p>By Jane Doe for The Mill Post</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Jane Doe, Quay Correspondent</p>", None),
        ("<h1>Storm hits coast</h1><p>Автор: Иван Петров</p>", Some("Иван Петров")),
        ("<h1>Storm hits coast</h1><p>文／王小明</p>", Some("王小明")),
        ("<span class=byline>by <span class='author vcard'><a class='url fn n' href=/a>Jane Doe</a></span></span>", Some("Jane Doe")),
        ("<a class='author-name' href=/author/jane>Jane Doe</a>", Some("Jane Doe")),
        ("<p class=author>Added by <a class='user active' href=/users/7>Jane Doe</a> <a href=/day>3 years</a> ago", Some("Jane Doe")),
        ("<h1>Storm</h1><ul><li><a href=/author/JaneDoe/>JaneDoe</a><li>Roofs</ul>", Some("JaneDoe")),
        ("<h1>水车</h1><p><a href=/>磨坊</a> | <a href=/author/shen-qiu.html>沈秋</a> | 2023-05-21", Some("沈秋")),
        ("<div class=post-author><img alt=x><span>Jane Doe</span><span>12 posts</span></div>", Some("Jane Doe")),
        ("<p class=byline>By Jane Doe • 3 min read</p>", Some("Jane Doe")),
        ("<p class=byline>Jane Doe / Mill Post</p>", Some("Jane Doe")),
        ("<p class=author-bio>Jane Doe is a writer who lives at the mill and has three cats.</p>", None),
        ("<meta name=author content='https://example.com/jane'>", None),
        ("<meta name=author content='jane@example.com (Jane Doe)'>", Some("Jane Doe")),
        ("<meta name=author content='{{author}}'>", None),
        ("<meta name=author content='admin'>", None),
        ("<meta name=author content='Jane Doe, MD'>", Some("Jane Doe, MD")),
        ("<meta name=parsely-author content='Jane Doe'>", Some("Jane Doe")),
        ("<meta name=sailthru.author content='Jane Doe'>", Some("Jane Doe")),
        ("<meta name=twitter:creator content='@janedoe'><p class=byline>Jane Doe</p>", Some("Jane Doe")),
        ("<meta property=article:author content='https://facebook.example/jane'><p class=byline>Jane Doe</p>", Some("Jane Doe")),
        ("<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":[\"Jane Doe\",\"Bo Wu\"]}</script>", Some("Jane Doe, Bo Wu")),
        ("<script type=application/ld+json>{\"@type\":\"BlogPosting\",\"creator\":\"Jane Doe\"}</script>", Some("Jane Doe")),
        ("<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":{\"name\":\"By Jane Doe\"}}</script>", Some("Jane Doe")),
        ("<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":{\"name\":{\"@type\":\"Person\",\"name\":\"Jane Doe\"}}}</script>", Some("Jane Doe")),
        ("<script type=application/ld+json>{\"@type\":\"Dataset\",\"creator\":{\"name\":\"Jane Doe\"}}</script>", Some("Jane Doe")),
        ("<div class=authorDetails><span>Jane Doe</span><span>Reporter</span></div>", Some("Jane Doe")),
        ("<p class=szerzo>Kovács Péter</p>", Some("Kovács Péter")),
        ("<html lang=bg><h1>Бурята</h1><p>от <a href=/a>Петър Иванов</a></p>", Some("Петър Иванов")),
        ("<h1>Storm hits coast</h1><p>Jane Doe</p><p>Updated Thursday, 4 March 2021</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Jane Doe, journalist</p><p>4 March 2021</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Jane Doe<br>jane@example.com</p><p>4 March 2021</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Jane Doe / Barcelona</p><p>4 March 2021</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p><a href=/premier>Premier League</a></p><p>4 March 2021</p>", None),
        ("<h1>Storm hits coast</h1><p>Local News</p><p>4 March 2021</p>", None),
        ("<h1>Storm hits coast</h1><p>Jane Doe | @janedoe | Mar 04, 2021</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Published Mar 4, 2021 | Jane Doe, Opinion contributor</p>", Some("Jane Doe")),
        ("<html lang=fr><h1>Storm hits coast</h1><p>Jane Doe, correspondent | 04/03/21</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Author: Jane Doe &lt;jane at example.com&gt;</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p>Mar 4th, 2021 @ 7:15 am › Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm</h1><p>Roofs flew.</p><a rel=author href=/author/jd>View all of Jane Doe's posts.</a>", Some("Jane Doe")),
        ("<h1>Sturm</h1><p>Dächer flogen.</p><a rel=author href=/author/jd>Alle Beiträge von Jana Döhl anzeigen</a>", Some("Jana Döhl")),
        ("<body class='archive author author-jd'><p><a href=/>The Mill Post</a></p><h1>Jane Doe</h1><p>Roofs flew.</p>", None),
        ("<html lang=el><h1>Το φέρι ξανά</h1><p>Νίκος Παππάς</p><p>Δημοσίευση: 3 Μαρτίου 2026, 07:45 | Ενημέρωση: 4 Μαρτίου 2026</p>", Some("Νίκος Παππάς")),
        ("<html lang=de><h1>Storm hits coast</h1><p>4.3.21, 09:12 Uhr | Jane Doe</p>", Some("Jane Doe")),
        ("<h1>Storm hits coast</h1><p><a href=/users/miller92>miller92</a> · <time datetime=2026-03-03>3 Mar</time></p>", Some("miller92")),
        ("<h1>Storm hits coast</h1><p><a href=/user/login>Log in</a> · 12 replies</p>", None),
        ("<html lang=cy><h1>Storm hits coast</h1><p>Gan Gwen Rees</p><p>3 Mawrth 2026</p>", Some("Gwen Rees")),
    ]
    .iter()
    .filter_map(|(html, name)| {
        let found = author(html);
        (found.as_deref() != *name).then(|| format!("{html}: {found:?} is not {name:?}"))
    })
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn writer_and_date_of_one_story_are_not_those_of_the_first_page() {
    let story = "<article><h2><a href=/a>Rye is dear</a></h2><p class=byline>By Jane Doe</p><time datetime=2024-09-24></time></article>";
    let html = format!("<title>The Miller</title><h1>The Miller</h1>{}", story.repeat(3));
    let of = |url: &str, html: &str| {
        let found = metadata_at(html, url);
        (found.author, found.published)
    };
    assert_eq!(of("https://a.com/", &html), (None, None));
    assert_eq!(
        of("https://a.com/", &html.replace("<title>", "<meta name=author content='Bo Wu'><title>")).0.as_deref(),
        Some("Bo Wu")
    );
    assert_ne!(of("https://a.com/", &format!("<h1>The Miller</h1>{story}")), (None, None));
}

#[test]
fn of_several_articles_the_one_with_the_title_of_the_page_counts() {
    let article = |headline: &str, day: &str| {
        format!("{{\"@type\":\"NewsArticle\",\"headline\":\"{headline}\",\"datePublished\":\"{day}\"}}")
    };
    let items = [article("Storm hits coast", "2022-03-09"), article("Harbour reopens", "2022-03-02")].join(",");
    let html = format!("<title>Harbour reopens | Mill Post</title><script type=application/ld+json>[{items}]</script>");
    assert_eq!(metadata(&html).published.as_deref(), Some("2022-03-02"));
}

#[test]
fn days_of_other_things_are_not_those_of_the_page() {
    let shown = |row: &str| metadata(&format!("<h1>The old mill</h1><p>{row}</p>{FILLER}")).published;
    assert_eq!(shown("3 May 2021").as_deref(), Some("2021-05-03"));
    for row in [
        "Offer ends 3 May 2021",
        "Bewerbungsfrist: 3. Mai 2021",
        "Best before: 3 May 2021",
        "<code>2021-05-03</code>",
        "© 3 May 2021",
        "<dl><dt>Date of birth</dt><dd>3 May 2021</dd></dl>",
        "<table><tr><td>Bewerbungsfrist</td><td>03.05.2021</td></tr></table>",
        "<ul><li><a href=/a>Minutes of 3 May 2021</a></li><li><a href=/b>Minutes of 10 May 2021</a></li></ul>",
    ] {
        assert_eq!(shown(row), None, "{row}");
    }
    let event = "<script type=application/ld+json>{\"@type\":\"Event\",\"startDate\":\"2021-05-03T20:00\"}</script>";
    assert_eq!(shown(&format!("3 May 2021, 20:00{event}")), None);
    let drupal = "<span property=\"dc:date dc:created\" content=\"2014-06-11T10:00\">June</span>";
    assert_eq!(shown(drupal).as_deref(), Some("2014-06-11T10:00:00"));
}

#[test]
fn a_byline_names_people_and_nothing_else() {
    for (byline, names) in [
        ("By Jane Doe, Senior Reporter, Bo Wu", "Jane Doe, Bo Wu"),
        ("Jane Doe Staff Writer", "Jane Doe"),
        ("Jana Döhl (dpa)", "Jana Döhl"),
        ("Von Jana Döhl/dpa", "Jana Döhl"),
        ("Von Jana Döhl, Berlin", "Jana Döhl"),
        ("Von unserer Korrespondentin Jana Döhl", "Jana Döhl"),
        ("Text: Malin Ek Foto: Jo Sund", "Malin Ek"),
        ("Par <b>Luc Morel</b> avec AFP", "Luc Morel"),
        ("Luc Morel et Anne Petit", "Luc Morel, Anne Petit"),
        ("By Jane Doe<span>Political Editor</span>", "Jane Doe"),
        ("By Jane Doe and Bo Wu<br>The Bay Courier", "Jane Doe, Bo Wu"),
        ("<ul><li>Jane Doe<li>Bo Wu</ul>", "Jane Doe, Bo Wu"),
        ("文・写真＝木下陽介", "木下陽介"),
        ("Tereza Malá, redaktorka", "Tereza Malá"),
        ("Posté par Mathilde Roy, le 14 mars 2026", "Mathilde Roy"),
        ("रिपोर्ट: सुनीता वर्मा", "सुनीता वर्मा"),
        ("EcoCult Staff", "EcoCult Staff"),
        ("Jane Doe / Tomás de la Hoz | Mill Post", "Jane Doe, Tomás de la Hoz"),
    ] {
        assert_eq!(author(&format!("<div class=author>{byline}</div>")).as_deref(), Some(names), "{byline}");
    }
    let prep = "<span class=meta-prep-author>Posted on</span> 3 May <span class=author>Jane Doe</span>";
    assert_eq!(author(prep).as_deref(), Some("Jane Doe"));
    assert_eq!(author("<h1>The mill</h1><p>Jana Döhl | 14.03.2023</p>").as_deref(), Some("Jana Döhl"));
    assert_eq!(author("<p>Submitted by <a href=/u/7>Jane Doe</a> on 3 May</p>").as_deref(), Some("Jane Doe"));
}

#[test]
fn a_byline_without_a_name_names_nobody() {
    for byline in [
        "03.11.2026, 14:30 Uhr",
        "Stand: 03.11.2026, 14:30",
        "Publié le 3 novembre 2026 à 14h30",
        "Le 03/11/2026 à 14:30",
        "Publicerad 3 nov 2026 kl. 14.30",
        "3 nov 2026 om 14:30 uur",
        "3. listopadu 2026, 14:30 hod.",
        "Thứ ba, 3/11/2026 - 14:30",
        "Selasa, 3 November 2026 - 14:30 WIB",
        "입력 2026.11.03",
        "الثلاثاء 3 نوفمبر 2026",
        "Źródło: PAP",
        "来源：海港晚报",
        "Kaynak: AA",
    ] {
        assert_eq!(author(&format!("<h1>Ferry again</h1><div class=byline>{byline}</div>")), None, "{byline}");
    }
    for (byline, name) in [
        ("Jane Doe, 3 November 2026", "Jane Doe"),
        ("jdoe · 3 November 2026", "jdoe"),
        ("Post by <b>jdoe</b> » 3 November 2026", "jdoe"),
        ("Quelle: dpa | Jane Osborne, 3. November 2026", "Jane Osborne"),
        ("环球时报新媒体 2026-11-03", "环球时报新媒体"),
        ("Submitted by <a class=username href=/user/7>jdoe</a> on Tue, 11/03/2026 - 14:30", "jdoe"),
    ] {
        let found = author(&format!("<h1>Ferry again</h1><div class=byline>{byline}</div>"));
        assert_eq!(found.as_deref(), Some(name), "{byline}");
    }
    let romanian = "<html lang=ro><h1>Încă o navă</h1><p class=byline>De Ion Popescu</p>";
    assert_eq!(author(romanian).as_deref(), Some("Ion Popescu"));
}

#[test]
fn declared_names_are_without_trade_site_and_signs_between_them() {
    let of = |name: &str| {
        author(&format!(
            "<meta property=og:site_name content='Mill Post'><script type=application/ld+json>\
             {{\"@type\":\"Article\",\"author\":{{\"@type\":\"Person\",\"name\":\"{name}\"}}}}</script>"
        ))
    };
    for (declared, name) in [
        ("Jane Doe | Mill Post", "Jane Doe"),
        ("Jane Doe - Mill Post", "Jane Doe"),
        ("김민수 기자", "김민수"),
        ("王小明、李静", "王小明, 李静"),
        ("Jane Doe, Bo Wu, and Ann Lee", "Jane Doe, Bo Wu, Ann Lee"),
        ("Jane Doe und Bo Wu, Nairobi", "Jane Doe, Bo Wu, Nairobi"),
    ] {
        assert_eq!(of(declared).as_deref(), Some(name), "{declared}");
    }
}

#[test]
fn small_sources_are_read_where_others_are_missing() {
    let site = "<script type=application/ld+json>{\"@type\":\"WebSite\",\"name\":\"Pier Daily\"}</script>";
    assert_eq!(metadata(site).site_name.as_deref(), Some("Pier Daily"));
    let titled = metadata_at("<title>Storm hits coast | Mill Post</title>", "https://www.mill-post.example/a");
    assert_eq!(titled.site_name.as_deref(), Some("Mill Post"));
    let of_item =
        "<p itemprop=publisher itemscope itemtype='https://schema.org/Organization'><b itemprop=name>Pier Daily</b>";
    let item =
        format!("<div itemscope itemtype='https://schema.org/Article'><h1 itemprop=headline>Ferry</h1>{of_item}</div>");
    assert_eq!(metadata(&item).site_name.as_deref(), Some("Pier Daily"));
    assert_eq!(metadata("<meta name=keywords content='قارب، شمال'>").keywords, ["قارب", "شمال"]);
    for head in [
        "<meta name=parsely-tags content='boats,north'>",
        "<meta name=sailthru.tags content='boats, north'><p><a rel=tag href=/t>Oak</a></p>",
    ] {
        assert_eq!(metadata(head).keywords, ["boats", "north"], "{head}");
    }
    let described = |head: &str| metadata(head).description;
    assert_eq!(described("<meta name=description content='&lt;p&gt;A boat.&lt;/p&gt;'>").as_deref(), Some("A boat."));
    assert_eq!(described("<meta name=description content=undefined>"), None);
    let thumbnail = "<script type=application/ld+json>{\"@type\":\"Article\",\"thumbnailUrl\":\"/i.jpg\"}</script>";
    for head in ["<link rel=image_src href=/i.jpg>", "<meta itemprop=image content=/i.jpg>", thumbnail] {
        let found = metadata_at(head, "https://example.com/a");
        assert_eq!(found.image.as_deref(), Some("https://example.com/i.jpg"), "{head}");
    }
    let card =
        metadata("<meta name=parsely-page content='{\"pub_date\":\"2026-11-03T14:30:00Z\",\"author\":\"Jane Doe\"}'>");
    assert_eq!((card.author.as_deref(), card.published.as_deref()), (Some("Jane Doe"), Some("2026-11-03T14:30:00Z")));
    let rdfa = "<h1>Ferry</h1><b property=author typeof=Person><b property=name>Jane Doe</b></b>";
    assert_eq!(author(rdfa).as_deref(), Some("Jane Doe"));
}

#[test]
fn who_checked_turned_or_pictured_a_text_is_not_who_wrote_it() {
    for (byline, names) in [
        (
            "<span>Written by <a href=/a>Jane Doe</a></span> <span>Medically reviewed by <a href=/b>Bo Wu</a></span>",
            "Jane Doe",
        ),
        ("<span>Escrito por <b>Jane Doe</b></span><span>Revisado por <b>Dr. Luis Gil</b></span>", "Jane Doe"),
        ("Autorin: Jane Doe, Medizinisch geprüft von Dr. med. Karl Imhof | Stand: 12.05.2022", "Jane Doe"),
        ("Par Jane Doe, traduit de l'allemand par Anne Petit", "Jane Doe"),
        ("Texto de Jane Doe; fotos de Luis Gil", "Jane Doe"),
        ("Írta: Jane Doe Fotó: Nagy Pál", "Jane Doe"),
        ("Tekst: Jane Doe, zdjęcia: Adam Lis", "Jane Doe"),
        ("Text Jane Doe Foto Sven Ek", "Jane Doe"),
        ("Penulis: Jane Doe, Editor: Budi Tepi", "Jane Doe"),
        ("By JANE DOE Associated Press", "JANE DOE"),
        ("Words and photos by Jane Doe", "Jane Doe"),
        ("Posted on March 4, 2021 in <a href=/n>News</a> by <a href=/u>Jane Doe</a> with 3 comments", "Jane Doe"),
        ("<b>Author</b><i>Jane Doe</i>", "Jane Doe"),
        ("<a href=/authors/doe/>Jane Doe</a> and <a href=/authors/wu/>Bo Wu</a>", "Jane Doe, Bo Wu"),
        ("21. října 2017 &nbsp; Radka Šímová", "Radka Šímová"),
        ("7 сентября 2021, 19:02 &middot; Клавдия Бродова", "Клавдия Бродова"),
        ("Jane Doe · 5 min read · Mar 4, 2021", "Jane Doe"),
        ("Thứ Ba, 08/09/2020 07:15 – Lê Thị Suối", "Lê Thị Suối"),
        ("<span>作者：林浅滩 王木桥</span>", "林浅滩, 王木桥"),
    ] {
        let html = format!("<h1>The footbridge is shut</h1><div>{byline}</div><p>{}", "Long words. ".repeat(30));
        assert_eq!(author(&html).as_deref(), Some(names), "{byline}");
    }
    let romanian = "<html lang=ro><h1>Pasarela</h1><p>Publicat: joi, 16 iunie 2022, ora 9:40, de Ion Popescu</p>";
    assert_eq!(author(romanian).as_deref(), Some("Ion Popescu"));
    let raised = "<div class=authors>Otto Brand<sup>1</sup>, Lise Holm<sup>1,2</sup></div>";
    assert_eq!(author(raised).as_deref(), Some("Otto Brand, Lise Holm"));
    let signed =
        |style: &str| author(&format!("<h1>Piers</h1>{FILLER}<p style='{style}'><strong>Jane Doe</strong></p>"));
    assert_eq!(signed("text-align: right;").as_deref(), Some("Jane Doe"));
    assert_eq!(signed(""), None);
    let guest = "<h1>Piers</h1><p>Posted by admin<p>This is a guest post by Jane Doe, who mends boats.";
    assert_eq!(author(guest).as_deref(), Some("Jane Doe"));
}

#[test]
fn writers_of_other_pages_are_not_that_of_the_page() {
    let page = |byline: &str, rest: &str| {
        let text = "<p>A long text of the page that says more. ".repeat(12);
        author(&format!("<title>Footbridge shut</title><main><h1>Footbridge shut</h1>{byline}{text}</main>{rest}"))
    };
    for rest in [
        "<div class=opinion><div class=card><a href=/1>Why we need fords</a><span class=author>By Gil Moss</span></div></div>",
        "<article><h3><a href=/2>Sawmill reopens</a></h3><p class='byline author'>Gil Moss</p></article>",
        "<a href=/3><h3>Sawmill reopens</h3><span class=author>Gil Moss</span></a>",
        "<div><div><a href=/4>Choir looks for two tenors</a><p>Written by Gil Moss</p></div></div>",
    ] {
        assert_eq!(page("", rest), None, "{rest}");
        assert_eq!(page("<p>By Jane Doe</p>", rest).as_deref(), Some("Jane Doe"), "{rest}");
    }
    let blog = "<p class=t><a href=/5>Posts of few words tell</a><br><b class=author>Gil Moss</b><p class=t><a href=/6>Short</a> <b class=author>Bo Wu</b>";
    assert_eq!(page("", &format!("<div>{blog}</div>")), None);
    let own = "<div><h4>About the writer</h4><a class=author href=/author/doe>Jane Doe</a><p>mends boats</div>";
    assert_eq!(page("", own).as_deref(), Some("Jane Doe"));
}

#[test]
fn several_declared_writers_are_told_apart_by_semicolons_and_in_lists() {
    let meta = |value: &str| author(&format!("<meta name=author content='{value}'>"));
    for value in ["Jane Doe; Bo Wu", "Doe, Jane; Wu, Bo"] {
        assert_eq!(meta(value).as_deref(), Some("Jane Doe, Bo Wu"), "{value}");
    }
    let names = "{\"@type\":\"Article\",\"author\":{\"@type\":\"Person\",\"name\":[\"Jane Doe\",\"Bo Wu\"]}}";
    let html = format!("<script type=application/ld+json>{names}</script>");
    assert_eq!(author(&html).as_deref(), Some("Jane Doe, Bo Wu"));
}

#[test]
fn tags_below_a_page_are_its_keywords_where_it_declares_none() {
    let tags = "<p>Tags: <a rel=tag href=/b>Bridges</a>, <a rel='category tag' href=/t>Timber</a></p>";
    assert_eq!(metadata(tags).keywords, ["Bridges", "Timber"]);
    assert_eq!(metadata(&format!("<meta name=keywords content=oak>{tags}")).keywords, ["oak"]);
    let of_many = format!("<div><div><div>{tags}</div></div></div><div><div><div>{tags}</div></div></div>");
    assert_eq!(metadata(&of_many).keywords, Vec::<String>::new());
}

#[test]
fn what_a_template_left_open_is_no_description() {
    assert_eq!(metadata("<meta name=description content='{{ site.description }}'>").description, None);
    let secure = metadata("<meta property=og:image:secure_url content=https://example.com/i.jpg>");
    assert_eq!(secure.image.as_deref(), Some("https://example.com/i.jpg"));
}

#[test]
fn what_stands_for_a_writer_and_names_nobody() {
    let of = |who: &str| metadata(&format!("<h1>Some headline</h1><p class=author>{who}</p><p>The mill turns.")).author;
    for nobody in [
        "CC BY",
        "PAID CONTENT",
        "Wednesday",
        "Von",
        "zvg",
        "Foto: Jana Berg",
        "Developed By Jane Doe",
        "mill.example/jane",
    ] {
        assert_eq!(of(nobody), None, "{nobody}");
    }
    for (said, who) in [
        ("Post author By Jane Doe", "Jane Doe"),
        ("~ Jane Doe", "Jane Doe"),
        ("Artikel von: Jane Doe", "Jane Doe"),
        ("Recueilli par Jane Doe", "Jane Doe"),
        ("By Jane Doe And Bo Wu", "Jane Doe, Bo Wu"),
        ("By Jane Doe For Millonline", "Jane Doe"),
        ("<a href=/p1>Post</a> by <a class=username href=/u/7>mill23</a> » 3 May 2020", "mill23"),
        (
            "<a href=/p1><span>Beitrag</span></a><span>von <a class=username-coloured href=/u/7>mill7</a></span>",
            "mill7",
        ),
        ("記者林宸誼／即時報導", "林宸誼"),
    ] {
        assert_eq!(of(said).as_deref(), Some(who), "{said}");
    }
    let row =
        metadata("<h1>發票千萬獎開出18張</h1><p>〔記者林宸誼／台北報導〕財政部今天下午將公佈今年統一發票中獎清冊");
    assert_eq!(row.author.as_deref(), Some("林宸誼"));
}
