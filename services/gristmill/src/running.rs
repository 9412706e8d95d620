//! Questions to the crawl that runs: it holds the stores, and answers on its admin port.

use std::time::Duration;

use gristmill_fetch::{Client, FetchConfig, Request};
use serde_json::Value;
use url::Url;

use crate::settings::Settings;

/// The body of its answer to a question; none where no crawl runs, or it does not answer.
pub async fn ask(settings: &Settings, path: &str, pairs: &[(&str, &str)]) -> Option<Vec<u8>> {
    let text = std::fs::read_to_string(settings.status_file()).ok()?;
    let status: Value = serde_json::from_str(&text).ok()?;
    if status["state"] != "running" {
        return None;
    }
    let mut asked: Url = format!("http://{}{path}", status["admin"].as_str()?).parse().ok()?;
    asked.query_pairs_mut().extend_pairs(pairs);
    let config = FetchConfig {
        allow_private: true,
        accept: vec!["application/json".into()],
        total_timeout: Duration::from_secs(10),
        ..FetchConfig::default()
    };
    let client = Client::new(&config).ok()?;
    let response = client.fetch(&Request::page(asked)).await.ok()?;
    (response.status == 200).then_some(response.body.decoded.to_vec())
}
