//! The crawl's own account of itself: a JSON file that it writes every second, read with suspicion.

use std::path::Path;

use serde_json::{Map, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::io::AsyncReadExt;

/// A longer file is none of ours.
const MAX_BYTES: u64 = 1 << 20;
/// Numbers of a list that are read.
const MAX_NUMBERS: usize = 1_440;
/// Numbers beyond are none that a plot could show.
const MAX_NUMBER: f64 = 1e15;
/// Stages of a crawl that are read.
const MAX_STAGES: usize = 8;
/// A crawl that writes every second and has not for this long does not run any more.
const STALE_AFTER_SECONDS: i64 = 15;

/// What the file holds: any JSON object.
#[derive(Debug, Clone, PartialEq)]
pub struct CrawlStatusFile {
    /// The fields as written.
    pub fields: Map<String, Value>,
}

/// What a crawl did in equal steps of time, the last one under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimelineView {
    pub step_seconds: u64,
    /// Fetched in each step.
    pub pages: Vec<f64>,
    /// Waiting at the end of each.
    pub queued: Vec<f64>,
    /// Processor seconds in each, by stage.
    pub cpu_seconds: Vec<(String, Vec<f64>)>,
}

/// Reads the file; `None` if it is absent, half written, or no JSON object.
pub(crate) async fn read(path: &Path) -> Option<CrawlStatusFile> {
    let file = tokio::fs::File::open(path).await.ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).await.ok()?;
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Option<CrawlStatusFile> {
    if bytes.len() as u64 > MAX_BYTES {
        return None;
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => Some(CrawlStatusFile { fields }),
        _ => None,
    }
}

impl CrawlStatusFile {
    /// A field that is one plain value, as text.
    pub fn plain(&self, name: &str) -> Option<String> {
        plain(self.fields.get(name)?)
    }

    /// A field that is a time: seconds since 1970-01-01 UTC, or RFC 3339.
    pub fn time(&self, name: &str) -> Option<OffsetDateTime> {
        match self.fields.get(name)? {
            Value::Number(seconds) => OffsetDateTime::from_unix_timestamp(seconds.as_f64()? as i64).ok(),
            Value::String(text) => OffsetDateTime::parse(text, &Rfc3339).ok(),
            _ => None,
        }
    }

    /// Names and values of a field that is an object.
    pub fn table(&self, name: &str) -> Vec<(String, String)> {
        let Some(Value::Object(table)) = self.fields.get(name) else { return Vec::new() };
        table.iter().filter_map(|(name, value)| Some((name.clone(), plain(value)?))).collect()
    }

    /// Plain values of each object of a field that is a list; the first of them must be there, others may be empty.
    pub fn rows<const N: usize>(&self, name: &str, fields: [&str; N]) -> Vec<[String; N]> {
        let list = self.fields.get(name).and_then(Value::as_array);
        let row = |value: &Value| fields.map(|field| value.get(field).and_then(plain).unwrap_or_default());
        list.into_iter().flatten().map(row).filter(|row| row.first().is_some_and(|first| !first.is_empty())).collect()
    }

    /// A whole number within a field that is an object.
    pub fn number_in(&self, name: &str, field: &str) -> Option<u64> {
        self.fields.get(name)?.get(field)?.as_u64()
    }

    /// What was done in equal steps of time.
    pub fn timeline(&self, name: &str) -> Option<TimelineView> {
        let field = self.fields.get(name)?;
        let numbers = |value: Option<&Value>| -> Vec<f64> {
            let list = value.and_then(Value::as_array).into_iter().flatten().take(MAX_NUMBERS);
            list.filter_map(Value::as_f64).map(|number| number.clamp(0.0, MAX_NUMBER)).collect()
        };
        let stages = field.get("cpu_seconds").and_then(Value::as_object).into_iter().flatten().take(MAX_STAGES);
        Some(TimelineView {
            step_seconds: field.get("step_seconds")?.as_u64()?,
            pages: numbers(field.get("pages")),
            queued: numbers(field.get("queued")),
            cpu_seconds: stages.map(|(stage, seconds)| (stage.clone(), numbers(Some(seconds)))).collect(),
        })
    }

    /// Entries of a field that is a list, objects by their `host` or `name`.
    pub fn list(&self, name: &str) -> Vec<String> {
        let Some(Value::Array(list)) = self.fields.get(name) else { return Vec::new() };
        let entry = |value: &Value| match value {
            Value::Object(fields) => plain(fields.get("host").or_else(|| fields.get("name"))?),
            value => plain(value),
        };
        list.iter().filter_map(entry).collect()
    }

    /// Whether the crawl says that it runs, and said so lately. `now` in seconds since 1970-01-01 UTC.
    pub fn is_live(&self, now: i64) -> bool {
        let ended = matches!(
            self.plain("state").as_deref(),
            Some("done" | "stopped" | "failed" | "finished" | "limit reached" | "idle")
        );
        let fresh = self.time("updated_at").is_some_and(|at| now - at.unix_timestamp() <= STALE_AFTER_SECONDS);
        !ended && fresh
    }
}

/// Numbers with at most two decimals, text as it is; nothing for lists, objects and null.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Number(number) if number.is_f64() => {
            let text = format!("{:.2}", number.as_f64()?);
            Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
        }
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_no_crawl_and_odd_fields_are_passed_over() {
        for junk in ["", "{", "[1]", "null", "{\"a\":}"] {
            assert_eq!(parse(junk.as_bytes()), None, "{junk}");
        }
        assert_eq!(parse(&vec![b' '; MAX_BYTES as usize + 1]), None);
        let odd = parse(br#"{"state":{"x":1},"hosts":"none","outcomes":[1],"pages_per_second":1.5,"updated_at":true}"#);
        let odd = odd.unwrap();
        assert_eq!((odd.plain("state"), odd.list("hosts"), odd.table("outcomes")), (None, vec![], vec![]));
        assert_eq!(odd.plain("pages_per_second").as_deref(), Some("1.5"));
        assert!(!odd.is_live(0));
    }

    #[test]
    fn a_crawl_is_live_while_it_writes() {
        let crawl = parse(br#"{"state":"running","updated_at":"2024-01-01T00:00:00Z"}"#).unwrap();
        let at = crawl.time("updated_at").unwrap().unix_timestamp();
        assert!(crawl.is_live(at + 10));
        assert!(!crawl.is_live(at + 60));
        let done = parse(br#"{"state":"done","updated_at":1000}"#).unwrap();
        assert!(!done.is_live(1000));
    }
}
