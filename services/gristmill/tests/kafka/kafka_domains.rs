//! Services over a real Kafka broker find what leads from one domain into another, as one process does.

use crate::common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::processes::{Processes, assert_same};
use common::server::{Answer, HTML, serve};
use common::{Crawl, text};
use gristmill_log::conformance::broker;

const LIMIT: Duration = Duration::from_secs(120);

/// Sites, each of which alone leads to a partner, a map, and a moved rules file, each on a domain of its own.
const N_SITES: usize = 12;

fn page(title: &str, more: &str) -> Answer {
    let words =
        format!("The {title} stands beside the river and grinds wheat for the bakers of the village. ").repeat(6);
    let body = format!(
        "<!doctype html><html lang=en><title>{title}</title><article><h1>{title}</h1><p>{words}</article>{more}"
    );
    ("200 OK", HTML, body)
}

/// What `host` answers for `path`.
fn answer(host: &str, path: &str) -> Answer {
    let name = host.split('.').next().unwrap_or_default();
    let number = name.trim_start_matches(char::is_alphabetic);
    let moved = |to: String| -> Answer {
        ("302 Found", Box::leak(format!("Location: {to}\r\n").into_boxed_str()), String::new())
    };
    match (name.trim_end_matches(char::is_numeric), path) {
        ("site", "/robots.txt") => {
            ("200 OK", "Content-Type: text/plain\r\n", format!("Sitemap: http://map{number}.test/map.xml\n"))
        }
        ("partner", "/robots.txt") => moved(format!("http://rules{number}.test/robots.txt")),
        ("rules", "/robots.txt") => {
            ("200 OK", "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /closed\n".to_owned())
        }
        ("site", "/") => page(name, "<a href=/go>To our partner</a>"),
        ("site", "/go") => moved(format!("http://partner{number}.test/")),
        ("partner", "/") => page(name, "<a href=/closed>Closed</a>"),
        ("map", "/map.xml") => {
            let entry = format!("<urlset><url><loc>http://map{number}.test/listed</loc></url></urlset>");
            ("200 OK", "Content-Type: application/xml\r\n", entry)
        }
        ("map", "/listed") => page(name, ""),
        ("partner", "/closed") => page("closed", ""),
        _ => ("404 Not Found", HTML, String::new()),
    }
}

#[test]
fn what_only_a_redirect_or_a_sitemap_of_another_domain_leads_to_is_found_over_kafka_too() {
    let Some(broker) = broker::shared() else { return };
    let address = serve(answer).to_string();
    let names = ["site", "partner", "rules", "map"];
    let hosts = (0..N_SITES).flat_map(|n| names.map(|name| format!("{name}{n}.test")));
    let hosts: BTreeMap<String, String> = hosts.map(|host| (host, address.clone())).collect();
    let seeds: Vec<String> = (0..N_SITES).map(|n| format!("http://site{n}.test/")).collect();

    let calm = Crawl::seeded(
        &seeds,
        &hosts,
        &["--scope", "any", "--delay", "0s"],
        "[frontier.politeness]\nip_delay = \"0s\"\n",
    );
    let told = text(&calm.run());
    let (calm, _) = calm.documents();
    assert_eq!(calm.len(), 3 * N_SITES, "{:#?}\n{told}", calm.keys());

    let mut processes = Processes::seeded(&seeds, &hosts, &broker, "[frontier.scope]\nrule = \"any\"\n");
    let services = ["scheduler", "fetcher", "extractor", "indexer"];
    for service in services {
        processes.start(service, service, "data", None);
    }
    let all = calm.len() as u64;
    processes.until(&format!("{all} documents"), LIMIT, |processes| processes.count("data") >= all);
    // What should not be there would come now.
    std::thread::sleep(Duration::from_secs(2));
    processes.check_alive();
    for service in services {
        processes.end(service);
    }
    assert_same(&calm, &processes.documents("data"));
    processes.check_books();
    let warned = |line: &&str| line.contains("WARN") && line.contains("domain of another partition");
    assert_eq!(processes.told("scheduler").lines().find(warned), None);
}
