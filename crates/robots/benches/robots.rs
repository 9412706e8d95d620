//! Cost of reading a robots.txt and asking it, and of reading a large sitemap.

use gristmill_robots::{ListingLimits, RobotsTxt, parse_sitemap};

fn main() {
    divan::main();
}

fn usual_file() -> String {
    let rules: String = (0..60).map(|n| format!("Disallow: /section{n}/*/print\n")).collect();
    format!("User-agent: *\n{rules}Sitemap: https://example.org/sitemap.xml\n")
}

#[divan::bench]
fn parse(bencher: divan::Bencher) {
    let text = usual_file();
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench(|| RobotsTxt::parse(text.as_bytes(), "gristmill"));
}

#[divan::bench]
fn ask_sixty_rules(bencher: divan::Bencher) {
    let robots = RobotsTxt::parse(usual_file().as_bytes(), "gristmill");
    bencher.bench(|| robots.allows(divan::black_box("/section30/2026/11/a-headline.html")).allowed);
}

/// What a hostile site can make one URL cost: as many rules as are kept, and a path as long as may be.
#[divan::bench]
fn ask_hostile_rules(bencher: divan::Bencher) {
    let rules: String = (0..20_000).map(|n| format!("Disallow: /*xy*y{n:05}z\n")).collect();
    let robots = RobotsTxt::parse(format!("User-agent: *\n{rules}Disallow: /").as_bytes(), "gristmill");
    let path = format!("/{}", "xyab".repeat(500));
    bencher.bench(|| robots.allows(divan::black_box(&path)).allowed);
}

#[divan::bench]
fn sitemap_of_fifty_thousand(bencher: divan::Bencher) {
    let urls: String = (0..50_000)
        .map(|n| format!("<url><loc>https://example.org/page/{n}</loc><lastmod>2026-11-21</lastmod></url>\n"))
        .collect();
    let text = format!("<urlset>{urls}</urlset>");
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| parse_sitemap(&text, &ListingLimits::default()));
}
