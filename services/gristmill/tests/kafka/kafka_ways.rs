//! Generated webs, in which each page is reached in one way only, within its domain or from another: however many partitions there are
//! and however many services of each kind share them, the documents are those of one process, every order has its outcome, and nobody
//! warns.

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use common::processes::{Processes, assert_same};
use common::server::{Answer, HTML, serve};
use common::{Crawl, soak, text};
use gristmill_index::IndexDocument;
use gristmill_log::conformance::broker;

const LIMIT: Duration = Duration::from_secs(180);
const N_DOMAINS: u64 = 9;
const SERVICES: [&str; 4] = ["scheduler", "fetcher", "extractor", "indexer"];

/// How a page is reached.
#[derive(Debug, Clone, Copy)]
enum Way {
    Link,
    /// By the redirect of a page that is linked, with this status.
    Redirect(&'static str),
    /// By a linked page that leads on at once.
    Refresh,
    RefreshField,
    Canonical,
    /// As [`Way::Canonical`], by a page that says the same and is left out for it.
    Copy,
    CanonicalField,
    Alternate,
    Frame,
    Next,
    NextField,
    /// By a sitemap that the robots.txt of the domain names.
    Sitemap,
    /// By a feed that the first page names.
    Feed,
}

const WAYS: [Way; 16] = [
    Way::Link,
    Way::Redirect("301 Moved Permanently"),
    Way::Redirect("302 Found"),
    Way::Redirect("303 See Other"),
    Way::Redirect("307 Temporary Redirect"),
    Way::Redirect("308 Permanent Redirect"),
    Way::Refresh,
    Way::RefreshField,
    Way::Canonical,
    Way::Copy,
    Way::CanonicalField,
    Way::Alternate,
    Way::Frame,
    Way::Next,
    Way::NextField,
    Way::Sitemap,
];

/// Numbers that look like any, the same for each seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// What is at an address.
#[derive(Default)]
struct Place {
    fields: String,
    head: String,
    body: String,
    /// The page whose words it says, and no number where it is none.
    says: Option<usize>,
    /// An answer of another kind.
    answer: Option<Answer>,
}

/// Answers by host and path, and pages that are to be documents.
#[derive(Default)]
struct Web {
    places: BTreeMap<(String, String), Place>,
    documents: usize,
}

fn address((host, path): &(String, String)) -> String {
    format!("http://{host}{path}")
}

impl Web {
    fn of(seed: u64, n_pages: usize) -> Self {
        let (mut web, mut numbers) = (Self::default(), Numbers(seed));
        let mut pages = vec![("d0.test".to_owned(), "/".to_owned())];
        web.place(&pages[0]).says = Some(0);
        for n in 1..n_pages {
            let mut host = || format!("d{}.test", numbers.below(N_DOMAINS));
            let (page, hop) = ((host(), format!("/{n}")), (host(), format!("/{n}/hop")));
            web.place(&page).says = Some(n);
            // The first so many have each way once.
            let way = WAYS.get(n - 1).copied().unwrap_or_else(|| WAYS[numbers.below(WAYS.len() as u64) as usize]);
            let way = if n % 23 == 17 { Way::Feed } else { way };
            let parent = pages[numbers.below(pages.len() as u64) as usize].clone();
            web.lead(way, &parent, &hop, &page, n);
            pages.push(page);
        }
        web.documents = web.places.values().filter(|place| place.says.is_some()).count();
        web
    }

    fn place(&mut self, at: &(String, String)) -> &mut Place {
        self.places.entry(at.clone()).or_default()
    }

    fn lead(&mut self, way: Way, from: &(String, String), hop: &(String, String), to: &(String, String), n: usize) {
        let target = address(to);
        let link = |to: &str| format!("<a href='{to}'>on</a>");
        let moved = |status, target: &str| -> Answer {
            (status, Box::leak(format!("Location: {target}\r\n").into_boxed_str()), String::new())
        };
        let is_by_hop = matches!(
            way,
            Way::Redirect(_) | Way::Refresh | Way::RefreshField | Way::Canonical | Way::CanonicalField | Way::Copy
        );
        if is_by_hop {
            self.place(from).body += &link(&address(hop));
        }
        // A number that no page has, so that it says something else.
        let other = Some(n + 10_000);
        let canonical = format!("<link rel=canonical href='{target}'>");
        match way {
            Way::Link => self.place(from).body += &link(&target),
            Way::Redirect(status) => self.place(hop).answer = Some(moved(status, &target)),
            Way::Refresh => self.place(hop).head = format!("<meta http-equiv=refresh content='0; url={target}'>"),
            Way::RefreshField => self.place(hop).fields = format!("Refresh: 0; url={target}\r\n"),
            Way::Canonical => *self.place(hop) = Place { head: canonical, says: other, ..Place::default() },
            Way::Copy => *self.place(hop) = Place { head: canonical, body: format!("<i>{n}</i>"), ..Place::default() },
            Way::CanonicalField => {
                let fields = format!("Link: <{target}>; rel=\"canonical\"\r\n");
                *self.place(hop) = Place { fields, says: other, ..Place::default() };
            }
            Way::Alternate => self.place(from).head += &format!("<link rel=alternate hreflang=de href='{target}'>"),
            Way::Frame => self.place(from).body += &format!("<iframe src='{target}'></iframe>"),
            Way::Next => self.place(from).head += &format!("<link rel=next href='{target}'>"),
            Way::NextField => self.place(from).fields += &format!("Link: <{target}>; rel=next\r\n"),
            Way::Sitemap => {
                let map = (hop.0.clone(), format!("/{n}.xml"));
                let robots = self.place(&(from.0.clone(), "/robots.txt".to_owned()));
                let (.., lines) =
                    robots.answer.get_or_insert(("200 OK", "Content-Type: text/plain\r\n", String::new()));
                writeln!(lines, "Sitemap: {}", address(&map)).unwrap();
                let entries = format!("<urlset><url><loc>{target}</loc></url></urlset>");
                self.place(&map).answer = Some(("200 OK", "Content-Type: application/xml\r\n", entries));
            }
            Way::Feed => {
                let feed = (hop.0.clone(), format!("/{n}.rss"));
                let named = format!("<link rel=alternate type=application/rss+xml href='{}'>", address(&feed));
                self.place(&("d0.test".to_owned(), "/".to_owned())).head += &named;
                let entries = format!("<rss><channel><item><link>{target}</link></item></channel></rss>");
                self.place(&feed).answer = Some(("200 OK", "Content-Type: application/rss+xml\r\n", entries));
            }
        }
    }

    fn answer(&self, host: &str, path: &str) -> Answer {
        let Some(place) = self.places.get(&(host.to_owned(), path.to_owned())) else {
            return ("404 Not Found", HTML, String::new());
        };
        if let Some((status, fields, body)) = &place.answer {
            return (status, fields, body.clone());
        }
        // A copy says what the page with its number says.
        let copied = path.strip_suffix("/hop").and_then(|path| path[1..].parse().ok());
        let is_copy = place.body.starts_with("<i>");
        let number = place.says.or(copied.filter(|_| is_copy));
        let article = number.map(article).unwrap_or_default();
        let (head, body) = (&place.head, if is_copy { "" } else { &place.body });
        let fields: &'static str = Box::leak(format!("{HTML}{}", place.fields).into_boxed_str());
        ("200 OK", fields, format!("<!doctype html><html lang=en>{head}{article}{body}"))
    }
}

/// Words that no other number has.
fn article(number: usize) -> String {
    let mut numbers = Numbers(number as u64 + 77);
    let mut word = || (0..7).map(|_| char::from(b'a' + numbers.below(26) as u8)).collect::<String>();
    let title = format!("The {} of {}", word(), word());
    let sentence = |_| (0..12).map(|_| word()).collect::<Vec<_>>().join(" ") + ". ";
    let text: String = (0..6).map(sentence).collect();
    format!("<title>{title}</title><article><h1>{title}</h1><p>{text}</article>")
}

/// What one process makes of the web.
fn calm(seeds: &[String], hosts: &BTreeMap<String, String>, web: &Web) -> BTreeMap<String, IndexDocument> {
    let settings = "[frontier.politeness]\nip_delay = \"0s\"\n";
    let crawl = Crawl::seeded(seeds, hosts, &["--scope", "any", "--delay", "0s"], settings);
    let told = text(&crawl.run());
    let (documents, _) = crawl.documents();
    let urls: Vec<&String> = documents.keys().collect();
    let missing = web.places.iter().filter(|(_, place)| place.says.is_some()).map(|(at, _)| address(at));
    let missing: Vec<String> = missing.filter(|url| !documents.contains_key(url)).collect();
    assert!(missing.is_empty() && urls.len() == web.documents, "missing {missing:?} of {urls:?}\n{told}");
    documents
}

fn compare(broker: &str, seed: u64, n_pages: usize, runs: &[(u32, usize)]) {
    let web = Arc::new(Web::of(seed, n_pages));
    let served = web.clone();
    let address = serve(move |host, path| served.answer(host, path)).to_string();
    let hosts: BTreeMap<String, String> = (0..N_DOMAINS).map(|n| (format!("d{n}.test"), address.clone())).collect();
    let seeds = ["http://d0.test/".to_owned()];
    let calm = calm(&seeds, &hosts, &web);
    for (partitions, n_each) in runs {
        let settings = "[frontier.scope]\nrule = \"any\"\n";
        let mut processes = Processes::over(*partitions, &seeds, &hosts, broker, settings);
        let data: Vec<String> = (0..*n_each).map(|n| format!("data{n}")).collect();
        let names = SERVICES.iter().flat_map(|service| data.iter().map(move |data| (*service, data)));
        let names: Vec<(&str, &String)> = names.collect();
        for (service, data) in &names {
            processes.start(&format!("{service}-{data}"), service, data, None);
        }
        let count = |processes: &Processes| data.iter().map(|data| processes.count(data)).sum::<u64>();
        let all = calm.len() as u64;
        let what = format!("{all} documents over {partitions} partitions by {n_each} of each, seed {seed}");
        processes.until(&what, LIMIT, |processes| count(processes) == all);
        // What should not be there would come now, and what is to go goes.
        std::thread::sleep(Duration::from_secs(2));
        processes.until(&what, LIMIT, |processes| count(processes) == all);
        processes.check_alive();
        names.iter().for_each(|(service, data)| processes.end(&format!("{service}-{data}")));
        let documents = data.iter().flat_map(|data| processes.documents(data)).collect();
        assert_same(&calm, &documents);
        processes.check_books();
        for (service, data) in &names {
            let told = processes.told(&format!("{service}-{data}"));
            // A broker on a busy machine is late now and then, and its group goes on: what was crawled, and how often, is compared above.
            let is_of_us = |line: &&str| line.contains(" WARN ") && !line.contains(" WARN gristmill_log::kafka::");
            assert_eq!(told.lines().find(is_of_us), None, "{what}: {service}");
        }
    }
}

#[test]
fn every_way_to_a_page_leads_there_over_any_number_of_partitions() {
    let Some(broker) = broker::shared() else { return };
    if !soak() {
        return compare(&broker, 1, 30, &[(16, 2)]);
    }
    for seed in 1..=4 {
        compare(&broker, seed, 150, &[(1, 1), (1, 2), (4, 1), (4, 2), (16, 1), (16, 2)]);
    }
}
