//! robots.txt as RFC 9309 and real files have it.

use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_robots::{MAX_ROBOTS_BYTES, RobotsTxt};
use proptest::prelude::*;

fn allowed(text: &str, path: &str) -> bool {
    RobotsTxt::parse(text.as_bytes(), "Gristmill/1.0 (+https://example.org)").allows(path).allowed
}

#[test]
fn the_longest_match_decides_and_allow_wins_a_tie() {
    let text =
        "User-agent: *\nAllow: /p\nDisallow: /\nDisallow: /folder\nAllow: /folder/\nDisallow: /page\nAllow: /page\n";
    assert!(allowed(text, "/page") && allowed(text, "/folder/page") && allowed(text, "/p"));
    assert!(!allowed(text, "/folder") && !allowed(text, "/else"));
    assert!(allowed(text, "/robots.txt"), "robots.txt itself is always allowed");
}

#[test]
fn the_deciding_line_is_told() {
    let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open", "g");
    assert_eq!(robots.allows("/private/x").rule, Some("Disallow: /private"));
    assert_eq!(robots.allows("/private/open").rule, Some("Allow: /private/open"));
    assert_eq!(robots.allows("/").rule, None);
}

#[test]
fn our_own_groups_are_merged_and_replace_the_general_one() {
    let text = "User-agent: GristMill\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: other\nUser-agent: gristmill/2\nDisallow: /c";
    assert!(!allowed(text, "/a") && !allowed(text, "/c") && allowed(text, "/b"));
    assert!(
        !allowed("User-agent: gristmillbot\nDisallow: /\nUser-agent: *\nDisallow: /x", "/x"),
        "a longer token is another crawler"
    );
}

#[test]
fn a_named_group_without_rules_allows_everything() {
    assert!(allowed("User-agent: gristmill\nDisallow:\n\nUser-agent: *\nDisallow: /", "/x"));
}

#[test]
fn foreign_lines_neither_end_a_group_nor_break_the_file() {
    let text = "\u{feff}Disallow: /before\nUSER-AGENT: *\nSitemap: http://h/s.xml\nHost: h\nnonsense\nuser-agent: g2\r\ndisallow : /x # note\rAllow: /x/y\r\n";
    assert!(!allowed(text, "/x") && allowed(text, "/x/y"));
    assert!(allowed(text, "/before"), "a rule before any agent belongs to nobody");
}

#[test]
fn crawl_delays_are_read_clamped_and_bound_to_their_group() {
    let delay = |text: &str| RobotsTxt::parse(text.as_bytes(), "gristmill").crawl_delay();
    assert_eq!(delay("User-agent: *\nCrawl-delay: 1.5"), Some(Duration::from_millis(1500)));
    assert_eq!(
        delay("User-agent: *\nCrawl-delay: 5\nUser-agent: gristmill\nDisallow: /a"),
        Some(Duration::from_secs(5)),
        "the delay ends no group"
    );
    assert_eq!(delay("User-agent: *\nCrawl-delay: 5\nDisallow: /b\nUser-agent: gristmill\nDisallow: /a"), None);
    for end in ["\n", "\r\n", "\r"] {
        let behind = |between: &str| {
            let lines = ["User-agent: bingbot", "Crawl-delay: 10", between, "User-agent: *", "Disallow: /admin"];
            delay(&lines.map(|line| format!("{line}{end}")).concat())
        };
        assert_eq!(behind(""), None, "an empty line ends what a delay is meant for");
        assert_eq!(behind("# all others"), Some(Duration::from_secs(10)));
    }
    let each = "User-agent: *\nCrawl-delay: 3\nUser-agent: Other\nCrawl-delay: 20\n";
    assert_eq!(delay(each), Some(Duration::from_secs(3)), "that of another agent");
    assert_eq!(delay(&format!("{each}User-agent: gristmill\nCrawl-delay: 1")), Some(Duration::from_secs(1)));
    assert_eq!(delay("User-agent: *\nCrawl-delay: 1e300"), Some(Duration::from_secs(86_400)));
    for broken in ["-1", "NaN", "soon", "", "inf"] {
        assert_eq!(delay(&format!("User-agent: *\nCrawl-delay: {broken}")), None, "{broken}");
    }
}

#[test]
fn sitemaps_belong_to_no_group() {
    let robots = RobotsTxt::parse(
        b"Sitemap: http://h/a.xml\nUser-agent: x\nDisallow: /\nSITEMAP:http://h/b.xml#not-cut\n",
        "gristmill",
    );
    assert_eq!(robots.sitemaps(), ["http://h/a.xml", "http://h/b.xml"]);
}

#[test]
fn the_status_decides_where_there_is_no_file() {
    let rule = b"User-agent: *\nDisallow: /x";
    for (status, allowed) in
        [(200, false), (404, true), (401, true), (410, true), (429, false), (500, false), (503, false), (0, false)]
    {
        assert_eq!(RobotsTxt::from_response(status, rule, "g").allows("/x").allowed, allowed, "{status}");
    }
    assert!(!RobotsTxt::disallow_all().allows("/").allowed && RobotsTxt::disallow_all().allows("/robots.txt").allowed);
    assert!(RobotsTxt::allow_all().allows("/").allowed);
}

#[test]
fn only_whole_lines_within_the_limit_count() {
    let mut text = String::from("User-agent: *\nDisallow: /a\n");
    while text.len() < MAX_ROBOTS_BYTES - 12 {
        text.push_str("# filler\n");
    }
    text.push_str("Disallow: /bcdef\nDisallow: /z\n");
    assert!(!allowed(&text, "/a") && allowed(&text, "/z"));
    assert!(allowed(&text, "/b"), "the line that the limit cuts is no rule");
}

/// `text` in UTF-16, `unit` giving the bytes of one unit.
fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

#[test]
fn a_file_in_utf_16_keeps_its_rules() {
    let text = "User-agent: *\r\nDisallow: /x\r\nDisallow: /文\r\nSitemap: http://h/s.xml\r\n";
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        for mark in ["\u{feff}", ""] {
            let robots = RobotsTxt::parse(&utf16(&format!("{mark}{text}"), unit), "g");
            assert!(
                !robots.allows("/x/1").allowed && !robots.allows("/%E6%96%87").allowed && robots.allows("/").allowed
            );
            assert_eq!(robots.sitemaps(), ["http://h/s.xml"]);
        }
    }
}

#[test]
fn a_part_of_a_byte_order_mark_loses_no_group() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF"] {
        let robots = RobotsTxt::parse(&[mark, b"User-agent: *\nDisallow: /x"].concat(), "g");
        assert!(!robots.allows("/x").allowed, "{mark:?}");
    }
    let garbage = RobotsTxt::parse(b"\xEF\x11\xBFUser-agent: *\nDisallow: /x", "g");
    assert!(garbage.allows("/x").allowed, "what is no mark makes the line unreadable");
}

#[test]
fn forgotten_colons_and_usual_misspellings_are_understood() {
    assert!(!allowed("user-agent gristmill\ndisallow /x", "/x"));
    assert!(!allowed("User-agent: *\nDisallow /x\nCrawl-delay 5", "/x"));
    assert!(allowed("User-agent: *\nDisallow /x /y", "/x"), "three words are a sentence");
    for agent in ["useragent", "User Agent", "useg-agent", "ser-agent", "User-agents"] {
        assert!(!allowed(&format!("{agent}: *\nDisallow: /x"), "/x"), "{agent}");
    }
    for disallow in ["dissallow", "dissalow", "Disalow", "diasllow", "disallaw", "desallow", "dssalow", "dsallow"] {
        assert!(!allowed(&format!("User-agent: *\n{disallow}: /x"), "/x"), "{disallow}");
    }
    let robots = RobotsTxt::parse(b"User-agent: *\nCrawl delay: 7\nSite-map: http://h/s.xml", "g");
    assert_eq!(
        (robots.crawl_delay(), robots.sitemaps()),
        (Some(Duration::from_secs(7)), &["http://h/s.xml".to_owned()][..])
    );
}

#[test]
fn several_agents_may_stand_on_one_line() {
    for line in ["One, Gristmill, Two", "One Gristmill", "one gristmill/2.0"] {
        assert!(!allowed(&format!("User-agent: {line}\nDisallow: /x\n\nUser-agent: *\nAllow: /"), "/x"), "{line}");
    }
    assert!(allowed("User-agent: One, Two\nDisallow: /x", "/x"));
    assert!(!allowed("User-agent: * # all\nDisallow: /x", "/x"));
}

#[test]
fn rules_in_a_web_page_hold_and_a_web_page_without_rules_allows_all() {
    let page =
        "<!DOCTYPE html>\n<html><body>\nUser-agent: *<BR>\nDisallow: /x<BR>\nCrawl-Delay: 30<br/>\n</body></html>";
    assert!(!allowed(page, "/x") && allowed(page, "/"));
    assert!(!allowed("<pre>User-agent: *<br>Disallow: /x<br></pre>", "/x"));
    assert!(allowed("<html><title>Down for maintenance</title><p>disallow</html>", "/x"));
}

#[test]
fn hostile_patterns_take_linear_time() {
    let star = format!("Disallow: /{}$\n", "*a".repeat(500));
    let text = format!("User-agent: *\n{}", star.repeat(MAX_ROBOTS_BYTES / star.len()));
    let started = ThreadTime::now();
    assert!(allowed(&text, &format!("/{}b", "a".repeat(2000))));
    assert!(started.elapsed() < Duration::from_secs(60), "took {:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_bytes_parse_and_answer(bytes in prop::collection::vec(any::<u8>(), 0..400), path in "/[ -~]{0,30}") {
        let robots = RobotsTxt::parse(&bytes, "gristmill");
        let _ = robots.allows(&path);
    }

    #[test]
    fn any_lines_parse_and_answer(lines in prop::collection::vec("(User-agent|Allow|Disallow|Crawl-delay|x): ?[*$/a-z%0-9]{0,9}", 0..12), path in "/[a-z%*$]{0,9}") {
        let robots = RobotsTxt::parse(lines.join("\n").as_bytes(), "x");
        let verdict = robots.allows(&path);
        prop_assert!(verdict.allowed || verdict.rule.is_some_and(|rule| rule.starts_with("Disallow")));
    }
}
