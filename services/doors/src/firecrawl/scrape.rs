//! `POST /v2/scrape`: one page.

use axum::extract::State;
use axum::{Extension, Json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gristmill_searcher::{ApiError, Client};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::body::{JsonBody, address, fields, no_others, take};
use super::document::{ScrapeFacts, change_tracking, document};
use super::error::DoorError;
use super::options::ScrapeOptions;
use super::state::FirecrawlState;
use crate::page_forms::PageForms;
use crate::service::{DoorService, PageOrder};

pub(super) async fn scrape(
    State(door): State<FirecrawlState>,
    client: Option<Extension<Client>>,
    body: JsonBody,
) -> Result<Json<Value>, DoorError> {
    let mut fields = fields(body)?;
    let url: String = take(&mut fields, "url")?.ok_or_else(|| DoorError::bad("`url` is missing"))?;
    let options = ScrapeOptions::take_from(&mut fields)?;
    no_others(&fields, &[])?;
    let client = client.map(|Extension(client)| client);
    let page = page(&door.service, &url, &options, client.as_ref());
    let data = match options.timeout {
        None => page.await?,
        Some(limit) => timeout(limit, page).await.map_err(|_| {
            let message = format!("the page was not there within `timeout` ({} ms)", limit.as_millis());
            DoorError::from(ApiError::new(axum::http::StatusCode::REQUEST_TIMEOUT, "timeout", message))
        })??,
    };
    Ok(Json(json!({ "success": true, "data": data })))
}

/// The document at an address.
async fn page(
    service: &DoorService,
    url: &str,
    options: &ScrapeOptions,
    client: Option<&Client>,
) -> Result<Map<String, Value>, DoorError> {
    let address = address(url)?;
    let (headers, forms) = (options.headers.clone(), options.reading());
    let request = PageOrder {
        url: address,
        headers,
        draw: options.draw_order(),
        max_age: options.max_age,
        keep: options.keep,
        forms,
    };
    let answer = match service.page(request, client).await {
        Ok(answer) => answer,
        Err(error) => return refusal(error, url),
    };
    let facts = ScrapeFacts {
        source: url,
        url: &answer.url,
        status: answer.status,
        content_type: answer.content_type.as_deref(),
        cached: answer.cached,
    };
    let text = answer.forms.text.clone();
    let mut data = document(answer.forms, &facts, &options.warnings);
    if let Some(picture) = &answer.screenshot {
        let kind = if options.screenshot.is_some_and(|wanted| wanted.quality.is_some()) { "jpeg" } else { "png" };
        let picture = format!("data:image/{kind};base64,{}", BASE64_STANDARD.encode(picture));
        data.insert("screenshot".to_owned(), picture.into());
    }
    if let Some(text) = text {
        data.insert("changeTracking".to_owned(), change_tracking(service, &answer.url, &text).await?);
    }
    Ok(data)
}

/// A server that answers with an error has answered: the document says so, as Firecrawl's does.
fn refusal(error: ApiError, url: &str) -> Result<Map<String, Value>, DoorError> {
    let Some(status) = error.page_status else { return Err(error.into()) };
    let facts = ScrapeFacts { source: url, url, status, content_type: None, cached: None };
    let mut data = document(PageForms::default(), &facts, &[]);
    data.insert("markdown".to_owned(), "".into());
    data["metadata"]["error"] = error.message.into();
    Ok(data)
}
