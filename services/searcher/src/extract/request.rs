//! What a request to extract asks: its parameters, and the page or the address that it brings.

use axum::Json;
use axum::body::Bytes;
use axum::extract::Query;
use axum::http::{HeaderMap, Uri, header};
use gristmill_extract::Method;
use gristmill_fetch::{ContentEncoding, DecodeError, DecodeLimits, decode_body};
use gristmill_reading::OutputFormat;
use serde::Deserialize;
use url::Url;

use super::config::ExtractConfig;
use crate::api::ApiError;

/// Media types of a body that is the page itself; without one it is taken for HTML.
const PAGE_TYPES: [&str; 6] =
    ["text/html", "application/xhtml+xml", "text/plain", "text/markdown", "text/xml", "application/xml"];

/// The fields of a request: parameters of the query beside a page, or a JSON object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    html: Option<String>,
    url: Option<String>,
    method: Option<String>,
    format: Option<OutputFormat>,
    min_confidence: Option<f32>,
    anchor_title: Option<String>,
    parts: Option<bool>,
    comments: Option<bool>,
    describe: Option<bool>,
}

/// How the page is to be read.
#[derive(Debug)]
pub(super) struct ExtractParams {
    pub method: Option<Method>,
    pub format: OutputFormat,
    pub min_confidence: Option<f32>,
    pub anchor_title: Option<String>,
    pub parts: bool,
    pub comments: Option<bool>,
    pub describe: bool,
}

/// A page, and what was said of it.
#[derive(Debug)]
pub(super) struct SubmittedPage {
    pub bytes: Bytes,
    pub content_type: Option<String>,
    pub url: Option<String>,
}

/// Where the page is.
#[derive(Debug)]
pub(super) enum PageSource {
    Sent(SubmittedPage),
    At(Url),
}

/// The head of a request, as far as it says what the body is.
#[derive(Debug)]
pub(super) struct RequestHead {
    is_json: bool,
    content_type: Option<String>,
    coding: ContentEncoding,
    uri: Uri,
}

impl RequestHead {
    /// Refuses by the head alone what could not be read.
    pub fn new(headers: &HeaderMap, uri: Uri) -> Result<Self, ApiError> {
        let content_type = headers.get(header::CONTENT_TYPE);
        let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let codings = headers.get_all(header::CONTENT_ENCODING).iter();
        let codings: Vec<_> = codings.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        let coding = ContentEncoding::parse(&codings.join(",")).map_err(undecodable)?;
        let media = content_type.as_deref().unwrap_or(PAGE_TYPES[0]).split(';').next().unwrap_or_default();
        let media = media.trim().to_ascii_lowercase();
        let is_json = media == "application/json";
        if !is_json && !PAGE_TYPES.contains(&media.as_str()) {
            return Err(ApiError::unsupported(format!(
                "`Content-Type: {media}` is not read: send a page as `text/html`, or `application/json` with `html` or `url`"
            )));
        }
        Ok(Self { is_json, content_type, coding, uri })
    }

    /// What is asked with this body.
    pub fn with(self, body: &[u8], config: &ExtractConfig) -> Result<(PageSource, ExtractParams), ApiError> {
        let limits = DecodeLimits { max_bytes: config.max_bytes, ..DecodeLimits::default() };
        let bytes = decode_body(body, self.coding, limits).map_err(undecodable)?;
        if bytes.is_empty() {
            return Err(ApiError::bad_parameter(
                "the body is empty: send a page, or a JSON object with `html` or `url`",
            ));
        }
        if !self.is_json {
            let Query(mut fields) = Query::<Fields>::try_from_uri(&self.uri)
                .map_err(|rejection| ApiError::bad_parameter(rejection.body_text()))?;
            if fields.html.is_some() {
                return Err(ApiError::bad_parameter("`html` is no parameter: the page is the body"));
            }
            let url = fields.address()?.map(String::from);
            let page = SubmittedPage { bytes: bytes.into(), content_type: self.content_type, url };
            return Ok((PageSource::Sent(page), fields.wanted()?));
        }
        if self.uri.query().is_some_and(|query| !query.is_empty()) {
            return Err(ApiError::bad_parameter(
                "a JSON body has all fields itself: leave out the parameters of the address",
            ));
        }
        // Serde would take the items of a list for the fields.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(ApiError::bad_parameter("a JSON body is an object with `html` or `url`"));
        }
        let Json(mut fields) =
            Json::<Fields>::from_bytes(&bytes).map_err(|rejection| ApiError::bad_parameter(rejection.body_text()))?;
        let source = match (fields.html.take(), fields.address()?) {
            (Some(html), url) => PageSource::Sent(SubmittedPage {
                bytes: html.into(),
                // What came in JSON is UTF-8, whatever the page says of itself.
                content_type: Some("text/html; charset=utf-8".to_owned()),
                url: url.map(String::from),
            }),
            (None, Some(url)) => PageSource::At(url),
            (None, None) => return Err(ApiError::bad_parameter("there is no page: send `html`, or the `url` of one")),
        };
        Ok((source, fields.wanted()?))
    }
}

impl Fields {
    fn address(&mut self) -> Result<Option<Url>, ApiError> {
        let parsed = self.url.take().map(|url| Url::parse(&url)).transpose();
        parsed.map_err(|error| ApiError::bad_parameter(format!("`url` is no address: {error}")))
    }

    fn wanted(self) -> Result<ExtractParams, ApiError> {
        let method = self.method.as_deref().map(str::parse).transpose();
        let method = method.map_err(|error| ApiError::bad_parameter(format!("`method`: {error}")))?;
        if self.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(ApiError::bad_parameter("`min_confidence` must be a number from 0 to 1"));
        }
        Ok(ExtractParams {
            method,
            format: self.format.unwrap_or(OutputFormat::Json),
            min_confidence: self.min_confidence,
            anchor_title: self.anchor_title,
            parts: self.parts.unwrap_or(true),
            comments: self.comments,
            describe: self.describe.unwrap_or(false),
        })
    }
}

fn undecodable(error: DecodeError) -> ApiError {
    match error {
        DecodeError::TooLarge { .. } => ApiError::too_large(format!("{error} (`searcher.extract.max_bytes`)")),
        DecodeError::Ratio { .. } => ApiError::too_large(error.to_string()),
        DecodeError::Unknown(_) | DecodeError::Stacked => ApiError::unsupported(error.to_string()),
        DecodeError::Corrupt(_) | DecodeError::Unfinished(_) => ApiError::bad_parameter(error.to_string()),
    }
}
