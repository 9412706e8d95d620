//! What the pass over a page finds, by the page.

use cpu_time::ThreadTime;
use gristmill_fetch::{PageLinks, Rel, ScanLimits, scan, scan_with};
use proptest::prelude::*;

const BASE: &str = "http://a.test/dir/page.html";

fn hrefs(html: &str) -> Vec<String> {
    scan(html, BASE).anchors.into_iter().map(|anchor| anchor.href).collect()
}

fn texts(html: &str) -> Vec<String> {
    scan(html, BASE).anchors.into_iter().map(|anchor| anchor.text).collect()
}

#[test]
fn targets_are_found_in_every_spelling_of_a_tag() {
    for (html, href) in [
        ("<a href=x>", "x"),
        ("<A HREF='x'>", "x"),
        ("<a\nhref\n=\n\"x\"\n>", "x"),
        ("<a class=b href=\" x \">", "x"),
        ("<a/href=x>", "x"),
        ("<a href=x href=y>", "x"),
        ("<a title='>' href=x>", "x"),
        ("<a href=\"?a=1&amp;b=2&copy=3\">", "?a=1&b=2&copy=3"),
        ("<a href=x/>", "x/"),
        ("<area href=x>", "x"),
        ("<noscript><a href=x></noscript>", "x"),
        ("<svg><a href=x></svg>", "x"),
        ("<svg><style/><a href=x></svg>", "x"),
        ("<b><a href=x", ""),
        ("<a href=\"x>", ""),
    ] {
        let expected: &[&str] = if href.is_empty() { &[] } else { &[href] };
        assert_eq!(hrefs(html), expected, "{html}");
    }
}

#[test]
fn what_only_looks_like_a_link_is_skipped() {
    for html in [
        "<!-- <a href=x> -->",
        "<script>'<a href=x>'</script>",
        "<script><!-- <script></script> <a href=x> --></script>",
        "<style>/* <a href=x> */</style>",
        "<title><a href=x></title>",
        "<textarea><a href=x></textarea>",
        "<iframe><a href=x></iframe>",
        "<noframes><a href=x></noframes>",
        "<template><a href=x></template>",
        "<xmp><a href=x></xmp>",
        "<plaintext><a href=x>",
        "<abbr href=x>",
        "<a name=x>",
        "<a href=#top>",
        "<a href=''>",
        "<a href='JavaScript:go()'>",
        "<a href=mailto:x@a.test>",
        "< a href=x>",
    ] {
        assert_eq!(hrefs(html), [""; 0], "{html}");
    }
}

#[test]
fn the_words_of_a_link_are_its_text_without_tags() {
    for (html, text) in [
        ("<a href=x> Two \n <b>w</b>ords </a>", "Two words"),
        ("<a href=x>one<br>two<p>three</a>", "one two three"),
        ("<a href=x>R&amp;D &#20013;</a>", "R&D 中"),
        ("<a href=x><img alt=' A  hill '></a>", "A hill"),
        ("<a href=x><img alt=hill>Words</a>", "Words"),
        ("<a href=x><script>no()</script>yes</a>", "yes"),
        ("<a href=x><!-- no -->yes", "yes"),
        ("<a href=x>1 < 2</a>", "1 < 2"),
        ("<area alt='East wing' href=x>", "East wing"),
        ("<a href=x></a>", ""),
    ] {
        assert_eq!(texts(html), [text], "{html}");
    }
}

#[test]
fn a_link_inside_a_link_ends_the_outer_one() {
    assert_eq!(texts("<a href=x>one<a href=y>two</a>three"), ["one", "two"]);
    assert_eq!(texts("<a href=x>one<a name=n>two</a>three"), ["one"]);
    assert_eq!(texts("<a href=x>one<area href=y alt=two>three</a>"), ["two", "one three"]);
}

#[test]
fn rel_is_read_word_by_word() {
    let links = scan("<a rel='noopener NoFollow ugc' href=x><a rel=sponsored href=y><a rel=follow href=z>", BASE);
    let rels: Vec<Rel> = links.anchors.iter().map(|anchor| anchor.rel).collect();
    assert_eq!(rels[0], Rel { nofollow: true, ugc: true, sponsored: false });
    assert_eq!(rels[1], Rel { sponsored: true, ..Rel::default() });
    assert_eq!(rels[2], Rel::default());
}

#[test]
fn the_first_base_counts_wherever_it_stands() {
    let links = scan("<a href=x><base href='../other/'><base href=/no/>", BASE);
    assert_eq!(links.base.as_ref().unwrap().as_str(), "http://a.test/other/");
    assert_eq!(links.resolve("x").unwrap().as_str(), "http://a.test/other/x");
    assert_eq!(scan("<base href='data:,x'>", BASE).base.unwrap().as_str(), BASE);
    assert_eq!(links.resolve("ftp://a.test/"), None);
}

#[test]
fn the_head_of_a_page_is_read() {
    let links = scan(
        "<link rel='canonical nofollow' href=/c><link rel=canonical href=/d>\
         <link rel=alternate type=application/rss+xml title='All &amp; more' href=/rss>\
         <link rel=alternate type='application/ATOM+xml' href=/atom><link rel=alternate hreflang=de href=/de>\
         <link rel=sitemap href=/map.xml><meta name=Robots content='NOINDEX,follow'>\
         <meta name=gristmill content=nofollow><meta name=otherbot content=none>\
         <frame src=/f1><iframe src=/f2></iframe><iframe src='javascript:0'></iframe>",
        BASE,
    );
    assert_eq!(links.canonicals, ["/c", "/d"]);
    let feeds: Vec<_> = links.feeds.iter().map(|feed| (feed.href.as_str(), feed.title.as_str())).collect();
    assert_eq!(feeds, [("/rss", "All & more"), ("/atom", "")]);
    assert_eq!(links.sitemaps, ["/map.xml"]);
    assert!(links.noindex && links.nofollow);
    assert_eq!(links.frames, ["/f1", "/f2"]);
}

#[test]
fn an_object_is_a_frame_where_its_type_is_that_of_a_page() {
    let html = "<object data=/a type=text/html></object><embed src=/b type='TEXT/HTML'><object data=/c.swf></object>\
        <object data=/d type=application/pdf></object><object data='javascript:x' type=text/html></object>";
    assert_eq!(scan(html, BASE).frames, ["/a", "/b"]);
}

#[test]
fn a_script_leads_on_where_no_refresh_does() {
    let script = "<script>location.href = '/by-script'</script>";
    let meta = "<meta http-equiv=refresh content='0; url=/by-meta'>";
    for (html, target, by_script) in [
        (script.to_owned(), "/by-script", true),
        (format!("<noscript>{meta}</noscript>{script}"), "/by-script", true),
        (format!("{script}<noscript>{meta}</noscript>"), "/by-script", true),
        (format!("{meta}{script}"), "/by-meta", false),
        (format!("{script}{meta}"), "/by-meta", false),
        ("<body onload=\"location.replace(&#39;/by-script&#39;)\">".to_owned(), "/by-script", true),
    ] {
        let refresh = scan(&html, BASE).refresh.unwrap();
        assert_eq!((refresh.target.as_str(), refresh.by_script), (target, by_script), "{html}");
    }
    assert_eq!(scan(&format!("<template>{script}</template>"), BASE).refresh, None);
}

#[test]
fn a_refresh_is_read_as_browsers_read_it() {
    for (content, expected) in [
        ("5; url=/x", Some((5, "/x"))),
        ("0;URL='/x y' rest", Some((0, "/x y"))),
        ("0,/x", Some((0, "/x"))),
        ("1.5 url = /x", Some((1, "/x"))),
        (".5;url=/x", Some((0, "/x"))),
        ("99999999999;url=/x", Some((u32::MAX, "/x"))),
        ("5", None),
        ("url=/x", None),
        ("", None),
    ] {
        let links = scan(&format!("<meta http-equiv=refresh content=\"{content}\">"), BASE);
        let found = links.refresh.as_ref().map(|refresh| (refresh.seconds, refresh.target.as_str()));
        assert_eq!(found, expected, "{content}");
    }
}

#[test]
fn limits_bound_what_is_kept_and_say_so() {
    let limits = ScanLimits {
        max_anchors: 3,
        max_anchor_chars: 5,
        max_text_bytes: 8,
        max_href_bytes: 4,
        ..ScanLimits::default()
    };
    let html = "<a href=1>one two</a><a href=toolong>x</a><a href=2>three</a><a href=3>four</a><a href=4>five</a>";
    let links = scan_with(html, BASE, &limits);
    let found: Vec<_> = links.anchors.iter().map(|anchor| (anchor.href.as_str(), anchor.text.as_str())).collect();
    assert_eq!(found, [("1", "one t"), ("2", "three"), ("3", "")]);
    assert!(links.truncated);
    assert!(!scan("<a href=x>", BASE).truncated);
}

#[test]
fn hostile_shapes_cost_linear_time() {
    let begun = ThreadTime::now();
    for piece in [
        "<",
        "<!--",
        "<a href=x>",
        "<a ",
        "<a href=\"",
        "</",
        "<script>",
        "<script><!--",
        "<title>",
        "&",
        "<svg><![CDATA[",
        "=",
        "<a <a href='",
    ] {
        let _ = scan(&piece.repeat(4_000_000 / piece.len()), BASE);
        let _ = scan(&format!("<a href=x>{}", piece.repeat(4_000_000 / piece.len())), BASE);
    }
    // Some 100 MB in all: seconds when linear even without optimisation, hours when not.
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn nothing_at_all_is_a_page_too() {
    assert_eq!(scan("", "no url"), PageLinks::default());
}

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<a href=x>"),
        Just("<a href='y z'>"),
        Just("</a>"),
        Just("<!--"),
        Just("-->"),
        Just("--!>"),
        Just("<script>"),
        Just("</script>"),
        Just("<style>"),
        Just("</style>"),
        Just("<title>"),
        Just("</title"),
        Just("<svg>"),
        Just("</svg>"),
        Just("<![CDATA["),
        Just("]]>"),
        Just("<img alt=q>"),
        Just("&amp;"),
        Just("&#x"),
        Just("<base href=/b>"),
        Just("\""),
        Just("'"),
        Just(">"),
        Just("<"),
        Just("/"),
        Just("="),
        Just("文"),
        Just(" word "),
        Just("<meta http-equiv=refresh content="),
        Just("<template>"),
        Just("</template>"),
        Just("<area href=k>"),
        Just("\0"),
        Just("<plaintext>"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_bounded_clean_links(html in prop_oneof![".{0,300}", soup()]) {
        let links = scan(&html, BASE);
        prop_assert!(links.anchors.len() <= html.len() / 4 + 1);
        for anchor in &links.anchors {
            prop_assert!(!anchor.href.is_empty());
            prop_assert!(anchor.text.chars().count() <= 301);
            prop_assert_eq!(anchor.text.trim(), &anchor.text);
            prop_assert!(!anchor.text.contains("  "));
        }
    }

    #[test]
    fn links_between_closed_pieces_are_all_found(n in 0usize..30, filler in "[a-z &;'=!-]{0,20}") {
        let html: String = (0..n).map(|i| format!("<p>{filler}</p><a href=/{i}>{i}</a><br>")).collect();
        let found = hrefs(&html);
        prop_assert_eq!(found, (0..n).map(|i| format!("/{i}")).collect::<Vec<_>>());
    }
}
