//! Pauses and takedowns reach every scheduler and every index over a real Kafka broker, and outlive a killed process.

use crate::common;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::processes::Processes;
use common::server::{Answer, HTML, field, path, serve_heads};
use gristmill_log::conformance::broker;

const LIMIT: Duration = Duration::from_secs(90);

const N_SITES: usize = 6;

/// A site without end, each page of which says something of its own.
fn page(host: &str, path: &str, n: &AtomicU64) -> Answer {
    let words: String = (0..60).map(|_| format!("word{} ", n.fetch_add(1, Ordering::SeqCst))).collect();
    match path.trim_start_matches('/').parse::<u64>() {
        Ok(page) => {
            let next = page + 1;
            ("200 OK", HTML, format!("<title>{host} {page}</title><p>{words}<a href=/{next}>next</a>"))
        }
        Err(_) => ("404 Not Found", "", String::new()),
    }
}

/// Sends a request to an admin port; status and body.
fn ask(address: &str, request: &str, token: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "{request} HTTP/1.0\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[test]
fn the_admin_port_of_a_scheduler_takes_commands_and_tells_its_status_to_who_has_the_token() {
    let Some(broker) = broker::shared() else { return };
    let (asked, n) = (Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
    let count = asked.clone();
    let address = serve_heads(move |head| {
        count.fetch_add(1, Ordering::SeqCst);
        page(&field(head, "host"), path(head), &n)
    });
    let hosts: BTreeMap<String, String> = [("www.site.test".to_owned(), address.to_string())].into();
    let mut processes = Processes::seeded(&["http://www.site.test/1".to_owned()], &hosts, &broker, "");
    for service in ["scheduler", "fetcher"] {
        processes.start(service, service, "data", None);
    }
    let asked = || asked.load(Ordering::SeqCst);
    processes.until("the crawl begins", LIMIT, |_| asked() > 3);
    let said = std::fs::read_to_string(processes.log_file("scheduler")).unwrap();
    let admin = said.split("metrics at http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
    let token = std::fs::read_to_string(processes.data("data").join("admin.token")).unwrap();
    for request in ["POST /control/pause", "GET /control/status", "POST /control/forget?target=www.site.test"] {
        assert_eq!(ask(admin, request, "guess").0, 401, "{request}");
    }
    let status = || serde_json::from_str::<serde_json::Value>(&ask(admin, "GET /control/status", &token).1).unwrap();
    let paused = || status().as_object().unwrap().values().any(|part| part["paused"].to_string().contains("site.test"));
    assert!(!paused());
    assert_eq!(ask(admin, "POST /control/pause?target=www.site.test", &token).0, 200);
    processes.until("the site is paused", LIMIT, |_| paused());
    std::thread::sleep(Duration::from_secs(1));
    let before = asked();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(asked(), before);
    assert_eq!(ask(admin, "POST /control/resume?target=www.site.test", &token).0, 200);
    processes.until("the site goes on", LIMIT, |_| asked() > before + 3);
    assert_eq!(ask(admin, "POST /control/forget?target=www.site.test", &token).0, 200);
    let stands_still = |_: &Processes| {
        let before = asked();
        std::thread::sleep(Duration::from_secs(1));
        asked() == before
    };
    processes.until("a forgotten site is left alone", LIMIT, stands_still);
}

#[test]
fn all_schedulers_pause_and_go_on_and_a_forgotten_site_leaves_every_index() {
    let Some(broker) = broker::shared() else { return };
    let requests: Arc<Mutex<Vec<String>>> = Arc::default();
    let (log, n) = (requests.clone(), AtomicU64::new(0));
    let address = serve_heads(move |head| {
        let host = field(head, "host");
        log.lock().unwrap().push(host.clone());
        page(&host, path(head), &n)
    });
    let names: Vec<String> = (0..N_SITES).map(|n| format!("www.site{n}.test")).collect();
    let hosts: BTreeMap<String, String> = names.iter().map(|host| (host.clone(), address.to_string())).collect();
    let seeds: Vec<String> = names.iter().map(|host| format!("http://{host}/1")).collect();
    let mut processes = Processes::seeded(&seeds, &hosts, &broker, "");
    for service in ["scheduler", "fetcher", "extractor", "indexer"] {
        processes.start(service, service, "data", None);
    }
    let has = |processes: &Processes, host: &str| processes.documents("data").keys().any(|url| url.contains(host));
    processes.until("all sites are in the index", LIMIT, |processes| names.iter().all(|host| has(processes, host)));

    processes.tell(&["pause"]);
    let asked = || requests.lock().unwrap().len();
    let stands_still = |_: &Processes| {
        let before = asked();
        std::thread::sleep(Duration::from_secs(1));
        asked() == before
    };
    processes.until("the crawl stands still", LIMIT, stands_still);
    processes.kill("scheduler");
    processes.start("scheduler", "scheduler", "data", None);
    std::thread::sleep(Duration::from_secs(5));
    assert!(stands_still(&processes), "a pause outlives the scheduler");
    let before = asked();
    processes.tell(&["resume"]);
    processes.until("the crawl goes on", LIMIT, |_| asked() > before + 2 * N_SITES);

    processes.tell(&["forget", "site1.test"]);
    processes.until("the site has left the index", LIMIT, |processes| !has(processes, "site1"));
    assert!(names.iter().filter(|host| !host.contains("site1")).all(|host| has(&processes, host)));
    let of_site = || requests.lock().unwrap().iter().filter(|host| host.contains("site1")).count();
    let (before, all) = (of_site(), asked());
    processes.until("the others go on", LIMIT, |_| asked() > all + 2 * N_SITES);
    assert_eq!(of_site(), before);
    assert!(!has(&processes, "site1"), "no page that was under way brought it back");
}
