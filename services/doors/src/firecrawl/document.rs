//! A page as Firecrawl's document.

use std::time::{SystemTime, UNIX_EPOCH};

use gristmill_index::format_time;
use serde_json::{Map, Value, json};

use super::error::DoorError;
use super::options::ScrapeOptions;
use crate::page_forms::PageForms;
use crate::service::DoorService;

/// What is known of how a page came.
pub(super) struct ScrapeFacts<'a> {
    /// The address that was asked for.
    pub source: &'a str,
    /// Where the page was in the end.
    pub url: &'a str,
    pub status: u16,
    pub content_type: Option<&'a str>,
    /// When it was fetched, if that was before.
    pub cached: Option<SystemTime>,
}

/// The document, with the formats that were asked for.
pub(super) fn document(forms: PageForms, facts: &ScrapeFacts<'_>, warnings: &[String]) -> Map<String, Value> {
    let mut document = Map::new();
    let mut set = |name: &str, value: Option<Value>| value.map(|value| document.insert(name.to_owned(), value));
    set("markdown", forms.markdown.map(Value::from));
    set("html", forms.html.map(Value::from));
    set("rawHtml", forms.raw_html.map(Value::from));
    set("links", forms.links.map(Value::from));
    set("images", forms.images.map(Value::from));
    set("json", forms.reading);
    let told: Vec<&str> = warnings.iter().map(String::as_str).chain(forms.reason.as_deref()).collect();
    set("warning", (!told.is_empty()).then(|| told.join("; ").into()));
    let mut metadata = forms.metadata;
    for (name, value) in [
        ("sourceURL", json!(facts.source)),
        ("url", json!(facts.url)),
        ("statusCode", json!(facts.status)),
        ("contentType", json!(facts.content_type)),
        ("proxyUsed", json!("basic")),
        ("cacheState", json!(if facts.cached.is_some() { "hit" } else { "miss" })),
        ("cachedAt", json!(facts.cached.and_then(time))),
        ("creditsUsed", json!(0)),
    ] {
        if !value.is_null() {
            metadata.insert(name.to_owned(), value);
        }
    }
    document.insert("metadata".to_owned(), metadata.into());
    document
}

/// A time as RFC 3339.
pub(super) fn time(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    format_time(i64::try_from(seconds).ok()?)
}

/// The page compared with the document that the corpus has of it: new, the same, or changed.
pub(super) async fn change_tracking(service: &DoorService, url: &str, text: &str) -> Result<Value, DoorError> {
    let earlier = service.searcher().document(url.to_owned()).await?.flatten();
    let status = match &earlier {
        None => "new",
        Some((known, _)) if words(&known.text).eq(words(text)) => "same",
        Some(_) => "changed",
    };
    let before = earlier.and_then(|(known, _)| format_time(known.fetched_at));
    Ok(json!({ "previousScrapeAt": before, "changeStatus": status, "visibility": "visible" }))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

impl ScrapeOptions {
    /// Which forms are read: the text too, where it is to be compared.
    pub fn reading(&self) -> crate::page_forms::FormRequest {
        let mut forms = self.forms.clone();
        forms.text = self.change_tracking;
        forms
    }
}
