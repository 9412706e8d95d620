//! The canonical form, rule by rule, and its fixed point for any input.

use gristmill_urls::{CanonicalOptions, CanonicalUrl, Url, UrlError, UrlKey};
use proptest::prelude::*;

fn canonical(input: &str) -> String {
    CanonicalUrl::parse(input, None).unwrap().to_string()
}

#[test]
fn one_page_has_one_spelling() {
    for (input, expected) in [
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:8080/", "http://example.com:8080/"),
        ("http://user:secret@example.com/", "http://example.com/"),
        ("http://example.com/a#part", "http://example.com/a"),
        ("http://example.com./", "http://example.com/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://例子.测试/页", "http://xn--fsqu00a.xn--0zwm56d/%E9%A1%B5"),
        ("http://example.com//a///b//", "http://example.com//a///b//"),
        ("http://example.com/a//../b", "http://example.com/a/b"),
        ("http://example.com/a//.", "http://example.com/a//"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/%7Euser/%c3%a9%2f", "http://example.com/~user/%C3%A9%2F"),
        ("http://example.com/a?", "http://example.com/a"),
        ("http://example.com/a?&x=1&&", "http://example.com/a?x=1"),
        ("http://example.com/a?b=2&a=1", "http://example.com/a?b=2&a=1"),
        ("http://example.com/?utm_source=x&id=7&fbclid=y", "http://example.com/?id=7"),
        ("http://example.com/?utm%5Fsource=x", "http://example.com/"),
        ("http://example.com/shop;jsessionid=1A2B?p=1", "http://example.com/shop?p=1"),
        ("http://example.com/shop;v=1;JSESSIONID=1A2B;w=2", "http://example.com/shop;v=1;w=2"),
        ("http://example.com/a/..;jsessionid=1/b", "http://example.com/b"),
        ("http://example.com/a;sid=12", "http://example.com/a;sid=12"),
        ("http://example.com/a;sid=9f86d081884c7d659a2feaa0c55ad015", "http://example.com/a"),
        ("http://example.com/(S(lit3py55t21z5v55vlm25s55))/shop.aspx?p=1", "http://example.com/shop.aspx?p=1"),
        ("http://example.com/a/(X(1)S(lit3py55t21z5v55vlm25s55))/", "http://example.com/a/"),
        ("http://example.com/(S(lit3py55t21z5v55vlm25s55))", "http://example.com/"),
        ("http://example.com/wiki/(S(x))/Mill_(grain)", "http://example.com/wiki/(S(x))/Mill_(grain)"),
        ("  http://example.com/\n", "http://example.com/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
        ("http://example.com\\a\\b", "http://example.com/a/b"),
    ] {
        assert_eq!(canonical(input), expected, "{input}");
    }
}

#[test]
fn relative_links_resolve_against_the_base() {
    let base = Url::parse("http://example.com/docs/index.html?x=1").unwrap();
    for (link, expected) in [
        ("page.html#top", "http://example.com/docs/page.html"),
        ("../up", "http://example.com/up"),
        ("//other.example/x", "http://other.example/x"),
        ("///other.example/x", "http://other.example/x"),
        ("?y=2", "http://example.com/docs/index.html?y=2"),
        ("", "http://example.com/docs/index.html?x=1"),
    ] {
        assert_eq!(CanonicalUrl::parse(link, Some(&base)).unwrap().as_str(), expected);
    }
}

#[test]
fn what_cannot_be_crawled_is_refused_with_the_reason() {
    let refuse = |input: &str| CanonicalUrl::parse(input, None).unwrap_err();
    assert!(matches!(refuse("mailto:a@example.com"), UrlError::Scheme { .. }));
    assert!(matches!(refuse("javascript:void(0)"), UrlError::Scheme { .. }));
    assert!(matches!(refuse("page.html"), UrlError::Syntax { .. }));
    assert!(matches!(refuse("http:///"), UrlError::Syntax { .. }));
    assert!(matches!(refuse("http://a..b/"), UrlError::Host { .. }));
    assert!(matches!(refuse("http://example.com../"), UrlError::Host { .. }));
    assert!(matches!(
        refuse(&format!("http://h/{}", "a".repeat(2048))),
        UrlError::TooLong { length: 2057, limit: 2048 }
    ));
    assert!(matches!(refuse(&format!("data:{}", "a".repeat(1 << 20))), UrlError::TooLong { .. }));
}

#[test]
fn the_parts_of_a_url_are_slices_of_it() {
    let url: CanonicalUrl = "https://www.example.co.uk:8443/a/b?c=d".parse().unwrap();
    assert_eq!(url.scheme(), "https");
    assert_eq!(url.host(), "www.example.co.uk");
    assert_eq!(url.port(), 8443);
    assert_eq!(url.authority(), "www.example.co.uk:8443");
    assert_eq!(url.origin(), "https://www.example.co.uk:8443");
    assert_eq!(url.path(), "/a/b");
    assert_eq!(url.query(), Some("c=d"));
    assert_eq!(url.path_and_query(), "/a/b?c=d");
    assert_eq!(url.registrable_domain(), "example.co.uk");
    assert_eq!(url.key(), UrlKey::of(url.as_str()));
    assert!(!url.is_home());
    let home: CanonicalUrl = "http://h?utm_source=1".parse().unwrap();
    assert!(home.is_home() && home.query().is_none() && home.port() == 80);
}

#[test]
fn sorting_the_query_is_a_choice_and_keeps_equal_names_in_order() {
    let options = CanonicalOptions { sort_query: true, ..CanonicalOptions::default() };
    let url = CanonicalUrl::parse_with("http://h/?b=2&a=9&a=1", None, &options).unwrap();
    assert_eq!(url.as_str(), "http://h/?a=9&a=1&b=2");
}

#[test]
fn a_value_is_judged_as_it_is_written() {
    // Four characters, and six once they are written.
    assert_eq!(canonical("http://a/?jsessionid=;{/?&"), "http://a/");
    assert_eq!(canonical("http://a/?jsessionid={1}"), "http://a/");
    assert_eq!(canonical("http://a/?jsessionid=;/?"), "http://a/?jsessionid=;/?");
}

proptest! {
    #[test]
    fn canonicalising_twice_changes_nothing(
        host in "[a-zA-Z0-9.%_-]{1,20}",
        path in r"(/|\.|%[0-9a-fA-F]{0,2}|;|\(S\(lit3py55t21z5v55vlm25s55\)\)|jsessionid=|sid=|[a-z]|\PC){0,40}",
        query in r"(&|=|%[0-9a-f]{0,2}|utm_|sid|[a-z0-9]|\PC){0,40}",
    ) {
        if let Ok(once) = CanonicalUrl::parse(&format!("http://{host}/{path}?{query}"), None) {
            let twice = CanonicalUrl::parse(once.as_str(), None).unwrap();
            prop_assert_eq!(once.as_str(), twice.as_str());
            prop_assert_eq!(once.host(), twice.host());
            prop_assert_eq!(once.path_and_query(), twice.path_and_query());
            let parsed = once.to_url();
            prop_assert_eq!(parsed.as_str(), once.as_str());
        }
    }

    #[test]
    fn any_text_parses_or_is_refused_and_is_a_fixed_point(input in r"\PC{0,80}") {
        let base = Url::parse("https://example.org/a/b").unwrap();
        if let Ok(once) = CanonicalUrl::parse(&input, Some(&base)) {
            prop_assert_eq!(canonical(once.as_str()), once.as_str());
            prop_assert!(once.path().starts_with('/'));
        }
    }
}
