//! Errors as Firecrawl answers them: `{"success":false,"error":…,"code":…}`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill_searcher::{ApiError, SearchError};
use serde_json::{Value, json};

/// An answer that is an error.
#[derive(Debug)]
pub(super) struct DoorError {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Option<Value>,
}

impl DoorError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), details: None }
    }

    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
    }

    pub fn absent(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message)
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "UNKNOWN_ERROR", message)
    }

    /// Keys that the API does not have, at `path` of the body.
    pub fn unknown_keys(keys: &[String], path: &[&str]) -> Self {
        let message = format!("Unrecognized key in body: `{}`", keys.join("`, `"));
        let details = json!([{ "code": "unrecognized_keys", "keys": keys, "path": path, "message": message }]);
        Self { details: Some(details), ..Self::bad(message) }
    }
}

impl From<ApiError> for DoorError {
    fn from(error: ApiError) -> Self {
        let (status, code) = match error.code {
            "dns" => (StatusCode::BAD_GATEWAY, "SCRAPE_DNS_RESOLUTION_ERROR"),
            "tls" => (StatusCode::BAD_GATEWAY, "SCRAPE_SSL_ERROR"),
            "timeout" | "too_slow" => (StatusCode::REQUEST_TIMEOUT, "SCRAPE_TIMEOUT"),
            "busy" => (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED"),
            "refused_address" | "disallowed" => (StatusCode::FORBIDDEN, "SCRAPE_SITE_ERROR"),
            "bad_parameter" | "bad_url" => (StatusCode::BAD_REQUEST, "BAD_REQUEST"),
            "unsupported_media_type" | "bad_type" => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "SCRAPE_UNSUPPORTED_FILE_ERROR")
            }
            _ => (error.status, "SCRAPE_SITE_ERROR"),
        };
        Self::new(status, code, error.message)
    }
}

impl From<SearchError> for DoorError {
    fn from(error: SearchError) -> Self {
        ApiError::from(error).into()
    }
}

impl IntoResponse for DoorError {
    fn into_response(self) -> Response {
        let mut body = json!({ "success": false, "code": self.code, "error": self.message });
        if let Some(details) = self.details {
            body["details"] = details;
        }
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
