//! Where we answer otherwise than the test suites of others, on purpose: `docs/conformance.md` gives the reasons.

use std::time::Duration;

use gristmill_robots::RobotsTxt;

fn allowed(agent: &str, text: &str, path: &str) -> bool {
    RobotsTxt::parse(text.as_bytes(), agent).allows(path).allowed
}

#[test]
fn an_allowed_index_page_does_not_open_its_folder() {
    let text = "User-agent: *\nAllow: /open/index.html\nDisallow: /\n";
    assert!(allowed("foobot", text, "/open/index.html") && !allowed("foobot", text, "/open/"));
}

#[test]
fn escapes_of_letters_are_letters() {
    let text = "User-agent: foobot\nDisallow: /\nAllow: /bar/%62%61%7A\nAllow: /ツ\n";
    assert!(allowed("foobot", text, "/bar/baz") && allowed("foobot", text, "/bar/%62%61%7A"));
    assert!(allowed("foobot", text, "/ツ") && allowed("foobot", text, "/%E3%83%84"));
}

#[test]
fn long_lines_are_not_cut() {
    let long = "a".repeat(20_000);
    let text = format!("User-agent: foobot\nDisallow: /{long}\n");
    assert!(
        allowed("foobot", &text, &format!("/{}", &long[..17_000])) && !allowed("foobot", &text, &format!("/{long}"))
    );
}

#[test]
fn all_words_of_an_agent_line_are_agents() {
    let text = "User-agent: *\nDisallow: /\nUser-agent: Foo Bar\nAllow: /x/\nDisallow: /\n";
    assert!(allowed("Foo", text, "/x/y") && allowed("Bar", text, "/x/y") && allowed("Foo Bar", text, "/x/y"));
    assert!(!allowed("Baz", text, "/x/y"));
}

#[test]
fn groups_of_the_same_agent_are_merged() {
    let text = "User-agent: *\nDisallow: /a\nAllow: /\n\nUser-agent: *\nDisallow: /b\n";
    assert!(!allowed("foobot", text, "/a") && !allowed("foobot", text, "/b") && allowed("foobot", text, "/c"));
}

#[test]
fn an_agent_is_found_by_its_whole_token_only() {
    let text = "User-agent: denybot\nDisallow: /\n";
    assert!(allowed("Mozilla denybot 99.9", text, "/") && allowed("deny", text, "/") && allowed("denybots", text, "/"));
    assert!(!allowed("denybot/1.0", text, "/"));
}

#[test]
fn a_very_long_crawl_delay_forbids_nothing() {
    let robots = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: 3600\nDisallow:\n", "bixo");
    assert!(robots.allows("/").allowed);
    assert_eq!(robots.crawl_delay(), Some(Duration::from_secs(3600)));
}

#[test]
fn too_many_requests_is_no_permission() {
    assert!(!RobotsTxt::from_response(429, b"", "g").allows("/").allowed);
    assert!((400..429).all(|status| RobotsTxt::from_response(status, b"", "g").allows("/").allowed));
}

#[test]
fn an_address_without_a_key_is_no_sitemap() {
    assert!(RobotsTxt::parse(b"http://h/sitemap.xml\nSitemap http://h/s.xml\n", "g").sitemaps().is_empty());
}
