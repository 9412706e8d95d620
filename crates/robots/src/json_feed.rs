//! JSON Feed 1.1 (jsonfeed.org).

use serde::Deserialize;

use crate::dates::parse_w3c;
use crate::feed::Feed;
use crate::sitemap::{MAX_LOC_BYTES, MAX_TITLE_BYTES, SitemapEntry};
use crate::xml::push_limited;

#[derive(Deserialize)]
struct Document {
    title: Option<String>,
    next_url: Option<String>,
    #[serde(default)]
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    id: Option<serde_json::Value>,
    url: Option<String>,
    external_url: Option<String>,
    title: Option<String>,
    date_published: Option<String>,
    date_modified: Option<String>,
}

/// The items of a feed, each at its `url`, else at the page that it is about, else at its `id` where that is an address. What is cut or
/// no JSON has none.
pub(crate) fn parse(text: &str, max_entries: usize, cut: bool) -> Feed {
    let Ok(Document { title, next_url, items }) = serde_json::from_str::<Document>(text) else {
        return Feed { truncated: true, ..Feed::default() };
    };
    let n_items = items.len();
    let entries: Vec<SitemapEntry> = items.into_iter().filter_map(entry).take(max_entries).collect();
    let older = next_url.filter(|url| url.len() < MAX_LOC_BYTES);
    Feed { title, older, truncated: cut || n_items > max_entries, entries }
}

fn entry(item: Item) -> Option<SitemapEntry> {
    let id = item.id.and_then(|id| id.as_str().filter(|id| id.starts_with("http")).map(str::to_owned));
    let loc = item.url.or(item.external_url).or(id)?;
    let date = |text: Option<String>| text.as_deref().and_then(parse_w3c);
    let mut title = String::new();
    push_limited(&mut title, item.title.unwrap_or_default().trim(), MAX_TITLE_BYTES);
    let entry = SitemapEntry {
        loc: loc.trim().to_owned(),
        lastmod: date(item.date_modified).or_else(|| date(item.date_published)),
        title: Some(title).filter(|title| !title.is_empty()),
        ..SitemapEntry::default()
    };
    (!entry.loc.is_empty() && entry.loc.len() < MAX_LOC_BYTES).then_some(entry)
}
