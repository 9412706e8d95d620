//! Tests of the date of whole pages.

use crate::metadata::tests::{metadata, metadata_at};

#[test]
fn the_table_is_sound() {
    super::super::sources::assert_is_sound(super::DATES);
}

fn published(html: &str) -> Option<String> {
    metadata(html).published
}

/// The date of a page at an address that shows `05/04/2018` or another date below its heading.
fn shown_at(url: &str, head: &str, date: &str) -> Option<String> {
    metadata_at(&format!("{head}<body><h1>Ferry on Sundays again</h1><p>{date}</p><p>Text."), url).published
}

const NOWHERE: &str = "https://example.com/ferry";

#[test]
fn day_and_month_are_told_by_language_and_country() {
    let day_first = Some("2018-04-05");
    let month_first = Some("2018-05-04");
    for (head, expected) in [
        ("<html lang=fr>", day_first),
        ("<html lang=es-MX>", day_first),
        ("<html lang=it>", day_first),
        ("<html lang=pt-BR>", day_first),
        ("<html lang=nl>", day_first),
        ("<html lang=da>", day_first),
        ("<html lang=en-GB>", day_first),
        ("<html lang=en-IN>", day_first),
        ("<html lang=vi>", day_first),
        ("<html lang=en_AU>", day_first),
        ("<html lang=en-US>", month_first),
        ("<html lang=en-PH>", month_first),
        ("<html lang=en>", None),
        ("<html lang=en-CA>", None),
        ("<html>", None),
        ("<meta property=og:locale content=en_GB>", day_first),
        ("<html lang=en-US><meta property=og:locale content=en_GB>", day_first),
        ("<meta http-equiv=content-language content=de-AT>", day_first),
        ("<script type=application/ld+json>{\"@type\":\"Article\",\"inLanguage\":\"en-NZ\"}</script>", day_first),
    ] {
        for date in ["05/04/2018", "5/4/2018", "05-04-2018"] {
            assert_eq!(shown_at(NOWHERE, head, date).as_deref(), expected, "{head} {date}");
        }
    }
}

#[test]
fn the_host_and_other_dates_tell_day_and_month_where_the_language_does_not() {
    let of = |url: &str, head: &str, date: &str| shown_at(url, head, date);
    let day_first = Some("2018-04-05".to_owned());
    let month_first = Some("2018-05-04".to_owned());
    assert_eq!(of("https://www.quayport.co.uk/a", "<html lang=en>", "05/04/2018"), day_first);
    let american = "Posted: 05/04/2018 7:15 PM EDT";
    assert_eq!(of(NOWHERE, "<html lang=en>", american).as_deref(), Some("2018-05-04T19:15:00-04:00"));
    assert_eq!(
        of("https://quayport.co.uk/a", "<html lang=en>", american).as_deref(),
        Some("2018-04-05T19:15:00-04:00")
    );
    assert_eq!(
        of("https://www.quayport.co.uk/a", "<html lang=en-US>", "05/04/2018"),
        day_first,
        "the default of a program"
    );
    assert_eq!(of("https://quayport.us/a", "<html lang=en>", "05/04/2018"), month_first);
    assert_eq!(of("https://quayport.io/a", "<html lang=en>", "05/04/2018"), None);
    assert_eq!(of("https://quayport.com/2018/04/05/a", "<html lang=en>", "05/04/2018"), day_first);
    assert_eq!(of("https://quayport.com/2018/05/a", "<html lang=en>", "05/04/2018"), month_first);
    let modified = "<html lang=en><meta property=article:modified_time content=2018-04-05T10:00:00Z>";
    assert_eq!(of(NOWHERE, modified, "05/04/2018"), day_first);
    for (other, expected) in [
        ("25/04/2018", &day_first),
        ("04/25/2018", &month_first),
        ("16 February 2018", &day_first),
        ("February 16, 2018", &month_first),
        ("25/04/2018</p><p>04/25/2018", &None),
    ] {
        let date = format!("05/04/2018</p><p>Text.</p><p>{other}");
        let found = of(NOWHERE, "<html lang=en>", &date);
        // A date in words, or one that can be read in one way, is found itself where the other one is not.
        assert_eq!(found.filter(|found| found.contains("05")), *expected, "{other}");
    }
    let text = "Le bac traverse de nouveau le fleuve tous les dimanches, et les voyageurs attendent au quai avec leurs vélos \
                pendant que le batelier raconte les histoires de la rivière et de ses crues.";
    let french = format!("05/04/2018</p><p>{text}</p><p>{text}");
    assert_eq!(of(NOWHERE, "<html lang=en-US>", &french), day_first, "no page in English");
}

#[test]
fn declared_dates_are_read_in_the_same_way() {
    let script = "<script type=application/ld+json>{\"@type\":\"Article\",\"datePublished\":\"05/04/2018\"}</script>";
    assert_eq!(published(&format!("<html lang=it>{script}")).as_deref(), Some("2018-04-05"));
    assert_eq!(
        published("<html lang=en-US><meta name=date content='05/04/2018 10:15'>").as_deref(),
        Some("2018-05-04T10:15:00")
    );
    assert_eq!(published("<html lang=en-GB><time datetime='05/04/2018'></time>").as_deref(), Some("2018-04-05"));
}

#[test]
fn a_tip_holds_the_date_of_how_long_ago_it_was() {
    let html =
        "<h1>Storm</h1><p class=post-date><span title='6 May 2021 16:12'>2 hours ago</span></p><p>It rained.</p>";
    assert_eq!(published(html).as_deref(), Some("2021-05-06T16:12:00"));
}

#[test]
fn years_of_two_digits_are_read_where_a_date_is_expected() {
    for (head, date, expected) in [
        ("<html lang=de>", "02.12.19", Some("2019-12-02")),
        ("<html lang=de>", "Von Jane Doe, 02.12.19, 10:15 Uhr", Some("2019-12-02T10:15:00")),
        ("<html lang=fr>", "Publié le 02/12/19", Some("2019-12-02")),
        ("<html lang=en-US>", "Posted 2/12/19", Some("2019-02-12")),
        ("<html lang=ko>", "19.12.02 10:15", Some("2019-12-02T10:15:00")),
        ("<html lang=th>", "2 ธ.ค. 62", Some("2019-12-02")),
        ("<html lang=en>", "3 Aug '15", Some("2015-08-03")),
        ("<html lang=en>", "03-Aug-15", Some("2015-08-03")),
        ("<html lang=en>", "Aug 3, ’15", Some("2015-08-03")),
        ("<html lang=en>", "Version 1.12.19", None),
        ("<html lang=de>", "Tel. 02.12.19.44", None),
        ("<html lang=en>", "Aug 3, 12:15", None),
    ] {
        assert_eq!(shown_at(NOWHERE, head, date).as_deref(), expected, "{date}");
    }
}

#[test]
fn months_are_named_in_the_language_of_the_page() {
    assert_eq!(shown_at(NOWHERE, "<html lang=hr>", "5. listopada 2018.").as_deref(), Some("2018-10-05"));
    assert_eq!(shown_at(NOWHERE, "<html lang=pl>", "5 listopada 2018").as_deref(), Some("2018-11-05"));
    assert_eq!(shown_at(NOWHERE, "<html lang=fa>", "1397/01/16").as_deref(), Some("2018-04-05"));
    assert_eq!(shown_at(NOWHERE, "<html lang=ja>", "R6.5.3").as_deref(), Some("2024-05-03"));
}

#[test]
fn times_of_menus_and_of_other_stories_give_way_to_the_date_at_the_title() {
    let other = "<section class=related><article><h3>Flood</h3><time datetime=2022-01-01></time></article></section>";
    let menu = "<div class=views><a href=/x>Flood</a><time datetime=2022-01-01></time></div>";
    let text = "<p>a<p>b<p>c<p>d<p>e<p>f";
    for html in [
        format!("<article><h1>Storm</h1><p>12 Mar 2021</p>{text}</article>{other}"),
        format!("{menu}<article><h1>Storm</h1><div><time datetime=2021-03-12></time></div>{text}</article>"),
    ] {
        assert_eq!(published(&format!("<title>Storm</title>{html}")).as_deref(), Some("2021-03-12"), "{html}");
    }
}

#[test]
fn a_day_that_the_page_shows_by_itself_goes_before_a_later_declared_one() {
    let page = |declared: &str, shown: &str| {
        let head = format!("<title>Storm</title><meta property=article:published_time content={declared}>");
        published(&format!("{head}<h1>Storm</h1>{shown}<p>a<p>b<p>c")).unwrap()
    };
    let shown = |html| page("2024-08-07T12:00:00Z", html);
    assert_eq!(shown("<p>Dec 30, 2013</p>"), "2013-12-30");
    assert_eq!(shown("<p>Published 30 December 2013</p>"), "2013-12-30");
    for html in [
        "<p>Updated Dec 30, 2013</p>",
        "<p>The storm of Dec 30, 2013 was the worst of its kind</p>",
        "<p>Dec 30, 2013 – Aug 7, 2024</p>",
        "<p>Dec 30, 2033</p>",
    ] {
        assert_eq!(shown(html), "2024-08-07T12:00:00Z", "{html}");
    }
    assert_eq!(page("2024-08-07T00:30:00Z", "<p>Aug 6, 2024</p>"), "2024-08-06T23:30:00-01:00");
}

#[test]
fn answers_and_comments_in_microdata_are_not_the_question() {
    let reply = |property| format!("<li itemprop={property}><b itemprop=datePublished>2018-05-21</b></li>");
    let question = "<h1>Why?</h1><time itemprop=dateCreated datetime=2014-02-04></time><p>a<p>b<p>c<p>d<p>e<p>f";
    for property in ["comment", "acceptedAnswer", "suggestedAnswer", "review"] {
        assert_eq!(published(&format!("{question}<ul>{}</ul>", reply(property))).as_deref(), Some("2014-02-04"));
    }
    let review = "<div itemprop=review itemscope><p>Loud.</p><meta itemprop=datePublished content=2025-12-24></div>";
    assert_eq!(published(&format!("<h1>Kettle</h1>{}{review}", "<p>Boils fast.</p>".repeat(20))), None);
}

#[test]
fn of_several_time_elements_the_one_that_says_published_counts() {
    for times in [
        "<p>Updated <time datetime=2021-05-03></time> Published <time datetime=2019-05-01></time>",
        "<time class=updated datetime=2021-05-03></time><time class='entry-date published' datetime=2019-05-01></time>",
        "<p>Last updated: <time datetime=2021-05-03>3 May 2021</time></p><p>First posted <time datetime=2019-05-01>1 May 2019</time>",
        "<time itemprop=dateModified datetime=2021-05-03></time><time datetime=2019-05-01></time>",
        "<time datetime=2021-05-03></time><time pubdate datetime=2019-05-01></time>",
        "<p>Aktualisiert am <time datetime=2021-05-03>3. Mai 2021</time>, veröffentlicht am <time datetime=2019-05-01>1. Mai 2019</time>",
        "<time datetime=2021-05-03>Published 1 May 2019</time>",
        "<time datetime=2021-05-03>1 May 2019 (updated 3 May 2021)</time>",
        "<nav><time datetime=2021-05-03></time></nav><time datetime=2019-05-01></time>",
        "<blockquote><time datetime=2021-05-03></time></blockquote><time datetime=2019-05-01></time>",
        "<article class=teaser><h3>Other</h3><time datetime=2021-05-03></time></article><time datetime=2019-05-01></time>",
        "<ul><li><h3>Other</h3><time datetime=2021-05-03></time></ul><time datetime=2019-05-01></time>",
        "<div class=comments><time datetime=2021-05-03></time></div><time datetime=2019-05-01></time>",
        "<div class='tweet-embed'><time datetime=2021-05-03></time></div><time datetime=2019-05-01></time>",
    ] {
        let found = published(&format!("<h1>Ferry on Sundays again</h1>{times}"));
        assert_eq!(found.as_deref(), Some("2019-05-01"), "{times}");
    }
}

#[test]
fn a_change_is_no_publication_while_anything_else_says_when_that_was() {
    for html in [
        "<p>Updated 3 May 2021</p><p class=date>Published: 1 May 2019",
        "<p>Updated 3 May 2021</p><p>a<p>b<p>c<p>d<p>e<p>f<p>g<p>h<p>i<p>j<p>k<p>l<p>m<p>Published on 1 May 2019",
        "<p>Updated 3 May 2021</p><script>{\"publishedAt\":\"2019-05-01\"}</script>",
        "<p>3 May 2021</p><p>This article was originally published on 1 May 2019 and has been revised.",
        "<p>Last updated</p><p>3 May 2021</p><p>Published</p><p>1 May 2019",
    ] {
        let found = published(&format!("<h1>Ferry on Sundays again</h1>{html}"));
        assert_eq!(found.as_deref(), Some("2019-05-01"), "{html}");
    }
    let only = metadata("<h1>Ferry on Sundays again</h1><p>Updated 3 May 2021</p><div class=date>9 May 2020</div>");
    assert_eq!(only.published.as_deref(), Some("2021-05-03"));
    assert_eq!(only.sources.published.unwrap().source.name(), "modified");
}

#[test]
fn what_a_builder_declares_at_each_change_is_no_publication() {
    let page = |published: &str, modified: &str| {
        format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"datePublished\":\"{published}\",\"dateModified\":\"{modified}\"}}\
             </script><h1>Ferry on Sundays again</h1><p>May 1, 2019</p>"
        )
    };
    let found = |published_at, modified| published(&page(published_at, modified)).unwrap();
    assert_eq!(found("Jun 24, 2025", "Jun 24, 2025"), "2019-05-01");
    let near = |published_at, modified| published(&page(published_at, modified).replace("2019", "2025")).unwrap();
    assert_eq!(near("May 2, 2025", "May 2, 2025"), "2025-05-01");
    assert_eq!(near("May 2, 2025", "May 3, 2025"), "2025-05-02");
    assert_eq!(near("2025-05-04T10:15:00Z", "2025-05-04T10:15:00Z"), "2025-05-01");
}

#[test]
fn the_day_is_the_one_that_readers_see_and_the_instant_stays() {
    let at = |url: &str, instant: &str, rest: &str| {
        let html =
            format!("<meta property=article:published_time content='{instant}'><h1>Ferry on Sundays again</h1>{rest}");
        metadata_at(&html, url).published.unwrap()
    };
    let of = |instant: &str, rest: &str| at(NOWHERE, instant, rest);
    assert_eq!(of("2022-05-04T03:37:00Z", "<p>May 3, 2022, 11:37 pm"), "2022-05-03T23:37:00-04:00");
    assert_eq!(of("2022-05-04T03:37:00Z", "<p>May 3, 2022"), "2022-05-03T23:37:00-04:00");
    assert_eq!(of("2022-05-03T22:30:00Z", "<p>4 May 2022"), "2022-05-04T00:30:00+02:00");
    assert_eq!(at("https://example.com/2022/05/03/a", "2022-05-04T03:37:00+00:00", ""), "2022-05-03T23:37:00-04:00");
    let zone = "<meta property=article:modified_time content='2022-05-06T10:00:00-05:00'><p>May 3, 2022";
    assert_eq!(of("2022-05-04T03:37:00Z", zone), "2022-05-03T22:37:00-05:00");
    assert_eq!(of("2026-02-15T03:05:48", "<p>Feb 14, 2026 | 9:05 pm"), "2026-02-14T21:05:48-06:00");
    for (instant, rest) in [
        ("2022-05-04T03:37:00Z", ""),
        ("2022-05-04T03:37:00Z", "<p>May 4, 2022"),
        ("2022-05-04T03:37:00Z", "<p>Updated May 3, 2022"),
        ("2022-05-04T13:37:00Z", "<p>May 3, 2022"),
        ("2022-05-04T03:37:00Z", "<p>May 1, 2022"),
        ("2022-05-04T03:37:00+02:00", "<p>May 3, 2022"),
    ] {
        assert_eq!(of(instant, rest), instant, "{rest}");
    }
}

#[test]
fn a_date_in_the_title_is_of_what_it_speaks_of() {
    let html = "<h1>Results of 19.5.2007</h1><p>By Jane Doe | 20 May 2007";
    assert_eq!(published(html).as_deref(), Some("2007-05-20"));
}

#[test]
fn dates_of_members_and_firms_are_not_of_the_page() {
    for before in ["Joined: 3 May 2012", "Registered: 2012-05-03", "Founded: May 3, 2012", "© 3 May 2012"] {
        let html = format!("<h1>Ferry on Sundays again</h1><p>{before}</p><p>1 May 2019");
        assert_eq!(published(&html).as_deref(), Some("2019-05-01"), "{before}");
    }
}

#[test]
fn a_date_in_a_list_below_the_heading_or_far_from_it_is_found() {
    let list = "<h1>Ferry on Sundays again</h1><ul class=meta><li>Jane Doe<li>05.04.18<li>3 comments</ul>";
    assert_eq!(published(list).as_deref(), Some("2018-04-05"));
    let rows = "<p>Text of the page that is long.".repeat(40);
    assert_eq!(
        published(&format!("<h1>Ferry on Sundays</h1>{rows}<p>24. April 2020 | Quay")).as_deref(),
        Some("2020-04-24")
    );
}

#[test]
fn microdata_of_a_question_goes_before_that_of_its_comments() {
    let html = "<h1>Ferry on Sundays again</h1><time itemprop=dateCreated datetime=2018-06-08></time>
        <ul class=comments-list><li class=comment><time itemprop=datePublished>2021-04-08</time></ul>";
    assert_eq!(published(html).as_deref(), Some("2018-06-08"));
}

#[test]
fn boxes_of_page_builders_are_not_beside_the_text() {
    let head = "<meta property=article:published_time content=2022-10-24T12:40:59Z><h1>Ferry on Sundays again</h1>";
    for row in [
        "<div class='elementor-element elementor-widget elementor-widget-post-info'><ul><li><time>8 Oct 2022</time></ul></div>",
        "<div class='post_meta-info w-embed'>8 Oct 2022</div>",
        "<span class='hs_cos_wrapper hs_cos_wrapper_widget hs_cos_wrapper_type_module'>8 Oct 2022</span>",
        "<div class='span12 widget-span widget-type-custom_widget'>8 Oct 2022</div>",
    ] {
        assert_eq!(published(&format!("{head}{row}<p>a<p>b")).as_deref(), Some("2022-10-08"), "{row}");
    }
    for row in [
        "<div class='elementor-widget elementor-widget-sidebar'>8 Oct 2022</div>",
        "<div class=widget>8 Oct 2022</div>",
        "<div class='card card--small'><h3>Other</h3><span>8 Oct 2022</span></div>",
    ] {
        let found = published(&format!("{head}{row}<p>a<p>b"));
        assert_eq!(found.as_deref(), Some("2022-10-24T12:40:59Z"), "{row}");
    }
}

#[test]
fn what_is_declared_for_publication_and_change_alike_gives_way_to_a_day_that_says_published() {
    let page = |published: &str, modified: &str, shown: &str| {
        format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"datePublished\":\"{published}\",\"dateModified\":\"{modified}\"}}\
             </script><h1>Ferry on Sundays again</h1>{shown}"
        )
    };
    let below = format!("{}<p>Published <time>Aug 13, 2025</time>", "<p>Text of the page that is long.".repeat(30));
    let instant = "2025-11-29T12:28:31-05:00";
    assert_eq!(published(&page(instant, instant, &below)).as_deref(), Some("2025-08-13"));
    assert_eq!(published(&page(instant, "2025-12-01T12:00:00Z", &below)).as_deref(), Some(instant));
    let instants = ["2025-12-19T22:02:58.705Z", "2025-12-19T22:02:45.351Z"];
    let shown = |row: &str| published(&page(instants[0], instants[1], row));
    assert_eq!(shown("<div>Dec 18, 2025</div><div>5 min read</div>").as_deref(), Some("2025-12-18"));
    assert_eq!(shown("<div>Dec 20, 2025</div>").as_deref(), Some("2025-12-20T00:02:58+02:00"), "a zone says why");
    assert_eq!(shown("<div>Page updated:</div><div>Dec 18, 2025</div>").as_deref(), Some("2025-12-19T22:02:58Z"));
}

#[test]
fn a_clock_above_the_title_says_what_day_it_is_today() {
    let clock = "<div class=user><time datetime=2026-03-05T12:16:19Z>March 05, 2026, 07:16:19 AM</time></div>";
    let menu = "<p><a href=/a>News</a><p><a href=/b>Forum</a><p><a href=/c>Members</a><p><a href=/d>Help</a>";
    let page = |rest: &str| published(&format!("{clock}{menu}<h1>Ferry on Sundays again</h1>{rest}"));
    assert_eq!(page("<p>Started by Jane, June 04, 2024, 11:23:55 AM").as_deref(), Some("2024-06-04T11:23:55"));
    let text = "The ferry goes on Sundays again, and people wait at the quay with their bicycles. ".repeat(3);
    for start in ["31 October 2023. ", "Berlin, 31 October 2023 – ", "BERLIN (31 October 2023) "] {
        assert_eq!(page(&format!("<p>{start}{text}")).as_deref(), Some("2023-10-31"), "{start}");
    }
    assert_eq!(page(&format!("<p>On 31 October 2023 {text}")).as_deref(), Some("2026-03-05T12:16:19Z"), "of the text");
}

#[test]
fn the_zone_of_the_page_is_the_one_in_which_it_states_the_instant() {
    let page = |instant: &str, rest: &str| {
        let head = format!("<meta property=article:published_time content='{instant}'><h1>Ferry on Sundays again</h1>");
        published(&format!("{head}{rest}")).unwrap()
    };
    let time = "<p>2025年12月18日</p><time datetime=2025-12-19T04:25:38+0500>Dec 19, 2025</time>";
    assert_eq!(page("2025-12-18T23:25:38+00:00", time), "2025-12-19T04:25:38+05:00");
    let change = "<meta property=article:modified_time content=2024-08-05T19:49:50Z><p>20:49, 5 Aug 2024</p>\
                  <time class=date-updated datetime=2024-08-05T19:49:50Z>20:49, 5 Aug 2024</time>";
    assert_eq!(page("2024-08-04T13:23:00Z", change), "2024-08-04T13:23:00Z", "what is shown is the change");
}

#[test]
fn a_meta_element_that_says_date_and_no_more_gives_way_to_the_day_that_is_shown() {
    let page = |key: &str, shown: &str| {
        published(&format!("<meta name={key} content=2022-01-21T15:38:44+01:00><h1>Ferry on Sundays again</h1>{shown}"))
    };
    for shown in ["<p>27.01.2022 News", "<p>Stand: 27.01.2022", "<p>20 January 2022"] {
        assert_ne!(page("date", shown).as_deref(), Some("2022-01-21T15:38:44+01:00"), "{shown}");
        assert_eq!(page("dc.date.issued", shown).as_deref(), Some("2022-01-21T15:38:44+01:00"), "{shown}");
    }
    assert_eq!(page("date", "<p>Updated 27.01.2022").as_deref(), Some("2022-01-21T15:38:44+01:00"));
}

#[test]
fn the_time_of_an_answer_in_an_attribute_is_not_that_of_the_page() {
    let html = "<h1>Ferry on Sundays again</h1><x-app timestamp=1773517920838></x-app>\
                <x-post created-timestamp=2026-03-03T09:47:05.754000+0000></x-post>";
    assert_eq!(published(html).as_deref(), Some("2026-03-03T09:47:05Z"));
}

#[test]
fn an_article_of_wechat_has_its_day_in_a_script() {
    let html = "<h1>Ferry on Sundays again</h1><em id=publish_time></em><script>var nickname = \"Quay\";\nvar ct = \"1659283200\";</script>";
    assert_eq!(published(html).as_deref(), Some("2022-08-01T00:00:00+08:00"));
}

#[test]
fn the_sentence_below_an_entry_says_when_it_was_published() {
    let rest = "and is filed under Boats, Ferries, Harbours. You can follow any responses to this entry through the feed. \
                You can leave a response, or trackback from your own site, as long as the ferry goes.";
    for (sentence, day) in [
        ("This entry was posted on Monday, May 19th, 2010 at 23:03", "2010-05-19T23:03:00"),
        ("Dieser Beitrag wurde am Mittwoch, 19. Mai 2010 um 23:03 Uhr veröffentlicht", "2010-05-19T23:03:00"),
        ("Cet article a été publié le mercredi 19 mai 2010", "2010-05-19"),
        ("Esta entrada fue publicada el 19 de mayo de 2010", "2010-05-19"),
        ("Questo articolo è stato pubblicato il 19 maggio 2010", "2010-05-19"),
        ("Dit bericht werd geplaatst op 19 mei 2010", "2010-05-19"),
        ("Ten wpis został opublikowany 19 maja 2010", "2010-05-19"),
    ] {
        let text = "<p>Text of the page that is long.".repeat(30);
        let html = format!("<h1>Ferry on Sundays again</h1>{text}<p class=postmetadata>{sentence} {rest}");
        assert_eq!(published(&html).as_deref(), Some(day), "{sentence}");
    }
}

/// Dates as sites of many countries show them below a heading: language and region of the page, what stands there, the day.
const SHOWN: [(&str, &str, Option<&str>); 60] = [
    ("en", "Mon Aug 03 12:45:00 EDT 2015", Some("2015-08-03T12:45:00-04:00")),
    ("en", "Posted on August 3rd, 2015 at 12:45 pm", Some("2015-08-03T12:45:00")),
    ("en", "3rd of August 2015", Some("2015-08-03")),
    ("en", "Aug. 3, 2015 12:45 a.m. ET", Some("2015-08-03T00:45:00")),
    ("en", "Monday, 3 August, 2015", Some("2015-08-03")),
    ("en", "03 AUG 2015", Some("2015-08-03")),
    ("en", "2015/08/03", Some("2015-08-03")),
    ("en", "2015.08.03", Some("2015-08-03")),
    ("en-US", "8/3/15", Some("2015-08-03")),
    ("en-GB", "3/8/15", Some("2015-08-03")),
    ("en-GB", "03.08.15", Some("2015-08-03")),
    ("en-AU", "3/08/2015", Some("2015-08-03")),
    ("en-ZA", "2015-08-03 12:45", Some("2015-08-03T12:45:00")),
    ("de", "3. August 2015, 12:45 Uhr", Some("2015-08-03T12:45:00")),
    ("de", "Montag, 03.08.2015", Some("2015-08-03")),
    ("de-AT", "3. Jänner 2015", Some("2015-01-03")),
    ("de-CH", "3.8.2015", Some("2015-08-03")),
    ("de", "Stand: 03.08.2015 12:45", Some("2015-08-03T12:45:00")),
    ("fr", "le 3 août 2015 à 12h45", Some("2015-08-03T12:45:00")),
    ("fr", "Publié le lundi 3 août 2015", Some("2015-08-03")),
    ("fr", "1er août 2015", Some("2015-08-01")),
    ("fr-CA", "3 août 2015", Some("2015-08-03")),
    ("es", "3 de agosto de 2015", Some("2015-08-03")),
    ("es", "Agosto 3, 2015", Some("2015-08-03")),
    ("es", "lunes, 3 agosto 2015 - 12:45", Some("2015-08-03T12:45:00")),
    ("es-AR", "03/08/2015", Some("2015-08-03")),
    ("es", "03-08-15", Some("2015-08-03")),
    ("pt", "3 de Agosto de 2015", Some("2015-08-03")),
    ("pt-BR", "03/08/2015 às 12h45", Some("2015-08-03T12:45:00")),
    ("pt-BR", "Agosto 3, 2015", Some("2015-08-03")),
    ("it", "3 agosto 2015", Some("2015-08-03")),
    ("it", "Lunedì 3 Agosto 2015", Some("2015-08-03")),
    ("it", "03/08/15", Some("2015-08-03")),
    ("nl", "3 aug. 2015 om 12:45", Some("2015-08-03T12:45:00")),
    ("nl", "maandag 3 augustus 2015", Some("2015-08-03")),
    ("nl", "03-08-2015", Some("2015-08-03")),
    ("da", "3. aug 2015", Some("2015-08-03")),
    ("da", "03.08.2015 kl. 12.45", Some("2015-08-03T12:45:00")),
    ("sv", "3 augusti 2015", Some("2015-08-03")),
    ("sv", "2015-08-03 kl 12:45", Some("2015-08-03T12:45:00")),
    ("nb", "3. august 2015", Some("2015-08-03")),
    ("fi", "3.8.2015 klo 12.45", Some("2015-08-03T12:45:00")),
    ("fi", "3. elokuuta 2015", Some("2015-08-03")),
    ("pl", "3 sierpnia 2015", Some("2015-08-03")),
    ("cs", "3. srpna 2015", Some("2015-08-03")),
    ("sk", "3. augusta 2015", Some("2015-08-03")),
    ("hu", "2015. augusztus 3.", Some("2015-08-03")),
    ("hu", "2015.08.03. 12:45", Some("2015-08-03T12:45:00")),
    ("ro", "3 august 2015", Some("2015-08-03")),
    ("tr", "3 Ağustos 2015 Pazartesi", Some("2015-08-03")),
    ("tr", "03.08.2015 12:45", Some("2015-08-03T12:45:00")),
    ("ru", "3 августа 2015, 12:45", Some("2015-08-03T12:45:00")),
    ("ru", "Август 3, 2015", Some("2015-08-03")),
    ("uk", "3 серпня 2015", Some("2015-08-03")),
    ("el", "3 Αυγούστου 2015", Some("2015-08-03")),
    ("ja", "2015年8月3日", Some("2015-08-03")),
    ("ja", "平成27年8月3日", Some("2015-08-03")),
    ("ko", "2015년 8월 3일", Some("2015-08-03")),
    ("vi", "03/08/2015 | 12:45", Some("2015-08-03T12:45:00")),
    ("id", "Senin, 3 Agustus 2015 12:45 WIB", Some("2015-08-03T12:45:00+07:00")),
];

#[test]
fn dates_are_read_as_sites_of_many_countries_show_them() {
    let read = |(language, shown, day): &(&str, &str, Option<&str>)| {
        let found = shown_at(NOWHERE, &format!("<html lang={language}>"), shown);
        (found.as_deref() != *day).then(|| format!("{language} {shown}: {found:?} is not {day:?}"))
    };
    let wrong: Vec<String> = SHOWN.iter().filter_map(read).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn days_of_quoted_messages_and_numbers_of_telephones_are_not_the_pages() {
    let tweet = "<body><h1>What people say</h1><p>Nobody rows in winter, and so it was this year.</p><blockquote class=twitter-tweet><p>Never \
                 again.</p>&mdash; Ada <a href=/1>May 3, 2020</a></blockquote><p>Others row every day.";
    assert_eq!(published(tweet), None);
    let ruling = "<meta name=date content=2020-12-11><body><h1>Urteil zum Liegeplatz</h1><p>Az.: 4 K 112/19 · Telefon 0431 / 20-11-2018</p>";
    assert_eq!(published(ruling).as_deref(), Some("2020-12-11"));
}

#[test]
fn days_of_which_the_text_tells_are_not_the_pages() {
    for row in [
        "<p>On 12 March 2019, the old pier burned down.",
        "<p>Am 12. März 2019 brannte die alte Mole ab.",
        "<p>The next meeting will be held on 12 March 2027 at 7 pm in the town hall.",
        "<table><tr><th>Built<td>12 March 2019<tr><th>Length<td>120 m</table>",
        "<ol><li>Pier Daily. \"Boats\". 12 March 2019.</ol>",
        "<p><b>John Pier</b> (12 March 1969 – 4 May 2019) was a harbour master.",
        "<ul><li>12-13 December 2026</ul>",
        "<p>Du 12 au 13 décembre 2026",
        "<p>Closing date: 15 January 2027",
        "<p>Bewerbungsschluss: 15. Januar 2027",
        "<p>报名截止时间：2027-01-15",
        "<p>日時：2026年12月12日（土）10:00～",
        "<div><a href=/x>The bakery reopens after the flood</a> <span>12 October 2026</span></div>",
    ] {
        assert_eq!(published(&format!("<h1>Ferry on Sundays again</h1>{row}")), None, "{row}");
    }
    for row in [
        "<p>PARIS, 3 Nov 2026 – The ferry company will run an additional boat.",
        "<p><b>HULL, England, Nov. 3, 2026 /Newswire/ -- </b>The ferry company said today that it will run an additional boat.",
        "<p>By Jane Doe, Nov 3, 2026 at 10:15 p.m.",
        "<table><tr><th>Date<td>3 Nov 2026</table>",
        "<p>On 12 March 2019, the old pier burned down.<p>3 Nov 2026",
    ] {
        let found = published(&format!("<h1>Ferry on Sundays again</h1>{row}"));
        assert_eq!(found.as_deref().map(|day| &day[..10]), Some("2026-11-03"), "{row}");
    }
}

#[test]
fn days_of_comments_teasers_and_events_are_not_those_of_an_undated_page() {
    for rest in [
        "<aside><ul><li><a href=/x>Bakery</a> <time datetime=2026-10-11>11 October 2026</time></ul></aside>",
        "<section id=comments><li class=comment><b>Ann</b> <time datetime=2026-10-02>2 October 2026</time></section>",
        "<div><div class=card><h3><a href=/x>Bakery reopens</a></h3><time datetime=2026-10-12>12 October</time></div></div>",
        "<div class='widget widget_recent_entries'><ul><li><a href=/n>Choir</a> <span class=post-date>12 October 2026</span></ul></div>",
        "<div class=events><ul><li><time datetime=2026-12-12>12 Dec</time> <a href=/e>Concert</a></ul></div>",
        "<div class=card data-date=2026-10-12><a href=/x>Bakery reopens</a></div>",
    ] {
        let html = format!("<h1>Ferry on Sundays again</h1>{}{rest}", "<p>Text of the page that is long.".repeat(15));
        assert_eq!(published(&html), None, "{rest}");
    }
    let bar = "<article><h1>Ferry on Sundays again</h1><div class=sidebar><p class=date>12 October 2026</div><p>Text.</article>";
    assert_eq!(published(bar).as_deref(), Some("2026-10-12"));
    for ago in ["3 hours ago", "Publicerad idag 14:30", "3時間前", "vor 3 Stunden"] {
        let html = format!(
            "<h1>Ferry on Sundays again</h1><p>{ago}</p><p>Text.<div><a href=/x>Bakery</a> 12 October 2026</div>"
        );
        assert_eq!(published(&html), None, "{ago}");
    }
}

#[test]
fn a_day_that_says_published_goes_before_one_behind_other_words_and_days_of_a_paper() {
    for rows in [
        "<p>Lastmod 5 November 2026</p><p>Published 3 November 2026",
        "<p>Dernière mise à jour : 5 novembre 2026</p><p>Publié le 3 novembre 2026",
        "<p>Atnaujinta 2026-11-05</p><p>Paskelbta 2026-11-03",
        "<p>更新时间：2026-11-05</p><p>发布时间：2026-11-03",
        "<p>Received: 3 March 2025 / Revised: 9 July 2026 / Accepted: 20 October 2026 / Published: 3 November 2026",
        "<p>收稿日期：2025-03-03\u{3000}出版日期：2026-11-03",
        "<p>Closing date: 15 January 2027<p>Posted: 3 November 2026",
        "<p>3 November 2026<p>Published: 4 May 2019",
        "<p>By Jane Doe, 3 November 2026<p>The book, published on 3 May 2019, tells of the sea and of boats.",
    ] {
        let found = published(&format!("<h1>Ferry on Sundays again</h1>{rows}"));
        assert_eq!(found.as_deref(), Some("2026-11-03"), "{rows}");
    }
}

#[test]
fn days_of_events_visits_calendars_and_other_pages_are_not_those_of_the_page() {
    for rest in [
        "<p>Saturday, April 20, 2024, 10 am – 4 pm</p>",
        "<p>Beginn: Samstag, 14.09.2024, 10:00 Uhr</p>",
        "<p>Check-in 12 May 2024 · Check-out 14 May 2024</p>",
        "<p>Next meeting: Tuesday 12 March 2024, 7 pm</p>",
        "<p>Leeds, Monday 4 March 2024 9°C</p>",
        "<p>Today is Monday, 4 March 2024</p>",
        "<p>Text.<table><tr><td>4 March 2024<td>5 March 2024</table>",
        "<p>Text.<div><a href=/p>← Older: Sawmill reopens after the flood (April 2, 2020)</a></div>",
    ] {
        assert_eq!(published(&format!("<h1>Ferry on Sundays again</h1>{rest}")), None, "{rest}");
    }
}

#[test]
fn how_long_ago_a_page_was_published_has_its_day_in_an_attribute() {
    for ago in [
        "<span title='2021-08-19 14:05:00'>2 years ago</span>",
        "<relative-time datetime=2021-08-19T14:05:00>2 years ago</relative-time>",
        "<b data-timestamp=1629381900>2 years ago</b>",
    ] {
        let found = published(&format!("<h1>Ferry on Sundays again</h1><p>{ago}</p><p>Text."));
        assert_eq!(found.as_deref().map(|day| &day[..10]), Some("2021-08-19"), "{ago}");
    }
}

#[test]
fn small_sources_of_dates_are_read_where_others_are_missing() {
    let ld = |json: &str| format!("<title>Ferry</title><script type=application/ld+json>{json}</script><h1>Ferry</h1>");
    for html in [
        ld("{\"@type\":\"VideoObject\",\"name\":\"Ferry\",\"uploadDate\":\"2021-10-07\"}"),
        ld(
            "{\"@type\":\"JobPosting\",\"title\":\"Ferryman\",\"datePosted\":\"2021-10-07\",\"validThrough\":\"2021-12-01\"}",
        ),
        "<meta property=bt:pubDate content=2021-10-07>".to_owned(),
        "<meta name=weibo:article:create_at content='2021-10-07 10:20:11'>".to_owned(),
        "<h1>Ferry</h1><p class=pubdate>20211007".to_owned(),
        "<html lang=es><h1>Ferry</h1><p>Actualizado 09/10/2021 10:22 · Creado: 07/10/2021".to_owned(),
        "<h1>Ferry</h1><article><footer class=meta>7. října 2021 &nbsp; Radka Šímová</footer><p>Text</article>"
            .to_owned(),
        "<h1>Ferry</h1><p>Oct-07-2021".to_owned(),
        "<h1>Ferry</h1><p>2021 оны 10 сарын 7".to_owned(),
    ] {
        assert_eq!(published(&html).as_deref().map(|day| &day[..10]), Some("2021-10-07"), "{html}");
    }
}

#[test]
fn a_page_within_a_form_or_a_label_has_its_date() {
    let rest = "<p>The ferry runs again.</p><ul><li>North pier<li>South pier<li>Lighthouse</ul>";
    for (start, end) in [("<form id=aspnetForm>", "</form>"), ("<label>", "</label>"), ("<article>", "</article>")] {
        let html = format!("<h1>Ferry on Sundays again</h1>{start}<p class=date>7 October 2021</p>{rest}{end}");
        assert_eq!(published(&html).as_deref(), Some("2021-10-07"), "{start}");
    }
    let small = "<h1>Ferry on Sundays again</h1><p>The ferry runs again.</p><form><p class=date>7 October 2021</form>";
    assert_eq!(published(&format!("{small}<ul><li>North pier<li>South pier<li>Lighthouse<li>Harbour</ul>")), None);
}

#[test]
fn the_line_of_a_teaser_without_a_page_dates_this_one() {
    let at = |meta: &str| published(&format!("<h1>Ferry on Sundays again</h1>{meta}<p>The ferry runs again."));
    let line = "<div class=teaser__meta>By <a href=/jane>Jane Doe</a> on 7 October 2021</div>";
    assert_eq!(at(line).as_deref(), Some("2021-10-07"));
    let other =
        "<div class=teaser><a href=/o>The old pier burned down</a> <span class=date>7 October 2021</span></div>";
    assert_eq!(at(other), None);
}

#[test]
fn a_declared_day_tells_which_number_is_the_month() {
    let head = "<html lang=de><meta property=article:published_time content=2018-05-04T10:00:00Z>";
    assert_eq!(shown_at(NOWHERE, head, "05/04/2018").as_deref(), Some("2018-05-04T10:00:00Z"));
    let declared = "<html lang=en><meta property=article:published_time content='Tue, 07/11/2023 - 17:57'>";
    let changed = "<meta property=article:modified_time content='Fri, 07/14/2023 - 10:30'>";
    assert_eq!(shown_at(NOWHERE, &format!("{declared}{changed}"), "").as_deref(), Some("2023-07-11T17:57:00"));
    // The month of an address says less than the sign between the numbers.
    let monthly = "https://example.com/2018/05/ferry";
    assert_eq!(shown_at(monthly, "<html lang=de>", "05.04.2018").as_deref(), Some("2018-04-05"));
    assert_eq!(shown_at(monthly, "<html lang=de>", "05/04/2018").as_deref(), Some("2018-05-04"));
}

#[test]
fn a_short_day_with_dots_is_no_version_where_days_are_written_so() {
    for shown in ["4.3.21", "4.3.21, 09:12 Uhr", "Lena Ott, 4.3.21"] {
        let found = shown_at(NOWHERE, "<html lang=de>", shown);
        assert_eq!(found.as_deref().map(|day| &day[..10]), Some("2021-03-04"), "{shown}");
    }
    for (language, shown) in [("en", "4.3.21"), ("de", "Version 4.3.21"), ("de", "4.3.21.7")] {
        assert_eq!(shown_at(NOWHERE, &format!("<html lang={language}>"), shown), None, "{shown}");
    }
}

#[test]
fn the_title_is_found_among_the_rows_whatever_signs_are_hidden_in_it() {
    let html = "<title>Harbour - Ferry on Sundays again</title><h2>Menu</h2><p>1<p>2<p>3<p>4<p>5<p>6<p>7<p>8<p>9<p>10<p>11<p>12
        <h1>Harbour <span style='display:none'>-</span> Ferry on Sundays again</h1><p>By Jane Doe on 7 October 2021";
    assert_eq!(published(html).as_deref(), Some("2021-10-07"));
}

#[test]
fn what_time_it_is_for_visitors_and_since_when_somebody_writes_dates_no_page() {
    for row in [
        "Aktuelle Zeit: 14.10.2020, 12:18",
        "It is currently Wed Oct 14, 2020 12:18 pm",
        "The time now is 14 October 2020",
    ] {
        let html = format!(
            "<p class=time>{row}</p><h1>Ferry on Sundays again</h1><p class=author>Post by Jo &raquo; 7 October 2021"
        );
        assert_eq!(published(&html).as_deref(), Some("2021-10-07"), "{row}");
    }
    let joined =
        "<h1>Ferry on Sundays again</h1><span class=joinDate title='10:46 AM - 20 Mar 2007'>Joined March 2007</span>";
    assert_eq!(published(joined), None);
}

#[test]
fn a_box_beside_the_text_may_say_its_date() {
    let html =
        "<h1>Ferry on Sundays again</h1><aside><dl><dt>Date</dt><dd>7 October 2021</dd></dl></aside><p>It runs again.";
    assert_eq!(published(html).as_deref(), Some("2021-10-07"));
}
