//! `gristmill status`: what a crawl does now.

use std::fmt::Write as _;
use std::io::Write as _;

use gristmill_index::{IndexReader, format_minute};
use gristmill_log::{Log, LogEngine};
use gristmill_proto::topics;
use gristmill_runtime::process::shared_log;
use gristmill_searcher::duration;
use serde_json::{Value, json};

use crate::admin_client::AdminClient;
use crate::cli::StatusArgs;
use crate::settings::Settings;

/// Prints the state of the crawl in the data directory, or what waits for each service on Kafka.
///
/// # Errors
/// There is no crawl, or the brokers do not answer.
pub async fn run(args: &StatusArgs, settings: Settings) -> anyhow::Result<()> {
    let status = match settings.log.engine {
        LogEngine::Kafka => {
            json!({ "waiting": waiting(shared_log(&settings.data, &settings.log).await?.as_ref()).await? })
        }
        LogEngine::Embedded => of_data(&settings)?,
    };
    let told = match args.json {
        true => serde_json::to_string_pretty(&status)? + "\n",
        false => prose(&status),
    };
    write!(std::io::stdout(), "{told}")?;
    Ok(())
}

/// The status file, with what can be seen besides.
fn of_data(settings: &Settings) -> anyhow::Result<Value> {
    let mut status = settings.last_status().unwrap_or_else(|| json!({}));
    let index = IndexReader::open(&settings.index_dir()).ok();
    anyhow::ensure!(
        status["state"].is_string() || index.is_some(),
        "`{}` holds no crawl: `--data` names the directory of one",
        settings.data.display()
    );
    // One that was killed could not say so.
    if status["state"] == "running" && AdminClient::of_running(settings).is_none() {
        status["state"] = "ended without a word".into();
    }
    status["in_index"] = index.map_or(0, |index| index.count()).into();
    Ok(status)
}

/// Records that wait for each service.
async fn waiting(log: &dyn Log) -> anyhow::Result<Value> {
    let mut waiting = serde_json::Map::new();
    for topic in topics::TABLE {
        for group in topic.read_by {
            let lag = log.lag(group, topic.name).await?;
            waiting.insert(format!("{group} {}", topic.name), lag.into());
        }
    }
    Ok(waiting.into())
}

/// Whether a site with work is asked less often, as it refused or failed.
fn is_waited_for(site: &Value) -> bool {
    let is_troubled = matches!(site["state"].as_str(), Some("backing_off" | "given_up"));
    is_troubled && site["next_turn"].is_u64()
}

fn prose(status: &Value) -> String {
    let mut text = String::new();
    if let Some(waiting) = status["waiting"].as_object() {
        for (name, records) in waiting {
            let _ = writeln!(text, "{name:<32}{records} waiting");
        }
        return text;
    }
    let number = |name: &str| status[name].as_u64().unwrap_or(0);
    let time = |name: &str| format_minute(i64::try_from(number(name)).unwrap_or(i64::MAX));
    let mut row = |name: &str, told: String| _ = writeln!(text, "{name:<12}{told}");
    row(
        "state",
        format!(
            "{}, since {}, told {}",
            status["state"].as_str().unwrap_or("unknown"),
            time("started_at"),
            time("updated_at")
        ),
    );
    for site in status["paused"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        row("paused", if site.is_empty() { "the whole crawl".to_owned() } else { site.to_owned() });
    }
    let counts = ["known", "done", "queued", "in_flight", "redirected", "disallowed", "failed"];
    row("URLs", counts.map(|name| format!("{} {}", number(name), name.replace('_', " "))).join(", "));
    let speed = status["pages_per_second"].as_f64().unwrap_or(0.0);
    row(
        "this run",
        format!("{} pages fetched, {speed:.1} a second now, {} rejected", number("fetched"), number("rejected")),
    );
    row("index", format!("{} documents", number("in_index")));
    if let Some(freshness) = status["freshness"].as_object() {
        let of = |name: &str| freshness.get(name).and_then(Value::as_u64).unwrap_or(0);
        row(
            "news",
            format!(
                "found after publication: median {}, 95 % {}, last day ({} pages)",
                duration(of("median_seconds")),
                duration(of("p95_seconds")),
                of("pages")
            ),
        );
    }
    let hosts: Vec<&str> = status["hosts"].as_array().into_iter().flatten().filter_map(Value::as_str).take(5).collect();
    if !hosts.is_empty() {
        row("now at", hosts.join(", "));
    }
    for site in status["sites"].as_array().into_iter().flatten().filter(|site| is_waited_for(site)) {
        let word = |name: &str| site[name].as_str().unwrap_or_default();
        let until = i64::try_from(site["next_turn"].as_u64().unwrap_or(0) / 1000).unwrap_or(i64::MAX);
        let (state, until) = (word("state").replace('_', " "), format_minute(until));
        let why =
            if word("trouble").is_empty() { String::new() } else { format!(", {}", word("trouble").replace('_', " ")) };
        row("waits", format!("{}: {state}{why}; asked again {until}, {} URLs wait", word("site"), site["queued"]));
    }
    for trouble in status["troubles"].as_array().into_iter().flatten() {
        let word = |name: &str| trouble[name].as_str().unwrap_or_default();
        row(
            "trouble",
            format!(
                "{}: {}{}",
                word("url"),
                word("outcome").replace('_', " "),
                if trouble["again"] == true { ", tried again" } else { "" }
            ),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_asked_for_time_is_told_with_the_time() {
        let site =
            |state: &str| json!({"site": "a.test", "state": state, "next_turn": 1_795_977_378_611_u64, "queued": 9});
        let told = prose(&json!({"state": "running", "sites": [site("backing_off"), site("at_work")]}));
        let rows: Vec<&str> = told.lines().filter(|line| line.starts_with("waits")).collect();
        assert_eq!(rows, ["waits       a.test: backing off; asked again 2026-11-29 18:36, 9 URLs wait"]);
    }
}
