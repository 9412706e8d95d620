use gristmill_html::{Doc, TreeLimits};

use super::*;

fn read(html: &str, answer: &UsageHeaders) -> Rights {
    let doc = Doc::parse(html, &TreeLimits::default());
    Rights::of(&Page::new(&doc), Some("https://mill.example/a/b"), "gristmill", answer)
}

fn of_page(html: &str) -> Rights {
    read(html, &UsageHeaders::default())
}

#[test]
fn a_page_that_says_nothing_has_nothing() {
    assert!(of_page("<p>Rye is a grass.").is_empty());
    assert!(of_page("").is_empty());
}

#[test]
fn directives_that_limit_are_kept_as_they_are_and_those_for_others_are_not() {
    let html = "<meta name=robots content='INDEX, follow, max-snippet: 50; max-video-preview:-1, noai noimageai'>
        <meta name=otherbot content=noarchive><meta name=Gristmill content='nosnippet, noai'>";
    let tags = ["otherbot: noarchive, gristmill: noimageindex".to_owned(), "unavailable_after: 2030-01-01".to_owned()];
    let rights = read(html, &UsageHeaders { robots_tags: tags.to_vec(), ..UsageHeaders::default() });
    let expected = ["max-snippet:50", "noai", "noimageai", "nosnippet", "noimageindex", "unavailable_after:2030-01-01"];
    assert_eq!(rights.robots, expected);
    let many: String = (0..1_000).map(|n| format!("no{n},")).collect();
    assert_eq!(of_page(&format!("<meta name=robots content='{many}'>")).robots.len(), 32);
}

#[test]
fn the_word_of_the_page_goes_before_that_of_the_server() {
    let answer = UsageHeaders {
        tdm_reservation: Some("1".into()),
        tdm_policy: Some("/terms.json".into()),
        ..UsageHeaders::default()
    };
    let server = read("<p>x", &answer);
    assert_eq!(
        (server.tdm_reserved, server.tdm_policy.as_deref()),
        (Some(true), Some("https://mill.example/terms.json"))
    );
    let page = read("<meta name=tdm-reservation content=0>", &answer);
    assert_eq!((page.tdm_reserved, page.tdm_policy), (Some(false), None));
    let invalid = read(
        "<meta name=TDM-Reservation content=yes>",
        &UsageHeaders { tdm_reservation: Some(" 1 ".into()), ..answer },
    );
    assert_eq!(invalid.tdm_reserved, Some(true));
    assert_eq!(of_page("<meta name=tdm-policy content=https://a.example/>").tdm_policy, None, "nothing is reserved");
    let odd = "<meta name=tdm-reservation content=1><meta name=tdm-policy content=javascript:x>";
    assert_eq!((of_page(odd).tdm_reserved, of_page(odd).tdm_policy), (Some(true), None));
}

#[test]
fn a_licence_is_found_where_pages_state_it() {
    let cc = "https://creativecommons.org/licenses/by-sa/4.0/";
    for html in [
        format!("<link rel='license' href={cc}>"),
        format!("<p>Under <a rel='nofollow License' href={cc}>this</a>"),
        format!("<script type=application/ld+json>{{\"@type\":\"Article\",\"license\":\"{cc}\"}}</script>"),
        format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"license\":{{\"@type\":\"CreativeWork\",\"url\":\"{cc}\"}}}}</script>"
        ),
        format!("<meta name=dc.rights content='Some rights reserved: {cc}'>"),
        format!("<footer><div><a href={cc}><img></a> <a href={cc}deed.en>CC</a></div></footer>"),
    ] {
        let rights = of_page(&html);
        assert_eq!(rights.licence.as_deref(), Some("cc-by-sa-4.0"), "{html}");
        assert_eq!(rights.licence_url.as_deref(), Some(cc), "{html}");
    }
    let other = of_page("<link rel=license href=/copyleft.html>");
    assert_eq!(other.licence.as_deref(), Some("https://mill.example/copyleft.html"));
    let named = of_page("<script type=application/ld+json>{\"@type\":\"Article\",\"license\":\"Own  terms\"}</script>");
    assert_eq!((named.licence.as_deref(), named.licence_url), (Some("Own terms"), None));
}

#[test]
fn the_licence_of_a_picture_or_of_something_else_is_not_that_of_the_page() {
    let by = "https://creativecommons.org/licenses/by/2.0/";
    for html in [
        format!("<figure><img><figcaption><a rel=license href={by}>CC</a></figcaption></figure>"),
        format!("<p>Picture: <a href={by}>CC</a>"),
        format!("<script type=application/ld+json>{{\"@type\":\"ImageObject\",\"license\":\"{by}\"}}</script>"),
        format!(
            "<footer><a href={by}>Text</a> <a href=https://creativecommons.org/publicdomain/zero/1.0/>Data</a></footer>"
        ),
        "<p>rel=license <a rel=item-license href=#x>x</a>".to_owned(),
    ] {
        assert_eq!(of_page(&html).licence, None, "{html}");
    }
}

#[test]
fn addresses_of_creative_commons_have_short_names() {
    for (address, name) in [
        ("http://creativecommons.org/licenses/by-nc-sa/3.0/de/deed.de", "cc-by-nc-sa-3.0-de"),
        ("//www.CreativeCommons.org/licenses/BY/4.0", "cc-by-4.0"),
        ("https://creativecommons.org/licenses/by-nd/4.0/?ref=x", "cc-by-nd-4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/deed.en", "cc0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "cc-pdm-1.0"),
        ("https://creativecommons.org/licenses/by/", "cc-by"),
        ("https://web.archive.org/web/2016/http://creativecommons.org/licenses/by-nc/3.0/?x=http://y", "cc-by-nc-3.0"),
    ] {
        assert_eq!(creative_commons(address).as_deref(), Some(name), "{address}");
    }
    for address in
        ["https://creativecommons.org/", "https://creativecommons.org/licenses/", "https://x.org/licenses/by/4.0"]
    {
        assert_eq!(creative_commons(address), None, "{address}");
    }
}

#[test]
fn the_notice_is_the_last_row_that_is_one() {
    let page = |footer: &str| of_page(&format!("<p>In 2019 copyright law changed.</p><p>More text here.</p>{footer}"));
    for (footer, notice) in [
        ("<footer>© 2024  The\n Mill</footer>", "© 2024 The Mill"),
        ("<p>Copyright © The Mill", "Copyright © The Mill"),
        ("<p>The Mill (c) 1999-2004", "The Mill (c) 1999-2004"),
        ("<p>版权所有 磨坊", "版权所有 磨坊"),
        ("<p>2020 The Mill. All rights reserved.<p>Imprint", "2020 The Mill. All rights reserved."),
    ] {
        assert_eq!(page(footer).copyright.as_deref(), Some(notice), "{footer}");
    }
    for other in ["All rights reserved for kings.", "Copyright Office Weighs In on Mills", "Copyright", "©"] {
        assert_eq!(of_page(&format!("<p>{other}")).copyright, None, "{other}");
    }
    let meta = of_page("<meta name=Copyright content='The Mill'><p>x");
    assert_eq!(meta.copyright.as_deref(), Some("The Mill"));
    let held = "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"copyrightYear\":\"2024\",
        \"copyrightHolder\":{\"@type\":\"Organization\",\"name\":\"The Mill\"}}</script>";
    assert_eq!(of_page(held).copyright.as_deref(), Some("© 2024 The Mill"));
    let long = "x".repeat(2_000);
    assert_eq!(of_page(&format!("<footer>© 2024 {long}</footer>")).copyright, None);
}

proptest::proptest! {
    #[test]
    fn any_page_has_an_answer(html in ".{0,400}", value in ".{0,60}") {
        let said = Some(value.clone());
        let answer = UsageHeaders { robots_tags: vec![value.clone()], tdm_reservation: said.clone(), tdm_policy: said };
        let rights = read(&html, &answer);
        let json = serde_json::to_string(&rights).unwrap();
        proptest::prop_assert_eq!(serde_json::from_str::<Rights>(&json).unwrap(), rights);
        creative_commons(&value);
    }
}
