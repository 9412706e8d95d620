//! Tools over the corpus: search, documents, product records, changes.

use gristmill_index::{DocumentKind, Hit, IndexDocument, format_time};
use gristmill_searcher::search_query;
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::answer::{ToolError, material, stretch, told};
use super::arguments::{ChangesArguments, ReadArguments, RecordsArguments, SearchArguments, bounded};
use super::passage::{PassageRequest, passage};
use crate::service::DoorService;

/// Most hits of one answer.
const MAX_HITS: usize = 50;
/// Most changes of one answer.
const MAX_CHANGES: usize = 200;
/// Most tokens of a list.
const LIST_BUDGET: usize = 20_000;
/// Most attributes of a product that are told.
const MAX_ATTRIBUTES: usize = 60;

pub(super) async fn search(service: &DoorService, asked: SearchArguments) -> Result<CallToolResult, ToolError> {
    let limit = bounded(asked.limit, 10, MAX_HITS).to_string();
    let offset = asked.offset.unwrap_or(0).to_string();
    let field = |value: Option<String>| value.unwrap_or_default();
    let pairs = [
        ("q", asked.query),
        ("limit", limit),
        ("offset", offset),
        ("site", field(asked.site)),
        ("kind", field(asked.kind)),
        ("language", field(asked.language)),
        ("from", field(asked.from)),
        ("to", field(asked.to)),
        ("sort", field(asked.sort)),
    ];
    hits(service, &pairs, hit_json).await
}

pub(super) async fn records(service: &DoorService, asked: RecordsArguments) -> Result<CallToolResult, ToolError> {
    let field = |value: Option<String>| value.unwrap_or_default();
    let pairs = [
        ("q", field(asked.query)),
        ("limit", bounded(asked.limit, 10, MAX_HITS).to_string()),
        ("offset", asked.offset.unwrap_or(0).to_string()),
        ("site", field(asked.site)),
        ("kind", DocumentKind::Product.as_str().to_owned()),
        ("sort", field(asked.sort)),
    ];
    hits(service, &pairs, product_json).await
}

async fn hits(
    service: &DoorService,
    pairs: &[(&str, String)],
    json: impl Fn(&Hit) -> Value,
) -> Result<CallToolResult, ToolError> {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let query = search_query(pairs, OffsetDateTime::now_utc().unix_timestamp())?;
    let Some(found) = service.searcher().search(query).await? else {
        return Ok(told("Nothing is indexed yet: `crawl` fills the corpus."));
    };
    let lines: Vec<String> = found.hits.iter().map(|hit| json(hit).to_string()).collect();
    let text = lines.join("\n");
    let (shown, cut) = stretch(&text, 0, LIST_BUDGET);
    let more = if found.at_least { "more than " } else { "" };
    let warnings: String = found.warnings.iter().map(|warning| format!(" {warning}.")).collect();
    let ours = match lines.len() {
        0 => format!("No document matches.{warnings}"),
        n => format!("{n} of {more}{} documents, one JSON object a line.{warnings} {}", found.total, cut_only(&cut)),
    };
    Ok(if lines.is_empty() { told(ours) } else { material(&ours, shown) })
}

/// What is said of a list that was cut: it has no place to go on from but the next hits.
fn cut_only(said: &str) -> &'static str {
    if said.starts_with("Cut") { "The list was cut: ask for fewer at once." } else { "" }
}

fn hit_json(hit: &Hit) -> Value {
    json!({
        "key": hit.key,
        "url": hit.url,
        "title": hit.title,
        "snippet": hit.snippet.text,
        "published": hit.published.and_then(format_time),
        "language": hit.language,
        "kind": hit.kind,
    })
}

fn product_json(hit: &Hit) -> Value {
    let attributes: Vec<Value> =
        hit.attributes.iter().take(MAX_ATTRIBUTES).map(|pair| json!([pair.name, pair.value])).collect();
    json!({ "key": hit.key, "url": hit.url, "title": hit.title, "attributes": attributes })
}

pub(super) async fn read(service: &DoorService, asked: ReadArguments) -> Result<CallToolResult, ToolError> {
    let found = service.searcher().document(asked.document.clone()).await?.flatten();
    let Some((document, _)) = found else {
        let sentence =
            "there is no such document in the corpus: `search` gives keys, and `extract` reads an address from the web";
        return Err(sentence.to_owned().into());
    };
    let request = PassageRequest { section: asked.section.as_deref(), start: asked.start, budget: asked.budget };
    Ok(passage(&about(&document), &document.to_markdown(), &request))
}

/// What is known of a document, in a line without words of strangers.
fn about(document: &IndexDocument) -> String {
    let fetched = format_time(document.fetched_at).unwrap_or_default();
    let kind = document.kind.as_str();
    format!("Document {} ({kind}), fetched {fetched}.", document.key)
}

pub(super) async fn changes(service: &DoorService, asked: ChangesArguments) -> Result<CallToolResult, ToolError> {
    let limit = bounded(asked.limit, 50, MAX_CHANGES);
    let changes = service.backend().changes(asked.since.as_deref(), limit).await;
    let changes = changes.map_err(|error| ToolError(format!("{error:#}")))?;
    if changes.is_empty() {
        return Ok(told("Nothing has changed."));
    }
    let text = changes.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let (shown, cut) = stretch(&text, 0, LIST_BUDGET);
    let ours = format!("{} changes, one JSON object a line, oldest first. {}", changes.len(), cut_only(&cut));
    Ok(material(&ours, shown))
}
