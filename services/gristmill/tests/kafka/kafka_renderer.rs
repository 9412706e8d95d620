//! Services as processes over a real Kafka broker, a renderer with real browsers among them: it is killed, and nothing is lost.

use crate::common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::processes::Processes;
use common::shops::{N_PRODUCTS, SHOPS, is_there, open, price};
use gristmill_index::IndexDocument;
use gristmill_log::conformance::broker;

const LIMIT: Duration = Duration::from_secs(90);

/// Products of which a browser brought attributes.
fn drawn(documents: &BTreeMap<String, IndexDocument>) -> usize {
    documents.values().filter(|document| document.rendered.is_some() && !document.attributes.is_empty()).count()
}

#[test]
fn a_renderer_that_is_killed_over_kafka_leaves_its_orders_to_the_next() {
    if !is_there() {
        return;
    }
    let Some(address) = broker::shared() else { return };
    let shop = &SHOPS[0];
    let (home, asked) = open(shop);
    let settings = "[extractor]\nrender = \"auto\"\n";
    let mut processes = Processes::seeded(&[home], &BTreeMap::new(), &address, settings);
    for service in ["scheduler", "fetcher", "extractor", "indexer"] {
        processes.start(service, service, service, None);
    }
    processes.start("renderer", "renderer", "renderer", Some("renderer"));
    // The page of a product was asked for twice: the browser is at work, or was.
    let n_asked = |path: &str| asked.lock().unwrap().iter().filter(|asked| asked.starts_with(path)).count();
    processes.until("a browser draws a page", LIMIT, |_| n_asked("/api/") >= 2);
    processes.kill("renderer");
    processes.start("renderer", "renderer", "renderer", Some("renderer"));
    processes.until("all products are drawn", LIMIT, |all| drawn(&all.documents("indexer")) >= N_PRODUCTS);
    let documents = processes.documents("indexer");
    for n in 0..N_PRODUCTS {
        let wanted = price(shop, n).trim_start_matches('$').to_owned();
        let has_price = |document: &&IndexDocument| document.attributes.iter().any(|one| one.value.contains(&wanted));
        assert!(documents.values().any(|document| has_price(&document)), "no product for {wanted}: {documents:#?}");
    }
    for name in processes.names() {
        processes.end(&name);
    }
}
